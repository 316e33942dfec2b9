"""Cost curves: the cost of a scoring classifier under every class balance and every pair of costs.

Choice of the threshold of a scoring classifier from its ROC curve.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.curves import RocCurve, RocPoint
from fairtrial.measures.fold_axis import FloatArray, IntArray
from fairtrial.shown import ShownAsText
from fairtrial.tables import Column, Table, formats
from fairtrial.words import is_one_of, quoted, shown


@dataclass(frozen=True, slots=True, eq=False)
class CostCurve(ShownAsText):
    r"""A line for each threshold and their lower envelope, over the probability cost PC(+) from 0 to 1.

    A point in ROC space is the line :math:`(1 - \text{tpr})\, PC + \text{fpr}\, (1 - PC)`. The best threshold for each
    PC is a corner of the ROC curve's hull: ``curve`` holds all lines, ``hull`` the lines of the envelope, from "none
    positive" (∞) to "all positive". ``corners`` are the PC, ascending, at which the best threshold changes from one
    line of the envelope to the next.
    """

    curve: RocCurve
    hull: RocCurve
    corners: FloatArray

    @property
    def pc(self) -> FloatArray:
        """The PC at which the envelope bends: 0, the corners, 1."""
        return np.concatenate(([0.0], self.corners, [1.0]))

    @property
    def envelope(self) -> FloatArray:
        """The lowest normalised expected cost at each of ``pc``; it is linear between them."""
        return self.cost_at(self.pc)

    @property
    def area(self) -> float:
        """The area below the envelope: the expected cost if every PC is equally likely; 0.25 without a model."""
        x, y = self.pc, self.envelope
        return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)

    @property
    def useful(self) -> tuple[float, float]:
        """The range of PC in which some threshold beats predicting all or none positive; nan if there is none."""
        if len(self.corners) < 2:
            return float("nan"), float("nan")
        return float(self.corners[0]), float(self.corners[-1])

    def cost_at(self, pc: ArrayLike) -> FloatArray:
        """The normalised expected cost at PC, with the threshold that is best there."""
        x, best = self._best(pc)
        return np.asarray((1 - self.hull.tpr[best]) * x + self.hull.fpr[best] * (1 - x))

    def threshold_at(self, pc: ArrayLike) -> FloatArray:
        """The threshold that is best at PC; at a corner, where two are best, the higher one."""
        return np.asarray(self.hull.thresholds[self._best(pc)[1]])

    def lines(self, pc: ArrayLike) -> FloatArray:
        """The normalised expected cost of each threshold of ``curve`` at each PC: shape (thresholds, PC)."""
        x = np.atleast_1d(_probability(pc))
        return np.asarray((1 - self.curve.tpr)[:, None] * x + self.curve.fpr[:, None] * (1 - x))

    def to_table(self) -> Table:
        """The envelope as a table with a row per threshold: its range of PC, its rates, its costs at both ends."""
        write, x, y = formats.fixed(3), self.pc.tolist(), self.envelope.tolist()
        titles = ("PC from", "PC to", "threshold", "fpr", "fnr", "cost from", "cost to")
        hull = (self.hull.thresholds.tolist(), self.hull.fpr.tolist(), (1 - self.hull.tpr).tolist())
        stretches = zip(x[:-1], x[1:], *hull, y[:-1], y[1:], strict=True)
        return Table(
            tuple(Column(t, formats.auto if t == "threshold" else write) for t in titles),
            tuple(row for row in stretches if row[0] < row[1]),
            caption=str(self),
        )

    def to_dict(self) -> dict[str, Any]:
        """The envelope and the lines, as lists."""
        return {
            "pc": self.pc.tolist(),
            "envelope": self.envelope.tolist(),
            "curve": self.curve.to_dict(),
            "hull": self.hull.to_dict(),
        }

    def __str__(self) -> str:
        low, high = (formats.fixed(3)(end) for end in self.useful)
        where = "useful nowhere" if len(self.corners) < 2 else f"useful for PC(+) from {low} to {high}"
        return f"cost curve: area {formats.fixed(3)(self.area)} (0.250 without a model), {where}"

    def _best(self, pc: ArrayLike) -> tuple[FloatArray, IntArray]:
        x = _probability(pc)
        return x, np.searchsorted(self.corners, x, side="left")


def cost_curve(of: RocCurve | RocPoint) -> CostCurve:
    r"""The cost curve of a ROC curve, or of predicted labels, given as a point in ROC space.

    Over the probability cost :math:`PC` (see :func:`probability_cost`) the normalised expected cost of a threshold is

    .. math:: NEC(PC) = \text{fnr} \cdot PC + \text{fpr} \cdot (1 - PC)

    It is 0 if all predictions are right and 1 if all are wrong; predicting none positive costs :math:`PC`, predicting
    all positive :math:`1 - PC`. The lower envelope assumes that the best threshold is known for each PC. That threshold
    is chosen on the same data, so the envelope is optimistic.

    Reference: Drummond & Holte (2006), Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5.

    >>> from fairtrial.measures import roc_curve
    >>> costs = cost_curve(roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]))
    >>> costs.cost_at([0.2, 0.5])  # threshold 5: 1/2 · 0.2; threshold 3: 1/3 · 0.5
    array([0.1   , 0.1667])
    >>> print(costs)
    cost curve: area 0.100 (0.250 without a model), useful for PC(+) from 0.000 to 1.000
    """
    if not isinstance(of, (RocCurve, RocPoint)):
        raise InputError(f"cost_curve needs a ROC curve or a ROC point, got {of!r}; see roc_curve and roc_point")
    curve = of.curve() if isinstance(of, RocPoint) else of
    hull = curve.hull()
    right, up = np.diff(hull.fpr), np.diff(hull.tpr)
    return CostCurve(curve, hull, right / (right + up))


def probability_cost(share: float, cost_fp: float = 1.0, cost_fn: float = 1.0) -> float:
    r"""PC(+), the share of positives when each class is weighted by the cost of misclassifying it.

    .. math:: PC(+) = \frac{\pi\, c_{fn}}{\pi\, c_{fn} + (1 - \pi)\, c_{fp}}

    With equal costs it is the ``share`` of positives. Undefined (nan) when no mistake can cost anything.

    >>> probability_cost(0.2, cost_fp=1, cost_fn=6)  # 1.2 / (1.2 + 0.8)
    0.6
    """
    share = between_0_and_1("share", share)
    cost_fp, cost_fn = checked_costs(cost_fp, cost_fn)
    positive, negative = share * cost_fn, (1 - share) * cost_fp
    return positive / (positive + negative) if positive + negative > 0 else float("nan")


def between_0_and_1(name: str, value: float) -> float:
    """Check a share or a rate."""
    if not (channel_checks.is_number(value) and 0 <= value <= 1):
        raise InputError(f"{name} must lie between 0 and 1 (0.2 for a fifth), got {value!r}")
    return value


def checked_costs(cost_fp: float, cost_fn: float) -> tuple[float, float]:
    """Check the costs of a false positive and of a false negative."""
    if not all(channel_checks.is_number(cost) and 0 <= cost < np.inf for cost in (cost_fp, cost_fn)):
        raise InputError(f"cost_fp and cost_fn must be finite and not negative, got {cost_fp!r} and {cost_fn!r}")
    return cost_fp, cost_fn


def _probability(pc: ArrayLike) -> FloatArray:
    x = channel_checks.numbers("pc", pc)
    if ((x < 0) | (x > 1)).any():
        raise InputError(f"pc must lie between 0 and 1, got {pc!r}")
    return x


By = Literal["youden", "cost", "predicted_positive_rate"]

QUANTITIES = {
    "youden": "Youden's J",
    "cost": "expected cost per instance",
    "predicted_positive_rate": "distance from the wanted rate",
}


@dataclass(frozen=True, slots=True)
class Threshold(ShownAsText):
    """A threshold, the rates of the rule "positive when score ≥ threshold", and the value that it optimises.

    ``value`` is Youden's J, the expected cost per instance, or the distance from the wanted predicted positive rate;
    ``trivial`` is this value for the better of predicting none and all positive. ``threshold`` is ∞ if predicting none
    is best.
    """

    threshold: float
    tpr: float
    fpr: float
    predicted_positive_rate: float
    by: By
    value: float
    trivial: float

    def to_table(self) -> Table:
        """The threshold as a table of one row."""
        columns = tuple(Column(f.name.replace("_", " "), key=f.name) for f in fields(self))
        return Table(columns, (tuple(getattr(self, f.name) for f in fields(self)),), caption=str(self))

    def to_dict(self) -> dict[str, Any]:
        """All fields as a dictionary."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        write, short = formats.significant(4), formats.fixed(3)
        rule = "predict none positive" if np.isposinf(self.threshold) else f"positive from {write(self.threshold)}"
        rates = (
            f"tpr {short(self.tpr)}, fpr {short(self.fpr)}, {short(self.predicted_positive_rate)} predicted positive"
        )
        return f"{rule}: {rates}; {QUANTITIES[self.by]} {short(self.value)} ({short(self.trivial)} without a model)"


