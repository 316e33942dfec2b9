"""The shapes of tables of scores: each knows what its columns mean, and how it is brought into the long form."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FACTORS, Level, level_text, training_factor
from fairtrial.errors import InputError
from fairtrial.resampling import parse
from fairtrial.results.how_read import Remark
from fairtrial.results.readers.read_table import numbered
from fairtrial.results.readers.text_cells import reasons_in, text_cells

if TYPE_CHECKING:
    import pandas as pd

COLUMN, VALUE = "\0column", "\0value"  # titles that no table has, for its titles and its cells in long form


@dataclass(frozen=True, slots=True)
class Places:
    """The columns that say where a score belongs; ``factors`` hold levels of factors, as an export has them.

    A table without a column of data sets has them in its titles, or has one only, which is called ``sole``; so has one
    without a column of methods.
    """

    dataset: str | None
    method: str | None = None
    repeat: str | None = None
    fold: str | None = None
    measure: str | None = None
    factors: tuple[str, ...] = ()
    replicate: str | None = None
    sole: str = field(default="", kw_only=True)

    def roles(self) -> dict[str, str]:
        """The columns that there are, by their roles."""
        own = {name: getattr(self, name) for name in ("dataset", "method", "replicate", "repeat", "fold", "measure")}
        return {role: title for role, title in own.items() if title} | {name: name for name in self.factors}

    def titles(self) -> list[str]:
        """The titles of the columns that there are."""
        return list(self.roles().values())

    def owner(self) -> tuple[str, ...]:
        """The columns that name the owner of a score: data set and method, where they are in rows."""
        return tuple(title for title in (self.dataset, self.method) if title)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of a frame that should hold scores: the columns ``titles``.

    For error messages, a cell is named by the entries of its row in the columns ``named_by`` and, with ``with_title``,
    by the title of its column.
    """

    frame: pd.DataFrame
    titles: tuple[str, ...]
    named_by: tuple[str, ...]
    with_title: bool = True

    def texts(self) -> list[tuple[str, str]]:
        """The cells that are neither numbers nor words for a failed run, each with its place."""
        return [
            (self._place(int(row), title), str(self.frame[title].iloc[row]))
            for title in self.titles
            for row in np.flatnonzero(text_cells(self.frame[title]))
        ]

    def _place(self, row: int, title: str) -> str:
        names = [str(self.frame[column].iloc[row]) for column in self.named_by]
        return ", ".join([*names, title] if self.with_title else names)


@dataclass(frozen=True, slots=True)
class Kept:
    """The data sets and methods whose scores are read; None means all."""

    datasets: Collection[str] | None = None
    methods: Collection[str] | None = None

    def rows(self, frame: pd.DataFrame, places: Places) -> pd.DataFrame:
        """The rows of a frame that belong to them."""
        for title, names in ((places.dataset, self.datasets), (places.method, self.methods)):
            frame = frame if title is None or names is None else frame[frame[title].astype(str).isin(names)]
        return frame


ALL = Kept()


class ScoreShape(Protocol):
    """The protocol of a shape: how a table holds its scores."""

    @property
    def places(self) -> Places: ...

    @property
    def names_measures(self) -> bool:
        """Whether the table says what its scores measure."""
        ...

    @property
    def values(self) -> tuple[str, ...]:
        """The columns that hold scores."""
        ...

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What was decided in finding it."""
        ...

    @property
    def unread(self) -> tuple[str, ...]:
        """The columns that are not used."""
        ...

    def cells(self, frame: pd.DataFrame, kept: Kept = ALL) -> Cells:
        """The cells with the scores of the data sets and methods that are kept."""
        ...

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The table in long form: dataset, method, factors, repeat, fold, value; one row per score.

        If the table names its measures, they are in a further column, and so are reasons of failures.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns that all shapes have: those that say where scores belong, and those that hold them."""

    places: Places
    values: tuple[str, ...]
    unread: tuple[str, ...] = field(default=(), kw_only=True)
    remarks: tuple[Remark, ...] = field(default=(), kw_only=True, compare=False)

    @property
    def names_measures(self) -> bool:
        return self.places.measure is not None

    def cells(self, frame: pd.DataFrame, kept: Kept = ALL) -> Cells:
        return Cells(kept.rows(frame, self.places), self.values, self.places.owner())


@dataclass(frozen=True, slots=True)
class LongShape(_Columns):
    """A row for each score, all of which are in one column."""

    def cells(self, frame: pd.DataFrame, kept: Kept = ALL) -> Cells:
        return replace(_Columns.cells(self, frame, kept), with_title=False)

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        made = _tidy(frame, self.places, self.values[0])
        taken = (*self.places.titles(), *self.values)
        sizes = {c: _size(frame[c]) for c in ("n_train", "n_test") if c in frame.columns and c not in taken}
        if "status" not in frame.columns or "status" in taken:
            return made.assign(**sizes)
        return made.assign(**sizes, status=frame["status"].to_numpy())


