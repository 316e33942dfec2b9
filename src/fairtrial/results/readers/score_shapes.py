"""Finding out the shape of a table of scores, and bringing it into the long form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design import FACTORS, Level
from fairtrial.errors import InputError
from fairtrial.measures import get, names
from fairtrial.resampling import parse
from fairtrial.results.readers.read_table import column_for, show_columns
from fairtrial.results.readers.text_cells import holds_scores, mostly_numbers, refuse_cells, text_cells

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ScoreColumns", "is_known_measure", "known_measures", "levels_in", "long_form", "refuse_text"]


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """Which column is what; ``values`` are methods, folds or measures, or the one column of a long table.

    ``factors`` are columns with levels of factors, as an export has them.
    """

    dataset: str
    method: str | None
    repeat: str | None
    fold: str | None
    measure: str | None
    values: tuple[str, ...]
    kind: str
    factors: tuple[str, ...] = ()

    @property
    def measures_known(self) -> bool:
        return self.measure is not None or self.kind == "a column per measure"

    def notes(self, frame: pd.DataFrame) -> list[str]:
        """In a wide table a column that holds no scores may be a method all of whose scores were lost: say so."""
        used = {self.dataset, self.repeat, self.fold, self.measure, *self.values}
        rest = [str(c) for c in frame.columns if c not in used]
        if self.kind != "wide" or not rest:
            return []
        return [f"not read as scores, since hardly any entry is a number: {', '.join(map(repr, rest[:5]))}"]

    @classmethod
    def found(
        cls, frame: pd.DataFrame, *, dataset: str | None, method: str | None, repeat: str | None, fold: str | None,
        value: str | None, measure: str | None, resampling: str | None,
    ) -> ScoreColumns:  # fmt: skip
        d = column_for(frame, "dataset", dataset) or _first_text(frame)
        if d is None:
            raise InputError(
                f"no column says which data set a score belongs to; columns found: {show_columns(frame)}; "
                "try read_scores(path, dataset='…', method='…', value='…')"
            )
        m = column_for(frame, "method", method, [d])
        f = column_for(frame, "fold", fold, [d])
        w = column_for(frame, "measure", None, [d])
        r = column_for(frame, "repeat", repeat, [d])
        x = _factors(frame, [c for c in (d, m, r, f, w) if c]) if m is not None else ()
        rest = tuple(str(c) for c in frame.columns if c not in (d, m, r, f, w, *x) and holds_scores(frame[c]))
        if m is not None and repeat is None and not frame.duplicated([c for c in (d, m, f, w, *x) if c]).any():
            r = None  # a seed, say, that tells nothing apart: taken as a repeat it would leave holes
        named = [c for c in rest if measure is not None and c.lower() == measure.lower()]
        if m is not None and value is None and w is None and named:
            return cls(d, m, r, f, None, tuple(named), "a column per measure", x)
        v = column_for(frame, "value", value, [d])
        if m is not None and v is not None and (value is not None or holds_scores(frame[v])):
            return cls(d, m, r, f, w, (v,), "long", x)
        return replace(cls._without_value(frame, d, m, r, f, w, rest, resampling), factors=x)

    @classmethod
    def _without_value(
        cls, frame: pd.DataFrame, d: str, m: str | None, r: str | None, f: str | None, w: str | None,
        rest: tuple[str, ...], resampling: str | None,
    ) -> ScoreColumns:  # fmt: skip
        if m is None and rest:
            again = frame.duplicated([c for c in (d, w) if c])
            if r is None and f is None and again.any():
                twice = frame.loc[again, d].iloc[0]
                raise InputError(
                    f"each data set must have one row, but {twice!r} has several; "
                    f"columns found: {show_columns(frame)}; "
                    "name the column that numbers them, as in read_scores(path, repeat='…')"
                )
            return cls(d, None, r, f, w, rest, "wide")
        measures = tuple(c for c in rest if is_known_measure(c))
        if m is not None and measures:
            return cls(d, m, r, f, None, measures, "a column per measure")
        if m is not None and len(rest) > 1 and r is None and f is None and (resampling or _are_numbered(rest)):
            return cls(d, m, None, None, None, rest, "a column per fold")
        raise InputError(
            f"the shape of this table can't be made out; columns found: {show_columns(frame)}; try "
            f"read_scores(path, dataset={d!r}, method={m or '…'!r}, value='…', fold='…'), "
            "or resampling='10x10-fold' where each column is a fold"
        )


def known_measures() -> set[str]:
    return {n for known in names() for n in (known, *get(known).aliases)}


def is_known_measure(measure: str) -> bool:
    return measure.lower() in known_measures()


def _are_numbered(titles: Sequence[str]) -> bool:
    """s0, s1, …; fold 1, fold 2, …; 0, 1, …: one word and a number.

    >>> _are_numbered(["s0", "s1", "s10"]), _are_numbered(["kappa", "mcc"])
    (True, False)
    """
    found = [re.fullmatch(r"(.*?)\d+", t) for t in titles]
    return all(found) and len({f[1] for f in found if f}) == 1


def _factors(frame: pd.DataFrame, others: Sequence[str]) -> tuple[str, ...]:
    """Columns called as factors are, where scores can't be told apart without them: else they only describe."""
    return tuple(c for c in frame.columns if c in FACTORS and c not in others) if frame.duplicated(others).any() else ()


