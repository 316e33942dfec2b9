"""Progress of reading a large file, on a terminal."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

__all__ = ["watched"]

PATIENCE = 1.5
"""So many seconds nothing is shown."""


@contextmanager
def watched(content: bytes, name: str) -> Iterator[io.BufferedIOBase]:
    """The content as a file; how much of it was read is shown on a terminal, if that takes more than a moment."""
    if not sys.stderr.isatty():
        yield io.BytesIO(content)
        return
    with ExitStack() as stack:
        yield _Watched(content, name, stack)


class _Watched(io.BytesIO):
    """Bytes that say how many of them were read."""

    def __init__(self, content: bytes, name: str, stack: ExitStack) -> None:
        super().__init__(content)
        self._size, self._name, self._stack = len(content), name, stack
        self._begun = time.monotonic()
        self._bar: Any = None

    def read(self, size: int | None = -1, /) -> bytes:
        self._show()
        return super().read(size)

    def read1(self, size: int | None = -1, /) -> bytes:
        self._show()
        return super().read1(size)

    def _show(self) -> None:
        if self._bar is None and time.monotonic() - self._begun > PATIENCE:
            self._bar = self._stack.enter_context(_bar())
            self._bar.add_task(f"reading {self._name}", total=self._size)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self.tell())


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
