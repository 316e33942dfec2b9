"""What a verdict that takes a while is doing, shown to a person who waits at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from threading import Lock, Timer
from typing import Any

__all__ = ["shown_steps", "step"]

PATIENCE = 1.5
"""So many seconds nothing is shown."""

_current: ContextVar[_Steps | None] = ContextVar("steps", default=None)


def step(text: str) -> None:
    """Say what is done next; it is shown if somebody waits and the work takes more than a moment."""
    if (steps := _current.get()) is not None:
        steps.change(text)


@contextmanager
def shown_steps() -> Iterator[None]:
    """Show the steps of what is done inside; steps within steps belong to the outer ones."""
    if _current.get() is not None or not sys.stderr.isatty():
        yield
        return
    with ExitStack() as stack:
        steps = _Steps(stack)
        token = _current.set(steps)
        try:
            yield
        finally:
            steps.stop()
            _current.reset(token)


class _Steps:
    """A line with a text that changes; it appears after a while, and is gone at the end."""

    def __init__(self, stack: ExitStack) -> None:
        self._text = ""
        self._status: Any = None
        self._stack = stack
        self._lock = Lock()
        self._timer = Timer(PATIENCE, self._appear)
        self._timer.daemon = True
        self._timer.start()

    def change(self, text: str) -> None:
        with self._lock:
            self._text = text
            if self._status is not None:
                self._status.update(_plain(text))

    def stop(self) -> None:
        """Show nothing from now on."""
        with self._lock:
            self._timer.cancel()
            self._stack.close()
            self._status = None

    def _appear(self) -> None:
        from rich.console import Console

        with self._lock:
            if not self._timer.finished.is_set():
                self._status = self._stack.enter_context(Console(stderr=True).status(_plain(self._text)))


def _plain(text: str) -> Any:
    """The text as it is: names of methods may look like rich's markup."""
    from rich.text import Text

    return Text(f"{text} …")
