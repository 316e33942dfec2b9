"""Which training rows, and in which order: sizes in proportion, balances, counterbalanced orders."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from varied_data import data_set, halves, training

from fairtrial.design import (
    ClassBalance,
    RowOrder,
    Study,
    TrainingSize,
    varied,
)
from fairtrial.errors import InputError
from fairtrial.resampling import KFold, Split


class TestTrainingSize:
    def test_each_class_in_proportion(self):
        found = training(data_set(), TrainingSize([15]), 15)  # of 30: 20 a and 10 b
        assert dict(zip(*np.unique(found.target, return_counts=True), strict=True)) == {"a": 10, "b": 5}

    def test_one_of_each_class_first(self):
        assert set(training(data_set(classes="aaaaaaab"), TrainingSize([2]), 2).target) == {"a", "b"}

    @given(st.integers(2, 30), st.integers(2, 30), st.booleans(), st.integers(0, 5))
    def test_smaller_is_part_of_larger(self, m, n, values, seed):
        data, factor = data_set(values=values), TrainingSize([2])
        small, large = (training(data, factor, size, seed) for size in sorted((m, n)))
        assert len(small.rows) == min(m, n)
        assert set(small.rows) <= set(large.rows) <= set(halves(data).train_rows())
        assert (np.diff(large.rows) > 0).all()
        assert (large.target == data.target[large.rows]).all()

    def test_shares_and_all(self):
        data = data_set()
        assert len(training(data, TrainingSize([0.1]), 0.1).rows) == 3
        assert (training(data, TrainingSize([1]), 1).rows == halves(data).train_rows()).all()

    def test_another_split_another_draw(self):
        data, factor = data_set(), TrainingSize([10])
        first, second = KFold(folds=2).splits(data, 1)
        a, b = (varied(data, s, (factor,), {"train_size": 10}, 1).rows for s in (first, second))
        assert not set(a) & set(b)

    def test_repeated_rows_of_a_bootstrap(self):
        data = data_set(6)
        split = Split(0, 0, 6, np.array([5], dtype=np.int32), np.array([0, 0, 1, 2, 2, 3], dtype=np.int32))
        found = varied(data, split, (TrainingSize([4]),), {"train_size": 4}, 1)
        assert len(found.rows) == 4
        assert (found.target == data.target[found.rows]).all()


class TestClassBalance:
    def test_same_size_at_every_level(self):
        data = data_set(120)  # of 60 training rows: 40 a, 20 b, and b is positive
        factor = ClassBalance([0.5, 0.2, 0.1])
        found = {x: training(data, factor, x).target for x in factor.levels}
        assert {x: (len(t), int((t == "b").sum())) for x, t in found.items()} == {
            0.5: (40, 20),
            0.2: (40, 8),
            0.1: (40, 4),
        }

    def test_as_many_as_there_are(self):
        found = training(data_set(120), ClassBalance([0.5, 0.2], hold_size=False), 0.2)
        assert (len(found.target), int((found.target == "b").sum())) == (50, 10)

    def test_what_else_is_varied_matters_to_the_key_only_where_it_matters(self):
        assert ClassBalance([0.5, 0.2]).part(0.5) != ClassBalance([0.5, 0.1]).part(0.5)
        assert ClassBalance([0.5, 0.2], hold_size=False).part(0.5) == 0.5

    def test_needs_two_classes(self):
        with pytest.raises(InputError, match="class_balance needs data sets with two classes, but 'iris' has not"):
            Study(datasets=["iris"], methods=["one_rule"], factors={"class_balance": [0.5]})


class TestRowOrder:
    def test_counterbalanced(self):
        data = data_set()
        orders = [training(data, RowOrder(4), level).rows for level in range(4)]
        assert (orders[0] == halves(data).train_rows()).all()
        assert (orders[1] == orders[0][::-1]).all()
        assert (orders[3] == orders[2][::-1]).all()
        assert (orders[2] != orders[0]).any()
        places = np.array([np.argsort(order) for order in orders])
        assert (places.mean(axis=0) == (len(orders[0]) - 1) / 2).all()

    @pytest.mark.parametrize("bad", [0, 1, 3, -2, True, "4", [0, -1], [0.5], 2.0])
    def test_refuses(self, bad):
        with pytest.raises(InputError, match="levels of row_order must be"):
            RowOrder(bad)
