"""Guards of splits: each on a case that has what it looks for, and on one that has not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import KFold as TheirKFold

from fairtrial.data import Dataset, datasets
from fairtrial.errors import InputError
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
    parse,
)

IRIS, LABOR = datasets("iris")[0], datasets("labor")[0]


def texts_of(data, scheme):
    return [notice.text for notice in advice(data, list(scheme.splits(data, 1)))]


class TestAdvice:
    @pytest.mark.parametrize(
        ("data", "scheme", "text"),
        [
            (IRIS, KFold(10), "iris has 15 instances a fold, but 30 are advised; use at most 5 folds"),
            (IRIS, Holdout(0.1, 3), "iris has 15 instances a fold, but 30 are advised"),
            (LABOR, RepeatedKFold(2, 3), "labor has 28 instances a fold, but 30 are advised"),
            (
                LABOR,
                KFold(10),
                "labor has 5 instances a fold, but 30 are advised; it has only 57 instances in all, so leave-one-out "
                "or repeated 2-fold may do better",
            ),
        ],
    )
    def test_small_folds(self, data, scheme, text):
        assert texts_of(data, scheme) == [text]

    @pytest.mark.parametrize("scheme", [KFold(5), LeaveOneOut(), Bootstrap(20)])
    def test_nothing_to_say(self, scheme):
        assert texts_of(IRIS, scheme) == []

    def test_missing_classes(self):
        # the only two instances of b are one group: one of 4 test sets has them, and its training set lacks them
        target, groups = ["a"] * 158 + ["b"] * 2, np.arange(160) // 2
        data = Dataset.from_arrays(np.zeros((160, 1)), target, groups=groups, name="d")
        assert texts_of(data, GroupKFold(4)) == [
            "d: 3 of 4 test sets lack a class",
            "d: 1 of 4 training sets lacks a class",
        ]

    def test_torn_groups(self):
        data = replace(IRIS, groups=np.arange(150) // 2)
        assert texts_of(data, GroupKFold(5)) == []
        assert texts_of(data, from_sklearn(TheirKFold(5, shuffle=True, random_state=1))) == [
            "iris: 5 of 5 splits divide groups, so that methods that learn by heart look good"
        ]

    def test_uneven_groups(self):
        groups = np.concatenate([np.zeros(75), 1 + np.arange(75)])
        assert texts_of(replace(IRIS, groups=groups), GroupKFold(4, stratify=False)) == [
            "iris has 25 instances a fold, but 30 are advised",
            "iris: 4 of 4 test sets lack a class",
            "iris: 1 of 4 training sets lacks a class",
            "iris: its 76 groups make test sets of 25 to 75 instances (the largest group has 50 % of all); "
            "fewer folds are more even",
        ]

    def test_the_future(self):
        data = replace(IRIS, order=np.random.default_rng(1).permutation(150).astype(float))
        assert texts_of(data, Forward(4)) == []
        assert texts_of(data, from_sklearn(TheirKFold(5, shuffle=True, random_state=1))) == [
            "iris declares an order, but 5 of 5 splits train on what comes later; use 'forward 5'"
        ]


GROUPS, ORDER = np.arange(150) // 2, np.random.default_rng(1).permutation(150).astype(float)
RANDOM_SCHEMES = (KFold(5), RepeatedKFold(5, 2), Holdout(0.3), LeaveOneOut(), Bootstrap(5), parse("60/20/20"))


class TestNotKept:
    """What a data set declares and a scheme does not keep is refused; splits of one's own are a way to insist."""

    @pytest.mark.parametrize("scheme", [*RANDOM_SCHEMES, Forward(4)])
    def test_groups(self, scheme):
        data = replace(IRIS, groups=GROUPS, order=ORDER if isinstance(scheme, Forward) else None)
        with pytest.raises(
            InputError, match=r"iris declares groups, and .* divide them; use 'grouped 10-fold'"
        ) as error:
            list(scheme.splits(data, 1))
        assert (error.value.notice.guard, error.value.notice.severity) == ("groups_not_kept", "refusal")

    @pytest.mark.parametrize("scheme", [*RANDOM_SCHEMES, parse("nested 4-fold"), parse("5x2")])
    def test_order(self, scheme):
        with pytest.raises(InputError) as error:
            list(scheme.splits(replace(IRIS, order=ORDER), 1))
        assert str(error.value) == (
            "iris declares an order, and this resampling would train on what comes later; use 'forward 5' (Forward), "
            "or drop the order"
        )
        assert error.value.notice.evidence == {"declares": "order", "keeps": "nothing"}

    def test_order_and_groups(self):
        with pytest.raises(InputError, match="would train on what comes later; drop the order"):
            list(GroupKFold(5).splits(replace(IRIS, order=ORDER, groups=GROUPS), 1))

    def test_declared_nothing(self):
        assert all(list(scheme.splits(IRIS, 1)) for scheme in RANDOM_SCHEMES)


class TestSeverity:
    """Notes are for the plan; warnings are stored with the study, since scores do not show them."""

    def test_small_folds_can_be_seen_from_the_scores(self):
        (found,) = advice(IRIS, list(KFold(10).splits(IRIS, 1)))
        assert (found.guard, found.stage, found.severity) == ("small_folds", "plan", "note")
        assert (found.about, found.evidence) == ("iris", {"smallest": 15, "advised": 30})

    def test_torn_groups_can_not(self):
        data = replace(IRIS, groups=np.arange(150) // 2)
        splits = list(from_sklearn(TheirKFold(5, shuffle=True, random_state=1)).splits(data, 1))
        (found,) = advice(data, splits)
        assert (found.severity, found.evidence) == ("warning", {"torn": 5, "splits": 5})
