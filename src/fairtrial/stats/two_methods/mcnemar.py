"""McNemar's test of two classifiers on the same test instances."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.bibliography import DIETTERICH_1998, MCNEMAR_1947
from fairtrial.stats.distributions.binomial import binomial_chances, inverted_score, sign_tail, standardized
from fairtrial.stats.distributions.tail import Tail, normal_tail, tail_share
from fairtrial.stats.one_method.proportions import MOST, clopper_pearson, mid_p
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import INSTANCES, TWO_METHODS, procedure
from fairtrial.stats.score_arrays import numbers, paired_scores
from fairtrial.words import is_one_of, listed, plural, verb

NULL = "if exactly one of the two classifiers is right, each is equally likely to be the right one"

McNemarMethod = Literal["exact", "mid-p", "chi-square", "chi-square-corrected"]
MCNEMAR_METHODS = ("exact", "mid-p", "chi-square", "chi-square-corrected")
FEW = 20  # disagreements: with fewer, the chi-square approximation is unreliable


@procedure(
    question=TWO_METHODS, null=NULL, assumes=INSTANCES, references=(MCNEMAR_1947, DIETTERICH_1998), test="McNemar"
)
def mcnemar(
    first: npt.ArrayLike,
    second: npt.ArrayLike | None = None,
    *,
    method: McNemarMethod = "exact",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""McNemar's test of two classifiers on the same test instances, exact by default.

    Null hypothesis: if exactly one of the two classifiers is right, each is equally likely to be the right one.

    ``first`` and ``second`` say for each instance whether the classifier was right. Or give ``first`` alone, as the
    table ``[[both right, only first], [only second, both wrong]]``. With b instances on which only the first is right
    and c on which only the second is right, ``method`` is one of:

    - ``exact`` (default): :math:`b \sim \text{Binomial}(b + c, \tfrac12)`; the two-sided p is twice the smaller tail.
    - ``mid-p``: the exact p with half of the probability of the observed b. It is less conservative, and its error rate
      is very near the significance level. For b = c it is 1 minus half of that probability.
    - ``chi-square``: :math:`(b - c)^2 / (b + c)` with 1 degree of freedom.
    - ``chi-square-corrected``: :math:`(|b - c| - 1)^2 / (b + c)`, with the continuity correction of textbooks (0 for
      b = c).

    Below 20 disagreements the chi-square forms are inaccurate, and a note says so. Their one-sided p-values use the
    signed root of the statistic.

    The effect is the difference of the two accuracies, :math:`(b - c) / n`. With ``exact`` and ``mid-p`` its interval
    is the union of two intervals: Clopper and Pearson's (or mid-p) for b of b + c, which belongs to the test but takes
    the number of disagreements as given, and Bonett and Price's, which does not. So it contains 0 whenever
    p ≥ 1 − level; if p is just below 1 − level, it ends at 0 at the latest. With ``chi-square`` it is Tango's score
    interval, which inverts that test: it excludes 0 exactly when p < 1 − level.

    Without disagreements p is 1. The answer is about these two models, not about retraining them.

    References: McNemar (1947), doi:10.1007/BF02295996; Dietterich (1998), doi:10.1162/089976698300017197;
    Fagerland, Lydersen & Laake (2013), doi:10.1186/1471-2288-13-91; Tango (1998), Statistics in Medicine 17:891-908;
    Bonett & Price (2012), Journal of Educational and Behavioral Statistics 37:479-488, doi:10.3102/1076998611411915.

    >>> outcome = mcnemar([[60, 12], [3, 25]])
    >>> outcome.p_value, outcome.effect.estimate   # 2 (1 + 15 + 105 + 455) / 2**15
    (0.0352, 0.09)
    >>> mcnemar([[60, 12], [3, 25]], method="mid-p").p_value   # 455 counts half
    0.0213
    """
    if not is_one_of(method, MCNEMAR_METHODS):
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
        null=NULL,
        statistic=z**2 if chi_square else float(b),
        critical_value=float(ndtri(limit)) ** 2 if chi_square else math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        alternative=alternative,
        method=method,
        effect=_accuracy_difference(b, c, n, level, alternative, method, rejected=tail.value < 1 - level),
        df=1 if chi_square else None,
        null_distribution=_null(b, c, z, method, alternative),
        notes=_disagreement_notes(b + c, chi_square=chi_square),
        details={"only_first": b, "only_second": c},
    )