def choose_threshold(
    curve: RocCurve,
    by: By = "youden",
    *,
    share: float | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    rate: float | None = None,
) -> Threshold:
    r"""Choose the best threshold of a ROC curve, by one of three rules.

    ``"youden"``
        The largest :math:`J = \text{tpr} - \text{fpr}`: class balance and costs don't matter.
    ``"cost"``
        The lowest expected cost per instance, with :math:`\pi` the ``share`` of positives in deployment

        .. math:: \pi\, (1 - \text{tpr})\, c_{fn} + (1 - \pi)\, \text{fpr}\, c_{fp}

    ``"predicted_positive_rate"``
        The predicted positive rate :math:`\pi\,\text{tpr} + (1 - \pi)\,\text{fpr}` nearest to ``rate``, by default
        to :math:`\pi` itself (for good rankers whose probabilities are not calibrated).

    ``share`` is by default that of the data. Candidates are the scores that occur and ∞ (none positive). Of equally
    good ones (to 12 digits) the highest is chosen, which predicts the fewest positives. The value is computed on the
    data that the threshold was chosen on, so it is optimistic: evaluate the threshold on other data.

    References: Youden (1950), Cancer 3:32-35, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3;
    Fawcett (2006), Pattern Recognition Letters 27:861-874, doi:10.1016/j.patrec.2005.10.010.

    >>> from fairtrial.measures import roc_curve
    >>> curve = roc_curve([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.4, 0.3, 0.1])
    >>> print(choose_threshold(curve))
    positive from 0.7000: tpr 1.000, fpr 0.250, 0.500 predicted positive; Youden's J 0.750 (0.000 without a model)
    >>> choose_threshold(curve, by="cost", cost_fp=3).threshold  # 1/3 · 1/2 · 1 against 2/3 · 1/4 · 3
    0.9
    >>> choose_threshold(curve, by="predicted_positive_rate").threshold  # two of six, as there are positives
    0.8
    """
    channel_checks.check_kind("curve", curve, RocCurve, "a ROC curve, as roc_curve makes it")
    pi = curve.share if share is None else between_0_and_1("share", share)
    ppr = pi * curve.tpr + (1 - pi) * curve.fpr
    if not is_one_of(by, QUANTITIES):
        raise InputError(f"by must be {quoted(QUANTITIES, last='or')}, got {shown(by)}")
    losses = _losses(curve, by, pi, (cost_fp, cost_fn), ppr, rate)
    best = int(np.flatnonzero(losses <= losses.min() + 1e-12 * np.abs(losses).max())[0])
    sign = -1 if by == "youden" else 1
    return Threshold(
        threshold=float(curve.thresholds[best]),
        tpr=float(curve.tpr[best]),
        fpr=float(curve.fpr[best]),
        predicted_positive_rate=float(ppr[best]),
        by=by,
        value=sign * float(losses[best]) + 0.0,
        trivial=sign * float(min(losses[0], losses[-1])) + 0.0,
    )


def _losses(
    curve: RocCurve, by: str, pi: float, costs: tuple[float, float], ppr: FloatArray, rate: float | None
) -> FloatArray:
    """The quantity to minimise, at each threshold."""
    if by != "cost" and not all(channel_checks.is_number(cost) and cost == 1 for cost in costs):
        got = " and ".join(map(shown, costs))
        raise InputError(f"cost_fp and cost_fn are only for by='cost', got {got} with by={by!r}")
    if by != "predicted_positive_rate" and rate is not None:
        raise InputError(f"rate is only for by='predicted_positive_rate', got {shown(rate)} with by={by!r}")
    if by == "youden":
        return curve.fpr - curve.tpr
    if by == "cost":
        cost_fp, cost_fn = checked_costs(*costs)
        return pi * (1 - curve.tpr) * cost_fn + (1 - pi) * curve.fpr * cost_fp
    return np.abs(ppr - (pi if rate is None else between_0_and_1("rate", rate)))
