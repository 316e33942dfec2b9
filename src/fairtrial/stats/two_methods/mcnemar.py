"""Two classifiers by how often they are right: on the same test instances, or on two independent test sets."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.distributions.normal import normal_bounds, normal_tail, tail_share
from fairtrial.stats.distributions.tail import Tail, sign_tail
from fairtrial.stats.one_method.proportions import MOST, clopper_pearson, mid_p, whole_counts
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.score_arrays import numbers, paired_scores
from fairtrial.tables.formats import plural

__all__ = ["mcnemar", "tango", "two_proportions"]

McNemarMethod = Literal["exact", "mid-p", "chi-square", "chi-square-corrected"]
MCNEMAR_METHODS = ("exact", "mid-p", "chi-square", "chi-square-corrected")
FEW = 20  # disagreements below which chi-square is not to be trusted


def mcnemar(
    first: npt.ArrayLike,
    second: npt.ArrayLike | None = None,
    *,
    method: McNemarMethod = "exact",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""McNemar's test of two classifiers on the same test instances, exact unless asked otherwise.

    Null hypothesis: where only one of the two is right, it is as often the first as the second.

    ``first`` and ``second`` say for each instance whether the classifier was right; or ``first`` alone is the table
    ``[[both right, only first], [only second, both wrong]]``. With b instances on which only the first is right and c
    on which only the second is:

    - ``exact`` (default): :math:`b \sim \text{Binomial}(b + c, \tfrac12)`; the two-sided p is twice the smaller tail.
    - ``mid-p``: the same with half of the probability of the observed b; less conservative, and very near its level.
      For b = c it is 1 less half of that probability.
    - ``chi-square``: :math:`(b - c)^2 / (b + c)` with 1 degree of freedom.
    - ``chi-square-corrected``: :math:`(|b - c| - 1)^2 / (b + c)`, the textbook's continuity correction (0 for b = c).

    Below 20 disagreements the chi-square forms are poor, and a note says so. One-sided they use the signed root.

    The effect is the difference of the two accuracies, :math:`(b - c) / n`. With ``exact`` and ``mid-p`` its interval
    reaches as far as either of two do: that for b of b + c (Clopper and Pearson's, or mid-p), which belongs to the test
    but takes the number of disagreements as given, and Bonett and Price's, which doesn't. So it holds 0 whenever
    p ≥ 1 − level; a p just below may go with an interval that touches 0. With ``chi-square`` it is Tango's score
    interval, which inverts that test: it leaves out 0 exactly when p < 1 − level.

    No disagreements: p = 1. The answer is about these two models; retraining may change them.

    References: McNemar (1947), doi:10.1007/BF02295996; Dietterich (1998), doi:10.1162/089976698300017197;
    Fagerland, Lydersen & Laake (2013), doi:10.1186/1471-2288-13-91; Tango (1998), Statistics in Medicine 17:891-908;
    Bonett & Price (2012), Journal of Educational and Behavioral Statistics 37:479-488, doi:10.3102/1076998611411915.

    >>> outcome = mcnemar([[60, 12], [3, 25]])
    >>> outcome.p_value, outcome.effect.estimate   # 2 (1 + 15 + 105 + 455) / 2**15
    (0.0352, 0.09)
    >>> mcnemar([[60, 12], [3, 25]], method="mid-p").p_value   # 455 counts half
    0.0213
    """
    if method not in MCNEMAR_METHODS:
        raise UnknownName.among("form of McNemar's test", method, MCNEMAR_METHODS)
    check_alternative(alternative)
    check_level(level)
    b, c, n = _disagreements(first, second)
    chi_square = method.startswith("chi-square")
    z = _signed_root(b, c, corrected=method == "chi-square-corrected")
    tail = _z_tail(z, alternative) if chi_square else _binomial_tail(b, c, alternative, mid=method == "mid-p")
    limit = tail_share(level, alternative)
    return Outcome(
        test="McNemar",
        null="where only one of the two is right, it is as often the first as the second",
        statistic=z**2 if chi_square else float(b),
        critical_value=float(ndtri(limit)) ** 2 if chi_square else math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        alternative=alternative,
        method=method,
        effect=_accuracy_difference(b, c, n, level, alternative, method, rejected=tail.value < 1 - level),
        df=1 if chi_square else None,
        notes=_disagreement_notes(b + c, chi_square=chi_square),
        details={"only_first": b, "only_second": c},
    )


