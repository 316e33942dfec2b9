"""The level of one method over data sets: how often its interval holds the mean of all data sets such as these."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from fairtrial.lab.experiment import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import LEVEL, count_claims
from fairtrial.stats import mean_interval
from fairtrial.stats.score_arrays import FloatArray

CLAIM = "t interval of one method's mean: holds"
WIDE = 4, 1  # of a beta distribution: accuracies of which half are above 0.84, and the worst near 0.3

SCORES: Mapping[str, tuple[Callable[[np.random.Generator, int], FloatArray], float]] = {
    "normal scores": (lambda g, n: g.normal(size=n), 0.0),
    "accuracies with a long tail to the left": (lambda g, n: g.beta(*WIDE, n), WIDE[0] / sum(WIDE)),
}
"""The scores of a method on data sets, and their true mean."""


def experiments() -> Iterator[Experiment]:
    """Each kind of scores over 6, 10 and 30 data sets."""
    for world in SCORES:
        for n in (6, 10, 30):
            limits = {CLAIM: Limit("at least", 0.93)} if world == "normal scores" else {}  # skew is shown, not limited
            yield Experiment("over data sets", f"{world}, 1 method × {n}", partial(_simulate, world, n), limits)


def _simulate(world: str, n: int, generator: np.random.Generator, runs: int) -> Counts:
    draw, truth = SCORES[world]
    return count_claims(lambda: {CLAIM: truth in mean_interval(draw(generator, n), level=LEVEL)}, runs)
