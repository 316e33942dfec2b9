"""Curves of a ranking over all its thresholds (ROC, coverage, precision–recall), and ROC points of labels.

>>> curve = roc_curve([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9])
>>> print(curve.to_table())
ROC curve of 5 instances (2 positive): area 0.750
threshold    fpr    tpr
        ∞  0.000  0.000
   0.9000  0.000  0.500
   0.6000  0.333  0.500
   0.4000  0.667  1.000
   0.1000  1.000  1.000

The upper convex hull of a ROC or coverage curve.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.confusion_matrix import PerClass
from fairtrial.measures.fold_axis import FloatArray, IntArray, ratio
from fairtrial.measures.ranking import Ranking
from fairtrial.shown import ShownAsText
from fairtrial.tables import Column, Table, formats


def upper_hull(x: FloatArray, y: FloatArray) -> IntArray:
    """The positions of the corners of the upper convex hull of points that increase in both coordinates.

    Points on a side are not corners.

    >>> upper_hull(np.array([0.0, 0.0, 1.0, 1.0, 2.0]), np.array([0.0, 2.0, 4.0, 9.0, 10.0]))
    array([0, 1, 3, 4])
    """
    kept = np.flatnonzero(np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0)))  # repeated points count once
    while True:  # vectorised, as long as it removes many points at a time
        above = _above_neighbours(x[kept], y[kept])
        fewer, kept = above.sum(), kept[above]
        if fewer > 0.9 * len(above):
            break
    return kept[_chain(x[kept].tolist(), y[kept].tolist())]


def _above_neighbours(x: FloatArray, y: FloatArray) -> NDArray[np.bool_]:
    """Whether each point lies above the line through its neighbours; if not, it can't be a corner of the hull."""
    out = np.ones(len(x), dtype=bool)
    out[1:-1] = _turn(x[:-2], y[:-2], x[1:-1], y[1:-1], x[2:], y[2:]) < 0
    return out


def _chain(x: list[float], y: list[float]) -> list[int]:
    """Andrew's monotone chain: drop the last corner while the path to the next point does not turn right there."""
    corners: list[int] = []
    for k in range(len(x)):
        while len(corners) > 1:
            i, j = corners[-2:]
            if _turn(x[i], y[i], x[j], y[j], x[k], y[k]) < 0:
                break
            corners.pop()
        corners.append(k)
    return corners


def _turn(x0: Any, y0: Any, x1: Any, y1: Any, x2: Any, y2: Any) -> Any:
    """The cross product of two steps over three points; it is below 0 where the path turns right."""
    return (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)


