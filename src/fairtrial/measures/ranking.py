"""Intermediates of score measures: the ranking of the instances in each fold, and the steps of its ROC curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.fold_axis import FloatArray, Folds, IntArray, ratio, stretches
from fairtrial.measures.predictions import Predictions, Task

Rows = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Groups of equal scores: fold by fold, and within each fold from the highest score down.

    ``ends`` are the positions of the last score of each group, None if all scores of each fold differ. ``filled`` are
    the folds that are not empty, ``starts`` the first groups of these folds, ``sizes`` their numbers of instances.
    ``count`` is the number of all folds, including empty ones.
    """

    ranked: FloatArray
    ends: IntArray | None
    starts: IntArray
    filled: IntArray
    sizes: IntArray
    count: int

    @classmethod
    def of(cls, ranked: FloatArray, folds: _FoldByFold) -> Groups:
        """Group scores that are sorted."""
        ends = _ends_of_equals(ranked, folds.first)
        starts = folds.first if ends is None else np.searchsorted(ends, folds.first)
        return cls(ranked, ends, starts, folds.filled, folds.sizes, folds.count)

    @property
    def scores(self) -> FloatArray:
        """The score of each group; these are the thresholds."""
        return self.ranked if self.ends is None else self.ranked.take(self.ends)

    def at_ends(self, covered: Rows) -> Rows:
        """Select from values of all instances those at the end of each group."""
        return covered if self.ends is None else covered.take(self.ends)


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The instances (``rows``) sorted by fold and score, and the groups of equal scores."""

    rows: IntArray
    groups: Groups

    @classmethod
    def of(cls, scores: FloatArray, folds: Folds) -> Order:
        """Sort scores within folds."""
        own = _FoldByFold.of(folds)
        falling = -own.in_order(scores)
        rows = _within_folds(_argsort, falling, own.sizes, np.intp)
        if len(own.sizes) > 1:
            rows += np.repeat(own.first, own.sizes)
        rows = rows if own.together is None else own.together.take(rows)
        ranked = scores.take(rows, out=falling, mode="clip")  # reuses the memory
        return cls(rows, Groups.of(ranked, own))

    def steps(self, positive: NDArray[np.bool_], negative: NDArray[np.bool_], weights: FloatArray | None) -> Steps:
        """Count the positives and negatives that score at least as high as each group: the steps of the ROC curves."""
        covered = [running_totals(self._amounts(chosen, weights), self.groups.sizes) for chosen in (positive, negative)]
        tp, fp = (self.groups.at_ends(c) for c in covered)
        return Steps(tp, fp, self.groups)

    def _amounts(self, chosen: NDArray[np.bool_], weights: FloatArray | None) -> Rows:
        return (chosen if weights is None else np.where(chosen, weights, 0.0)).take(self.rows)


def running_totals(amounts: Rows, sizes: IntArray) -> Rows:
    """Running totals, restarted in each fold, so that a fold has the same values as if it were alone."""
    kind: type[np.generic] = np.float64 if amounts.dtype.kind == "f" else np.int32 if len(amounts) < 2**31 else np.int64

    def running_total(matrix: Rows) -> Rows:
        return np.cumsum(matrix, axis=1, dtype=kind)

    return _within_folds(running_total, amounts, sizes, kind)


@dataclass(frozen=True, slots=True, eq=False)
class _FoldByFold:
    """How instances are grouped by fold.

    ``together`` is an index that sorts them by fold; None if they are sorted. ``filled`` are the folds that are not
    empty, ``sizes`` and ``first`` their sizes and first instances; ``count`` is the number of all folds.
    """

    together: IntArray | None
    filled: IntArray
    sizes: IntArray
    first: IntArray
    count: int

    @classmethod
    def of(cls, folds: Folds) -> _FoldByFold:
        sizes = folds.sizes()
        filled = np.flatnonzero(sizes)
        sizes = sizes[filled]
        return cls(_fold_by_fold(folds), filled, sizes, np.cumsum(sizes) - sizes, folds.count)

    def in_order(self, values: Rows) -> Rows:
        return values if self.together is None else values.take(self.together)


class Stretch(NamedTuple):
    """A stretch of consecutive steps, each from ``x0, y0`` to ``x1, y1`` (false and true positives).

    ``folds`` are the positions of their folds among those that are not empty, ``cuts`` the first steps of these folds.
    """

    x0: FloatArray
    x1: FloatArray
    y0: FloatArray
    y1: FloatArray
    folds: slice
    cuts: IntArray

    def spread(self, per_fold: FloatArray) -> FloatArray:
        """The value of its fold, for each step."""
        return np.repeat(per_fold[self.folds], np.diff(self.cuts, append=len(self.x0)))


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The steps of the ROC curves of all folds: true and false positives at each distinct score as threshold.

    ``tp`` and ``fp`` go through the scores of a fold from the highest down, then through those of the next fold.
    Without weights they are whole numbers.

    >>> steps = Ranking.read([0, 1, 0, 1, 1], [0.5, 0.2, 0.5, 0.9, 0.5]).steps[0]
    >>> steps.tp.tolist(), steps.fp.tolist()
    ([1, 2, 3], [0, 2, 2])
    """

    tp: Rows
    fp: Rows
    groups: Groups

    @classmethod
    def against_rest(cls, scores: FloatArray, positive: NDArray[np.bool_], folds: Folds) -> Steps:
        """Make the steps from scores of at least 0, without weights: sorting numbers is three times as fast as argsort.

        Such scores have no sign bit, so that the lowest bit can hold whether the instance is positive.
        """
        own = _FoldByFold.of(folds)
        keys = (scores + 0.0).view(np.uint64)  # −0 becomes 0
        keys <<= np.uint64(1)
        keys |= positive
        np.invert(keys, out=keys)  # to sort the highest first
        keys = _within_folds(_sorted, own.in_order(keys), own.sizes, np.uint64)
        np.invert(keys, out=keys)
        marked = keys.astype(np.uint8) & np.uint8(1)
        keys >>= np.uint64(1)
        groups = Groups.of(keys.view(np.float64), own)
        tp = running_totals(marked, own.sizes)
        fp = np.arange(1, len(tp) + 1, dtype=tp.dtype)
        fp -= tp
        if len(own.sizes) > 1:
            fp -= np.repeat(own.first, own.sizes).astype(tp.dtype)
        return cls(groups.at_ends(tp), groups.at_ends(fp), groups)

    @property
    def positives(self) -> FloatArray:
        """The number (or the weight) of positives in each fold."""
        return self._last(self.tp)

    @property
    def negatives(self) -> FloatArray:
        """The number (or the weight) of negatives in each fold."""
        return self._last(self.fp)

    @property
    def pairs(self) -> FloatArray:
        """The number of pairs of a positive and a negative in each fold."""
        return self.positives * self.negatives

    def area(self) -> FloatArray:
        """The area under the ROC curve of each fold: the share of pairs in order; ties count ½ (Mann–Whitney's U)."""
        return ratio(self._sums(lambda s: (s.x1 - s.x0) * (s.y0 + s.y1)), 2 * self.pairs)

    def area_up_to(self, max_fpr: float) -> FloatArray:
        """The area under the ROC curve of each fold up to the false positive rate ``max_fpr``."""
        limits = self.negatives[self.groups.filled] * max_fpr

        def area(s: Stretch) -> FloatArray:
            areas, room = np.zeros(len(s.x0)), s.spread(limits) - s.x0
            part = np.flatnonzero((room > 0) & (s.x1 > s.x0))
            x0, x1, y0, y1 = s.x0[part], s.x1[part], s.y0[part], s.y1[part]
            kept = np.minimum(x1 - x0, room[part])
            areas[part] = kept * (y0 + (y1 - y0) * kept / (x1 - x0) / 2)
            return areas

        return ratio(self._sums(area, limits), self.pairs)

    def mean_precision(self) -> FloatArray:
        """The mean precision in each fold, weighted by the recall gained at each step; nan with one class."""
        gains = self._sums(lambda s: (s.y1 - s.y0) * s.y1 / _not_zero(s.x1 + s.y1))
        return ratio(np.where(self.negatives > 0, gains, np.nan), self.positives)

    def _sums(self, term: Callable[[Stretch], FloatArray], limits: FloatArray | None = None) -> FloatArray:
        """Sum a term over the steps of each fold; with limits, steps beyond them add nothing and are skipped."""
        sums = np.zeros(len(self.groups.starts))
        for part in stretches(len(self.tp)):
            first, stop = part.start, min(part.stop, len(self.tp))
            if limits is None or not self._beyond(first, stop, limits):
                s = self._stretch(first, stop)
                sums[s.folds] += np.add.reduceat(term(s), s.cuts)
        return self._placed(sums)

    def _beyond(self, first: int, stop: int, limits: FloatArray) -> bool:
        """Whether these steps belong to one fold that has reached its limit of false positives before them."""
        low, high = np.searchsorted(self.groups.starts, (first + 1, stop))
        return bool(low == high and first > self.groups.starts[low - 1] and self.fp[first - 1] >= limits[low - 1])

    def _stretch(self, first: int, stop: int) -> Stretch:
        starts = self.groups.starts
        low, high = np.searchsorted(starts, (first, stop))
        new = starts[low:high] - first
        x0, y0 = (_one_earlier(covered, first, stop, new) for covered in (self.fp, self.tp))
        x1, y1 = (covered[first:stop].astype(float, copy=False) for covered in (self.fp, self.tp))
        goes_on = len(new) == 0 or new[0] > 0
        cuts = np.append(0, new) if goes_on else new
        return Stretch(x0, x1, y0, y1, slice(int(low) - goes_on, int(high)), cuts)

    def _last(self, covered: Rows) -> FloatArray:
        return self._placed(covered[np.append(self.groups.starts[1:], len(covered)) - 1])

    def _placed(self, values: Rows) -> FloatArray:
        """Put the values of the folds that are not empty into an array of all folds; the empty folds get 0."""
        out = np.zeros(self.groups.count)
        out[self.groups.filled] = values
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The rankings of the instances of each fold: by the score of the positive class, or of each class.

    ``classes`` are the codes of these classes. In the same order, ``scores`` are their scores and ``steps`` their ROC
    curves against all other classes; ``areas`` are the areas under these curves: (folds, classes).
    """

    needs: ClassVar[tuple[str, ...]] = ("score",)
    task: ClassVar[Task] = "classes"

    classes: tuple[int, ...]
    scores: tuple[FloatArray, ...]
    steps: tuple[Steps, ...]
    areas: FloatArray
    predictions: Predictions

    @classmethod
    def read(
        cls,
        truth: ArrayLike,
        scores: ArrayLike,
        *,
        positive: object = None,
        classes: Classes = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """Rank by scores: one per instance (higher means more positive), or a column per class. Labels of any kind."""
        given = {"scores": scores}
        read = Predictions.of_numbers(truth, given, "score", positive=positive, classes=classes, weights=weights)
        return read.shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build from checked predictions, with one sort for each class.

        With more than two classes a probability is preferred to a score: scores of a softmax model can't be compared
        between instances, but its probabilities can.
        """
        several = predictions.n_classes > 2 and "probability" in predictions.channels
        scores = channel_checks.numbers(
            "score", predictions.channel("probability" if several else "score"), infinite=True
        )
        classes, columns = _columns(scores, predictions)
        steps = tuple(_against_rest(column, k, predictions) for k, column in zip(classes, columns, strict=True))
        areas = np.stack([s.area() for s in steps], axis=1)
        return cls(classes, tuple(columns), steps, areas, predictions)

    def of_each(self, value: Callable[[Steps], FloatArray]) -> FloatArray:
        """Compute a value from the ROC curve of each class, one-vs-rest: (folds, classes)."""
        return np.stack([value(steps) for steps in self.steps], axis=1)

    def against_rest(self) -> FloatArray:
        """The area of each class, one-vs-rest: (folds, classes)."""
        return self.areas

    def against_each(self) -> FloatArray:
        """The area of each ordered pair of classes, by the score of the first: (folds, pairs)."""
        truth, weights, every = self.predictions.truth, self.predictions.weights, range(self.predictions.n_classes)
        orders = (Order.of(scores, self.predictions.folds) for scores in self.scores)
        pairs = ((order, k, j) for k, order in zip(self.classes, orders, strict=True) for j in every if j != k)
        return np.stack([o.steps(truth == k, truth == j, weights).area() for o, k, j in pairs], axis=1)

    def instances(self) -> FloatArray:
        """The number of instances with weight in each fold."""
        folds, weights = self.predictions.folds, self.predictions.weights
        return folds.sizes().astype(float) if weights is None else folds.sum((weights > 0).astype(float))

    def reduce(self, values: FloatArray) -> FloatArray:
        """The mean over classes or pairs; undefined where one of them is undefined."""
        return np.asarray(values.mean(axis=1))


