"""Measures of predictions on resamples of the instances, each computed in the fastest way that the measure allows.

- Measures of labels need only the count of each combination of truth and predictions: a table of counts is drawn, at a
  cost that doesn't depend on the number of instances.
- For the area under the ROC curve of two classes the instances are sorted once; resamples change their weights.
- A mean of losses needs only the losses, and so does the root of a mean.
- Any other measure gets the instances, with the number of times that each was drawn as weights.

The area under the ROC curve on resamples: instances are sorted once, and each resample changes their weights.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fairtrial import measures
from fairtrial.errors import InputError
from fairtrial.measures import Folds, Predictions
from fairtrial.measures import channel_checks as channel
from fairtrial.stats.distributions.rank_sums import placements
from fairtrial.stats.distributions.replicates import MOST_GROUPS, chunks, resample_counts, resample_places
from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray
from fairtrial.words import listed, part_of

OwnMeasure = Callable[..., float]

ROOTS = ("rmse", "probability_rmse")
"""The measures that are the square root of a mean over instances."""


@dataclass(frozen=True, slots=True, eq=False)
class ModelPredictions:
    """Predictions of one or more models for the same instances, and the measure to compute from them.

    ``models`` holds the predictions of each model; ``own`` is a user's function of truth, predicted and weights.
    """

    name: str
    truth: npt.NDArray[np.generic]
    models: tuple[npt.NDArray[np.generic], ...]
    channel: str = ""
    n_classes: int = 0
    positive: int | None = None
    own: OwnMeasure | None = None

    @property
    def n(self) -> int:
        return len(self.truth)

    @property
    def facts(self) -> measures.Measure | None:
        """The registered facts of the measure; None for a user's own function."""
        return None if self.own is not None else measures.get(self.name)

    def predictions(self, model: int) -> Predictions:
        return Predictions.checked(
            self.truth, {self.channel: self.models[model]}, n_classes=self.n_classes, positive=self.positive
        )

    def observed(self) -> FloatArray:
        """The measure of each model on the original instances."""
        if self.own is not None:
            return np.asarray(self.weighted(np.ones((1, self.n)))[0])
        each = range(len(self.models))
        return np.array([measures.compute_on(self.predictions(m), [self.name])[self.name][0] for m in each])

    def weighted(self, weights: FloatArray) -> FloatArray:
        """The measure of each model for each row of weights: (rows, models)."""
        if self.own is not None:
            return np.array([[float(self.own(self.truth, m, weights=w)) for m in self.models] for w in weights])
        return np.column_stack([_weighted(self.predictions(m), self.name, weights) for m in range(len(self.models))])


def _weighted(predictions: Predictions, name: str, weights: FloatArray) -> FloatArray:
    """A measure for each row of weights, computed in bulk with each row as a fold."""
    which, rows = np.nonzero(weights)
    folds = Folds(which if len(weights) > 1 else None, len(weights), len(rows))
    every = predictions.subset(rows, folds)
    weighed = replace(every, weights=weights[which, rows].astype(np.float64), _made={})
    return measures.compute_on(weighed, [name])[name]


def model_predictions(
    truth: npt.ArrayLike, models: tuple[npt.ArrayLike, ...], measure: str | OwnMeasure, positive: object
) -> ModelPredictions:
    """Check truth and predictions, and code them as the measure needs them."""
    channel.one_length({"truth": truth, **{f"predictions {i + 1}": m for i, m in enumerate(models)}})
    if callable(measure):
        _check_own(measure)
        name = getattr(measure, "__name__", "measure").replace("<lambda>", "measure")
        return ModelPredictions(name, np.asarray(truth), tuple(np.asarray(m) for m in models), own=measure)
    facts = measures.get(measure)
    if facts.from_trials:
        raise InputError(
            f"measure must be computed from predictions, got {facts.name!r}, which is recorded while a trial runs"
        )
    needs = facts.needs[0]
    if facts.task != "classes":
        predicted = tuple(channel.numbers(f"predictions {i + 1}", m) for i, m in enumerate(models))
        return ModelPredictions(facts.name, channel.numbers("truth", truth), predicted, needs)
    labels = channel.labels("truth", truth)
    arrays: tuple[npt.NDArray[np.generic], ...]
    if needs == "label":
        given = [channel.labels(f"predictions {i + 1}", m) for i, m in enumerate(models)]
        known, (actual, *coded) = _coded(labels, *given)
        arrays = tuple(coded)
    else:
        known, (actual,) = channel.encode(labels, None, None)
        arrays = tuple(channel.numbers(f"predictions {i + 1}", m, infinite=True) for i, m in enumerate(models))
        if len({a.shape for a in arrays}) > 1:
            raise InputError(
                f"predictions of both models must have the same shape, got {listed(a.shape for a in arrays)}"
            )
    place = channel.position(positive, known)
    return ModelPredictions(facts.name, actual, arrays, needs, len(known), place)


