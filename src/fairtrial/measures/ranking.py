"""How the instances of each fold are ranked, and the steps of its ROC curve: what measures of scores work on."""

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

__all__ = ["Groups", "Order", "Ranking", "Steps", "running_totals"]

Rows = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Scores fold by fold, within each fold the highest first, and where groups of equal ones end.

    ``ends`` is the place of the last of each group of equals, None where all scores of a fold differ; ``starts`` the
    first group of each fold that is not empty; ``filled`` the numbers of those folds and ``sizes`` their instances;
    ``count`` how many folds there are, empty ones too.
    """

    ranked: FloatArray
    ends: IntArray | None
    starts: IntArray
    filled: IntArray
    sizes: IntArray
    count: int

    @classmethod
    def of(cls, ranked: FloatArray, folds: _FoldByFold) -> Groups:
        """Of scores that are sorted."""
        ends = _ends_of_equals(ranked, folds.first)
        starts = folds.first if ends is None else np.searchsorted(ends, folds.first)
        return cls(ranked, ends, starts, folds.filled, folds.sizes, folds.count)

    @property
    def scores(self) -> FloatArray:
        """The score of each group: the thresholds."""
        return self.ranked if self.ends is None else self.ranked.take(self.ends)

    def at_ends(self, covered: Rows) -> Rows:
        """Of what is given for each instance, that at the end of each group."""
        return covered if self.ends is None else covered.take(self.ends)


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The instances (``rows``) by fold and score, and how their scores are grouped."""

    rows: IntArray
    groups: Groups

    @classmethod
    def of(cls, scores: FloatArray, folds: Folds) -> Order:
        """One sort, within folds."""
        own = _FoldByFold.of(folds)
        falling = -own.in_order(scores)
        rows = _within_folds(_argsort, falling, own.sizes, np.intp)
        if len(own.sizes) > 1:
            rows += np.repeat(own.first, own.sizes)
        rows = rows if own.together is None else own.together.take(rows)
        ranked = scores.take(rows, out=falling, mode="clip")  # the memory is there already
        return cls(rows, Groups.of(ranked, own))

    def steps(self, positive: NDArray[np.bool_], negative: NDArray[np.bool_], weights: FloatArray | None) -> Steps:
        """Positives and negatives that score at least as high as each group: the corners of the ROC curves."""
        covered = [running_totals(self._amounts(chosen, weights), self.groups.sizes) for chosen in (positive, negative)]
        tp, fp = (self.groups.at_ends(c) for c in covered)
        return Steps(tp, fp, self.groups)

    def _amounts(self, chosen: NDArray[np.bool_], weights: FloatArray | None) -> Rows:
        return (chosen if weights is None else np.where(chosen, weights, 0.0)).take(self.rows)


def running_totals(amounts: Rows, sizes: IntArray) -> Rows:
    """Running totals, anew in each fold, so that a fold has the value that it would have alone."""
    kind: type[np.generic] = np.float64 if amounts.dtype.kind == "f" else np.int32 if len(amounts) < 2**31 else np.int64

    def running_total(matrix: Rows) -> Rows:
        return np.cumsum(matrix, axis=1, dtype=kind)

    return _within_folds(running_total, amounts, sizes, kind)


