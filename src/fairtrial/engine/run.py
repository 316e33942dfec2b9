"""The run loop: what is planned and not yet done is performed, and each record is written as it comes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from fairtrial.design import Plan, Study, Trial
from fairtrial.engine.processes import Limits, Processes
from fairtrial.engine.progress import progress_for
from fairtrial.errors import InputError, StudyFileError
from fairtrial.methods import Method
from fairtrial.store import Journal, Record, StudyFile, versions

__all__ = ["run"]

COMMIT_SECONDS = 0.1  # what a crash can lose


class Executor(Protocol):
    """Performs trials somewhere and hands each record over as it comes."""

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None: ...


def run(
    study: Study,
    path: str | Path | None = None,
    *,
    workers: int | None = None,
    progress: bool = True,
    retry_failed: bool = False,
    accept_versions: bool = False,
) -> StudyFile:
    """Run what is missing from the study file at ``path`` (None: in memory) and give the file, open for reading."""
    plan = study.plan()
    file = StudyFile(path, write=True)
    try:
        _same_versions(file, accept_versions)
        file.register(plan)
        waiting = file.waiting(retry_failed=retry_failed)
        if waiting:
            file.begin_session()
            executor = _executor(plan, _workers(workers))
            todo = (t for t in plan.trials() if t.key in waiting)
            _loop(plan, executor, todo, len(waiting), file, progress, path)
    except BaseException:
        file.close()
        raise
    if path is None:
        return file
    file.close()
    return StudyFile(path)


def _loop(
    plan: Plan,
    executor: Executor,
    todo: Iterator[Trial],
    n: int,
    journal: Journal,
    progress: bool,
    path: str | Path | None,
) -> None:
    shown = progress_for(progress)
    shown.start(len(plan), len(plan) - n, plan.headline() + (f" · {path}" if path else ""))
    labels: dict[bytes, Trial] = {}
    buffer = _Buffer(journal)

    def started(trials: Iterator[Trial]) -> Iterator[Trial]:
        for trial in trials:
            labels[trial.key] = trial
            yield trial

    def done(record: Record) -> None:
        trial = labels.pop(record.key)
        buffer.add(record)
        names = plan.study.methods[trial.method].name, plan.study.datasets[trial.dataset].name
        shown.record(record, " on ".join(names))

    def tick() -> None:
        buffer.write_if_due()
        shown.tick()

    try:
        executor.run(started(todo), done, tick)
    finally:
        buffer.write()
        shown.stop()


class _Buffer:
    """Group commit: records wait at most a tenth of a second for the disk."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.records: list[Record] = []
        self.since = 0.0

    def add(self, record: Record) -> None:
        if not self.records:
            self.since = time.monotonic()
        self.records.append(record)
        self.write_if_due()

    def write_if_due(self) -> None:
        if self.records and time.monotonic() - self.since >= COMMIT_SECONDS:
            self.write()

    def write(self) -> None:
        if self.records:
            self.journal.append(self.records)
            self.records = []


class Serial:
    """Performs trials in this process, for debugging."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None:
        from fairtrial.engine.perform import Bench, perform

        benches: dict[tuple[int, int], Bench] = {}
        study = self.plan.study
        for trial in trials:
            place = (trial.dataset, trial.method)
            if place not in benches:
                benches[place] = Bench(study.datasets[trial.dataset], study.methods[trial.method])
            done(perform(trial.key, benches[place], self.plan.splits[trial.split]))
            tick()


def _executor(plan: Plan, workers: int) -> Executor:
    if workers == 0:
        return Serial(plan)
    limits = Limits(plan.study.time_limit, plan.study.memory_limit)
    return Processes(plan, [_pickled(m) for m in plan.study.methods], workers, limits)


def _workers(wanted: int | None) -> int:
    if wanted is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not isinstance(wanted, int) or wanted < 0:
        raise InputError(f"workers must be a whole number of at least 0 (0: in this process), got {wanted!r}")
    return wanted


def _pickled(method: Method) -> bytes:
    import cloudpickle

    try:
        pickled: bytes = cloudpickle.dumps(method)
    except Exception as error:
        raise InputError(f"method {method.name!r} can't be sent to a worker process: {error}") from error
    return pickled


def _same_versions(file: StudyFile, accept: bool) -> None:
    sessions = file.sessions()
    if not sessions or accept:
        return
    before, now = sessions[-1]["versions"], versions()
    changed = [f"{k} {before[k]} → {now[k]}" for k in now if k in before and before[k] != now[k]]
    if changed:
        raise StudyFileError(
            f"{file.path} was begun under other versions ({', '.join(changed)}), which may change the numbers; "
            "go on with --accept-versions (accept_versions=True), or run into a new file"
        )
