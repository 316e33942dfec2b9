import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import aligned_friedman, quade

tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=6)
)
tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=2, max_size=2 if k == 4 else 3)
)


def enumerated_share(table, statistic):
    """How many of all orders within rows have a statistic as large as the table's."""
    rows = [list(itertools.permutations(row)) for row in table]
    observed = statistic(table)
    found = [statistic(list(map(list, orders))) for orders in itertools.product(*rows)]
    return sum(f >= observed - 1e-9 for f in found) / len(found)


class TestQuade:
    def test_by_hand(self):
        # ranges 2 and 4 have ranks 1 and 2; S is ±½ and ±1; B = (1½² + 1½²)/2, A = ½ + 2, F = 2.25/0.25
        found = quade([[1, 3], [5, 9]])
        assert found.details["average_ranks"] == [2, 1]
        assert found.statistic == pytest.approx(9)
        assert found.p_value == 0.5  # 2 of 4 orders
        # three data sets of equal range, one turned round: S = ±2·½·(1, 1, −1), B = 2/3, A = 6, F = 2·(2/3)/(16/3)
        assert quade([[1, 3], [5, 7], [9, 7]]).statistic == pytest.approx(0.25)

    def test_perfect(self):
        found = quade([[1, 2, 3], [6, 7, 8], [10, 11, 12]], method="f")
        assert found.p_value == pytest.approx(1 / 36)
        assert found.notes == (
            "all data sets rank the methods alike: F is infinite, and p is the exact probability of that",
        )

    def test_far_tail(self):
        # 999 data sets order 3 methods alike, one turns them round, all ranges are tied: B is 0.998² of A
        found = quade([[3, 2, 1]] * 999 + [[1, 2, 3]], method="f")
        f = 999 * 0.998**2 / (1 - 0.998**2)
        assert found.statistic == pytest.approx(f)
        # R 4.2.2: x <- .998^2; pf(999 * x / (1 - x), 2, 1998, lower.tail = FALSE, log.p = TRUE) / log(10)
        assert found.log10_p == pytest.approx(-2395.97614592561, rel=1e-9)

    @pytest.mark.slow
    @settings(max_examples=25)
    @given(tables)
    def test_exact_equals_enumeration(self, table):
        def b(rows):
            return sum(s * s for s in quade(rows, method="f").details["rank_sums"])

        found = quade(table, method="exact")
        if not math.isnan(found.statistic):
            assert found.p_value == pytest.approx(enumerated_share(table, b), rel=1e-9)

    @settings(max_examples=25)
    @given(tables, st.integers(1, 5), st.randoms())
    def test_order_scale_and_direction(self, table, factor, random):
        found = quade(table, method="f")
        shuffled = [row[::-1] for row in random.sample(table, len(table))]
        for other in (quade(shuffled, method="f"), quade(np.array(table) * factor, method="f")):
            assert other.statistic == pytest.approx(found.statistic, nan_ok=True)
        assert quade(table, higher_is_better=False, method="f").statistic == pytest.approx(found.statistic, nan_ok=True)

    def test_all_tied(self):
        found = quade(np.ones((3, 4)))
        assert found.p_value == 1
        assert found.notes == ("all methods are tied on every data set",)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"method must be 'auto', 'exact', 'monte-carlo' or 'f', got"):
            quade([[1, 2], [2, 1]], method="chi-square")


class TestAlignedFriedman:
    def test_by_hand(self):
        # aligned −1, 1, −2, 2: ranks 3, 2, 4, 1 (1 the best); means 3.5 and 1.5; spread within rows ½ + 4½
        found = aligned_friedman([[1, 3], [5, 9]])
        assert found.details["average_ranks"] == [3.5, 1.5]
        assert found.statistic == pytest.approx(1 * 4 * 2 / 5)
        assert found.p_value == 0.5

    @settings(max_examples=25)
    @given(tables)
    def test_exact_equals_enumeration(self, table):
        def chi_square(rows):
            return aligned_friedman(rows, method="chi-square").statistic

        found = aligned_friedman(table, method="exact")
        if not math.isnan(found.statistic):
            assert found.p_value == pytest.approx(enumerated_share(table, chi_square), rel=1e-9)

    @settings(max_examples=25)
    @given(tables, st.integers(1, 5), st.randoms())
    def test_order_scale_shifts_and_direction(self, table, factor, random):
        found = aligned_friedman(table, method="chi-square").statistic
        shuffled = [row[::-1] for row in random.sample(table, len(table))]
        moved = np.array(table) * factor + np.arange(len(table))[:, None]
        for other in (shuffled, moved):
            assert aligned_friedman(other, method="chi-square").statistic == pytest.approx(found, nan_ok=True)
        turned = aligned_friedman(table, higher_is_better=False, method="chi-square").statistic
        assert turned == pytest.approx(found, nan_ok=True)

    def test_float_noise_does_not_break_ties(self):
        noisy = aligned_friedman([[0.1, 0.3, 0.2], [0.7, 0.8, 0.9], [1.1, 1.3, 1.2]])
        whole = aligned_friedman([[1, 3, 2], [7, 8, 9], [11, 13, 12]])
        assert noisy.statistic == pytest.approx(whole.statistic, rel=1e-14)

    def test_all_tied(self):
        assert aligned_friedman([[1, 1], [2, 2]]).p_value == 1
