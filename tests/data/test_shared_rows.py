"""Rows that two data sets have in common: more than chance explains, or none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from clean_data import LETTERS, MAKERS, make

from fairtrial.data import Dataset, bundled_names, datasets, shared_rows


def of(X, name="d"):
    return Dataset.from_arrays(X, LETTERS[np.arange(len(X)) % 2], name=name)


class TestSharedRows:
    def test_by_hand(self):
        X = np.random.default_rng(1).normal(size=(100, 3))
        other = np.random.default_rng(2).normal(size=(100, 3))
        third = np.concatenate([X[:20], other[:30]])  # 20 of 50 rows of the first, 30 of the second
        assert shared_rows([of(X), of(other), of(third)]) == {(0, 2): 0.4, (1, 2): 0.6}

    def test_planted(self):
        def a_tenth(seed):
            X = np.random.default_rng(seed).normal(size=(190, 4))
            return [of(X[:100]), of(X[90:])]

        assert all(shared_rows(a_tenth(seed)) == {(0, 1): 0.1} for seed in range(200))

    def test_hardly_ever_elsewhere(self):
        pairs = [[make(maker, seed), make(maker, seed + 1000)] for maker in MAKERS for seed in range(31)]
        assert sum(bool(shared_rows(pair)) for pair in pairs) <= 0.01 * len(pairs)

    @pytest.mark.parametrize("X", [np.zeros((60, 2)), np.arange(60.0).reshape(60, 1) % 7])
    def test_constant_and_single_columns_say_nothing(self, X):
        assert shared_rows([of(X), of(X[:50])]) == {}

    def test_bundled_data_have_none(self):
        assert shared_rows(datasets(*bundled_names())) == {}

    def test_large_ones(self):
        X = np.random.default_rng(1).normal(size=(30_000, 5))
        assert shared_rows([of(X[:20_000]), of(X[10_000:])]) == {(0, 1): 0.5}

    def test_names_and_targets_do_not_count(self):
        iris = datasets("iris")[0]
        changed = replace(iris, name="other", target=iris.target[::-1].copy())
        assert shared_rows([iris, changed]) == {(0, 1): 1.0}
