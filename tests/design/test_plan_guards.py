"""Guards of plans: each on a study that has what it looks for, and on one that has not."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.data import Dataset
from fairtrial.design import plan_guards


def plan(**changes):
    return ft.Study(**{"datasets": ["iris"], "methods": ["one_rule"], "resampling": "5-fold", **changes}).plan()


def found(guard, **changes):
    return [(notice.about, notice.text) for notice in getattr(plan_guards, guard)(plan(**changes))]


class TestLevelsLeftOut:
    def test_a_level_and_a_combination(self):
        factors = {"class_balance": [0.5, 0.02], "train_size": [20, 300, 1]}
        assert found("levels_left_out", datasets=["breast_cancer"], resampling="3-fold", factors=factors) == [
            ("breast_cancer", "breast_cancer: too small for train_size 300, left out for it"),
            (
                "breast_cancer",
                "breast_cancer: too small for class_balance 2 %, train_size 20 together, left out for it",
            ),
        ]

    def test_nothing_is_left_out(self):
        assert found("levels_left_out", factors={"train_size": [20]}) == []


class TestBlindSearch:
    @pytest.mark.parametrize("groups", [None, np.repeat(np.arange(18), 5)])
    def test_only_where_there_are_groups(self, groups):
        target = np.where(np.arange(90) % 3, "no", "yes")
        data = Dataset.from_arrays(np.arange(180.0).reshape(90, 2), target, name="numbered", groups=groups)
        inside = BaggingClassifier(ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}))
        resampling = "3-fold" if groups is None else "grouped 3-fold"
        notices = found("blind_search", datasets=[data], methods={"bag": inside}, resampling=resampling)
        assert [about for about, _ in notices] == ["bag"] * (groups is not None)
        assert all(text.endswith("or times of numbered; put tuned(…) around the whole") for _, text in notices)


class TestTracedMemory:
    def test_by_hand(self):
        pytest.importorskip("memray")
        assert found("traced_memory") == []
        assert "fits slower" in found("traced_memory", memory="exact")[0][1]


class TestSplitsWithoutTest:
    def test_by_hand(self):
        assert found("splits_without_test") == []
        assert "optimistic" in found("splits_without_test", resampling="resubstitution")[0][1]
