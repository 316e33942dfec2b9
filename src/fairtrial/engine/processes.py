"""The local executor: one pool of our own child processes for the whole study.

A child that dies, hangs or eats too much memory costs the one trial that it had under way: that trial becomes a
failed record, the rest of its batch goes back into the queue, and a new child takes its place.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from fairtrial.design import Plan, Trial
from fairtrial.errors import WorkerError
from fairtrial.store import Record

__all__ = ["Limits", "Processes"]

BATCH_SECONDS = 0.05  # work per message: long enough to hide the exchange, short enough to balance the load
LOOK_SECONDS = 0.05  # how often deadlines and memory are looked at
MOST_BATCH = 200
LIGHT_ROWS = 10_000  # of 4 bytes each
MOST_IDLE_DEATHS = 3  # children in a row that die before they start a trial

LOADING_SECONDS = 60.0  # that a method's libraries may take to import, apart from any time limit
THREADS = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR")
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in THREADS} | {"VECLIB_MAXIMUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and bytes that one trial may use; None for no limit."""

    seconds: float | None = None
    bytes: int | None = None

    @property
    def any(self) -> bool:
        return self.seconds is not None or self.bytes is not None


@dataclass(eq=False, slots=True)
class _Child:
    """One worker process as the parent sees it."""

    process: subprocess.Popen[bytes]
    connection: Connection
    queue: deque[Trial] = field(default_factory=deque)
    queued_seconds: float = 0.0
    under_way: bytes | None = None
    since: float = 0.0
    sent_data: set[int] = field(default_factory=set)
    sent_methods: set[int] = field(default_factory=set)
    memory: Any = None

    def tell(self, *message: object) -> None:
        """Send a message; if the child is dead, hearing finds out and puts its work back."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send(message)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.connection.close()


class Processes:
    """Performs trials in child processes and hands each record to ``done`` as it comes."""

    def __init__(self, plan: Plan, pickles: Sequence[bytes], workers: int, limits: Limits) -> None:
        self.plan = plan
        self.pickles = pickles
        self.workers = workers
        self.limits = limits
        self.todo: deque[Trial] = deque()
        self.children: list[_Child] = []
        self.selector = selectors.DefaultSelector()
        self.looked = 0.0
        self.idle_deaths = 0
        self.cost: dict[tuple[int, int], float] = {}

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None:
        """Perform all trials. ``tick`` is called at least every 50 ms, for writing and for the progress bar."""
        self.todo.extend(trials)
        try:
            for _ in range(min(self.workers, len(self.todo))):
                self.children.append(self._start())
            while self.children:
                self._feed()
                for event, _ in self.selector.select(LOOK_SECONDS):
                    self._hear(event.data, done)
                self._look(done)
                tick()
                self._dismiss()
        finally:
            for child in self.children:
                child.kill()
            self.children.clear()
            self.selector.close()

    def _start(self) -> _Child:
        ours, theirs = Pipe()
        environment = {**os.environ, **ONE_THREAD}
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "fairtrial.engine.worker", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,  # Ctrl-C is the parent's business
            )
        except OSError as error:
            raise WorkerError(f"a worker process can't be started: {error}; try fewer workers") from error
        theirs.close()
        child = _Child(process, ours)
        self.selector.register(ours, selectors.EVENT_READ, child)
        child.tell("path", [str(Path.cwd()) if p == "" else p for p in sys.path])
        return child

    # Giving work

    def _feed(self) -> None:
        for child in self.children:
            while self.todo and self._wants_more(child):
                self._send(child)

    def _wants_more(self, child: _Child) -> bool:
        """An idle child does; a busy one, a little ahead, while its work is short and the message is light.

        Two processes that both wait for the other to read would wait for ever: so a busy child is only ever sent
        what fits into the connection's buffer.
        """
        if not child.queue:
            return True
        few = len(child.queue) < MOST_BATCH and child.queued_seconds < BATCH_SECONDS
        return few and self._is_light(child, self.todo[0])

    def _is_light(self, child: _Child, trial: Trial) -> bool:
        known = trial.dataset in child.sent_data and trial.method in child.sent_methods
        return known and self.plan.splits[trial.split].n <= LIGHT_ROWS

    def _send(self, child: _Child) -> None:
        batch: list[Trial] = []
        seconds = 0.0
        most = max(1, min(MOST_BATCH, len(self.todo) // (2 * len(self.children))))
        idle = not child.queue
        while self.todo and len(batch) < most and seconds < BATCH_SECONDS:
            if not idle and not self._is_light(child, self.todo[0]):
                break
            trial = self.todo.popleft()
            batch.append(trial)
            seconds += self.cost.get((trial.dataset, trial.method), BATCH_SECONDS)
            if not idle and len({t.split for t in batch}) * self.plan.splits[trial.split].n > LIGHT_ROWS:
                break
        child.queue.extend(batch)
        child.queued_seconds += seconds
        self._send_what_is_new(child, batch)
        splits = {t.split: self.plan.splits[t.split] for t in batch}
        child.tell("batch", splits, [(t.key, t.dataset, t.method, t.split) for t in batch])

    def _send_what_is_new(self, child: _Child, batch: list[Trial]) -> None:
        for trial in batch:
            if trial.dataset not in child.sent_data:
                child.tell("data", trial.dataset, self.plan.study.datasets[trial.dataset])
                child.sent_data.add(trial.dataset)
            if trial.method not in child.sent_methods:
                child.tell("method", trial.method, self.pickles[trial.method])
                child.sent_methods.add(trial.method)

    # Hearing of it

    def _hear(self, child: _Child, done: Callable[[Record], None]) -> None:
        """Take one message; the end of the connection is the death of the child."""
        if child not in self.children:
            return
        try:
            word, content, *following = child.connection.recv()
        except (EOFError, ConnectionResetError):
            child.process.wait()
            self._replace(child, _cause_of_death(child.process.returncode), done)
            return
        now = time.monotonic()
        if word == "done":
            self._finish(child, content, done)
            child.under_way, child.since = following[0], now
        else:
            child.under_way, child.since = content, now + (LOADING_SECONDS if word == "loading" else 0.0)

    def _finish(self, child: _Child, record: Record, done: Callable[[Record], None]) -> None:
        trial = child.queue.popleft()
        spent = max(0.0, time.monotonic() - child.since)
        place = (trial.dataset, trial.method)
        child.queued_seconds = max(0.0, child.queued_seconds - self.cost.get(place, BATCH_SECONDS))
        known = self.cost.get(place)
        self.cost[place] = spent if known is None else 0.7 * known + 0.3 * spent
        if not child.queue:
            child.queued_seconds = 0.0
        self.idle_deaths = 0
        done(record)

    def _look(self, done: Callable[[Record], None]) -> None:
        """Kill what is over its limits, unless it has finished just now."""
        now = time.monotonic()
        if not self.limits.any or now - self.looked < LOOK_SECONDS:
            return
        self.looked = now
        for child in list(self.children):
            while child in self.children and child.connection.poll():
                self._hear(child, done)
            if child in self.children and child.under_way is not None and (reason := self._over(child)):
                child.process.kill()
                child.process.wait()
                self._replace(child, reason, done)

    def _over(self, child: _Child) -> str | None:
        seconds, most = self.limits.seconds, self.limits.bytes
        if seconds is not None and time.monotonic() - child.since > seconds:
            return f"TimeLimit: not done after {seconds:g} s"
        if most is not None and _memory(child) > most:
            return f"MemoryLimit: used more than {most / 1e6:,.0f} MB"
        return None

    def _replace(self, child: _Child, reason: str, done: Callable[[Record], None]) -> None:
        """Record the trial under way as failed, put the rest back, and start a new child."""
        self._forget(child)
        child.connection.close()
        if child.under_way is None:
            self.idle_deaths += 1
            if self.idle_deaths >= MOST_IDLE_DEATHS:
                raise WorkerError(
                    f"worker processes die before they start a trial ({reason}); "
                    "try workers=0 to see the error in this process"
                )
        else:
            child.queue.popleft()
            self.idle_deaths = 0
            spent = {"fit_time": self.limits.seconds} if reason.startswith("TimeLimit") and self.limits.seconds else {}
            done(Record(child.under_way, "failed", reason, resources=spent))
        self.todo.extendleft(reversed(child.queue))
        if self.todo:
            self.children.append(self._start())

    def _dismiss(self) -> None:
        """Send home the children that have nothing left to do."""
        if self.todo:
            return
        for child in [c for c in self.children if not c.queue]:
            self._forget(child)
            child.kill()

    def _forget(self, child: _Child) -> None:
        self.children.remove(child)
        self.selector.unregister(child.connection)


def _memory(child: _Child) -> int:
    import psutil

    try:
        child.memory = child.memory or psutil.Process(child.process.pid)
        return int(child.memory.memory_info().rss)
    except psutil.Error:
        return 0


def _cause_of_death(code: int | None) -> str:
    if code is not None and code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        hint = " (out of memory?)" if name == "SIGKILL" else ""
        return f"Died: the process was ended by {name}{hint}"
    return f"Died: the process exited with code {code}"
