"""Bootstrap test of two models by any measure of their predictions, from resamples of the test instances."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy.typing as npt

from fairtrial import measures
from fairtrial.stats.bibliography import BERG_KIRKPATRICK_2012, EFRON_TIBSHIRANI_1993, HESTERBERG_2015
from fairtrial.stats.distributions.replicates import (
    METHODS,
    Corrections,
    Replicates,
    bootstrap_bounds,
    monte_carlo_notes,
    nominal_tail,
)
from fairtrial.stats.distributions.resampled_measures import model_predictions, resampled_measure
from fairtrial.stats.one_method.measure_interval import (
    Method,
    OwnMeasure,
    check_bootstrap,
    check_defined,
    measure_corrections,
    measure_replicates,
)
from fairtrial.stats.outcome import Alternative, Interval, Outcome
from fairtrial.stats.procedures import INSTANCES, TWO_METHODS, procedure
from fairtrial.words import plural

NULL = "both models have the same value of the measure on new instances from the same population"
WORKS = (BERG_KIRKPATRICK_2012, EFRON_TIBSHIRANI_1993, HESTERBERG_2015)


@procedure(question=TWO_METHODS, null=NULL, assumes=INSTANCES, references=WORKS, test="Paired bootstrap")
def paired_bootstrap(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    measure: str | OwnMeasure = "accuracy",
    method: Method = "percentile",
    positive: object = None,
    replicates: int = 9999,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Paired bootstrap test of two fitted models by any measure, on the same test instances.

    Null hypothesis: both models have the same value of the measure on new instances from the same population.

    The test instances are resampled with replacement, *the same ones for both models*, and the difference of the
    measures, :math:`\theta^* = M_1^* - M_2^*`, is computed on each resample. The p-value inverts the interval: it is
    the smallest α whose interval excludes 0. For ``percentile`` (default) it is

    .. math:: p = 2\, T_{n-1}\!\left(\sqrt{\tfrac{n-1}{n}}\; \Phi^{-1}\!\left(
              \min\left(\frac{1 + \#\{\theta^* \le 0\}}{B + 1}, \frac{1 + \#\{\theta^* \ge 0\}}{B + 1}\right)
              \right)\right),

    where :math:`T_{n-1}`, the t distribution, widens the bootstrap interval, which is too narrow for few instances
    (Hesterberg 2015, "expanded percentile"); for large n, p is twice the smaller share. ``basic`` reflects the
    replicates at the estimate. ``bca`` corrects the shares for bias and skewness, which helps for one measure but not
    for a difference of two. If the two models' predictions differ on m instances, an exact test that swaps them has
    :math:`2^m` arrangements and no p-value below :math:`2 / 2^m` (half of that one-sided). The same floor holds here.
    ``p_error`` is the Monte Carlo standard error of p.

    False rejections at the 5 % level where both models are equal, in percent of 3,000 simulations (standard error 0.4):

    ============================  =====  =====  =====  =====  =====  =====  =============
    n                                 8     12     20     30     50    100  BCa, at worst
    ============================  =====  =====  =====  =====  =====  =====  =============
    accuracy, 10 % disagreements    0.0    0.0    0.0    0.1    1.4    3.8            8.7
    accuracy, 30 % disagreements    0.0    0.5    1.9    3.2    3.9    4.4           10.0
    F, models alike                 0.1    0.9    3.5    4.5    4.9    4.8            7.3
    F, other thresholds             0.2    1.5    3.4    5.0    5.5    4.4            8.4
    kappa                           0.1    0.6    3.6    4.2    5.5    4.8            8.1
    AUC, half positives             0.3    0.7    3.4    3.7    4.2    4.4            8.5
    AUC, a fifth positives          0.6    1.4    3.2    3.8    5.2    6.1            9.2
    mean absolute error             5.0    4.4    4.0    4.8    5.8    4.9           11.7
    RMSE, heavy tails               7.1    7.1    6.6    6.7    7.2    6.7           18.9
    ============================  =====  =====  =====  =====  =====  =====  =============

    The last column is BCa as published, without t distribution and floor, at the worst of these n (1,500 simulations).
    With 8 and 12 instances F, kappa and AUC are often refused, since they are undefined on too many resamples; these
    cases are not counted. For errors with heavy tails (here Student's t with 4 degrees of freedom) even 100 instances
    are too few. Where :func:`mcnemar` applies, the power lies between its exact and its mid-p form.

    ``measure`` is a name of :mod:`fairtrial.measures` or a function ``f(truth, predicted, weights=…)``. The effect is
    first minus second, whether or not larger is better. For measures of labels the table of the truth and both
    predictions is drawn, at a cost that doesn't depend on n; for the area under the ROC curve the instances are sorted
    once, and resamples change their weights.

    If the difference is the same on all resamples, p is 1 if that difference is 0. Otherwise the bootstrap gives no
    answer: p is nan, with a note; use :func:`mcnemar` or :func:`measure_permutation`. The answer is about these two
    models, not about retraining them.

    References: Efron & Tibshirani (1993), An Introduction to the Bootstrap; Hesterberg (2015), The American
    Statistician 69:371-386, doi:10.1080/00031305.2015.1089789; Berg-Kirkpatrick, Burkett & Klein (2012), An empirical
    investigation of statistical significance in NLP, EMNLP 995-1005.

    >>> truth = [1] * 40 + [0] * 60
    >>> first = [1] * 34 + [0] * 6 + [1] * 5 + [0] * 55
    >>> second = [1] * 28 + [0] * 12 + [1] * 9 + [0] * 51
    >>> outcome = paired_bootstrap(truth, first, second, measure="f_measure")
    >>> outcome.effect.estimate, outcome.p_value < 0.01
    (0.1335, True)
    """
    check_bootstrap(method, replicates, seed, alternative, level)
    models = model_predictions(truth, (first, second), measure, positive)
    resampled = resampled_measure(models)
    observed = resampled.observed()
    check_defined(models.name, *observed)
    estimate = float(observed[0] - observed[1])
    found, notes = measure_replicates(resampled, models, replicates, seed)
    fixed = bool(found.values[0] == found.values[-1])
    bounds = (estimate, estimate) if estimate == 0 else (math.nan, math.nan)
    p = _PValue(1.0 if found.values[0] == 0 else math.nan)
    if fixed:
        notes = (*notes, _constant_note(models.name, estimate))
    else:
        corrections = measure_corrections(resampled, found, estimate, method)
        bounds = bootstrap_bounds(found, estimate, method, level, alternative, corrections, models.n)
        p = _p_value(found, estimate, method, alternative, corrections, models.n)
        p, raised = p.raised_to_exact(resampled.count_differing())
        bounds = _consistent(_within_range(models.facts, bounds, alternative), rejected=p.value < 1 - level)
        notes = (*raised, *monte_carlo_notes(found, level, alternative, models.n), *notes)
    how = f"{METHODS[method]}, widened by t"
    return Outcome(
        test="Paired bootstrap",
        null=f"both models have the same {models.name} on new instances from the same population",
        statistic=estimate,
        p_value=p.value,
        p_error=p.error,
        p_floor=p.floor,
        n=models.n,
        alternative=alternative,
        method=how,
        effect=Interval(f"difference of {models.name}", estimate, *bounds, level, how),
        notes=notes,
        details={"values": observed.tolist(), "replicates": len(found.values), "seed": seed},
    )


