import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import (
    anova,
    cliffs_delta,
    cohen_d,
    corrected_t,
    eta_squared,
    friedman,
    kendall_w,
    mean_difference,
    paired_t,
    rank_biserial,
    repeated_anova,
    superiority,
    vargha_delaney,
    wilcoxon,
)

U, V = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74], [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]
scores = st.integers(0, 6).map(float)
pairs = st.lists(st.tuples(scores, scores), min_size=3, max_size=12).map(np.array)
samples = st.tuples(st.lists(scores, min_size=2, max_size=9), st.lists(scores, min_size=2, max_size=9))


class TestMeanDifference:
    def test_against_r(self):
        # R 4.2.2: t.test(u, v)$conf.int
        found = mean_difference(U, V, paired=False)
        assert (found.low, found.high) == pytest.approx((-0.061553013851644, 0.138695870994501), rel=1e-9)

    def test_is_the_interval_of_the_t_tests(self):
        assert mean_difference(U, V).low == pytest.approx(paired_t(U, V).effect.low)
        corrected = corrected_t(U, V, test_share=0.2).effect
        assert mean_difference(U, V, test_share=0.2).high == pytest.approx(corrected.high)

    def test_undefined(self):
        assert math.isnan(mean_difference([1, 1], [2, 2], paired=False).low)
        with pytest.raises(InputError, match="leave out paired=False"):
            mean_difference(U, V, paired=False, test_share=0.1)

    def test_float_noise_is_no_spread(self):
        found = mean_difference([0.3, 0.8, 0.4], [0.2, 0.7, 0.3])
        assert found.estimate == pytest.approx(0.1)
        assert math.isnan(found.low)
        assert "no spread" in found.notes[0]


class TestCohenD:
    def test_by_hand(self):
        # d = 1, 2, 3: mean 2, deviation 1; a = 1, 2, 3 and b = 0: average deviation sqrt(1/2)
        assert cohen_d([1, 2, 3], [0, 0, 0]).estimate == pytest.approx(2)
        assert cohen_d([1, 2, 3], [0, 0, 0], by="average").estimate == pytest.approx(2 * math.sqrt(2))

    def test_paired_against_effectsize(self):
        # R 4.2.2, effectsize 0.8.3: cohens_d(u, v, paired = TRUE), hedges_g, glass_delta(u, v)
        found, g, glass = cohen_d(U, V), cohen_d(U, V, hedges=True), cohen_d(U, V, by="second")
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
    @given(pairs, st.sampled_from(["differences", "average"]), st.sampled_from([None, 0.1]))
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
            cohen_d(U, V, by="difference")
        with pytest.raises(InputError, match="by must be 'differences' or 'average', got 'pooled'"):
            cohen_d(U, V, by="pooled", test_share=0.1)
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
        # PEERS 11: Clopper and Pearson, 10 of 10: p = 0.025**(1/10), (2p - 1)²
        found = kendall_w(np.tile([3, 2, 1], (10, 1)))
        assert found.low == pytest.approx((2 * 0.025**0.1 - 1) ** 2)
        assert math.isnan(kendall_w([[1, 1], [2, 2]]).estimate)


