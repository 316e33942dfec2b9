"""The interval of any measure of one model's predictions, by resampling the test instances."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from fairtrial import measures
from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.bibliography import EFRON_1987, EFRON_TIBSHIRANI_1993
from fairtrial.stats.distributions.replicates import (
    METHODS,
    Corrections,
    Replicates,
    acceleration,
    bootstrap_bounds,
    check_replicates,
    few_notes,
    monte_carlo_notes,
)
from fairtrial.stats.distributions.resampled_measures import Compared, Resampled, compared, resampled
from fairtrial.stats.outcome import Alternative, Interval, check_alternative, check_level
from fairtrial.stats.procedures import INSTANCES, ONE_METHOD, procedure

__all__ = [
    "Method",
    "OwnMeasure",
    "check_bootstrap",
    "check_defined",
    "measure_corrections",
    "measure_interval",
    "measure_replicates",
]

OwnMeasure = Callable[..., float]

Method = Literal["bca", "percentile", "basic"]

MOST_UNDEFINED = 0.1


@procedure(question=ONE_METHOD, assumes=INSTANCES, references=(EFRON_1987, EFRON_TIBSHIRANI_1993))
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

    How often the true value is missed at 95 % (800 simulations each): F, kappa and AUC in at most 4 % from 20 instances
    on, mean absolute errors in 14 % with 8 and 6 % with 20 to 50; errors with heavy tails (RMSE, Student's t with 4
    degrees of freedom) still in 13 % with 100. A note says when there are fewer than 20.

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
    check_bootstrap(method, replicates, seed, alternative, level)
    these = compared(truth, (predicted,), measure, positive)
    way = resampled(these)
    estimate = float(way.observed()[0])
    check_defined(these.name, estimate)
    found, notes = measure_replicates(way, these, replicates, seed)
    if found.values[0] == found.values[-1]:
        note = (
            "the measure is the same on all resamples, so that the bootstrap has no interval: proportion_interval and "
            "auc_interval have one"
        )
        return Interval(these.name, estimate, math.nan, math.nan, level, METHODS[method], (note,))
    bounds = bootstrap_bounds(
        found, estimate, method, level, alternative, measure_corrections(way, found, estimate, method)
    )
    low, high = _inside(these.facts, bounds)
    notes = (*few_notes(these.n, "instance"), *monte_carlo_notes(found, level, alternative), *notes)
    return Interval(these.name, estimate, low, high, level, METHODS[method], notes)


def check_bootstrap(method: str, replicates: int, seed: int, alternative: str, level: float) -> None:
    if method not in METHODS:
        raise UnknownName.among("bootstrap interval of a measure", method, METHODS)
    check_alternative(alternative)
    check_level(level)
    check_replicates(replicates, seed)


def check_defined(name: str, *values: float) -> None:
    if not all(math.isfinite(v) for v in values):
        found = " and ".join(f"{v:g}" for v in values)
        raise InputError(
            f"{name} must be a finite number on the instances given, but is {found}; see measures.why_undefined"
        )


def measure_replicates(way: Resampled, these: Compared, count: int, seed: int) -> tuple[Replicates, tuple[str, ...]]:
    """Of the measure, or of the difference of the two; without those that are undefined."""
    values = way.replicates(np.random.default_rng(seed), count)
    values[~np.isfinite(values)] = np.nan
    single = values[:, 0] if values.shape[1] == 1 else values[:, 0] - values[:, 1]
    undefined = int(np.isnan(single).sum())
    if undefined > MOST_UNDEFINED * count:
        raise InputError(f"{these.name} is undefined on {undefined} of {count} resamples; more instances are needed")
    note = (f"{undefined} of {count:,} resamples left {these.name} undefined and were left out",)
    return Replicates.of(single[~np.isnan(single)]), note if undefined else ()


def measure_corrections(way: Resampled, found: Replicates, estimate: float, method: str) -> Corrections:
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
