"""Worlds that break assumptions."""

import numpy as np
import pytest
from scipy.special import expit

from fairtrial.lab.score_worlds import BEST_MEAN, MEAN_T, ability_for, answers, families, skewed


class TestFamilies:
    def test_versions_taken_for_data_sets_make_false_winners(self):
        experiment = next(e for e in families() if "90 %" in e.world)
        counts = experiment.simulate(np.random.default_rng(2), 100)
        versions, _ = counts["each version one unit, sole winner: a false one"]
        units, runs = counts["each family one unit, sole winner: a false one"]
        assert versions > 0.1 * runs
        assert units <= runs * (0.05 + 2 * np.sqrt(0.0475 / runs))


class TestSkewed:
    def test_is_shown_and_has_no_limit(self):
        assert not any(experiment.limits for experiment in skewed())

    def test_a_typical_winner_is_no_winner_of_the_mean(self):
        experiment = next(e for e in skewed() if "5 × 100" in e.world)
        counts = experiment.simulate(np.random.default_rng(0), 60)
        assert counts["sole winner, taken for one of the means"][0] > 6
        assert counts["t intervals of the means (Bonferroni): a false star"][0] < 10


class TestAnswers:
    def test_equal_methods_answer_equal_shares(self):
        # by simulation: a method that is three times as decisive needs another ability for the same share
        hard = np.random.default_rng(0).normal(size=400_000) * np.sqrt(10)
        for steep in (1.0, 3.0):
            assert expit(steep * (ability_for(0.7, steep) - hard)).mean() == pytest.approx(0.7, abs=0.003)
        assert ability_for(0.7, 1.0) != pytest.approx(ability_for(0.7, 3.0), abs=0.01)

    @pytest.mark.slow
    def test_claims_are_counted(self):
        experiment = next(iter(answers()))
        counts = experiment.simulate(np.random.default_rng(1), 20)
        assert {claim: runs for claim, (_, runs) in counts.items()} == {MEAN_T: 20, BEST_MEAN: 20}
        assert set(experiment.limits) == set(counts)
