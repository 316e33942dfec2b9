"""Sizes of figures in a paper: one column or the whole page, with text as large as everywhere else; and captions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from fairtrial.choices import FIGURE_SIZES, FigureSize
from fairtrial.errors import UnknownName


class Paper(NamedTuple):
    """The room that a figure has: its width in inches, the longest name, and whether a legend has room beside."""

    width: float
    longest_name: int
    narrow: bool


PAPERS: dict[FigureSize, Paper] = {"column": Paper(3.4, 20, narrow=True), "page": Paper(7.0, 30, narrow=False)}

_caption: ContextVar[bool] = ContextVar("caption", default=True)
_paper: ContextVar[Paper | None] = ContextVar("paper", default=None)


def paper() -> Paper | None:
    """The paper that figures are drawn for at present; None if each has the size that fits it."""
    return _paper.get()


@contextmanager
def on_paper(size: FigureSize | None) -> Iterator[None]:
    """Draw all figures for this size of paper; None leaves to each the size that fits it.

    >>> with on_paper("column"):
    ...     paper().width
    3.4
    >>> paper() is None
    True
    """
    if size is not None and size not in FIGURE_SIZES:
        raise UnknownName.among("size of figures", size, FIGURE_SIZES)
    before = _paper.set(None if size is None else PAPERS[size])
    try:
        yield
    finally:
        _paper.reset(before)


def has_caption() -> bool:
    """Whether titles and remarks are written into figures at present."""
    return _caption.get()


@contextmanager
def without_caption(left_out: bool = True) -> Iterator[None]:
    """Draw figures without title and remarks, which stand beside them: below them in a report, or in a paper."""
    before = _caption.set(_caption.get() and not left_out)
    try:
        yield
    finally:
        _caption.reset(before)
