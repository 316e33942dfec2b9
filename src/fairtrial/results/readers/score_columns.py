"""The shape of a table of scores, found from the titles of its columns and from their contents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.design import FACTORS
from fairtrial.errors import InputError
from fairtrial.results.prediction_source import COLUMNS
from fairtrial.results.readers.read_table import ROLES, SEEDS, check_names, check_roles, column_for, show_columns
from fairtrial.results.readers.request import Request
from fairtrial.results.readers.score_shapes import (
    FoldColumns,
    LongShape,
    MeasureColumns,
    MethodColumns,
    Places,
    ScoreShape,
)
from fairtrial.results.readers.text_cells import holds_scores, mostly_numbers
from fairtrial.results.score_measures import is_known_measure

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["find_shape"]


def find_shape(frame: pd.DataFrame, request: Request, name: str = "the table") -> ScoreShape:
    """The shape of a table called ``name``, with the role of each column; the request may name columns."""
    places = _find_places(frame, request, name)
    d, m, r, f, w, x = (
        places.dataset, places.method, places.repeat, places.fold, places.measure, places.factors
    )  # fmt: skip
    x = x if places.replicate is None else (*x, places.replicate)
    rest = tuple(str(c) for c in frame.columns if c not in (d, m, r, f, w, *x) and _may_hold_scores(frame, c))
    others = [c for c in (d, m, f, w, *x) if c]
    if m is not None and r is not None and request.repeat is None and not frame.duplicated(others).any():
        places = replace(places, repeat=None)  # a seed, say: taken as a repeat it would leave holes
    check_names(frame, {"repeat": places.repeat}, name)
    asked, value = request.measure, request.value
    named = tuple(c for c in rest if asked is not None and c.lower() == asked.lower())
    if m is not None and value is None and w is None and named:
        return MeasureColumns(places, named)
    v = column_for(frame, "value", value, [c for c in (d, m, r, f, w, *x) if c])
    if m is not None and v is not None and (value is not None or holds_scores(frame[v])):
        return LongShape(places, (v,))
    return _shape_without_value(frame, places, rest, request.resampling)


def _find_places(frame: pd.DataFrame, request: Request, name: str) -> Places:
    given = [c for c in (request.dataset, request.method, request.repeat, request.fold, request.value) if c is not None]
    d = column_for(frame, "dataset", request.dataset, given) or _first_text(frame)
    if d is None:
        raise InputError(
            f"no column says which data set a score belongs to; columns found: {show_columns(frame)}; "
            "try read_scores(path, dataset='…', method='…', value='…')"
        )
    m = column_for(frame, "method", request.method, [d, *given])
    if m is None and request.dataset is None and d.lower() in ROLES["method"]:
        raise InputError(
            f"the rows of this table seem to be methods, since its first column is called {d!r}; transpose it, so that "
            f"data sets are rows and methods are columns, or say dataset={d!r} (--dataset) if its entries are data sets"
        )
    f = column_for(frame, "fold", request.fold, [d, *named(m), *given])
    w = column_for(frame, "measure", None, [d, *named(m), *given])
    r = column_for(frame, "repeat", request.repeat, [d, *named(m), *named(f), *given])
    roles = {"dataset": d, "method": m, "measure": w, "fold": f, "repeat": r}
    check_roles(roles | {"value": request.value})
    check_names(frame, roles | {"repeat": None}, name)
    s = _replicates(frame, [c for c in (d, m, r, f, w) if c]) if r is not None else None
    if m is None:
        return Places(d, m, r, f, w, replicate=s)
    return Places(d, m, r, f, w, _factors(frame, [c for c in (d, m, s, r, f, w) if c]), s)


def _replicates(frame: pd.DataFrame, others: Sequence[str]) -> str | None:
    """The column of replicates beside repeats: that of an export, or seeds that are needed to tell scores apart."""
    if "replicate" in frame.columns and "replicate" not in others:
        return "replicate"
    seed = next((str(c) for c in frame.columns if str(c).lower() in SEEDS and c not in others), None)
    return seed if seed is not None and frame.duplicated(list(others)).any() else None


def _may_hold_scores(frame: pd.DataFrame, column: str) -> bool:
    return str(column).lower() not in SEEDS and holds_scores(frame[column])


def named(column: str | None) -> list[str]:
    """The column as a list, which is empty where there is none."""
    return [] if column is None else [column]


def _shape_without_value(
    frame: pd.DataFrame, places: Places, rest: tuple[str, ...], resampling: str | None
) -> ScoreShape:
    """The shape of a table in which no one column has all scores; ``rest`` are the columns that hold some."""
    d, m, r, f = places.dataset, places.method, places.repeat, places.fold
    if m is None and rest:
        again = frame.duplicated([c for c in (d, places.measure) if c])
        if r is None and f is None and again.any():
            twice = frame.loc[again, d].iloc[0]
            raise InputError(
                f"each data set must have one row, but {twice!r} has several; "
                f"columns found: {show_columns(frame)}; "
                "name the column that numbers them, as in read_scores(path, repeat='…')"
            )
        read = {*places.titles(), *rest}
        return MethodColumns(places, rest, unread=tuple(str(c) for c in frame.columns if c not in read))
    measures = tuple(c for c in rest if is_known_measure(c))
    if m is not None and measures:
        used = {*replace(places, measure=None).titles(), *measures}
        others = (str(c) for c in frame.columns if c not in used and (c in rest or is_known_measure(str(c))))
        return MeasureColumns(replace(places, measure=None), measures, unread=tuple(others))
    if m is not None and len(rest) > 1 and r is None and f is None and (resampling or _are_numbered(rest)):
        used = {*places.titles(), *rest}
        unread = tuple(str(c) for c in frame.columns if c not in used)
        return FoldColumns(replace(places, measure=None), rest, resampling, unread=unread)
    raise InputError(
        f"the shape of this table is unknown; columns found: {show_columns(frame)}; try "
        f"read_scores(path, dataset={d!r}, method={m or '…'!r}, value='…', fold='…'), "
        "or resampling='10x10-fold' where each column is a fold"
    )


def _are_numbered(titles: Sequence[str]) -> bool:
    """Whether titles are one word and a number: s0, s1, …; fold 1, fold 2, …; 0, 1, ….

    >>> _are_numbered(["s0", "s1", "s10"]), _are_numbered(["kappa", "mcc"])
    (True, False)
    """
    found = [re.fullmatch(r"(.*?)\d+", t) for t in titles]
    return all(found) and len({f[1] for f in found if f}) == 1


def _factors(frame: pd.DataFrame, others: Sequence[str]) -> tuple[str, ...]:
    """The columns that hold levels of factors: called like a factor, and needed to tell scores apart.

    In a table that fairtrial exported, the columns between method and replicate are factors, whatever their names.
    """
    titles = [str(c) for c in frame.columns]
    if set(COLUMNS) <= set(titles):
        between = titles[titles.index("method") + 1 : titles.index("replicate")]
        return tuple(c for c in between if c not in others)
    called = tuple(c for c in titles if c in FACTORS and c not in others)
    return called if called and frame.duplicated(others).any() else ()


def _first_text(frame: pd.DataFrame) -> str | None:
    first = frame.columns[0]
    return None if mostly_numbers(frame[first]) else str(first)
