"""What Bayesian tests say of equal methods: how often one side has a high probability although there is none."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from fairtrial.lab.experiment import Counts, Experiment
from fairtrial.lab.learner_worlds import Blocks
from fairtrial.lab.score_worlds import count_claims
from fairtrial.stats import Posterior, bayes_correlated_t, bayes_signed_rank

GRID = "Bayesian tests"
SURE = 0.95
DRAWS = 2000  # enough to see on which side of 95 % a probability lies in nearly all runs
ROPES = (0.0, 0.2)  # in standard deviations of a difference, over data sets
SMALL_ROPE = 0.01
REPEATS = 10


def experiments() -> Iterator[Experiment]:
    """Equal methods over data sets, and equal learners on one data set. These are shown and have no limit."""
    for n in (10, 30):
        yield Experiment(GRID, f"two equal methods × {n} data sets", partial(_over_datasets, n))
    for learner, n in (("1-NN", 100), ("LDA", 100), ("1-NN", 300)):
        world = f"two equal {learner}, n = {n}, {REPEATS}×10-fold"
        yield Experiment(GRID, world, partial(_on_one, Blocks(learner, n, 10)), block=50)


def _over_datasets(n: int, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        d = generator.normal(size=n)
        claims: dict[str, bool] = {}
        for rope in ROPES:
            found = bayes_signed_rank(d, np.zeros(n), rope=rope, draws=DRAWS)
            claims |= _claims(f"signed rank, rope {rope:g} SD", found)
        return claims

    return count_claims(one, runs)


def _on_one(blocks: Blocks, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        a, b = (scores.ravel() for scores in blocks.scores(generator, REPEATS))
        claims: dict[str, bool] = {}
        for rope in (0.0, SMALL_ROPE):
            found = bayes_correlated_t(a, b, test_share=1 / blocks.folds, rope=rope)
            claims |= _claims(f"correlated t, rope {rope:g}", found)
        return claims

    return count_claims(one, runs)


def _claims(test: str, found: Posterior) -> dict[str, bool]:
    claims = {f"{test}: one side above {100 * SURE:g} %": max(found.left, found.right) > SURE}
    if found.rope:
        claims[f"{test}: equivalent above {100 * SURE:g} %"] = found.equivalent > SURE
    return claims
