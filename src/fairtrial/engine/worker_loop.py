"""A worker: a child process that performs trials, started by :mod:`fairtrial.worker`.

Messages from the parent are tuples that begin with a word:

- ``("path", sys.path)``: folders where the parent looks for modules;
- ``("conditions", cloudpickle bytes)``: the conditions of every trial;
- ``("data", number, dataset or its pickle)`` and ``("method", number, cloudpickle bytes)``: each sent once;
- ``("batch", splits, tasks)``: splits by number, and (key, dataset, method, split, levels) of the trials to perform.

The worker answers with ``("started", key)`` and ``("done", record, next key)`` for each trial, so that the parent knows
at any moment which trial is under way: the trial of the next key, if there is one, has been started as well. It sends
``("loading", key)`` before these if a method must first be loaded, which may import a large library and does not count
against the trial's time limit. End of file on the connection ends the worker.
"""

from __future__ import annotations

import gc
import os
import pickle
import socket
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import cloudpickle

from fairtrial.engine.perform import Bench, failed, perform
from fairtrial.engine.supplies import Conditions
from fairtrial.engine.wire import Wire
from fairtrial.store import Record

__all__ = ["Worker", "serve"]

LONGEST_OUTPUT = 4000

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
        self.output = _Captured()

    def serve(self) -> None:
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
        started = False
        for task, following in zip(tasks, [*tasks[1:], None], strict=True):
            record = self.perform(task, splits[task[3]], started=started)
            started = following is not None and following[1:3] in self.benches
            self.wire.send("done", record, following[0] if following is not None and started else None)

    def perform(self, task: Task, split: Any, *, started: bool) -> Record:
        key, dataset, method, _, levels = task
        try:
            bench = self.bench(dataset, method, key)
            if not started:
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
                self.methods[method] = cloudpickle.loads(self.pickles[method])
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


class _Captured:
    """A file without a name for all that this process prints, also from C code; read after each trial."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open for the life of the process
        self._streams = sys.stdout, sys.stderr
        for descriptor in (1, 2):
            os.dup2(self._file.fileno(), descriptor)

    def taken(self) -> str:
        sys.stdout, sys.stderr = self._streams  # a method may have replaced them
        with suppress(ValueError):  # or closed them
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
