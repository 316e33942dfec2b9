import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.distributions.signed_rank import (
    FEW_DIFFERENCES,
    signed_rank_critical,
    signed_rank_tail,
    walsh_sum,
    walsh_sums_in_rows,
)


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

    @pytest.mark.slow
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


class TestWalshSumsInRows:
    @pytest.mark.parametrize("n", [5, FEW_DIFFERENCES + 20])
    def test_as_one_by_one(self, n):
        rows = np.random.default_rng(n).integers(-9, 10, (4, n))
        found = walsh_sums_in_rows(rows, 3, n, n)
        assert found.T.tolist() == [[walsh_sum(np.sort(row), at) for at in (3, n, n)] for row in rows]


class TestWalshSum:
    @pytest.mark.parametrize("most", [0, 3, 40, 10**6, 10**17])
    @pytest.mark.parametrize("shape", ["even", "far"])
    def test_of_many_differences_it_is_that_of_all_sums_sorted(self, most, shape):
        random = np.random.default_rng(most % 997)
        d = np.sort(random.integers(-most, most + 1, 450))
        if shape == "far":
            d[-1] += 7 * most + 1  # false position must not creep towards a far sum
        i, j = np.triu_indices(450)
        every = np.sort(d[i] + d[j])
        for position in (1, 2, 450, len(every) // 2, len(every) - 1, len(every)):
            assert walsh_sum(d, position) == every[position - 1]
