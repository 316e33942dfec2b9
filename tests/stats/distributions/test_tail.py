import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats.distributions.binomial import sign_critical, sign_tail
from fairtrial.stats.distributions.rank_sum_null import friedman_null, friedman_sample
from fairtrial.stats.distributions.signed_rank import signed_rank_critical, signed_rank_tail
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.score_arrays import doubled_midranks


class TestSignedRankTail:
    def test_by_hand(self):
        # ranks 1, 2.5, 2.5, doubled 2, 5, 5; sums of at most 5: {}, {2}, {5}, {5}: 4 of 8
        assert signed_rank_tail(np.array([2, 5, 5]), 5).value == 0.5

    def test_against_r(self):
        # R 4.2.2: psignrank(100, 35)
        assert signed_rank_tail(np.arange(1, 36), 100).value == pytest.approx(0.000112397799966857, rel=1e-12)

    @given(st.lists(st.integers(1, 9), min_size=1, max_size=9), st.integers(0, 90))
    def test_equals_enumeration(self, ranks, total):
        subsets = itertools.product((0, 1), repeat=len(ranks))
        count = sum(sum(r * s for r, s in zip(ranks, signs, strict=True)) <= total for signs in subsets)
        assert signed_rank_tail(np.array(ranks), total).value == pytest.approx(count / 2 ** len(ranks), rel=1e-13)

    @pytest.mark.parametrize("n", [400, 1000, 1500])
    def test_no_digit_is_lost_where_doubles_end(self, n):
        # at most 3 of the ranks 1..n: {}, {1}, {2}, {3}, {1, 2}: 5 of 2**n
        tail = signed_rank_tail(np.arange(1, n + 1), 3)
        assert tail.log10 == pytest.approx(math.log10(5) - n * math.log10(2), rel=1e-14)
        if n <= 1000:
            assert Fraction(tail.value) == Fraction(5, 2**n)

    def test_rescaling_does_not_show(self):
        # the middle of a symmetric distribution, far beyond 2**1000 arrangements
        ranks = np.arange(1, 1202)
        half = int(ranks.sum()) // 2
        below, up_to = signed_rank_tail(ranks, half - 1).value, signed_rank_tail(ranks, half).value
        assert below < 0.5 <= up_to + 1e-12
        assert up_to - below < 1e-4


class TestSignedRankCritical:
    @given(st.lists(st.integers(1, 9), max_size=9), st.sampled_from([0.005, 0.025, 0.05, 0.2]))
    def test_is_the_last_sum_that_rejects(self, ranks, alpha):
        ranks = np.array(ranks, dtype=np.int64)
        critical = signed_rank_critical(ranks, alpha)
        sums = {sum(s) for k in range(len(ranks) + 1) for s in itertools.combinations(ranks.tolist(), k)}
        rejecting = [s for s in sums if signed_rank_tail(ranks, s).value < alpha]
        assert critical == max(rejecting, default=-1)


class TestSignTail:
    @pytest.mark.parametrize(("n", "k"), [(20000, 9800), (20000, 5100), (50000, 24000)])
    def test_many_coins_equal_exact_integers(self, n, k):
        count = mass = math.comb(n, k)
        for i in range(k, k - 900, -1):  # the rest is nothing beside these
            mass = mass * i // (n - i + 1)
            count += mass
        log10 = math.log10(count >> (count.bit_length() - 900)) + (count.bit_length() - 900 - n) * math.log10(2)
        assert sign_tail(n, k).log10 == pytest.approx(log10, rel=1e-12)

    def test_ten_million_coins(self):
        # R 4.2.2: pbinom(4e6, 1e7, .5, log.p = TRUE) / log(10), pbinom(4998000, 1e7, .5), qbinom(.025, 1e7, .5) - 1
        assert sign_tail(10**7, 4 * 10**6).log10 == pytest.approx(-87450.5363287037, rel=1e-12)
        assert sign_tail(10**7, 4998000).value == pytest.approx(0.103008301397514, rel=1e-11)
        assert sign_critical(10**7, 0.025) == 4996900

    @given(st.integers(1, 200), st.integers(-1, 201))
    def test_equals_exact_integers(self, n, k):
        count = sum(math.comb(n, i) for i in range(min(k, n) + 1))
        assert sign_tail(n, k).value == pytest.approx(float(Fraction(count, 2**n)), rel=1e-13)

    def test_beyond_doubles(self):
        assert sign_tail(3000, 0).log10 == pytest.approx(-3000 * math.log10(2))

    def test_critical_is_the_last_that_rejects(self):
        for n in range(1, 40):
            c = sign_critical(n, 0.025)
            assert sign_tail(n, c).value < 0.025 <= sign_tail(n, c + 1).value

    def test_many_coins(self):
        n = 12_000  # R 4.2.2: pbinom(5500, 12000, 0.5), pbinom(400000, 1e6, 0.5, log = TRUE) / log(10)
        assert sign_tail(n, 5500).value == pytest.approx(3.59353284131981e-20, rel=1e-11)
        assert sign_tail(10**6, 400_000).log10 == pytest.approx(-8747.35450845257, rel=1e-12)
        count = sum(math.comb(n, i) for i in range(31))
        assert sign_tail(n, 30).log10 == pytest.approx(math.log10(count) - n * math.log10(2), rel=1e-13)


