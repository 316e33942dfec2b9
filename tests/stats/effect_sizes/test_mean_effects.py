import math

import numpy as np
import pytest
from example_data import BAYES, FOREST, scores, tied_pairs
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import (
    anova,
    cohen_d,
    corrected_t,
    eta_squared,
    friedman,
    kendall_w,
    mean_difference,
    paired_t,
    repeated_anova,
)


class TestMeanDifference:
    def test_against_r(self):
        # R 4.2.2: t.test(u, v)$conf.int
        found = mean_difference(FOREST, BAYES, paired=False)
        assert (found.low, found.high) == pytest.approx((-0.061553013851644, 0.138695870994501), rel=1e-9)

    def test_is_the_interval_of_the_t_tests(self):
        assert mean_difference(FOREST, BAYES).low == pytest.approx(paired_t(FOREST, BAYES).effect.low)
        corrected = corrected_t(FOREST, BAYES, test_share=0.2).effect
        assert mean_difference(FOREST, BAYES, test_share=0.2).high == pytest.approx(corrected.high)

    def test_undefined(self):
        assert math.isnan(mean_difference([1, 1], [2, 2], paired=False).low)
        with pytest.raises(InputError, match="with paired=False; leave one of them out"):
            mean_difference(FOREST, BAYES, paired=False, test_share=0.1)

    def test_float_noise_is_no_spread(self):
        found = mean_difference([0.3, 0.8, 0.4], [0.2, 0.7, 0.3])
        assert found.estimate == pytest.approx(0.1)
        assert math.isnan(found.low)
        assert "variance is zero" in found.notes[0]


class TestCohenD:
    def test_by_hand(self):
        # d = 1, 2, 3: mean 2, deviation 1; a = 1, 2, 3 and b = 0: average deviation sqrt(1/2)
        assert cohen_d([1, 2, 3], [0, 0, 0]).estimate == pytest.approx(2)
        assert cohen_d([1, 2, 3], [0, 0, 0], by="average").estimate == pytest.approx(2 * math.sqrt(2))

    def test_paired_against_effectsize(self):
        # R 4.2.2, effectsize 0.8.3: cohens_d(u, v, paired = TRUE), hedges_g, glass_delta(u, v)
        found, g, glass = (
            cohen_d(FOREST, BAYES),
            cohen_d(FOREST, BAYES, hedges=True),
            cohen_d(FOREST, BAYES, by="second"),
        )
        assert (found.estimate, found.low, found.high) == pytest.approx(
            (1.324845913085345, 0.258077581588871, 2.340308713868004), rel=1e-5
        )
        assert (g.estimate, g.low, g.high) == pytest.approx(
            (1.15079651736501, 0.22417307489805, 2.03285460662080), rel=1e-5
        )
        assert glass.estimate == pytest.approx(0.453072857363161)
        assert (glass.low, glass.high) == pytest.approx((-0.651499158916949, 1.522874336983046), rel=2e-3)
        assert g.quantity == "Hedges' g_z"

    @settings(max_examples=30)
    @given(tied_pairs, st.sampled_from(["differences", "average"]), st.sampled_from([None, 0.1]))
    def test_agrees_with_the_t_test(self, ab, by, share):
        found = cohen_d(*ab.T, by=by, test_share=share)
        t = paired_t(*ab.T) if share is None else corrected_t(*ab.T, test_share=share)
        if found.estimate == found.estimate and abs(t.p_value - 0.05) > 1e-6:
            assert (0 not in found) == (t.p_value < 0.05)
            swapped = cohen_d(*ab.T[::-1], by=by, test_share=share)
            assert (swapped.low, swapped.high) == pytest.approx((-found.high, -found.low), abs=1e-7)
            scaled = cohen_d(*(7 * ab.T + 3), by=by, test_share=share)
            assert scaled.high == pytest.approx(found.high)

    def test_undefined_and_wrong(self):
        assert math.isnan(cohen_d([0.3, 0.5, 0.8], [0.2, 0.4, 0.7]).estimate)  # 0.1 each, but not to the last bit
        with pytest.raises(UnknownName, match="differences"):
            cohen_d(FOREST, BAYES, by="difference")
        with pytest.raises(InputError, match="by must be 'differences' or 'average', got 'pooled'"):
            cohen_d(FOREST, BAYES, by="pooled", test_share=0.1)
        with pytest.raises(InputError, match="at least two pairs"):
            cohen_d([1], [2])

    def test_one_degree_of_freedom_has_no_correction(self):
        found = cohen_d([1, 3], [0, 1], hedges=True)
        assert math.isnan(found.estimate)
        assert "one degree of freedom" in found.notes[0]
        assert cohen_d([1, 3, 4], [0, 1, 1], hedges=True).estimate > 0


