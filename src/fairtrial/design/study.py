"""The study: question, data sets, methods, resampling, measures, seed. Declarative, printable, hashable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.choices import FAILURE_POLICIES, MEMORIES, TIMINGS, FailurePolicy, Memory, Timing
from fairtrial.data import Dataset
from fairtrial.data import datasets as find_datasets
from fairtrial.definition import DefinedDataset, DefinedFactor, DefinedMethod, StudyDefinition
from fairtrial.design.factors import Factor, as_factors
from fairtrial.design.memory_size import as_bytes
from fairtrial.design.question import Question
from fairtrial.design.question_checks import check_question
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import check_classes, in_context
from fairtrial.measures import get as get_measure
from fairtrial.methods import Method, as_methods, digest, is_baseline, yardstick_for
from fairtrial.methods.recipe import recipe
from fairtrial.methods.tuning import check_tuning, configurations_of, with_measure
from fairtrial.resampling import RepeatedKFold, Resampling, describe, parse
from fairtrial.tables import Column, Table

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan
    from fairtrial.engine import Executor
    from fairtrial.results import Results

__all__ = ["Study", "differing_parts", "digest_of"]

DEFAULT_MEASURES = {
    "classes": ("accuracy", "average_recall", "auc", "log_loss", "fit_time", "predict_time"),
    "values": ("rmse", "mae", "r2", "fit_time", "predict_time"),
}


@dataclass(frozen=True, init=False, eq=False)
class Study:
    """All that determines the numbers, stated before anything runs.

    ``failures`` is the policy for trials that fail: ``"baseline"`` gives them the baseline's score on the same split,
    ``"worst"`` the worst possible score, ``"drop"`` removes the data set for all methods, ``"refuse"`` gives no
    verdict. ``factors`` are varied on purpose: ``{"label_noise": [0, 0.05, 0.1]}`` runs each trial at three levels of
    noise. ``time_limit`` (in seconds) and ``memory_limit`` (in bytes, or as "300 MB"; the memory that a trial adds)
    hold for each trial. ``timing="exclusive"`` runs one trial at a time, so that no trial slows down another.
    ``memory="exact"`` traces every allocation of fit and predict; the default costs almost no time, but gives only a
    lower bound. ``training_scores=True`` also records how well each method does on the rows that it learned from.

    >>> study = Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="5-fold")
    >>> len(study.plan())
    10
    """

    question: Question
    datasets: tuple[Dataset, ...]
    methods: tuple[Method, ...]
    resampling: Resampling
    factors: tuple[Factor, ...]
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
        datasets: Iterable[Dataset | str | Path] | Dataset | str | Path,
        methods: Mapping[str, Any] | Sequence[Any] | Method | str,
        resampling: Resampling | str | None = None,
        factors: Mapping[str, Any] | Iterable[Factor] | Factor = (),
        measures: Sequence[str] | str | None = None,
        seed: int = 1,
        failures: FailurePolicy = "baseline",
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        timing: Timing = "shared",
        memory: Memory = "mark",
        training_scores: bool = False,
    ) -> None:
        sets = _datasets(datasets)
        asked = _question(question)
        chosen, asked = _measures(measures, asked, sets)
        wanted = {
            "question": asked,
            "datasets": sets,
            "methods": _with_yardstick(_methods(methods, chosen, sets[0].task), sets[0].task, asked.control),
            "resampling": _resampling(resampling),
            "factors": as_factors(factors),
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
        if not isinstance(self.seed, int) or isinstance(self.seed, bool) or self.seed < 0:
            raise InputError(f"seed must be a whole number of at least 0, got {self.seed!r}")
        if self.failures not in FAILURE_POLICIES:
            raise UnknownName.among("failure policy", self.failures, FAILURE_POLICIES)
        control = self.question.control
        if control is not None and control not in {m.name for m in self.methods}:
            raise UnknownName.among("method (given as control)", control, (m.name for m in self.methods))
        check_question(self.question, self.measures[0], self.methods, self.datasets)
        limit = self.time_limit
        if limit is not None and not (isinstance(limit, (int, float)) and limit > 0):
            raise InputError(f"time_limit must be a number above 0, got {limit!r}; leave it out for no limit")
        _check_gauges(self.timing, self.memory, self.training_scores)
        for method in self.methods:
            _check_task(method, self.task)
            for dataset in self.datasets:
                check_tuning(method, dataset)
        for factor in self.factors:
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
            methods=tuple(map(_defined, self.methods)),
            resampling=describe(self.resampling),
            factors=tuple(DefinedFactor.from_dict(f.to_dict()) for f in self.factors),
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

        With ``pilot`` one split of each data set and method is tried, and the plan estimates the cost of the whole
        study.
        """
        from fairtrial.design.plan import Plan

        plan = Plan.full(self)
        if not pilot:
            return plan
        from fairtrial.engine import pilot as try_out

        return replace(plan, seconds=try_out(plan))

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
        return from_study_file(file)

    def to_table(self) -> Table:
        """The study at a glance."""
        columns = (Column("part", align="left"), Column("what", align="left"))
        rows = (
            ("question", self.question.text or f"Which method has the best {self.question.measure}?"),
            ("data sets", ", ".join(d.name for d in self.datasets)),
            ("methods", ", ".join(m.name + (" (yardstick)" if m.yardstick else "") for m in self.methods)),
            ("resampling", self.resampling.dependence().scheme),
            *((f.name, ", ".join(map(f.write, f.levels))) for f in self.factors),
            ("measures", ", ".join(self.measures)),
            ("seed", str(self.seed)),
            *[("timing", "exclusive: one trial at a time")] * (self.timing == "exclusive"),
            *[("memory", "exact: allocations are traced")] * (self.memory == "exact"),
        )
        return Table(columns=columns, rows=rows, caption="study")

    def __str__(self) -> str:
        return self.to_table().to_text()

    def _repr_html_(self) -> str:
        return self.to_table().to_html()


