"""What a verdict or report that takes a while is doing, shown to a person who waits at a terminal or a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from threading import Lock, Timer
from typing import Any

from fairtrial.live_text import LiveText, in_notebook
from fairtrial.tables import formats

PATIENCE = 0.5
"""So many seconds nothing is shown."""

_current: ContextVar[_Steps | None] = ContextVar("steps", default=None)


def step(text: str) -> None:
    """Say what is done next; it is shown if somebody waits and the work takes more than a moment."""
    if (steps := _current.get()) is not None:
        steps.change(text)


@contextmanager
def shown_steps() -> Iterator[None]:
    """Show the steps of what is done inside; steps within steps belong to the outer ones."""
    display = _in_cell if in_notebook() else _on_terminal if sys.stderr.isatty() else None
    if _current.get() is not None or display is None:
        yield
        return
    with ExitStack() as stack:
        steps = _Steps(stack, display)
        token = _current.set(steps)
        try:
            yield
        finally:
            steps.stop()
            _current.reset(token)


Display = Callable[[str], AbstractContextManager[Callable[[str], None]]]
"""A function that shows a text and gives the function that changes it."""


class _Steps:
    """A line with a text that changes; it appears after a while."""

    def __init__(self, stack: ExitStack, display: Display) -> None:
        self._text = ""
        self._change: Callable[[str], None] | None = None
        self._stack, self._display = stack, display
        self._lock = Lock()
        self._timer = Timer(PATIENCE, self._appear)
        self._timer.daemon = True
        self._timer.start()

    def change(self, text: str) -> None:
        with self._lock:
            self._text = text
            if self._change is not None:
                self._change(text)

    def stop(self) -> None:
        """Show nothing from now on."""
        with self._lock:
            self._timer.cancel()
            self._stack.close()
            self._change = None

    def _appear(self) -> None:
        with self._lock:
            if not self._timer.finished.is_set():
                self._change = self._stack.enter_context(self._display(self._text))


@contextmanager
def _on_terminal(text: str) -> Iterator[Callable[[str], None]]:
    """A line that is gone at the end."""
    from rich.console import Console

    with Console(stderr=True).status(_plain(text)) as status:
        yield lambda text: status.update(_plain(text))


@contextmanager
def _in_cell(text: str) -> Iterator[Callable[[str], None]]:
    """A line below a notebook's cell, which says at the end how long it took."""
    live, begun = LiveText(), time.monotonic() - PATIENCE
    live.show(f"{text} …")
    yield lambda text: live.show(f"{text} …")
    live.show(f"done in {formats.duration(time.monotonic() - begun)}")


def _plain(text: str) -> Any:
    """The text as it is: names of methods may look like rich's markup."""
    from rich.text import Text

    return Text(f"{text} …")
