"""The trials of a study file as a frame, and their predictions as columns.

Scores of trials as rows of a table, and what measures need of the stored predictions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import RESERVED, are_numbers, level_text
from fairtrial.errors import StudyFileError
from fairtrial.measures import from_records, get, is_known
from fairtrial.measures.fold_axis import STRETCH
from fairtrial.resampling import APPARENT
from fairtrial.results.prediction_source import COLUMNS
from fairtrial.store import RESOURCES, StudyFile
from fairtrial.store.checks.json import LEVELS
from fairtrial.store.columns import StoredColumn
from fairtrial.store.records import RECORDED
from fairtrial.words import part_of, verb

if TYPE_CHECKING:
    import pandas as pd


PLANNED = ("dataset", "method", "replicate", "split", "levels")
PLACES = ("repeat", "fold", "n_train", "n_test")
NO_CLASS = "(no class)"  # a predicted label that the data set does not have
MOST_INSTANCES = 500_000  # instances whose predictions are held in memory at a time


def trial_table(file: StudyFile, factors: Sequence[str], *, apparent: bool = False) -> pd.DataFrame:
    """One row per trial of the current revision, with a column for each factor; or only the trials of apparent errors.

    Names and splits are looked up here, since joining and sorting them in the database takes longer.
    """
    import pandas as pd

    shown = {name: column for name, column in RECORDED.items() if column.shown}
    found = _columns(
        file, ("id", *PLANNED, *shown, *RESOURCES), "trial WHERE revision = ? ORDER BY id", file.revision()
    )
    splits = _columns(file, ("id", *PLACES), "split")
    split = _positions(found["split"], splits["id"])
    places = {name: np.array(splits[name], dtype=np.int64) for name in PLACES}
    learned = np.array(found["n_train"], dtype=float)  # nan (None): the number of the split
    made = pd.DataFrame(
        {
            "trial": np.array(found["id"], dtype=np.int64),
            "dataset": _names(file, "dataset", found["dataset"]),
            "method": _names(file, "method", found["method"]),
            "replicate": np.array(found["replicate"], dtype=np.int64),
            "repeat": places["repeat"][split],
            "fold": places["fold"][split],
            "n_train": np.where(np.isnan(learned), places["n_train"][split], learned).astype(np.int64),
            "n_test": places["n_test"][split],
            "split": np.array(found["split"], dtype=np.int64),
            **{name: _recorded(column, found[name]) for name, column in shown.items() if name != "n_train"},
            **{name: np.array(found[name], dtype=float) for name in RESOURCES},
            **_levels(file, found["levels"], factors),
        }
    )
    order = np.lexsort((made["fold"], made["repeat"], made["replicate"], found["method"], found["dataset"]))
    ordered = made.iloc[order]
    return ordered[(ordered["fold"] == APPARENT) == apparent].reset_index(drop=True)


def _columns(file: StudyFile, names: Sequence[str], where: str, *given: object) -> dict[str, tuple[Any, ...]]:
    """The columns of a table, by name."""
    rows = file.query(f"SELECT {', '.join(names)} FROM {where}", *given)
    return dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))


def _recorded(column: StoredColumn, values: Sequence[Any]) -> Any:
    """A column that trials fill: numbers, a few different texts that are always there, or texts of any kind."""
    if column.kind in ("REAL", "INTEGER"):
        return np.array(values, dtype=float)
    return _texts(values) if column.is_needed else list(values)


def _positions(numbers: Sequence[int], known: Sequence[int]) -> NDArray[np.intp]:
    place = {number: i for i, number in enumerate(known)}
    return np.array([place[number] for number in numbers], dtype=np.intp)


def _names(file: StudyFile, table: str, numbers: Sequence[int]) -> pd.Series:
    known = dict(file.query(f"SELECT id, name FROM {table}"))
    return _taken(list(known.values()), _positions(numbers, list(known)))


def _texts(texts: Sequence[str]) -> pd.Series:
    """A column of texts of which there are few different ones."""
    known = list(dict.fromkeys(texts))
    place = {text: i for i, text in enumerate(known)}
    return _taken(known, np.array([place[text] for text in texts], dtype=np.intp))


def _taken(texts: Sequence[str], which: NDArray[np.intp]) -> pd.Series:
    import pandas as pd

    return pd.Series(list(texts), dtype="str").take(which).reset_index(drop=True)


def _levels(file: StudyFile, texts: Sequence[str], factors: Sequence[str]) -> dict[str, Any]:
    """A column for each factor: numbers where all its levels are, else texts; missing where it does not exist."""
    if not factors:
        return {}
    if taken := [name for name in factors if name in RESERVED]:
        raise StudyFileError(
            f"{file.name} is damaged or was not made by fairtrial: a factor is called {taken[0]!r}, which is a column "
            "of results; take a copy of the file that is whole"
        )
    known = {text: file.json(text, LEVELS, "levels of trials") for text in dict.fromkeys(texts)}
    which = _positions(texts, list(known))  # type: ignore[arg-type]
    declared = {f.name: f.levels for f in file.definition().factors}
    return {name: level_column(list(known.values()), name, declared.get(name, ())).take(which) for name in factors}


def level_column(levels: Sequence[Mapping[str, Any]], name: str, declared: Sequence[Any] = ()) -> NDArray[Any]:
    """The levels of a factor as cells of a table; nan where it does not exist.

    >>> level_column([{"depth": 3}, {}], "depth"), level_column([{"depth": None}], "depth", (3, None))
    (array([ 3., nan]), array(['None'], dtype=object))
    """
    there = [chosen[name] for chosen in levels if name in chosen]
    if are_numbers(there) and are_numbers(declared):
        return np.asarray([chosen.get(name, np.nan) for chosen in levels])
    cells = [level_text(chosen[name]) if name in chosen else np.nan for chosen in levels]
    return np.asarray(cells, dtype=object)


def few_blocks_of(trials: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Blocks of trials of one data set: those of several methods together where they are small."""
    if trials.empty:
        return
    number = trials.groupby(["dataset", "method"], sort=False).ngroup().to_numpy()
    ordered = trials.iloc[np.argsort(number, kind="stable")]
    ends = np.cumsum(np.bincount(number)).tolist()
    instances = [0, *np.cumsum(ordered["n_test"].to_numpy())[[end - 1 for end in ends]].tolist()]
    datasets = ordered["dataset"].iloc[[end - 1 for end in ends]].tolist()
    start = first = 0
    for i, end in enumerate(ends):
        ended = i + 1 == len(ends) or datasets[i + 1] != datasets[i]
        if ended or instances[i + 2] - instances[first] > STRETCH:
            block = ordered.iloc[start:end]
            alone = first == i and instances[i + 1] - instances[i] > MOST_INSTANCES
            yield from ((datasets[i], own) for own in ([own for *_, own in blocks_of(block)] if alone else [block]))
            start, first = end, i + 1


