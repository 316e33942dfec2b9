"""Nested cross-validation: the splits from which an interval of the error is computed."""

from __future__ import annotations

import numpy as np
import pytest
from made import digests

from fairtrial.data import datasets
from fairtrial.errors import InputError
from fairtrial.resampling import NestedKFold, RepeatedKFold

IRIS = datasets("iris")[0]


class TestNestedKFold:
    def test_outer_splits_are_those_of_k_fold(self):
        nested, plain = list(NestedKFold(5, 2).splits(IRIS, 1)), list(RepeatedKFold(5, 2).splits(IRIS, 1))
        assert [s.digest() for s in nested if s.fold < 5] == [s.digest() for s in plain]

    def test_inner_folds_partition_what_each_outer_fold_trains_on(self):
        # for outer fold i, the pair {i, j} trains on what is outside both, and tests fold j: all j give the rest once
        scheme = NestedKFold(4, 1)
        splits = list(scheme.splits(IRIS, 1))
        for i, outer in enumerate(splits[:4]):
            inner = [s for s, pair in zip(splits[4:], scheme.pairs(), strict=True) if i in pair]
            assert len(inner) == 3
            rest = [np.setdiff1d(s.test, outer.test) for s in inner]
            assert sorted(np.concatenate(rest).tolist()) == outer.train_rows().tolist()
            for s in inner:
                assert not set(s.train_rows().tolist()) & set(outer.test.tolist())

    def test_number_of_splits(self):
        assert len(list(NestedKFold(10, 2).splits(IRIS, 1))) == 2 * (10 + 45)

    def test_more_repeats_extend_a_study(self):
        assert digests(NestedKFold(4, 2), IRIS) == digests(NestedKFold(4, 3), IRIS)[:20]

    def test_two_folds_have_no_inner_ones(self):
        with pytest.raises(InputError, match="folds must be a whole number of at least 3, got 2"):
            NestedKFold(2)
