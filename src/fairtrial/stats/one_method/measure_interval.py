"""Bootstrap interval of any measure of one model's predictions, from resamples of the test instances."""

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
    monte_carlo_notes,
    small_sample_notes,
)
from fairtrial.stats.distributions.resampled_measures import (
    ModelPredictions,
    ResampledMeasure,
    model_predictions,
    resampled_measure,
)
from fairtrial.stats.outcome import Alternative, Interval, check_alternative, check_level
from fairtrial.stats.procedures import INSTANCES, ONE_METHOD, procedure
from fairtrial.words import is_one_of, listed, part_of, verb

OwnMeasure = Callable[..., float]

Method = Literal["bca", "percentile", "basic"]

MOST_UNDEFINED = 0.1  # share of resamples on which a measure may be undefined


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
    r"""Bootstrap interval of any measure of one fitted model, over the instances of its test set.

    The test instances are resampled with replacement, and the measure is computed on each resample; ``method`` is as
    in :func:`bootstrap_interval`. ``measure`` is the name of a measure of :mod:`fairtrial.measures`, with its options
    (``"f_measure(beta=2)"``), or your own function ``f(truth, predicted, weights=…)``, where the weights say how often
    each instance was drawn. ``predicted`` is what the measure needs: labels, scores, probabilities or numbers.

    Measures of labels depend only on the confusion matrix, so that a new matrix is drawn instead of instances,

    .. math:: (n_{11}, \dots, n_{kk}) \sim \text{Multinomial}(n;\ \hat p_{11}, \dots, \hat p_{kk}),

    at a cost that doesn't depend on n. For the area under the ROC curve the instances are sorted once, and resamples
    change their weights. Resamples on which the measure is undefined are left out and counted in a note; if they are
    more than 10 %, the measure is refused.

    How often 95 % intervals missed the true value (800 simulations each): for F, kappa and AUC at most 4 % from 20
    instances on; for mean absolute errors 14 % with 8 instances and 6 % with 20 to 50; for errors with heavy tails
    (RMSE, Student's t with 4 degrees of freedom) still 13 % with 100. A note appears below 20 instances.

    A measure that has the same value on all resamples, such as the accuracy of a model without errors, has no bootstrap
    interval: the bounds are nan, with a note. :func:`proportion_interval` and :func:`auc_interval` give one. The
    interval is about this fitted model and about instances drawn independently from the same population.

    References: Efron (1987), doi:10.1080/01621459.1987.10478410; Efron & Tibshirani (1993), An Introduction to the
    Bootstrap.

    >>> truth, predicted = [1] * 40 + [0] * 60, [1] * 30 + [0] * 10 + [1] * 5 + [0] * 55
    >>> found = measure_interval(truth, predicted, measure="f_measure")
    >>> found.quantity, found.estimate, found.low, found.high
    ('f_measure', 0.8, 0.69, 0.88)
    """
    check_bootstrap(method, replicates, seed, alternative, level)
    models = model_predictions(truth, (predicted,), measure, positive)
    resampled = resampled_measure(models)
    estimate = float(resampled.observed()[0])
    check_defined(models.name, estimate)
    found, notes = measure_replicates(resampled, models, replicates, seed)
    if found.values[0] == found.values[-1]:
        note = (
            f"{models.name} has the same value on all resamples, so that the bootstrap gives no interval; "
            "proportion_interval and auc_interval do"
        )
        return Interval(models.name, estimate, math.nan, math.nan, level, METHODS[method], (note,))
    bounds = bootstrap_bounds(
        found, estimate, method, level, alternative, measure_corrections(resampled, found, estimate, method)
    )
    low, high = _within_range(models.facts, bounds)
    notes = (*small_sample_notes(models.n, "instance"), *monte_carlo_notes(found, level, alternative), *notes)
    return Interval(models.name, estimate, low, high, level, METHODS[method], notes)


def check_bootstrap(method: str, replicates: int, seed: int, alternative: str, level: float) -> None:
    """Check the arguments that all bootstraps of a measure have in common."""
    if not is_one_of(method, METHODS):
        raise UnknownName.among("bootstrap interval of a measure", method, METHODS)
    check_alternative(alternative)
    check_level(level)
    check_replicates(replicates, seed)


def check_defined(name: str, *values: float) -> None:
    """Refuse a measure that is undefined on the given instances."""
    if not all(math.isfinite(v) for v in values):
        found = listed(f"{v:g}" for v in values)
        raise InputError(
            f"{name} must be a finite number on the given instances, got {found}; measures.why_undefined says why"
        )


def measure_replicates(
    measure: ResampledMeasure, models: ModelPredictions, count: int, seed: int
) -> tuple[Replicates, tuple[str, ...]]:
    """Replicates of the measure of one model, or of the difference of two, without undefined ones; and a note."""
    values = measure.replicates(np.random.default_rng(seed), count)
    values[~np.isfinite(values)] = np.nan
    single = values[:, 0] if values.shape[1] == 1 else values[:, 0] - values[:, 1]
    undefined = int(np.isnan(single).sum())
    if undefined > MOST_UNDEFINED * count:
        raise InputError(
            f"{models.name} must be defined on at least {1 - MOST_UNDEFINED:.0%} of the resamples, "
            f"but is undefined on {part_of(undefined, count, 'resample')}; more instances are needed"
        )
    note = (
        f"{models.name} is undefined on {part_of(undefined, count, 'resample')}, "
        f"which {verb(undefined, 'was', 'were')} left out",
    )
    return Replicates.of(single[~np.isnan(single)]), note if undefined else ()


def measure_corrections(measure: ResampledMeasure, found: Replicates, estimate: float, method: str) -> Corrections:
    """The bias correction and acceleration of a BCa interval; both are 0 for the other methods."""
    if method != "bca":
        return Corrections(0.0, 0.0)
    left_out, counts = measure.leave_one_out()
    single = left_out[:, 0] if left_out.shape[1] == 1 else left_out[:, 0] - left_out[:, 1]
    defined = ~np.isnan(single)  # without the only instance of a class the measure may be undefined
    return Corrections.of(found, estimate, acceleration(single[defined], counts[defined]) if defined.any() else 0.0)


def _within_range(facts: measures.Measure | None, bounds: tuple[float, float]) -> tuple[float, float]:
    """Bounds cut at the worst and the best value of the measure, which the basic bootstrap may exceed."""
    if facts is None or not facts.directed:
        return bounds
    least, most = sorted((facts.worst, facts.best))
    return max(bounds[0], least), min(bounds[1], most)
