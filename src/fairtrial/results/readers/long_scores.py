"""Scores from elsewhere in long form, as every reader of scores returns them, and what is checked and completed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FACTORS
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.notices import Note
from fairtrial.resampling import Dependence
from fairtrial.results.how_read import Remark
from fairtrial.results.prediction_source import COLUMNS
from fairtrial.results.provenance import A_DATASET, Published
from fairtrial.words import listed, part_of

if TYPE_CHECKING:
    import pandas as pd

LACKING = "data sets without scores"
OF_THE_FILE = "methods of the file"  # what a note is about, which matters only where methods are compared
"""The words of the note that some methods of a file were chosen."""


@dataclass(frozen=True, slots=True, eq=False)
class LongScores:
    """Scores in long form, with all that their reader knows of them.

    ``frame`` has the columns dataset, method, the ``factors``, repeat, fold, measure and value, and perhaps replicate,
    n_train, n_test, status and the reason of a failure. ``published`` is what a published table prints beside its
    scores. ``source`` is the name of the table or file, ``main`` the measure that decides, ``unit`` the word for what
    its rows are (data sets, tasks, questions), ``columns`` the title of each role and ``remarks`` what else was found,
    ``dependence`` what the file itself says about the splits of each data set. With ``lacking_is_undefined`` a run that
    has scores of some measures but not of others has not failed: the missing ones are undefined. ``seeds_in`` is the
    column whose numbers are random seeds by their titles: repeat, fold, or none.
    """

    frame: pd.DataFrame
    source: str
    measures: Mapping[str, Measure]
    main: str
    dependence: Mapping[str, Dependence] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    factors: tuple[str, ...] = ()
    lacking_is_undefined: bool = False
    published: Published = field(default_factory=Published)
    unit: str = A_DATASET
    columns: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    seeds_in: str = ""

    def with_any_score(self) -> LongScores:
        """The scores without the data sets on which no method has a score of a measure, with notes."""
        long, training = self.frame, [name for name in self.factors if name in FACTORS]
        codes = combination_codes(long, ["dataset", "measure", *training])
        there = (np.bincount(codes, weights=long["value"].notna()) > 0)[codes]
        if there.all() or not there.any():  # none at all is refused later
            return self
        gone = long.loc[~there, ["dataset", "measure"]].drop_duplicates()
        notes = (
            Note(f"no method has a score of {measure} on {listed(own['dataset'])}: left out", "doubt", LACKING)
            for measure, own in gone.groupby("measure", sort=False)
        )
        return replace(self, frame=long[there], notes=(*self.notes, *notes))

    def of_methods(self, methods: Sequence[str] | None) -> LongScores:
        """The scores of some methods, all of which must be there."""
        if methods is None:
            return self
        known = set(self.frame["method"].unique())
        for name in methods:
            if name not in known:
                raise UnknownName.among("method in this file", name, known)
        others = [m for m in self.frame["method"].unique() if m not in set(methods)]
        picked = () if not others else (
            Note(
                f"{part_of(len(set(methods)), len(known), 'method')} of the file are compared, without "
                f"{listed(others)}: if they were picked by these scores, the lead of the best is exaggerated "
                "(regression to the mean)",
                about=OF_THE_FILE,
            ),
        )  # fmt: skip
        return replace(self, frame=self.frame[self.frame["method"].isin(methods)], notes=(*self.notes, *picked))


def complete_scores(scores: LongScores) -> LongScores:
    """The scores of every method on every split, in the columns of Results; a score that occurs twice is refused."""
    long = scores.frame if "replicate" in scores.frame else scores.frame.assign(replicate=0)
    _check(replace(scores, frame=long))
    full = _with_all_combinations(long, scores.factors)
    if scores.lacking_is_undefined:
        full = _undefined_where_others_are_there(full)
    return replace(scores, frame=full)


def combination_codes(frame: pd.DataFrame, columns: Sequence[str]) -> NDArray[np.int64]:
    """The number of the combination of entries in each row, counted from 0 in the order in which they come.

    >>> import pandas as pd
    >>> combination_codes(pd.DataFrame({"a": ["x", "y", "x", "x"], "b": [1, 1, 2, 1]}), ["a", "b"]).tolist()
    [0, 1, 2, 0]
    """
    import pandas as pd

    codes: NDArray[np.int64] = np.zeros(len(frame), dtype=np.int64)
    for column in columns:
        own, known = pd.factorize(frame[column], use_na_sentinel=False)
        if len(known) > 1:
            codes = pd.factorize(codes * len(known) + own)[0]
    return codes


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Where each score stands among all combinations of a split (with its measure) and a method (at a setting)."""

    where: list[str]
    who: list[str]
    splits: NDArray[np.int64]
    methods: NDArray[np.int64]

    @classmethod
    def of(cls, long: pd.DataFrame, factors: Sequence[str]) -> _Grid:
        training, own = ([name for name in factors if (name in FACTORS) is wanted] for wanted in (True, False))
        where, who = ["dataset", *training, "replicate", "repeat", "fold", "measure"], ["method", *own]
        return cls(where, who, combination_codes(long, where), combination_codes(long, who))

    @property
    def places(self) -> NDArray[np.int64]:
        return self.splits * (int(self.methods.max()) + 1) + self.methods

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.splits.max()) + 1, int(self.methods.max()) + 1


