import math

import numpy as np
import pytest
from example_data import BAYES, FOREST, scores, tied_pairs
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import cliffs_delta, rank_biserial, superiority, vargha_delaney, wilcoxon

samples = st.tuples(st.lists(scores, min_size=2, max_size=9), st.lists(scores, min_size=2, max_size=9))


class TestVarghaDelaney:
    def test_by_hand(self):
        # of 6 pairs 4 are larger, 1 is equal: 4.5 / 6
        assert vargha_delaney([3, 5], [1, 3, 4]).estimate == pytest.approx(4.5 / 6)
        assert cliffs_delta([3, 5], [1, 3, 4]).estimate == pytest.approx(0.5)

    @pytest.mark.slow
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
        # the interval must not shrink to a point
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

    @given(tied_pairs)
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
        assert rank_biserial(FOREST, BAYES).estimate == pytest.approx(1 - 2 / 28)

    def test_interval_by_hand(self):
        # all positive, n = 2: ranks 1, 2, s² = 5/9; (1 - ρ)² = z² 5/9 (1 - ρ²): ρ = (1 - k) / (1 + k)
        k = 1.959963984540054**2 * 5 / 9
        found = rank_biserial([1, 2], [0, 0])
        assert (found.low, found.high) == pytest.approx(((1 - k) / (1 + k), 1.0))

    @pytest.mark.slow
    @given(tied_pairs)
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