def digest_of(definition: StudyDefinition) -> bytes:
    """The digest of a study, from its definition; see :meth:`Study.digest`."""
    return digest(_identity(definition))


def differing_parts(one: Study, other: Study) -> list[str]:
    """The parts by which the digests of two studies differ, in words; none if both have the same trials."""
    mine, theirs = _identity(one.definition()), _identity(other.definition())
    return [part if part != "datasets" else "data sets" for part in mine if mine[part] != theirs[part]]


def _identity(definition: StudyDefinition) -> dict[str, Any]:
    """All that determines the numbers of a study."""
    return {
        "datasets": sorted(d.fingerprint for d in definition.datasets),
        "methods": sorted(digest(m.canonical).hex() for m in definition.methods),
        "resampling": definition.resampling,
        "factors": [f.to_dict() for f in definition.factors],
        "seed": definition.seed,
    }


def _question(given: object) -> Question:
    if given is None or isinstance(given, str):
        return Question(given or "")
    if not isinstance(given, Question):
        raise InputError(f"question must be a text or a Question(…), got {given!r}")
    return given


def _methods(given: Any, measures: Sequence[str], task: str) -> tuple[Method, ...]:
    """The methods that are compared; those that are tuned use the study's measure, unless they name one."""
    return as_methods(with_measure(as_methods(given), measures, task))


def _resampling(given: Any) -> Resampling:
    if given is None:
        return RepeatedKFold()
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, type) or not hasattr(given, "splits") or not hasattr(given, "dependence"):
        raise InputError(
            f"resampling must be a text such as '10x10-fold', or KFold, RepeatedKFold, … of fairtrial.resampling "
            f"(a scikit-learn splitter: from_sklearn(splitter)), got {given!r}"
        )
    scheme: Resampling = given
    return scheme


