import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial import measures
from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import mcnemar, measure_permutation, paired_permutation

differences = st.lists(st.integers(-6, 6), min_size=1, max_size=9).map(np.array)
ALTERNATIVES = ("two-sided", "greater", "less")


def listed(d, alternative):
    """p by the definition, over all patterns of signs."""
    sums = np.array([np.dot(s, d) for s in product((-1, 1), repeat=len(d))])
    extreme = {"greater": sums >= d.sum(), "less": sums <= d.sum(), "two-sided": abs(sums) >= abs(d.sum())}
    return extreme[alternative].mean()


class TestPairedPermutation:
    def test_by_hand(self):
        # 1, 2, 3: of 8 patterns only +++ has a sum of 6, two-sided also −−−
        found = paired_permutation([1, 2, 3], [0, 0, 0])
        assert found.p_value == 0.25
        assert paired_permutation([1, 2, 3], [0, 0, 0], alternative="greater").p_value == 0.125
        assert found.effect.estimate == 2

    @given(differences, st.sampled_from(ALTERNATIVES))
    def test_equals_enumeration(self, d, alternative):
        found = paired_permutation(d, 0 * d, alternative=alternative)
        assert found.p_value == pytest.approx(listed(d, alternative), rel=1e-12)
        assert found.p_error == 0

    @pytest.mark.slow
    @given(differences, st.integers(10, 14))
    def test_counted_equals_listed(self, d, zeros):
        # with zeros there are more than 18 pairs, so that the sums are counted; zeros change nothing
        longer = np.concatenate([d, np.zeros(19)])
        for alternative in ALTERNATIVES:
            found = paired_permutation(longer, 0 * longer, alternative=alternative)
            assert found.method == "exact"
            assert found.p_value == pytest.approx(listed(d, alternative), rel=1e-12)

    @pytest.mark.parametrize("alternative", ALTERNATIVES)
    def test_two_halves_equal_enumeration(self, alternative):
        d = np.round(np.random.default_rng(4).normal(0.2, 1, size=20), 9)
        sums = np.zeros(1, dtype=np.int64)
        for value in np.rint(d * 10**9).astype(np.int64):
            sums = np.concatenate([sums - value, sums + value])
        observed = int(np.rint(d * 10**9).sum())
        extreme = {"greater": sums >= observed, "less": sums <= observed, "two-sided": abs(sums) >= abs(observed)}
        found = paired_permutation(d, 0 * d, alternative=alternative)
        assert found.method == "exact"
        assert found.p_value == pytest.approx(extreme[alternative].mean(), rel=1e-12)
        assert (0 not in found.effect) == (found.p_value < 0.05)

    @given(st.lists(st.integers(-6, 6).filter(bool), min_size=1, max_size=24), st.sampled_from(ALTERNATIVES))
    def test_two_halves_equal_the_count(self, d, alternative):
        from fairtrial.stats.two_methods.permutation import _counted, _halved

        halved, counted = (way(np.array(d), alternative) for way in (_halved, _counted))
        assert halved.value == pytest.approx(counted.value, rel=1e-12)

    @given(differences, st.sampled_from(ALTERNATIVES), st.sampled_from([0.5, 0.8, 0.95]))
    def test_the_interval_holds_the_shifts_that_are_not_rejected(self, d, alternative, level):
        found = paired_permutation(d, 0 * d, alternative=alternative, level=level)
        if not d.any() or found.effect.high - found.effect.low < 1e-3:
            return
        if abs(found.p_value - (1 - level)) > 1e-9:
            assert (0 not in found.effect) == (found.p_value < 1 - level)
        for edge, step in ((found.effect.low, -1e-4), (found.effect.high, 1e-4)):
            if math.isfinite(edge):
                beyond = paired_permutation(d - (edge + step), 0 * d, alternative=alternative).p_value
                inside = paired_permutation(d - (edge - step), 0 * d, alternative=alternative).p_value
                assert beyond < 1 - level + 1e-9
                assert inside >= 1 - level - 1e-9

    @given(differences, st.sampled_from([0.001, 7.0]))
    def test_swapping_and_rescaling(self, d, factor):
        there, back = paired_permutation(d, 0 * d), paired_permutation(0 * d, d * factor)
        assert there.p_value == back.p_value
        assert there.effect.low * factor == pytest.approx(-back.effect.high)

    def test_float_noise_makes_no_difference(self):
        # 0.3 − 0.2 and 0.8 − 0.7 are equal on paper: the sum is 0, and all others are as extreme
        assert paired_permutation([0.3, 0.7], [0.2, 0.8]).p_value == 1.0

    def test_monte_carlo_comes_near_and_is_never_0(self):
        """The observed arrangement counts, so that p is never 0."""
        d = np.arange(1, 41) * 1.0
        exact = paired_permutation(d, 0 * d)
        assert exact.p_value == pytest.approx(2 / 2**40)
        drawn = paired_permutation(d, 0 * d, method="monte-carlo", replicates=999)
        assert drawn.p_value == pytest.approx(2 / 1000)
        d = np.tile([3, -2, 1, 5, -4, 2], 8) + 0.0
        exact, drawn = paired_permutation(d, 0 * d), paired_permutation(d, 0 * d, method="monte-carlo")
        assert exact.method == "exact"
        assert drawn.p_value == pytest.approx(exact.p_value, abs=4 * drawn.p_error)
        assert 0 < drawn.p_error < 0.01
        again = paired_permutation(d, 0 * d, method="monte-carlo", seed=1)
        assert again.p_value != drawn.p_value

    def test_on_right_and_wrong_it_is_exact_mcnemar(self):
        a, b = np.repeat([1, 0, 1, 0], [60, 3, 12, 25]), np.repeat([1, 1, 0, 0], [60, 3, 12, 25])
        assert paired_permutation(a, b).p_value == pytest.approx(mcnemar(a, b).p_value, rel=1e-12)

    def test_far_tail(self):
        d = np.ones(2000)
        assert paired_permutation(d, 0 * d).log10_p == pytest.approx((1 - 2000) * math.log10(2), rel=1e-12)

    def test_sums_of_scores_of_very_different_size_fit(self):
        # 18 digits each, and 20 of them: the sums would not fit into 64 bits; only all signs alike are as extreme
        d = np.array([1e6, 2e-6, 3e-6] + [9e5] * 20)
        assert paired_permutation(d, 0 * d, method="monte-carlo", replicates=199).p_value == pytest.approx(2 / 200)
        few = np.array([1e6, 2e-6, 3e-6] + [9e5] * 14)
        assert paired_permutation(few, 0 * few).p_value == pytest.approx(2 / 2**17)

    def test_edges(self):
        equal = paired_permutation([1, 2], [1, 2])
        assert (equal.p_value, equal.notes) == (1.0, ("all differences are zero",))
        assert paired_permutation([2], [1]).effect.low == -math.inf
        rough = np.random.default_rng(1).normal(size=41)
        with pytest.raises(InputError, match=r"'exact' needs at most 40 nonzero differences, .* got 41"):
            paired_permutation(rough, 0 * rough, method="exact")
        with pytest.raises(UnknownName, match="did you mean 'monte-carlo'"):
            paired_permutation([1], [2], method="montecarlo")
        with pytest.raises(InputError, match="replicates must be a whole number of at least 99"):
            paired_permutation([1], [2], replicates=10)


RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.integers(0, 2, 60)
FIRST, SECOND = (np.where(RANDOM.random(60) < right, TRUTH, 1 - TRUTH) for right in (0.85, 0.7))


class TestMeasurePermutation:
    def test_equals_enumeration_on_a_small_case(self):
        truth, a, b = np.array([1, 1, 1, 0, 0, 1]), np.array([1, 1, 0, 0, 1, 1]), np.array([1, 0, 1, 1, 0, 0])
        observed = measures.f_measure(truth, a) - measures.f_measure(truth, b)
        every = []
        for keep in product((True, False), repeat=6):
            first, second = np.where(keep, a, b), np.where(keep, b, a)
            every.append(measures.f_measure(truth, first) - measures.f_measure(truth, second))
        exact = np.mean(np.abs(every) >= abs(observed) - 1e-12)
        found = measure_permutation(truth, a, b, measure="f_measure")
        assert found.effect.estimate == pytest.approx(observed)
        assert found.p_value == pytest.approx(exact, abs=5 * found.p_error)

    @pytest.mark.slow
    @pytest.mark.parametrize("measure", ["f_measure", "mcc", "average_recall"])
    def test_tables_and_rows_agree(self, measure):
        def rows(truth, predicted, weights):
            return measures.function(measure)(truth, predicted, weights=weights)

        table, slow = (measure_permutation(TRUTH, FIRST, SECOND, measure=m, replicates=1999) for m in (measure, rows))
        assert table.effect.estimate == pytest.approx(slow.effect.estimate)
        assert table.p_value == pytest.approx(slow.p_value, abs=5 * (table.p_error + slow.p_error))

    def test_accuracy_comes_near_exact_mcnemar(self):
        right = [p == TRUTH for p in (FIRST, SECOND)]
        found = measure_permutation(TRUTH, FIRST, SECOND)
        assert found.p_value == pytest.approx(mcnemar(*right).p_value, abs=5 * found.p_error + 1e-4)

    def test_means_of_losses_are_exact(self):
        p, q = np.linspace(0.05, 0.95, 12), np.linspace(0.9, 0.1, 12)
        found = measure_permutation([0, 1] * 6, p, q, measure="brier")
        assert found.method == "exact"
        assert found.effect.low < found.effect.high

    def test_scores(self):
        random = np.random.default_rng(4)
        a = 3 * TRUTH + random.normal(size=60)
        assert measure_permutation(TRUTH, a, a, measure="auc", replicates=199).p_value == 1
        noise = measure_permutation(TRUTH, a, random.normal(size=60), measure="auc", replicates=999)
        assert noise.p_value < 0.05
        assert math.isnan(noise.effect.low)

    def test_identical_models_have_p_1(self):
        found = measure_permutation(TRUTH, FIRST, FIRST, measure="f_measure", replicates=199)
        assert found.p_value == 1

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="f_measure must be a finite number"):
            measure_permutation([0, 0, 0], [0, 0, 0], [0, 0, 0], measure="f_measure")
        with pytest.raises(InputError, match="recorded while a trial runs"):
            measure_permutation([0, 1], [0, 1], [0, 1], measure="fit_time")
        with pytest.raises(UnknownName, match="did you mean 'precision'"):
            measure_permutation([0, 1], [0, 1], [0, 1], measure="precison")

    def test_small_numbers_are_not_all_equal(self):
        truth = np.arange(20.0)
        for scale in (1.0, 1e-15):
            call = measure_permutation(scale * truth, scale * (truth + 1), scale * 4 * truth, measure="rmse")
            assert call.p_value == pytest.approx(0.0001)

    def test_the_same_predictions(self):
        found = measure_permutation([0, 1, 0, 1], [0, 1, 1, 1], [0, 1, 1, 1])
        assert found.p_value == 1
        assert "swapping predictions never changes" in found.notes[0]
