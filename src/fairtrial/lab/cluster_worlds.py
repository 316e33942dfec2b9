"""Questions that come in clusters, such as several about one text: the clusters are the evidence."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from fairtrial.lab.experiment import Counts, Experiment
from fairtrial.lab.instance_worlds import ERRORS, GRID, LEVELS, called, holds
from fairtrial.lab.score_worlds import count_claims
from fairtrial.stats import mean_interval, paired_permutation, paired_t
from fairtrial.stats.score_arrays import FloatArray, IntArray

LARGEST = 19  # questions in a cluster, where they are unequal
FLIPS = "sign flips of whole clusters: a false difference"
CLUSTERED_LEVEL = "t interval over clusters of one model's mean: holds"


def experiments() -> Iterator[Experiment]:
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