RATE = formats.fixed(3)


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve(ShownAsText):
    """A ROC curve: true positive rate against false positive rate, from (0, 0) at the threshold ∞ to (1, 1).

    Each distinct score, highest first, has a point: the rates of the rule "positive when score ≥ threshold". Between
    points the curve is linear, which is the expectation when equal scores are ordered at random. ``positives`` and
    ``negatives`` are their numbers, or their weights.
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    positives: float
    negatives: float

    def __post_init__(self) -> None:
        lengths = {len(self.fpr), len(self.tpr), len(self.thresholds)}
        if len(lengths) > 1 or not (_rises(self.fpr) and _rises(self.tpr)):
            raise InputError(
                "fpr and tpr must rise from 0 to 1, with a threshold for each point, "
                f"got {self.fpr!r} and {self.tpr!r} with {len(self.thresholds)} thresholds"
            )

    @property
    def auc(self) -> float:
        """The area under the curve."""
        return float(np.sum(np.diff(self.fpr) * (self.tpr[1:] + self.tpr[:-1])) / 2)

    @property
    def share(self) -> float:
        """The share of positives in the data."""
        return self.positives / (self.positives + self.negatives)

    @property
    def predicted_positive_rate(self) -> FloatArray:
        """The share of instances whose score reaches the threshold, for each point."""
        return self.share * self.tpr + (1 - self.share) * self.fpr

    def tpr_at(self, fpr: ArrayLike) -> FloatArray:
        """The true positive rate at false positive rates; where the curve is vertical, its top.

        >>> roc_curve([1, 0, 1, 0], [4, 3, 2, 1]).tpr_at([0, 0.25, 0.5])
        array([0.5, 0.5, 1. ])
        """
        x = _rates("fpr", fpr)
        before = np.searchsorted(self.fpr, x, side="right") - 1
        return _between(x, before, self.fpr, self.tpr)

    def fpr_at(self, tpr: ArrayLike) -> FloatArray:
        """The lowest false positive rate at which a true positive rate is reached.

        >>> roc_curve([1, 0, 1, 0], [4, 3, 2, 1]).fpr_at([0, 0.5, 0.75])
        array([0. , 0. , 0.5])
        """
        y = _rates("tpr", tpr)
        before = np.maximum(np.searchsorted(self.tpr, y, side="left") - 1, 0)
        return _between(y, before, self.tpr, self.fpr)

    def point_at(self, threshold: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """The false and true positive rate of the rule "positive when score ≥ threshold"."""
        place = np.searchsorted(
            -self.thresholds, -channel_checks.numbers("threshold", threshold, infinite=True), side="right"
        )
        return self.fpr[place - 1], self.tpr[place - 1]

    def hull(self) -> RocCurve:
        """The upper convex hull, as a curve with the thresholds of its corners.

        A threshold that is not on the hull is never the best, whatever the class balance and the costs. Points between
        two corners are reached by choosing between their thresholds at random.

        Reference: Provost & Fawcett (2001), Machine Learning 42:203-231, doi:10.1023/A:1007601015854.

        >>> roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]).hull().thresholds
        array([inf,  5.,  3.,  1.])
        """
        counts = self.coverage()
        kept = upper_hull(counts.negatives, counts.positives)
        return RocCurve(self.fpr[kept], self.tpr[kept], self.thresholds[kept], self.positives, self.negatives)

    def coverage(self) -> CoverageCurve:
        """The curve in counts, whose slope shows the class balance too."""
        return CoverageCurve(_whole(self.fpr * self.negatives), _whole(self.tpr * self.positives), self.thresholds)

    def to_table(self) -> Table:
        """The curve as a table with a row per threshold."""
        return _table({"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}, str(self))

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, with arrays as lists."""
        return _plain(self)

    def __str__(self) -> str:
        return f"ROC curve of {_instances(self.positives, self.negatives)}: area {formats.fixed(3)(self.auc)}"


@dataclass(frozen=True, slots=True, eq=False)
class CoverageCurve(ShownAsText):
    """A coverage curve: covered positives against covered negatives, in counts or weights.

    It is the ROC curve before division. One more instance is one unit along either axis, so accuracy is constant on
    lines of slope 1.

    Reference: Fürnkranz & Flach (2005), Machine Learning 58:39-77, doi:10.1007/s10994-005-5011-x.

    >>> curve = roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]).coverage()
    >>> print(curve)
    coverage curve of 5 instances (2 positive): 5 of 6 pairs in order
    """

    negatives: FloatArray
    positives: FloatArray
    thresholds: FloatArray

    @property
    def pairs_in_order(self) -> float:
        """The area under the curve: the number of pairs whose positive scores higher, ties counting ½."""
        return float(np.sum(np.diff(self.negatives) * (self.positives[1:] + self.positives[:-1])) / 2)

    def to_table(self) -> Table:
        """The curve as a table with a row per threshold."""
        columns = {"threshold": self.thresholds, "negatives": self.negatives, "positives": self.positives}
        return _table(columns, str(self), formats.auto)

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, with arrays as lists."""
        return _plain(self)

    def __str__(self) -> str:
        positives, negatives = float(self.positives[-1]), float(self.negatives[-1])
        noun = "pair" if positives * negatives == 1 else "pairs"
        pairs = f"{_count(self.pairs_in_order)} of {_count(positives * negatives)} {noun} in order"
        return f"coverage curve of {_instances(positives, negatives)}: {pairs}"


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurve(ShownAsText):
    """A precision–recall curve: a point for each distinct score, highest first, after (0, 1) at the threshold ∞.

    That first point has no instance above its threshold, so its precision is 0 / 0. It is set to 1, as scikit-learn
    does (which lists the points from the lowest threshold up). The last point has recall 1, and its precision is the
    share of positives. Draw steps, not straight lines: between points precision does not change linearly (Davis &
    Goadrich 2006, ICML 233-240, doi:10.1145/1143844.1143874).
    """

    recall: FloatArray
    precision: FloatArray
    thresholds: FloatArray
    positives: float
    negatives: float

    @property
    def average_precision(self) -> float:
        """The area under the steps."""
        return float(np.sum(np.diff(self.recall) * self.precision[1:]))

    def precision_at(self, recall: ArrayLike) -> FloatArray:
        """The precision at the highest threshold that reaches each recall (any above 0).

        >>> precision_recall_curve([1, 0, 1, 0], [4, 3, 2, 1]).precision_at([0.3, 0.6])
        array([1.    , 0.6667])
        """
        return np.asarray(self.precision[np.searchsorted(self.recall, _rates("recall", recall), side="left")])

    def to_table(self) -> Table:
        """The curve as a table with a row per threshold."""
        columns = {"threshold": self.thresholds, "recall": self.recall, "precision": self.precision}
        return _table(columns, str(self))

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, with arrays as lists."""
        return _plain(self)

    def __str__(self) -> str:
        area = formats.fixed(3)(self.average_precision)
        chance = formats.fixed(3)(self.positives / (self.positives + self.negatives))
        instances = _instances(self.positives, self.negatives)
        return f"precision–recall curve of {instances}: average precision {area}, {chance} by chance"


