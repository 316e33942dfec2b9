"""Calibration of probabilities: reliability curves, calibration error, decomposition of the Brier score."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.fold_axis import FloatArray, Folds, IntArray, ratio
from fairtrial.measures.probabilities import Probabilities
from fairtrial.measures.ranking import Order
from fairtrial.measures.registry import examples, measure
from fairtrial.tables import Column, Shown, Table, formats

MOST_BINS = 10_000

Strategy = Literal["uniform", "quantile"]


@dataclass(frozen=True, slots=True, eq=False)
class ReliabilityCurve(Shown):
    """Predicted probability and observed frequency of an event, in bins: on the diagonal if calibrated.

    ``predicted`` is the mean probability in the bin, ``observed`` the share of positives, ``weight`` the number of
    instances (or the sum of their weights). A bin reaches from above ``low`` up to ``high``. Empty bins are left out.
    """

    predicted: FloatArray
    observed: FloatArray
    weight: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def error(self) -> float:
        """The expected calibration error: the weighted mean distance from the diagonal."""
        distance = np.abs(self.observed - self.predicted)
        return float(ratio((self.weight * distance).sum(), self.weight.sum()))

    def to_dict(self) -> dict[str, object]:
        """All fields by name, with arrays as lists, and the error."""
        return {f.name: getattr(self, f.name).tolist() for f in fields(self)} | {"error": self.error}

    def to_table(self) -> Table:
        """The curve as a table with a row per bin."""
        share = formats.fixed(3)
        columns = (
            Column("above", share),
            Column("up to", share),
            Column("predicted", share),
            Column("observed", share),
            Column("weight"),
        )
        weight = [int(w) if w.is_integer() else w for w in self.weight.tolist()]
        rows = zip(self.low, self.high, self.predicted, self.observed, weight, strict=True)
        caption = f"reliability: predicted probability and observed share; calibration error {share(self.error)}"
        return Table(columns, tuple(rows), caption=caption)


@dataclass(frozen=True, slots=True)
class BrierDecomposition(Shown):
    """The parts of a Brier score: ``brier = reliability − resolution + uncertainty + within``.

    ``reliability``: the distance of the probabilities from the observed frequencies (0 is best). ``resolution``: the
    variation of the observed frequencies between different forecasts (more is better). ``uncertainty``: the variance
    of the classes, which does not depend on the method. ``within``: the variation inside bins; 0 without bins.
    """

    reliability: float
    resolution: float
    uncertainty: float
    within: float
    brier: float

    @property
    def refinement(self) -> float:
        """Uncertainty minus resolution: the Brier score that would remain after perfect calibration of the groups."""
        return self.uncertainty - self.resolution

    def to_dict(self) -> dict[str, float]:
        """All parts by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def to_table(self) -> Table:
        """The decomposition as a table with a row per part and its sign."""
        signs = {"reliability": "+", "resolution": "−", "uncertainty": "+", "within": "+", "brier": "="}
        columns = (
            Column("", align="left", key="sign"),
            Column("part", align="left"),
            Column("value", formats.fixed(4)),
        )
        rows = tuple((signs[name], name, value) for name, value in self.to_dict().items())
        return Table(columns, rows, caption="decomposition of the Brier score", rule_before=(4,))


