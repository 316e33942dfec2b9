"""Test of the difference of two independent proportions, such as accuracies on two test sets."""

from __future__ import annotations

import math
from typing import Literal

from scipy.special import ndtri

from fairtrial.errors import UnknownName
from fairtrial.stats.bibliography import DIETTERICH_1998, MEE_1984, MIETTINEN_NURMINEN_1985
from fairtrial.stats.distributions.binomial import inverted_score, standardized
from fairtrial.stats.distributions.tail import Tail, normal_bounds, normal_tail, tail_share
from fairtrial.stats.one_method.proportions import whole_counts
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import TWO_METHODS, procedure
from fairtrial.words import is_one_of

ASSUMES = "two independent test sets"
WORKS = (DIETTERICH_1998, MEE_1984, MIETTINEN_NURMINEN_1985)
NULL = "the probability of a success is the same in both samples"


@procedure(question=TWO_METHODS, null=NULL, assumes=ASSUMES, references=WORKS, test="Two proportions")
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
    r"""z-test of the difference of two proportions, such as accuracies on two independent test sets.

    Null hypothesis: the probability of a success is the same in both samples.

    .. math:: z = \frac{\hat p_a - \hat p_b}{\sqrt{\bar p (1 - \bar p)(1/n_a + 1/n_b)}}, \qquad
              \bar p = \frac{x_a + x_b}{n_a + n_b}

    **Do not use it for two models on the same instances:** their answers are correlated, which this test ignores; use
    :func:`mcnemar` there.

    With ``method="score"`` (default) the interval inverts this test, with both proportions estimated anew at each
    difference (Mee 1984): it excludes 0 exactly when p < 1 − level. ``"normal"`` uses the separate variances,
    :math:`\hat p_a(1-\hat p_a)/n_a + \hat p_b(1-\hat p_b)/n_b`, in test and interval, as introductory texts do. A note
    warns if fewer than 5 successes or failures are expected. If both samples hold only successes, or only failures, p
    is 1.

    References: Mee (1984), Biometrics 40:1175-1176; Miettinen & Nurminen (1985), doi:10.1002/sim.4780040211;
    Dietterich (1998), doi:10.1162/089976698300017197.

    >>> outcome = two_proportions(900, 1000, 800, 1000)
    >>> outcome.statistic, outcome.p_value
    (6.2622, 3.7948e-10)
    >>> print(outcome.effect)
    difference of proportions 0.1000, 95 % interval [0.06911, 0.1312] (score)
    """
    if not is_one_of(method, ("score", "normal")):
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
        notes = (
            *notes,
            "the normal approximation needs at least 5 expected successes and failures in each sample, "
            f"but the smallest expected count is {fewest:.3g}",
        )
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
        null=NULL,
        statistic=z,
        critical_value=-float(ndtri(tail_share(level, alternative))),
        p_value=tail.value,
        log10_p=tail.log10,
        n=n_a + n_b,
        alternative=alternative,
        method="score" if method == "score" else "normal approximation",
        null_distribution=Null("normal"),
        effect=Interval("difference of proportions", p_a - p_b, low, high, level, method),
        notes=("this test is for two independent test sets; use mcnemar for two models on the same instances", *notes),
        details={"proportions": [p_a, p_b], "standard_error": error},
    )


def _difference_tail(difference: float, error: float, alternative: Alternative) -> tuple[Tail, float, tuple[str, ...]]:
    if error > 0:
        return normal_tail(difference / error, alternative), difference / error, ()
    if difference == 0:
        return Tail(1.0, 0.0), math.nan, ("both samples hold only successes, or only failures",)
    note = "one sample holds only successes, the other only failures: the variance is zero; use method 'score'"
    return Tail(math.nan, math.nan), math.copysign(math.inf, difference), (note,)


def _mee(x_a: int, n_a: int, x_b: int, n_b: int, alpha: float) -> tuple[float, float]:
    """Mee's interval: the differences of two proportions that the score test does not reject."""
    p_a, p_b, limit = x_a / n_a, x_b / n_b, -float(ndtri(alpha / 2))

    def score(difference: float) -> float:
        second = _most_likely_second(x_a, n_a, x_b, n_b, difference)
        first = second + difference
        spread = max(first * (1 - first), 0.0) / n_a + max(second * (1 - second), 0.0) / n_b
        return standardized(p_a - p_b - difference, spread)

    return inverted_score(score, p_a - p_b, limit)


def _most_likely_second(x_a: int, n_a: int, x_b: int, n_b: int, difference: float) -> float:
    """The maximum likelihood estimate of the second proportion if the first is larger by this difference."""
    low, high = max(0.0, -difference), min(1.0, 1 - difference)
    for _ in range(60):  # the slope of the log likelihood falls from +∞ to −∞ between the ends
        middle = (low + high) / 2
        first = middle + difference
        slope = _slope(x_a, n_a, first) + _slope(x_b, n_b, middle)
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2


def _slope(x: int, n: int, p: float) -> float:
    """The derivative of the binomial log likelihood at p."""
    up = x / p if x and p > 0 else math.inf if x else 0.0
    down = (n - x) / (1 - p) if n - x and p < 1 else math.inf if n - x else 0.0
    return 0.0 if math.isinf(up) and math.isinf(down) else up - down
