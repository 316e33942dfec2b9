"""Holdout, three parts, and none at all."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import class_counts, digests, labelled, rows_tested, valued
from sklearn.model_selection import StratifiedShuffleSplit

from fairtrial.data import datasets
from fairtrial.errors import InputError
from fairtrial.resampling import Holdout, Resubstitution, TrainValidationTest

IRIS = datasets("iris")[0]


class TestResubstitution:
    def test_by_hand(self):
        (split,) = Resubstitution().splits(valued(3), 1)
        assert split.train_rows().tolist() == split.test.tolist() == [0, 1, 2]

    def test_is_called_optimistic_and_never_tested(self):
        dependence = Resubstitution().dependence()
        assert "optimistic" in dependence.scheme
        assert "optimistic" in dependence.caution
        assert not dependence.known


class TestHoldout:
    def test_by_hand(self):
        # 12 + 6 instances, a third: 4 + 2
        data = labelled([12, 6])
        (split,) = Holdout(1 / 3).splits(data, 1)
        assert Counter(data.target[split.test].tolist()) == {"0": 4, "1": 2}
        assert (split.n_train, split.n_test) == (12, 6)

    def test_against_scikit_learn(self):
        # StratifiedShuffleSplit: other instances, but as many of each class
        ((_, theirs),) = StratifiedShuffleSplit(1, test_size=0.3, random_state=1).split(IRIS.X, IRIS.codes)
        assert (
            np.bincount(IRIS.codes[rows_tested(Holdout(0.3), IRIS)[0]]).tolist()
            == np.bincount(IRIS.codes[theirs]).tolist()
            == [15, 15, 15]
        )

    @settings(max_examples=40)
    @given(class_counts, st.floats(0.1, 0.9), st.integers(0, 99))
    def test_share_of_the_whole_and_of_each_class(self, counts, share, seed):
        data = labelled(counts)
        n_test = round(share * data.n)
        if not 0 < n_test < data.n:
            return
        (test,) = rows_tested(Holdout(share), data, seed)
        assert len(set(test.tolist())) == n_test
        expected = np.asarray(counts) * n_test / data.n
        assert np.all(np.abs(np.bincount(data.codes[test], minlength=len(counts)) - expected) < 1 + 1e-9)

    def test_every_instance_is_tested_equally_often(self):
        # the only two of a rare class too: a fixed start would never test the first
        data = labelled([2, 20])
        hits = np.bincount(np.concatenate(rows_tested(Holdout(0.25, 2000), data)), minlength=data.n) / 2000
        assert hits == pytest.approx(6 / 22, abs=0.05)  # round(0.25 * 22) = 6; 5 standard errors

    def test_more_repeats_extend_a_study(self):
        assert digests(Holdout(0.3, 3), IRIS) == digests(Holdout(0.3, 9), IRIS)[:3]
        assert len(set(digests(Holdout(0.3, 9), IRIS))) == 9

    def test_the_splits_of_all_time(self):
        assert digests(Holdout(0.3), IRIS)[0] == "155a979dc96c324416b7cf51087189eb"

    def test_a_share_that_leaves_one_side_empty(self):
        with pytest.raises(InputError, match=r"must leave instances on both sides, but 0.05 of the 5 of data is 0"):
            list(Holdout(0.05).splits(valued(5), 1))

    @pytest.mark.parametrize("share", [0, 1, -0.1, 30, float("nan"), "0.3", None])
    def test_bad_shares(self, share):
        with pytest.raises(InputError, match=r"test_share must lie strictly between 0 and 1, got "):
            Holdout(share)


class TestTrainValidationTest:
    def test_by_hand(self):
        # 10 + 5 instances, 60/20/20: 9, 3 and 3, each with two thirds of the first class
        data = labelled([10, 5])
        (split,) = TrainValidationTest().splits(data, 1)
        parts = [split.train_rows(), split.left_out(), split.test]
        assert [Counter(data.target[p].tolist()) for p in parts] == [
            {"0": 6, "1": 3},
            {"0": 2, "1": 1},
            {"0": 2, "1": 1},
        ]

    @settings(max_examples=40)
    @given(class_counts, st.floats(0.1, 0.4), st.floats(0.1, 0.4), st.integers(0, 99))
    def test_three_parts_of_the_right_size_make_the_whole(self, counts, validation, test, seed):
        data = labelled(counts)
        sizes = round(validation * data.n), round(test * data.n)
        if not all(sizes):
            return
        for split in TrainValidationTest(validation, test, repeats=2).splits(data, seed):
            parts = [split.train_rows(), split.left_out(), split.test]
            assert sorted(np.concatenate(parts).tolist()) == list(range(data.n))
            assert tuple(map(len, parts[1:])) == sizes
            expected = np.asarray(counts) * sizes[1] / data.n
            assert np.all(np.abs(np.bincount(data.codes[split.test], minlength=len(counts)) - expected) < 1 + 1e-9)

    def test_more_repeats_extend_a_study(self):
        assert digests(TrainValidationTest(repeats=2), IRIS) == digests(TrainValidationTest(repeats=5), IRIS)[:2]
        assert len(set(digests(TrainValidationTest(repeats=5), IRIS))) == 5

    def test_the_splits_of_all_time(self):
        assert digests(TrainValidationTest(), IRIS)[0] == "48209ad7f9024785007f61c16ac42aef"

    def test_its_share_is_of_what_trains_and_tests(self):
        # 20 test, 60 train: a quarter, so that test over training size is a third
        assert TrainValidationTest().dependence().test_share == pytest.approx(0.25)

    def test_too_few_for_three_parts(self):
        with pytest.raises(InputError, match=r"all three parts must have instances, but data with 2 gives 2, 0 and 0"):
            list(TrainValidationTest().splits(valued(2), 1))

    def test_shares_that_leave_nothing_to_train(self):
        with pytest.raises(
            InputError, match=r"validation_share \+ test_share must lie strictly between 0 and 1, got 1.1"
        ):
            TrainValidationTest(0.5, 0.6)
        with pytest.raises(InputError, match=r"validation_share must lie strictly between 0 and 1, got 0"):
            TrainValidationTest(0, 0.5)
