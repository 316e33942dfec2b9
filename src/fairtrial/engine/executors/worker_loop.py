"""A worker: a child process that performs trials, started by :mod:`fairtrial.worker`.

Messages from the parent are tuples that begin with a word:

- ``("path", sys.path)``: folders where the parent looks for modules;
- ``("conditions", cloudpickle bytes)``: the conditions of every trial;
- ``("data", number, dataset or its pickle)`` and ``("method", number, cloudpickle bytes)``: each sent once;
- ``("batch", splits, tasks)``: splits by number, and (key, dataset, method, split, levels) of the trials to perform.

The worker sends ``("started", key)`` for each trial, so that the parent knows at any moment which one is under way, and
``("loading", key)`` before it if a method must first be loaded, which may import a large library and does not count
against the trial's time limit. ``("done", records)`` has the trials that ended since the last such message, in the
order in which they were given: records are held back until it is clear that no trial has disturbed another
(:mod:`fairtrial.engine.isolation`). ``("spoiled",)`` asks for another worker in its place, since a trial has left
something behind that can't be undone. End of file on the connection ends the worker.
"""

from __future__ import annotations

import functools
import gc
import os
import pickle
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import cloudpickle

from fairtrial.engine.executors.wire import Wire
from fairtrial.engine.isolation.between_methods import Changes, Isolation, OwnState, shielded
from fairtrial.engine.perform import Bench, failed, perform
from fairtrial.engine.supplies import Conditions
from fairtrial.store import Record

LONGEST_OUTPUT = 4000

HELD_SECONDS = 0.05  # that records may be held back; a look takes less than a hundredth of it
REPLACED = "its worker process was replaced"

Task = tuple[bytes, int, int, int, Mapping[str, Any]]


class Worker:
    """A worker with the data sets and methods that it was sent, by number."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.process = os.getpid()
        self.datasets: dict[int, Any] = {}
        self.pickles: dict[int, bytes] = {}
        self.methods: dict[int, Any] = {}
        self.benches: dict[tuple[int, int], Bench] = {}
        self.conditions = Conditions()
        self.trust: dict[int, bool] = {}  # whether a method that was tried here has changed nothing, by number
        self.own: dict[int, OwnState] = {}  # what loading a method changed: it belongs to its trials only
        self.output = _Captured()

    @functools.cached_property
    def isolation(self) -> Isolation:
        return Isolation()  # after ``sys.path`` was set, and before the first method is loaded

    def serve(self) -> None:
        with suppress(_Spoiled):
            while True:
                try:
                    messages = self.wire.receive()
                except (EOFError, OSError):
                    return
                for word, *content in messages:
                    getattr(self, f"on_{word}")(*content)

    def on_path(self, path: list[str]) -> None:
        sys.path[:] = path + [p for p in sys.path if p not in path]

    def on_conditions(self, pickled: bytes) -> None:
        self.conditions = cloudpickle.loads(pickled)
        if self.conditions.exact_memory:
            import memray  # noqa: F401 - now, so that the first trial is not charged for it

    def on_data(self, number: int, dataset: Any) -> None:
        self.datasets[number] = pickle.loads(dataset) if isinstance(dataset, bytes) else dataset

    def on_method(self, number: int, pickled: bytes) -> None:
        self.pickles[number] = pickled

    def on_batch(self, splits: dict[int, Any], tasks: list[Task]) -> None:
        """Perform trials. Those of methods that are not trusted yet are looked after one at a time."""
        held: list[tuple[Task, Record]] = []
        begun = time.monotonic()
        for task in tasks:
            trusted = self.trust.get(task[2], False)
            if held and (not trusted or time.monotonic() - begun > HELD_SECONDS):
                self.look(held, splits)
            if not held:
                begun = time.monotonic()
            held.append((task, self.perform(task, splits[task[3]])))
            if not trusted:
                self.release(held, self.isolation.undo(all_modules=True))
                held.clear()
        if held:
            self.look(held, splits)

    def look(self, held: list[tuple[Task, Record]], splits: dict[int, Any]) -> None:
        """Send the records that were held back if nothing was changed, or perform their trials again, one at a time."""
        changes = self.isolation.undo()
        if not changes:
            self.release(held, changes)
        for task, _ in held if changes else ():
            again = [(task, self.perform(task, splits[task[3]]))]
            self.release(again, self.isolation.undo(all_modules=True))
        if changes.are_lasting:
            self.spoil()  # none of these did it again, or one before them did it
        held.clear()

    def release(self, held: list[tuple[Task, Record]], changes: Changes) -> None:
        """Send records; a single one may have made changes, and its method is then not trusted."""
        for task, _ in held:
            self.trust[task[2]] = self.trust.get(task[2], True) and not changes
        self.wire.send("done", [changes.noted(record, REPLACED) for _, record in held])
        if changes.are_lasting:
            self.spoil()

    def spoil(self) -> None:
        """Ask for another worker."""
        self.wire.send("spoiled")
        raise _Spoiled

    def perform(self, task: Task, split: Any) -> Record:
        key, dataset, method, _, levels = task
        try:
            bench = self.bench(dataset, method, key)
            self.own[method].set()
            self.wire.send("started", key)
            record = perform(key, bench, split, levels, self.conditions)
        except BaseException as error:  # noqa: BLE001 - a method that can't be loaded fails only its own trials
            record = failed(key, error)
        self.end_copies()
        printed = self.output.taken()
        return replace(record, output=printed) if printed else record

    def bench(self, dataset: int, method: int, key: bytes) -> Bench:
        if (dataset, method) not in self.benches:
            self.wire.send("loading", key)
            if method not in self.methods:
                before = self.isolation
                self.methods[method] = cloudpickle.loads(self.pickles[method])
                self.own[method] = before.own_state()
                before.watch(self.methods[method].estimator)
            self.benches[dataset, method] = Bench(self.datasets[dataset], self.methods[method])
            self.end_copies()
            if len(self.benches) == 1:
                gc.freeze()  # imported modules stay: garbage collection need not look through them each time
        return self.benches[dataset, method]

    def end_copies(self) -> None:
        """End this process if it is a copy that a method's code made with ``os.fork`` and let run on.

        The copy would serve the same connection as the worker, and perform all of its trials again.
        """
        if os.getpid() != self.process:
            os._exit(0)


class _Spoiled(Exception):
    """A trial has left something behind that can't be undone: no more are performed here."""


class _Captured:
    """A file without a name for all that this process prints, also from C code; read after each trial."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open for the life of the process
        for descriptor in (1, 2):
            os.dup2(self._file.fileno(), descriptor)
        self._shield = shielded()  # for the life of the process
        self._shield.__enter__()
        self._streams = sys.stdout, sys.stderr

    def taken(self) -> str:
        sys.stdout, sys.stderr = self._streams  # a method may have replaced them
        with suppress(ValueError, OSError):  # or closed what is behind them
            sys.stdout.flush()
            sys.stderr.flush()
        size = os.fstat(self._file.fileno()).st_size
        if size == 0:
            return ""
        text = os.pread(self._file.fileno(), LONGEST_OUTPUT, 0).decode(errors="replace")
        os.ftruncate(self._file.fileno(), 0)
        os.lseek(self._file.fileno(), 0, os.SEEK_SET)
        return text if size <= LONGEST_OUTPUT else text + f"… ({size} bytes in all)"


def serve(descriptor: int) -> None:
    """Perform the trials that the parent sends on a connection, until it ends."""
    Worker(Wire(socket.socket(fileno=descriptor))).serve()