def _defined(method: Method) -> DefinedMethod:
    """A method as plain data, with the number of configurations that it is tuned over, unless it is a baseline.

    Its recipe is written now, while its class and the default values are loaded, so that readers need to import
    nothing.
    """
    form = method.canonical()
    return DefinedMethod(
        name=method.name,
        canonical=form,
        recipe=recipe(form["estimator"]),
        facts=dict(method.facts),
        yardstick=method.yardstick,
        threads=method.threads,
        configurations=None if is_baseline(method) else configurations_of(method.estimator),
    )


def _check_gauges(timing: str, memory: str, training_scores: object) -> None:
    if not isinstance(training_scores, bool):
        raise InputError(f"training_scores must be True or False, got {training_scores!r}; leave it out for False")
    if timing not in TIMINGS:
        raise UnknownName.among("timing", timing, TIMINGS)
    if memory not in MEMORIES:
        raise UnknownName.among("way to measure memory", memory, MEMORIES)
    if memory == "exact" and find_spec("memray") is None:
        raise InputError(
            "memory='exact' needs memray (Linux and macOS), which is not installed; install it with: "
            "pip install 'fairtrial[memory]', or leave memory='mark'"
        )


def _check_task(method: Method, task: str) -> None:
    """Refuse a classifier for values, or the reverse, which would fail on every trial or be scored on nonsense."""
    from sklearn.base import is_classifier, is_regressor

    if not hasattr(method.estimator, "__sklearn_tags__"):
        return
    wrong = is_classifier(method.estimator) if task == "values" else is_regressor(method.estimator)
    if wrong:
        kind, other = ("classifier", "regressor") if task == "values" else ("regressor", "classifier")
        raise InputError(
            f"method {method.name!r} is a {kind}, but the data sets of this study have {task}; give a {other}, "
            "or read the data with another task="
        )


def _datasets(given: Iterable[Dataset | str | Path] | Dataset | str | Path) -> tuple[Dataset, ...]:
    sets = tuple(find_datasets(*([given] if isinstance(given, (Dataset, str, Path)) else given)))
    if not sets:
        raise InputError("datasets must name at least one data set, got none")
    tasks = {d.task: d.name for d in sets}
    if len(tasks) > 1:
        raise InputError(
            f"all data sets of a study must have one task, but {tasks['classes']!r} has classes and "
            f"{tasks['values']!r} has values; make two studies, or say task='classes' when reading"
        )
    same: dict[str, str] = {}
    for d in sets:
        twin = same.setdefault(d.fingerprint, d.name)
        if twin != d.name:
            raise InputError(f"each data set must be there once, but {twin!r} and {d.name!r} have the same content")
    return sets


def _measures(
    names: Sequence[str] | str | None, question: Question, sets: Sequence[Dataset]
) -> tuple[tuple[str, ...], Question]:
    """The measures with the question's first, by their registered names, all fit for the data."""
    task = sets[0].task
    names = [names] if isinstance(names, str) else names
    wanted = list(names) if names is not None else list(DEFAULT_MEASURES[task])
    main = in_context(question.measure or (wanted[0] if wanted else DEFAULT_MEASURES[task][0]), question.context)
    chosen = tuple(dict.fromkeys(get_measure(name).name for name in [main, *wanted]))
    for name in chosen:
        if get_measure(name).task not in ("any", task):
            raise InputError(
                f"measure {name!r} is for {get_measure(name).task}, but the data sets of this study have {task}"
            )
        for data in sets:
            try:
                check_classes(name, len(data.classes))
            except InputError as error:
                raise InputError(f"measure {name!r} does not fit {data.name!r}: {error}") from None
    return chosen, replace(question, measure=chosen[0])


def _with_yardstick(methods: tuple[Method, ...], task: str, control: str | None) -> tuple[Method, ...]:
    """The methods, with a yardstick if no baseline is listed: a sound study compares with a trivial method.

    A baseline that is named as the control counts as listed: it is compared like any other method.
    """
    if any(is_baseline(m) for m in methods):
        return methods
    yardstick = yardstick_for(task)
    taken = {m.name for m in methods}
    name = yardstick.name if yardstick.name not in taken else f"{yardstick.name} baseline"
    return (*methods, replace(yardstick, name=name, yardstick=name != control))
