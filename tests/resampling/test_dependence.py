"""What each scheme tells the verdict about itself."""

from __future__ import annotations

import math

import pytest

from fairtrial.resampling import (
    Bootstrap,
    Dependence,
    FiveByTwo,
    Forward,
    GroupKFold,
    Holdout,
    KFold,
    LeaveOneOut,
    NestedKFold,
    RepeatedKFold,
    Resubstitution,
    TrainValidationTest,
)


class TestDependence:
    @pytest.mark.parametrize(
        ("scheme", "text", "repeats", "folds", "share", "disjoint"),
        [
            (KFold(5), "5-fold", 1, 5, 0.2, True),
            (RepeatedKFold(10, 10), "10×10-fold", 10, 10, 0.1, True),
            (FiveByTwo(), "5×2-fold", 5, 2, 0.5, True),
            (Holdout(0.25), "holdout of 25 %", 1, 1, 0.25, False),
            (Holdout(1 / 3, 30), "30× holdout of 33.3 %", 30, 1, 1 / 3, False),
            (TrainValidationTest(), "60/20/20", 1, 1, 0.25, False),
            (Bootstrap(100), "bootstrap of 100, out of bag", 100, 1, math.exp(-1), False),
            (GroupKFold(5, 3), "3× grouped 5-fold", 3, 5, 0.2, True),
        ],
    )
    def test_by_hand(self, scheme, text, repeats, folds, share, disjoint):
        d = scheme.dependence()
        assert (d.scheme, d.repeats, d.folds, d.disjoint) == (text, repeats, folds, disjoint)
        assert d.test_share == pytest.approx(share)
        assert d.known
        assert d.shared
        assert not d.caution

    @pytest.mark.parametrize(
        ("scheme", "text", "splits"),
        [
            (Resubstitution(), "resubstitution (optimistic)", 1),
            (Forward(4), "4 blocks forward in time (growing)", 4),
            (Forward(4, window=50, gap=3), "4 blocks forward in time (sliding window of 50, gap of 3)", 4),
            (NestedKFold(5, 2), "2× nested 5-fold", 30),
        ],
    )
    def test_what_is_never_tested_says_why(self, scheme, text, splits):
        d = scheme.dependence()
        assert (d.scheme, d.repeats * d.folds) == (text, splits)
        assert not d.known
        assert d.caution

    def test_leave_one_out_is_counted(self):
        assert LeaveOneOut().dependence().counted(50).test_share == 0.02
        assert KFold(5).dependence().counted(50) == KFold(5).dependence()
        assert not Dependence.unknown().counted(50).known
