"""The columns of a published table that stand beside its scores: uncertainties and signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairtrial.errors import InputError
from fairtrial.results.published import SPREAD_TITLES, Cell, Published
from fairtrial.results.readers.read_table import ROLES, column_for
from fairtrial.results.readers.score_shapes import LongShape, MeasureColumns, ScoreShape
from fairtrial.words import quoted

if TYPE_CHECKING:
    import pandas as pd


def published_beside(frame: pd.DataFrame, shape: ScoreShape, sign: str | None) -> Published:
    """The uncertainties and signs of a table with a row for each score; ``sign`` may name the column of signs."""
    marks = column_for(frame, "sign", sign)
    titles = [c for c in frame.columns if str(c).lower() in SPREAD_TITLES]
    if not isinstance(shape, (LongShape, MeasureColumns)) or len(shape.values) > 1 or not (titles or marks):
        return Published()
    if len(titles) > 1:
        raise InputError(f"a table must have one column of uncertainties, but it has {quoted(titles)}; keep one")
    cells = _cells(frame, shape)
    spreads = _spreads(frame, cells, titles[0]) if titles else {}
    signs = {} if marks is None else {c: s for c, s in zip(cells, _texts(frame[marks]), strict=True) if s}
    return Published(
        kind=SPREAD_TITLES[str(titles[0]).lower()] if titles else "none",
        spreads=spreads,
        signs=signs,
        title="" if marks is None or marks.lower() in ROLES["sign"] else marks,
    )


def _cells(frame: pd.DataFrame, shape: LongShape | MeasureColumns) -> list[Cell]:
    places = shape.places
    measures = [""] * len(frame) if places.measure is None else frame[places.measure].astype(str)
    return list(zip(frame[places.dataset].astype(str), frame[places.method].astype(str), measures, strict=True))


def _texts(column: pd.Series) -> list[str]:
    return [str(text).strip() for text in column.fillna("")]


def _spreads(frame: pd.DataFrame, cells: list[Cell], title: str) -> dict[Cell, float]:
    """The uncertainty of each score; several scores of one method on a data set have none that is published."""
    import pandas as pd

    numbers = pd.to_numeric(frame[title], errors="coerce")
    strange = frame[title][numbers.isna() & frame[title].notna()]
    if len(strange) or (numbers < 0).any():
        wrong = strange.iloc[0] if len(strange) else numbers.min()
        raise InputError(f"{title} must hold numbers from 0 on, or nothing, got {wrong!r}")
    if len(set(cells)) < len(cells):
        raise InputError(
            f"{title} is for published tables with one score of each method on each data set, but some have several; "
            "remove that column: uncertainties are then estimated from the scores"
        )
    return {cell: float(s) for cell, s in zip(cells, numbers, strict=True) if s == s}
