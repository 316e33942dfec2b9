import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import cliques, letters

RNG = np.random.default_rng(7)


def maximal_groups(different):
    """By going through all subsets."""
    k = len(different)
    alike = [
        set(s)
        for size in range(2, k + 1)
        for s in itertools.combinations(range(k), size)
        if not any(different[i][j] for i, j in itertools.combinations(s, 2))
    ]
    return sorted(tuple(sorted(s)) for s in alike if not any(s < other for other in alike))


class TestCliques:
    def test_by_hand(self):
        # 0 and 2 differ, so no bar spans both, although neither differs from 1 or 3
        different = np.zeros((4, 4), bool)
        different[0, 2] = different[2, 0] = True
        assert cliques(different) == [(0, 1, 3), (1, 2, 3)]

    @settings(max_examples=60)
    @given(st.integers(2, 7).flatmap(lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k)))
    def test_equals_enumeration(self, flat):
        k = math.isqrt(len(flat))
        upper = np.triu(np.array(flat).reshape(k, k), 1)
        assert cliques(upper | upper.T) == maximal_groups(upper | upper.T)

    def test_all_or_none(self):
        assert cliques(np.zeros((3, 3))) == [(0, 1, 2)]
        assert cliques(~np.eye(3, dtype=bool)) == []

    def test_a_hundred_methods(self):
        ranks = np.sort(RNG.uniform(0, 100, 100))
        start = time.perf_counter()
        groups = cliques(np.abs(ranks[:, None] - ranks) > 20)
        assert time.perf_counter() - start < 5
        assert all(group == tuple(range(group[0], group[-1] + 1)) for group in groups)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"square symmetric matrix"):
            cliques([[0, 1], [0, 0]])


def share(a, b):
    return bool(set(a) & set(b))


class TestLetters:
    def test_by_hand(self):
        # 0 and 1 are alike, 1 and 2 are, 3 differs from all
        different = ~np.eye(4, dtype=bool)
        for i, j in ((0, 1), (1, 2)):
            different[i, j] = different[j, i] = False
        assert letters(different) == ["a", "ab", "b", "c"]

    def test_drops_letters_that_add_nothing(self):
        # a six-cycle of triangles around an inner triangle: its three pairs are in the outer ones
        alike = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (0, 5), (2, 5)]
        different = ~np.eye(6, dtype=bool)
        for i, j in alike:
            different[i, j] = different[j, i] = False
        assert len(cliques(different)) == 4
        assert len(set("".join(letters(different)))) == 3

    @pytest.mark.slow
    @settings(max_examples=60)
    @given(st.integers(1, 7).flatmap(lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k)), st.randoms())
    def test_two_share_a_letter_exactly_when_they_do_not_differ(self, flat, random):
        k = math.isqrt(len(flat))
        upper = np.triu(np.array(flat).reshape(k, k), 1)
        order = list(range(k))
        random.shuffle(order)
        found = letters(upper | upper.T, order=order)
        assert "a" in found[order[0]]
        for i, j in itertools.combinations(range(k), 2):
            assert share(found[i], found[j]) == (not upper[i, j])
        assert all(found)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"order must list every method from 0 to 2 once, got \[0, 1\]"):
            letters(np.zeros((3, 3)), order=[0, 1])
        with pytest.raises(InputError, match=r"at most 76 groups, one for each letter, got 80; use cliques"):
            letters(~np.eye(80, dtype=bool))