class TestEtaSquared:
    def test_bounds_against_r(self, golden):
        groups = golden["anova_effect_sizes"]["inputs"]["groups"]
        found = eta_squared(groups)  # R 4.2.2: uniroot over pf(F, 2, 27, ncp) at 0.975 and 0.025, ncp / (ncp + 30)
        assert (found.low, found.high) == pytest.approx((0.00990396851755365, 0.4638964670452963), rel=1e-7)
        assert eta_squared(groups, kind="omega").high == found.high
        f = eta_squared(groups, kind="f")
        assert f.high**2 / (1 + f.high**2) == pytest.approx(found.high)

    def test_blocks_are_those_of_repeated_anova(self):
        table = np.random.default_rng(1).normal([0, 0.5, 1], 1, size=(8, 3))
        found, test = (
            eta_squared(list(table.T), blocks=True, level=0.9),
            repeated_anova(table, correction="none").effect,
        )
        assert (found.estimate, found.low, found.high) == pytest.approx((test.estimate, test.low, test.high))
        corrected = anova(list(table.T), test_share=0.1).effect
        assert eta_squared(list(table.T), test_share=0.1, level=0.9).high == pytest.approx(corrected.high)

    def test_covers(self):
        # three groups of 8, means 0, 0.5, 1: share (1/6) / (1/6 + 1) = 1/7
        rng = np.random.default_rng(0)
        hits = [1 / 7 in eta_squared(list(rng.normal(np.array([[0], [0.5], [1]]), 1, (3, 8)))) for _ in range(400)]
        assert np.mean(hits) == pytest.approx(0.95, abs=0.033)

    def test_undefined(self):
        assert math.isnan(eta_squared([[1, 1], [1, 1]]).estimate)
        with pytest.raises(UnknownName, match="omega"):
            eta_squared([[1, 2], [2, 3]], kind="omga")


class TestKendallW:
    @settings(max_examples=30)
    @given(st.lists(st.lists(scores, min_size=3, max_size=3), min_size=2, max_size=9))
    def test_is_friedmans_and_the_order_does_not_matter(self, table):
        found, back = kendall_w(table), kendall_w([row[::-1] for row in table[::-1]])
        assert found.estimate == pytest.approx(friedman(table).effect.estimate, nan_ok=True)
        assert (found.low, found.high) == pytest.approx((back.low, back.high), nan_ok=True, abs=1e-9)
        if found.estimate == found.estimate:
            assert 0 <= found.low <= found.estimate <= found.high <= 1

    def test_covers(self):
        # orders of three methods of means 0, 0.6, 1.2: population value 0.2175 from 4 million rows
        rng = np.random.default_rng(1)
        hits = [0.2175 in kendall_w(rng.normal([0, 0.6, 1.2], 1, (15, 3))) for _ in range(400)]
        assert np.mean(hits) > 0.89

    def test_all_agree_is_no_point(self):
        # Clopper and Pearson, 10 of 10: p = 0.025**(1/10), (2p - 1)²
        found = kendall_w(np.tile([3, 2, 1], (10, 1)))
        assert found.low == pytest.approx((2 * 0.025**0.1 - 1) ** 2)
        assert math.isnan(kendall_w([[1, 1], [2, 2]]).estimate)
