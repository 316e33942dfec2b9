"""What a measure of predictions is on resamples of the instances, at a cost that depends on what the measure needs.

- Measures of labels need only how often each combination of truth and predictions occurs: that table is drawn, at a
  cost that doesn't depend on the number of instances.
- The area under the ROC curve of two classes is sorted once; resamples re-weigh the sorted instances.
- A mean of losses needs the losses.
- Whatever else is a measure gets the instances and how often each was drawn, as weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fairtrial import measures
from fairtrial.errors import InputError
from fairtrial.measures import Folds, Predictions
from fairtrial.measures import channel_checks as channel
from fairtrial.stats.distributions.replicates import MOST_GROUPS, chunks, resample_counts
from fairtrial.stats.score_arrays import FloatArray, IntArray

__all__ = ["Compared", "Resampled", "compared", "resampled"]

OwnMeasure = Callable[..., float]


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Predictions of one or more models for the same instances, and the measure that is asked for.

    ``models`` holds what each predicted; ``own`` is a user's function of truth, predicted and weights.
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
        """What is known of the measure; None of a function of the user's own."""
        return None if self.own is not None else measures.get(self.name)

    def predictions(self, model: int) -> Predictions:
        return Predictions.checked(
            self.truth, {self.channel: self.models[model]}, n_classes=self.n_classes, positive=self.positive
        )

    def observed(self) -> FloatArray:
        """The measure of each model, on the instances as they are."""
        if self.own is not None:
            return np.asarray(self.weighted(np.ones((1, self.n)))[0])
        each = range(len(self.models))
        return np.array([measures.compute_on(self.predictions(m), [self.name])[self.name][0] for m in each])

    def weighted(self, weights: FloatArray) -> FloatArray:
        """The measure of each model with each row of weights: (rows, models)."""
        if self.own is not None:
            return np.array([[float(self.own(self.truth, m, weights=w)) for m in self.models] for w in weights])
        return np.column_stack([_weighted(self.predictions(m), self.name, weights) for m in range(len(self.models))])


def _weighted(predictions: Predictions, name: str, weights: FloatArray) -> FloatArray:
    """One measure, each row of weights a fold of its own."""
    which, rows = np.nonzero(weights)
    folds = Folds(which if len(weights) > 1 else None, len(weights), len(rows))
    every = predictions.subset(rows, folds)
    weighed = replace(every, weights=weights[which, rows].astype(np.float64), _made={})
    return measures.compute_on(weighed, [name])[name]


def compared(
    truth: npt.ArrayLike, models: tuple[npt.ArrayLike, ...], measure: str | OwnMeasure, positive: object
) -> Compared:
    """Truth and predictions, checked and coded as the measure needs them."""
    channel.one_length({"truth": truth, **{f"predictions {i + 1}": m for i, m in enumerate(models)}})
    if callable(measure):
        name = getattr(measure, "__name__", "measure").replace("<lambda>", "measure")
        return Compared(name, np.asarray(truth), tuple(np.asarray(m) for m in models), own=measure)
    facts = measures.get(measure)
    if facts.from_trials:
        raise InputError(f"measure must be one of predictions, but {facts.name} is recorded with each trial")
    needs = facts.needs[0]
    if facts.task != "classes":
        predicted = tuple(channel.numbers(f"predictions {i + 1}", m) for i, m in enumerate(models))
        return Compared(facts.name, channel.numbers("truth", truth), predicted, needs)
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
            raise InputError(f"predictions must be of one shape, got {' and '.join(str(a.shape) for a in arrays)}")
    place = channel.position(positive, known)
    return Compared(facts.name, actual, arrays, needs, len(known), place)


SMALL = 1000  # whole numbers below it are coded by a table


def _coded(*labels: channel.Labels) -> tuple[channel.Labels, list[npt.NDArray[np.intp]]]:
    """All classes that occur, sorted, and each array as codes; small whole numbers without a sort."""
    if all(a.dtype.kind in "iu" and a.min() >= 0 and a.max() < SMALL for a in labels):
        seen = np.sum([np.bincount(a, minlength=SMALL) for a in labels], axis=0)
        seen[:2] += 0 if seen[2:].any() else 1  # zeros, ones or both mean 0 and 1
        return np.flatnonzero(seen), [(np.cumsum(seen > 0) - 1).take(a.astype(np.intp, copy=False)) for a in labels]
    truth, *given = labels
    known, (actual, predicted) = channel.encode(truth, np.concatenate(given), None)
    return known, [actual, *np.split(predicted, len(given))]


