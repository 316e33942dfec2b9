"""The contract of executors, checked by running small studies."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from typing import Any

from fairtrial.design import Plan, Study, Trial
from fairtrial.engine import Executor, OpenExecutor, Serial
from fairtrial.engine.supplies import Supplies, supplies_of
from fairtrial.errors import ContractError
from fairtrial.store import Record
from fairtrial.words import error_line, listed, part_of, plural, verb

LONGEST_SECONDS = 300.0  # for one part of the contract, before the executor is taken to hang
ENDING_SECONDS = 10.0  # for processes to end after the executor was closed
TIME_LIMIT, OVER_TIME = 2.0, 6.0  # seconds
MEMORY_LIMIT, OVER_MEMORY = 100, 300  # megabytes
TIMED = {"fit_time", "fit_cpu", "predict_time", "predict_cpu", "model_size"}  # what each machine can tell
CLOCK_SECONDS = 0.005  # by which times of two processes may differ


def check_executor(executor: Executor) -> None:
    """Check that an executor keeps the contract of all executors, by running small studies through it.

    - every trial has one record, and ``done`` and ``tick`` are called in the thread that called ``run``;
    - predictions are those of :class:`~fairtrial.Serial`, bit for bit, also at levels of factors and for methods that
      draw from numpy's global generator; what the study asks to be recorded is;
    - a method that raises becomes a failed record and harms no other trial;
    - ``run`` can be called again while the executor is open;
    - an error in ``done`` comes out of ``run`` as it is;
    - when it is closed, also without a run or after an error, all processes that it started have ended;
    - what it declares is true: with ``keeps_limits`` a trial that exceeds its time or memory limit, or ends its
      process, is a failed record; with ``keeps_exclusive_timing`` trials run one at a time, in the order given.

    It takes some seconds, and raises :class:`~fairtrial.errors.ContractError`, which lists all that is wrong.

    >>> check_executor(Serial())
    """
    name = repr(executor)
    if isinstance(executor, type) or not isinstance(executor, Executor):
        raise ContractError(f"an executor must have keeps_limits, keeps_exclusive_timing and open, got {name}")
    parts = (_performs, _closes_unused, _passes_errors_on, *([_keeps_limits] if executor.keeps_limits else []))
    broken = [sentence for part in parts for sentence in _found(part, executor)]
    if broken:
        raise ContractError(f"{name} breaks the contract of executors:\n" + "\n".join(f"- {b}" for b in broken))


def _found(part: Callable[[Executor], Iterator[str]], executor: Executor) -> Iterator[str]:
    """Sentences on all that a part of the contract finds; an exception is a finding too."""
    before = _descendants()
    try:
        yield from list(part(executor))
    except Exception as error:  # noqa: BLE001 - errors of an executor are findings
        yield f"no executor may raise on trials that it can perform, got {error_line(error)}"
    if left := _left(before):
        live = f"{verb(len(left), 'process', 'processes')} {listed(left)} {verb(len(left), 'lives', 'live')}"
        yield f"leaving it must end all processes that it started, but {live} on"


def _descendants() -> set[int]:
    import psutil

    return {process.pid for process in psutil.Process().children(recursive=True)}


def _left(before: set[int]) -> list[int]:
    """Processes that were not there before and do not end."""
    deadline = time.monotonic() + ENDING_SECONDS
    while (left := sorted(_descendants() - before)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


class _Run:
    """One call of ``run`` with all that the executor did to it."""

    def __init__(self, opened: OpenExecutor, trials: Iterable[Trial]) -> None:
        self.records: list[Record] = []
        self.ticks = 0
        self.threads: set[int] = set()
        self.since = time.monotonic()
        opened.run(iter(trials), self.done, self.tick)

    def done(self, record: Record) -> None:
        self.threads.add(threading.get_ident())
        self.records.append(record)

    def tick(self) -> None:
        self.threads.add(threading.get_ident())
        self.ticks += 1
        if time.monotonic() - self.since > LONGEST_SECONDS:
            raise ContractError(
                f"run must come to an end, got {plural(len(self.records), 'record')} in {LONGEST_SECONDS:g} s"
            )


def _study() -> Study:
    from sklearn.ensemble import RandomForestClassifier

    from fairtrial.testing.contract_methods import Draws, Raises

    return Study(
        datasets=["iris", "labor"],
        methods={"forest": RandomForestClassifier(3), "draws": Draws(), "raises": Raises(), "majority": "majority"},
        resampling="2-fold",
        factors={"label_noise": [0, 0.3]},
        measures=["accuracy", "model_size"],
    )


def _supplies(plan: Plan) -> Supplies:
    return supplies_of(plan, say=lambda _: None)


def _performs(executor: Executor) -> Iterator[str]:
    plan = _study().plan()
    with Serial().open(_supplies(plan)) as here:
        expected = {record.key: record for record in _Run(here, plan.trials()).records}
    with executor.open(_supplies(plan)) as opened:
        first = _Run(opened, plan.trials())
        again = _Run(opened, islice(plan.trials(), 5))
    yield from _once(first, plan)
    yield from _alike({record.key: record for record in first.records}, expected, plan)
    if executor.keeps_exclusive_timing:
        yield from _one_at_a_time(first, plan)
    if sorted(record.key for record in again.records) != sorted(trial.key for trial in islice(plan.trials(), 5)):
        yield f"run must perform 5 more trials while it is open, got {plural(len(again.records), 'record')}"


def _once(run: _Run, plan: Plan) -> Iterator[str]:
    counts = Counter(record.key for record in run.records)
    missing = sum(trial.key not in counts for trial in plan.trials())
    several = sum(count > 1 for count in counts.values())
    unknown = len(counts.keys() - {trial.key for trial in plan.trials()})
    if missing or several or unknown:
        yield (
            f"every trial must have one record, but of {plural(len(plan), 'trial')} {missing} had none and {several} "
            f"had several, and {plural(unknown, 'record')} had the key of no trial"
        )
    if run.threads - {threading.get_ident()}:
        yield "done and tick must be called in the thread that called run, but were called in another"
    if not run.ticks:
        yield "tick must be called while trials run, but never was"


def _alike(found: dict[bytes, Record], expected: dict[bytes, Record], plan: Plan) -> Iterator[str]:
    """Records that differ from those of the serial executor."""
    labels = {trial.key: _label(trial, plan) for trial in plan.trials()}
    pairs = {key: (record, expected[key]) for key, record in found.items() if key in expected}
    failures = [key for key, (a, b) in pairs.items() if _outcome(a) != _outcome(b)]
    for key in failures[:1]:
        a, b = pairs[key]
        yield (
            f"{part_of(len(failures), len(plan), 'trial')} ended otherwise than with Serial(): {labels[key]} must be "
            f"{_outcome(b)!r}, got {_outcome(a)!r}"
        )
    others = [key for key, (a, b) in pairs.items() if _outcome(a) == _outcome(b) and a.arrays != b.arrays]
    if others:
        yield (
            f"predictions must be those of Serial(), bit for bit, but {part_of(len(others), len(plan), 'trial')} gave "
            f"others, such as {labels[others[0]]}; threads of one process, for example, share numpy's random generator"
        )
    for key, (a, b) in pairs.items():
        if a.status == b.status and (lacking := TIMED & (b.resources.keys() - a.resources.keys())):
            yield f"trials must record what the study asks for, but {labels[key]} lacks {listed(sorted(lacking))}"
            return


def _label(trial: Trial, plan: Plan) -> str:
    return f"{plan.study.methods[trial.method].name} on {plan.study.datasets[trial.dataset].name}"


def _outcome(record: Record) -> str:
    return (record.error or record.status).partition("\n")[0]


def _one_at_a_time(run: _Run, plan: Plan) -> Iterator[str]:
    begun = {record.key: record.begun or 0.0 for record in run.records}
    spans = [
        (r.begun or 0.0, r.resources.get("fit_time", 0.0) + r.resources.get("predict_time", 0.0)) for r in run.records
    ]
    spans.sort()
    together = sum(begin + spent > following + CLOCK_SECONDS for (begin, spent), (following, _) in pairwise(spans))
    planned = [trial.key for trial in plan.trials() if trial.key in begun]
    if together or sorted(planned, key=begun.__getitem__) != planned:
        yield (
            "keeps_exclusive_timing is declared, so that trials must run one at a time in the order given, but "
            f"{part_of(together, len(plan), 'trial')} had not ended when the next began, or the order was another"
        )


def _closes_unused(executor: Executor) -> Iterator[str]:
    with executor.open(_supplies(_study().plan())):
        yield from ()


class _Refusal(Exception):
    """An error that ``done`` raises."""


def _passes_errors_on(executor: Executor) -> Iterator[str]:
    plan, error = _study().plan(), _Refusal("the disk is full")

    def done(_: Record) -> None:
        raise error

    got: BaseException | None = None
    try:
        with executor.open(_supplies(plan)) as opened:
            opened.run(plan.trials(), done, lambda: None)
    except Exception as raised:  # noqa: BLE001 - any other error is a finding
        got = raised
    if got is not error:
        yield f"an error in done must come out of run as it is, got {'none' if got is None else error_line(got)}"


def _keeps_limits(executor: Executor) -> Iterator[str]:
    """Trials over each limit, beside some that must not be harmed."""
    from fairtrial.testing.contract_methods import Ends, Grows, Sleeps

    methods = {
        "takes longer than its time limit": Sleeps(OVER_TIME),
        "uses more than its memory limit": Grows(OVER_MEMORY, OVER_TIME),
        "ends its process": Ends(os.getpid()),
        "is in order": "majority",
    }
    limits: dict[str, Any] = {"time_limit": TIME_LIMIT, "memory_limit": f"{MEMORY_LIMIT} MB"}
    plan = Study(datasets=["labor"], methods=methods, resampling="holdout 0.5", **limits).plan()
    with executor.open(_supplies(plan)) as opened:
        found = {record.key: record.status for record in _Run(opened, plan.trials()).records}
    for trial in plan.trials():
        name = plan.study.methods[trial.method].name
        expected, got = "ok" if methods[name] == "majority" else "failed", found.get(trial.key, "no record")
        if got != expected:
            yield f"keeps_limits is declared, so that a trial that {name} must be {expected!r}, got {got!r}"
