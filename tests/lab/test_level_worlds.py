"""The level of one method over data sets."""

import numpy as np
import pytest

from fairtrial.lab.score_worlds import HOLDS, SCORES, level_experiments


@pytest.mark.parametrize("world", SCORES)
def test_the_true_mean_is_known(world):
    draw, truth = SCORES[world]
    assert draw(np.random.default_rng(0), 100_000).mean() == pytest.approx(truth, abs=0.02)


def test_normal_scores_are_covered_exactly():
    experiment = next(e for e in level_experiments() if e.world == "normal scores, 1 method × 6")
    held, runs = experiment.simulate(np.random.default_rng(1), 1000)[HOLDS]
    assert held / runs == pytest.approx(0.95, abs=0.021)
