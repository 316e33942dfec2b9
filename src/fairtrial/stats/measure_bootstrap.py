"""Any measure of predictions, by resampling the test instances: the interval of one model's, and two compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from fairtrial import measures
from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.replicates import (
    METHODS,
    Corrections,
    Replicates,
    acceleration,
    bootstrap_bounds,
    check_replicates,
    monte_carlo_notes,
)
from fairtrial.stats.resampled_measures import Compared, Resampled, compared, resampled

__all__ = ["measure_interval", "paired_bootstrap"]

OwnMeasure = Callable[..., float]
Method = Literal["bca", "percentile", "basic"]
MOST_UNDEFINED = 0.1


def measure_interval(
    truth: npt.ArrayLike,
    predicted: npt.ArrayLike,
    *,
    measure: str | OwnMeasure = "accuracy",
    method: Method = "bca",
    positive: object = None,
    replicates: int = 9999,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Interval:
    r"""Bootstrap interval of any measure of one fixed model, over the instances of its test set.

    The instances are drawn anew with replacement, and the measure is taken of each resample; ``method`` is as in
    :func:`bootstrap_interval`. ``measure`` is the name of a measure of :mod:`fairtrial.measures`, options and all
    (``"f_measure(beta=2)"``), or your own function ``f(truth, predicted, weights=…)``, where the weights say how often
    each instance was drawn. ``predicted`` is what the measure needs: labels, scores, probabilities or values.

    What isn't needed isn't drawn. Measures of labels depend on the confusion matrix alone: a new one is drawn,

    .. math:: (n_{11}, \dots, n_{kk}) \sim \text{Multinomial}(n;\ \hat p_{11}, \dots, \hat p_{kk}),

    at a cost that doesn't depend on n; the area under the ROC curve is sorted once and re-weighed. Resamples on which
    the measure is undefined are left out and counted in a note; above 10 % it is refused.

    A measure that is the same on all resamples, such as the accuracy of a model without an error, has no bootstrap
    interval: nan, with a note; :func:`proportion_interval` and :func:`auc_interval` have one. It is about this fitted
    model and about instances drawn independently, like these.

    References: Efron (1987), doi:10.1080/01621459.1987.10478410; Efron & Tibshirani (1993), An Introduction to the
    Bootstrap.

    >>> truth, predicted = [1] * 40 + [0] * 60, [1] * 30 + [0] * 10 + [1] * 5 + [0] * 55
    >>> found = measure_interval(truth, predicted, measure="f_measure")
    >>> found.quantity, found.estimate, found.low, found.high
    ('f_measure', 0.8, 0.69, 0.88)
    """
    _check(method, replicates, seed, alternative, level)
    these = compared(truth, (predicted,), measure, positive)
    way = resampled(these)
    estimate = float(way.observed()[0])
    _defined(these.name, estimate)
    found, notes = _replicates(way, these, replicates, seed)
    if found.values[0] == found.values[-1]:
        note = (
            "the measure is the same on all resamples, so that the bootstrap has no interval: proportion_interval and "
            "auc_interval have one"
        )
        return Interval(these.name, estimate, math.nan, math.nan, level, METHODS[method], (note,))
    bounds = bootstrap_bounds(found, estimate, method, level, alternative, _corrections(way, found, estimate, method))
    low, high = _inside(these.facts, bounds)
    notes = (*monte_carlo_notes(found, level, alternative), *notes)
    return Interval(these.name, estimate, low, high, level, METHODS[method], notes)


def _check(method: str, replicates: int, seed: int, alternative: str, level: float) -> None:
    if method not in METHODS:
        raise UnknownName.among("bootstrap interval of a measure", method, METHODS)
    check_alternative(alternative)
    check_level(level)
    check_replicates(replicates, seed)


def _defined(name: str, *values: float) -> None:
    if not all(math.isfinite(v) for v in values):
        raise InputError(
            f"{name} must be a finite number on the instances given, but is {values}; see measures.why_undefined"
        )


def _replicates(way: Resampled, these: Compared, count: int, seed: int) -> tuple[Replicates, tuple[str, ...]]:
    """Of the measure, or of the difference of the two; without those that are undefined."""
    values = way.replicates(np.random.default_rng(seed), count)
    values[~np.isfinite(values)] = np.nan
    single = values[:, 0] if values.shape[1] == 1 else values[:, 0] - values[:, 1]
    undefined = int(np.isnan(single).sum())
    if undefined > MOST_UNDEFINED * count:
        raise InputError(f"{these.name} is undefined on {undefined} of {count} resamples; more instances are needed")
    note = (f"{undefined} of {count:,} resamples left {these.name} undefined and were left out",)
    return Replicates.of(single[~np.isnan(single)]), note if undefined else ()


def _corrections(way: Resampled, found: Replicates, estimate: float, method: str) -> Corrections:
    if method != "bca":
        return Corrections(0.0, 0.0)
    left_out, counts = way.without_each()
    single = left_out[:, 0] if left_out.shape[1] == 1 else left_out[:, 0] - left_out[:, 1]
    known = ~np.isnan(single)  # without the only instance of a class there may be no value
    return Corrections.of(found, estimate, acceleration(single[known], counts[known]) if known.any() else 0.0)


def _inside(facts: measures.Measure | None, bounds: tuple[float, float]) -> tuple[float, float]:
    """The basic bootstrap may reach beyond what the measure can be."""
    if facts is None or not facts.directed:
        return bounds
    least, most = sorted((facts.worst, facts.best))
    return max(bounds[0], least), min(bounds[1], most)


def paired_bootstrap(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    measure: str | OwnMeasure = "accuracy",
    method: Method = "bca",
    positive: object = None,
    replicates: int = 9999,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Bootstrap test of two fixed models by any measure, on the same test instances.

    Null hypothesis: on instances like these both models have the same value of the measure.

    Instances are drawn anew with replacement, *the same for both models*, and the difference of their measures,
    :math:`\theta^* = M_1^* - M_2^*`, is taken of each resample. The interval is made as in :func:`measure_interval`,
    and the p-value inverts it: the smallest α whose interval leaves out 0. For ``percentile`` it is

    .. math:: p = 2 \min\left(\frac{1 + \#\{\theta^* \le 0\}}{B + 1}, \frac{1 + \#\{\theta^* \ge 0\}}{B + 1}\right),

    at most 1 and never 0; ``bca`` (default) corrects these shares for bias and skewness, ``basic`` reflects them. So p
    and interval agree. ``p_error`` is the Monte Carlo standard error.

    ``measure`` is a name of :mod:`fairtrial.measures` or a function ``f(truth, predicted, weights=…)``. The effect is
    first minus second, whether or not larger is better. Measures of labels draw the table of truth and both
    predictions, at a cost that doesn't depend on n; the area under the ROC curve is sorted once and re-weighed.

    The same value on all resamples: p = 1 if it is 0; if not, the bootstrap can't say (p nan, with a note):
    :func:`mcnemar` or :func:`measure_permutation` can. It is about these two models; retraining may change them.

    References: Efron & Tibshirani (1993), An Introduction to the Bootstrap; Berg-Kirkpatrick, Burkett & Klein (2012),
    An empirical investigation of statistical significance in NLP, EMNLP 995-1005.

    >>> truth = [1] * 40 + [0] * 60
    >>> first = [1] * 34 + [0] * 6 + [1] * 5 + [0] * 55
    >>> second = [1] * 28 + [0] * 12 + [1] * 9 + [0] * 51
    >>> outcome = paired_bootstrap(truth, first, second, measure="f_measure")
    >>> outcome.effect.estimate, outcome.p_value < 0.01
    (0.1335, True)
    """
    _check(method, replicates, seed, alternative, level)
    these = compared(truth, (first, second), measure, positive)
    way = resampled(these)
    observed = way.observed()
    _defined(these.name, *observed)
    estimate = float(observed[0] - observed[1])
    found, notes = _replicates(way, these, replicates, seed)
    fixed = bool(found.values[0] == found.values[-1])
    low = high = estimate if estimate == 0 else math.nan
    p, error = (1.0 if found.values[0] == 0 else math.nan), 0.0
    if fixed:
        notes = (*notes, _same_everywhere(these.name, estimate))
    else:
        corrections = _corrections(way, found, estimate, method)
        low, high = bootstrap_bounds(found, estimate, method, level, alternative, corrections)
        p, error = _p_value(found, estimate, method, alternative, corrections)
        notes = (*monte_carlo_notes(found, level, alternative), *notes)
    return Outcome(
        test="Paired bootstrap",
        null=f"on instances like these both have the same {these.name}",
        statistic=estimate,
        p_value=p,
        p_error=error,
        n=these.n,
        alternative=alternative,
        method=METHODS[method],
        effect=Interval(f"difference of {these.name}", estimate, low, high, level, METHODS[method]),
        notes=notes,
        details={"values": observed.tolist(), "replicates": len(found.values), "seed": seed},
    )


