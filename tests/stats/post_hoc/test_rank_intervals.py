import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import rank_intervals

tables = st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=2, max_size=9)


def bounds(found):
    return [(i.low, i.high) for i in found]


class TestRankIntervals:
    def test_by_hand(self):
        # eight data sets, A above B and C on all; B and C trade places: A is first, the others second or third
        table = [[9, 5, 4], [9, 4, 5]] * 4
        assert bounds(rank_intervals(table)) == [(1, 1), (2, 3), (2, 3)]
        assert bounds(rank_intervals(table, higher_is_better=False)) == [(3, 3), (1, 2), (1, 2)]
        assert [i.estimate for i in rank_intervals(table)] == [1, 2.5, 2.5]

    def test_too_few_data_sets_say_nothing(self):
        assert bounds(rank_intervals([[1, 2, 3]] * 3)) == [(1, 3)] * 3

    @pytest.mark.slow
    @settings(max_examples=30)
    @given(tables, st.permutations(range(4)), st.booleans())
    def test_columns_may_be_moved_and_the_estimate_lies_inside(self, table, order, higher):
        table = np.array(table)
        for method in ("pairwise", "bootstrap"):
            found = rank_intervals(table, method=method, higher_is_better=higher, draws=200)
            moved = rank_intervals(table[:, order], method=method, higher_is_better=higher, draws=200)
            assert bounds(moved) == [bounds(found)[i] for i in order]
            assert all(1 <= i.low <= i.estimate <= i.high <= 4 for i in found)

    def test_bootstrap_holds_its_level(self):
        # four methods, the true order known; all intervals must hold the true ranks in about 95 % of studies
        rng = np.random.default_rng(1)
        true = np.array([0.0, 0.3, 0.6, 5.0])
        held = 0
        for study in range(150):
            found = rank_intervals(rng.normal(true, 1, size=(40, 4)), method="bootstrap", draws=400, seed=study)
            held += all(i.low <= rank <= i.high for i, rank in zip(found, (4, 3, 2, 1), strict=True))
        assert held / 150 > 0.95 - 3 * math.sqrt(0.05 * 0.95 / 150)

    def test_bootstrap_finds_clear_orders(self):
        rng = np.random.default_rng(2)
        table = rng.normal([3, 2, 1], 0.3, size=(30, 3))
        assert bounds(rank_intervals(table, method="bootstrap")) == [(1, 1), (2, 2), (3, 3)]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"method must be 'pairwise' or 'bootstrap', got 'mcs'"):
            rank_intervals([[1, 2], [2, 1]], method="mcs")
        with pytest.raises(InputError, match=r"draws must be a whole number of at least 1"):
            rank_intervals([[1, 2], [2, 1]], method="bootstrap", draws=0)

    def test_bootstrap_of_far_away_scores(self):
        # found in review: the spread of a redrawn mean came from a difference of squares that lost all digits
        rng = np.random.default_rng(0)
        table = rng.normal([0, 0, 3], 1, size=(30, 3))
        near = rank_intervals(table, method="bootstrap", draws=300)
        far = rank_intervals(table + np.array([0, 0, 1e9]), method="bootstrap", draws=300)
        assert [(i.low, i.high) for i in near] == [(i.low, i.high) for i in far] == [(2, 3), (2, 3), (1, 1)]
        assert near[0].notes[0][:21] == far[0].notes[0][:21]
        assert near[0].notes[0].startswith("critical value ")
