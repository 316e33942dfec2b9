"""Forward in time: never the future."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import TimeSeriesSplit

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling import Forward


def timed(order, name="data") -> Dataset:
    n = len(order)
    return Dataset.from_arrays(
        np.arange(n, dtype=float)[:, None], np.linspace(0.5, 1.7, n), task="values", order=order, name=name
    )


class TestForward:
    def test_by_hand(self):
        # 7 instances, 2 blocks of 7 // 3 = 2; rows in order of time: 6 5 4 3 2 1 0
        splits = list(Forward(2).splits(timed([7, 6, 5, 4, 3, 2, 1]), 1))
        assert [(s.train_rows().tolist(), s.test.tolist()) for s in splits] == [
            ([6, 5, 4], [2, 3]),
            ([6, 5, 4, 3, 2], [0, 1]),
        ]

    @pytest.mark.parametrize(("window", "gap"), [(None, 0), (None, 2), (5, 0), (6, 3)])
    @pytest.mark.parametrize("n", [20, 23, 57])
    def test_against_scikit_learn(self, window, gap, n):
        theirs = TimeSeriesSplit(4, max_train_size=window, gap=gap).split(np.zeros(n))
        ours = Forward(4, window=window, gap=gap).splits(timed(np.arange(n)), 1)
        for split, (train, test) in zip(ours, theirs, strict=True):
            assert split.train_rows().tolist() == train.tolist()
            assert split.test.tolist() == test.tolist()

    @settings(max_examples=80)
    @given(st.lists(st.integers(0, 30), min_size=12, max_size=60), st.integers(1, 5), st.integers(0, 3))
    def test_no_future_in_training_and_no_time_on_both_sides(self, order, folds, gap):
        data = timed(order)
        try:
            splits = list(Forward(folds, gap=gap).splits(data, 1))
        except InputError:
            return
        for split in splits:
            assert data.order[split.train_rows()].max() < data.order[split.test].min()
            assert (np.diff(data.order[split.train_rows()]) >= 0).all()
        for earlier, later in pairwise(splits):
            assert data.order[earlier.test].max() < data.order[later.test].min()
        tested = np.concatenate([s.test for s in splits])
        assert len(set(tested.tolist())) == len(tested)
        assert data.order[tested].max() == data.order.max()

    def test_equal_times_are_not_torn(self):
        # of 9 the blocks would begin at 3 and 6, amid the times 1 and 2
        splits = list(Forward(2).splits(timed([0, 0, 1, 1, 1, 2, 2, 2, 2]), 1))
        assert [s.test.tolist() for s in splits] == [[2, 3, 4], [5, 6, 7, 8]]

    def test_a_gap_is_left_out(self):
        (split,) = Forward(1, gap=2).splits(timed(np.arange(8)), 1)
        assert split.left_out().tolist() == [2, 3]

    def test_without_an_order(self):
        data = Dataset.from_arrays(np.zeros((9, 1)), np.linspace(0, 1, 9), task="values")
        with pytest.raises(InputError, match="need an order, but data declares none; read it with order='column'"):
            list(Forward().splits(data, 1))

    @pytest.mark.parametrize(
        ("scheme", "order"),
        [
            (Forward(5), [1, 2, 3]),  # no room for blocks
            (Forward(2), [1] * 9),  # one time
            (Forward(2, gap=3), np.arange(9)),  # the gap takes all
        ],
    )
    def test_too_little_time(self, scheme, order):
        with pytest.raises(
            InputError, match=r"each block must have instances to test and earlier ones to train on, but"
        ):
            list(scheme.splits(timed(order), 1))

    @pytest.mark.parametrize("bad", [{"folds": 0}, {"gap": -1}, {"window": 0}, {"window": 1.5}])
    def test_bad_numbers(self, bad):
        with pytest.raises(InputError, match=f"{next(iter(bad))} must be a whole number of at least"):
            Forward(**bad)