@dataclass(frozen=True, slots=True)
class WideShape(_Columns):
    """A row for each data set (and perhaps repeat, fold and measure), a column for each method, or the other way round.

    ``parts`` are method (or data set) and measure of columns whose titles have both, such as ``svm_auc``.
    """

    parts: tuple[tuple[str, str], ...] = ()

    @property
    def names_measures(self) -> bool:
        return self.places.measure is not None or bool(self.parts)

    def names(self) -> tuple[str, ...]:
        """The name in the title of each column."""
        return tuple(name for name, _ in self.parts) or self.values

    def cells(self, frame: pd.DataFrame, kept: Kept = ALL) -> Cells:
        names = kept.methods if self.places.method is None else kept.datasets
        wanted = [c for c, name in zip(self.values, self.names(), strict=True) if names is None or name in names]
        return Cells(kept.rows(frame, self.places), tuple(wanted), self.places.owner())

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        long = _melted(frame, self.places, self.values)
        if self.parts:
            parts = dict(zip(self.values, self.parts, strict=True))
            measures = long[COLUMN].map({title: measure for title, (_, measure) in parts.items()}).astype(str)
            named = long.assign(**{COLUMN: long[COLUMN].map({title: name for title, (name, _) in parts.items()})})
            return _tidy(named, self.places, VALUE, COLUMN).assign(measure=measures)
        return _tidy(long, self.places, VALUE, COLUMN)


@dataclass(frozen=True, slots=True)
class MeasureColumns(_Columns):
    """A row for each data set, method and split, a column for each measure."""

    @property
    def names_measures(self) -> bool:
        return True

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        long = _melted(frame, self.places, self.values)
        return _tidy(long, self.places, VALUE).assign(measure=long[COLUMN].astype(str))


@dataclass(frozen=True, slots=True)
class FoldColumns(_Columns):
    """A row for each data set and method, a column for each fold; the ``resampling`` says how many a repeat has."""

    resampling: str | None = None

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        long = _melted(frame, self.places, self.values)
        made = _tidy(long, self.places, VALUE)
        position = long[COLUMN].map({c: i for i, c in enumerate(self.values)})
        per_repeat = (parse(self.resampling).dependence().folds if self.resampling else 0) or len(self.values)
        return made.assign(repeat=position // per_repeat, fold=position % per_repeat)


def _melted(frame: pd.DataFrame, places: Places, values: tuple[str, ...]) -> pd.DataFrame:
    """A row for each cell of the columns with values, with the column's title."""
    return frame.melt(id_vars=places.titles(), value_vars=list(values), var_name=COLUMN, value_name=VALUE)


def _tidy(long: pd.DataFrame, places: Places, value: str, names: str | None = None) -> pd.DataFrame:
    """The columns of the long form, from a frame with a row for each score.

    ``names`` is the column of data sets or methods, whichever the rows do not name.
    """
    import pandas as pd

    is_text = long[value].dtype.kind not in "iufb"
    reasons = reasons_in(long[value]) if is_text else pd.Series(dtype=object)
    dataset, method = places.dataset or (names if places.method else None), places.method or names
    return pd.DataFrame({
        "dataset": places.sole if dataset is None else long[dataset].astype(str),
        "method": places.sole if method is None else long[method].astype(str),
        **{name: _levels(long[name]) for name in places.factors},
        **({} if places.replicate is None else {"replicate": numbered(long, places.replicate)}),
        "repeat": numbered(long, places.repeat),
        "fold": numbered(long, places.fold),
        **({} if places.measure is None else {"measure": long[places.measure].astype(str)}),
        "value": pd.to_numeric(long[value], errors="coerce").astype(float),
        **({"reason": reasons} if (reasons != "").any() else {}),
    }, index=long.index)  # fmt: skip


def _size(column: pd.Series) -> NDArray[np.float64]:
    """Numbers of rows that were trained on or tested; empty where they are not known."""
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    strange = column[numbers.isna() & column.notna()]
    if len(strange):
        raise InputError(f"{column.name} must hold numbers of rows, or nothing, got {strange.iloc[0]!r}")
    return np.asarray(numbers, dtype=np.float64)


def _levels(column: pd.Series) -> pd.Series:
    """Levels as numbers, or as texts where some are no numbers; those that a factor can't have are refused.

    A factor of methods is missing where it does not exist.
    """
    import pandas as pd

    name = str(column.name)
    numbers = pd.to_numeric(column, errors="coerce")
    if name not in FACTORS:
        if column.dtype.kind != "b" and (numbers.notna() == column.notna()).all():
            return numbers
        return column.map(level_text, na_action="ignore").astype(object)
    strange = column[numbers.isna()]
    if len(strange):
        raise InputError(f"levels of {name} must be numbers, got {strange.iloc[0]!r}; fill in or remove such rows")
    training_factor(name, {"levels": levels_in(numbers)})
    return numbers


def levels_in(column: pd.Series) -> tuple[Level, ...]:
    """The distinct levels of a factor in a column, numbers in rising order; levels without a fraction are ints.

    >>> import pandas as pd
    >>> levels_in(pd.Series([100.0, 0.5, 100.0])), levels_in(pd.Series(["svm", None, "b"]))
    ((0.5, 100), ('svm', 'b'))
    """
    import pandas as pd

    there = column.dropna().unique()
    if not pd.api.types.is_numeric_dtype(column):
        return tuple(there.tolist())
    return tuple(int(v) if float(v).is_integer() else float(v) for v in sorted(there))
