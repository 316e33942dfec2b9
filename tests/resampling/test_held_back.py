"""Rows that are held back before a study is planned."""

import numpy as np
import pytest

import fairtrial as ft
from fairtrial.data import Dataset
from fairtrial.errors import InputError


def grouped(**more):
    x = np.arange(40.0)[:, None]
    return Dataset.from_arrays(x, np.arange(40) % 2, name="forty", **more)


class TestHoldBack:
    def test_parts_are_disjoint_and_whole(self):
        parts = ft.hold_back(["iris", "wine"], 0.25, seed=5)
        for whole, a, b in zip(parts.whole, parts.searched, parts.held, strict=True):
            assert a.n + b.n == whole.n
            assert a.name == b.name == whole.name
            assert sorted([*a.X[:, 0], *b.X[:, 0]]) == sorted(whole.X[:, 0])
            assert a.fingerprint != whole.fingerprint

    def test_classes_keep_their_shares(self):
        (held,) = ft.hold_back("iris", 0.2).held
        assert set(held.balance.values()) == {1 / 3}

    def test_the_seed_decides(self):
        rows = [ft.hold_back(["iris"], 0.3, seed=seed).rows["iris"].tolist() for seed in (1, 1, 2)]
        assert rows[0] == rows[1] != rows[2]

    def test_groups_stay_together(self):
        groups = np.repeat(np.arange(10), 4)
        parts = ft.hold_back([grouped(groups=groups)], 0.3, seed=1)
        assert not set(parts.searched[0].groups) & set(parts.held[0].groups)
        assert parts.held[0].n == 12

    def test_of_rows_in_order_the_last_are_held_back(self):
        order = np.arange(40)[::-1]
        parts = ft.hold_back([grouped(order=order)], 0.25)
        assert parts.rows["forty"].tolist() == list(range(10))

    def test_the_split_of_the_whole(self):
        parts = ft.hold_back(["iris"], 0.2, seed=1)
        (split,) = parts.resampling.splits(parts.whole[0], 0)
        assert split.test.tolist() == parts.rows["iris"].tolist()
        assert split.n_train == 120
        assert parts.resampling.digest != ft.hold_back(["iris"], 0.2, seed=2).resampling.digest

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="share must"):
            ft.hold_back(["iris"], 1.5)
