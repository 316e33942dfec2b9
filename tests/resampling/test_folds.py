"""Cross-validation: exact partitions, balanced classes, the same for ever."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import class_counts, digests, labelled, rows_tested, valued
from sklearn.model_selection import LeaveOneOut as TheirLeaveOneOut
from sklearn.model_selection import StratifiedKFold

from fairtrial.data import datasets
from fairtrial.errors import InputError
from fairtrial.resampling import (
    Bootstrap,
    FiveByTwo,
    Holdout,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    TrainValidationTest,
)

IRIS = datasets("iris")[0]


class TestRepeatedKFold:
    def test_by_hand(self):
        # 4 + 2 instances in 2 folds: each fold has 2 of the one class and 1 of the other
        data = labelled([4, 2])
        for split in RepeatedKFold(2, 3).splits(data, 1):
            assert Counter(data.target[split.test].tolist()) == {"0": 2, "1": 1}
        assert [(s.repeat, s.fold) for s in RepeatedKFold(2, 2).splits(data, 1)] == [(0, 0), (0, 1), (1, 0), (1, 1)]

    def test_against_scikit_learn(self):
        # StratifiedKFold of the same version: other folds, but the same sizes and class counts
        data = datasets("glass")[0]
        ours = sorted(
            tuple(np.bincount(data.codes[t], minlength=len(data.classes))) for t in rows_tested(KFold(9), data)
        )
        theirs = [
            np.bincount(data.codes[t], minlength=len(data.classes))
            for _, t in StratifiedKFold(9, shuffle=True, random_state=1).split(data.X, data.codes)
        ]
        assert np.abs(np.sort(ours, axis=0) - np.sort(theirs, axis=0)).max() == 0

    @settings(max_examples=40)
    @given(class_counts, st.integers(2, 10), st.integers(0, 2**40), st.booleans())
    def test_folds_partition_the_data_evenly(self, counts, folds, seed, stratify):
        data = labelled(counts)
        folds = min(folds, data.n)
        splits = list(RepeatedKFold(folds, 2, stratify).splits(data, seed))
        for repeat in range(2):
            tests = [s.test for s in splits if s.repeat == repeat]
            assert sorted(np.concatenate(tests).tolist()) == list(range(data.n))
            assert np.ptp([len(t) for t in tests]) <= 1

    @settings(max_examples=40)
    @given(class_counts, st.integers(2, 10), st.integers(0, 99))
    def test_each_class_is_spread_evenly_over_the_folds(self, counts, folds, seed):
        data = labelled(counts)
        folds = min(folds, data.n)
        table = [np.bincount(data.codes[t], minlength=len(counts)) for t in rows_tested(KFold(folds), data, seed)]
        assert np.ptp(table, axis=0).max() <= 1

    def test_more_repeats_extend_a_study(self):
        assert digests(RepeatedKFold(5, 3), IRIS) == digests(RepeatedKFold(5, 7), IRIS)[:15]

    def test_all_splits_of_all_repeats_differ(self):
        assert len(set(digests(RepeatedKFold(10, 10), IRIS))) == 100

    def test_seeds_give_other_splits_and_the_same_seed_the_same(self):
        assert digests(KFold(10), IRIS, 1) == digests(KFold(10), IRIS, 1)
        assert not set(digests(KFold(10), IRIS, 1)) & set(digests(KFold(10), IRIS, 2))

    def test_the_splits_of_all_time(self):
        # if this changes, every stored study of every user has to run again
        assert digests(RepeatedKFold(10, 2), IRIS)[11] == "8ed476935250197fc690b7c2ed5e2219"

    def test_without_stratification_and_for_values_classes_play_no_role(self):
        sizes = [Counter(IRIS.target[t].tolist()) for t in rows_tested(KFold(10, stratify=False), IRIS)]
        assert len({tuple(sorted(s.items())) for s in sizes}) > 1
        assert sorted(np.concatenate(rows_tested(KFold(3), valued(10))).tolist()) == list(range(10))

    def test_every_pair_of_instances_is_sometimes_apart(self):
        # a shuffle that only rotates would keep some together for ever
        together = np.zeros((12, 12))
        for test in rows_tested(RepeatedKFold(2, 60), valued(12)):
            together[np.ix_(test, test)] += 1
        share = together[~np.eye(12, dtype=bool)] / 60
        assert share.min() > 0.2
        assert share.max() < 0.7

    def test_as_many_folds_as_instances(self):
        assert [len(t) for t in rows_tested(KFold(5), valued(5))] == [1] * 5

    def test_k_fold_is_the_first_repeat(self):
        assert digests(KFold(4), IRIS) == digests(RepeatedKFold(4, 1), IRIS)

    def test_more_folds_than_instances(self):
        with pytest.raises(InputError, match=r"data has 5 and folds is 6; choose fewer folds"):
            list(KFold(6).splits(valued(5), 1))

    def test_groups_are_refused(self):
        data = replace(IRIS, groups=np.arange(150) // 3)
        for scheme in (KFold(), RepeatedKFold(), Holdout(), LeaveOneOut(), Bootstrap(), TrainValidationTest()):
            with pytest.raises(InputError, match=r"iris declares groups, .* divide them; use 'grouped 10-fold'"):
                list(scheme.splits(data, 1))

    @pytest.mark.parametrize("folds", [1, 0, -1, 2.0, "10", True, None])
    def test_bad_folds_are_refused_at_once(self, folds):
        for scheme in (KFold, RepeatedKFold):
            with pytest.raises(InputError, match=r"folds must be a whole number of at least 2, got "):
                scheme(folds=folds)

    @pytest.mark.parametrize("repeats", [0, -1, 1.5, True])
    def test_bad_repeats(self, repeats):
        for scheme in (Holdout, TrainValidationTest, RepeatedKFold):
            with pytest.raises(InputError, match="repeats must be a whole number of at least 1"):
                scheme(repeats=repeats)


class TestFiveByTwo:
    def test_is_five_times_two_fold(self):
        assert digests(FiveByTwo(), IRIS) == digests(RepeatedKFold(2, 5), IRIS)
        assert FiveByTwo().dependence() == RepeatedKFold(2, 5).dependence()

    def test_each_half_trains_and_tests_once(self):
        splits = list(FiveByTwo().splits(IRIS, 1))
        assert len(splits) == 10
        for first, second in zip(splits[::2], splits[1::2], strict=True):
            assert first.train_rows().tolist() == second.test.tolist()
            assert first.test.tolist() == second.train_rows().tolist()


class TestLeaveOneOut:
    def test_by_hand(self):
        splits = list(LeaveOneOut().splits(valued(3), 1))
        assert [(s.repeat, s.fold, s.test.tolist(), s.train_rows().tolist()) for s in splits] == [
            (0, 0, [0], [1, 2]),
            (0, 1, [1], [0, 2]),
            (0, 2, [2], [0, 1]),
        ]

    def test_against_scikit_learn(self):
        theirs = [(a.tolist(), b.tolist()) for a, b in TheirLeaveOneOut().split(IRIS.X)]
        assert [(s.train_rows().tolist(), s.test.tolist()) for s in LeaveOneOut().splits(IRIS, 1)] == theirs

    def test_nothing_is_random(self):
        assert digests(LeaveOneOut(), IRIS, 1) == digests(LeaveOneOut(), IRIS, 2)

    def test_the_data_decide_the_number_of_folds(self):
        assert LeaveOneOut().dependence().folds == 0
        assert not LeaveOneOut().dependence().known
        own = LeaveOneOut().dependence(IRIS)
        assert (own.folds, own.test_share, own.disjoint) == (150, 1 / 150, True)
