"""Inner splits of rows: every row once, groups whole, and schemes that fit the rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold as SklearnKFold

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.methods.tuning import Rows, as_inner, inner_splits
from fairtrial.resampling import Holdout, KFold, LeaveOneOut, from_sklearn, read_splits


class TestInnerSplits:
    @given(st.integers(6, 60), st.integers(2, 5), st.integers(1, 2), st.booleans(), st.integers(0, 9), st.data())
    def test_every_row_is_tested_once_a_repeat_and_groups_stay_whole(self, n, folds, repeats, grouped, seed, data):
        groups = np.asarray(data.draw(st.lists(st.integers(0, 6), min_size=n, max_size=n))) if grouped else None
        if groups is not None and len(np.unique(groups)) < 2:
            return
        target = np.arange(n) % 3
        made = inner_splits(ft.RepeatedKFold(folds, repeats), Rows("r", target, "classes", groups), seed)
        tested = np.concatenate([test for _, test in made.pairs])
        assert (np.bincount(tested, minlength=n) == repeats).all()
        for train, test in made.pairs:
            assert not np.isin(test, train).any()
            assert groups is None or not np.isin(groups[test], groups[train]).any()

    def test_a_class_of_one_instance_is_no_obstacle(self):
        made = inner_splits(KFold(3), Rows("r", np.array([0, 0, 0, 0, 0, 1]), "classes"), 1)
        assert sorted(len(test) for _, test in made.pairs) == [2, 2, 2]

    def test_other_schemes_are_taken_as_they_are(self):
        rows = Rows("r", np.arange(20.0), "values")
        assert len(inner_splits(LeaveOneOut(), rows, 1).pairs) == 20
        assert inner_splits(Holdout(0.25), rows, 1).scheme == "holdout of 25 %"
        assert len(inner_splits(from_sklearn(SklearnKFold(4)), rows, 1).pairs) == 4

    @pytest.mark.parametrize("scheme", [Holdout(0.25), LeaveOneOut(), from_sklearn(SklearnKFold(4))])
    def test_what_tears_groups_apart_is_refused(self, scheme):
        with pytest.raises(InputError, match="groups"):
            inner_splits(scheme, Rows("r", np.arange(20.0), "values", np.arange(20) % 7), 1)

    def test_one_group_can_not_be_split(self):
        with pytest.raises(InputError, match="folds must be at most the number of groups, but r has 1"):
            inner_splits(KFold(5), Rows("r", np.arange(9.0), "values", np.zeros(9)), 1)


class TestAsInner:
    def test_a_spelling_or_a_scheme(self):
        assert as_inner("5-fold") == KFold(5)
        assert as_inner(Holdout(0.25)) == Holdout(0.25)

    def test_splits_of_ones_own_can_not_be_made_anew(self, tmp_path):
        (tmp_path / "own.csv").write_text("fold,row\n0,1\n1,0\n", encoding="utf-8")
        with pytest.raises(InputError, match="made anew for each training set, got splits of your own"):
            as_inner(read_splits(tmp_path / "own.csv"))