@dataclass(frozen=True, slots=True, eq=False)
class _FoldByFold:
    """How to get at the instances fold by fold: ``together`` puts them so, None where they are."""

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
    """Consecutive steps: from ``x0, y0`` to ``x1, y1`` (false and true positives) each.

    ``folds`` are the places of their folds among those that are not empty, ``cuts`` where each of these begins.
    """

    x0: FloatArray
    x1: FloatArray
    y0: FloatArray
    y1: FloatArray
    folds: slice
    cuts: IntArray

    def spread(self, per_fold: FloatArray) -> FloatArray:
        """Each step gets the value of its fold."""
        return np.repeat(per_fold[self.folds], np.diff(self.cuts, append=len(self.x0)))


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The ROC curves of all folds: true and false positives when the threshold is each score that occurs.

    ``tp`` and ``fp`` run through the scores of a fold from the highest down, then through the next fold's.
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
        """Of scores from 0 upwards and without weights: numbers are sorted, three times as fast as places are.

        Such a score has no sign, so that whether the instance is positive travels along in the lowest bit.
        """
        own = _FoldByFold.of(folds)
        keys = (scores + 0.0).view(np.uint64)  # −0 is 0
        keys <<= np.uint64(1)
        keys |= positive
        np.invert(keys, out=keys)  # the highest first
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
        """Of each fold: their number, or their weight."""
        return self._last(self.tp)

    @property
    def negatives(self) -> FloatArray:
        """Of each fold: their number, or their weight."""
        return self._last(self.fp)

    @property
    def pairs(self) -> FloatArray:
        """Pairs of a positive and a negative of each fold."""
        return self.positives * self.negatives

    def area(self) -> FloatArray:
        """Below the ROC curve of each fold: pairs in order, ties by half (Mann–Whitney's U), over all pairs."""
        return ratio(self._sums(lambda s: (s.x1 - s.x0) * (s.y0 + s.y1)), 2 * self.pairs)

    def area_up_to(self, max_fpr: float) -> FloatArray:
        """Below the ROC curve where the false positive rate is at most ``max_fpr``."""
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
        """Of each fold: precision at each step, weighed by the recall that the step gains; nan with one class."""
        gains = self._sums(lambda s: (s.y1 - s.y0) * s.y1 / _not_zero(s.x1 + s.y1))
        return ratio(np.where(self.negatives > 0, gains, np.nan), self.positives)

    def _sums(self, term: Callable[[Stretch], FloatArray], limits: FloatArray | None = None) -> FloatArray:
        """Over the steps of each fold, stretch by stretch; with limits, what is beyond them adds nothing."""
        sums = np.zeros(len(self.groups.starts))
        for part in stretches(len(self.tp)):
            first, stop = part.start, min(part.stop, len(self.tp))
            if limits is None or not self._beyond(first, stop, limits):
                s = self._stretch(first, stop)
                sums[s.folds] += np.add.reduceat(term(s), s.cuts)
        return self._placed(sums)

    def _beyond(self, first: int, stop: int, limits: FloatArray) -> bool:
        """Do these steps belong to one fold that is over its limit of false positives before them?"""
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
        """A value for each fold that is not empty, 0 for the others."""
        out = np.zeros(self.groups.count)
        out[self.groups.filled] = values
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """The ranking of each fold by the score of each class that is asked for: the positive one, or all.

    ``classes`` are their codes, ``scores`` what each is ranked by and ``steps`` the ROC curves against all other
    classes, in the same sequence; ``areas`` what lies below these curves: (folds, classes).
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
        """From labels of any kind and scores, one per instance (higher: more positive) or a column per class."""
        given = {"scores": scores}
        read = Predictions.of_numbers(truth, given, "score", positive=positive, classes=classes, weights=weights)
        return read.shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """One sort for each class that is asked for.

        With more than two classes a probability is taken where there is one, even beside a score: the columns of a
        softmax model's scores can't be compared between instances, those of its probabilities can.
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
        """A value of each class's ROC curve against the rest: (folds, classes)."""
        return np.stack([value(steps) for steps in self.steps], axis=1)

    def against_rest(self) -> FloatArray:
        """For each class, the share of pairs with an instance of another class that are in order: (folds, classes)."""
        return self.areas

    def against_each(self) -> FloatArray:
        """For each ordered pair of classes, the same by the score of the first: (folds, pairs)."""
        truth, weights, every = self.predictions.truth, self.predictions.weights, range(self.predictions.n_classes)
        orders = (Order.of(scores, self.predictions.folds) for scores in self.scores)
        pairs = ((order, k, j) for k, order in zip(self.classes, orders, strict=True) for j in every if j != k)
        return np.stack([o.steps(truth == k, truth == j, weights).area() for o, k, j in pairs], axis=1)

    def instances(self) -> FloatArray:
        """Instances of each fold; those without weight are as if they were not there."""
        folds, weights = self.predictions.folds, self.predictions.weights
        return folds.sizes().astype(float) if weights is None else folds.sum((weights > 0).astype(float))

    def reduce(self, values: FloatArray) -> FloatArray:
        """The mean over classes or pairs; undefined where one of them is."""
        return np.asarray(values.mean(axis=1))


def _against_rest(scores: FloatArray, k: int, predictions: Predictions) -> Steps:
    """The ROC curves of one class."""
    positive = predictions.truth == k
    if predictions.weights is None and scores.min() >= 0:
        return Steps.against_rest(scores, positive, predictions.folds)
    return Order.of(scores, predictions.folds).steps(positive, ~positive, predictions.weights)


def _columns(scores: FloatArray, predictions: Predictions) -> tuple[tuple[int, ...], list[FloatArray]]:
    """The classes that are asked for, and the scores of each."""
    k, focus = predictions.n_classes, predictions.focus
    if scores.ndim == 1 and focus is not None:
        return (focus,), [scores]
    if scores.ndim == 2 and scores.shape[1] == k:
        asked = tuple(range(k)) if focus is None else (focus,)
        return asked, [scores[:, c] for c in asked]
    raise InputError(f"score must have a column for each of the {k} classes, got the shape {scores.shape}")


def _fold_by_fold(folds: Folds) -> IntArray | None:
    """The instances in the order of their folds, by a stable sort of 16 bits at a time (radix); None: they are so."""
    index = folds.index
    if index is None or (index[1:] >= index[:-1]).all():
        return None
    rows: IntArray = np.arange(len(index))
    for shift in range(0, (folds.count - 1).bit_length(), 16):
        digits = (index.take(rows) >> shift).astype(np.uint16)
        rows = rows.take(np.argsort(digits, kind="stable"))
    return rows


def _within_folds(act: Callable[[Rows], Rows], values: Rows, sizes: IntArray, kind: type[np.generic]) -> Rows:
    """What ``act`` makes of each fold's values; the folds of one size are the rows of one matrix.

    Rows of a matrix are sorted and summed each for itself: many short sorts are faster than one long one, and
    nothing runs over from fold to fold.
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
    """In place, since it is nobody else's."""
    matrix.sort(axis=1)
    return matrix


def _ends_of_equals(ranked: FloatArray, first: IntArray) -> IntArray | None:
    """Where the next score is another one, or of the next fold; None: everywhere."""
    last = np.empty(len(ranked), dtype=bool)
    last[-1] = True
    np.not_equal(ranked[1:], ranked[:-1], out=last[:-1])
    last[first[1:] - 1] = True
    return None if last.all() else np.flatnonzero(last)


def _one_earlier(covered: Rows, first: int, stop: int, new: IntArray) -> FloatArray:
    """The values one step before ``first`` … ``stop``; 0 where a fold is new."""
    out = np.empty(stop - first)
    out[1:] = covered[first : stop - 1]
    out[0] = covered[first - 1]
    out[new] = 0
    return out


def _not_zero(values: FloatArray) -> FloatArray:
    """A divisor: where it is 0, what is divided is 0 too."""
    return np.asarray(values + (values == 0))