def _disagreement_notes(m: int, *, chi_square: bool) -> tuple[str, ...]:
    if m == 0:
        return ("the two classifiers are right and wrong on the same instances",)
    if chi_square and m < FEW:
        few = f"{plural(m, 'disagreement')} {verb(m, 'is', 'are')} too few"
        return (f"{few} for the chi-square approximation, which needs {FEW}; use 'exact' or 'mid-p'",)
    return ()


def _disagreements(first: npt.ArrayLike, second: npt.ArrayLike | None) -> tuple[int, int, int]:
    """The numbers of instances on which only the first is right, on which only the second is, and of all."""
    if second is None:
        a = numbers(first, "the table")
        if a.shape != (2, 2) or not ((a >= 0) & (a <= MOST) & (a == np.floor(a))).all():
            raise InputError(f"first without second must be a 2 × 2 table of counts, got {a.tolist()!r}"[:200])
        if a.sum() == 0:
            raise InputError("first, as a 2 × 2 table, must count at least one instance, got only zeros")
        return int(a[0, 1]), int(a[1, 0]), int(a.sum())
    right_a, right_b = paired_scores(first, second)
    if not np.isin([right_a, right_b], [0, 1]).all():
        bad = np.unique(np.concatenate([right_a, right_b]))
        raise InputError(
            "first and second must say right (True, 1) or wrong (False, 0) for each instance, "
            f"got {listed(f'{v:g}' for v in bad[~np.isin(bad, [0, 1])])}; compare predictions with the truth first"
        )
    return int(((right_a == 1) & (right_b == 0)).sum()), int(((right_a == 0) & (right_b == 1)).sum()), len(right_a)


def _signed_root(b: int, c: int, *, corrected: bool) -> float:
    if b + c == 0:
        return math.nan
    distance = max(abs(b - c) - 1, 0) if corrected else abs(b - c)
    return math.copysign(distance / math.sqrt(b + c), b - c)


def _null(b: int, c: int, z: float, method: str, alternative: Alternative) -> Null:
    """The distribution whose tail the p-value is; that of one side belongs to the signed root of chi-square."""
    if method.startswith("chi-square"):
        return Null("chi-square", 1) if alternative == "two-sided" else Null("normal", observed=z)
    count = "number of instances on which only {first} is right"
    return Null(count, chances=partial(binomial_chances, b + c), tails="mid-p" if method == "mid-p" else "doubled")


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
        if not rejected:  # with the continuity correction the test may not reject although the interval excludes 0
            low, high = min(low, 0.0), max(high, 0.0)
        name = "Tango"
    else:
        low, high = _union_interval(b, c, n, alpha, clopper_pearson if method == "exact" else mid_p)
        if rejected and b != c:  # in 1 of 500 tables Bonett and Price's alone holds 0
            low, high = (max(low, 0.0), high) if b > c else (low, min(high, 0.0))
        name = "Clopper-Pearson and Bonett-Price" if method == "exact" else "mid-p and Bonett-Price"
    low = -1.0 if alternative == "less" else max(low, -1.0)
    high = 1.0 if alternative == "greater" else min(high, 1.0)
    return Interval("difference of accuracies", (b - c) / n, low, high, level, name)


def _union_interval(
    b: int, c: int, n: int, alpha: float, of_share: Callable[[int, int, float], tuple[float, float]]
) -> tuple[float, float]:
    """The union of the interval given the number of disagreements and Bonett and Price's, which is not conditional."""
    shares = of_share(b, b + c, alpha) if b + c else (0.5, 0.5)
    given = [(2 * share - 1) * (b + c) / n for share in shares]
    one, other = (b + 1) / (n + 2), (c + 1) / (n + 2)  # Bonett and Price add one disagreement each way
    half = float(ndtri(1 - alpha / 2)) * math.sqrt((one + other - (one - other) ** 2) / (n + 2))
    return min(given[0], one - other - half), max(given[1], one - other + half)


def tango(b: int, c: int, n: int, alpha: float) -> tuple[float, float]:
    """Tango's interval: the differences of two paired proportions, (b − c) / n, that the score test does not reject."""
    limit = -float(ndtri(alpha / 2))

    def score(difference: float) -> float:
        linear = -b - c + (2 * n - b + c) * difference
        constant = -c * difference * (1 - difference)
        share = (math.sqrt(max(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n)  # only the second right
        spread = n * (2 * share + difference * (1 - difference))
        return standardized(b - c - n * difference, spread)

    return inverted_score(score, (b - c) / n, limit)
