import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import corrected_t, mean_interval, paired_t
from fairtrial.stats.two_methods.paired_t import corrected_t_signs

scores = st.floats(-1, 1).map(lambda v: round(v, 4))
pairs = st.lists(st.tuples(scores, scores), min_size=3, max_size=12).map(np.array)


class TestCorrectedT:
    def test_by_hand(self):
        # d = 1, 2, 3: mean 2, variance 1, k = 3, q = 1: t = 2 / sqrt(4/3)
        found = corrected_t([1, 2, 3], [0, 0, 0], test_share=0.5)
        assert found.statistic == pytest.approx(2 / np.sqrt(4 / 3))
        assert found.df == 2
        assert found.effect.estimate == 2

    def test_more_overlap_by_hand(self):
        # as above, with 1.75 q: t = 2 / sqrt(1/3 + 7/4), and the interval of the mean has the same variance
        found = corrected_t([1, 2, 3], [0, 0, 0], test_share=0.5, overlap=1.75)
        assert found.statistic == pytest.approx(2 / np.sqrt(25 / 12))
        alone = mean_interval([1, 2, 3], test_share=0.5, overlap=1.75)
        assert (found.effect.low, found.effect.high) == pytest.approx((alone.low, alone.high))
        with pytest.raises(InputError, match="overlap must be above 0"):
            corrected_t([1, 2], [0, 0], test_share=0.5, overlap=0)

    @given(pairs)
    def test_swapping_the_methods_only_flips_the_sign(self, ab):
        there, back = (corrected_t(x, y, test_share=0.1) for x, y in (ab.T, ab.T[::-1]))
        assert there.p_value == pytest.approx(back.p_value, nan_ok=True)
        assert there.effect.estimate == pytest.approx(-back.effect.estimate)
        assert there.effect.low == pytest.approx(-back.effect.high, nan_ok=True)

    @given(pairs, st.sampled_from(["two-sided", "greater", "less"]), st.sampled_from([0.8, 0.95]))
    def test_the_interval_excludes_zero_exactly_when_p_is_small(self, ab, alternative, level):
        found = corrected_t(*ab.T, test_share=0.2, alternative=alternative, level=level)
        if not math.isnan(found.p_value) and abs(found.p_value - (1 - level)) > 1e-9:
            assert (0 not in found.effect) == (found.p_value < 1 - level)

    def test_identical_methods_have_p_1(self):
        # two identical models must not be called different
        found = corrected_t([0.5, 0.7, 0.9], [0.5, 0.7, 0.9], test_share=0.1)
        assert found.p_value == 1.0
        assert math.isnan(found.statistic)
        assert "all differences are zero" in found.notes

    def test_equal_differences_are_undefined_in_spite_of_float_noise(self):
        found = corrected_t([0.3, 0.5, 0.8], [0.2, 0.4, 0.7], test_share=0.1)  # 0.1 each, but not to the last bit
        assert found.statistic == math.inf
        assert math.isnan(found.p_value)
        assert math.isnan(found.log10_p)
        assert math.isnan(found.effect.low)
        assert "undefined" in found.notes[0]
        assert corrected_t([0.2, 0.4], [0.3, 0.5], test_share=0.1).statistic == -math.inf

    def test_the_far_tail_keeps_its_digits(self):
        # R 4.2.2: pt(-50, 99) = 2.2976829496797e-72; pt(-500, 999, log.p=TRUE)/log(10) = -1200.75131534885
        d = np.tile([1.0, -1.0], 50)
        shift = 50 * d.std(ddof=1) / 10
        assert paired_t(d + shift, 0 * d).p_value == pytest.approx(2 * 2.2976829496797e-72, rel=1e-9)
        d = np.tile([1.0, -1.0], 500)
        far = paired_t(d + 500 * d.std(ddof=1) / math.sqrt(1000), 0 * d)
        assert far.p_value == 0.0
        assert far.log10_p == pytest.approx(-1200.75131534885 + math.log10(2), rel=1e-9)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"of one length, got 3 and 2"):
            corrected_t([1, 2, 3], [1, 2], test_share=0.1)
        with pytest.raises(InputError, match=r"strictly between 0 and 1 \(0.1 for 10-fold\), got 1"):
            corrected_t([1, 2], [1, 3], test_share=1)
        with pytest.raises(InputError, match=r"at least two values or pairs, since one has no variance, got 1"):
            corrected_t([1], [2], test_share=0.1)
        with pytest.raises(InputError, match=r"2 of 3 pairs are not \(indices 0 and 2\); choose a failure policy"):
            corrected_t([math.nan, 1, 2], [1, 2, math.inf], test_share=0.1)
        with pytest.raises(InputError, match=r"alternative must be 'two-sided', 'greater' or 'less', got 'larger'"):
            corrected_t([1, 2], [1, 3], test_share=0.1, alternative="larger")


class TestPairedT:
    def test_by_hand(self):
        # d = 1, 2, 3: t = 2 / sqrt(1/3)
        assert paired_t([1, 2, 3], [0, 0, 0]).statistic == pytest.approx(2 * math.sqrt(3))

    def test_one_sided_against_r(self):
        # R 4.2.2: t.test(x, y, paired=TRUE, alternative="greater", conf.level=0.9)
        found = paired_t([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80], alternative="greater", level=0.9)
        assert found.p_value == pytest.approx(0.0231025456766817)
        assert (found.effect.low, found.effect.high) == pytest.approx((0.0150495079008977, math.inf))

    def test_no_spread_is_undefined(self):
        # R stops with "data are essentially constant"
        found = paired_t([1, 1, 1], [0, 0, 0])
        assert found.statistic == math.inf
        assert math.isnan(found.p_value)


class TestSigns:
    def one_by_one(self, scores, **options):
        found = np.zeros((scores.shape[1],) * 2, dtype=int)
        for i in range(scores.shape[1]):
            for j in range(scores.shape[1]):
                outcome = corrected_t(scores[:, i], scores[:, j], **options)
                found[i, j] = np.sign(outcome.statistic) if outcome.p_value < 1 - options.get("level", 0.95) else 0
        return found.tolist()

    @given(st.lists(st.tuples(scores, scores, scores), min_size=3, max_size=12).map(np.array))
    def test_are_those_of_the_single_tests(self, table):
        assert corrected_t_signs(table, test_share=0.1).tolist() == self.one_by_one(table, test_share=0.1)

    def test_with_overlap_and_level(self):
        random = np.random.default_rng(3)
        table = 0.7 + 0.02 * np.arange(8) + 0.03 * random.normal(size=(30, 8))
        options = {"test_share": 0.2, "overlap": 1.75, "level": 0.9}
        found = corrected_t_signs(table, **options)
        assert found.tolist() == self.one_by_one(table, **options)
        assert {-1, 0, 1} == set(found.ravel().tolist())

    def test_equal_scores_and_constant_differences_are_no_wins(self):
        table = np.array([[0.3, 0.1 + 0.2, 0.4], [0.5, 0.5, 0.6], [0.1, 0.1, 0.2]])
        assert not corrected_t_signs(table, test_share=0.1).any()  # p is 1, or undefined