def _constant_note(name: str, estimate: float) -> str:
    if estimate == 0:
        return f"both models have the same {name} on all resamples"
    return (
        f"the difference of {name} is the same on all resamples, so that the bootstrap has no p-value; "
        "use measure_permutation"
    )


def _within_range(
    facts: measures.Measure | None, bounds: tuple[float, float], alternative: Alternative
) -> tuple[float, float]:
    """Bounds cut at the largest difference that the measure allows; a bound that the alternative opens stays open."""
    if facts is None or not facts.directed:
        return bounds
    largest = abs(facts.best - facts.worst)
    low, high = max(bounds[0], -largest), min(bounds[1], largest)
    return bounds[0] if alternative == "less" else low, bounds[1] if alternative == "greater" else high


def _consistent(bounds: tuple[float, float], *, rejected: bool) -> tuple[float, float]:
    """Bounds extended to contain 0 where the p-value does not reject."""
    return bounds if rejected else (min(bounds[0], 0.0), max(bounds[1], 0.0))


class _PValue(NamedTuple):
    """A p-value, its Monte Carlo error, the smallest value that the replicates allow, and its number of sides."""

    value: float
    error: float = 0.0
    floor: float = 0.0
    sides: int = 2

    def raised_to_exact(self, differing: int) -> tuple[_PValue, tuple[str, ...]]:
        """The p-value, raised to the smallest one of an exact test if the models differ on this number of instances.

        A note says if it was raised.
        """
        least = min(self.sides * 0.5**differing, 1.0)
        if self.value >= least:
            return self, ()
        where = plural(differing, "instance")
        note = f"the two models differ on {where} only, so that no exact test has p < {least:.3g}"
        return _PValue(least, sides=self.sides), (note,)


def _p_value(
    found: Replicates, estimate: float, method: str, alternative: Alternative, corrections: Corrections, n: int
) -> _PValue:
    """The smallest α whose interval excludes 0, and its Monte Carlo standard error."""
    source = found.mirrored(estimate) if method == "basic" else found
    count = len(found.values)

    def nominal(share: float, side: int) -> float:
        if method != "bca" or not 0 < share < 1:
            return min(share, 1.0)
        return corrections.nominal(share) if side == 0 else 1 - corrections.nominal(1 - share)

    shares = source.at_most(0.0), source.at_least(0.0)
    sides = {"greater": (0,), "less": (1,), "two-sided": (0, 1)}[alternative]
    side = min(sides, key=lambda i: nominal(shares[i], i))
    share = min(shares[side], 1.0)
    error = math.sqrt(share * (1 - share) / count)
    if method == "bca" and 0 < share < 1:
        error = corrections.nominal_error(share if side == 0 else 1 - share, count)
    at = nominal(share, side)
    ends = nominal_tail(min(at + error, 1.0), n), nominal_tail(max(at - error, 0.0), n)
    k = len(sides)
    value, least = (min(k * nominal_tail(x, n), 1.0) for x in (at, nominal(1 / (count + 1), side)))
    return _PValue(value, k * abs(ends[0] - ends[1]) / 2, least, k)
