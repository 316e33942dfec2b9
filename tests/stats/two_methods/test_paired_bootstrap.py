import itertools
import math

import numpy as np
import pytest
from example_data import CASES, LABELS, SCORES, TRUTH
from scipy.stats import multinomial, norm
from scipy.stats import t as student_t

from fairtrial.stats import delong, mcnemar, measure_permutation, paired_bootstrap


class TestPairedBootstrap:
    def test_by_hand(self):
        # 8 of 12 instances tell them apart: none of these is drawn with (1/3)^12, and then the difference is 0;
        # with 6 of 8 for the first it is not above 0 where the others are drawn as often: see the sum
        truth, first, second = np.ones(12, int), np.ones(12, int), np.ones(12, int)
        first[:2], second[2:8] = 0, 0
        found = paired_bootstrap(truth, first, second, replicates=99_999)
        ways = itertools.product(range(13), range(13))
        share = sum(multinomial.pmf([a, b, 12 - a - b], 12, [1 / 2, 1 / 6, 1 / 3]) for a, b in ways if a <= b <= 12 - a)
        expected = 2 * student_t.cdf(math.sqrt(11 / 12) * norm.ppf(share), 11)
        assert found.p_value == pytest.approx(expected, abs=5 * found.p_error)
        assert found.effect.estimate == pytest.approx(1 / 3)

    @pytest.mark.parametrize(("wins", "exact"), [(3, 0.25), (4, 0.125), (5, 0.0625), (6, 0.03125)])
    def test_few_instances_are_judged_as_by_an_exact_test(self, wins, exact):
        # p was 0.006 for 4 of 8, all for the first: swapping 4 predictions can only give 2 of 16 ways as extreme
        truth, second = np.ones(8, int), np.repeat([0, 1], [wins, 8 - wins])
        found = paired_bootstrap(truth, truth, second)
        assert found.p_value == exact == mcnemar(truth == 1, second == 1).p_value
        assert found.p_value == pytest.approx(measure_permutation(truth, truth, second).p_value, abs=0.01)
        assert (0 not in found.effect) == (exact < 0.05)
        assert f"on {wins} instances only" in found.notes[0]
        greater = paired_bootstrap(truth, truth, second, alternative="greater")
        assert greater.p_value == exact / 2
        assert (0 not in greater.effect) == (exact / 2 < 0.05)

    def test_two_wrong_labels_are_no_difference_of_accuracy(self):
        truth, first, second = list("aaaaaaaa"), list("aaaabbbb"), list("bbaacccc")
        assert paired_bootstrap(truth, first, second).p_value == 0.5  # 2 / 2^2

    def test_many_instances_of_which_few_differ_keep_a_narrow_interval(self):
        truth, second = np.ones(1000, int), np.repeat([0, 1], [4, 996])
        effect = paired_bootstrap(truth, truth, second).effect
        assert effect.low == 0
        assert effect.high < 0.01

    def test_three_instances_have_no_more_than_the_range(self):
        effect = paired_bootstrap([1, 1, 1], [1, 1, 1], [0, 1, 1]).effect
        assert (effect.low, effect.high) == (-1, 1)

    def test_what_no_replicate_reached_is_a_bound(self):
        truth, second = np.ones(60, int), np.repeat([0, 1], [30, 30])
        found = paired_bootstrap(truth, truth, second, replicates=999)
        assert found.at_floor
        assert "p ≤ 0.003" in str(found)
        assert not paired_bootstrap(TRUTH, *LABELS).at_floor

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["accuracy", "f_measure", "auc", "brier", "rmse"])
    @pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
    @pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
    def test_interval_and_p_agree(self, name, method, alternative):
        truth, models = CASES[name]
        for level in (0.5, 0.9, 0.99):
            found = paired_bootstrap(
                truth, *models, measure=name, method=method, alternative=alternative, level=level, replicates=499
            )
            if abs(found.p_value - (1 - level)) > 1e-9:
                assert (0 not in found.effect) == (found.p_value < 1 - level)

    def test_near_other_tests_of_the_same_question(self):
        right = [m == TRUTH for m in LABELS]
        assert paired_bootstrap(TRUTH, *LABELS).p_value == pytest.approx(
            mcnemar(*right, method="mid-p").p_value, abs=0.02
        )
        assert paired_bootstrap(TRUTH, *SCORES, measure="auc").p_value == pytest.approx(
            delong(TRUTH, *SCORES).p_value, abs=0.02
        )

    @pytest.mark.parametrize("name", ["f_measure", "auc", "brier"])
    def test_swapping_flips_the_sign(self, name):
        truth, models = CASES[name]
        there, back = (paired_bootstrap(truth, *m, measure=name) for m in (models, models[::-1]))
        assert there.effect.estimate == pytest.approx(-back.effect.estimate)
        assert there.p_value == pytest.approx(back.p_value, abs=4 * (there.p_error + back.p_error))
        assert there.effect.low == pytest.approx(-back.effect.high, abs=0.02)

    def test_identical_models_have_p_1(self):
        """Identical models must not be called different."""
        for measure, model in (("accuracy", LABELS[0]), ("auc", SCORES[0])):
            found = paired_bootstrap(TRUTH, model, model, measure=measure, replicates=199)
            assert found.p_value == 1
            assert (found.effect.low, found.effect.high) == (0, 0)

    def test_always_apart_is_undefined(self):
        found = paired_bootstrap(TRUTH, TRUTH, 1 - TRUTH, replicates=199)
        assert math.isnan(found.p_value)
        assert "use measure_permutation" in found.notes[0]

    def test_own_function(self):
        def share_right(truth, predicted, weights):
            return np.average(truth == predicted, weights=weights)

        own, named = (paired_bootstrap(TRUTH, *LABELS, measure=m, replicates=999) for m in (share_right, "accuracy"))
        assert own.effect.estimate == pytest.approx(named.effect.estimate)
        assert own.p_value == pytest.approx(named.p_value, abs=4 * (own.p_error + named.p_error))
        assert own.effect.quantity == "difference of share_right"

    @pytest.mark.parametrize("method", ["bca", "percentile", "basic"])
    def test_the_error_of_p_is_what_other_seeds_show(self, method):
        random = np.random.default_rng(0)
        truth = random.integers(0, 2, 40)
        first, second = truth + random.normal(size=40), truth + random.normal(size=40)
        found = [
            paired_bootstrap(truth, first, second, measure="auc", method=method, replicates=299, seed=seed)
            for seed in range(80)
        ]
        spread = np.std([one.p_value for one in found])
        assert np.mean([one.p_error for one in found]) == pytest.approx(spread, rel=0.25)
