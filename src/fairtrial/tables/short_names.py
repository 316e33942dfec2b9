"""Names of any length made fit to be shown: long ones lose their middle, and those that differ stay different."""

from __future__ import annotations

import re
from collections import Counter

from fairtrial.words import LONGEST_SHOWN, shortened

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