def _against_rest(scores: FloatArray, k: int, predictions: Predictions) -> Steps:
    """The ROC curves of one class, one-vs-rest."""
    positive = predictions.truth == k
    if predictions.weights is None and scores.min() >= 0:
        return Steps.against_rest(scores, positive, predictions.folds)
    return Order.of(scores, predictions.folds).steps(positive, ~positive, predictions.weights)


def _columns(scores: FloatArray, predictions: Predictions) -> tuple[tuple[int, ...], list[FloatArray]]:
    """The classes to rank by, and the scores of each."""
    k, focus = predictions.n_classes, predictions.focus
    if scores.ndim == 1 and focus is not None:
        return (focus,), [scores]
    if scores.ndim == 2 and scores.shape[1] == k:
        classes = tuple(range(k)) if focus is None else (focus,)
        return classes, [scores[:, c] for c in classes]
    raise InputError(f"score must have a column for each of the {k} classes, got the shape {scores.shape}")


def _fold_by_fold(folds: Folds) -> IntArray | None:
    """The index that sorts the instances by fold, with a stable radix sort; None if they are sorted."""
    index = folds.index
    if index is None or (index[1:] >= index[:-1]).all():
        return None
    rows: IntArray = np.arange(len(index))
    for shift in range(0, (folds.count - 1).bit_length(), 16):
        digits = (index.take(rows) >> shift).astype(np.uint16)
        rows = rows.take(np.argsort(digits, kind="stable"))
    return rows