def reliability_curve(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    bins: int = 10,
    strategy: Strategy = "uniform",
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> ReliabilityCurve:
    """The reliability curve of one class: its observed share where it was predicted with about 0.1, 0.2, …

    ``probabilities`` is one column for the positive class (by default the last of two), or a column per class. With
    more than two classes ``positive`` names the class, one-vs-rest. ``strategy``: bins of equal width
    (``"uniform"``), or with about equally many instances (``"quantile"``). The points are those of scikit-learn's
    ``calibration_curve``. Weights count inside the bins. The edges of quantile bins are quantiles of all instances with
    a weight above 0, whatever their weights.

    Reference: DeGroot & Fienberg (1983), The Statistician 32:12-22, doi:10.2307/2987588.

    >>> curve = reliability_curve([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.3, 0.6, 0.7, 0.8], bins=2)
    >>> print(curve)
    reliability: predicted probability and observed share; calibration error 0.067
    above  up to  predicted  observed  weight
    0.000  0.500      0.233     0.333       3
    0.500  1.000      0.700     0.667       3
    """
    p = Probabilities.read(truth, probabilities, positive=positive, classes=classes, weights=weights)
    known = p.predictions
    if known.focus is None:
        raise InputError(f"positive must name one of the {known.n_classes} classes for the curve, got None")
    event = _Event.of(p, known.focus)
    edges = _edges(event, bins, strategy)
    weight, predicted, observed = event.tallies(_bins(event, edges), bins)
    filled = np.flatnonzero(weight)
    return ReliabilityCurve(
        predicted=predicted[filled] / weight[filled],
        observed=observed[filled] / weight[filled],
        weight=weight[filled],
        low=edges[0, filled],
        high=edges[0, filled + 1],
    )


@measure(
    "Calibration error",
    of=Probabilities,
    worst=1.0,
    best=0.0,
    use_when="probabilities are used as such, and 0.8 must mean four out of five",
    beware="folds are small (chance makes it large), or methods are ranked (predicting the class shares is best)",
    aliases=("expected_calibration_error", "ece"),
)
def calibration_error(p: Probabilities, *, bins: int = 10, strategy: Strategy = "uniform") -> FloatArray:
    r"""Mean distance between predicted probability and observed frequency, over bins of the probabilities.

    .. math:: \text{ECE} = \sum_b \frac{n_b}{n} \left| \bar y_b - \bar p_b \right|

    With two classes the event is the positive class (``positive=``, by default the last). The version that is common
    for neural networks, with the probability of the predicted class, is another one. With more classes it is the mean
    over the classes, each one-vs-rest (class-wise). ``bins`` have equal width (``"uniform"``) or about equally
    many instances of the fold (``"quantile"``); a bin includes its upper edge. It depends on the bins and is biased
    upwards: calibrated probabilities, uniform from 0 to 1, have about 0.14 on 50 instances. Undefined (nan) only for
    an empty fold.

    Reference: Naeini, Cooper & Hauskrecht (2015), Proceedings of AAAI 29, doi:10.1609/aaai.v29i1.9602.

    >>> calibration_error([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.3, 0.6, 0.7, 0.8], bins=2)  # (|1 − 0.7| + |2 − 2.1|) / 6
    0.0667
    """
    known = p.predictions
    chosen = range(known.n_classes) if known.focus is None else (known.focus,)
    return np.asarray(np.mean([_class_error(_Event.of(p, k), bins, strategy) for k in chosen], axis=0))


def brier_decomposition(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    bins: int | None = None,
    strategy: Strategy = "uniform",
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> BrierDecomposition:
    r"""Decompose the Brier score into calibration (reliability), discrimination (resolution) and uncertainty.

    Equal forecasts form a group; with ``bins``, forecasts of the same bin do, as in :func:`reliability_curve`.
    With :math:`\bar p_g` and :math:`\bar y_g` the mean forecast and the share of positives in a group of :math:`n_g`,

    .. math:: \underbrace{\tfrac1n \sum_g n_g (\bar p_g - \bar y_g)^2}_{\text{reliability}}
              - \underbrace{\tfrac1n \sum_g n_g (\bar y_g - \bar y)^2}_{\text{resolution}}
              + \underbrace{\bar y (1 - \bar y)}_{\text{uncertainty}}
              + \underbrace{\tfrac1n \sum_g \sum_{i \in g} (p_i - \bar p_g)
                (p_i - \bar p_g - 2 (y_i - \bar y_g))}_{\text{within}}

    is exactly the Brier score. Without bins ``within`` is 0: this is Murphy's partition. If nearly all forecasts
    differ, each group has one instance, and reliability is the whole score: use bins. With more than two classes and
    no ``positive`` the parts are summed over the classes, each one-vs-rest, as in :func:`brier`. All parts are
    nan if no instance has weight.

    References: Murphy (1973), Journal of Applied Meteorology 12:595-600,
    doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2; Stephenson, Coelho & Jolliffe (2008), Weather and Forecasting
    23:752-757, doi:10.1175/2007WAF2006116.1 (``within`` is their within-bin variance minus their within-bin
    covariance).

    >>> print(brier_decomposition([0, 0, 1, 1, 1], [0.2, 0.2, 0.2, 0.9, 0.9]))
    decomposition of the Brier score
       part          value
    +  reliability  0.0147
    −  resolution   0.1067
    +  uncertainty  0.2400
    +  within       0.0000
    ──────────────────────
    =  brier        0.1480
    """
    p = Probabilities.read(truth, probabilities, positive=positive, classes=classes, weights=weights)
    known = p.predictions
    chosen = range(known.n_classes) if known.focus is None else (known.focus,)
    parts = np.sum([_parts(_Event.of(p, k), bins, strategy) for k in chosen], axis=0)
    return BrierDecomposition(*(float(part) for part in parts))


@dataclass(frozen=True, slots=True, eq=False)
class _Event:
    """One class, one-vs-rest, for the instances with weight: its probability, and whether it occurred (1 or 0)."""

    probability: FloatArray
    occurred: FloatArray
    weights: FloatArray | None
    folds: Folds

    @classmethod
    def of(cls, p: Probabilities, k: int) -> _Event:
        known, folds = p.predictions, p.predictions.folds
        occurred = (known.truth == k).astype(float)
        if known.weights is None:
            return cls(np.ascontiguousarray(p.of_class(k)), occurred, None, folds)
        rows = np.flatnonzero(known.weights > 0)
        index = None if folds.index is None else folds.index[rows]
        return cls(p.of_class(k)[rows], occurred[rows], known.weights[rows], Folds(index, folds.count, len(rows)))

    def weighted(self, values: FloatArray) -> FloatArray:
        return values if self.weights is None else values * self.weights

    def tallies(self, groups: IntArray, count: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The weight, the sum of the probabilities and the positives of each group, in one fold."""
        weight = self.folds.tally(groups, count, self.weights)[0]
        sums = (self.folds.tally(groups, count, self.weighted(v))[0] for v in (self.probability, self.occurred))
        return weight, *sums


def _class_error(event: _Event, bins: int, strategy: Strategy) -> FloatArray:
    """The calibration error of one class in each fold."""
    groups = _bins(event, _edges(event, bins, strategy))
    # In a bin, the weight times the distance of the means is the distance of the sums.
    distance = event.folds.tally(groups, bins, event.weighted(event.occurred - event.probability))
    total = event.folds.sizes() if event.weights is None else event.folds.sum(event.weights)
    return ratio(np.abs(distance).sum(axis=1), total)


def _edges(event: _Event, bins: int, strategy: Strategy) -> FloatArray:
    """The edges of the bins: (folds, bins + 1), or one row for all folds."""
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or not 1 <= bins <= MOST_BINS:
        raise InputError(f"bins must be a whole number from 1 to {MOST_BINS}, got {bins!r}")
    if strategy == "uniform":
        return np.linspace(0.0, 1.0, bins + 1)[None, :]
    if strategy == "quantile":
        return _quantiles(event, np.linspace(0, 1, bins + 1))
    raise InputError(f"strategy must be 'uniform' or 'quantile', got {strategy!r}")


def _quantiles(event: _Event, shares: FloatArray) -> FloatArray:
    """Quantiles of the probabilities in each fold, exactly as numpy interpolates them: edges are often ties."""
    edges = np.full((event.folds.count, len(shares)), np.nan)
    if not event.folds.n:
        return edges
    order = Order.of(-event.probability, event.folds)
    ranked, sizes = event.probability[order.rows], order.groups.sizes[:, None]
    place = (sizes - 1) * (shares * 100 / 100)
    below = np.floor(place).astype(np.intp)
    first = np.cumsum(sizes, axis=0) - sizes
    low, high, part = ranked[first + below], ranked[first + np.minimum(below + 1, sizes - 1)], place - below
    edges[order.groups.filled] = np.where(part < 0.5, low + (high - low) * part, high - (high - low) * (1 - part))
    return edges


def _bins(event: _Event, edges: FloatArray) -> IntArray:
    """The bin of each instance; an upper edge belongs to its bin, and values outside to the outermost bins."""
    if len(edges) == 1:
        return np.searchsorted(edges[0, 1:-1], event.probability)
    groups = np.zeros(len(event.probability), np.intp)
    for edge in edges[:, 1:-1].T:
        groups += event.probability > event.folds.spread(edge)
    return groups


def _parts(event: _Event, bins: int | None, strategy: Strategy) -> tuple[float, ...]:
    """Reliability, resolution, uncertainty, within, and the Brier score itself."""
    p, y = event.probability, event.occurred
    if not len(p):
        return (np.nan,) * 5
    groups, count = _groups(event, bins, strategy)
    weight, sum_p, sum_y = event.tallies(groups, count)
    p_mean, y_mean = ratio(sum_p, weight), ratio(sum_y, weight)
    base = sum_y.sum() / weight.sum()
    filled = weight > 0
    reliability, resolution = (
        np.average(np.square(a)[filled], weights=weight[filled]) for a in (p_mean - y_mean, y_mean - base)
    )
    off = np.zeros(len(p)) if bins is None else p - p_mean[groups]
    within = np.average(off * (off - 2 * (y - y_mean[groups])), weights=event.weights)
    return reliability, resolution, base * (1 - base), within, np.average(np.square(p - y), weights=event.weights)


def _groups(event: _Event, bins: int | None, strategy: Strategy) -> tuple[IntArray, int]:
    if bins is not None:
        return _bins(event, _edges(event, bins, strategy)), bins
    distinct, groups = np.unique(event.probability, return_inverse=True)
    return groups, len(distinct)


__test__ = examples(__name__)
