"""Supplies of a run: the data sets, methods, splits, conditions and limits that its executor is opened with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from fairtrial.data import Dataset
from fairtrial.design import AnyFactor
from fairtrial.engine.gauges import on_request
from fairtrial.errors import InputError
from fairtrial.resampling import Split

if TYPE_CHECKING:
    from fairtrial.design import Plan, Study
    from fairtrial.methods import Method

Thing = TypeVar("Thing", covariant=True)


class Numbered(Protocol[Thing]):
    """A list, or a dictionary with numbers as keys."""

    def __getitem__(self, number: int, /) -> Thing: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds that a trial may take and bytes that it may add to its process; None for no limit."""

    seconds: float | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions under which every trial of a study is performed.

    ``extra`` names resources that are recorded on request. ``factors`` apply the levels of a trial; their random
    numbers come from ``seed``, the study's. ``exact_memory`` traces allocations.
    ``training_measures`` are computed on rows that were learned from, unless a trial then takes over ``seconds``.
    """

    extra: frozenset[str] = frozenset()
    factors: tuple[AnyFactor, ...] = ()
    seed: int = 0
    exact_memory: bool = False
    training_measures: tuple[str, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Supplies:
    """All that a run hands to its executor.

    Trials refer to data sets, methods and splits by number; conditions and limits hold for all of them. ``trials`` is
    the number of trials to come, so that no more workers are started than these can keep busy. ``accept_versions``
    permits workers with other package versions. ``say`` shows a message to the user.
    """

    datasets: Sequence[Dataset]
    methods: Sequence[Method]
    splits: Sequence[Split]
    conditions: Conditions = Conditions()
    limits: Limits = Limits()
    trials: int = 0
    accept_versions: bool = False
    say: Callable[[str], None] = print

    def pickled(self) -> PickledSupplies:
        """The supplies in a form that can be sent to another process."""
        methods = [_dumped(m, f"method {m.name!r}") for m in self.methods]
        conditions = _dumped(self.conditions, "the factors")
        return PickledSupplies(self.datasets, methods, self.splits, conditions, self.limits)


@dataclass(frozen=True, slots=True)
class PickledSupplies:
    """Supplies for worker processes: methods and conditions are pickled, data sets may be.

    ``path`` has folders in which modules are looked up last.
    """

    datasets: Numbered[Dataset | bytes]
    methods: Numbered[bytes]
    splits: Numbered[Split]
    conditions: bytes = b""
    limits: Limits = Limits()
    path: tuple[str, ...] = ()


def supplies_of(plan: Plan, *, accept_versions: bool = False, say: Callable[[str], None] = print) -> Supplies:
    """The supplies of a run of a whole plan."""
    study = plan.study
    limits = Limits(study.time_limit, study.memory_limit)
    return Supplies(
        study.datasets, study.methods, plan.splits, conditions_of(study), limits, len(plan), accept_versions, say
    )


def conditions_of(study: Study) -> Conditions:
    """The conditions under which every trial of a study is performed."""
    return Conditions(
        on_request(study.measures),
        study.factors,
        study.seed,
        study.memory == "exact",
        study.measures if study.training_scores else (),
        study.time_limit if study.training_scores else None,
    )


def _dumped(thing: object, what: str) -> bytes:
    import cloudpickle

    try:
        pickled: bytes = cloudpickle.dumps(thing)
    except Exception as error:
        raise InputError(
            f"{what} can't be sent to a worker process: {error}; run in this process (workers=0)"
        ) from error
    return pickled
