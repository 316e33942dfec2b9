"""Splits: exact partitions, balanced classes, the same for ever."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from fairtrial import resampling
from fairtrial.data import Dataset, datasets
from fairtrial.errors import InputError
from fairtrial.resampling import SCHEMES, Holdout, KFold, RepeatedKFold, describe, parse

IRIS = datasets("iris")[0]


def labelled(counts: list[int], name: str = "data") -> Dataset:
    """A data set with so many instances of each class, in a mixed order."""
    target = np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts)).astype(str)
    return Dataset.from_arrays(np.arange(len(target), dtype=float)[:, None], target, name=name)


def valued(n: int) -> Dataset:
    return Dataset.from_arrays(np.arange(n, dtype=float)[:, None], np.linspace(0.5, 1.7, n), task="values")


def rows_tested(scheme, data, seed=1):
    return [s.test for s in scheme.splits(data, seed)]


def digests(scheme, data, seed=1):
    return [s.digest().hex() for s in scheme.splits(data, seed)]


class_counts = st.lists(st.integers(2, 15), min_size=2, max_size=5)


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
        assert digests(Holdout(0.3), IRIS)[0] == "155a979dc96c324416b7cf51087189eb"

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
        for scheme in (KFold(), RepeatedKFold(), Holdout()):
            with pytest.raises(InputError, match="iris declares groups, and this resampling would tear them apart"):
                list(scheme.splits(data, 1))

    @pytest.mark.parametrize("folds", [1, 0, -1, 2.0, "10", True, None])
    def test_bad_folds_are_refused_at_once(self, folds):
        for scheme in (KFold, RepeatedKFold):
            with pytest.raises(InputError, match=r"folds must be a whole number of at least 2, got "):
                scheme(folds=folds)

    @pytest.mark.parametrize("repeats", [0, -1, 1.5, True])
    def test_bad_repeats(self, repeats):
        for scheme in (Holdout, RepeatedKFold):
            with pytest.raises(InputError, match="repeats must be a whole number of at least 1"):
                scheme(repeats=repeats)


class TestHoldout:
    def test_by_hand(self):
        # 12 + 6 instances, a third: 4 + 2
        data = labelled([12, 6])
        (split,) = Holdout(1 / 3).splits(data, 1)
        assert Counter(data.target[split.test].tolist()) == {"0": 4, "1": 2}
        assert (split.n_train, split.n_test) == (12, 6)

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

    def test_a_share_that_leaves_one_side_empty(self):
        with pytest.raises(InputError, match=r"must leave instances on both sides, but 0.05 of the 5 of data is 0"):
            list(Holdout(0.05).splits(valued(5), 1))

    @pytest.mark.parametrize("share", [0, 1, -0.1, 30, float("nan"), "0.3", None])
    def test_bad_shares(self, share):
        with pytest.raises(InputError, match=r"test_share must lie strictly between 0 and 1, got "):
            Holdout(share)


class TestDependence:
    @pytest.mark.parametrize(
        ("scheme", "text", "repeats", "folds", "share", "disjoint"),
        [
            (KFold(5), "5-fold", 1, 5, 0.2, True),
            (RepeatedKFold(10, 10), "10×10-fold", 10, 10, 0.1, True),
            (Holdout(0.25), "holdout of 25 %", 1, 1, 0.25, False),
            (Holdout(1 / 3, 30), "30× holdout of 33.3 %", 30, 1, 1 / 3, False),
        ],
    )
    def test_by_hand(self, scheme, text, repeats, folds, share, disjoint):
        d = scheme.dependence()
        assert (d.scheme, d.repeats, d.folds, d.disjoint) == (text, repeats, folds, disjoint)
        assert d.test_share == pytest.approx(share)
        assert d.known
        assert d.shared


class TestParse:
    @pytest.mark.parametrize(
        ("text", "scheme"),
        [
            ("10-fold", KFold(10)),
            ("10 fold", KFold(10)),
            (" 5-Folds ", KFold(5)),
            ("10fold CV", KFold(10)),
            ("10-fold cross-validation", KFold(10)),
            ("1x10-fold", KFold(10)),
            ("10x10-fold", RepeatedKFold(10, 10)),
            ("5×2-fold", RepeatedKFold(2, 5)),
            ("3 x 10-fold cv", RepeatedKFold(10, 3)),
            ("holdout", Holdout()),
            ("holdout 0.3", Holdout(0.3)),
            ("holdout of 25 %", Holdout(0.25)),
            ("holdout 25%", Holdout(0.25)),
            ("30x holdout .5", Holdout(0.5, 30)),
        ],
    )
    def test_spellings(self, text, scheme):
        assert parse(text) == scheme

    @given(st.integers(2, 99), st.integers(1, 99))
    def test_reads_what_it_writes(self, folds, repeats):
        scheme = RepeatedKFold(folds, repeats)
        assert parse(scheme.dependence().scheme).dependence() == scheme.dependence()

    @pytest.mark.parametrize("text", ["", "fold", "ten-fold", "10", "10x10", "-5-fold", "loo", "holdout x", 10])
    def test_nonsense(self, text):
        with pytest.raises(InputError, match="resampling must read like '10-fold', '10x10-fold'"):
            parse(text)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1-fold", "folds must"),
            ("0x10-fold", "repeats must"),
            ("0x holdout", "repeats"),
            ("holdout 30", "test_share"),
        ],
    )
    def test_sense_with_impossible_numbers(self, text, message):
        with pytest.raises(InputError, match=message):
            parse(text)


class TestDescribe:
    def test_by_hand(self):
        assert describe(KFold(5)) == {"scheme": "k-fold", "folds": 5, "stratify": True}

    def test_what_can_not_be_written_down(self):
        with pytest.raises(InputError, match="a resampling must be a dataclass"):
            describe(object())


class TestToTable:
    def test_lists_all_schemes(self):
        assert [row[1] for row in resampling.to_table().rows] == [s.__name__ for s in SCHEMES]
        assert all(row[2] for row in resampling.to_table().rows)
