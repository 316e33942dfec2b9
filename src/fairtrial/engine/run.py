"""The run loop: trials that are planned and not yet done are performed, and each record is written as it comes.

Guards that look at a run before it begins; what they find is shown above the progress bar.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from fairtrial.design import Plan, Study, Trial
from fairtrial.engine.executors.child import keep_ready
from fairtrial.engine.executors.executor import Executor, OpenExecutor, choose_executor
from fairtrial.engine.executors.processes import Processes
from fairtrial.engine.gauges import share
from fairtrial.engine.isolation.between_methods import left_behind
from fairtrial.engine.progress import Progress, progress_for
from fairtrial.engine.supplies import supplies_of
from fairtrial.errors import InputError, StudyFileError
from fairtrial.live_text import in_session
from fairtrial.notices import Notice, guard, look
from fairtrial.store import Journal, Record, StudyFile, versions
from fairtrial.words import listed, plural, verb


@dataclass(frozen=True, slots=True)
class ComingRun:
    """A run that is about to begin; ``failed`` trials of its plan failed before and are not run again."""

    plan: Plan
    executor: Executor
    failed: int = 0


@guard(stage="run", sees="run")
def no_difference_can_show(run: ComingRun) -> Iterator[Notice]:
    """Too few data sets for the number of methods: no difference over data sets could be significant."""
    if not run.plan.can_tell_anything():
        yield Notice(run.plan.can_tell(), about="plan", evidence={"pairs": run.plan.pairs})


@guard(stage="run", sees="run")
def limits_not_kept(run: ComingRun) -> Iterator[Notice]:
    """Time or memory limits that the executor can't keep."""
    limits = {"time_limit": run.plan.study.time_limit, "memory_limit": run.plan.study.memory_limit}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    if given and not run.executor.keeps_limits:
        yield Notice(
            f"{listed(given)} {verb(len(given), 'is', 'are')} not kept by {run.executor!r}",
            about="executor",
            evidence=given,
            remedy="run in worker processes (workers=1 or more) to keep limits",
        )


@guard(stage="run", sees="run")
def failed_before(run: ComingRun) -> Iterator[Notice]:
    """Trials of the plan that failed in an earlier run and are not run again."""
    if run.failed:
        yield Notice(
            f"{plural(run.failed, 'trial')} failed before",
            about="plan",
            evidence={"failed": run.failed},
            remedy=f"--retry-failed (retry_failed=True) runs {verb(run.failed, 'it', 'them')} again",
        )


COMMIT_SECONDS = 0.04  # with the time between two ticks and that of writing, a tenth of a second may be lost in a crash


def run(
    study: Study,
    path: str | Path | None = None,
    *,
    plan: Plan | None = None,
    executor: Executor | None = None,
    workers: int | None = None,
    progress: bool = True,
    retry_failed: bool = False,
    retries: int = 0,
    accept_versions: bool = False,
) -> StudyFile:
    """Run the trials that the study file at ``path`` (None: in memory) lacks, and return the file, open for reading.

    The trials are those of ``plan``, which must belong to the study; without it, those of the full plan. They run in
    ``executor`` or in ``workers`` child processes. Failed trials are rerun after all others, up to ``retries`` times.
    """
    if not (isinstance(retries, int) and retries >= 0):
        raise InputError(f"retries must be a whole number of at least 0 (0: none), got {retries!r}")
    chosen = choose_executor(executor, workers, study)
    plan = _plan_of(study, plan)
    shown = progress_for(progress)
    supplies = supplies_of(plan, accept_versions=accept_versions, say=shown.say)
    file = StudyFile(path, write=True)
    with ExitStack() as on_error:
        on_error.callback(file.close)
        _check_versions(file, accept_versions)
        performing: OpenExecutor | None = None
        with ExitStack() as opened:
            if not file.sessions():  # nothing was run before: workers start while the plan is written
                performing = opened.enter_context(chosen.open(supplies))
            file.register(plan)
            waiting = file.waiting(len(plan), retry_failed=retry_failed)
            if waiting:
                if performing is None:
                    performing = opened.enter_context(chosen.open(replace(supplies, trials=len(waiting))))
                file.begin_session()
                coming = ComingRun(plan, chosen, 0 if retry_failed else _failed_before(file, plan))
                headline = plan.headline() + (f" · {path}" if path else "")
                notices = [notice.text for notice in look("run", coming)]
                shown.start(len(plan), len(plan) - len(waiting), headline, notices)
                _loop(plan, performing, map(plan.trial, waiting), file, shown, retries)
        on_error.pop_all()
    if performing is not None and isinstance(chosen, Processes) and in_session():
        keep_ready(chosen.workers, share(chosen.workers))
    if path is None:
        return file
    file.close()
    return StudyFile(path)


def _plan_of(study: Study, given: Plan | None) -> Plan:
    if given is None:
        return study.plan()
    if not isinstance(given, Plan):
        raise InputError(f"plan must be a Plan, as study.plan() makes, got {given!r}")
    return replace(
        given.for_study(study)
    )  # keys are made anew: in a notebook code may be edited after the plan was made


def _failed_before(file: StudyFile, plan: Plan) -> int:
    query = "SELECT COUNT(*) FROM trial WHERE revision = ? AND position < ? AND status = 'failed'"
    return int(file.query(query, file.revision(), len(plan))[0][0])


def _loop(
    plan: Plan, performing: OpenExecutor, todo: Iterator[Trial], journal: Journal, shown: Progress, retries: int
) -> None:
    labels: dict[bytes, Trial] = {}
    failed: list[Trial] = []  # in this pass
    said: set[tuple[str, str]] = set()
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
        method = plan.study.methods[trial.method].name
        shown.record(record, f"{method} on {plan.study.datasets[trial.dataset].name}")
        for text in left_behind(record.warnings):
            if (method, text) not in said:
                said.add((method, text))
                shown.say(f"note: method {method} {text}")

    def tick() -> None:
        buffer.write_if_due()
        shown.tick()

    try:
        performing.run(started(todo), done, tick)
        for attempt in range(retries):
            if not failed:
                break
            buffer.write()  # failures are results: when this pass is stopped, they stand
            shown.again(len(failed), f"retry {attempt + 1} of {retries}")
            again, failed = failed, []
            performing.run(started(iter(again)), done, tick)
    finally:
        buffer.write()
        shown.stop()


class _Buffer:
    """Records that wait for the disk, at most a tenth of a second, to be written together."""

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


def _check_versions(file: StudyFile, accept: bool) -> None:
    sessions = file.sessions()
    if not sessions or accept:
        return
    before, now = sessions[-1].versions, versions()
    changed = [f"{k} {before[k]} → {now[k]}" for k in now if k in before and before[k] != now[k]]
    if changed:
        raise StudyFileError(
            f"{file.name} was begun under other versions ({listed(changed, most=None)}), which may change the numbers; "
            "go on with --accept-versions (accept_versions=True), or run into a new file"
        )
