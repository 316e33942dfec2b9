"""Grouped folds: no group is torn, and folds are as even as groups allow."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import digests
from sklearn.model_selection import StratifiedGroupKFold

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling import GroupKFold


def grouped(groups, target=None, name="data") -> Dataset:
    n = len(groups)
    task = "values" if target is None else "classes"
    target = np.linspace(0.5, 1.7, n) if target is None else np.asarray(target).astype(str)
    return Dataset.from_arrays(np.arange(n, dtype=float)[:, None], target, task=task, groups=groups, name=name)


some_groups = st.lists(st.integers(0, 11), min_size=12, max_size=80).filter(lambda g: len(set(g)) >= 4)


class TestGroupKFold:
    def test_by_hand(self):
        # groups of 4, 3, 2 and 1: 4 goes to one fold, 3 to the other, 2 to the smaller, 1 to either: 5 and 5
        data = grouped(list("aaaabbbccd"))
        tests = [{data.groups[i] for i in s.test} for s in GroupKFold(2).splits(data, 1)]
        assert sorted(tests, key=min) == [{"a", "d"}, {"b", "c"}]

    def test_classes_are_spread_as_well_as_groups_allow(self):
        # four groups, each of one class only: every fold gets one of each class
        data = grouped(np.repeat([0, 1, 2, 3], 5), np.repeat([0, 0, 1, 1], 5))
        for seed in range(10):
            for split in GroupKFold(2).splits(data, seed):
                assert Counter(data.target[split.test].tolist()) == {"0": 5, "1": 5}

    @settings(max_examples=60)
    @given(some_groups, st.integers(2, 4), st.integers(0, 2**40), st.booleans())
    def test_partition_that_tears_no_group(self, groups, folds, seed, classes):
        data = grouped(groups, np.arange(len(groups)) % 3 if classes else None)
        splits = list(GroupKFold(folds, 2).splits(data, seed))
        for split in splits:
            assert split.n_test > 0
            assert not set(data.groups[split.test].tolist()) & set(data.groups[split.train_rows()].tolist())
        for repeat in range(2):
            tests = [s.test for s in splits if s.repeat == repeat]
            assert sorted(np.concatenate(tests).tolist()) == list(range(data.n))

    @settings(max_examples=60)
    @given(some_groups, st.integers(2, 4), st.integers(0, 99))
    def test_without_classes_folds_differ_by_the_largest_group_at_most(self, groups, folds, seed):
        sizes = [s.n_test for s in GroupKFold(folds).splits(grouped(groups), seed)]
        assert np.ptp(sizes) <= max(Counter(groups).values())

    def test_groups_of_one_are_as_even_as_plain_folds(self):
        target = np.random.default_rng(3).integers(0, 3, 100)
        data = grouped(np.arange(100), target)
        tests = [s.test for s in GroupKFold(7).splits(data, 1)]
        assert np.ptp([len(t) for t in tests]) <= 2
        assert np.ptp([np.bincount(data.codes[t], minlength=3) for t in tests], axis=0).max() <= 2

    def test_against_scikit_learn(self):
        # StratifiedGroupKFold on groups of mixed sizes and classes: ours are as even, in size and in classes
        random = np.random.default_rng(5)
        groups = random.choice(40, 600, p=random.dirichlet(np.full(40, 3.0)))
        data = grouped(groups, (random.random(600) < 0.1 + 0.02 * groups).astype(int))

        def unevenness(tests):
            return np.std([np.bincount(data.codes[t], minlength=2) / len(t) for t in tests], axis=0).max(), np.std(
                [len(t) for t in tests]
            )

        theirs = [t for _, t in StratifiedGroupKFold(5).split(data.X, data.codes, data.groups)]
        ours = [s.test for s in GroupKFold(5).splits(data, 1)]
        assert unevenness(ours)[0] < unevenness(theirs)[0] + 0.02
        assert unevenness(ours)[1] < unevenness(theirs)[1] + 5

    def test_repeats_differ_and_extend_a_study(self):
        data = grouped(np.arange(90) // 3, np.arange(90) % 2)
        assert digests(GroupKFold(5, 2), data) == digests(GroupKFold(5, 4), data)[:10]
        assert len(set(digests(GroupKFold(5, 4), data))) == 20

    def test_names_of_groups_play_no_role(self):
        numbers, names = np.arange(60) // 4, np.char.add("g", (np.arange(60) // 4 + 10).astype(str))
        assert digests(GroupKFold(5), grouped(numbers)) == digests(GroupKFold(5), grouped(names))

    def test_the_splits_of_all_time(self):
        data = grouped(np.arange(90) // 4, np.arange(90) % 3)
        assert digests(GroupKFold(5), data)[2] == "93a07fe64c2fe48a3ea5b36f6f7b81e0"

    def test_without_groups(self):
        data = Dataset.from_arrays(np.zeros((9, 1)), np.linspace(0, 1, 9), task="values")
        with pytest.raises(InputError, match="grouped folds need groups, but data declares none; read it with groups="):
            list(GroupKFold(3).splits(data, 1))

    def test_fewer_groups_than_folds(self):
        with pytest.raises(InputError, match="at most the number of groups, but data has 3 and folds is 4"):
            list(GroupKFold(4).splits(grouped([1, 1, 2, 2, 3, 3]), 1))