def _disagreement_notes(m: int, *, chi_square: bool) -> tuple[str, ...]:
    if m == 0:
        return ("the two are right and wrong on the same instances",)
    if chi_square and m < FEW:
        few = f"{plural(m, 'disagreement')} {'is' if m == 1 else 'are'} too few"
        return (f"{few} for chi-square, which asks for {FEW}: prefer 'exact' or 'mid-p'",)
    return ()


def _disagreements(first: npt.ArrayLike, second: npt.ArrayLike | None) -> tuple[int, int, int]:
    """On how many instances only the first, only the second is right; and how many there are."""
    if second is None:
        a = numbers(first, "the table")
        if a.shape != (2, 2) or not ((a >= 0) & (a <= MOST) & (a == np.floor(a))).all():
            raise InputError(f"a single argument must be a 2 × 2 table of counts, got {a.tolist()!r}"[:200])
        if a.sum() == 0:
            raise InputError("the table must count at least one instance, got only zeros")
        return int(a[0, 1]), int(a[1, 0]), int(a.sum())
    right_a, right_b = paired_scores(first, second)
    if not np.isin([right_a, right_b], [0, 1]).all():
        raise InputError("first and second must say right (True, 1) or wrong (False, 0) for each instance")
    return int(((right_a == 1) & (right_b == 0)).sum()), int(((right_a == 0) & (right_b == 1)).sum()), len(right_a)


def _signed_root(b: int, c: int, *, corrected: bool) -> float:
    if b + c == 0:
        return math.nan
    distance = max(abs(b - c) - 1, 0) if corrected else abs(b - c)
    return math.copysign(distance / math.sqrt(b + c), b - c)


def _z_tail(z: float, alternative: Alternative) -> Tail:
    return Tail(1.0, 0.0) if math.isnan(z) else normal_tail(z, alternative)


def _binomial_tail(b: int, c: int, alternative: Alternative, *, mid: bool) -> Tail:
    m = b + c
    small = {"greater": c, "less": b, "two-sided": min(b, c)}[alternative]
    if not mid or m == 0:
        return sign_tail(m, small).doubled() if alternative == "two-sided" else sign_tail(m, small)
    beyond, whole = sign_tail(m, small - 1), sign_tail(m, small)
    if b == c and alternative == "two-sided":
        p = 1 - (whole.value - beyond.value) / 2
        return Tail(p, math.log10(p))
    log = float(np.logaddexp2(beyond.log10 / math.log10(2), whole.log10 / math.log10(2)) - 1) * math.log10(2)
    half = Tail((beyond.value + whole.value) / 2, log)
    return half.doubled() if alternative == "two-sided" else half


def _accuracy_difference(
    b: int, c: int, n: int, level: float, alternative: Alternative, method: str, *, rejected: bool
) -> Interval:
    alpha = 2 * tail_share(level, alternative)
    if method.startswith("chi-square"):
        low, high = tango(b, c, n, alpha)
        if not rejected:  # the continuity correction may not reject what the score test does
            low, high = min(low, 0.0), max(high, 0.0)
        name = "Tango"
    else:
        low, high = _given_and_not(b, c, n, alpha, clopper_pearson if method == "exact" else mid_p)
        name = "Clopper-Pearson and Bonett-Price" if method == "exact" else "mid-p and Bonett-Price"
    low = -1.0 if alternative == "less" else max(low, -1.0)
    high = 1.0 if alternative == "greater" else min(high, 1.0)
    return Interval("difference of accuracies", (b - c) / n, low, high, level, name)