def _check_own(measure: OwnMeasure) -> None:
    """Refuse what can't be called as a measure; functions of other languages say nothing of their arguments."""
    try:
        signature = inspect.signature(measure)
    except ValueError:
        return
    try:
        signature.bind([], [], weights=[])
    except TypeError as error:
        raise InputError(
            f"measure must be a name, or a function f(truth, predicted, weights=…), got {measure!r} ({error})"
        ) from None


SMALL = 1000  # labels that are smaller whole numbers are coded by a table, without sorting


def _coded(*labels: channel.Labels) -> tuple[channel.Labels, list[npt.NDArray[np.intp]]]:
    """All classes that occur, sorted, and each array of labels as codes of these classes."""
    if all(a.dtype.kind in "iu" and a.min() >= 0 and a.max() < SMALL for a in labels):
        seen = np.sum([np.bincount(a, minlength=SMALL) for a in labels], axis=0)
        seen[:2] += 0 if seen[2:].any() else 1  # if only 0 or 1 occur, the classes are 0 and 1
        return np.flatnonzero(seen), [(np.cumsum(seen > 0) - 1).take(a.astype(np.intp, copy=False)) for a in labels]
    truth, *given = labels
    known, (actual, predicted) = channel.encode(truth, np.concatenate(given), None)
    return known, [actual, *np.split(predicted, len(given))]


class ResampledMeasure(Protocol):
    """A measure of one or more models that can be computed on resamples of the instances."""

    def observed(self) -> FloatArray:
        """The measure of each model on the original instances."""
        ...

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        """The measure of each model on ``count`` random resamples: (count, models)."""
        ...

    def leave_one_out(self) -> tuple[FloatArray, FloatArray]:
        """The measure of each model with one instance of each kind left out, and the size of each kind."""
        ...

    def count_differing(self) -> int:
        """The number of instances on which swapping the two models' predictions can change the measure."""
        ...


def resampled_measure(models: ModelPredictions) -> ResampledMeasure:
    """The measure of these models on resamples, in the fastest form that the measure allows."""
    facts = models.facts
    if facts is None:
        return WeightedInstances(models)
    if facts.needs == ("label",):
        return LabelCounts.of(models)
    plain = measures.get("auc").name == facts.name
    if plain and models.n_classes == 2 and all(np.ndim(m) == 1 for m in models.models):
        return Areas.of(models)
    if facts.name in ROOTS:
        return RootMeans.of(models)
    return Losses.of(models) if facts.per_instance else WeightedInstances(models)


