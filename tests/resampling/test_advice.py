"""Rules of thumb."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import KFold as TheirKFold

from fairtrial.data import Dataset, datasets
from fairtrial.resampling import (
    Bootstrap,
    Forward,
    GroupKFold,
    Holdout,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    advice,
    from_sklearn,
    lasting_advice,
)

IRIS, LABOR = datasets("iris")[0], datasets("labor")[0]


def told(data, scheme):
    return list(advice(data, list(scheme.splits(data, 1))))


class TestAdvice:
    @pytest.mark.parametrize(
        ("data", "scheme", "text"),
        [
            (IRIS, KFold(10), "iris has 15 instances a fold (30 advised: at most 5 folds)"),
            (IRIS, Holdout(0.1, 3), "iris has 15 instances a fold (30 advised)"),
            (LABOR, RepeatedKFold(2, 3), "labor has 28 instances a fold (30 advised)"),
            (
                LABOR,
                KFold(10),
                "labor has 5 instances a fold (30 advised, too many for its 57: leave-one-out or repeated 2-fold may "
                "do better)",
            ),
        ],
    )
    def test_small_folds(self, data, scheme, text):
        assert told(data, scheme) == [text]

    @pytest.mark.parametrize("scheme", [KFold(5), LeaveOneOut(), Bootstrap(20)])
    def test_nothing_to_say(self, scheme):
        assert told(IRIS, scheme) == []

    def test_missing_classes(self):
        # the only two instances of b are one group: one of 4 test sets has them, and its training set lacks them
        target, groups = ["a"] * 158 + ["b"] * 2, np.arange(160) // 2
        data = Dataset.from_arrays(np.zeros((160, 1)), target, groups=groups, name="d")
        assert told(data, GroupKFold(4)) == [
            "d: 3 of 4 test sets lack a class",
            "d: 1 of 4 training sets lacks a class",
        ]

    def test_torn_groups(self):
        data = replace(IRIS, groups=np.arange(150) // 2)
        assert told(data, GroupKFold(5)) == []
        assert told(data, from_sklearn(TheirKFold(5, shuffle=True, random_state=1))) == [
            "iris: 5 of 5 splits tear groups apart, so that learning by heart pays"
        ]

    def test_uneven_groups(self):
        groups = np.concatenate([np.zeros(75), 1 + np.arange(75)])
        assert told(replace(IRIS, groups=groups), GroupKFold(4, stratify=False)) == [
            "iris has 25 instances a fold (30 advised)",
            "iris: 4 of 4 test sets lack a class",
            "iris: 1 of 4 training sets lacks a class",
            "iris: its 76 groups make test sets of 25 to 75 instances (the largest group has 50 % of all); "
            "fewer folds are more even",
        ]

    def test_the_future(self):
        data = replace(IRIS, order=np.random.default_rng(1).permutation(150).astype(float))
        assert told(data, Forward(4)) == []
        assert told(data, KFold(5)) == [
            "iris declares an order, which this resampling ignores: it trains on what comes later, too"
        ]


class TestLastingAdvice:
    def test_leaves_out_what_scores_show(self):
        assert list(lasting_advice(IRIS, list(KFold(10).splits(IRIS, 1)))) == []