def _check(scores: LongScores) -> None:
    """Refuse scores that are there twice, that are infinite, or of which none is a number."""
    import pandas as pd

    long, name = scores.frame, scores.source
    grid = _Grid.of(long, scores.factors)
    places = [c for c in ("dataset", "method", *scores.factors, *grid.where[1:]) if c in long]
    if np.bincount(grid.places).max() > 1:
        twice = pd.Series(grid.places).duplicated().to_numpy()
        row = long.loc[twice, list(dict.fromkeys(places))].iloc[0].to_dict()
        joined = [r for r in scores.remarks if r.found == "one name"]
        which = f", counting {' and '.join(map(repr, joined[0].names))} as one {joined[0].what}" if joined else ""
        remedy = (
            "rename one of these"
            if joined
            else "name the column that numbers repeats or folds (repeat='…', fold='…'), or keep one kind of rows"
        )
        raise InputError(
            f"{name}: each score must be there once, but {int(twice.sum())} are there again{which}, the first being "
            f"{row}; {remedy}, or remove them"
        )
    infinite = np.isinf(long["value"])
    if infinite.any():
        row = long.loc[infinite, list(dict.fromkeys(places))].iloc[0].to_dict()
        raise InputError(f"{name}: scores must be finite, but {int(infinite.sum())} are not, the first being {row}")
    if long["value"].isna().all():
        raise InputError(f"{name}: at least one score must be a number, but none is")


def _with_all_combinations(long: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Scores of every method on every split of every data set; a missing one is a failure.

    If none is missing they stay in their order; otherwise those of one split come together. A method has scores at the
    settings of its own parameters that it has anywhere, and at no others.
    """
    import pandas as pd

    grid = _Grid.of(long, factors)
    if len(long) == np.prod(grid.shape):
        made: dict[str, Any] = {name: long[name].array for name in (*grid.where, *grid.who)}
        rows = np.arange(len(long))
    else:
        n_splits, n_methods = grid.shape
        rows = np.full(n_splits * n_methods, -1, dtype=np.int64)  # the row of each score, or -1
        rows[grid.places] = np.arange(len(long))
        split_rows = np.repeat(np.unique(grid.splits, return_index=True)[1], n_methods)
        method_rows = np.tile(np.unique(grid.methods, return_index=True)[1], n_splits)
        made = {name: long[name].array.take(split_rows) for name in grid.where}
        made |= {name: long[name].array.take(method_rows) for name in grid.who}
    made["value"] = _taken(long["value"], rows)
    made["status"] = _status(long, rows, made["value"])
    for name in ("n_train", "n_test"):
        made[name] = _taken(long[name], rows) if name in long else np.full(len(rows), np.nan)
    return pd.DataFrame({name: made[name] for name in (*COLUMNS[:2], *factors, *COLUMNS[2:])}, copy=False)


def _taken(column: pd.Series, rows: NDArray[np.int64]) -> Any:
    """The entries of a column in some rows; missing where the row is -1."""
    import pandas as pd

    if len(rows) == len(column) and bool((rows[1:] > rows[:-1]).all()):  # all of them, in their order
        return column.to_numpy(copy=True)  # people may change scores
    return pd.api.extensions.take(column.to_numpy(), rows, allow_fill=bool((rows < 0).any()))


def _status(long: pd.DataFrame, rows: NDArray[np.int64], values: NDArray[np.float64]) -> pd.Series:
    """The status of each score: ok, the reason of a failure, or how it is missing."""
    import pandas as pd

    lost = np.flatnonzero(np.isnan(values))
    if not len(lost):
        return pd.Series("ok", index=range(len(rows)))
    status = np.full(len(rows), "ok", dtype=object)
    status[lost] = np.where(rows[lost] < 0, "not there", "no score")
    there = lost[rows[lost] >= 0]
    if "reason" in long:
        reasons = long["reason"].fillna("").to_numpy(dtype=object)[rows[there]]
        status[there] = np.where(reasons == "", status[there], reasons)
    if "status" in long:  # where it ran, the measure is undefined
        status[there[long["status"].to_numpy(dtype=object)[rows[there]] == "ok"]] = "ok"
    return pd.Series(status, dtype=pd.Series(["ok"]).dtype)


def _undefined_where_others_are_there(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores where a missing measure of a trial that has others is undefined, which is not a failure."""
    trials = combination_codes(scores, ["dataset", "method", "repeat", "fold"])
    ran = (np.bincount(trials, weights=scores["value"].notna()) > 0)[trials]
    return scores.assign(status=scores["status"].where(~ran, "ok"))
