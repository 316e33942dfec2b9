"""Areas under the ROC curve: the interval of one, and DeLong's test of two.

Both come from placements: for each positive the share of negatives that score lower, for each negative the share of
positives that score higher, ties by half. One sort gives them all.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtri

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Folds, Order
from fairtrial.measures import channel_checks as channel
from fairtrial.stats.exact import Tail
from fairtrial.stats.normal import normal_bounds, normal_tail, tail_share
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.scores import BoolArray, FloatArray
from fairtrial.stats.student_t import t_bounds, t_tail

__all__ = ["Placements", "auc_interval", "delong", "newcombe", "placements", "positives"]

AUC_METHODS = {"logit": "DeLong, logit", "delong": "DeLong", "score": "Newcombe"}


class Placements(NamedTuple):
    """The area, and what each positive and each negative adds to it."""

    area: float
    of_positives: FloatArray
    of_negatives: FloatArray

    def variance(self) -> float:
        """DeLong's estimate of the variance of the area."""
        total = 0.0
        for own in self[1:]:
            n, centred = len(own), own - self.area
            total += float(centred @ centred) / (n * (n - 1)) if n > 1 else math.nan
        return total

    def less(self, other: Placements) -> float:
        """DeLong's variance of the difference of two areas on the same instances, from the differences of placements.

        The sum of variances and covariance would lose all digits where the rankings hardly differ.
        """
        gaps = Placements(self.area - other.area, self.of_positives - other.of_positives, self[2] - other[2])
        if max(float(np.abs(gap).max()) for gap in gaps[1:]) < 1e-14:
            return 0.0  # the same ranking, but for rounding
        return gaps.variance()


def placements(positive: BoolArray, scores: FloatArray) -> Placements:
    """From which instances are positive, and scores that are higher for them.

    >>> placements(np.array([True, False, True, False]), np.array([3.0, 1.0, 2.0, 2.0]))
    Placements(area=0.875, of_positives=array([1.  , 0.75]), of_negatives=array([1.  , 0.75]))
    """
    n, m = len(positive), int(positive.sum())
    order = Order.of(scores, Folds(None, 1, n))
    is_positive, ends = positive.take(order.rows), order.groups.ends
    above = np.cumsum(is_positive, dtype=np.int64)  # positives that score at least as high
    if ends is None:
        right = np.where(is_positive, n - m - np.arange(1, n + 1) + above, above).astype(np.float64)
    else:
        sizes = np.diff(ends, prepend=-1)
        upper = above.take(ends)
        positives_above = upper - np.diff(upper, prepend=0) / 2  # those that are equal count half
        negatives_above = (ends + 1 - sizes / 2) - positives_above
        right = np.where(is_positive, n - m - np.repeat(negatives_above, sizes), np.repeat(positives_above, sizes))
    placed = np.empty(n)
    placed[order.rows] = right
    of_positives, of_negatives = placed[positive] / (n - m), placed[~positive] / m
    return Placements(float(of_positives.mean()), of_positives, of_negatives)


def positives(truth: npt.ArrayLike, positive: object) -> BoolArray:
    """Which instances are positive: of two classes, the one named or the last in order. Both must occur."""
    channel.one_length({"truth": truth})
    array = np.asarray(truth)
    if array.ndim == 1 and array.dtype.kind == "b" and positive is None:
        found = array
    elif array.ndim == 1 and array.size and array.dtype.kind in "iu" and positive is None and array.min() >= 0:
        found = array.astype(np.bool_) if array.max() <= 1 else _named(array, positive)
    else:
        found = _named(array, positive)
    if not 0 < found.sum() < len(found):
        raise InputError(f"truth must hold positives and negatives, got {found.sum()} positives of {len(found)}")
    return found


def _named(truth: npt.ArrayLike, positive: object) -> BoolArray:
    known, (codes,) = channel.encode(channel.labels("truth", truth), None, None)
    if len(known) != 2:
        raise InputError(f"truth must hold two classes, got {len(known)}: {known.tolist()[:5]}")
    place = channel.position(positive, known)
    return np.asarray(codes == (1 if place is None else place))


def _scores(name: str, values: npt.ArrayLike, n: int) -> FloatArray:
    array = channel.numbers(name, values, infinite=True)
    if array.shape != (n,):
        raise InputError(f"{name} must be one score for each of the {n} instances of truth, got shape {array.shape}")
    return array