def _given_and_not(
    b: int, c: int, n: int, alpha: float, of_share: Callable[[int, int, float], tuple[float, float]]
) -> tuple[float, float]:
    """As far as either reaches: given the number of disagreements, and not."""
    shares = of_share(b, b + c, alpha) if b + c else (0.5, 0.5)
    given = [(2 * share - 1) * (b + c) / n for share in shares]
    one, other = (b + 1) / (n + 2), (c + 1) / (n + 2)  # Bonett and Price: one more disagreement each way
    half = float(ndtri(1 - alpha / 2)) * math.sqrt((one + other - (one - other) ** 2) / (n + 2))
    return min(given[0], one - other - half), max(given[1], one - other + half)


def tango(b: int, c: int, n: int, alpha: float) -> tuple[float, float]:
    """Bounds for the share of the one less the share of the other: what Tango's score test does not reject."""
    limit = -float(ndtri(alpha / 2))

    def score(difference: float) -> float:
        linear = -b - c + (2 * n - b + c) * difference
        constant = -c * difference * (1 - difference)
        share = (math.sqrt(max(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n)  # only the second right
        spread = n * (2 * share + difference * (1 - difference))
        return _standardized(b - c - n * difference, spread)

    return _inverted(score, (b - c) / n, limit)


def _inverted(score: Callable[[float], float], estimate: float, limit: float) -> tuple[float, float]:
    """Where a falling score crosses ± limit, on either side of the estimate, between −1 and 1."""
    ends = (estimate, -estimate) if limit > 0 else (1.0, 1.0)  # one-sided, a level below ½ rejects the estimate too
    low = _first_kept(lambda difference: score(difference) > limit, ends[0])
    return low, -_first_kept(lambda difference: score(-difference) < -limit, ends[1])


def _first_kept(rejected: Callable[[float], bool], end: float) -> float:
    """The smallest difference from −1 to the end that is not rejected, if only the end itself."""
    low, high = -1.0, end
    if not rejected(low):
        return low
    while high - low > 1e-14:
        middle = (low + high) / 2
        low, high = (middle, high) if rejected(middle) else (low, middle)
    return high


def _standardized(distance: float, variance: float) -> float:
    if variance > 0 or distance == 0:
        return distance / math.sqrt(variance) if distance else 0.0
    return math.copysign(math.inf, distance)


def two_proportions(
    successes_a: int,
    n_a: int,
    successes_b: int,
    n_b: int,
    *,
    method: Literal["score", "normal"] = "score",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Difference of two proportions, such as accuracies **on two independent test sets**.

    Null hypothesis: a success is as likely in the first as in the second.

    .. math:: z = \frac{\hat p_a - \hat p_b}{\sqrt{\bar p (1 - \bar p)(1/n_a + 1/n_b)}}, \qquad
              \bar p = \frac{x_a + x_b}{n_a + n_b}

    **Not for two models on the same instances:** their answers hang together, and this test ignores it; use
    :func:`mcnemar` there. With ``method="score"`` (default) the interval inverts this test, estimating the two
    proportions anew at each difference (Mee 1984): it leaves out 0 exactly when p < 1 − level. ``"normal"`` takes
    each proportion's own variance, :math:`\hat p_a(1-\hat p_a)/n_a + \hat p_b(1-\hat p_b)/n_b`, in test and interval,
    as introductory texts do. A note says where fewer than 5 successes or failures are expected. All right in both, or
    all wrong: p = 1.

    References: Mee (1984), Biometrics 40:1175-1176; Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211;
    Dietterich (1998), doi:10.1162/089976698300017197.

    >>> outcome = two_proportions(900, 1000, 800, 1000)
    >>> outcome.statistic, outcome.p_value
    (6.2622, 3.7948e-10)
    >>> print(outcome.effect)
    difference of proportions 0.1000, 95 % interval [0.06911, 0.1312] (score)
    """
    if method not in ("score", "normal"):
        raise UnknownName.among("test of two proportions", method, ("score", "normal"))
    check_alternative(alternative)
    check_level(level)
    (x_a, n_a), (x_b, n_b) = whole_counts(successes_a, n_a), whole_counts(successes_b, n_b)
    p_a, p_b, pooled = x_a / n_a, x_b / n_b, (x_a + x_b) / (n_a + n_b)
    own = math.sqrt(p_a * (1 - p_a) / n_a + p_b * (1 - p_b) / n_b)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b)) if method == "score" else own
    tail, z, notes = _difference_tail(p_a - p_b, error, alternative)
    fewest = min(pooled, 1 - pooled) * min(n_a, n_b)
    if 0 < fewest < 5:
        notes = (*notes, f"the normal approximation asks for 5 expected successes and failures each, here {fewest:.3g}")
    if method == "score":
        low, high = _mee(x_a, n_a, x_b, n_b, 2 * tail_share(level, alternative))
    elif error > 0:
        low, high = normal_bounds(p_a - p_b, error, level, alternative)
    else:
        low = high = math.nan
    if not math.isnan(low):
        low, high = (-1.0 if alternative == "less" else low), (1.0 if alternative == "greater" else high)
    return Outcome(
        test="Two proportions",
        null="a success is as likely in the first as in the second",
        statistic=z,
        critical_value=-float(ndtri(tail_share(level, alternative))),
        p_value=tail.value,
        log10_p=tail.log10,
        n=n_a + n_b,
        alternative=alternative,
        method="score" if method == "score" else "normal approximation",
        effect=Interval("difference of proportions", p_a - p_b, low, high, level, method),
        notes=("for independent test sets: two models on the same instances need mcnemar", *notes),
        details={"proportions": [p_a, p_b], "standard_error": error},
    )


def _difference_tail(difference: float, error: float, alternative: Alternative) -> tuple[Tail, float, tuple[str, ...]]:
    if error > 0:
        return normal_tail(difference / error, alternative), difference / error, ()
    if difference == 0:
        return Tail(1.0, 0.0), math.nan, ("all are successes, or none is, in both",)
    note = "all in one and none in the other are successes: without spread this form is undefined; use 'score'"
    return Tail(math.nan, math.nan), math.copysign(math.inf, difference), (note,)


def _mee(x_a: int, n_a: int, x_b: int, n_b: int, alpha: float) -> tuple[float, float]:
    """The differences that the score test does not reject."""
    p_a, p_b, limit = x_a / n_a, x_b / n_b, -float(ndtri(alpha / 2))

    def score(difference: float) -> float:
        second = _likeliest(x_a, n_a, x_b, n_b, difference)
        first = second + difference
        spread = max(first * (1 - first), 0.0) / n_a + max(second * (1 - second), 0.0) / n_b
        return _standardized(p_a - p_b - difference, spread)

    return _inverted(score, p_a - p_b, limit)


def _likeliest(x_a: int, n_a: int, x_b: int, n_b: int, difference: float) -> float:
    """The second proportion that makes the counts most likely when the first is larger by this difference."""
    low, high = max(0.0, -difference), min(1.0, 1 - difference)
    for _ in range(60):  # the slope of the log likelihood falls from +∞ to −∞ between the ends
        middle = (low + high) / 2
        first = middle + difference
        slope = _slope(x_a, n_a, first) + _slope(x_b, n_b, middle)
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def _slope(x: int, n: int, p: float) -> float:
    up = x / p if x and p > 0 else math.inf if x else 0.0
    down = (n - x) / (1 - p) if n - x and p < 1 else math.inf if n - x else 0.0
    return 0.0 if math.isinf(up) and math.isinf(down) else up - down
