"""Settings whose gains on new data sets are known."""

import numpy as np
import pytest

from fairtrial.lab.robust_worlds import Settings, choices, experiments, losses


class TestSettings:
    def test_true_deciles(self):
        # a setting with spread 0 that fails on 20 % of the data sets by 0.05 has the decile of a failure
        settings = Settings(np.zeros(12), np.zeros(12), np.array([0.2, *[0.0] * 11]), np.full(12, 0.05))
        deciles = settings.true_deciles(np.random.default_rng(1))
        assert deciles[0] == pytest.approx(-0.05 + 0.05 / 12)
        assert deciles[1:] == pytest.approx(np.zeros(11), abs=1e-12)

    def test_choices_by_hand(self):
        # the first gains 0.1 on three data sets and loses 0.2 on the last; the hard data set is one of the three
        scores = np.array([[0.5, 0.4], [0.8, 0.7], [0.9, 0.8], [0.75, 0.95]])
        assert choices(scores) == {"worst quarter": 1, "mean": 0, "regret": 1, "raw lower decile": 0}


@pytest.mark.slow
def test_the_worst_quarter_loses_least():
    found = losses(np.random.default_rng(3), datasets=20, runs=60)
    assert found["worst quarter"] < found["mean"] < found["raw lower decile"]
    assert found["worst quarter"] < found["regret"]


def test_shares_are_those_of_the_losses():
    experiment = next(iter(experiments()))
    counts = experiment.simulate(np.random.default_rng(4), 5)
    names = ("worst quarter", "mean", "regret", "raw lower decile")
    assert {f"{name}: within 0.003 of the best" for name in names} < set(counts)
    assert all(runs == 5 for _, runs in counts.values())


@pytest.mark.slow
def test_intervals_around_a_choice_do_not_hold():
    counts = next(iter(experiments())).simulate(np.random.default_rng(5), 60)
    held, runs = counts["percentile bootstrap of the worst quarter of the chosen: holds"]
    assert held < 0.5 * runs
