"""What executors hand to the trials that they perform: data sets, methods, splits, conditions and limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from fairtrial.data import Dataset
from fairtrial.design import Factor
from fairtrial.engine.gauges import on_request
from fairtrial.errors import InputError
from fairtrial.resampling import Split

if TYPE_CHECKING:
    from fairtrial.design import Plan, Study

__all__ = ["Conditions", "Limits", "Supplies", "conditions_of", "supplies_of"]

Thing = TypeVar("Thing", covariant=True)


class Numbered(Protocol[Thing]):
    """A list, or a dictionary with numbers as keys."""

    def __getitem__(self, number: int, /) -> Thing: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, and bytes on top of what its process had before, that one trial may use; None for no limit."""

    seconds: float | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Conditions:
    """What every trial of a study is performed under.

    ``extra`` names resources that are recorded on request; ``factors`` give their levels a meaning, with what they draw
    from ``seed``, the study's; ``exact_memory`` traces allocations.
    """

    extra: frozenset[str] = frozenset()
    factors: tuple[Factor, ...] = ()
    seed: int = 0
    exact_memory: bool = False


@dataclass(frozen=True, slots=True)
class Supplies:
    """What trials refer to by number, and what holds for all of them.

    A data set may be pickled already, a method and the conditions always are; ``path`` names folders where modules are
    looked for when they are nowhere else.
    """

    datasets: Numbered[Dataset | bytes]
    methods: Numbered[bytes]
    splits: Numbered[Split]
    conditions: bytes = b""
    limits: Limits = Limits()
    path: tuple[str, ...] = ()


def supplies_of(plan: Plan) -> Supplies:
    """What the trials of a plan refer to, ready to be sent to another process."""
    study = plan.study
    limits = Limits(study.time_limit, study.memory_limit)
    methods = [_dumped(m, f"method {m.name!r}") for m in study.methods]
    conditions = _dumped(conditions_of(study), "the factors")
    return Supplies(study.datasets, methods, plan.splits, conditions, limits)


def conditions_of(study: Study) -> Conditions:
    """What every trial of a study is performed under."""
    return Conditions(on_request(study.measures), study.factors, study.seed, study.memory == "exact")


def _dumped(thing: object, what: str) -> bytes:
    import cloudpickle

    try:
        pickled: bytes = cloudpickle.dumps(thing)
    except Exception as error:
        raise InputError(f"{what} can't be sent to a worker process: {error}") from error
    return pickled
