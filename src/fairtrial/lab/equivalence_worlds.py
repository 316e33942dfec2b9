"""Worlds for claims of equivalence: at the border, far from it, and half and half."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from fairtrial.lab.experiment import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import count_claims
from fairtrial.stats import equivalent_over_datasets
from fairtrial.stats.score_arrays import FloatArray

MARGIN = 1.0
TWO_THIRDS = 0.967422  # |z| is below this with probability 2/3
CLAIM = "called equivalent"

DIFFERENCES: Mapping[str, tuple[Callable[[np.random.Generator, int], FloatArray], Limit]] = {
    "two thirds inside the margin": (lambda g, n: g.normal(0, MARGIN / TWO_THIRDS, n), Limit("at most", 0.06)),
    "half at +5, half at −5 margins": (lambda g, n: g.choice([-5.0, 5.0], n), Limit("at most", 0.01)),
    "typical difference at the margin": (lambda g, n: g.normal(MARGIN, 0.2, n), Limit("at most", 0.05)),
    "all inside, SD 0.3 margins": (lambda g, n: g.normal(0, 0.3 * MARGIN, n), Limit("at least", 0.98)),
}


def experiments() -> Iterator[Experiment]:
    """Each kind of differences over 20 and 40 data sets."""
    for world, (_, limit) in DIFFERENCES.items():
        for n in (20, 40):
            yield Experiment("equivalence", f"{world}, {n} data sets", partial(_simulate, world, n), {CLAIM: limit})


def _simulate(world: str, n: int, generator: np.random.Generator, runs: int) -> Counts:
    draw, _ = DIFFERENCES[world]

    def one() -> dict[str, bool]:
        found = equivalent_over_datasets(draw(generator, n), np.zeros(n), margin=MARGIN)
        return {CLAIM: found.p_value < 0.05, "the typical difference alone": found.details["average_p"] < 0.05}

    return count_claims(one, runs)
