"""What Bayesian tests say of equal methods."""

import numpy as np
import pytest

from fairtrial.lab.learner_worlds import bayesian_experiments


def counts(part, runs):
    experiment = next(e for e in bayesian_experiments() if part in e.world)
    return experiment.simulate(np.random.default_rng(0), runs)


def test_they_are_shown_and_have_no_limit():
    assert not any(e.limits for e in bayesian_experiments())


@pytest.mark.slow
def test_without_a_rope_one_side_is_sure_in_about_a_tenth_of_the_runs():
    # the posterior of a side is nearly a one-sided p-value: above 95 % on either side in about 10 % of the runs
    made, runs = counts("30 data sets", 160)["signed rank, rope 0 SD: one side above 95 %"]
    assert made / runs == pytest.approx(0.1, abs=0.08)


def test_a_rope_takes_claims_away():
    found = counts("1-NN, n = 100", 60)
    without, runs = found["correlated t, rope 0: one side above 95 %"]
    within, _ = found["correlated t, rope 0.01: one side above 95 %"]
    assert within < without < runs