def _within_folds(act: Callable[[Rows], Rows], values: Rows, sizes: IntArray, kind: type[np.generic]) -> Rows:
    """Apply ``act`` to the values of each fold; folds of the same size are rows of one matrix.

    Each row is sorted or summed alone: many short sorts are faster than a long one, and no sum continues into the next
    fold.
    """
    if (sizes == sizes[0]).all():
        return act(values.reshape(len(sizes), -1)).ravel()
    out = np.empty(len(values), kind)
    first = np.cumsum(sizes) - sizes
    for size in np.unique(sizes):
        places = first[sizes == size, None] + np.arange(size)
        out[places] = act(values[places])
    return out


def _argsort(matrix: Rows) -> Rows:
    return np.argsort(matrix, axis=1)


def _sorted(matrix: Rows) -> Rows:
    """Sort each row in place, since nobody else uses the matrix."""
    matrix.sort(axis=1)
    return matrix


def _ends_of_equals(ranked: FloatArray, first: IntArray) -> IntArray | None:
    """The positions after which the score or the fold changes; None if that is everywhere."""
    last = np.empty(len(ranked), dtype=bool)
    last[-1] = True
    np.not_equal(ranked[1:], ranked[:-1], out=last[:-1])
    last[first[1:] - 1] = True
    return None if last.all() else np.flatnonzero(last)


def _one_earlier(covered: Rows, first: int, stop: int, new: IntArray) -> FloatArray:
    """The values one step before ``first`` … ``stop``; 0 at the first step of a fold."""
    out = np.empty(stop - first)
    out[1:] = covered[first : stop - 1]
    out[0] = covered[first - 1]
    out[new] = 0
    return out


def _not_zero(values: FloatArray) -> FloatArray:
    """A divisor without zeros: where it was 0, the dividend is 0 too."""
    return np.asarray(values + (values == 0))
