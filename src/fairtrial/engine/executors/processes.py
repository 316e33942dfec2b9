"""The local executor: one pool of child processes for the whole study.

A child that dies, hangs or uses too much memory costs the one trial that it had under way: that trial becomes a
failed record, the rest of its batch goes back into the queue, and a new child takes its place.

An error in a child that has tried other methods before may be their doing. The trial is performed again, the first in a
new child, before its failure counts; if it fails there, too, so do later errors of that class of its method.

The queue of trials that executors share: trials are handed out in batches, the longest first near the end.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from queue import Empty, SimpleQueue
from typing import Any

from fairtrial.design import Trial
from fairtrial.doors import door
from fairtrial.engine.executors.child import LAST_WORDS_SECONDS, OTHER_VOICE, Child, Event
from fairtrial.engine.gauges import cores, share
from fairtrial.engine.supplies import PickledSupplies, Supplies
from fairtrial.errors import InputError, WorkerError
from fairtrial.store import Record

BATCH_SECONDS = 0.05  # of work in one message: long enough to hide its cost, short enough to balance the load
MOST_BATCH = 200
LAST_STRETCH = 3.0  # times the longest trial: when so much work is left for each worker, the last stretch begins
IN_SIGHT = 10_000  # trials that are made ahead of their turn: enough to balance the last ones, and little memory


class Queue:
    """Trials that wait, in order, with the seconds that similar trials took so far.

    Trials start in their order, except near the end of a run. There the longest trials go first, so that short ones
    fill the gaps and all workers are busy to the end: a long trial that started last would keep one worker busy alone.
    With one worker the order holds to the end. Only the next 10,000 trials are in memory; the others are made when they
    are needed.
    """

    def __init__(self) -> None:
        self._trials: deque[Trial] = deque()
        self._behind: Iterator[Trial] = iter(())
        self._seconds: dict[tuple[Any, ...], float] = {}
        self._look_at = math.inf  # length of the queue at which the last stretch is next looked for

    def __len__(self) -> int:
        """The number of trials in memory; 0 only when none are left."""
        return len(self._trials)

    def add(self, trials: Iterable[Trial]) -> None:
        self._behind = chain(self._behind, trials)
        self._fill()
        self._look_at = math.inf

    def _fill(self) -> None:
        self._trials.extend(islice(self._behind, max(0, IN_SIGHT - len(self._trials))))

    def put_back(self, trials: Iterable[Trial]) -> None:
        """Put trials back to the front, in their order."""
        self._trials.extendleft(reversed(list(trials)))

    def seconds(self, trial: Trial) -> float:
        """Seconds that a trial will take: the mean of similar trials, or those of a whole batch if there are none."""
        return self._seconds.get(_place(trial), BATCH_SECONDS)

    def learn(self, trial: Trial, record: Record) -> None:
        """Take note of the time that a trial took."""
        place = _place(trial)
        spent = sum(record.resources.get(r, 0.0) for r in ("fit_time", "predict_time"))
        known = self._seconds.get(place)
        self._seconds[place] = spent if known is None else 0.7 * known + 0.3 * spent

    def batch(self, workers: int) -> tuple[list[Trial], float]:
        """The next trials, about 50 ms of work, and their seconds; fewer near the end, so that all workers get some."""
        if workers > 1 and len(self._trials) <= self._look_at and len(self._trials) < IN_SIGHT:
            self._longest_first_in_last_stretch(workers)
        taken: list[Trial] = []
        seconds = 0.0
        fair = len(self._trials) // (2 * workers) if workers > 1 else MOST_BATCH
        most = max(1, min(MOST_BATCH, fair))
        while self._trials and len(taken) < most and seconds < BATCH_SECONDS:
            taken.append(self._trials.popleft())
            seconds += self.seconds(taken[-1])
        self._fill()
        return taken, seconds

    def _longest_first_in_last_stretch(self, workers: int) -> None:
        """Sort the queue if the last stretch has begun; looked at when a quarter fewer wait, which costs little."""
        self._look_at = 0.75 * len(self._trials)
        expected = [self.seconds(trial) for trial in self._trials]
        if expected and sum(expected) <= LAST_STRETCH * workers * max(expected):
            self._trials = deque(sorted(self._trials, key=self.seconds, reverse=True))


def _place(trial: Trial) -> tuple[Any, ...]:
    """The data set, method and levels of a trial: trials that share them take about the same time."""
    return (trial.dataset, trial.method, *trial.levels.items())


TICK_SECONDS = 0.02  # between two ticks, which write records
LOOK_SECONDS = 0.05  # between two looks at deadlines and memory
MOST_EVENTS = 100  # taken at a time, before records are written
LOADING_SECONDS = 60.0  # for starting and importing a method's libraries, which no time limit counts
MOST_IDLE_DEATHS = 3  # children in a row that die before they start a trial


@door
@dataclass(frozen=True, slots=True)
class Processes:
    """An executor that performs trials in child processes: ``study.run(executor=ft.Processes(4))``.

    By default there are as many ``workers`` as this process may use cores. Limits are kept, and a method that ends its
    process costs only its own trial. ``study.run(workers=4)`` is the short form.
    """

    workers: int = field(default_factory=cores)

    def __post_init__(self) -> None:
        if not (isinstance(self.workers, int) and self.workers >= 1):
            raise InputError(
                f"workers of Processes must be a whole number of at least 1, got {self.workers!r}; "
                "Serial() runs trials in this process"
            )
        if not hasattr(os, "killpg"):
            raise InputError(
                "worker processes need Linux or macOS, which have process groups; on Windows run in WSL, or run a "
                "small study in this process and in memory: study.run(workers=0)"
            )

    @property
    def keeps_limits(self) -> bool:
        return True

    @property
    def keeps_exclusive_timing(self) -> bool:
        return self.workers == 1

    @contextmanager
    def open(self, supplies: Supplies, /) -> Iterator[Pool]:
        pool = Pool(supplies.pickled(), self.workers, cores=share(self.workers))
        try:
            pool.start(supplies.trials)
            yield pool
        finally:
            pool.close()


class Pool:
    """Child processes that perform trials.

    Children that have nothing left to do are ended, or kept for the next trials if ``keep`` is true. Each may use
    ``cores`` cores.
    """

    def __init__(self, supplies: PickledSupplies, workers: int, *, cores: int = 1, keep: bool = False) -> None:
        self.supplies = supplies
        self.workers = workers
        self.cores = cores
        self.keep = keep
        self.todo = Queue()
        self.children: list[Child] = []
        self.events: SimpleQueue[Event] = SimpleQueue()
        self.checked = 0.0
        self.idle_deaths = 0
        self.own_failures: set[tuple[int, str]] = set()  # method and class of error, seen in a clean child

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None:
        """Perform all trials. ``tick`` is called at least every 50 ms, for writing and for the progress bar."""
        self.todo.add(trials)
        try:
            self.start(len(self.todo))
            while self.todo or any(child.queue for child in self.children):
                self._feed()
                self._listen(done)
                self._check_children(done)
                tick()
                self._dismiss()
        except BaseException:
            self.close()
            raise

    def start(self, trials: int) -> None:
        """Start as many children as ``trials`` can keep busy; each needs a second or two for its imports."""
        while len(self.children) < min(self.workers, trials):
            self._hire()

    def close(self) -> None:
        """End all children, whatever they are doing."""
        for child in self.children:
            child.kill()
        self.children.clear()

    def _hire(self) -> None:
        self.children.append(Child(self.events, self.supplies.path, self.cores))

    # Giving work

    def _feed(self) -> None:
        for child in self.children:
            while self.todo and self._wants_more(child):
                self._send(child)

    def _wants_more(self, child: Child) -> bool:
        """Whether a child is idle, or has so little work left that it gets its next batch ahead."""
        return not child.queue or (len(child.queue) < MOST_BATCH and child.queued_seconds < BATCH_SECONDS)

    def _send(self, child: Child, alone: Trial | None = None) -> None:
        """Send the next batch, or one trial."""
        batch, seconds = self.todo.batch(len(self.children)) if alone is None else ([alone], self.todo.seconds(alone))
        if not child.queue:
            child.since = time.monotonic()
        child.queue.extend(batch)
        child.queued_seconds += seconds
        self._send_what_is_new(child, batch)
        splits = {t.split: self.supplies.splits[t.split] for t in batch}
        child.send("batch", splits, [(t.key, t.dataset, t.method, t.split, t.levels) for t in batch])

    def _send_what_is_new(self, child: Child, batch: list[Trial]) -> None:
        if not child.knows_conditions:
            child.send("conditions", self.supplies.conditions)
            child.knows_conditions = True
        for trial in batch:
            if trial.dataset not in child.sent_data:
                child.send("data", trial.dataset, self.supplies.datasets[trial.dataset])
                child.sent_data.add(trial.dataset)
            if trial.method not in child.sent_methods:
                child.send("method", trial.method, self.supplies.methods[trial.method])
                child.sent_methods.add(trial.method)

    # Receiving records

    def _listen(self, done: Callable[[Record], None]) -> None:
        """Handle the messages of the children; wait a little if there are none."""
        try:
            event = self.events.get(timeout=TICK_SECONDS)
            for _ in range(MOST_EVENTS):
                self._receive(*event, done)
                event = self.events.get_nowait()
            self._receive(*event, done)
        except Empty:
            return

    def _receive(self, child: Child, messages: list[tuple[Any, ...]] | None, done: Callable[[Record], None]) -> None:
        if child not in self.children:
            return  # it was killed, and its last words are late
        if messages is None:
            self._replace(child, child.cause_of_death(), done)
            return
        for message in messages:
            if not child.may_send(message):
                self._replace(child, OTHER_VOICE, done)
                return
            word, *content = message
            child.under_way = content[0] if word in ("started", "loading") else None
            child.at = child.position_of(child.under_way)
            if word == "done":
                for record in content[0]:
                    if self._is_doubtful(child, record):
                        self._perform_in_clean_child(child)
                        return
                    self._finish(child, record, done)
            elif word == "spoiled":
                self._end_spoiled(child)
                return
        child.since = time.monotonic() + (LOADING_SECONDS if word == "loading" else 0.0)
        if child.under_way is not None and self.supplies.limits.bytes is not None:
            child.base = child.memory()
        if child.under_way is not None and self.supplies.limits.seconds is not None:
            child.cpu_base = child.cpu()

    def _finish(self, child: Child, record: Record, done: Callable[[Record], None]) -> None:
        trial = child.queue.popleft()
        child.tried.add(trial.method)
        if record.error is not None:
            self.own_failures.add((trial.method, _kind(record.error)))
        left = child.queued_seconds - self.todo.seconds(trial)
        child.queued_seconds = max(0.0, left) if child.queue else 0.0
        self.todo.learn(trial, record)
        self.idle_deaths = 0
        done(record)

    def _is_doubtful(self, child: Child, record: Record) -> bool:
        """Whether a trial failed where others were tried before, as its method has not failed by itself yet."""
        if record.error is None or not child.tried - {child.queue[0].method}:
            return False
        return (child.queue[0].method, _kind(record.error)) not in self.own_failures

    def _perform_in_clean_child(self, child: Child) -> None:
        """Replace a child, and give its next trial to the new one, alone."""
        trial = child.queue.popleft()
        self.children.remove(child)
        child.kill()
        self.todo.put_back(child.queue)
        self._hire()
        self._send(self.children[-1], trial)

    def _check_children(self, done: Callable[[Record], None]) -> None:
        """Replace children that exceed a limit, or that died without closing their connection."""
        now = time.monotonic()
        if now - self.checked < LOOK_SECONDS:
            return
        self.checked = now
        for child in list(self.children):
            reason = self._exceeded_limit(child, now) if child.queue else None
            if reason is None and child.process.poll() is not None:
                child.ended = child.ended or now
                if now - child.ended > LAST_WORDS_SECONDS:  # a process that it started keeps the connection open
                    reason = child.cause_of_death()
            if reason is not None:
                self._replace(child, reason, done)

    def _exceeded_limit(self, child: Child, now: float) -> str | None:
        seconds, most = self.supplies.limits.seconds, self.supplies.limits.bytes
        waited = now - child.since
        if child.under_way is None:
            stuck = seconds is not None and waited > seconds + LOADING_SECONDS
            return f"Stuck: not started after {waited:.0f} s" if stuck else None
        if seconds is not None and waited > seconds:
            return f"TimeLimit: not done after {seconds:g} s"
        if most is not None and child.memory() - child.base > most:
            return f"MemoryLimit: used more than {most / 1e6:,.0f} MB"
        return None

    def _replace(self, child: Child, reason: str, done: Callable[[Record], None]) -> None:
        """Record the trial under way as failed, put the rest of its batch back, and start a new child."""
        spent = self._spent(child, reason)  # read before the process is gone
        self.children.remove(child)
        child.kill()
        if child.under_way is None:
            self.idle_deaths += 1
            if self.idle_deaths >= MOST_IDLE_DEATHS:
                raise WorkerError(
                    f"worker processes die before they start a trial ({reason}); "
                    "try workers=0 to see the error in this process"
                )
        else:
            child.queue = deque(trial for trial in child.queue if trial.key != child.under_way)
            self.idle_deaths = 0
            done(Record(child.under_way, "failed", reason, resources=spent))
        self._put_back(child)

    def _end_spoiled(self, child: Child) -> None:
        """End a child whose libraries a method has changed; no trial is to blame."""
        self.children.remove(child)
        child.kill()
        self._put_back(child)

    def _put_back(self, child: Child) -> None:
        """Give the trials of a child that has ended to others, and start a new child if it is needed."""
        self.todo.put_back(child.queue)
        if self.todo:
            self._hire()

    def _spent(self, child: Child, reason: str) -> dict[str, float]:
        """Resources that a trial used at least: the limit that ended it, and the CPU time that was seen."""
        seconds, most = self.supplies.limits.seconds, self.supplies.limits.bytes
        if seconds is not None and reason.startswith("TimeLimit"):
            return {"fit_time": seconds, "fit_cpu": child.cpu() - child.cpu_base}
        if most is not None and reason.startswith("MemoryLimit"):
            return {"peak_memory": float(most)}
        return {}

    def _dismiss(self) -> None:
        """End the children that have nothing left to do."""
        if self.todo or self.keep:
            return
        for child in [c for c in self.children if not c.queue]:
            self.children.remove(child)
            child.kill()


def _kind(error: str) -> str:
    """The class of an error, with which its text in a record begins."""
    return error.partition(":")[0]
