"""The study: question, data sets, methods, resampling, measures, seed. Declarative, printable, hashable.

Amounts of memory as people write them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.choices import FAILURE_POLICIES, FailurePolicy, Memory, Timing
from fairtrial.data import Dataset
from fairtrial.definition import DefinedDataset, DefinedFactor, StudyDefinition
from fairtrial.design.factors import AnyFactor, TrainingFactor, as_factors, check_factors
from fairtrial.design.layouts import Layout
from fairtrial.design.question import Question, check_question
from fairtrial.design.study_parts import (
    as_datasets,
    as_layout,
    as_measures,
    as_question,
    as_resampling,
    check_gauges,
    check_seed_and_replicates,
    check_task,
    compared_methods,
    defined_method,
    with_costs,
    with_yardstick,
)
from fairtrial.doors import door
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods import Decide, Method, digest
from fairtrial.methods.tuning import check_tuning
from fairtrial.resampling import Resampling, describe
from fairtrial.tables import Column, Shown, Table
from fairtrial.words import is_one_of, shown

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan
    from fairtrial.engine import Executor
    from fairtrial.results import Results


UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
AMOUNT = re.compile(r"\s*(?P<number>[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(?P<unit>[A-Za-z]*)\s*")


def as_bytes(name: str, given: object) -> int | None:
    """A number of bytes, from one or from a text such as '2 GB'; None for no limit.

    >>> as_bytes("memory_limit", "300 MB"), as_bytes("memory_limit", "1.5GiB"), as_bytes("memory_limit", 10**6)
    (300000000, 1610612736, 1000000)
    """
    if given is None:
        return None
    number = _number(given)
    if number is None or not 1 <= number < math.inf:
        raise InputError(
            f"{name} must be a number of bytes above 0 or a text such as '2 GB', got {shown(given)}; "
            "leave it out for no limit"
        )
    return int(number)


def _number(given: object) -> float | None:
    if isinstance(given, Real) and not isinstance(given, bool):
        return float(given)
    found = AMOUNT.fullmatch(given) if isinstance(given, str) else None
    if found is None or found["unit"].upper() not in UNITS:
        return None
    try:
        return float(found["number"]) * UNITS[found["unit"].upper()]
    except ValueError:
        return None


@door
@dataclass(frozen=True, init=False, eq=False)
class Study(Shown):
    """All that determines the numbers, stated before anything runs.

    ``datasets`` are names, files, DataFrames (of pandas, polars, Arrow, …), pairs ``(X, y)``, a mapping of names to
    these, or :class:`Dataset` objects; ``target`` names the target's column in all files and DataFrames.
    ``failures`` is the policy for trials that fail: ``"baseline"`` gives them the baseline's score on the same split,
    ``"worst"`` the worst possible score, ``"drop"`` removes the data set for all methods, ``"refuse"`` gives no
    verdict. ``factors`` are varied on purpose: ``{"label_noise": [0, 0.05, 0.1]}`` runs each trial at three levels of
    noise, ``{"max_depth": [3, 6]}`` each method with that parameter at two settings (see :class:`Factor`). ``plan``
    chooses the settings: all combinations of levels (the default), or a layout by name, as options or as an object.
    ``replicates=5`` runs each trial five times, with other seeds on the same splits. ``time_limit`` (in seconds) and
    ``memory_limit`` (in bytes, or as "300 MB"; the memory that a trial adds) hold for each trial.
    ``timing="exclusive"`` runs one trial at a time, so that no trial slows down another. ``memory="exact"`` traces
    every allocation of fit and predict; the default costs almost no time, but gives only a lower bound.
    ``training_scores=True`` also records how well each method does on the rows that it learned from. If the question
    has costs, ``decide`` says how methods decide by them, unless a :class:`Method` says it itself: ``"tuned"`` (the
    default for two classes), ``"costs"`` (for more) or ``"labels"``.

    >>> study = Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="5-fold")
    >>> len(study.plan())
    10
    """

    question: Question
    datasets: tuple[Dataset, ...]
    methods: tuple[Method, ...]
    resampling: Resampling
    factors: tuple[AnyFactor, ...]
    layout: Layout | None
    replicates: int
    measures: tuple[str, ...]
    seed: int
    failures: FailurePolicy
    time_limit: float | None
    memory_limit: int | None
    timing: Timing
    memory: Memory
    training_scores: bool

    def __init__(
        self,
        question: Question | str | None = None,
        *,
        datasets: Any,
        target: str | Mapping[str, str] | None = None,
        methods: Mapping[str, Any] | Sequence[Any] | Method | str,
        resampling: Resampling | str | None = None,
        factors: Mapping[str, Any] | Iterable[AnyFactor] | AnyFactor = (),
        plan: Layout | Mapping[str, Any] | str | None = None,
        replicates: int = 1,
        measures: Sequence[str] | str | None = None,
        seed: int = 1,
        failures: FailurePolicy = "baseline",
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        timing: Timing = "shared",
        memory: Memory = "mark",
        training_scores: bool = False,
        decide: Decide = "auto",
    ) -> None:
        sets = as_datasets(datasets, target)
        asked = as_question(question)
        chosen, asked = as_measures(measures, asked, sets)
        compared = with_costs(compared_methods(methods, chosen, sets[0].task), chosen[0], decide, sets)
        wanted = {
            "question": asked,
            "datasets": sets,
            "methods": with_yardstick(compared, sets[0].task, asked.control, chosen[0]),
            "resampling": as_resampling(resampling),
            "factors": as_factors(factors),
            "layout": as_layout(plan),
            "replicates": replicates,
            "measures": chosen,
            "seed": seed,
            "failures": failures,
            "time_limit": time_limit,
            "memory_limit": as_bytes("memory_limit", memory_limit),
            "timing": timing,
            "memory": memory,
            "training_scores": training_scores,
        }
        for name, value in wanted.items():
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        check_seed_and_replicates(self.seed, self.replicates)
        if not is_one_of(self.failures, FAILURE_POLICIES):
            raise UnknownName.among("failure policy", self.failures, FAILURE_POLICIES)
        control = self.question.control
        if control is not None and control not in {m.name for m in self.methods}:
            raise UnknownName.among("method (given as control)", control, (m.name for m in self.methods))
        check_question(self.question, self.measures[0], self.methods, self.datasets)
        limit = self.time_limit
        if limit is not None and not (isinstance(limit, (int, float)) and limit > 0):
            raise InputError(f"time_limit must be a number above 0, got {shown(limit)}; leave it out for no limit")
        check_gauges(self.timing, self.memory, self.training_scores)
        for method in self.methods:
            check_task(method, self.task)
            for dataset in self.datasets:
                check_tuning(method, dataset)
        check_factors(self.factors, self.methods)
        for factor in (f for f in self.factors if isinstance(f, TrainingFactor)):
            for dataset in self.datasets:
                factor.suits(dataset)

    @property
    def task(self) -> str:
        """``"classes"`` or ``"values"``."""
        return self.datasets[0].task

    def digest(self) -> bytes:
        """A hash of all that determines the numbers: two studies with the same digest have the same trials.

        Names, order, the question and the measures don't change it.
        """
        return digest_of(self.definition())

    def definition(self) -> StudyDefinition:
        """The study as the study file keeps it: typed fields of plain data."""
        return StudyDefinition(
            question=self.question.to_dict(),
            datasets=tuple(
                DefinedDataset(
                    name=d.name,
                    fingerprint=d.fingerprint,
                    source=d.source,
                    dependence=self.resampling.dependence(d).to_dict(),
                )
                for d in self.datasets
            ),
            methods=tuple(map(defined_method, self.methods)),
            resampling=describe(self.resampling),
            factors=tuple(DefinedFactor.from_dict(f.to_dict()) for f in self.factors),
            layout=None if self.layout is None else self.layout.to_dict(),
            replicates=None if self.replicates == 1 else self.replicates,
            dependence=self.resampling.dependence().to_dict(),
            measures=self.measures,
            seed=self.seed,
            failures=self.failures,
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
            timing=self.timing,
            memory=self.memory,
            training_scores=self.training_scores or None,
        )

    def to_dict(self) -> dict[str, Any]:
        """The definition of the study as plain data, ready for JSON."""
        return self.definition().to_dict()

    def plan(self, *, pilot: bool = False) -> Plan:
        """The trials that would be run, and the questions that they can answer; nothing is run.

        With ``pilot`` one split of each data set, method and setting is tried (of many settings, some), and the plan
        estimates the cost of the whole study. If factors of methods are varied, the scores of the pilot also tell how
        much effects vary between data sets, and so how many data sets it takes to find them.
        """
        from fairtrial.design.plan import Plan

        plan = Plan.full(self)
        if not pilot:
            return plan
        from fairtrial.engine import pilot as try_out

        found = try_out(plan)
        return replace(plan, seconds=found.seconds, pilot_scores=found.scores)

    def run(
        self,
        path: str | Path | None = None,
        *,
        plan: Plan | None = None,
        executor: Executor | None = None,
        workers: int | None = None,
        progress: bool = True,
        retry_failed: bool = False,
        retries: int = 0,
        accept_versions: bool = False,
    ) -> Results:
        """Run the trials that the study file lacks and return the results; without a path nothing is kept on disk.

        After Ctrl-C or a crash at most the running trials are lost: run the study again to continue. With
        ``plan``, which is :meth:`plan` or a part of it, only its rows are run; the results have all earlier trials too.
        ``executor`` decides where trials run: ``ft.Processes(4)``, ``ft.Serial()`` or ``ft.Dask(client)``; the numbers
        are the same. ``workers=4`` is short for the first, ``workers=0`` for the second, which is for debugging: limits
        are not kept, and a crash ends the run. By default there is a process for each core. Failed trials are rerun
        after all others, up to ``retries`` times; ``retry_failed`` also reruns those that failed in earlier runs.
        """
        from fairtrial.engine import run
        from fairtrial.results import from_study_file

        file = run(
            self,
            path,
            plan=plan,
            executor=executor,
            workers=workers,
            progress=progress,
            retry_failed=retry_failed,
            retries=retries,
            accept_versions=accept_versions,
        )
        return replace(from_study_file(file), study=self)

    def to_table(self) -> Table:
        """The study at a glance."""
        columns = (Column("part", align="left"), Column("what", align="left"))
        asked = self.question.text or f"Which method has the best {self.question.measure}?"
        rows = (
            ("data sets", ", ".join(d.name for d in self.datasets)),
            ("methods", ", ".join(m.name + (" (yardstick)" if m.yardstick else "") for m in self.methods)),
            ("resampling", self.resampling.dependence().scheme),
            *((f.name, f.in_words()) for f in self.factors),
            *[("plan", self.layout.kind if self.layout else "")] * (self.layout is not None),
            *[("replicates", f"{self.replicates}: other seeds on the same splits")] * (self.replicates > 1),
            ("measures", ", ".join(self.measures)),
            ("seed", str(self.seed)),
            *[("timing", "exclusive: one trial at a time")] * (self.timing == "exclusive"),
            *[("memory", "exact: allocations are traced")] * (self.memory == "exact"),
        )
        return Table(columns=columns, rows=rows, caption=asked)


def digest_of(definition: StudyDefinition) -> bytes:
    """The digest of a study, from its definition; see :meth:`Study.digest`."""
    return digest(_identity(definition))


def differing_parts(one: Study, other: Study) -> list[str]:
    """The parts by which the digests of two studies differ, in words; none if both have the same trials."""
    mine, theirs = _identity(one.definition()), _identity(other.definition())
    differing = [part for part in dict.fromkeys([*mine, *theirs]) if mine.get(part) != theirs.get(part)]
    return [{"datasets": "data sets", "layout": "plan"}.get(part, part) for part in differing]


def _identity(definition: StudyDefinition) -> dict[str, Any]:
    """All that determines the numbers of a study; parts that older files lack are absent at their default."""
    plan = {"layout": definition.layout, "replicates": definition.replicates}
    return {
        "datasets": sorted(d.fingerprint for d in definition.datasets),
        "methods": sorted(digest(m.canonical).hex() for m in definition.methods),
        "resampling": definition.resampling,
        "factors": [f.to_dict() for f in definition.factors],
        "seed": definition.seed,
        **{part: value for part, value in plan.items() if value is not None},
    }