@dataclass(frozen=True, slots=True, eq=False)
class LabelCounts:
    """The count of each combination of truth and predicted labels; a resample draws the whole table of counts."""

    kinds: ModelPredictions
    counts: IntArray

    @classmethod
    def of(cls, models: ModelPredictions) -> LabelCounts:
        """The counts of these models' predictions, which are labels."""
        base = models.n_classes + 1  # a prediction may be −1, none of the classes
        code: IntArray = models.truth.astype(np.int64)
        for labels in models.models:
            code = code * base + (labels.astype(np.int64, copy=False) + 1)
        if base ** (len(models.models) + 1) < 4 * models.n:
            counts = np.bincount(code)
            found = np.flatnonzero(counts)
            counts = counts[found]
        else:
            found, counts = np.unique(code, return_counts=True)
        columns = []
        for _ in models.models:
            found, last = np.divmod(found, base)
            columns.append(last - 1)
        return cls(replace(models, truth=found, models=tuple(columns[::-1])), counts)

    def observed(self) -> FloatArray:
        return np.asarray(self.kinds.weighted(self.counts[None, :].astype(np.float64))[0])

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        drawn = (
            random.multinomial(self.counts.sum(), self.counts / self.counts.sum(), b)
            for b in chunks(count, len(self.counts))
        )
        return np.concatenate([self.kinds.weighted(d.astype(np.float64)) for d in drawn])

    def leave_one_out(self) -> tuple[FloatArray, FloatArray]:
        kinds = len(self.counts)
        rows = (self.counts - np.eye(kinds, dtype=np.int64)[i : i + 512] for i in range(0, kinds, 512))
        return np.concatenate([self.kinds.weighted(r.astype(np.float64)) for r in rows]), self.counts.astype(np.float64)

    def count_differing(self) -> int:
        first, second = self.kinds.models
        differ = first != second
        if self.kinds.facts is not None and self.kinds.facts.per_instance:  # two different wrong labels count alike
            alone = self.kinds.weighted(np.eye(len(self.counts)))
            differ = alone[:, 0] != alone[:, 1]
        return int(self.counts[differ].sum())


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """A measure that is a mean of losses; ``losses`` has instances in rows and models in columns."""

    losses: FloatArray

    @classmethod
    def of(cls, models: ModelPredictions) -> Losses:
        """The losses of these models, each instance measured alone."""
        alone = np.arange(models.n)
        columns = (models.predictions(m).with_folds(alone) for m in range(len(models.models)))
        return cls(np.column_stack([measures.compute_on(c, [models.name])[models.name] for c in columns]))

    def observed(self) -> FloatArray:
        return np.asarray(self.losses.mean(axis=0))

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        n = len(self.losses)
        return np.concatenate([resample_counts(random, n, b) @ self.losses / n for b in chunks(count, n)])

    def leave_one_out(self) -> tuple[FloatArray, FloatArray]:
        n = len(self.losses)
        return (self.losses.sum(axis=0) - self.losses) / (n - 1), np.ones(n)

    def count_differing(self) -> int:
        return int((self.losses[:, 0] != self.losses[:, 1]).sum())


@dataclass(frozen=True, slots=True, eq=False)
class RootMeans:
    """A measure that is the root of a mean of squares; ``squares`` has instances in rows and models in columns."""

    models: ModelPredictions
    squares: FloatArray

    @classmethod
    def of(cls, models: ModelPredictions) -> RootMeans:
        """The squares of these models: that of an instance alone is the square of its measure."""
        return cls(models, Losses.of(models).losses ** 2)

    def observed(self) -> FloatArray:
        return self.models.observed()

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        return np.sqrt(Losses(self.squares).replicates(random, count))

    def leave_one_out(self) -> tuple[FloatArray, FloatArray]:
        """The measure with each instance left out in turn, or each of 1,000 groups."""
        member, groups = _groups(len(self.squares))
        inside = np.column_stack([np.bincount(member, column, groups) for column in self.squares.T])
        left = len(self.squares) - np.bincount(member, minlength=groups)
        return np.sqrt((self.squares.sum(axis=0) - inside).clip(0.0) / left[:, None]), np.ones(groups)

    def count_differing(self) -> int:
        return WeightedInstances(self.models).count_differing()


def _groups(n: int) -> tuple[IntArray, int]:
    """The group of each instance that the jackknife leaves out in turn, and their number."""
    groups = min(n, MOST_GROUPS)
    return np.random.default_rng(n).permutation(np.arange(n) % groups), groups


