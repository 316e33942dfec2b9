"""Results in which each setting of a method is a method of its own: ``forest (max_depth 3)``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.design import FACTORS, write_setting
from fairtrial.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results


def results_by_setting(results: Results) -> Results:
    """The results with a method for each setting; factors of the training data stay factors."""
    own = [name for name in results.factors if name not in FACTORS]
    if not own:
        raise InputError("these results have no factors on methods whose settings could be compared")
    scores, failures = (settings_as_methods(frame, own) for frame in (results.scores, results.failures))
    return replace(
        results,
        scores=scores,
        failures=failures,
        factors={name: levels for name, levels in results.factors.items() if name not in own},
        named_by_setting=True,
        source=None if results.source is None else results.source.by_setting(),
    )


def settings_as_methods(frame: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """A table with the names of settings as methods, without the columns of these factors."""
    there = [name for name in factors if name in frame]
    number = frame.groupby(["method", *there], sort=False, dropna=False).ngroup()
    first = frame.loc[~number.duplicated(), ["method", *there]]
    names = {}
    for n, row in zip(number[first.index], first.to_dict("records"), strict=True):
        levels = {name: row[name] for name in there if row[name] == row[name]}  # nan: it does not exist there
        names[n] = write_setting(str(row["method"]), levels)
    return frame.assign(method=number.map(names).astype("str")).drop(columns=there)