def _first_text(frame: pd.DataFrame) -> str | None:
    first = frame.columns[0]
    return None if mostly_numbers(frame[first]) else str(first)


def refuse_text(frame: pd.DataFrame, columns: ScoreColumns, methods: Sequence[str] | None, source: str) -> None:
    """Scores that are text are no failed runs: they are named, unless their method is left out anyway."""
    asked = None if methods is None else set(methods)
    if columns.method is not None and asked is not None:
        frame = frame[frame[columns.method].astype(str).isin(asked)]
    wide = columns.kind == "wide"
    cells = []
    for title in columns.values:
        if wide and asked is not None and title not in asked:
            continue
        strange = text_cells(frame[title])
        for row in np.flatnonzero(strange):
            place = frame[columns.dataset].iloc[row]
            by = title if columns.method is None else frame[columns.method].iloc[row]
            where = f"{place}, {by}" if wide or columns.kind == "long" else f"{place}, {by}, {title}"
            cells.append((where, str(frame[title].iloc[row])))
    refuse_cells(source, cells)


def long_form(frame: pd.DataFrame, columns: ScoreColumns, measure: str, resampling: str | None) -> pd.DataFrame:
    """The table as dataset, method, factors, repeat, fold, measure, value; one row per score."""
    import pandas as pd

    ids = [c for c in (columns.dataset, columns.method, columns.repeat, columns.fold, columns.measure) if c]
    ids += columns.factors
    if columns.kind == "long":
        long = frame.rename(columns={columns.values[0]: "value"})[[*ids, "value"]].copy()
    else:
        long = frame.melt(id_vars=ids, value_vars=list(columns.values), var_name="column", value_name="value")
    made = pd.DataFrame({
        "dataset": long[columns.dataset].astype(str),
        "method": long[columns.method or "column"].astype(str),
        **{name: _levels(long[name]) for name in columns.factors},
        "repeat": _numbers(long, columns.repeat),
        "fold": _numbers(long, columns.fold),
        "measure": measure,
        "value": pd.to_numeric(long["value"], errors="coerce").astype(float),
    })  # fmt: skip
    for told in ("n_train", "n_test", "status"):
        if columns.kind == "long" and told in frame.columns:
            made[told] = frame[told].to_numpy()
    if columns.measure is not None:
        made["measure"] = long[columns.measure].astype(str)
    elif columns.kind == "a column per measure":
        made["measure"] = long["column"].astype(str)
    elif columns.kind == "a column per fold":
        position = long["column"].map({c: i for i, c in enumerate(columns.values)})
        per_repeat = (parse(resampling).dependence().folds if resampling else 0) or len(columns.values)
        made["repeat"], made["fold"] = position // per_repeat, position % per_repeat
    return made


def _levels(column: pd.Series) -> pd.Series:
    """Levels as numbers; those that a factor can't have are refused."""
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    strange = column[numbers.isna()]
    if len(strange):
        raise InputError(
            f"levels of {column.name} must be numbers, got {strange.iloc[0]!r}; fill in or remove such rows"
        )
    FACTORS[str(column.name)](levels_in(numbers))
    return numbers


def levels_in(column: pd.Series) -> tuple[Level, ...]:
    """The levels of a factor that a column holds, in rising order; whole ones as whole numbers.

    >>> import pandas as pd
    >>> levels_in(pd.Series([100.0, 0.5, 100.0]))
    (0.5, 100)
    """
    return tuple(int(v) if float(v).is_integer() else float(v) for v in sorted(column.unique()))


def _numbers(long: pd.DataFrame, column: str | None) -> Any:
    """Repeats and folds as whole numbers, in their own order where they are numbers, else as they come."""
    import pandas as pd

    if column is None:
        return 0
    codes, _ = pd.factorize(long[column], sort=True)
    return codes