class TestVarghaDelaney:
    def test_by_hand(self):
        # of 6 pairs 4 are larger, 1 is equal: 4.5 / 6
        assert vargha_delaney([3, 5], [1, 3, 4]).estimate == pytest.approx(4.5 / 6)
        assert cliffs_delta([3, 5], [1, 3, 4]).estimate == pytest.approx(0.5)

    @given(st.lists(st.integers(0, 5), min_size=2, max_size=9), st.lists(st.integers(0, 5), min_size=2, max_size=9))
    def test_cliffs_interval_from_all_pairs(self, a, b):
        # Feng & Cliff (2004), from the matrix of signs
        signs = np.sign(np.subtract.outer(np.array(a), np.array(b))).astype(float)
        m, n, delta = len(a), len(b), signs.mean()
        rows, columns = signs.mean(axis=1) - delta, signs.mean(axis=0) - delta
        spread = n**2 * rows @ rows + m**2 * columns @ columns - ((signs - delta) ** 2).sum()
        variance = max(spread / (m * n * (m - 1) * (n - 1)), (1 - delta**2) / (m * n - 1))
        z = 1.959963984540054
        reach = z * math.sqrt(variance * ((1 - delta**2) ** 2 + z * z * variance))
        found, bottom = cliffs_delta(a, b, method="cliff"), 1 - delta**2 + z * z * variance
        assert found.estimate == pytest.approx(delta, abs=1e-12)
        if bottom > 1e-9:
            assert found.high == pytest.approx((delta - delta**3 + reach) / bottom, abs=1e-9)

    def test_large_samples(self):
        # 10¹⁰ pairs: 74 GiB, were they listed
        a, b = np.arange(100_000.0), np.arange(100_000.0) + 0.5
        assert cliffs_delta(a, b).estimate == pytest.approx(-1e-5)

    def test_separated_samples_give_no_point(self):
        # PEERS 11
        found = vargha_delaney([10, 11, 12], [1, 2, 3])
        assert found.high == 1.0
        assert 0.3 < found.low < 0.9
        assert cliffs_delta([10, 11], [1, 2], method="cliff").low <= 1.0

    @settings(max_examples=40)
    @given(samples)
    def test_leaves_out_a_half_when_mann_whitney_rejects(self, ab):
        a, b = ab
        found, turned = vargha_delaney(a, b), vargha_delaney(b, a)
        m, n = len(a), len(b)
        z = (found.estimate - 0.5) / math.sqrt((m + n + 1) / (12 * m * n))
        if abs(abs(z) - 1.959964) > 1e-5:
            assert (0.5 not in found) == (abs(z) > 1.959964)
        assert (turned.low, turned.high) == pytest.approx((1 - found.high, 1 - found.low), abs=1e-9)
        assert 0 <= found.low <= found.estimate <= found.high <= 1
        delta = cliffs_delta(a, b)
        assert delta.low == pytest.approx(2 * found.low - 1)

    @settings(max_examples=25)
    @given(samples)
    def test_doubling_the_data_narrows_the_interval(self, ab):
        once, twice = vargha_delaney(*ab), vargha_delaney(*(x + x for x in ab))
        assert twice.estimate == pytest.approx(once.estimate)
        assert twice.high - twice.low < once.high - once.low

    def test_cliffs_interval_by_hand(self):
        # signs [[1, 0, -1], [1, 1, 1]]: d 0.5, row means 0 and 1, column means 1, 0.5, 0
        # variance (9·0.5 + 4·0.5 - 3.5) / (6·1·2) = 0.25; at least 0.75 / 5
        found = cliffs_delta([3, 5], [1, 3, 4], method="cliff")
        z, d, v = 1.959963984540054, 0.5, 0.25
        bottom, reach = 1 - d * d + z * z * v, z * math.sqrt(v) * math.sqrt((1 - d * d) ** 2 + z * z * v)
        assert (found.low, found.high) == pytest.approx(((d - d**3 - reach) / bottom, (d - d**3 + reach) / bottom))

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="method must be 'newcombe' or 'cliff', got 'wald'"):
            vargha_delaney([1, 2], [2, 3], method="wald")
        with pytest.raises(InputError, match="at least two values in each sample"):
            vargha_delaney([1], [2, 3], method="cliff")

    @given(st.lists(st.integers(0, 6), min_size=2, max_size=12), st.lists(st.integers(0, 6), min_size=2, max_size=12))
    def test_equals_the_table_of_all_pairs(self, a, b):
        signs, m, n = np.sign(np.subtract.outer(a, b)), len(a), len(b)
        delta = signs.mean()
        assert cliffs_delta(a, b).estimate == pytest.approx(delta, abs=1e-12)
        rows, columns, cells = signs.mean(axis=1) - delta, signs.mean(axis=0) - delta, ((signs - delta) ** 2).sum()
        variance = (n**2 * rows @ rows + m**2 * columns @ columns - cells) / (m * n * (m - 1) * (n - 1))
        z, variance = 1.959963984540054, max(variance, (1 - delta**2) / (m * n - 1))
        reach, bottom = (
            z * math.sqrt(variance * ((1 - delta**2) ** 2 + z * z * variance)),
            1 - delta**2 + z * z * variance,
        )
        low = delta if bottom < 1e-12 else (delta - delta**3 - reach) / bottom
        assert cliffs_delta(a, b, method="cliff").low == pytest.approx(low, abs=1e-9)

    def test_large_samples_need_no_table_of_all_pairs(self):
        a = np.arange(200_000.0)  # of 40,000,000,000 pairs
        assert vargha_delaney(a, a + 100).estimate == pytest.approx(0.5 - 100 / 200_000, rel=1e-4)


