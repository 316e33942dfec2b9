"""One proportion, such as the accuracy on n test instances: confidence intervals, and tests against a given value."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Literal

from scipy.special import betainc, betaincinv, ndtri

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.arguments import is_whole, number
from fairtrial.stats.bibliography import BROWN_2001, CLOPPER_PEARSON_1934, NEWCOMBE_1998, STERNE_1954, WILSON_1927
from fairtrial.stats.distributions.binomial import (
    binomial_chances,
    binomial_tails,
    doubled_p,
    least_likely_p,
    sterne_bounds,
)
from fairtrial.stats.distributions.tail import normal_tail, tail_share
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import ONE_METHOD, TRIALS, procedure
from fairtrial.words import is_one_of

SUCCESSES = "number of successes"
NULL = "the probability of a success equals the given value"
WORKS = (CLOPPER_PEARSON_1934, STERNE_1954)
MANY_TRIALS = f"many {TRIALS}"

Bounds = tuple[float, float]


@procedure(
    question=ONE_METHOD, assumes=TRIALS, references=(BROWN_2001, CLOPPER_PEARSON_1934, NEWCOMBE_1998, WILSON_1927)
)
def proportion_interval(
    successes: int,
    n: int,
    *,
    method: str = "wilson",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    quantity: str = "proportion",
) -> Interval:
    r"""Confidence interval for a proportion, such as the accuracy of a model on n independent test instances.

    With :math:`\hat p = x / n`, :math:`\alpha = 1 - \text{level}` and :math:`z` the normal quantile at
    :math:`1 - \alpha/2`, ``method`` is one of:

    - ``wilson`` (default) inverts the score test: centre :math:`(\hat p + z^2/2n) / (1 + z^2/n)`, half-width
      :math:`\tfrac{z}{1 + z^2/n}\sqrt{\hat p(1-\hat p)/n + z^2/4n^2}`. Its coverage is close to the level on average,
      for any n.
    - ``wilson-corrected`` inverts the score test with continuity correction (Newcombe's method 4). It is nearly as wide
      as ``exact``.
    - ``exact`` (Clopper-Pearson) inverts two one-sided binomial tests. Its coverage is never below the level, and so it
      is wide. Use it for fewer than 30 instances, and whenever the guarantee matters.
    - ``mid-p`` inverts the same tests with half of the probability of the observed outcome. It is narrower than
      ``exact``, with a coverage near the level.
    - ``jeffreys`` is the central posterior interval under a Beta(½, ½) prior. A bound is 0 or 1 if x is 0 or n.
    - ``agresti-coull`` is the normal formula after adding :math:`z^2/2` successes and as many failures.
    - ``normal`` is :math:`\hat p \pm z\sqrt{\hat p(1-\hat p)/n}`. It needs :math:`n\hat p(1-\hat p) \ge 5` and n of at
      least 30; a note says when this does not hold. At 0 or n successes it shrinks to a point.

    ``agresti-coull`` and ``normal`` are not cut: they may reach below 0 or above 1.

    ``alternative="greater"`` gives only a lower bound (the upper one is 1), ``"less"`` only an upper bound, each at the
    full level: "with 95 % confidence the accuracy is at least …".

    The level is a property of the procedure: of many such intervals, 95 % contain the true proportion. The interval is
    about this fitted model and about instances from the same population, not about the choice of training data.

    References: Wilson (1927), doi:10.1080/01621459.1927.10502953; Clopper & Pearson (1934),
    doi:10.1093/biomet/26.4.404; Newcombe (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E;
    Brown, Cai & DasGupta (2001), doi:10.1214/ss/1009213286.

    >>> print(proportion_interval(80, 100, quantity="accuracy"))
    accuracy 0.8000, 95 % interval [0.7112, 0.8666] (Wilson)
    >>> exact = proportion_interval(80, 100, method="exact")
    >>> exact.low, exact.high
    (0.7082, 0.8733)
    >>> at_least = proportion_interval(80, 100, alternative="greater")
    >>> at_least.low, at_least.high
    (0.7267, 1.0)
    """
    if not is_one_of(method, PROPORTION_METHODS):
        raise UnknownName.among("interval for a proportion", method, PROPORTION_METHODS)
    check_alternative(alternative)
    check_level(level)
    x, n = whole_counts(successes, n)
    name, bounds = PROPORTION_METHODS[method]
    low, high = bounds(x, n, 2 * tail_share(level, alternative))
    low, high = (0.0 if alternative == "less" else low), (1.0 if alternative == "greater" else high)
    notes = _normal_notes(x, n) if method == "normal" else ()
    return Interval(quantity, x / n, low, high, level, name, notes)


MOST = 10**15  # instances: not all larger whole numbers can be held as floats


def whole_counts(successes: float, n: float) -> tuple[int, int]:
    """Check a number of successes and a number of trials, and return both as whole numbers."""
    if not (is_whole(n) and 1 <= n <= MOST):
        raise InputError(f"n must be a whole number from 1 to 10^15, got {n!r}")
    if not (is_whole(successes) and 0 <= successes <= n):
        raise InputError(f"successes must be a whole number from 0 to n = {n}, got {successes!r}")
    return int(successes), int(n)


def _normal_notes(x: int, n: int) -> tuple[str, ...]:
    spread = x * (n - x) / n
    if spread >= 5 and n >= 30:
        return ()
    return (
        f"the normal approximation needs n·p·(1−p) ≥ 5 and n ≥ 30, but they are {spread:.3g} and {n}; "
        "use method 'exact'",
    )


def _normal(x: float, n: float, alpha: float) -> Bounds:
    reach = -float(ndtri(alpha / 2)) * math.sqrt(x * (n - x) / n) / n
    return x / n - reach, x / n + reach


def _wilson(x: int, n: int, alpha: float) -> Bounds:
    z = -float(ndtri(alpha / 2))  # z is negative for a one-sided level below ½
    centre = (x + z * z / 2) / (n + z * z)
    reach = z * math.sqrt(x * (n - x) / n + z * z / 4) / (n + z * z)
    low, high = (0.0 if x == 0 and z > 0 else centre - reach), (1.0 if x == n and z > 0 else centre + reach)
    return low, high


def _wilson_corrected(x: int, n: int, alpha: float) -> Bounds:
    z = -float(ndtri(alpha / 2))
    return _corrected_low(x, n, z), 1.0 - _corrected_low(n - x, n, z)


def _corrected_low(x: int, n: int, z: float) -> float:
    if x == 0:
        return 0.0
    root = z * z - 2 - 1 / n + 4 * x * (n - x + 1) / n
    return max(0.0, (2 * x + z * z - 1 - z * math.sqrt(root)) / (2 * (n + z * z)))


def _agresti_coull(x: int, n: int, alpha: float) -> Bounds:
    z2 = float(ndtri(alpha / 2)) ** 2
    return _normal(x + z2 / 2, n + z2, alpha)


def clopper_pearson(x: int, n: int, alpha: float) -> Bounds:
    """Clopper and Pearson's exact bounds for x successes in n trials, each with an error of at most alpha / 2."""
    low = 0.0 if x == 0 else float(betaincinv(x, n - x + 1, alpha / 2))
    high = 1.0 if x == n else 1.0 - float(betaincinv(n - x, x + 1, alpha / 2))
    return low, high


def mid_p(x: int, n: int, alpha: float) -> Bounds:
    """Mid-p bounds for x successes in n trials: half the probability of x and all beyond x make up alpha / 2."""
    return _mid_p_low(x, n, alpha / 2), 1.0 - _mid_p_low(n - x, n, alpha / 2)


def _mid_p_low(x: int, n: int, tail: float) -> float:
    if x == 0:
        return 0.0
    from scipy.optimize import brentq

    def excess(p: float) -> float:
        beyond = float(betainc(x + 1, n - x, p)) if x < n else 0.0
        return (beyond + float(betainc(x, n - x + 1, p))) / 2 - tail

    start = float(betaincinv(x, n - x + 1, tail))  # below this p even the full probability of x is too small
    if excess(1.0) <= 0:  # for a level below ½ half the probability of one outcome is never enough
        return 1.0
    return float(brentq(excess, start, 1.0, xtol=1e-15, rtol=1e-14))


def _jeffreys(x: int, n: int, alpha: float) -> Bounds:
    low = 0.0 if x == 0 else float(betaincinv(x + 0.5, n - x + 0.5, alpha / 2))
    high = 1.0 if x == n else 1.0 - float(betaincinv(n - x + 0.5, x + 0.5, alpha / 2))
    return low, high


PROPORTION_METHODS: dict[str, tuple[str, Callable[[int, int, float], Bounds]]] = {
    "wilson": ("Wilson", _wilson),
    "wilson-corrected": ("Wilson with continuity correction", _wilson_corrected),
    "exact": ("Clopper-Pearson", clopper_pearson),
    "mid-p": ("mid-p", mid_p),
    "jeffreys": ("Jeffreys", _jeffreys),
    "agresti-coull": ("Agresti-Coull", _agresti_coull),
    "normal": ("normal approximation", _normal),
}


@procedure(question=ONE_METHOD, null=NULL, assumes=TRIALS, references=WORKS, test="Binomial")
def binomial_test(
    successes: int,
    n: int,
    p0: float = 0.5,
    *,
    method: Literal["exact", "doubled"] = "exact",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Exact binomial test: does a proportion differ from a given value, such as the accuracy of guessing?

    Null hypothesis: each of the n instances is a success with probability :math:`p_0`, independently.

    .. math:: P(X \ge x) = \sum_{j=x}^{n} \binom{n}{j} p_0^j (1 - p_0)^{n-j}

    is the p-value for ``greater``; for ``less`` the sum runs from 0 to x. There are two conventions for a two-sided
    p-value, which differ unless :math:`p_0 = \tfrac12`: ``method="exact"`` adds the probabilities of all outcomes that
    are at most as likely as the observed one, as R does; ``"doubled"`` takes twice the smaller tail, at most 1. The
    interval inverts the same test: Sterne's for ``exact`` (its bounds are the outermost values of :math:`p_0` that are
    not rejected), Clopper and Pearson's for ``doubled``.

    The statistic is the number of successes. It is about one fitted model and instances from the same population.

    References: Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404; Sterne (1954), Biometrika 41:275-278,
    doi:10.1093/biomet/41.1-2.275.

    >>> outcome = binomial_test(9, 12, 0.4)
    >>> outcome.p_value, outcome.effect.low, outcome.effect.high
    (0.0174, 0.4571, 0.9281)
    >>> binomial_test(9, 12, 0.4, alternative="greater").p_value
    0.0153
    """
    if not is_one_of(method, ("exact", "doubled")):
        raise UnknownName.among("two-sided binomial test", method, ("exact", "doubled"))
    check_alternative(alternative)
    check_level(level)
    x, n = whole_counts(successes, n)
    _check_share(p0)
    at_most, at_least = binomial_tails(x, n, p0)
    sterne = method == "exact" and alternative == "two-sided"
    if alternative == "two-sided":
        tail = least_likely_p(x, n, p0) if sterne else doubled_p(at_most, at_least)
    else:
        tail = at_least if alternative == "greater" else at_most
    low, high = (sterne_bounds if sterne else clopper_pearson)(x, n, 2 * tail_share(level, alternative))
    low, high = (0.0 if alternative == "less" else low), (1.0 if alternative == "greater" else high)
    tails: Literal["least likely", "doubled"] = "least likely" if sterne else "doubled"
    return Outcome(
        test="Binomial",
        null=f"the probability of a success equals {p0:g}",
        statistic=float(x),
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        alternative=alternative,
        method="doubled tail" if method == "doubled" and alternative == "two-sided" else "exact",
        effect=Interval("proportion", x / n, low, high, level, "Sterne" if sterne else "Clopper-Pearson"),
        null_distribution=Null(SUCCESSES, chances=partial(binomial_chances, n, p0), tails=tails),
        details={"p0": p0, "at_most": at_most.value, "at_least": at_least.value},
    )


def _check_share(p0: float) -> None:
    if not 0 < number(p0) < 1:
        raise InputError(f"p0 must lie strictly between 0 and 1 (0.5 for guessing between two), got {p0!r}")


@procedure(question=ONE_METHOD, null=NULL, assumes=MANY_TRIALS, references=(WILSON_1927,), test="z of a proportion")
def proportion_z(
    successes: int, n: int, p0: float = 0.5, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> Outcome:
    r"""z-test of a proportion: the normal approximation of the binomial test.

    Null hypothesis: each of the n instances is a success with probability :math:`p_0`, independently.

    .. math:: z = \frac{\hat p - p_0}{\sqrt{p_0 (1 - p_0) / n}}

    with the standard error *under the null hypothesis*, without continuity correction. The interval is Wilson's, which
    inverts this test: it excludes :math:`p_0` exactly when p < 1 − level. A note warns if :math:`n p_0 (1 - p_0) < 5`;
    :func:`binomial_test` is exact for any n and costs no more.

    Reference: Wilson (1927), doi:10.1080/01621459.1927.10502953.

    >>> outcome = proportion_z(80, 100)   # z = 0.3 / 0.05
    >>> outcome.statistic, outcome.p_value
    (6.0, 1.9732e-09)
    """
    check_alternative(alternative)
    check_level(level)
    x, n = whole_counts(successes, n)
    _check_share(p0)
    z = (x - n * p0) / math.sqrt(n * p0 * (1 - p0))
    tail = normal_tail(z, alternative)
    spread = n * p0 * (1 - p0)
    poor = (f"the normal approximation needs n·p0·(1−p0) ≥ 5, but it is {spread:.3g}; use binomial_test",)
    return Outcome(
        test="z of a proportion",
        null=f"the probability of a success equals {p0:g}",
        statistic=z,
        critical_value=-float(ndtri(tail_share(level, alternative))),
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        alternative=alternative,
        method="normal approximation",
        null_distribution=Null("normal"),
        effect=proportion_interval(x, n, alternative=alternative, level=level),
        notes=() if spread >= 5 else poor,
        details={"p0": p0, "standard_error": math.sqrt(p0 * (1 - p0) / n)},
    )