def blocks_of(trials: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Blocks of trials of one method on one data set, small enough to be held in memory."""
    for (dataset, method), group in trials.groupby(["dataset", "method"], sort=False):
        number = np.cumsum(group["n_test"].to_numpy()) // MOST_INSTANCES
        for start in np.unique(number, return_index=True)[1]:
            yield str(dataset), str(method), group[number == number[start]]


def prediction_columns(
    channels: Mapping[str, NDArray[Any]], truth: NDArray[Any], classes: Sequence[str]
) -> dict[str, NDArray[Any]]:
    """Truth and predictions as columns of a frame: labels by name, a column for each class where there are several."""
    labels = np.asarray([*classes, NO_CLASS], dtype=object)
    columns: dict[str, NDArray[Any]] = {"truth": labels[truth] if classes else truth}
    for channel, array in channels.items():
        if channel == "label":
            columns["label"] = labels[array]
        elif array.ndim == 1:
            columns[channel] = array
        else:
            columns |= dict(zip(class_columns(channel, classes), array.T, strict=True))
    return columns


def class_columns(channel: str, classes: Sequence[str]) -> list[str]:
    """The names of the columns of a channel that has one for each class: p_a, p_b."""
    prefix = "p" if channel == "probability" else channel
    return [f"{prefix}_{c}" for c in classes]


def notes_on(measures: Sequence[str], missing: int, trials: int) -> Iterator[str]:
    """Notes on trials that have not run, and on measures that are not known."""
    if missing:
        yield f"{part_of(missing, trials, 'trial')} {verb(missing, 'is', 'are')} still to be run"
    for name in measures:
        if not is_known(name):
            yield f"the measure {name!r} is not known here: import the module that declares it (--import)"


def per_method(trials: pd.DataFrame, column: str, names: Sequence[str]) -> dict[str, int]:
    """The number of trials of each method with an entry in a column; methods without any are left out."""
    counts = trials.loc[trials[column].notna(), "method"].value_counts()
    return {name: int(counts[name]) for name in names if name in counts}


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
