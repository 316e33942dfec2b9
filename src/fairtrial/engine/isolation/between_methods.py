"""Isolation of trials in one process: what a method leaves behind is undone before the next method is tried.

The state of the process is set back (``process_state``), and attributes of libraries that were replaced are put back
(``library_patches``). A worker in which libraries were changed, or in which something can't be set back, is replaced
all the same: code that was imported meanwhile may have kept what it found.

A look takes a fifth of a millisecond, so short trials are looked after together, about twenty times a second. If
something was changed meanwhile, nobody knows by which of them, and all are performed again with a look after each.
A method's first trial in a process is looked after at once, and so is each trial of a method that changed something.
Private modules of libraries and the code of functions are compared then, too, and otherwise now and then, since that
takes twenty times as long; the classes of the methods themselves are compared in each look.

Standard streams that a method can't close: the next one needs them, and with ``workers=0`` the caller does.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from fairtrial.engine.isolation.library_patches import Libraries, classes_of, is_any, is_public
from fairtrial.engine.isolation.process_state import Aspect, ProcessState
from fairtrial.store import Record
from fairtrial.words import listed

LEFT_BEHIND = "LeftBehind: "  # the beginning of the note on a record, as the class of a warning is
SHARE_OF_ALL = 1 / 1000  # of the time, for comparing all modules


@dataclass(frozen=True, slots=True)
class Changes:
    """What a trial left behind: parts of the state that were set back, those that can't be, replaced attributes."""

    state: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    patched: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.state or self.patched)

    @property
    def are_lasting(self) -> bool:
        """Whether they may outlast that they were undone."""
        return bool(self.stuck or self.patched)

    def noted(self, record: Record, consequence: str) -> Record:
        """The record of the trial with a note on changes that last; its result stands, for its method made them."""
        if not self.are_lasting:
            return record
        text = f"{LEFT_BEHIND}changed {listed(sorted((*self.patched, *self.stuck)))}; {consequence}"
        return replace(record, warnings=(*record.warnings, (text, 1)))


class Isolation:
    """The state of this process before any trial, to which it is set back."""

    def __init__(self) -> None:
        self._state = ProcessState()
        self._public, self._all = Libraries(is_public), Libraries(is_any, deep=True)
        self._next = 0.0  # when all modules are compared again

    def watch(self, estimator: Any) -> None:
        """Watch the classes of a method that was loaded, and the modules that came with it."""
        for libraries in (self._public, self._all):
            libraries.add_new()
            libraries.add(classes_of(estimator))

    def undo(self, *, all_modules: bool = False) -> Changes:
        """Undo all that was changed since, and return what it was; compare all modules also if it is time for it."""
        patched = self._public.put_back()  # first: what was replaced may be needed for the rest
        state, stuck = self._state.set_back()
        begun = time.perf_counter()
        if all_modules or patched or begun > self._next:
            patched += [name for name in self._all.put_back() if name not in patched]
            now = time.perf_counter()
            self._next = now + (now - begun) / SHARE_OF_ALL
        return Changes(tuple(state), tuple(stuck), tuple(patched))

    def own_state(self) -> OwnState:
        """The state that loading a method has made: it is set back now, and set again for each trial of that method."""
        changed = self._state.differences()
        self._state.set_back()
        return OwnState(tuple((aspect, after) for aspect, _, after in changed))


@dataclass(frozen=True, slots=True)
class OwnState:
    """The parts of the state that the module of a method changed when it was imported."""

    parts: tuple[tuple[Aspect, Any], ...] = ()

    def set(self) -> None:
        for aspect, value in self.parts:
            aspect.set(value)


def left_behind(warnings: Iterable[tuple[str, int]]) -> list[str]:
    """The notes among the warnings of a record on what its trial left behind."""
    return [text.removeprefix(LEFT_BEHIND) for text, _ in warnings if text.startswith(LEFT_BEHIND)]


NAMES = ("stdin", "stdout", "stderr", "__stdin__", "__stdout__", "__stderr__")
INNER = ("buffer", "raw")  # whoever wraps these in a stream of his own closes them when that stream is gone


class Shielded:
    """A stream that is only flushed when it is closed or detached.

    >>> import io
    >>> inner = io.TextIOWrapper(io.BytesIO())
    >>> with Shielded(inner) as stream:
    ...     _ = stream.write("kept")
    >>> inner.closed, stream.detach().getvalue()
    (False, b'kept')
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._stream, name)
        return Shielded(found) if name in INNER else found

    def __iter__(self) -> Iterator[Any]:
        return iter(self._stream)

    def __enter__(self) -> Shielded:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stream.flush()

    def detach(self) -> Any:
        self.close()
        return self.buffer if hasattr(self._stream, "buffer") else self.raw


@contextmanager
def shielded() -> Iterator[None]:
    """A context in which nobody can close the standard streams of this process."""
    before = {name: getattr(sys, name) for name in NAMES}
    for name, stream in before.items():
        setattr(sys, name, None if stream is None else Shielded(stream))
    try:
        yield
    finally:
        for name, stream in before.items():
            setattr(sys, name, stream)
