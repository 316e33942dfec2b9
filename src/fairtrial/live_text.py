"""Text below a notebook's cell that changes in place, by what every kernel has: no widgets, no extension."""

from __future__ import annotations

import html
import importlib
import math
import sys
import time
from typing import Any

from fairtrial.words import visible_lines

STYLE = "margin: 0; padding: 0 .6em; white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere"

SECONDS = 0.3
"""The time after which a text may be replaced: more often than this nobody reads it."""


def in_notebook() -> bool:
    """Whether a notebook's kernel runs this program; IPython on a terminal has none."""
    if (ipython := sys.modules.get("IPython")) is None:
        return False
    return getattr(ipython.get_ipython(), "kernel", None) is not None


def in_session() -> bool:
    """Whether a person types what is run, line by line or cell by cell."""
    return hasattr(sys, "ps1") or in_notebook()


class LiveText:
    """One output of a cell, whose text is replaced by the next; what is saved with the notebook is the last one."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._shown = -math.inf

    @property
    def is_due(self) -> bool:
        """Whether the text has been there long enough to be replaced."""
        return time.monotonic() - self._shown >= SECONDS

    def show(self, text: str) -> None:
        """Show a text in place of the one before it."""
        self._shown = time.monotonic()
        clean = visible_lines(text)
        block = f'<pre style="{STYLE}">{html.escape(clean)}</pre>'
        output = {"text/plain": clean, "text/html": block}
        if self._handle is None:
            display = importlib.import_module("IPython.display").display
            self._handle = display(output, raw=True, display_id=True)
        else:
            self._handle.update(output, raw=True)
