"""Cells of numbers taken apart, so that renderers can line up their decimal points.

Names of any length made fit to be shown: long ones lose their middle, and those that differ stay different.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from fairtrial.tables.table import Marked, PlusMinus
from fairtrial.words import LONGEST_SHOWN, shortened

PLUS_MINUS, COMMA = " ± ", ", "
LEADS = ("★ ",)
"""Signs that may stand before a number."""

NUMBER = re.compile(r"([<>≤≥]?) ?([+−]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written: comparator, sign, whole part, and decimals without the point."""

    comparator: str
    sign: str
    whole: str
    decimals: str

    @property
    def before(self) -> str:
        """All that stands before the decimal point."""
        return self.comparator + self.sign + self.whole

    @property
    def after(self) -> str:
        """The decimal point and all that follows it; empty in a whole number."""
        return f".{self.decimals}" if self.decimals else ""


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A cell with one number, or with two of an interval or of a value and its uncertainty.

    ``between`` stands between the two numbers, ``lead`` before all, and ``tail`` behind all: brackets, a mark.
    """

    numbers: tuple[Number, ...]
    between: str = ""
    lead: str = ""
    tail: str = ""


def number_cell(value: object, text: str) -> NumberCell | None:
    """The parts of a cell that was written as ``text``; None if it is not written as a number.

    >>> cell = number_cell(Marked(PlusMinus(93.9, 1.9), "*"), "93.9 ± 1.9*")
    >>> [number.before for number in cell.numbers], cell.between, cell.tail
    (['93', '1'], ' ± ', '*')
    """
    tail = _tail(value)
    if not text.endswith(tail):
        return None
    lead = next((sign for sign in LEADS if text.startswith(sign)), "")
    bare = text.removeprefix(lead).removesuffix(tail)
    between = next((sign for sign in (PLUS_MINUS, COMMA) if sign in bare), "")
    found = [NUMBER.fullmatch(part) for part in (bare.split(between) if between else [bare])]
    if len(found) > 2 or None in found:
        return None
    return NumberCell(tuple(Number(*match.groups("")) for match in found if match), between, lead, tail)


def _tail(value: object) -> str:
    """What stands behind the numbers of a cell: brackets and a mark."""
    if isinstance(value, Marked):
        return "" if value.text else _tail(value.value) + value.mark
    return f" ({value.beside})" if isinstance(value, PlusMinus) and value.beside else ""


LONG_WORD = re.compile(rf"\S{{{LONGEST_SHOWN + 1},}}")
LONGEST_CELL = 1000
"""A cell or a title with more characters is cut, also where it consists of many words."""


class ShortNames:
    """A function that cuts the names of one document, each always in the same way.

    >>> short = ShortNames()
    >>> short("forest"), short("x" * 500 + "." * 499) == short("x" * 499 + "." * 500)
    ('forest', False)
    """

    def __init__(self) -> None:
        self._short: dict[str, str] = {}
        self._times: Counter[str] = Counter()

    def __call__(self, name: str) -> str:
        """The text of a cell or of a title: its long words cut, and the whole, if it is still too long."""
        return self._cut(self.in_sentence(name), LONGEST_CELL)

    def in_sentence(self, text: str) -> str:
        """A text of any length with its long words cut."""
        if len(text) <= LONGEST_SHOWN:
            return text
        return LONG_WORD.sub(lambda word: self._cut(word[0], LONGEST_SHOWN), text)

    def _cut(self, text: str, most: int) -> str:
        if len(text) <= most:
            return text
        if text not in self._short:
            short = shortened(text, most)
            self._times[short] += 1
            self._short[text] = short if self._times[short] == 1 else f"{short} (no. {self._times[short]})"
        return self._short[text]
