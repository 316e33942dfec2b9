"""One split and its hash."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.resampling import Dependence, Split


def split(n, test, train=None, repeat=0, fold=0):
    return Split(repeat, fold, n, np.array(test, np.int32), None if train is None else np.array(train, np.int32))


class TestTrainRows:
    def test_by_hand(self):
        assert split(5, [3, 0]).train_rows().tolist() == [1, 2, 4]
        assert split(5, [3, 0], train=[4, 1]).train_rows().tolist() == [4, 1]

    @given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
    def test_is_all_that_is_not_tested(self, case):
        n, test = case
        s = split(n, sorted(test))
        assert set(s.train_rows().tolist()) == set(range(n)) - test
        assert (s.n_train, s.n_test) == (n - len(test), len(test))

    def test_sizes_of_an_explicit_training_set(self):
        assert split(9, [0], train=[4, 5]).n_train == 2


class TestDigest:
    def test_is_of_the_indices_only(self):
        assert split(5, [1, 2]).digest() == split(5, [1, 2], train=[0, 3, 4], repeat=3, fold=1).digest()

    def test_differs_with_every_part(self):
        splits = [
            split(5, [1, 2]),
            split(5, [2, 1]),  # the order of predictions
            split(6, [1, 2]),
            split(5, [1, 3]),
            split(5, [1, 2], train=[0, 3]),
            split(5, [1, 2], train=[4, 3, 0]),
        ]
        assert len({s.digest() for s in splits}) == len(splits)

    def test_does_not_depend_on_the_width_of_the_numbers(self):
        assert Split(0, 0, 5, np.array([1, 2], np.int64)).digest() == split(5, [1, 2]).digest()

    def test_is_the_same_for_ever(self):
        assert split(5, [1, 2]).digest().hex() == "d280003a12ed5f207ff4102dd0c794e9"


class TestDependence:
    def test_unknown(self):
        unknown = Dependence.unknown()
        assert not unknown.known
        assert math.isnan(unknown.test_share)
        assert unknown.to_dict()["test_share"] is None

    def test_repeats_overlap_more_than_the_folds_of_one_partition(self):
        assert Dependence("10-fold", 1, 10, 0.1).overlap == 1.0
        assert Dependence("10x10-fold", 10, 10, 0.1).overlap == 1.75

    def test_to_dict_makes_the_same_again(self):
        known = Dependence("5-fold", 1, 5, 0.2, disjoint=True)
        assert Dependence(**known.to_dict()) == known


class TestOverlap:
    """The factor of test/train: a constant per scheme, measured in the lab (`fairtrial lab schemes`)."""

    @pytest.mark.parametrize(("repeats", "folds", "share", "factor"), [
        (1, 10, 0.1, 1.0), (10, 10, 0.1, 1.75), (3, 10, 0.1, 1.55), (10, 5, 0.2, 1.6), (5, 2, 0.5, 0.92),
        (30, 1, 0.1, 1.8), (30, 1, 0.33, 1.38), (30, 1, 0.5, 0.9),
    ])  # fmt: skip
    def test_by_scheme(self, repeats, folds, share, factor):
        assert Dependence("", repeats, folds, share).overlap == factor

    def test_unknown_shares_take_the_largest(self):
        assert Dependence("", 10, 10).overlap == Dependence("", 10, 10, 0.1).overlap

    @pytest.mark.parametrize(("scheme", "known"), [
        (Dependence("", 1, 10, 0.1), True), (Dependence("", 30, 1, 0.33), True), (Dependence("", 5, 2, 0.5), True),
        (Dependence("", 1, 3, 1 / 3), False), (Dependence("", 2, 1, 0.33), False), (Dependence("", 30, 1, 0.7), False),
    ])  # fmt: skip
    def test_what_the_lab_has_measured(self, scheme, known):
        assert scheme.is_measured is known