@dataclass(frozen=True, slots=True)
class RocPoint(ShownAsText):
    """A classifier without scores as a point in ROC space; a rate without instances is nan."""

    fpr: float
    tpr: float
    positives: float
    negatives: float

    def curve(self) -> RocCurve:
        """The ROC curve through the point: its sides are random choices between it and a constant prediction.

        The point's threshold is 1, as if the predicted labels were scores of 0 and 1.
        """
        if np.isnan(self.fpr) or np.isnan(self.tpr):
            raise InputError(f"fpr and tpr must both be defined, got {self!r}; give instances of both classes")
        fpr, tpr = np.array([0, self.fpr, 1.0]), np.array([0, self.tpr, 1.0])
        return RocCurve(fpr, tpr, np.array([np.inf, 1.0, 0.0]), self.positives, self.negatives)

    def to_table(self) -> Table:
        """The point as a table of one row."""
        columns = tuple(Column(f.name) for f in fields(self))
        return Table(columns, (tuple(getattr(self, f.name) for f in fields(self)),), caption=str(self))

    def to_dict(self) -> dict[str, Any]:
        """All fields as a dictionary."""
        return _plain(self)

    def __str__(self) -> str:
        write, instances = formats.fixed(3), _instances(self.positives, self.negatives)
        return f"tpr {write(self.tpr)} at fpr {write(self.fpr)}, of {instances}"


