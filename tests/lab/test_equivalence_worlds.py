"""Worlds for claims of equivalence."""

import numpy as np
import pytest

from fairtrial.lab.score_worlds import CLAIM, DIFFERENCES, TWO_THIRDS, equivalence_experiments


def test_two_thirds_are_inside():
    z = np.random.default_rng(0).normal(size=100_000)
    assert np.mean(np.abs(z) < TWO_THIRDS) == pytest.approx(2 / 3, abs=0.005)


@pytest.mark.parametrize("experiment", list(equivalence_experiments()), ids=lambda e: e.world)
def test_small_form_keeps_its_limits(experiment):
    made, runs = experiment.simulate(np.random.default_rng(1), 60)[CLAIM]
    limit = experiment.limits[CLAIM]
    slack = 2 * np.sqrt(limit.share * (1 - limit.share) / runs) if limit.kind == "at least" else 0
    assert limit.holds(made / runs + slack, runs)


def test_each_world_has_two_sizes():
    assert len(list(equivalence_experiments())) == 2 * len(DIFFERENCES)
