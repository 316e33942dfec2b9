"""Shapley values and interaction indices of on/off combinations."""

import re
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats.factorial.divide_advantage import combinations_of


def crossed(k):
    """All combinations of k components, the first switched fastest."""
    return {f"c{i}": [number >> i & 1 for number in range(2**k)] for i in range(k)}


def by_all_orders(values, k):
    """The Shapley values of one row by their definition: all k! orders."""
    found = np.zeros(k)
    orders = list(permutations(range(k)))
    for order in orders:
        there = 0
        for i in order:
            found[i] += values[there | 1 << i] - values[there]
            there |= 1 << i
    return found / len(orders)


def pair_by_all_orders(values, k, i, j):
    """The interaction index of i and j: their joint surplus after those before them, in all orders of i j as one."""
    others = [c for c in range(k) if c not in (i, j)]
    found, orders = 0.0, list(permutations([*others, "ij"]))
    for order in orders:
        before = sum(1 << c for c in order[: order.index("ij")])
        a, b = 1 << i, 1 << j
        found += values[before | a | b] - values[before | a] - values[before | b] + values[before]
    return found / len(orders)


THREE = np.array([[70.0, 75, 71, 80, 68, 77, 74, 89]])  # none, a, b, ab, c, ac, bc, abc


class TestByHand:
    def test_two_components(self):
        # a adds 5 to none and 9 to b: 7; b adds 1 and 5: 3; together they add 10, 4 more than 5 + 1
        found = combinations_of(crossed(2))
        scores = np.array([[70.0, 75, 71, 80]])
        assert found.shapley(scores).tolist() == [[7.0, 3.0]]
        assert found.interactions(scores).tolist() == [[4.0]]
        assert found.first_added(scores).tolist() == [[5.0, 1.0]]
        assert found.last_added(scores).tolist() == [[9.0, 5.0]]

    def test_three_components(self):
        # a: 5/3 + (9 + 9)/6 + 15/3 = 29/3; added last 89 - 74 = 15, first 75 - 70 = 5
        found = combinations_of(crossed(3))
        assert found.shapley(THREE)[0] == pytest.approx([29 / 3, 37 / 6, 19 / 6])
        assert found.total(THREE).tolist() == [19.0]
        assert found.last_added(THREE).tolist() == [[15.0, 12.0, 9.0]]

    def test_one_component(self):
        found = combinations_of({"a": [1, 0]})
        assert found.shapley(np.array([[8.0, 5.0]])).tolist() == [[3.0]]
        assert found.interactions(np.array([[8.0, 5.0]])).shape == (1, 0)


class TestOthers:
    def test_shapiq(self):
        # shapiq 1.4.1: ExactComputer(n_players=3, game=game)("SII", 2) on the game of THREE
        found = combinations_of(crossed(3))
        assert found.shapley(THREE)[0] == pytest.approx([9.666666666666668, 6.166666666666668, 3.166666666666668])
        assert found.interactions(THREE)[0] == pytest.approx([5.0, 5.0, 6.0])

    def test_an_inheritance(self):
        # the example of shapleyValue in the manual of R's CoopGame 0.2.2, after Aumann (2010)
        subsets = [(), *(s for size in range(1, 5) for s in combinations(range(4), size))]
        worth = [0, 120, 60, 40, 30, 120, 120, 120, 60, 60, 40, 120, 120, 120, 60, 120]
        found = combinations_of({f"heir {i}": [int(i in s) for s in subsets] for i in range(4)})
        assert found.shapley(np.array([worth], dtype=float))[0] == pytest.approx(
            [80.83333, 20.83333, 10.83333, 7.5], abs=5e-6
        )

    @settings(max_examples=60)
    @given(st.data())
    def test_all_orders(self, data):
        k = data.draw(st.integers(1, 4))
        values = np.array(data.draw(st.lists(st.integers(-50, 50), min_size=2**k, max_size=2**k)), dtype=float)
        found = combinations_of(crossed(k))
        assert found.shapley(values[None])[0] == pytest.approx(by_all_orders(values, k))
        pairs = [pair_by_all_orders(values, k, i, j) for i, j in found.pairs]
        assert found.interactions(values[None])[0] == pytest.approx(pairs)


class TestProperties:
    @settings(max_examples=60)
    @given(st.data())
    def test_parts_sum_to_the_whole(self, data):
        k = data.draw(st.integers(1, 5))
        finite = st.floats(-1e6, 1e6, allow_subnormal=False)
        scores = np.array(data.draw(st.lists(finite, min_size=2**k, max_size=2**k)))[None]
        found = combinations_of(crossed(k))
        assert found.shapley(scores).sum() == pytest.approx(found.total(scores)[0], abs=1e-13 * np.abs(scores).max())

    @given(st.permutations(range(8)))
    def test_the_order_of_columns_does_not_matter(self, order):
        columns = {name: [column[i] for i in order] for name, column in crossed(3).items()}
        assert combinations_of(columns).shapley(THREE[:, order])[0] == pytest.approx([29 / 3, 37 / 6, 19 / 6])

    @pytest.mark.parametrize("unit", [1e-300, 1e306])
    def test_the_unit_does_not_matter(self, unit):
        assert combinations_of(crossed(3)).shapley(THREE * unit)[0] / unit == pytest.approx([29 / 3, 37 / 6, 19 / 6])

    def test_a_component_that_changes_nothing_has_no_part(self):
        scores = np.array([[0.1, 0.4, 0.1, 0.4, 0.25, 0.35, 0.25, 0.35]])  # the second one is inert
        parts = combinations_of(crossed(3)).shapley(scores)[0]
        assert parts[1] == pytest.approx(0, abs=1e-15)

    @pytest.mark.parametrize("switch", [(0, 1), (-1, 1), (False, True)])
    def test_how_off_and_on_are_written(self, switch):
        columns = {name: [switch[x] for x in column] for name, column in crossed(2).items()}
        assert combinations_of(columns).shapley(np.array([[70.0, 75, 71, 80]])).tolist() == [[7.0, 3.0]]


class TestRefused:
    def test_missing_combinations(self):
        text = "an ablation needs all 4 combinations of 2 components, but 2 of 4 combinations are missing (b and a + b)"
        with pytest.raises(InputError, match=re.escape(text)):
            combinations_of({"a": [0, 1], "b": [0, 0]})

    def test_a_combination_twice(self):
        with pytest.raises(InputError, match="none occurs 2 times; average its scores"):
            combinations_of({"a": [0, 1, 0]})

    @pytest.mark.parametrize("column", [["x", "y"], [0, 2], [0, None], [0.5, 1]])
    def test_what_is_not_off_or_on(self, column):
        with pytest.raises(InputError, match=r"component 'a' must be 0 \(off\) or 1 \(on\)"):
            combinations_of({"a": column})

    def test_too_many(self):
        with pytest.raises(InputError, match="at most 12 components"):
            combinations_of({f"c{i}": [0, 1] for i in range(13)})