def enumerate_friedman(doubled):
    rows = [list(itertools.permutations(row)) for row in doubled.tolist()]
    counts = Counter(sum(sum(c) ** 2 for c in zip(*orders, strict=True)) for orders in itertools.product(*rows))
    total = sum(counts.values())
    return {square: count / total for square, count in counts.items()}


class TestFriedmanNull:
    def test_by_hand(self):
        # 2 data sets, 2 methods: they agree (sums 2, 4: squares 20) or not (3, 3: 18), doubled four times as much
        null = friedman_null(np.array([[2, 4], [4, 2]]))
        assert null.squares.tolist() == [72, 80]
        assert null.probability.tolist() == [0.5, 0.5]

    @settings(max_examples=25)
    @given(
        st.integers(2, 4).flatmap(
            lambda k: st.lists(
                st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=2, max_size=4 if k < 4 else 3
            )
        )
    )
    def test_equals_enumeration(self, rows):
        doubled = np.array([doubled_midranks(np.array(row)) for row in rows])
        null = friedman_null(doubled)
        expected = enumerate_friedman(doubled)
        assert null.squares.tolist() == sorted(expected)
        assert null.probability.tolist() == pytest.approx([expected[s] for s in sorted(expected)], rel=1e-12)

    @given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=4))
    def test_only_the_observed_sum_gives_the_same_tail(self, rows):
        ranks = 3 * np.array(rows) + 1
        null, observed = friedman_null(ranks), int((ranks.sum(axis=0) ** 2).sum())
        assert friedman_null(ranks, observed=observed).tail(observed).value == pytest.approx(null.tail(observed).value)

    def test_does_not_hold_all_orders_of_many_methods(self):
        assert friedman_null(np.tile(2 * np.arange(1, 12), (2, 1))) is None  # 11! would take gigabytes

    def test_gives_up_in_time(self):
        assert friedman_null(np.tile(2 * np.arange(1, 7), (30, 1)), work=1e5) is None


class TestTail:
    def test_doubling_stops_at_1(self):
        assert Tail(0.5, math.log10(0.5)).doubled() == (1.0, 0.0)


class TestFriedmanSample:
    def test_follows_the_exact_distribution(self):
        doubled = np.array([[2, 4, 6], [3, 3, 6], [2, 4, 6]])
        null = friedman_null(doubled)
        drawn = np.concatenate(list(friedman_sample(doubled, 20_000, np.random.default_rng(0))))
        assert len(drawn) == 20_000
        for square, p in zip(null.squares.tolist(), null.probability.tolist(), strict=True):
            assert (drawn == square).mean() == pytest.approx(p, abs=5 * math.sqrt(p / 20_000))


class TestSignTailOfMany:
    @pytest.mark.parametrize(("n", "k"), [(2300, 1100), (5000, 2400), (4000, 1001), (6000, 1500)])
    def test_against_whole_numbers(self, n, k):
        # the sum of binomials in whole numbers; k above 1,000 goes by Stirling's series
        found = sign_tail(n, k)
        count = sum(math.comb(n, i) for i in range(k - 400, k + 1))
        shift = count.bit_length() - 60
        log10 = math.log10(count >> shift) + (shift - n) * math.log10(2)
        assert found.log10 == pytest.approx(log10, abs=1e-12, rel=1e-14)

    def test_a_million_pairs(self):
        # R 4.2.2: pbinom(499000, 1e6, 0.5)
        assert sign_tail(1_000_000, 499_000).value == pytest.approx(0.0228041499326911, rel=1e-12)
