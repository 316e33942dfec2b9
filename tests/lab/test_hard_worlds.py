"""Worlds that break assumptions."""

import numpy as np

from fairtrial.lab.hard_worlds import families, skewed


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
