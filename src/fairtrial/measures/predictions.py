"""What all intermediates are made from: truth, predictions, folds, weights; and the intermediates made so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.fold_axis import FloatArray, Folds, IntArray

__all__ = ["AVERAGES", "Average", "Intermediate", "Predictions", "Prior", "Task", "check_average", "settings_of"]

Task = Literal["classes", "values", "any"]
Average = Literal["macro", "micro", "weighted"]
Prior: TypeAlias = float | Sequence[float] | FloatArray | None
"""The share of the positive of two classes, or the shares of all classes; None: as the instances have them."""

AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted")

SUBSTITUTES = {"score": "probability"}
"""A channel that is not there may be replaced: a probability ranks as well as a score."""


class Intermediate(Protocol):
    """What a formula works on: counts, a ranking, residuals… of all folds at once.

    It checks and counts once; every measure of its family reads it. Besides these members it has a
    class method ``read``, whose arguments become those of the public functions (``truth, predicted, …``), and perhaps
    ``settings``, the names of those that a measure may also be given as an option in its name (``average``, ``prior``).
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
    and all classes (averaged) where there are more. ``average`` overrules it. ``prior`` are the shares of the classes
    for which label measures are to hold, where these are not those of the instances.
    """

    truth: NDArray[Any]
    channels: Mapping[str, NDArray[Any]]
    folds: Folds
    n_classes: int = 0
    positive: int | None = None
    average: Average | None = None
    prior: Prior = None
    weights: FloatArray | None = None
    _made: dict[tuple[object, ...], Intermediate] = field(default_factory=dict, repr=False)

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
        prior: Prior = None,
        weights: ArrayLike | None = None,
    ) -> Predictions:
        """Check what all intermediates rely on; each channel is checked by the intermediate that reads it."""
        channel_checks.same_rows({"truth": truth, **channels, "folds": folds, "weights": weights})
        arrays = {name: np.asarray(a) for name, a in channels.items()}
        channel_checks.one_length({"truth": truth, **arrays, "folds": folds, "weights": weights})
        whole = isinstance(positive, (int, np.integer)) and not isinstance(positive, bool)
        if positive is not None and not (whole and 0 <= positive < n_classes):
            raise InputError(f"positive must be a class code from 0 to {n_classes - 1}, got {positive!r}")
        outcome: NDArray[Any] = channel_checks.numbers("truth", truth) if not n_classes else _codes(truth, n_classes)
        return cls(
            truth=outcome,
            channels=arrays,
            folds=Folds.of(folds, len(outcome)),
            n_classes=n_classes,
            positive=positive,
            average=average,
            prior=prior if prior is None or np.ndim(prior) == 0 else tuple(np.asarray(prior).tolist()),
            weights=channel_checks.weights_of(weights),
        )

    @classmethod
    def of_numbers(
        cls,
        truth: ArrayLike,
        numbers: Mapping[str, ArrayLike],
        channel: str,
        *,
        positive: object,
        classes: Classes,
        weights: ArrayLike | None,
    ) -> Predictions:
        """From labels of any kind and numbers for the classes (by the name of the argument), as one fold."""
        channel_checks.one_length({"truth": truth, **numbers, "weights": weights})
        known, (actual,) = channel_checks.encode(channel_checks.labels("truth", truth), None, classes)
        (given,) = numbers.values()
        place = channel_checks.position(positive, known)
        return cls.checked(actual, {channel: given}, n_classes=len(known), positive=place, weights=weights)

    @property
    def focus(self) -> int | None:
        """The class that binary measures are about; None where all classes are averaged."""
        return None if self.average is not None else self.declared

    @property
    def declared(self) -> int | None:
        """The positive class, whatever is averaged: the last of two if none was named, None of more."""
        if self.positive is None and self.n_classes > 2:
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
        key = (of, *(getattr(self, name) for name in settings_of(of)))
        if key not in self._made:
            self._made[key] = of.build(self)
        return self._made[key]  # type: ignore[return-value]

    def seen(self, *, average: object = None, prior: object = None) -> Predictions:
        """The same predictions with another average or class balance; what was made of them is shared."""
        if average is None and prior is None:
            return self
        check_average(average, None)
        return replace(self, average=average or self.average, prior=prior)  # type: ignore[arg-type]

    def subset(self, rows: IntArray, folds: Folds) -> Predictions:
        """Some of the instances, in these folds."""
        channels = {name: c[rows] for name, c in self.channels.items()}
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, truth=self.truth[rows], channels=channels, weights=weights, folds=folds, _made={})

    def with_folds(self, folds: ArrayLike | None) -> Predictions:
        """The same predictions, grouped otherwise; None is one group."""
        return replace(self, folds=Folds.of(folds, len(self.truth)), _made={})

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean of per-instance losses in each fold."""
        return self.folds.mean(losses, self.weights)

    def mean_parts(self, losses: Callable[[slice], FloatArray]) -> FloatArray:
        """The same of losses that are made for some instances at a time."""
        return self.folds.mean_parts(losses, self.weights)


def _codes(truth: ArrayLike, n_classes: int) -> IntArray:
    return channel_checks.codes_of("truth", truth, n_classes).astype(np.intp, copy=False)


def settings_of(of: type[Intermediate]) -> tuple[str, ...]:
    """What can be asked of an intermediate by an option in a measure's name."""
    return getattr(of, "settings", ())


def check_average(average: object, positive: object) -> None:
    """An average is one of :data:`AVERAGES`, and excludes a positive class."""
    if average is not None and average not in AVERAGES:
        raise InputError(f"average must be 'macro', 'micro' or 'weighted', got {average!r}")
    if average is not None and positive is not None:
        raise InputError(f"give either positive or average, got positive={positive!r} and average={average!r}")