class TestSuperiority:
    def test_against_r(self):
        # R 4.2.2: Tango's T(Δ) solved by uniroot; 5 wins, 1 loss, 1 tie: [-0.113996887226773, 0.878781004969224]
        found = superiority([5, 7, 8, 6, 9, 4, 3], [4, 5, 5, 5, 4, 5, 3])
        assert found.estimate == pytest.approx(5.5 / 7)
        assert (2 * found.low - 1, 2 * found.high - 1) == pytest.approx(
            (-0.113996887226773, 0.878781004969224), rel=1e-9
        )
        # 43 wins, 1 tie: [0.818506419841181, 0.995976747939947]
        found = superiority([1] * 43 + [0], [0] * 44)
        assert (2 * found.low - 1, 2 * found.high - 1) == pytest.approx(
            (0.818506419841181, 0.995976747939947), rel=1e-8
        )

    def test_all_wins_or_all_ties_are_no_point(self):
        # all wins: Wilson's z² / (n + z²) missing; all ties: Δ within ± z² / (n + z²)
        z2, n = 1.959963984540054**2, 9
        wins, ties = superiority([2] * n, [1] * n), superiority([1] * n, [1] * n)
        assert (wins.low, wins.high) == pytest.approx((n / (n + z2), 1.0))
        assert (ties.low, ties.high) == pytest.approx((0.5 - z2 / (n + z2) / 2, 0.5 + z2 / (n + z2) / 2))

    @given(pairs)
    def test_leaves_out_a_half_when_mcnemars_chi_square_rejects(self, ab):
        found, turned = superiority(*ab.T), superiority(*ab.T[::-1])
        wins, losses = int((ab[:, 0] > ab[:, 1]).sum()), int((ab[:, 0] < ab[:, 1]).sum())
        z = (wins - losses) / math.sqrt(max(wins + losses, 1))
        if abs(abs(z) - 1.959964) > 1e-6:
            assert (0.5 not in found) == (abs(z) > 1.959964)
        assert (turned.low, turned.high) == pytest.approx((1 - found.high, 1 - found.low), abs=1e-9)


class TestRankBiserial:
    def test_against_effectsize(self):
        # R 4.2.2, effectsize 0.8.3: rank_biserial(u, v, paired = TRUE); by hand: R- = 1 of 28
        assert rank_biserial(U, V).estimate == pytest.approx(1 - 2 / 28)

    def test_interval_by_hand(self):
        # all positive, n = 2: ranks 1, 2, s² = 5/9; (1 - ρ)² = z² 5/9 (1 - ρ²): ρ = (1 - k) / (1 + k)
        k = 1.959963984540054**2 * 5 / 9
        found = rank_biserial([1, 2], [0, 0])
        assert (found.low, found.high) == pytest.approx(((1 - k) / (1 + k), 1.0))

    @given(pairs)
    def test_leaves_out_zero_when_wilcoxon_rejects(self, ab):
        found, test = rank_biserial(*ab.T), wilcoxon(*ab.T, method="asymptotic")
        if found.estimate == found.estimate:
            if abs(test.p_value - 0.05) > 1e-9:
                assert (0 not in found) == (test.p_value < 0.05)
            assert rank_biserial(*ab.T[::-1]).low == pytest.approx(-found.high)
            assert rank_biserial(*(3 * ab.T + 1)).low == pytest.approx(found.low)

    def test_covers_where_fishers_transformation_fails(self):
        # differences normal with mean 0.8: P(d + d' > 0) - P(< 0) = 2 Φ(0.8 √2) - 1
        rng, truth = np.random.default_rng(3), math.erf(0.8)
        hits = [truth in rank_biserial(rng.normal(0.8, 1, 15), np.zeros(15)) for _ in range(800)]
        assert np.mean(hits) == pytest.approx(0.955, abs=0.025)

    def test_all_equal(self):
        found = rank_biserial([1, 2], [1, 2])
        assert math.isnan(found.estimate)
        assert "nothing to rank" in found.notes[0]