def _same_everywhere(name: str, estimate: float) -> str:
    if estimate == 0:
        return f"both have the same {name} on all resamples"
    return "the difference is the same on all resamples, which the bootstrap can't judge: use measure_permutation"


def _p_value(
    found: Replicates, estimate: float, method: str, alternative: Alternative, corrections: Corrections
) -> tuple[float, float]:
    """The smallest α whose interval leaves out 0, and its Monte Carlo standard error."""
    source = found.mirrored(estimate) if method == "basic" else found
    shares = source.at_most(0.0), source.at_least(0.0)
    nominal = shares
    if method == "bca":
        nominal = _nominal(corrections, shares[0]), 1 - _nominal(corrections, 1 - shares[1])
    sides = {"greater": (0,), "less": (1,), "two-sided": (0, 1)}[alternative]
    side = min(sides, key=lambda i: nominal[i])
    share = min(shares[side], 1.0)
    error = math.sqrt(share * (1 - share) / len(found.values))
    if method == "bca" and 0 < share < 1:
        error = corrections.nominal_error(share if side == 0 else 1 - share, len(found.values))
    return min(nominal[side] * len(sides), 1.0), error * len(sides)


def _nominal(corrections: Corrections, share: float) -> float:
    return share if not 0 < share < 1 else corrections.nominal(share)
