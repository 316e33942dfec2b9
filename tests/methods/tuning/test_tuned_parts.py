"""Tuned estimators inside of methods: what the study fills in, checks and points out."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import fairtrial as ft
from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.methods.estimators import OneRule
from fairtrial.methods.tuning import configurations_of, unequal_tuning

GROUPS = np.repeat(np.arange(18), 5)


def grouped() -> Dataset:
    target = np.where(np.arange(90) % 3, "no", "yes")
    return Dataset.from_arrays(np.arange(180.0).reshape(90, 2), target, name="numbered", groups=GROUPS)


class TestBeforeTheRun:
    def test_a_study_refuses_inner_splits_that_it_can_not_make(self):
        dataset = grouped()
        search = ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, inner="holdout 0.3")
        with pytest.raises(InputError, match="inner splits of method 'bayes': numbered declares groups"):
            ft.Study(datasets=[dataset], methods={"bayes": search}, resampling="grouped 3-fold")
        search = ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, inner="forward 3")
        with pytest.raises(InputError, match="forward in time need an order"):
            ft.Study(datasets=["iris"], methods={"bayes": search})

    def test_searches_that_do_not_know_of_groups_are_told(self):
        dataset = grouped()
        inside = ft.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5]})

        def told(**methods):
            plan = ft.Study(datasets=[dataset], methods=methods, resampling="grouped 3-fold").plan()
            return [n.text for n in plan.notices if "does not know of the groups" in n.text]

        assert told(bag=BaggingClassifier(inside))[0].startswith("bag searches inside another estimator")
        assert not told(alone=inside, piped=make_pipeline(FunctionTransformer(), inside))


NEIGHBOURS = {"n_neighbors": [1, 5, 15]}


def measures_of(study: ft.Study) -> dict[str, str]:
    return {m.name: m.estimator.measure for m in study.methods if hasattr(m.estimator, "measure")}


class TestMeasure:
    def test_is_the_studys_unless_it_is_said(self):
        mine = ft.tuned(KNeighborsClassifier(), NEIGHBOURS)
        study = ft.Study(
            ft.Question(measure="balanced_accuracy"),
            datasets=["iris"],
            methods={"open": mine, "said": ft.tuned(KNeighborsClassifier(), NEIGHBOURS, measure="log_loss")},
        )
        assert measures_of(study) == {"open": "average_recall", "said": "log_loss"}
        assert mine.measure is None  # what was given is not changed

    def test_is_part_of_what_the_method_is(self):
        def digest(measure):
            methods = {"a": make_pipeline(StandardScaler(), ft.tuned(KNeighborsClassifier(), NEIGHBOURS))}
            return ft.Study(ft.Question(measure=measure), datasets=["iris"], methods=methods).methods[0].digest()

        assert digest("accuracy") != digest("log_loss")

    def test_a_time_can_not_decide(self):
        methods = {"a": ft.tuned(KNeighborsClassifier(), NEIGHBOURS)}
        given = {"datasets": ["iris"], "methods": methods}
        assert measures_of(ft.Study(ft.Question(measure="fit_time"), **given))["a"] == "accuracy"
        assert measures_of(ft.Study(ft.Question(measure="fit_time"), measures=["auc"], **given))["a"] == "auc"
        methods = {"a": ft.tuned(KNeighborsRegressor(), NEIGHBOURS)}
        study = ft.Study(ft.Question(measure="fit_time"), measures=[], datasets=["diabetes"], methods=methods)
        assert measures_of(study)["a"] == "rmse"

    def test_two_that_become_the_same_are_refused(self):
        open_one = ft.tuned(KNeighborsClassifier(), NEIGHBOURS)
        said = ft.tuned(KNeighborsClassifier(), NEIGHBOURS, measure="accuracy")
        with pytest.raises(InputError, match="'a' and 'b' have the same class and parameters"):
            ft.Study(datasets=["iris"], methods={"a": open_one, "b": said})

    def test_one_for_another_task_is_refused(self):
        with pytest.raises(InputError, match="is for values, but"):
            ft.Study(
                datasets=["iris"],
                methods={
                    "a": VotingClassifier([("t", ft.tuned(OneRule(), {"min_bucket": [3]}).set_params(measure="rmse"))])
                },
            )

    @pytest.mark.slow
    def test_a_measure_of_ones_own_reaches_the_workers(self, tmp_path, monkeypatch):
        (tmp_path / "my_tuning_measure.py").write_text(
            "from fairtrial.measures import Confusion, measure, ratio\n"
            "@measure('Mine', of=Confusion, worst=0.0, best=1.0)\n"
            "def my_share(c):\n"
            "    'Half of what is right.'\n"
            "    return ratio(c.correct, c.total) / 2\n",
            encoding="utf-8",
        )
        monkeypatch.syspath_prepend(str(tmp_path))

        import my_tuning_measure

        try:
            study = ft.Study(
                ft.Question(measure="my_share"),
                datasets=["iris"],
                methods={"near": ft.tuned(KNeighborsClassifier(), NEIGHBOURS)},
                resampling="2-fold",
            )
            results = study.run(workers=1, progress=False)
            assert results.failures.empty, results.failures["error"].iloc[0]
            assert (results.tuning["inner_score"] <= 0.5).all()
        finally:
            ft.measures.forget("my_share")
            del sys.modules[my_tuning_measure.__name__]


class TestBudgets:
    def test_searches_of_scikit_learn_count(self):
        assert configurations_of(GridSearchCV(GaussianNB(), [{"var_smoothing": [1, 2]}, {"priors": [None]}])) == 3
        assert configurations_of(RandomizedSearchCV(GaussianNB(), {"var_smoothing": [1, 2]}, n_iter=7)) == 7
        voting = VotingClassifier([("a", ft.tuned(GaussianNB(), {"var_smoothing": [1, 2]})), ("b", GaussianNB())])
        assert configurations_of(make_pipeline(StandardScaler(), voting)) == 2

    def test_words_by_hand(self):
        assert unequal_tuning({"a": 2, "b": 2}) == unequal_tuning({"a": 0}) == unequal_tuning({}) == ""
        assert unequal_tuning({"a": 1, "b": 0, "c": 1}).startswith(
            "a and c are tuned over 1 configuration, b over none:"
        )

    def test_nothing_is_said_where_nothing_is_tuned(self):
        study = ft.Study(datasets=["iris"], methods={"a": GaussianNB(), "b": "one_rule"}, resampling="2-fold")
        assert not [n for n in study.plan().notices if "tuned" in n.text]

    def test_a_baseline_has_nothing_to_tune(self):
        methods = {"near": ft.tuned(KNeighborsClassifier(), NEIGHBOURS), "rule": "one_rule"}
        study = ft.Study(datasets=["iris"], methods=methods, resampling="2-fold")
        assert not [n for n in study.plan().notices if "tuned" in n.text]
