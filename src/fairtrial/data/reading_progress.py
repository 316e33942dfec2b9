"""Progress of reading a large file, on a terminal or below a notebook's cell."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from fairtrial.live_text import LiveText, in_notebook

PATIENCE = 1.5
"""So many seconds nothing is shown."""


@contextmanager
def watched(content: bytes, name: str) -> Iterator[io.BufferedIOBase]:
    """The content as a file; how much of it was read is shown to a person, if that takes more than a moment."""
    display = _cell_line if in_notebook() else _bar if sys.stderr.isatty() else None
    if display is None:
        yield io.BytesIO(content)
        return
    with ExitStack() as stack:
        yield _Watched(content, lambda: stack.enter_context(display(name, len(content))))


class _Watched(io.BytesIO):
    """Bytes that say how many of them were read."""

    def __init__(self, content: bytes, begin: Callable[[], Callable[[int], None]]) -> None:
        super().__init__(content)
        self._begun = time.monotonic()
        self._begin = begin
        self._show: Callable[[int], None] | None = None

    def read(self, size: int | None = -1, /) -> bytes:
        self._tell()
        return super().read(size)

    def read1(self, size: int | None = -1, /) -> bytes:
        self._tell()
        return super().read1(size)

    def _tell(self) -> None:
        if self._show is None and time.monotonic() - self._begun > PATIENCE:
            self._show = self._begin()
        if self._show is not None:
            self._show(self.tell())


@contextmanager
def _bar(name: str, size: int) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal, gone when all is read."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(f"reading {name}", total=size)
        yield lambda read: progress.update(task, completed=read)


@contextmanager
def _cell_line(name: str, size: int) -> Iterator[Callable[[int], None]]:
    """A line below a notebook's cell, whose last text is that all was read."""
    live = LiveText()

    def show(read: int) -> None:
        if live.is_due:
            live.show(f"reading {name}: {100 * read // size} % of {size / 1e6:.1f} MB")

    yield show
    live.show(f"{name}: {size / 1e6:.1f} MB read")
