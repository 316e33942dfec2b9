"""ROC, coverage and precision–recall curves of one or more methods in one box.

Reliability curves: does an event with predicted probability 0.8 happen four times out of five?
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.choices import FoldsOfCurves
from fairtrial.errors import InputError
from fairtrial.figures.drawing.boxed_curves import (
    SIDE,
    Curve,
    CurvesData,
    Reference,
    check_curves,
    curves_figure,
    curves_title,
    figure_of_curves,
    points,
    thinned,
)
from fairtrial.figures.drawing.inputs import Rows
from fairtrial.figures.result_views import View, figure_of
from fairtrial.measures.averaging import AverageRoc
from fairtrial.measures.calibration import ReliabilityCurve
from fairtrial.measures.curves import PrecisionRecallCurve, RocCurve, RocPoint
from fairtrial.stats import proportion_interval
from fairtrial.stats.outcome import check_level
from fairtrial.tables import formats
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results


UNIT = (0.0, 1.0)
CROSSES = 12
"""The number of intervals along a curve that was averaged at thresholds."""

number = formats.fixed(3)


def roc_figure(curves: Mapping[str, RocCurve | AverageRoc | RocPoint], *, hull: bool = False) -> Figure:
    """ROC curves, their averages and single points as a Figure, with the area under curves; see :func:`roc_data`."""
    return curves_figure(roc_data(curves, hull=hull))


@figure_of("roc")
def roc_view(
    results: Results,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    positive: object = None,
    folds: FoldsOfCurves = "merged",
) -> View:
    """ROC curves of all methods on one data set, as a figure and with their areas in words."""
    curves = results.curves("roc", dataset=dataset, methods=methods, positive=positive, folds=folds)
    title = curves_title(results, dataset, positive)
    return View(str(curves), roc_figure(curves), curves.notes, title)  # type: ignore[arg-type]


def roc_data(curves: Mapping[str, RocCurve | AverageRoc | RocPoint], *, hull: bool = False) -> CurvesData:
    """The data of a ROC figure: true against false positive rate of each method; up and left is better.

    A curve averaged over others has a band (or, averaged at thresholds, crosses) of one standard deviation over them.
    A method that only predicts labels is a single point. ``hull`` adds the convex hull of each curve: the thresholds
    that are best for some class balance and costs.

    >>> from fairtrial.measures import roc_curve, roc_point
    >>> data = roc_data({"forest": roc_curve([0, 0, 1, 0, 1], [0.1, 0.4, 0.4, 0.6, 0.9]),
    ...                  "rules": roc_point([0, 0, 1, 0, 1], [0, 1, 1, 0, 0])})
    >>> data.curves[0].line, data.curves[0].number
    (((0.0, 0.0), (0.0, 0.5), (0.3333, 0.5), (0.6667, 1.0), (1.0, 1.0)), '0.750')
    >>> data.curves[1].marks
    ((0.3333, 0.5),)
    """
    check_curves(curves, (RocCurve, AverageRoc, RocPoint))
    drawn = tuple(_in_roc_space(name, curve, hull=hull) for name, curve in curves.items())
    return CurvesData(
        curves=drawn,
        references=(Reference(((0.0, 0.0), (1.0, 1.0)), "chance"),),
        labels=("false positive rate", "true positive rate"),
        limits=(UNIT, UNIT),
        heading="area under the curve" if any(curve.number for curve in drawn) else "",
        remarks=_roc_remarks(curves, drawn),
    )


def _in_roc_space(name: str, curve: RocCurve | AverageRoc | RocPoint, *, hull: bool) -> Curve:
    if isinstance(curve, RocPoint):
        _check_point(name, curve)
        return Curve(name, marks=((curve.fpr, curve.tpr),))
    if isinstance(curve, AverageRoc):
        return _average(name, curve)
    corners = curve.hull() if hull else None
    return Curve(
        name,
        thinned(curve.fpr, curve.tpr),
        number=number(curve.auc),
        hull=() if corners is None else points(corners.fpr, corners.tpr),
    )


def _check_point(name: str, point: RocPoint) -> None:
    if math.isnan(point.fpr) or math.isnan(point.tpr):
        raise InputError(f"curves must lie in ROC space, but {name!r} has {point}: its test data are of one class")


def _average(name: str, curve: AverageRoc) -> Curve:
    fpr, tpr = (np.concatenate([[0.0], rate, [1.0]]) for rate in (curve.fpr, curve.tpr))
    line, area = thinned(fpr, tpr), number(curve.auc)
    if curve.curves < 2:
        return Curve(name, line, number=area)
    left, right = (np.clip(curve.fpr + side * curve.fpr_deviation, 0, 1) for side in (-1, 1))
    below, above = (np.clip(curve.tpr + side * curve.tpr_deviation, 0, 1) for side in (-1, 1))
    if curve.how == "threshold":
        some = np.unique(np.linspace(0, len(curve.fpr) - 1, CROSSES).round().astype(int))
        across = np.column_stack([left, curve.tpr, right, curve.tpr])[some]
        along = np.column_stack([curve.fpr, below, curve.fpr, above])[some]
        return Curve(name, line, number=area, bars=tuple(map(tuple, [*across.tolist(), *along.tolist()])))
    one, other = (left, above), (right, below)
    band = points(*(np.concatenate([a, b[::-1]]) for a, b in zip(one, other, strict=True)))
    return Curve(name, line, number=area, band=band)


def _roc_remarks(curves: Mapping[str, object], drawn: tuple[Curve, ...]) -> tuple[str, ...]:
    averages = [curve for curve in curves.values() if isinstance(curve, AverageRoc)]
    ways = listed(dict.fromkeys(f"{a.how} means of {plural(a.curves, 'curve')}" for a in averages))
    spread = [word for word, some in (("shaded", "band"), ("crosses", "bars")) if any(getattr(c, some) for c in drawn)]
    text = f"{ways}; {listed(spread)}: ± one standard deviation" if spread else ways
    return tuple(filter(None, (text, "dashed and thin: convex hull" if any(c.hull for c in drawn) else "")))


@figure_of_curves("coverage")
def coverage_figure(curves: Mapping[str, RocCurve | RocPoint], *, accuracies: bool = False) -> Figure:
    """ROC curves in counts instead of rates as a Figure; see :func:`coverage_data`."""
    return curves_figure(coverage_data(curves, accuracies=accuracies))


def coverage_data(curves: Mapping[str, RocCurve | RocPoint], *, accuracies: bool = False) -> CurvesData:
    """The data of a coverage figure: covered positives against covered negatives, in numbers of instances.

    The box shows the class balance (but is never longer than three times its height, or the other way round).
    ``accuracies`` adds lines of slope 1 on which accuracy is the same. All methods must have been tested on the same
    instances.

    Reference: Fürnkranz & Flach (2005), Machine Learning 58:39-77, doi:10.1007/s10994-005-5011-x.

    >>> from fairtrial.measures import roc_curve
    >>> data = coverage_data({"forest": roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])}, accuracies=True)
    >>> data.limits, data.curves[0].line
    (((0.0, 3.0), (0.0, 2.0)), ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 2.0), (3.0, 2.0)))
    """
    check_curves(curves, (RocCurve, RocPoint))
    sizes = {(round(curve.negatives, 9), round(curve.positives, 9)) for curve in curves.values()}
    if len(sizes) > 1:
        text = listed((f"{p:g} positive with {n:g} negative" for n, p in sorted(sizes)), last="or")
        raise InputError(f"curves must be of the same instances to share a coverage plot, got {text}; see roc_figure")
    ((negatives, positives),) = sizes
    rates = roc_data(curves)
    tilt = min(max(positives / negatives, 1 / 3), 3.0)
    return CurvesData(
        curves=tuple(_in_counts(curve, negatives, positives) for curve in rates.curves),
        references=(
            Reference(((0.0, 0.0), (negatives, positives)), "chance"),
            *(_same_accuracy(negatives, positives) if accuracies else ()),
        ),
        labels=("negatives covered", "positives covered"),
        limits=((0.0, negatives), (0.0, positives)),
        heading=rates.heading and "share of pairs in order",
        remarks=("lines of slope 1: equal accuracy, its value on top",) if accuracies else (),
        size=(SIDE, SIDE * tilt) if tilt <= 1 else (SIDE / tilt, SIDE),
    )


def _in_counts(curve: Curve, negatives: float, positives: float) -> Curve:
    line, marks = (tuple((x * negatives, y * positives) for x, y in rows) for rows in (curve.line, curve.marks))
    return replace(curve, line=line, marks=marks)


def _same_accuracy(negatives: float, positives: float) -> list[Reference]:
    """Lines of equal accuracy, at three or more round values above the share of the larger class."""
    total = negatives + positives
    lowest = max(positives, negatives) / total
    step = next(s for tens in range(1, 16) for s in (10.0**-tens, 5 * 10.0 ** -(tens + 1)) if (1 - lowest) / s >= 3)
    return [
        Reference(_slope_1(negatives - right, negatives, total, level), f"{level:.9g}", where="end")
        for level in np.arange(math.ceil(lowest / step + 1e-9), round(1 / step)) * step
        for right in [total * level - positives]
    ]


def _slope_1(end: float, negatives: float, total: float, accuracy: float) -> Rows:
    """A line of slope 1 from the left or the bottom of the box to its top, where ``end`` negatives are covered."""
    start = total * accuracy - negatives
    first = (0.0, start) if start >= 0 else (-start, 0.0)
    return (first, (float(end), float(end + start)))


@figure_of_curves("precision_recall")
def precision_recall_figure(curves: Mapping[str, PrecisionRecallCurve]) -> Figure:
    """Precision–recall curves as a Figure, with the average precision; see :func:`precision_recall_data`."""
    return curves_figure(precision_recall_data(curves))


def precision_recall_data(curves: Mapping[str, PrecisionRecallCurve]) -> CurvesData:
    """The data of a precision–recall figure: steps whose area is the average precision; up and right is better.

    A step from one recall to the next has the precision at the next, since between thresholds precision is not linear.
    The dotted line is the share of positives: the precision of a random ranking.

    >>> from fairtrial.measures import precision_recall_curve
    >>> data = precision_recall_data({"forest": precision_recall_curve([0, 1, 0, 1, 1], [5, 4, 3, 2, 1])})
    >>> data.curves[0].number, data.references[0].text
    ('0.533', 'chance: 60 % positive')
    """
    check_curves(curves, (PrecisionRecallCurve,))
    shares = dict.fromkeys(round(c.positives / (c.positives + c.negatives), 9) for c in curves.values())
    return CurvesData(
        curves=tuple(
            Curve(name, _steps(curve), number=number(curve.average_precision)) for name, curve in curves.items()
        ),
        references=tuple(
            Reference(((0.0, share), (1.0, share)), f"chance: {100 * share:.3g} % positive") for share in shares
        ),
        labels=("recall", "precision"),
        limits=(UNIT, UNIT),
        heading="average precision",
    )


def _steps(curve: PrecisionRecallCurve) -> Rows:
    """Corners of the steps; precision at the threshold ∞ is 0 / 0 and not drawn."""
    recall = np.repeat(curve.recall, 2)[1:-1]
    precision = np.repeat(curve.precision[1:], 2)
    return thinned(recall, precision)


@figure_of_curves("reliability")
def reliability_figure(curves: Mapping[str, ReliabilityCurve], *, level: float = 0.95) -> Figure:
    """Reliability curves as a Figure, with histograms of the predictions; see :func:`reliability_data`."""
    return curves_figure(reliability_data(curves, level=level))


def reliability_data(curves: Mapping[str, ReliabilityCurve], *, level: float = 0.95) -> CurvesData:
    """The data of a reliability figure: a point for each bin of predictions; on the diagonal they are calibrated.

    Below the diagonal predicted probabilities are too high, above it too low. The intervals are Wilson's, of the share
    of positives in the bin; there are none if the weights of instances are fractions. Below the box each method has a
    histogram of its predictions.

    >>> from fairtrial.measures import reliability_curve
    >>> curve = reliability_curve([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.3, 0.6, 0.7, 0.8], bins=2)
    >>> data = reliability_data({"forest": curve})
    >>> data.curves[0].line, data.curves[0].bars[0], data.curves[0].bins
    (((0.2333, 0.3333), (0.7, 0.6667)), (0.2333, 0.06149, 0.2333, 0.7923), ((0.0, 0.5, 0.5), (0.5, 1.0, 0.5)))
    """
    check_curves(curves, (ReliabilityCurve,))
    check_level(level)
    drawn = tuple(_curve(name, curve, level) for name, curve in curves.items())
    return CurvesData(
        curves=drawn,
        references=(Reference(((0.0, 0.0), (1.0, 1.0)), "calibrated"),),
        labels=("predicted probability", "observed share"),
        limits=((0.0, 1.0), (0.0, 1.0)),
        heading="calibration error",
        remarks=(f"bars: {100 * level:g} % intervals (Wilson)",) if any(curve.bars for curve in drawn) else (),
    )


def _curve(name: str, curve: ReliabilityCurve, level: float) -> Curve:
    line = points(curve.predicted, curve.observed)
    return Curve(
        name,
        line,
        marks=line,
        number=formats.fixed(3)(curve.error),
        bars=_intervals(curve, level),
        bins=_histogram(curve),
    )


def _histogram(curve: ReliabilityCurve) -> Rows:
    """The histogram of the predictions: bars if all bins have one width, else sticks at the means of the bins."""
    low, high = curve.low, curve.high
    if len(low) and np.ptp(high - low) > 1e-9:
        low = high = curve.predicted
    return tuple(map(tuple, np.column_stack([low, high, curve.weight / curve.weight.sum()]).tolist()))


def _intervals(curve: ReliabilityCurve, level: float) -> Rows:
    """An interval for each bin; none where weights are not numbers of instances."""
    came = curve.observed * curve.weight
    if not (np.equal(curve.weight, np.round(curve.weight)).all() and np.allclose(came, np.round(came), atol=1e-6)):
        return ()
    counts = zip(curve.predicted.tolist(), np.round(came).tolist(), curve.weight.tolist(), strict=True)
    found = [(x, proportion_interval(int(k), int(n), level=level)) for x, k, n in counts]
    return tuple((x, interval.low, x, interval.high) for x, interval in found)
