"""What all intermediates are made from: truth, predictions, folds, weights; and the intermediates made so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError
from fairtrial.measures import checks
from fairtrial.measures.folds import FloatArray, Folds

__all__ = ["AVERAGES", "Average", "Intermediate", "Predictions", "Task", "check_average"]

Task = Literal["classes", "values", "any"]
Average = Literal["macro", "micro", "weighted"]
AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted")

SUBSTITUTES = {"score": "probability"}
"""A channel that is not there may be replaced: a probability ranks as well as a score."""


class Intermediate(Protocol):
    """What a formula works on: counts, a ranking, residuals… of all folds at once.

    It checks and counts once; every measure of its family reads it. Besides these members it has a
    class method ``read``, whose arguments become those of the public functions (``truth, predicted, …``).
    """

    needs: ClassVar[tuple[str, ...]]
    task: ClassVar[Task]

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Made from checked predictions, for all folds at once."""
        ...

    def reduce(self, values: FloatArray) -> FloatArray:
        """From what the formula gives (perhaps per fold and class) to one value per fold."""
        ...


T = TypeVar("T", bound=Intermediate)


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Truth and predictions of all instances of all folds.

    ``truth`` holds class codes 0 … ``n_classes`` − 1, or numbers where ``n_classes`` is 0.
    ``positive`` is a class code: binary measures are of that class; None is the last of two classes,
    and all classes (averaged) where there are more. ``average`` overrules it.
    """

    truth: NDArray[Any]
    channels: Mapping[str, NDArray[Any]]
    folds: Folds
    n_classes: int = 0
    positive: int | None = None
    average: Average | None = None
    weights: FloatArray | None = None
    _made: dict[type[Intermediate], Intermediate] = field(default_factory=dict, repr=False)

    @classmethod
    def checked(
        cls,
        truth: ArrayLike,
        channels: Mapping[str, ArrayLike],
        *,
        n_classes: int,
        folds: ArrayLike | None = None,
        positive: int | None = None,
        average: Average | None = None,
        weights: ArrayLike | None = None,
    ) -> Predictions:
        """Check what all intermediates rely on; each channel is checked by the intermediate that reads it."""
        arrays = {name: np.asarray(a) for name, a in channels.items()}
        checks.one_length({"truth": truth, **arrays, "folds": folds, "weights": weights})
        if positive is not None and not 0 <= positive < n_classes:
            raise InputError(f"positive must be a class code from 0 to {n_classes - 1}, got {positive!r}")
        outcome = checks.codes_of("truth", truth, n_classes) if n_classes else checks.numbers("truth", truth)
        return cls(
            truth=outcome,
            channels=arrays,
            folds=Folds.of(folds, len(outcome)),
            n_classes=n_classes,
            positive=positive,
            average=average,
            weights=checks.weights_of(weights),
        )

    @property
    def focus(self) -> int | None:
        """The class that binary measures are about; None where all classes are averaged."""
        if self.average is not None or (self.positive is None and self.n_classes > 2):
            return None
        return self.n_classes - 1 if self.positive is None else self.positive

    def channel(self, name: str) -> NDArray[Any]:
        """What was predicted, under that name or its substitute."""
        for candidate in (name, SUBSTITUTES.get(name, name)):
            if candidate in self.channels:
                return self.channels[candidate]
        raise InputError(f"the channel {name!r} is needed, but only {sorted(self.channels)} were given")

    def shared(self, of: type[T]) -> T:
        """The intermediate of that kind, made at the first request."""
        if of not in self._made:
            self._made[of] = of.build(self)
        return self._made[of]  # type: ignore[return-value]

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean of per-instance losses in each fold."""
        return self.folds.mean(losses, self.weights)


def check_average(average: str | None, positive: object) -> None:
    """An average is one of :data:`AVERAGES`, and excludes a positive class."""
    if average is not None and average not in AVERAGES:
        raise InputError(f"average must be 'macro', 'micro' or 'weighted', got {average!r}")
    if average is not None and positive is not None:
        raise InputError(f"give either positive or average, got positive={positive!r} and average={average!r}")
