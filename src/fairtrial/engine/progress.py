"""The progress of a run: a bar on a terminal, a line that changes in place in a notebook, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from fairtrial.live_text import LiveText, in_notebook
from fairtrial.tables import formats
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.store import Record

LINE_SECONDS = 10.0
BAR_SECONDS = 0.1


class Progress(Protocol):
    """A display of the run. It hears of each record and of all else that happens, and is drawn when it is ticked."""

    def start(self, total: int, already: int, headline: str, notices: Sequence[str] = ()) -> None: ...

    def record(self, record: Record, label: str) -> None: ...

    def again(self, n: int, text: str) -> None: ...

    def say(self, text: str) -> None: ...

    def tick(self) -> None: ...

    def stop(self) -> None: ...


def progress_for(wanted: bool, stream: TextIO | None = None) -> Progress:
    """The display that fits: a line of a notebook, a bar on a terminal, plain lines elsewhere, none if not wanted."""
    if not wanted:
        return Silent()
    if stream is None and in_notebook():
        return CellLine()
    stream = stream or sys.stderr
    return Bar() if stream.isatty() else Lines(stream)


class Silent:
    """A display that shows nothing."""

    def start(self, total: int, already: int, headline: str, notices: Sequence[str] = ()) -> None: ...

    def record(self, record: Record, label: str) -> None: ...

    def again(self, n: int, text: str) -> None: ...

    def say(self, text: str) -> None: ...

    def tick(self) -> None: ...

    def stop(self) -> None: ...


class Tally:
    """Counts of trials, with their rate, the time left and the last failure."""

    def __init__(self, total: int, already: int) -> None:
        self.total, self.already, self.done, self.failed = total, already, 0, 0
        self.performed = 0  # a trial that is run again counts each time
        self.began = time.monotonic()
        self.failure = ""
        self.phase = ""

    def again(self, n: int, text: str) -> None:
        """Take back ``n`` failed trials, which are run again."""
        self.done -= n
        self.failed -= n
        self.phase = text

    def add(self, record: Record, label: str) -> None:
        self.done += 1
        self.performed += 1
        if record.status == "failed":
            self.failed += 1
            self.failure = f"{label}: {(record.error or '').split(chr(10))[0]}"

    def text(self) -> str:
        """The text beside the bar."""
        spent = time.monotonic() - self.began
        rate = self.performed / spent if spent > 0 else 0.0
        finished = self.already + self.done
        parts = [f"{formats.count(finished)}/{formats.count(self.total)}", f"{rate:.3g}/s"]
        if rate and finished < self.total:
            parts.append(f"{formats.duration((self.total - finished) / rate)} left")
        parts += self._failures()
        if self.phase:
            parts.append(self.phase)
        return "  ".join(parts)

    def last_text(self) -> str:
        """What is left to read when the run has ended."""
        finished, spent = self.already + self.done, formats.duration(time.monotonic() - self.began)
        all_done = finished == self.total
        end = f"done in {spent}" if all_done else f"stopped at {formats.count(finished)} after {spent}"
        return ", ".join([end, *self._failures()])

    def _failures(self) -> list[str]:
        return [f"{formats.count(self.failed)} failed ({self.failure[:80]})"] if self.failed else []


class Lines:
    """A line at the start, every ten seconds and at the end."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def start(self, total: int, already: int, headline: str, notices: Sequence[str] = ()) -> None:
        self.tally = Tally(total, already)
        self.shown = time.monotonic()
        for line in _header(headline, already, notices):
            self.say(line)

    def record(self, record: Record, label: str) -> None:
        self.tally.add(record, label)

    def again(self, n: int, text: str) -> None:
        self.say(f"{self.tally.text()}; {text}, for {plural(n, 'failed trial')}")
        self.tally.again(n, text)

    def tick(self) -> None:
        if time.monotonic() - self.shown >= LINE_SECONDS:
            self.shown = time.monotonic()
            self.say(self.tally.text())

    def stop(self) -> None:
        if self.tally.performed:
            self.say(self.tally.text())

    def say(self, text: str) -> None:
        print(f"  {text}", file=self.stream, flush=True)


class CellLine:
    """One line below a notebook's cell, which changes in place and says how the run ended; notes stand above it."""

    def __init__(self) -> None:
        self.live = LiveText()
        self.notes: list[str] = []
        self.line = ""

    def start(self, total: int, already: int, headline: str, notices: Sequence[str] = ()) -> None:
        self.tally = Tally(total, already)
        self.headline, *notes = _header(headline, already, notices)
        self.notes += notes
        self._show(self.tally.text())

    def record(self, record: Record, label: str) -> None:
        self.tally.add(record, label)

    def again(self, n: int, text: str) -> None:
        self.tally.again(n, text)

    def say(self, text: str) -> None:
        self.notes.append(text)
        self.live.show("\n".join(filter(None, [*self.notes, self.line])))

    def tick(self) -> None:
        if self.live.is_due:
            self._show(self.tally.text())

    def stop(self) -> None:
        self._show(self.tally.last_text())

    def _show(self, text: str) -> None:
        self.line = f"{self.headline}: {text}"
        self.live.show("\n".join([*self.notes, self.line]))


class Bar:
    """A bar with rate, time left and failures, drawn by rich."""

    def start(self, total: int, already: int, headline: str, notices: Sequence[str] = ()) -> None:
        from rich.progress import BarColumn, Progress, TextColumn

        self.tally = Tally(total, already)
        for line in _header(headline, already, notices):
            self.say(line)
        columns: tuple[Any, ...] = (TextColumn(" "), BarColumn(), TextColumn("{task.fields[text]}", markup=False))
        self.progress = Progress(*columns, console=self.console, auto_refresh=False)
        self.progress.start()
        self.task = self.progress.add_task("", total=total, completed=already, text="")
        self.shown = 0.0

    @cached_property
    def console(self) -> Any:
        from rich.console import Console

        return Console(stderr=True)

    def record(self, record: Record, label: str) -> None:
        self.tally.add(record, label)

    def again(self, n: int, text: str) -> None:
        self.tally.again(n, text)

    def tick(self) -> None:
        if time.monotonic() - self.shown >= BAR_SECONDS:
            self.shown = time.monotonic()
            self._show()

    def say(self, text: str) -> None:
        self.console.print(f"  {text}", highlight=False, markup=False)

    def _show(self) -> None:
        completed = self.tally.already + self.tally.done
        self.progress.update(self.task, completed=completed, text=self.tally.text())
        self.progress.refresh()

    def stop(self) -> None:
        self._show()
        self.progress.stop()


def _header(headline: str, already: int, notices: Sequence[str]) -> list[str]:
    """The plan in one line, and a line for each thing to know before time is spent."""
    before = f"; {formats.count(already)} done before" if already else ""
    return [headline + before, *(f"note: {text}" for text in notices)]