def roc_curve(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> RocCurve:
    """The ROC curve of one class; with more than two classes ``positive`` names the class, one-vs-rest.

    The scores of all test folds of a cross-validation may be pooled for one curve. They come from different models,
    though, so the area of that curve is not the mean area of the folds; :func:`average_roc` averages curves of folds.
    Instances without weight are left out. Both classes must have instances.

    Reference: Fawcett (2006), Pattern Recognition Letters 27:861-874, doi:10.1016/j.patrec.2005.10.010.

    >>> print(roc_curve(["ill", "well", "ill"], [0.9, 0.4, 0.3], positive="ill"))
    ROC curve of 3 instances (2 positive): area 0.500
    """
    thresholds, tp, fp = _covered(truth, scores, positive, classes, weights)
    return RocCurve(fp / fp[-1], tp / tp[-1], thresholds, float(tp[-1]), float(fp[-1]))


def precision_recall_curve(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> PrecisionRecallCurve:
    """The precision–recall curve of one class; with more than two classes ``positive`` names it, one-vs-rest.

    Instances without weight are left out. Both classes must have instances.

    >>> print(precision_recall_curve([0, 1, 0, 1, 1], [5, 4, 3, 2, 1]))
    precision–recall curve of 5 instances (3 positive): average precision 0.533, 0.600 by chance
    """
    thresholds, tp, fp = _covered(truth, scores, positive, classes, weights)
    precision = np.append(1.0, tp[1:] / (tp + fp)[1:])
    return PrecisionRecallCurve(tp / tp[-1], precision, thresholds, float(tp[-1]), float(fp[-1]))


def roc_point(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> RocPoint:
    """The point of predicted labels in ROC space.

    ``positive`` is by default the last of two labels in their order, 1 of 0 and 1, as in all measures of arrays. A data
    set has a positive class of its own, which figures and verdicts use: the declared one, or the rarer.

    >>> print(roc_point([1, 1, 1, 0, 0], [1, 1, 0, 1, 0]))
    tpr 0.667 at fpr 0.500, of 5 instances (3 positive)
    """
    c = PerClass.read(truth, predicted, positive=positive, classes=classes, weights=weights)
    if c.tp.shape[1] != 1:
        raise InputError(f"positive must name one of the {c.tp.shape[1]} classes, got None")
    tp, fp, positives, negatives = (float(x[0, 0]) for x in (c.tp, c.fp, c.tp + c.fn, c.fp + c.tn))
    return RocPoint(float(ratio(fp, negatives)), float(ratio(tp, positives)), positives, negatives)


def _covered(
    truth: ArrayLike,
    scores: ArrayLike,
    positive: object,
    classes: Classes,
    weights: ArrayLike | None,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Thresholds, true positives and false positives, starting at ∞."""
    ranking = Ranking.read(truth, scores, positive=positive, classes=classes, weights=weights)
    if len(ranking.steps) > 1:
        raise InputError(f"positive must name one of the {len(ranking.steps)} classes, got None")
    (steps,) = ranking.steps
    if steps.pairs[0] == 0:
        raise InputError(
            "truth must hold both classes for a curve, "
            f"got {_count(steps.positives[0])} positive and {_count(steps.negatives[0])} negative instances"
        )
    moved = np.diff(steps.tp + steps.fp, prepend=0) > 0  # a score that only instances without weight have makes no step
    thresholds, tp, fp = steps.groups.scores[moved], steps.tp[moved], steps.fp[moved]
    return np.append(np.inf, thresholds), np.append(0.0, tp), np.append(0.0, fp)


def _rates(name: str, values: ArrayLike) -> FloatArray:
    rates = channel_checks.numbers(name, values)
    if ((rates < 0) | (rates > 1)).any():
        raise InputError(f"{name} must lie between 0 and 1, got {values!r}")
    return rates


def _between(x: FloatArray, before: IntArray, along: FloatArray, across: FloatArray) -> FloatArray:
    """Interpolate ``across`` linearly between the points ``before`` and the next ones, at ``x`` of ``along``."""
    after = np.minimum(before + 1, len(along) - 1)
    gap = along[after] - along[before]
    part = np.divide(x - along[before], gap, out=np.zeros_like(gap), where=gap > 0)
    return np.asarray(across[before] + part * (across[after] - across[before]))


def _whole(values: FloatArray) -> FloatArray:
    """Counts without the rounding errors of division and multiplication, so that straight sides stay straight."""
    rounded = np.rint(values)
    blurred = np.abs(rounded - values).max() < 1e-9 * max(values.max(), 1.0)
    return rounded if blurred and (np.diff(rounded) > 0).sum() == (np.diff(values) > 0).sum() else values


def _rises(rates: FloatArray) -> bool:
    return bool(rates[0] == 0 and rates[-1] == 1 and (np.diff(rates) >= 0).all())


def _table(columns: dict[str, FloatArray], caption: str, write: formats.Formatter = RATE) -> Table:
    titles = tuple(Column(name, formats.auto if name == "threshold" else write) for name in columns)
    return Table(titles, tuple(zip(*(c.tolist() for c in columns.values()), strict=True)), caption=caption)


def _plain(value: Any) -> dict[str, Any]:
    found = {f.name: getattr(value, f.name) for f in fields(value)}
    return {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in found.items()}


def _instances(positives: float, negatives: float) -> str:
    noun = "instance" if positives + negatives == 1 else "instances"
    return f"{_count(positives + negatives)} {noun} ({_count(positives)} positive)"


def _count(amount: float) -> str:
    """Write a whole number, or a weight."""
    amount = round(float(amount), 9)  # a third, three times
    if float(amount).is_integer():
        return formats.auto(int(amount))
    return formats.auto(float(amount)) if amount < 1000 else f"{amount:,.1f}"
