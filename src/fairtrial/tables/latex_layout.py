r"""How a table is fitted to a page: font, titles in lines or upright, texts in lines, and parts one below the other.

Widths are estimated for Computer Modern. What is estimated too narrow is shrunk by LaTeX itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from fairtrial.choices import PaperWidth
from fairtrial.errors import UnknownName
from fairtrial.tables.latex_columns import TexColumn, header_lines
from fairtrial.tables.latex_text import text_width
from fairtrial.words import is_one_of

Titles = Literal["line", "wrapped", "upright"]
SIZES = {"normalsize": (10.0, 12.0), "small": (9.25, 11.0), "footnotesize": (8.5, 9.5), "scriptsize": (8.0, 8.5)}
"""The em and the height of a line, in points, of each font size at 10 points."""

LEAST_TEXT = 7.0
"""Texts are not broken into lines of less than this many em, unless all are shorter."""

HEIGHT_OF_UPRIGHT_TITLES = 9.0  # em
SMALLEST = 0.8
"""The share of its width to which LaTeX may shrink a table in the smallest font, before it is cut into parts."""

STUB = 0.4
"""The share of the width that the first columns may take in a table of several parts, where they are repeated."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A way to set a table: font, space between columns in points, titles, and whether texts are broken into lines."""

    font: str
    gap: float
    titles: Titles = "line"
    wraps: bool = False

    @property
    def em(self) -> float:
        """The em of its font, in points."""
        return SIZES[self.font][0]


@dataclass(frozen=True, slots=True)
class Page:
    """The room that a table has, in points of a document in 10 points, and the stages that are tried one by one."""

    width: float
    height: float
    environment: str
    stages: tuple[Stage, ...]


WIDE = (
    Stage("normalsize", 6),
    Stage("normalsize", 6, "wrapped"),
    Stage("small", 4, "wrapped", wraps=True),
    Stage("footnotesize", 3, "wrapped", wraps=True),
    Stage("footnotesize", 3, "upright", wraps=True),
)
NARROW = (
    Stage("small", 4),
    Stage("footnotesize", 3, "wrapped", wraps=True),
    Stage("scriptsize", 2.5, "wrapped", wraps=True),
    Stage("scriptsize", 2.5, "upright", wraps=True),
)
PAGES: dict[PaperWidth, Page] = {
    "text": Page(340, 460, "table", WIDE),
    "column": Page(226, 480, "table", NARROW),
    "page": Page(460, 480, "table*", WIDE),
}
"""A page with one column of text; a column of a paper in two columns; both of its columns."""

REPORT = Page(410, 560, "table", WIDE)


