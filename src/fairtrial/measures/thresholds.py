"""Choice of the threshold of a scoring classifier from its ROC curve."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.costs import between_0_and_1, checked_costs
from fairtrial.measures.curves import RocCurve
from fairtrial.measures.fold_axis import FloatArray
from fairtrial.shown import ShownAsText
from fairtrial.tables import Column, Table, formats
from fairtrial.words import is_one_of, quoted, shown

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
