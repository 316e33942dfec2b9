"""Scores of trials as rows of a table, and what measures need of the stored predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.measures import from_records, get
from fairtrial.results.prediction_source import COLUMNS
from fairtrial.store import RESOURCES

if TYPE_CHECKING:
    import pandas as pd


def channels_for(measures: Sequence[str]) -> frozenset[str]:
    return frozenset[str]().union(*(get(name).reads for name in measures))


def score_columns(factors: Sequence[str]) -> list[str]:
    """The columns of a table of scores, with one for each factor."""
    return [*COLUMNS[:2], *factors, *COLUMNS[2:]]


def long_rows(
    rows: pd.DataFrame, values: Mapping[str, NDArray[np.float64]], factors: Sequence[str] = ()
) -> pd.DataFrame:
    """Rows of trials or repeats, once for each measure."""
    import pandas as pd

    columns = score_columns(factors)
    places = [c for c in columns if c not in ("measure", "value")]
    long = rows[places].take(np.tile(np.arange(len(rows)), len(values))).reset_index(drop=True)
    names = pd.Series(list(values), dtype="str").take(np.repeat(np.arange(len(values)), len(rows)))
    long["measure"] = names.reset_index(drop=True)
    long["value"] = np.concatenate([*values.values(), np.zeros(0)])
    return long[columns]


def recorded_values(measures: Sequence[str], trials: pd.DataFrame) -> dict[str, NDArray[np.float64]]:
    """The values of the measures that are costs of trials, for each of some trials."""
    columns = {c: trials[c].to_numpy(dtype=float) for c in (*RESOURCES, "n_train", "n_test")}
    return from_records([name for name in measures if get(name).from_trials and len(trials)], columns)


def oriented(channels: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Mapping[str, NDArray[Any]]:
    """The channels with scores that are higher for the positive class; a single column is for the second class."""
    score = channels.get("score")
    if score is not None and score.ndim == 1 and facts["positive"] == 0:
        return {**channels, "score": -score}
    return channels


def mean_over_replicates(
    values: NDArray[np.float64], splits: NDArray[np.int64], sizes: Sequence[int]
) -> NDArray[np.float64]:
    """The means over trials on the same split of what each tested instance has; splits in the order of their first.

    >>> mean_over_replicates(np.array([1.0, 0, 0, 0]), np.array([7, 7]), [2, 2])
    array([0.5, 0. ])
    """
    import pandas as pd

    place = np.concatenate([np.arange(size) for size in sizes])
    owner = np.repeat(splits, sizes)
    number, names = pd.factorize(pd.MultiIndex.from_arrays([owner, place]))
    if len(names) == len(values):
        return values
    return np.asarray(np.bincount(number, weights=values) / np.bincount(number))