@dataclass(frozen=True, slots=True)
class Part:
    """Some columns of a table, by their numbers, and the widths in em of those whose texts are broken into lines."""

    columns: tuple[int, ...]
    widths: dict[int, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """A stage, and the parts of the table, which stand one below the other; ``width`` is that of the widest."""

    stage: Stage
    parts: tuple[Part, ...]
    width: float


def page_called(name: PaperWidth) -> Page:
    """The page of that name.

    >>> page_called("column").environment
    'table'
    """
    if not is_one_of(name, PAGES):
        raise UnknownName.among("width", name, PAGES)
    return PAGES[name]


def lay_out(columns: Sequence[TexColumn], page: Page) -> Layout:
    """The layout in one part with the largest font, also if it is shrunk a little; else the one with the fewest."""
    layouts = [_at(stage, columns, page.width) for stage in page.stages]
    shrunk = _at(Stage("scriptsize", 2, "wrapped", wraps=True), columns, page.width / SMALLEST)
    whole = [layout for layout in (*layouts, replace(shrunk, width=page.width)) if len(layout.parts) == 1]
    return whole[0] if whole else min(layouts, key=lambda layout: len(layout.parts))  # the first of the smallest


def _at(stage: Stage, columns: Sequence[TexColumn], target: float) -> Layout:
    natural = [_width(column, stage, column.body_width()) for column in columns]
    least = [_least(column, stage, wide) for column, wide in zip(columns, natural, strict=True)]
    parts = tuple(_part(chosen, columns, natural, least, stage, target)
                  for chosen in _chosen(columns, natural, least, stage, target))  # fmt: skip
    parts = _alike(parts, len(_stub(columns)))
    widths = [_total([part.widths.get(j, natural[j]) for j in part.columns], stage) for part in parts]
    return Layout(stage, parts, max(widths, default=0.0))


def _width(column: TexColumn, stage: Stage, body: float) -> float:
    """The width of a column in em, with its title."""
    return max(body, _title_width(column, stage, body))


def _title_width(column: TexColumn, stage: Stage, body: float) -> float:
    title = column.column.title
    if stage.titles == "line":
        return text_width(title)
    wrapped = max(map(text_width, header_lines(title, body)), default=0.0)
    if stage.titles == "upright" and wrapped > body and not column.is_wrappable:
        return min(wrapped, 1.3 * len(header_lines(title, HEIGHT_OF_UPRIGHT_TITLES)))
    return wrapped


def _least(column: TexColumn, stage: Stage, natural: float) -> float:
    """The least width of a column, which is its natural one where nothing can be broken into lines."""
    if not (stage.wraps and column.is_wrappable):
        return natural
    body = min(column.body_width(), max(column.narrowest(), LEAST_TEXT))
    return _width(column, stage, body)


def _total(widths: Sequence[float], stage: Stage) -> float:
    """The width in points of columns with the space between them."""
    return stage.em * sum(widths) + 2 * stage.gap * max(len(widths) - 1, 0)


def _chosen(
    columns: Sequence[TexColumn], natural: Sequence[float], least: Sequence[float], stage: Stage, target: float
) -> list[tuple[int, ...]]:
    """The columns of each part: all in one if they fit; else the first columns of text, and some of the others."""
    everything = tuple(range(len(columns)))
    stub = _stub(columns)
    if _total(least, stage) <= target or len(stub) == len(columns):
        return [everything]
    narrow, wide = (_total([widths[j] for j in stub], stage) for widths in (least, natural))
    sizes = [stage.em * width + 2 * stage.gap for width in least]
    tried = (_packed(_units(columns, len(stub)), sizes, target - max(narrow, taken))
             for taken in (min(wide, STUB * target), narrow))  # fmt: skip
    return [(*stub, *part) for part in min(tried, key=len)]


def _stub(columns: Sequence[TexColumn]) -> tuple[int, ...]:
    """The columns that name the rows: those of text before the first one of numbers, or the first column."""
    first = next((j for j, column in enumerate(columns) if not column.is_wrappable), len(columns))
    return tuple(range(max(first, min(1, len(columns)))))


def _units(columns: Sequence[TexColumn], start: int) -> list[list[int]]:
    """The columns that should stay together: neighbours of one group, else each by itself."""
    numbered = list(enumerate(columns))[start:]
    found = [(group, [j for j, _ in members]) for group, members in groupby(numbered, lambda one: one[1].column.group)]
    return [unit for group, members in found for unit in ([members] if group else [[j] for j in members])]


def _packed(units: Sequence[Sequence[int]], sizes: Sequence[float], room: float) -> list[list[int]]:
    """Units in as few parts as possible, about equally large; a unit that is too large for a part is taken apart."""
    small = [piece for unit in units for piece in ([unit] if _size(unit, sizes) <= room else [[j] for j in unit])]
    count = len(_filled(small, sizes, room))
    even = sum(_size(unit, sizes) for unit in small) / count
    widest = max(_size(unit, sizes) for unit in small)
    for limit in (even + widest * share / 4 for share in range(5)):
        parts = _filled(small, sizes, min(limit, room))
        if len(parts) <= count:
            return parts
    return _filled(small, sizes, room)


def _size(unit: Sequence[int], sizes: Sequence[float]) -> float:
    return sum(sizes[j] for j in unit)


def _filled(units: Sequence[Sequence[int]], sizes: Sequence[float], room: float) -> list[list[int]]:
    """Units put into parts one after the other; each part is filled as far as possible."""
    parts: list[list[int]] = []
    for unit in units:
        if parts and _size([*parts[-1], *unit], sizes) <= room:
            parts[-1].extend(unit)
        else:
            parts.append(list(unit))
    return parts


def _part(
    chosen: tuple[int, ...], columns: Sequence[TexColumn], natural: Sequence[float], least: Sequence[float],
    stage: Stage, target: float,
) -> Part:  # fmt: skip
    """A part whose columns of text are as wide as the page allows, with one limit for all of them."""
    if _total([natural[j] for j in chosen], stage) <= target:
        return Part(chosen, {})
    limit = _limit([natural[j] for j in chosen], [least[j] for j in chosen], stage, target)
    cut = {j: max(least[j], limit) for j in chosen if columns[j].is_wrappable and max(least[j], limit) < natural[j]}
    return Part(chosen, cut)


def _alike(parts: tuple[Part, ...], stub: int) -> tuple[Part, ...]:
    """The parts with equal widths of the first columns, which they share."""
    least = {j: min(part.widths[j] for part in parts if j in part.widths)
             for j in range(stub) if any(j in part.widths for part in parts)}  # fmt: skip
    return tuple(Part(part.columns, part.widths | least) for part in parts)


def _limit(natural: Sequence[float], least: Sequence[float], stage: Stage, target: float) -> float:
    """The largest width in em that no text may exceed, so that all columns fit; found by halving."""
    low, high = 0.0, max(natural)
    for _ in range(30):
        middle = (low + high) / 2
        fits = _total([min(n, max(a, middle)) for n, a in zip(natural, least, strict=True)], stage) <= target
        low, high = (middle, high) if fits else (low, middle)
    return math.floor(10 * low) / 10