def auc_interval(
    truth: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    method: Literal["logit", "delong", "score"] = "logit",
    positive: object = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Interval:
    r"""Interval for the area under the ROC curve of one fixed model, over instances drawn like these.

    With the placements :math:`V_i` of the m positives (the share of negatives that score lower, ties by half) and
    :math:`W_j` of the n negatives (the share of positives that score higher), DeLong's variance is

    .. math:: \widehat{\operatorname{var}} = \frac{s_V^2}{m} + \frac{s_W^2}{n}.

    - ``logit`` (default): the normal interval of :math:`\log\frac{A}{1-A}`, turned back. Always inside 0 to 1, and
      nearer its level than the next for areas near 1.
    - ``delong``: :math:`A \pm z \sqrt{\widehat{\operatorname{var}}}`, cut at 0 and 1.
    - ``score``: Newcombe's fifth method: the areas θ with :math:`|A - \theta| \le z\sqrt{v(\theta)}` where v is Hanley
      and McNeil's variance *at θ*. Defined for perfect rankings too.

    A perfect (or perfectly wrong) ranking has no DeLong variance; others then print [1, 1], as if nothing could be
    wrong. Here the score interval takes its place, and a note says so. With a single positive or negative too.

    References: DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595; Sun & Xu (2014, the fast way),
    doi:10.1109/LSP.2014.2337313; Qin & Hotilovac (2008), Statistical Methods in Medical Research 17:207-221 (logit);
    Newcombe (2006), Statistics in Medicine 25:559-573, doi:10.1002/sim.2324.

    >>> print(auc_interval([0, 0, 0, 1, 1, 1, 1], [0.1, 0.4, 0.6, 0.3, 0.5, 0.8, 0.9]))
    AUC 0.7500, 95 % interval [0.2404, 0.9660] (DeLong, logit)
    >>> perfect = auc_interval([0, 0, 1, 1], [1, 2, 3, 4])
    >>> perfect.estimate, perfect.low, perfect.high
    (1.0, 0.3856, 1.0)
    """
    if method not in AUC_METHODS:
        raise UnknownName.among("interval for an AUC", method, AUC_METHODS)
    check_alternative(alternative)
    check_level(level)
    channel.same_rows({"truth": truth, "scores": scores})
    is_positive = positives(truth, positive)
    found = placements(is_positive, _scores("scores", scores, len(is_positive)))
    variance, m = found.variance(), len(found.of_positives)
    notes: tuple[str, ...] = ()
    if method != "score" and not variance > 0:
        method, notes = "score", ("without spread DeLong's variance says nothing: Newcombe's interval instead",)
    low, high = _area_bounds(found, variance, method, 2 * tail_share(level, alternative), m, len(is_positive) - m)
    low, high = (0.0 if alternative == "less" else low), (1.0 if alternative == "greater" else high)
    return Interval("AUC", found.area, low, high, level, AUC_METHODS[method], notes)


def _area_bounds(found: Placements, variance: float, method: str, alpha: float, m: int, n: int) -> tuple[float, float]:
    area, z = found.area, -float(ndtri(alpha / 2))
    if method == "delong":
        return max(area - z * math.sqrt(variance), 0.0), min(area + z * math.sqrt(variance), 1.0)
    if method == "logit" and 0 < area < 1:
        reach = z * math.sqrt(variance) / (area * (1 - area))
        return float(expit(logit(area) - reach)), float(expit(logit(area) + reach))
    return newcombe(area, z, m, n)


def newcombe(area: float, z: float, m: int, n: int) -> tuple[float, float]:
    """Newcombe's bounds for an area, or for the chance that one of m values is larger than one of n others."""
    return 1 - _newcombe_high(1 - area, z, m, n), _newcombe_high(area, z, m, n)


def _newcombe_high(area: float, z: float, m: int, n: int) -> float:
    """The largest area that is no more than z of its own standard errors above the one found.

    A negative z, of a one-sided level below ½, asks for one that much below.
    """
    if area == (1 if z > 0 else 0):
        return area
    from scipy.optimize import brentq

    more = (m + n) / 2 - 1

    def excess(a: float) -> float:
        variance = a * (1 - a) * (1 + more * (1 - a) / (2 - a) + more * a / (1 + a)) / (m * n)
        return a - area - z * math.sqrt(variance)

    if z > 0:
        return float(brentq(excess, area if area > 0 else 1e-300, 1.0, xtol=1e-14))
    return float(brentq(excess, 0.0, min(area, 1 - 1e-15), xtol=1e-14)) if z < 0 else area


def delong(
    truth: npt.ArrayLike,
    scores_a: npt.ArrayLike,
    scores_b: npt.ArrayLike,
    *,
    truth_b: npt.ArrayLike | None = None,
    positive: object = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""DeLong's test of two areas under the ROC curve, of two fixed models on the same instances.

    Null hypothesis: both models rank instances like these equally well: their areas are the same.

    .. math:: z = \frac{A_a - A_b}{\sqrt{\operatorname{var}_a + \operatorname{var}_b - 2 \operatorname{cov}_{ab}}}

    with variances and covariance from the placements (see :func:`auc_interval`): of V over positives divided by their
    number, plus of W over negatives divided by theirs. Ties count half. The interval of the difference inverts the
    test: it leaves out 0 exactly when p < 1 − level.

    ``truth_b`` says that ``scores_b`` are of *other*, independent instances, whose truth it is: no covariance then, and
    t with Welch's degrees of freedom in the place of z, as pROC has it.

    Equal rankings: p = 1. Areas that differ without any spread (a perfect ranking against a perfectly wrong one) leave
    it undefined: p nan, with a note; :func:`measure_permutation` then has an answer. It is an approximation for many
    instances, and about these two models, not about training them anew.

    References: DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595; Sun & Xu (2014),
    doi:10.1109/LSP.2014.2337313.

    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> outcome = delong(truth, [1, 2, 3, 5, 4, 6, 7, 8], [5, 1, 6, 2, 4, 3, 8, 7])
    >>> outcome.statistic, outcome.p_value, outcome.details["areas"]
    (0.8429, 0.3993, [0.9375, 0.75])
    """
    check_alternative(alternative)
    check_level(level)
    of_b = {"truth": truth, "scores_a": scores_a, "scores_b": scores_b}
    if truth_b is not None:
        of_b = {"truth_b": truth_b, "scores_b": scores_b}
        channel.same_rows({"truth": truth, "scores_a": scores_a})
    channel.same_rows(of_b)
    first = positives(truth, positive)
    second = first if truth_b is None else positives(truth_b, positive)
    a = placements(first, _scores("scores_a", scores_a, len(first)))
    b = placements(second, _scores("scores_b", scores_b, len(second)))
    variances = a.variance(), b.variance()
    if math.isnan(sum(variances)):
        raise InputError("truth must hold at least two positives and two negatives, since one has no spread")
    difference, variance = a.area - b.area, sum(variances) if truth_b is not None else a.less(b)
    covariance = (sum(variances) - variance) / 2
    error, df = math.sqrt(variance), None if truth_b is None else _welch(a, b, variance)
    statistic, tail, low, high, notes = _difference(difference, error, df, alternative, level)
    return Outcome(
        test="DeLong",
        null="both rank instances like these equally well",
        statistic=statistic,
        critical_value=-float(ndtri(tail_share(level, alternative))) if df is None else math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=len(first) if truth_b is None else len(first) + len(second),
        alternative=alternative,
        method="normal approximation" if df is None else "t, unpaired",
        effect=Interval("difference of AUCs", difference, max(low, -1.0), min(high, 1.0), level, "DeLong"),
        df=df,
        notes=notes,
        details={"areas": [a.area, b.area], "variances": list(variances), "covariance": covariance},
    )


def _welch(a: Placements, b: Placements, variance: float) -> float:
    """Degrees of freedom of two independent areas, each with as many as it has instances, less one."""
    parts = [(p.variance(), len(p.of_positives) + len(p.of_negatives) - 1) for p in (a, b)]
    total = sum(v**2 / df for v, df in parts)
    return variance**2 / total if total > 0 else math.nan


def _difference(
    difference: float, error: float, df: float | None, alternative: Alternative, level: float
) -> tuple[float, Tail, float, float, tuple[str, ...]]:
    if error > 0 and df is None:
        bounds = normal_bounds(difference, error, level, alternative)
        return difference / error, normal_tail(difference / error, alternative), *bounds, ()
    if error > 0 and df is not None:
        bounds = t_bounds(difference, error, df, level, alternative)
        return difference / error, t_tail(difference / error, df, alternative), *bounds, ()
    if difference == 0:
        return math.nan, Tail(1.0, 0.0), 0.0, 0.0, ("both rank the instances alike, as far as the area goes",)
    note = "the areas differ without any spread: the test is undefined; use measure_permutation"
    nan = Tail(math.nan, math.nan)
    return math.copysign(math.inf, difference), nan, math.nan, math.nan, (note,)
