"""The declaration tuned(…): what makes two searches the same method, and what is refused before anything runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import loguniform
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods import Method, as_methods
from fairtrial.resampling import Holdout, KFold, RepeatedKFold


class TestDeclaration:
    def test_two_ways_to_say_one_thing_are_one_thing(self):
        one = ft.tuned(SVC(), {"gamma": [1], "C": (0.1, 1.0, 10)}, inner="5-fold", budget=None)
        two = ft.tuned(SVC(), {"C": [0.1, 1.0, 10], "gamma": np.array([1])}, inner=KFold(5), budget=3)
        assert ft.Method("a", one).digest() == ft.Method("a", two).digest()
        one = ft.tuned(SVC(), {"C": (0.1, 100), "degree": (2, 5)}, budget=10)
        bounds = {"low": 0.1, "high": 100, "log": True}
        two = ft.tuned(SVC(), {"C": bounds, "degree": {"low": 2, "high": 5, "whole": True}}, search="halton", budget=10)
        assert ft.Method("a", one).digest() == ft.Method("a", two).digest()
        one = ft.tuned(SVC(), {"C": loguniform(0.1, 10)}, search="random")
        two = ft.tuned(SVC(), {"C": {"distribution": "loguniform", "args": [0.1, 10]}}, search="random", budget=30)
        assert ft.Method("a", one).digest() == ft.Method("a", two).digest()

    @pytest.mark.parametrize(
        "change",
        [
            {"space": {"C": [0.1, 2]}},
            {"space": {"C": [1, 0.1]}},
            {"search": "random"},
            {"inner": "4-fold"},
            {"inner": RepeatedKFold(5, 2)},
            {"inner": Holdout(0.3)},
            {"measure": "auc"},
        ],
    )
    def test_what_changes_the_numbers_changes_the_method(self, change):
        given = {"space": {"C": [0.1, 1]}, "measure": "accuracy"}
        one, two = (ft.tuned(SVC(), **options) for options in (given, {**given, **change}))
        assert ft.Method("a", one).digest() != ft.Method("a", two).digest()

    def test_a_lambda_in_the_space_that_has_no_source(self):
        with pytest.raises(InputError, match="must be made of things that have an import path"):
            ft.Method("a", ft.tuned(KNeighborsClassifier(), {"weights": [eval("lambda d: d")]})).digest()

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"estimator": SVC}, "estimator must be an object"),
            ({"space": {"c": [1]}}, "no parameter of SVC is called 'c'"),
            ({"search": "gird"}, "did you mean 'grid'"),
            ({"inner": "resubstitution"}, "inner must test on rows that were not learned from"),
            ({"inner": 5}, "inner must be a resampling"),
            ({"inner": KFold}, "inner must be a resampling"),
            ({"measure": "acuracy"}, "did you mean 'accuracy'"),
            ({"measure": "rmse"}, "is for values, but the estimator is for classes"),
            ({"measure": "fit_time"}, "must be computed from predictions"),
            ({"measure": "predicted_positive_rate"}, "must have a better and a worse"),
        ],
    )
    def test_says_what_was_wrong(self, options, said):
        given = {"estimator": SVC(), "space": {"C": [1]}, **options}
        estimator, space = given.pop("estimator"), given.pop("space")
        with pytest.raises((InputError, UnknownName), match=said):
            ft.tuned(estimator, space, **given)


class TestToml:
    def load(self, tmp_path, text):
        (tmp_path / "study.toml").write_text(f'datasets = ["iris"]\n{text}', encoding="utf-8")
        return ft.load_study(tmp_path / "study.toml")

    def test_is_the_same_as_in_python(self, tmp_path):
        study = self.load(
            tmp_path,
            """
            [methods.near]
            use = "sklearn.pipeline.make_pipeline"
            args = [
                { use = "sklearn.preprocessing.StandardScaler" },
                { use = "sklearn.neighbors.KNeighborsClassifier" },
            ]
            inputs = "encoded"

            [methods.near.tune]
            space.kneighborsclassifier__n_neighbors = { low = 1, high = 30, log = true, whole = true }
            space.kneighborsclassifier__p = [1, 2]
            search = "halton"
            budget = 12
            inner = { scheme = "k-fold", folds = 3, stratify = false }
            measure = "log_loss"
            """,
        )
        same = ft.tuned(
            make_pipeline(StandardScaler(), KNeighborsClassifier()),
            {
                "kneighborsclassifier__p": [1, 2],
                "kneighborsclassifier__n_neighbors": {"low": 1, "high": 30, "log": True, "whole": True},
            },
            search="halton",
            budget=12,
            inner=KFold(3, stratify=False),
            measure="log_loss",
        )
        assert study.methods[0].digest() == Method("x", same).digest()

    @pytest.mark.parametrize(
        ("tune", "said"),
        [
            ("tune = 3", r"study.toml: \[methods.near.tune\]: tune must be a table with space"),
            ("tune = { search = 'grid' }", "must be a table with space"),
            ("tune = { space = { n_neighbors = [1] }, serach = 'grid' }", "did you mean 'search'"),
            ("tune = { space = { neighbors = [1] } }", "did you mean 'n_neighbors'"),
            ("tune = { space = { n_neighbors = [1] }, inner = 'five' }", "resampling must read like"),
        ],
    )
    def test_says_what_was_wrong(self, tmp_path, tune, said):
        with pytest.raises(InputError, match=said):
            self.load(tmp_path, f"[methods.near]\nuse = 'sklearn.neighbors.KNeighborsClassifier'\n{tune}\n")


class TestNames:
    def test_in_a_list_it_is_called_by_what_is_tuned(self):
        found = as_methods([ft.tuned(GaussianNB(), {"priors": [None]}), GaussianNB()])
        assert [m.name for m in found] == ["tuned GaussianNB", "GaussianNB"]

    def test_a_pair_of_numbers_is_a_range_and_its_budget_is_used(self):
        model = ft.tuned(GaussianNB(), {"var_smoothing": (1e-9, 1e-1)}, budget=7)
        model.set_params(random_state=1).fit(np.arange(40.0).reshape(-1, 1), np.repeat(["a", "b"], 20))
        tried = [t.parameters["var_smoothing"] for t in model.tried_]
        assert (len(set(tried)), min(tried) < 1e-6, max(tried) > 1e-4) == (7, True, True)
