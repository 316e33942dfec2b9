"""Truth and predictions, from which all intermediates are built, and the protocol of intermediates."""

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
from fairtrial.words import quoted

Task = Literal["classes", "values", "any"]
Average = Literal["macro", "micro", "weighted"]
Prior: TypeAlias = float | Sequence[float] | FloatArray | None
"""The share of the positive class of two, or the shares of all classes; None stands for those of the instances."""

AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted")

SUBSTITUTES = {"score": "probability", "low": "quantiles", "high": "quantiles"}
"""The channels that may replace a missing one: a probability ranks as well as a score, quantiles bound intervals."""


class Intermediate(Protocol):
    """The input of a formula: counts, a ranking, residuals … of all folds at once.

    An intermediate checks and counts once; every measure of its family reads it. Besides these members it has a class
    method ``read``, whose arguments become the arguments of the public functions (``truth, predicted, …``). It may have
    ``settings``: the names of those arguments that can also be options in a measure's name (``average``, ``prior``).
    """

    needs: ClassVar[tuple[str, ...]]
    task: ClassVar[Task]

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build the intermediate from checked predictions, for all folds at once."""
        ...

    def reduce(self, values: FloatArray) -> FloatArray:
        """Reduce the values of a formula (perhaps per fold and class) to one value per fold."""
        ...


T = TypeVar("T", bound=Intermediate)


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Truth and predictions of all instances of all folds.

    ``truth`` holds class codes 0 … ``n_classes`` − 1, or numbers if ``n_classes`` is 0. ``positive`` is the code of the
    class that binary measures are about; None stands for the last of two classes, and for the mean over all classes if
    there are more. ``average`` overrides it. ``prior`` is the class balance for which label measures are to hold, if
    not that of the instances.
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
        """Check truth, folds and weights. Each channel is checked by the intermediate that reads it."""
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
            prior=_prior(prior),
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
        """Check labels of any kind and numbers for the classes (by the name of their argument), as one fold."""
        channel_checks.one_length({"truth": truth, **numbers, "weights": weights})
        known, (actual,) = channel_checks.encode(channel_checks.labels("truth", truth), None, classes)
        (given,) = numbers.values()
        place = channel_checks.position(positive, known)
        return cls.checked(actual, {channel: given}, n_classes=len(known), positive=place, weights=weights)

    @property
    def focus(self) -> int | None:
        """The class that binary measures are about; None if they are averaged over all classes."""
        return None if self.average is not None else self.declared

    @property
    def declared(self) -> int | None:
        """The positive class, whatever the average: the last of two by default; None with more, unless one is named."""
        if self.positive is None and self.n_classes > 2:
            return None
        return self.n_classes - 1 if self.positive is None else self.positive

    def channel(self, name: str) -> NDArray[Any]:
        """The predictions of a channel, or of its substitute."""
        for candidate in (name, SUBSTITUTES.get(name, name)):
            if candidate in self.channels:
                return self.channels[candidate]
        raise InputError(
            f"the channel {name!r} is needed, but channels has only {quoted(sorted(self.channels)) or 'none'}"
        )

    def shared(self, of: type[T]) -> T:
        """The intermediate of one kind, built at the first request."""
        key = (of, *(getattr(self, name) for name in settings_of(of)))
        if key not in self._made:
            self._made[key] = of.build(self)
        return self._made[key]  # type: ignore[return-value]

    def with_settings(self, *, average: object = None, prior: object = None) -> Predictions:
        """These predictions with another average or class balance; intermediates are shared."""
        if average is None and prior is None:
            return self
        check_average(average, None)
        return replace(self, average=average or self.average, prior=prior)  # type: ignore[arg-type]

    def subset(self, rows: IntArray, folds: Folds) -> Predictions:
        """Some of the instances, in other folds."""
        channels = {name: c[rows] for name, c in self.channels.items()}
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, truth=self.truth[rows], channels=channels, weights=weights, folds=folds, _made={})

    def with_channels(self, channels: Mapping[str, NDArray[Any]]) -> Predictions:
        """These instances with other predictions."""
        return replace(self, channels=channels, _made={})

    def with_folds(self, folds: ArrayLike | None) -> Predictions:
        """These predictions in other folds; None means one fold."""
        return replace(self, folds=Folds.of(folds, len(self.truth)), _made={})

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean in each fold of one loss per instance."""
        return self.folds.mean(losses, self.weights)

    def mean_parts(self, losses: Callable[[slice], FloatArray]) -> FloatArray:
        """The weighted mean in each fold of losses that a function makes for a slice of the instances at a time."""
        return self.folds.mean_parts(losses, self.weights)


def _codes(truth: ArrayLike, n_classes: int) -> IntArray:
    return channel_checks.codes_of("truth", truth, n_classes).astype(np.intp, copy=False)


def _prior(prior: Prior) -> Prior:
    """A class balance that can be looked up: a number, or a tuple of numbers."""
    if prior is None:
        return None
    shares = channel_checks.numbers("prior", prior)
    if shares.ndim > 1:
        raise InputError(f"prior must be one share or a list of shares, got an array of shape {shares.shape}")
    return float(shares) if shares.ndim == 0 else tuple(shares.tolist())


def settings_of(of: type[Intermediate]) -> tuple[str, ...]:
    """The settings of an intermediate that can be options in a measure's name."""
    return getattr(of, "settings", ())


def check_average(average: object, positive: object) -> None:
    """Refuse an unknown average, and an average together with a positive class."""
    if average is not None and not (isinstance(average, str) and average in AVERAGES):
        raise InputError(f"average must be 'macro', 'micro' or 'weighted', got {average!r}")
    if average is not None and positive is not None:
        raise InputError(f"give either positive or average, got positive={positive!r} and average={average!r}")
