"""Inner splits: of the training rows alone, shared by all methods, with groups whole and time in order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import KFold as SklearnKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.methods.tuning import Rows, inner_splits
from fairtrial.resampling import Holdout, KFold, LeaveOneOut, from_sklearn


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


class TestBeforeTheRun:
    def test_a_study_refuses_inner_splits_that_it_can_not_make(self):
        dataset = numbered(groups=GROUPS)
        search = ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, inner="holdout 0.3")
        with pytest.raises(InputError, match="inner splits of method 'bayes': numbered declares groups"):
            ft.Study(datasets=[dataset], methods={"bayes": search}, resampling="grouped 3-fold")
        search = ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, inner="forward 3")
        with pytest.raises(InputError, match="forward in time need an order"):
            ft.Study(datasets=["iris"], methods={"bayes": search})

    def test_searches_that_do_not_know_of_groups_are_told(self):
        dataset = numbered(groups=GROUPS)
        inside = ft.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5]})

        def told(**methods):
            plan = ft.Study(datasets=[dataset], methods=methods, resampling="grouped 3-fold").plan()
            return [w for w in plan.warnings if "does not know of the groups" in w]

        assert told(bag=BaggingClassifier(inside))[0].startswith("bag searches inside another estimator")
        assert not told(alone=inside, piped=make_pipeline(FunctionTransformer(), inside))