@dataclass(frozen=True, slots=True, eq=False)
class WeightedInstances:
    """Any measure, computed from the instances with the number of times that each was drawn as weights."""

    models: ModelPredictions

    def observed(self) -> FloatArray:
        return self.models.observed()

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        n = self.models.n
        drawn = (resample_counts(random, n, b) for b in chunks(count, n))
        return np.concatenate([self.models.weighted(d.astype(np.float64)) for d in drawn])

    def leave_one_out(self) -> tuple[FloatArray, FloatArray]:
        """The measure with each instance left out in turn, or each of 1,000 groups."""
        n = self.models.n
        member, groups = _groups(n)
        rows = (
            (member != np.arange(first, min(first + step, groups))[:, None]).astype(np.float64)
            for step in (next(chunks(groups, n)),)
            for first in range(0, groups, step)
        )
        return np.concatenate([self.models.weighted(r) for r in rows]), np.ones(groups)

    def count_differing(self) -> int:
        first, second = self.models.models
        return int((first != second).reshape(self.models.n, -1).any(axis=1).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The ranking of the instances by one model: negatives in ascending order, and each positive's position among them.

    For each positive, ``below`` is the number of negatives that score lower, and ``upto`` of those that score at most
    as high; ``upto`` is None if there are no ties. ``negatives`` sorts the negatives; it is None if they are already
    sorted.
    """

    negatives: IntArray | None
    below: IntArray
    upto: IntArray | None

    @classmethod
    def of(cls, up: FloatArray, down: FloatArray) -> Order:
        """The ranking from the scores of the positives and of the negatives, in the order in which they are counted."""
        counted = bool((down[1:] >= down[:-1]).all())
        negatives = None if counted else np.argsort(down)
        down = down if negatives is None else down[negatives]
        below, upto = np.searchsorted(down, up, "left"), np.searchsorted(down, up, "right")
        return cls(negatives, below, upto if (below != upto).any() else None)

    def areas(self, drawn: IntArray, starts: IntArray, of_negatives: IntArray) -> FloatArray:
        """The number of correctly ordered pairs in each replicate.

        ``drawn`` are the positives of all replicates, ``starts`` the positions at which a replicate begins, and
        ``of_negatives`` the number of times that each negative was drawn.
        """
        down = of_negatives if self.negatives is None else of_negatives.take(self.negatives, axis=1)
        passed = np.zeros((len(down), down.shape[1] + 1), dtype=np.int64)
        np.cumsum(down, axis=1, out=passed[:, 1:])
        lower = passed.take(self.below, axis=1)
        if self.upto is not None:
            lower += passed.take(self.upto, axis=1)
        sums = np.add.reduceat(lower.ravel().take(drawn), starts)
        return np.asarray(sums / (1 if self.upto is None else 2))


@dataclass(frozen=True, slots=True, eq=False)
class Areas:
    """The areas under the ROC curve of one or more models on the same instances.

    Positives and negatives are sorted by the scores of the first model, which makes lookups for this model fast: its
    counts need no reordering, and positives with similar positions are next to each other.
    """

    positive: BoolArray
    scores: tuple[FloatArray, ...]
    orders: tuple[Order, ...]

    @classmethod
    def of(cls, models: ModelPredictions) -> Areas:
        """The areas of these models, whose predictions are scores."""
        focus = models.n_classes - 1 if models.positive is None else models.positive
        positive = np.asarray(models.truth == focus)
        if not 0 < positive.sum() < len(positive):
            raise InputError(
                "truth must hold positives and negatives, "
                f"got {part_of(int(positive.sum()), len(positive), 'positive instance')}"
            )
        scores = tuple(np.asarray(m, dtype=np.float64) for m in models.models)
        base = tuple(np.argsort(scores[0][chosen]) for chosen in (positive, ~positive))
        orders = tuple(Order.of(s[positive][base[0]], s[~positive][base[1]]) for s in scores)
        return cls(positive, scores, orders)

    def observed(self) -> FloatArray:
        return np.array([placements(self.positive, scores).area for scores in self.scores])

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        n, m = len(self.positive), int(self.positive.sum())
        parts = []
        for b in chunks(count, n):
            ups = random.binomial(n, m / n, b)  # the number of positives in each replicate
            drawn = resample_places(random, m, b, ups)
            starts = np.minimum(np.cumsum(ups) - ups, max(len(drawn) - 1, 0))
            down = resample_counts(random, n - m, b, n - ups)
            pairs = ups * (n - ups) * 1.0
            pairs[pairs == 0] = np.nan  # a resample with only one class has no area
            if len(drawn):
                parts.append(np.column_stack([order.areas(drawn, starts, down) / pairs for order in self.orders]))
            else:
                parts.append(np.full((b, len(self.orders)), np.nan))
        return np.concatenate(parts)

    def leave_one_out(self) -> tuple[FloatArray, FloatArray]:
        n, columns = len(self.positive), []
        for scores in self.scores:
            found, left_out = placements(self.positive, scores), np.empty(n)
            for chosen, own in ((self.positive, found.of_positives), (~self.positive, found.of_negatives)):
                k = len(own)
                left_out[chosen] = (k * found.area - own) / (k - 1) if k > 1 else np.nan
            columns.append(left_out)
        return np.column_stack(columns), np.ones(n)

    def count_differing(self) -> int:
        first, second = self.scores
        return int((first != second).sum())
