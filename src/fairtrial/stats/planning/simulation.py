"""Power of any test by simulation, and the type S and type M errors of a design."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import check_kind
from fairtrial.stats.arguments import check_seed, number
from fairtrial.stats.bibliography import GELMAN_CARLIN_2014
from fairtrial.stats.outcome import Alternative, Outcome, check_level
from fairtrial.stats.planning.sizes import Power
from fairtrial.stats.procedures import POWER, procedure
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.words import part_of, verb

NORMAL_ESTIMATE = "an estimate with a normal or t distribution around the true effect"


@procedure(
    question=POWER, assumes=NORMAL_ESTIMATE, references=(GELMAN_CARLIN_2014,), test="estimate over its standard error"
)
def design_errors(effect: float, standard_error: float, *, df: float = math.inf, level: float = 0.95) -> Power:
    r"""Type S and type M error of a design: wrong signs and exaggeration among its significant findings.

    Give a plausible true ``effect``, known from outside the data, and the standard error of its estimate. Of the
    estimates that are significant (two-sided), a share has the wrong sign (type S error), and their absolute size is on
    average the ``exaggeration`` times the true one (type M error):

    .. math:: S = \frac{P(\hat\theta < -c)}{P(|\hat\theta| > c)}, \qquad
              M = \frac{E(|\hat\theta| \mid |\hat\theta| > c)}{\theta}, \qquad \theta > 0,

    where :math:`\hat\theta / \text{error}` has the t distribution with ``df`` degrees of freedom, shifted by the
    effect, and c is the critical value. Significant estimates of a small study are exaggerated.

    Reference: Gelman & Carlin (2014), Perspectives on Psychological Science 9:641-651,
    doi:10.1177/1745691614551642.

    >>> found = design_errors(2, 8.1)
    >>> found.power, found.type_s, found.exaggeration
    (0.0570, 0.2396, 9.54)
    """
    from scipy.special import gammaln, ndtr, ndtri, stdtr, stdtrit

    check_level(level)
    size_known = math.isfinite(number(effect)) and effect != 0
    if not (size_known and 0 < number(standard_error) < math.inf and number(df) > 0):
        raise InputError(
            "effect must be finite and not 0, standard_error finite and above 0, and df above 0, "
            f"got effect={effect!r}, standard_error={standard_error!r} and df={df!r}"
        )
    shift = abs(effect) / standard_error or math.ulp(0.0)
    if math.isinf(df):
        c = float(ndtri((1 + level) / 2))
        low, high = float(ndtr(-c - shift)), float(ndtr(shift - c))
    else:
        c = float(stdtrit(df, (1 + level) / 2))
        low, high = float(stdtr(df, -c - shift)), float(stdtr(df, shift - c))

    def beyond(x: float) -> float:
        """The integral of t times its density, from x to infinity."""
        if math.isinf(df):
            return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        log = float(gammaln((df + 1) / 2) - gammaln(df / 2)) - math.log(df * math.pi) / 2
        return math.exp(log - (df + 1) / 2 * math.log1p(x * x / df)) * (df + x * x) / (df - 1)

    size = math.nan
    if df > 1:
        size = (beyond(c - shift) + shift * high + beyond(c + shift) - shift * low) / (low + high)
    return Power(
        test="estimate over its standard error",
        n=0,
        effect=effect,
        power=low + high,
        level=level,
        method="normal" if math.isinf(df) else f"t, {df:g} df",
        type_1=1 - level,
        type_s=low / (low + high),
        exaggeration=size / shift,
        notes=() if df > 1 else ("with one degree of freedom or less the mean absolute size does not exist",),
    )


@procedure(question=POWER, assumes="the assumptions of the simulation")
def simulated_power(
    test: Callable[..., Outcome | float],
    generate: Callable[[np.random.Generator], tuple[Any, ...]],
    *,
    repeats: int = 1_000,
    level: float = 0.95,
    truth: float | None = None,
    seed: int = 0,
) -> Power:
    r"""Power of any test on simulated data, with its Monte Carlo standard error.

    ``generate`` simulates one set of data, the arguments of ``test``, from a random generator; ``test`` returns an
    ``Outcome`` or a p-value. The power is the share of the B ``repeats`` with p < 1 − level, and its standard error is
    :math:`\sqrt{\hat\pi(1 - \hat\pi)/B}`. With data without any effect it is the type I error. If p is nan, the null
    hypothesis is not rejected, and a note counts these cases.

    ``truth`` is the effect that is built into the data. If it is given and the test returns an effect, significant
    estimates are compared with it: ``type_s`` is the share with the wrong sign, ``exaggeration`` the mean absolute size
    divided by the true one.

    >>> from fairtrial.stats import sign_test
    >>> def ten_data_sets(random):
    ...     return random.normal(0.8, 1.0, 10), [0.0] * 10
    >>> found = simulated_power(sign_test, ten_data_sets)
    >>> abs(found.power - 0.341) < 4 * found.error    # exactly: 9 or 10 wins of 10, each with probability 0.788
    True
    """
    check_level(level)
    check_seed(seed)
    if not (hasattr(repeats, "__index__") and number(repeats) >= 10):
        raise InputError(f"repeats must be a whole number of at least 10 (1_000 is usual), got {repeats!r}")
    check_kind("test", test, Callable, "a function that takes data and returns an Outcome or a p-value")  # type: ignore[arg-type]
    check_kind("generate", generate, Callable, "a function of a random generator that returns data")  # type: ignore[arg-type]
    if truth is not None and not math.isfinite(number(truth)):
        raise InputError(f"truth must be the effect that is built into the data, or None, got {truth!r}")
    p, effects = np.empty(repeats), np.full(repeats, math.nan)
    alternative: Alternative = "two-sided"
    streams = np.random.SeedSequence(seed).spawn(repeats)
    for i, stream in enumerate(streams):
        found = test(*generate(np.random.default_rng(stream)))
        if isinstance(found, Outcome):
            p[i], alternative = found.p_value, found.alternative
            effects[i] = math.nan if found.effect is None else found.effect.estimate
        else:
            p[i] = found
    rejected, undefined = p < 1 - level, int(np.isnan(p).sum())
    share = float(rejected.mean())
    wrong, times = _sign_and_size(effects[rejected], truth)
    return Power(
        test=getattr(test, "__name__", str(test)),
        n=0,
        effect=math.nan if truth is None else truth,
        power=share,
        level=level,
        alternative=alternative,
        method=f"{repeats} simulations",
        type_s=wrong,
        exaggeration=times,
        error=math.sqrt(share * (1 - share) / repeats),
        notes=(_undefined_note(undefined, repeats),) if undefined else (),
        details={"repeats": repeats, "rejected": int(rejected.sum()), "seed": seed},
    )


def _undefined_note(undefined: int, repeats: int) -> str:
    share = part_of(undefined, repeats, "p-value")
    return f"{share} {verb(undefined, 'is undefined and counts', 'are undefined and count')} as not significant"


def _sign_and_size(effects: FloatArray, truth: float | None) -> tuple[float, float]:
    """The share of effects with the wrong sign, and their mean absolute size over the true one."""
    effects = effects[~np.isnan(effects)]
    if truth is None or truth == 0 or not len(effects):
        return math.nan, math.nan
    return float((effects * truth < 0).mean()), float(np.abs(effects).mean() / abs(truth))
