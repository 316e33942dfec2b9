import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats.distributions.rank_sums import friedman_null, friedman_sample
from fairtrial.stats.score_arrays import doubled_midranks


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


class TestFriedmanSample:
    def test_follows_the_exact_distribution(self):
        doubled = np.array([[2, 4, 6], [3, 3, 6], [2, 4, 6]])
        null = friedman_null(doubled)
        drawn = np.concatenate(list(friedman_sample(doubled, 20_000, np.random.default_rng(0))))
        assert len(drawn) == 20_000
        for square, p in zip(null.squares.tolist(), null.probability.tolist(), strict=True):
            assert (drawn == square).mean() == pytest.approx(p, abs=5 * math.sqrt(p / 20_000))
