"""The run loop: what is planned and not yet done is performed, and each record is written as it comes."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from fairtrial.design import Plan, Study, Trial
from fairtrial.engine.cores import cores, share
from fairtrial.engine.processes import Processes
from fairtrial.engine.progress import Progress, progress_for
from fairtrial.engine.serial import Serial
from fairtrial.engine.supplies import supplies_of
from fairtrial.errors import InputError, StudyFileError
from fairtrial.store import Journal, Record, StudyFile, versions
from fairtrial.words import plural

__all__ = ["executor_for", "run"]

COMMIT_SECONDS = 0.1  # what a crash can lose


class Executor(Protocol):
    """Performs trials somewhere and hands each record over as it comes; then it can be given more."""

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None: ...


def run(
    study: Study,
    path: str | Path | None = None,
    *,
    workers: int | None = None,
    client: Any = None,
    progress: bool = True,
    retry_failed: bool = False,
    retries: int = 0,
    accept_versions: bool = False,
) -> StudyFile:
    """Run what is missing from the study file at ``path`` (None: in memory) and give the file, open for reading.

    It runs in this process (``workers=0``), in so many child processes, or on the cluster of a Dask ``client``. What
    fails is run again after all others, up to ``retries`` times.
    """
    _check(study, workers, client, retries)
    plan = study.plan()
    shown = progress_for(progress)
    file = StudyFile(path, write=True)
    with ExitStack() as on_error:
        on_error.callback(file.close)
        _same_versions(file, accept_versions)
        if client is None:
            executor = executor_for(plan, _workers(workers, study.timing))
        else:
            executor = _cluster(plan, client, accept_versions, shown.say)
        if isinstance(executor, Processes) and not file.sessions():  # all is to be done
            on_error.callback(executor.close)
            executor.start(len(plan))  # they import while the plan is written down
        file.register(plan)
        file.demote()
        waiting = file.waiting(retry_failed=retry_failed)
        if waiting:
            file.begin_session()
            todo = map(plan.trial, waiting)
            remarks = _remarks(plan, file, retry_failed)
            _loop(plan, executor, todo, len(waiting), file, shown, path, remarks, retries)
        on_error.pop_all()
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
    shown: Progress,
    path: str | Path | None,
    remarks: Sequence[str] = (),
    retries: int = 0,
) -> None:
    shown.start(len(plan), len(plan) - n, "\n  ".join([plan.headline() + (f" · {path}" if path else ""), *remarks]))
    labels: dict[bytes, Trial] = {}
    failed: list[Trial] = []  # in this pass
    buffer = _Buffer(journal)

    def started(trials: Iterator[Trial]) -> Iterator[Trial]:
        for trial in trials:
            labels[trial.key] = trial
            yield trial

    def done(record: Record) -> None:
        trial = labels.pop(record.key)
        buffer.add(record)
        if retries and record.status == "failed":
            failed.append(trial)
        names = plan.study.methods[trial.method].name, plan.study.datasets[trial.dataset].name
        shown.record(record, " on ".join(names))

    def tick() -> None:
        buffer.write_if_due()
        shown.tick()

    try:
        executor.run(started(todo), done, tick)
        for attempt in range(retries):
            if not failed:
                break
            buffer.write()  # failures are results: when this pass is stopped, they stand
            shown.again(len(failed), f"retry {attempt + 1} of {retries}")
            again, failed = failed, []
            executor.run(started(iter(again)), done, tick)
    finally:
        buffer.write()
        shown.stop()


def _remarks(plan: Plan, file: StudyFile, retry_failed: bool) -> list[str]:
    """What should be known before time is spent."""
    query = "SELECT COUNT(*) FROM trial WHERE revision = ? AND status = 'failed'"
    failed = file.query(query, file.revision())[0][0]
    remarks = [plan.can_tell()] if not plan.can_tell_anything() else []
    if failed and not retry_failed:
        them = "it" if failed == 1 else "them"
        remarks.append(f"{plural(failed, 'trial')} failed before; --retry-failed (retry_failed=True) runs {them} again")
    return [f"note: {text}" for text in remarks]


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


def executor_for(plan: Plan, workers: int) -> Executor:
    """Where the trials are performed: in this process (0), or in so many children."""
    if workers == 0:
        if plan.study.time_limit is not None or plan.study.memory_limit is not None:
            warnings.warn("time and memory limits do not hold with workers=0", stacklevel=4)
        return Serial(plan)
    return Processes(supplies_of(plan), workers, cores=share(workers))


def _cluster(plan: Plan, client: Any, accept_versions: bool, say: Callable[[str], None]) -> Executor:
    from fairtrial.engine.dask_executor import Cluster

    return Cluster(supplies_of(plan), client, accept_versions=accept_versions, say=say)


def _check(study: Study, workers: int | None, client: Any, retries: int) -> None:
    """Before anything is made or written."""
    if client is None and workers != 0 and not hasattr(os, "killpg"):
        raise InputError(
            "worker processes need Linux or macOS, which have process groups; on Windows run in WSL, or run a small "
            "study in this process and in memory: study.run(workers=0)"
        )
    for name, given, zero in (("workers", workers, "in this process"), ("retries", retries, "none")):
        if given is not None and not (isinstance(given, int) and given >= 0):
            raise InputError(f"{name} must be a whole number of at least 0 (0: {zero}), got {given!r}")
    if client is not None and workers is not None:
        raise InputError(f"workers can't be given with a client, whose cluster has its own, got {workers!r}")
    if study.timing != "exclusive":
        return
    if client is not None:
        raise InputError(
            "timing='exclusive' can't be kept on a cluster, where nobody here knows what else its machines do; "
            "run without the client, or say timing='shared'"
        )
    if workers is not None and workers > 1:
        raise InputError(
            f"workers must be 1 (or 0: in this process) with timing='exclusive', which runs one trial at a time, "
            f"got {workers!r}; leave workers out, or say timing='shared'"
        )


def _workers(wanted: int | None, timing: str) -> int:
    if wanted is None:
        return cores() if timing == "shared" else 1
    return wanted


def _same_versions(file: StudyFile, accept: bool) -> None:
    sessions = file.sessions()
    if not sessions or accept:
        return
    before, now = sessions[-1].versions, versions()
    changed = [f"{k} {before[k]} → {now[k]}" for k in now if k in before and before[k] != now[k]]
    if changed:
        raise StudyFileError(
            f"{file.name} was begun under other versions ({', '.join(changed)}), which may change the numbers; "
            "go on with --accept-versions (accept_versions=True), or run into a new file"
        )