class Resampled(Protocol):
    """A measure that can be taken of resamples."""

    def observed(self) -> FloatArray:
        """The measure of each model, on the instances as they are."""
        ...

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        """The measure of each model on so many resamples: (count, models)."""
        ...

    def without_each(self) -> tuple[FloatArray, FloatArray]:
        """The measure of each model without each instance (or kind of instance), and how many there are of it."""
        ...

    def differing(self) -> int:
        """On how many instances it matters which of two models made which prediction."""
        ...


def resampled(these: Compared) -> Resampled:
    """The quickest way that the measure allows."""
    facts = these.facts
    if facts is None:
        return Weighed(these)
    if facts.needs == ("label",):
        return Cells.of(these)
    plain = measures.get("auc").name == facts.name
    if plain and these.n_classes == 2 and all(np.ndim(m) == 1 for m in these.models):
        from fairtrial.stats.distributions.resampled_areas import Areas

        return Areas.of(these)
    return Losses.of(these) if facts.per_instance else Weighed(these)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """How often each combination of truth and predicted labels occurs: a table that is drawn as a whole."""

    kinds: Compared
    counts: IntArray

    @classmethod
    def of(cls, these: Compared) -> Cells:
        base = these.n_classes + 1  # predictions may be none of the classes: −1
        code: IntArray = these.truth.astype(np.int64)
        for labels in these.models:
            code = code * base + (labels.astype(np.int64, copy=False) + 1)
        if base ** (len(these.models) + 1) < 4 * these.n:
            counts = np.bincount(code)
            found = np.flatnonzero(counts)
            counts = counts[found]
        else:
            found, counts = np.unique(code, return_counts=True)
        columns = []
        for _ in these.models:
            found, last = np.divmod(found, base)
            columns.append(last - 1)
        return cls(replace(these, truth=found, models=tuple(columns[::-1])), counts)

    def observed(self) -> FloatArray:
        return np.asarray(self.kinds.weighted(self.counts[None, :].astype(np.float64))[0])

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        drawn = (
            random.multinomial(self.counts.sum(), self.counts / self.counts.sum(), b)
            for b in chunks(count, len(self.counts))
        )
        return np.concatenate([self.kinds.weighted(d.astype(np.float64)) for d in drawn])

    def without_each(self) -> tuple[FloatArray, FloatArray]:
        kinds = len(self.counts)
        rows = (self.counts - np.eye(kinds, dtype=np.int64)[i : i + 512] for i in range(0, kinds, 512))
        return np.concatenate([self.kinds.weighted(r.astype(np.float64)) for r in rows]), self.counts.astype(np.float64)

    def differing(self) -> int:
        first, second = self.kinds.models
        differ = first != second
        if self.kinds.facts is not None and self.kinds.facts.per_instance:  # two wrong labels are as good
            alone = self.kinds.weighted(np.eye(len(self.counts)))
            differ = alone[:, 0] != alone[:, 1]
        return int(self.counts[differ].sum())


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """A mean of losses: (instances, models)."""

    losses: FloatArray

    @classmethod
    def of(cls, these: Compared) -> Losses:
        alone = np.arange(these.n)
        columns = (these.predictions(m).with_folds(alone) for m in range(len(these.models)))
        return cls(np.column_stack([measures.compute_on(c, [these.name])[these.name] for c in columns]))

    def observed(self) -> FloatArray:
        return np.asarray(self.losses.mean(axis=0))

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        n = len(self.losses)
        return np.concatenate([resample_counts(random, n, b) @ self.losses / n for b in chunks(count, n)])

    def without_each(self) -> tuple[FloatArray, FloatArray]:
        n = len(self.losses)
        return (self.losses.sum(axis=0) - self.losses) / (n - 1), np.ones(n)

    def differing(self) -> int:
        return int((self.losses[:, 0] != self.losses[:, 1]).sum())


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """Any measure, of instances with weights."""

    these: Compared

    def observed(self) -> FloatArray:
        return self.these.observed()

    def replicates(self, random: np.random.Generator, count: int) -> FloatArray:
        n = self.these.n
        drawn = (resample_counts(random, n, b) for b in chunks(count, n))
        return np.concatenate([self.these.weighted(d.astype(np.float64)) for d in drawn])

    def without_each(self) -> tuple[FloatArray, FloatArray]:
        """Without each instance, or without each of 1,000 groups."""
        n = self.these.n
        groups = min(n, MOST_GROUPS)
        member = np.random.default_rng(n).permutation(np.arange(n) % groups)
        rows = (
            (member != np.arange(first, min(first + step, groups))[:, None]).astype(np.float64)
            for step in (next(chunks(groups, n)),)
            for first in range(0, groups, step)
        )
        return np.concatenate([self.these.weighted(r) for r in rows]), np.ones(groups)

    def differing(self) -> int:
        first, second = self.these.models
        return int((first != second).reshape(self.these.n, -1).any(axis=1).sum())
