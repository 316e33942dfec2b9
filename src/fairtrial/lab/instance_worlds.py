"""Fixed models on one test set, whose truth is known: the instances are the evidence.

Questions that come in clusters, such as several about one text: the clusters are the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
from scipy.special import ndtr

from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import LEVEL, count_claims
from fairtrial.stats import (
    Interval,
    Outcome,
    auc_interval,
    delong,
    mcnemar,
    mean_interval,
    measure_interval,
    paired_bootstrap,
    paired_permutation,
    paired_t,
    proportion_interval,
    two_proportions,
)
from fairtrial.stats.score_arrays import FloatArray, IntArray

GRID = "fixed models"
ERRORS = Limit("at most", 0.05)
LEVELS = Limit("at least", 0.93)
AGREED_RIGHT = 0.8  # the share of instances that both models get right, where they agree
PRESENT = 0.4  # the share of positives where F1 is measured
WRONG = 0.2


def experiments() -> Iterator[Experiment]:
    """Right and wrong, losses, areas under the ROC curve, and F1 for a measure that is not an average."""
    for n in (30, 100, 500):
        for share in (0.05, 0.2, 0.5):
            world = f"two equal models that disagree on {100 * share:g} % of {n} instances"
            yield _experiment(world, partial(_answers, n, share), {MCNEMAR: ERRORS})
    for n in (30, 100):
        world = f"two models, one right more often by 0.1, {n} instances"
        yield _experiment(world, partial(_unequal_answers, n), {MCNEMAR_HOLDS: LEVELS})
        for share in (0.5, 0.9, 0.98):
            world = f"one model, right with probability {share:g}, {n} instances"
            yield _experiment(world, partial(_one_share, n, share), {WILSON: LEVELS})
    for kind in LOSSES:
        for n in (30, 100, 500):
            limits = {} if kind == "one skewed" else {PAIRED_T: ERRORS, T_LEVEL: LEVELS}  # skew is shown, not limited
            yield _experiment(f"losses, {kind}, {n} instances", partial(_losses, n, kind), limits)
    for n in (50, 200):
        for shift in (1.0, 2.5):
            world = f"two equal areas of {area(shift):.2f}, {n} instances"
            yield _experiment(world, partial(_areas, n, shift), {DELONG: ERRORS, LOGIT: LEVELS})
        limits = {BOOTSTRAP: ERRORS, BCA: LEVELS}
        yield _experiment(f"two equal models by F1, {n} instances", partial(_by_f1, n), limits)


def _experiment(
    world: str, one: Callable[[np.random.Generator], dict[str, bool]], limits: dict[str, Limit]
) -> Experiment:
    return Experiment(GRID, world, partial(_repeat, one), limits)


def _repeat(one: Callable[[np.random.Generator], dict[str, bool]], generator: np.random.Generator, runs: int) -> Counts:
    return count_claims(lambda: one(generator), runs)


def called(outcome: Outcome) -> bool:
    """Whether a test calls a difference."""
    return outcome.p_value < 1 - LEVEL


def holds(interval: Interval | None, truth: float) -> bool:
    """Whether an interval holds the truth."""
    return interval is not None and truth in interval


MCNEMAR = "McNemar (mid-p): a false difference"
MCNEMAR_HOLDS = "McNemar's interval: holds"


def draw_answers(
    generator: np.random.Generator, n: int, only_first: float, only_second: float
) -> tuple[IntArray, IntArray]:
    """Whether each of two models is right on each of ``n`` instances; the shares are those of disagreements."""
    agreed = 1 - only_first - only_second
    shares = [only_first, only_second, agreed * AGREED_RIGHT, agreed * (1 - AGREED_RIGHT)]
    kind = generator.choice(4, n, p=shares)
    return np.isin(kind, (0, 2)).astype(np.int64), np.isin(kind, (1, 2)).astype(np.int64)


def _answers(n: int, share: float, generator: np.random.Generator) -> dict[str, bool]:
    first, second = draw_answers(generator, n, share / 2, share / 2)
    apart = two_proportions(int(first.sum()), n, int(second.sum()), n, method="normal")
    return {
        MCNEMAR: called(mcnemar(first, second, method="mid-p")),
        "exact McNemar: a false difference": called(mcnemar(first, second)),
        "McNemar, chi-square: a false difference": called(mcnemar(first, second, method="chi-square")),
        "z of two shares, as if unpaired: a false difference": called(apart),
    }


def _unequal_answers(n: int, generator: np.random.Generator) -> dict[str, bool]:
    first, second = draw_answers(generator, n, 0.2, 0.1)
    apart = two_proportions(int(first.sum()), n, int(second.sum()), n, method="normal")
    return {
        MCNEMAR_HOLDS: holds(mcnemar(first, second, method="mid-p").effect, 0.1),
        "interval of two shares, as if unpaired: holds": holds(apart.effect, 0.1),
    }


WILSON = "Wilson: holds"


def _one_share(n: int, share: float, generator: np.random.Generator) -> dict[str, bool]:
    right = int(generator.binomial(n, share))
    return {
        WILSON: holds(proportion_interval(right, n), share),
        "normal approximation: holds": holds(proportion_interval(right, n, method="normal"), share),
    }


PAIRED_T = "paired t over instances: a false difference"
T_LEVEL = "t interval of one model's mean loss: holds"


def _normal_losses(generator: np.random.Generator, n: int) -> tuple[FloatArray, FloatArray]:
    shared = generator.normal(size=n)
    return shared + generator.normal(size=n), shared + generator.normal(size=n)


def _skewed_losses(generator: np.random.Generator, n: int) -> tuple[FloatArray, FloatArray]:
    """Both losses have the same skewed distribution, so that their difference is symmetric."""
    shared = generator.exponential(size=n) - 1
    return shared + generator.exponential(size=n) - 1, shared + generator.exponential(size=n) - 1


def _skewed_differences(generator: np.random.Generator, n: int) -> tuple[FloatArray, FloatArray]:
    """Only the first model has rare large losses; the means are equal."""
    return generator.exponential(size=n) - 1, 0.5 * generator.normal(size=n)


LOSSES: Mapping[str, Callable[[np.random.Generator, int], tuple[FloatArray, FloatArray]]] = {
    "normal": _normal_losses,
    "both skewed alike": _skewed_losses,
    "one skewed": _skewed_differences,
}
"""Losses of two models whose means are 0."""


def _losses(n: int, kind: str, generator: np.random.Generator) -> dict[str, bool]:
    first, second = LOSSES[kind](generator, n)
    apart = not _overlap(mean_interval(first), mean_interval(second))
    return {
        PAIRED_T: called(paired_t(first, second)),
        T_LEVEL: holds(mean_interval(first), 0.0),
        "two intervals that do not overlap: a false difference": apart,
    }


def _overlap(first: Interval, second: Interval) -> bool:
    return first.low <= second.high and second.low <= first.high


DELONG = "DeLong: a false difference"
LOGIT = "logit interval of one area: holds"


def area(shift: float) -> float:
    """The area under the ROC curve of scores whose classes are ``shift`` standard deviations apart."""
    return float(ndtr(shift / np.sqrt(2)))


def _areas(n: int, shift: float, generator: np.random.Generator) -> dict[str, bool]:
    """Two models whose scores share half of their variance, which makes their areas equal and correlated."""
    truth = np.arange(n) % 2
    shared = generator.normal(size=n)
    first, second = (np.sqrt(0.5) * (shared + generator.normal(size=n)) + shift * truth for _ in range(2))
    apart = not _overlap(auc_interval(truth, first), auc_interval(truth, second))
    return {
        DELONG: called(delong(truth, first, second)),
        LOGIT: holds(auc_interval(truth, first), area(shift)),
        "two intervals that do not overlap: a false difference": apart,
    }


BOOTSTRAP = "paired bootstrap: a false difference"
BCA = "bootstrap (BCa) interval of one F1: holds"
F1 = 2 * PRESENT * (1 - WRONG) / (2 * PRESENT * (1 - WRONG) + (1 - PRESENT) * WRONG + PRESENT * WRONG)


def _by_f1(n: int, generator: np.random.Generator) -> dict[str, bool]:
    """Two models that are wrong on a share of the instances, half of them the same ones on average."""
    truth = (generator.random(n) < PRESENT).astype(np.int64)
    both = generator.random(n)
    first, second = (predict(truth, np.where(generator.random(n) < 0.5, both, generator.random(n))) for _ in range(2))
    tested = paired_bootstrap(truth, first, second, measure="f1", replicates=REPLICATES)
    return {
        BOOTSTRAP: called(tested),
        BCA: holds(measure_interval(truth, first, measure="f1", replicates=REPLICATES), F1),
    }


REPLICATES = 1999  # verdicts take 9,999; the share of errors is nearly the same, in a fifth of the time


def predict(truth: IntArray, luck: FloatArray) -> IntArray:
    """Predictions that are wrong where luck, which is uniform, is low."""
    return np.where(luck < WRONG, 1 - truth, truth)


LARGEST = 19  # questions in a cluster, where they are unequal
FLIPS = "sign flips of whole clusters: a false difference"
CLUSTERED_LEVEL = "t interval over clusters of one model's mean: holds"


def cluster_experiments() -> Iterator[Experiment]:
    """Unequal clusters with a shared effect, for three numbers of clusters."""
    limits = {FLIPS: ERRORS, CLUSTERED_LEVEL: LEVELS}
    for clusters in (10, 20, 50):
        world = f"two equal models, {clusters} clusters of 1 to {LARGEST} questions"
        yield Experiment(GRID, world, partial(_simulate, clusters), limits)


def cluster_rows(losses: FloatArray, cluster: IntArray) -> FloatArray:
    """A row for each cluster: the overall mean plus the deviation of the cluster's mean, in proportion to its size.

    Verdicts make the same rows from predictions in clusters. Their mean is the overall mean, and their spread is that
    of a ratio estimate.

    >>> cluster_rows(np.array([1.0, 2.0, 6.0]), np.array([0, 0, 1]))
    array([1., 5.])
    """
    mean = losses.mean()
    deviations = np.bincount(cluster, losses - mean)
    return np.asarray(mean + deviations * len(deviations) / len(losses))


def _simulate(clusters: int, generator: np.random.Generator, runs: int) -> Counts:
    return count_claims(lambda: _judge(clusters, generator), runs)


def _judge(clusters: int, generator: np.random.Generator) -> dict[str, bool]:
    """Each model has an effect on each cluster that its questions share, as large as the noise of a question."""
    cluster = np.repeat(np.arange(clusters), generator.integers(1, LARGEST + 1, clusters))
    first, second = (generator.normal(size=clusters)[cluster] + generator.normal(size=len(cluster)) for _ in range(2))
    size = np.bincount(cluster)
    totals = [np.bincount(cluster, losses) for losses in (first, second)]
    return {
        FLIPS: called(paired_permutation(*totals)),
        CLUSTERED_LEVEL: holds(mean_interval(cluster_rows(first, cluster)), 0.0),
        "paired t over questions: a false difference": called(paired_t(first, second)),
        "paired t over the means of clusters: a false difference": called(paired_t(totals[0] / size, totals[1] / size)),
        "paired t over clusters, as a ratio: a false difference": called(
            paired_t(cluster_rows(first, cluster), cluster_rows(second, cluster))
        ),
    }
