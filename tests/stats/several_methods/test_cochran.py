import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import cochran_q, mcnemar


class TestCochranQ:
    def test_by_hand(self):
        # G = 3, 1, 0; L = 1, 2, 1, 0: Q = 2 (3·10 - 16) / (3·4 - 6) = 28 / 6; choose 1 of 3, 2 of 3, 1 of 3
        table = [[1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]]
        found = cochran_q(table)
        assert found.statistic == pytest.approx(14 / 3)
        assert found.details["accuracies"] == [0.75, 0.25, 0.0]
        assert found.details["disagreements"] == 3
        assert found.p_value == pytest.approx(q_by_enumeration(table))

    @settings(max_examples=25)
    @given(st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), min_size=2, max_size=5))
    def test_exact_equals_enumeration(self, table):
        assert cochran_q(table, method="exact").p_value == pytest.approx(q_by_enumeration(table), rel=1e-9)

    @given(st.lists(st.lists(st.integers(0, 1), min_size=2, max_size=2), min_size=2, max_size=30))
    def test_two_classifiers_are_mcnemars(self, table):
        assert cochran_q(table, method="exact").p_value == pytest.approx(mcnemar(*np.array(table).T).p_value)

    def test_all_equal(self):
        # identical classifiers have p = 1
        found = cochran_q([[1, 1, 1]] * 4)
        assert found.p_value == 1
        assert math.isnan(found.statistic)
        assert found.notes == ("all classifiers are right and wrong on the same instances",)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"right \(True, 1\) or wrong"):
            cochran_q([[0.9, 0.8], [1, 0]])


def q_by_enumeration(table):
    """All ways to choose which classifiers are right on each instance: how many make accuracies as unequal."""
    rows = [sorted(set(itertools.permutations(row))) for row in table]
    observed = sum(sum(column) ** 2 for column in zip(*table, strict=True))
    spread = [sum(sum(c) ** 2 for c in zip(*choice, strict=True)) >= observed for choice in itertools.product(*rows)]
    return sum(spread) / len(spread)
