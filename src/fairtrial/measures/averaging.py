"""Averages of several ROC curves, such as those of the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.curves import RocCurve
from fairtrial.measures.fold_axis import FloatArray
from fairtrial.shown import ShownAsText
from fairtrial.tables import Column, Table, formats
from fairtrial.words import plural

How = Literal["vertical", "horizontal", "threshold"]
HOW: tuple[How, ...] = ("vertical", "horizontal", "threshold")

DEPENDENT = "curves of folds share training data and are not independent: their intervals are too narrow"


@dataclass(frozen=True, slots=True, eq=False)
class AverageRoc(ShownAsText):
    """The mean of several ROC curves, and how much they vary.

    ``fpr_deviation`` and ``tpr_deviation`` are the standard deviations over curves (n − 1); 0 for the rate that is
    held fixed, nan for a single curve. ``thresholds`` are nan unless the curves are averaged at thresholds.
    ``curves`` is the number of curves.
    """

    how: How
    fpr: FloatArray
    tpr: FloatArray
    fpr_deviation: FloatArray
    tpr_deviation: FloatArray
    thresholds: FloatArray
    curves: int

    @property
    def auc(self) -> float:
        """The area under the mean curve, which ends at (1, 1); up to the grid it is the mean of the areas."""
        fpr, tpr = np.append(self.fpr, 1.0), np.append(self.tpr, 1.0)
        return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2)

    def fpr_interval(self, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Low and high ends of t intervals of the mean false positive rate, point by point, within 0 and 1."""
        return self._interval(self.fpr, self.fpr_deviation, level)

    def tpr_interval(self, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Low and high ends of t intervals of the mean true positive rate, point by point, within 0 and 1.

        The intervals assume independent curves. Curves of folds share training data: then the intervals are too narrow.
        """
        return self._interval(self.tpr, self.tpr_deviation, level)

    def to_table(self) -> Table:
        """The curve as a table with a row per point and 95 % t intervals."""
        write = formats.fixed(3)
        titles = ("threshold", "fpr", "tpr", "fpr low", "fpr high", "tpr low", "tpr high")
        columns = (self.thresholds, self.fpr, self.tpr, *self.fpr_interval(), *self.tpr_interval())
        return Table(
            tuple(Column(t, formats.auto if t == "threshold" else write) for t in titles),
            tuple(zip(*(c.tolist() for c in columns), strict=True)),
            caption=str(self),
            notes=(DEPENDENT,),
        )

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, with arrays as lists."""
        found = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in found.items()}

    def __str__(self) -> str:
        area = formats.fixed(3)(self.auc)
        curves, points = plural(self.curves, "curve"), plural(len(self.fpr), "point")
        return f"ROC curve averaged over {curves} ({self.how}, {points}): area {area}"

    def _interval(self, mean: FloatArray, deviation: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
        if not 0 < level < 1:
            raise InputError(f"level must lie strictly between 0 and 1 (0.95 for 95 %), got {level!r}")
        from scipy.special import stdtrit  # scipy is loaded only when an interval is needed

        quantile = stdtrit(self.curves - 1, (1 + level) / 2) if self.curves > 1 else np.nan
        half = quantile * deviation / np.sqrt(self.curves)
        return np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1)


def average_roc(curves: Iterable[RocCurve], how: How = "vertical", *, points: int = 101) -> AverageRoc:
    r"""The mean of several ROC curves, all with the same weight.

    ``"vertical"``: mean true positive rate at each of ``points`` false positive rates from 0 to 1; use it if the false
    positive rate can be set. ``"horizontal"``: mean false positive rate at each of ``points`` true positive rates; use
    it if a recall is required. ``"threshold"``: mean of both rates at the distinct scores of all curves, or at
    ``points`` of them, evenly by rank; use it if one threshold will serve all. It assumes that the scores of different
    curves are comparable.

    .. math:: \overline{\text{tpr}}(x) = \frac1m \sum_{c=1}^m \text{tpr}_c(x)

    Where a curve is vertical at a false positive rate, its top counts; where it is horizontal at a true positive rate,
    its left end. A fold with one class has no curve: :func:`roc_curve` refuses it.

    Reference: Fawcett (2006), Pattern Recognition Letters 27:861-874, doi:10.1016/j.patrec.2005.10.010.

    >>> from fairtrial.measures import roc_curve
    >>> folds = [roc_curve([1, 0, 1, 0], [4, 3, 2, 1]), roc_curve([1, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.1])]
    >>> average = average_roc(folds, points=5)
    >>> average.tpr  # at 0, 1/4, …: the mean of 0.5, 0.5, 1, 1, 1 and of 1 throughout
    array([0.75, 0.75, 1.  , 1.  , 1.  ])
    >>> print(average)
    ROC curve averaged over 2 curves (vertical, 5 points): area 0.906
    """
    if isinstance(curves, RocCurve):
        raise InputError("curves must be a list of ROC curves, got a single one; put it into a list")
    given = channel_checks.list_of("curves", curves, "ROC curves")
    _check(given, how, points)
    if how == "threshold":
        return _at_thresholds(given, points)
    grid, nan = np.linspace(0, 1, points), np.full(points, np.nan)
    if how == "vertical":
        tpr, deviation = _mean_and_deviation([c.tpr_at(grid) for c in given])
        return AverageRoc(how, grid, tpr, np.zeros(points), deviation, nan, len(given))
    fpr, deviation = _mean_and_deviation([c.fpr_at(grid) for c in given])
    return AverageRoc(how, fpr, grid, deviation, np.zeros(points), nan, len(given))


def _check(given: list[RocCurve], how: str, points: int) -> None:
    if not given:
        raise InputError("curves must hold at least one ROC curve, got none")
    strangers = [i for i, c in enumerate(given) if not isinstance(c, RocCurve)]
    if strangers:
        raise InputError(f"curves must be ROC curves, but number {strangers[0]} is {given[strangers[0]]!r}")
    if not isinstance(how, str) or how not in HOW:
        raise InputError(f"how must be 'vertical', 'horizontal' or 'threshold', got {how!r}")
    if not isinstance(points, (int, np.integer)) or points < 2:
        raise InputError(f"points must be 2 or more, got {points!r}")


def _at_thresholds(given: list[RocCurve], points: int) -> AverageRoc:
    every = np.unique(np.concatenate([c.thresholds for c in given]))[::-1]
    places = np.unique(np.linspace(0, len(every) - 1, min(points, len(every))).round().astype(int))
    thresholds = every[places]
    found = [c.point_at(thresholds) for c in given]
    fpr, fpr_deviation = _mean_and_deviation([x for x, _ in found])
    tpr, tpr_deviation = _mean_and_deviation([y for _, y in found])
    return AverageRoc("threshold", fpr, tpr, fpr_deviation, tpr_deviation, thresholds, len(given))


def _mean_and_deviation(rates: list[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation over curves."""
    table = np.stack(rates)
    if len(table) == 1:
        return table[0], np.full(table.shape[1], np.nan)
    return np.asarray(table.mean(axis=0)), np.asarray(table.std(axis=0, ddof=1))
