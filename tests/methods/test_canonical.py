"""What a method is: the same in every process, different with every parameter, refused when it can't be known."""

from __future__ import annotations

import functools
import importlib
import json
import math
import os
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
import scipy.special
from scipy.stats import loguniform, randint, uniform
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, ShuffleSplit, StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC

import fairtrial as ft
from fairtrial import resampling as rs
from fairtrial.errors import InputError
from fairtrial.methods import Method, baseline, canonical, digest
from fairtrial.methods.canonical_form import FORMER_PATHS
from fairtrial.methods.estimators import OneRule
from fairtrial.methods.recipe import recipe


def key(thing: object) -> bytes:
    return digest(canonical(thing))


def search(**changes):
    options = {
        "param_grid": {"C": [0.1, 1], "kernel": ["rbf"]},
        "scoring": make_scorer(f1_score, average="macro"),
        "cv": StratifiedKFold(5, shuffle=True, random_state=1),
    }
    return GridSearchCV(SVC(), **(options | changes))


def everything():
    """Something with all that is hard to write down, with sets and mappings inside."""
    return make_pipeline(
        ColumnTransformer(
            [
                ("n", StandardScaler(), slice(0, 2)),
                ("c", OneHotEncoder(dtype=np.float32), make_column_selector(dtype_include="category")),
            ]
        ),
        FunctionTransformer(functools.partial(np.clip, a_min=0, a_max=9)),
        search(cv=KFold(3), param_grid={"C": [1], "class_weight": [{"a": 1, "b": 2}, None], "x": [{"p", "q", "r"}]}),
        memory=joblib.Memory(None),
    )


class Opaque:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x


class Plain:
    def __init__(self, size):
        self.size = size

    def fit(self, X, y): ...

    def predict(self, X): ...

    def apply(self, X):
        return X * self.size


def wrapped(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)

    return inner


def public(x):
    return x


hidden = wrapped(public)  # has the name of public, but is not it


class TestCanonical:
    def test_by_hand(self):
        form = canonical(make_pipeline(FunctionTransformer(np.log1p), SVC(C=math.inf)))
        assert form["class"] == "sklearn.pipeline.Pipeline"
        (name, logarithm), (_, svc) = form["params"]["steps"]
        assert name == "functiontransformer"
        assert logarithm["params"]["func"] == {"path": "numpy.log1p"}
        assert svc["params"]["C"] == {"float": "inf"}

    @pytest.mark.parametrize(
        ("thing", "path"),
        [
            (RandomForestClassifier(), "sklearn.ensemble.RandomForestClassifier"),
            (HistGradientBoostingClassifier(), "sklearn.ensemble.HistGradientBoostingClassifier"),
            (LogisticRegression(), "sklearn.linear_model.LogisticRegression"),
        ],
    )
    def test_the_public_path_is_used(self, thing, path):
        # private modules move between versions of scikit-learn
        assert type(thing).__module__ != path.rpartition(".")[0]
        assert canonical(thing)["class"] == path

    @pytest.mark.slow
    def test_is_the_same_in_another_process(self):
        code = "import sys, test_canonical as t; sys.stdout.write(t.key(t.everything()).hex())"
        # imported under the file's own name, with other hashes of texts
        path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
        env = os.environ | {"PYTHONHASHSEED": "77", "PYTHONPATH": path}
        run = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        assert run.stdout == key(everything()).hex()

    @pytest.mark.parametrize(
        ("one", "same"),
        [
            (SVC(C=1, gamma=2), SVC(gamma=2, C=1)),
            (SVC(C=np.float64(2)), SVC(C=2.0)),
            (SVC(degree=np.int64(3)), SVC(degree=3)),
            (SVC(class_weight={0: 1, 1: 2}), SVC(class_weight={1: 2, 0: 1})),
            (functools.partial(np.clip, a_min=0, a_max=1), functools.partial(np.clip, a_max=1, a_min=0)),
            (search(param_grid={"C": [1], "gamma": [2]}), search(param_grid={"gamma": [2], "C": [1]})),
            (FeatureUnion([("a", StandardScaler())]), FeatureUnion((("a", StandardScaler()),))),
            (RandomizedSearchCV(SVC(), {"C": loguniform(1, 9)}), RandomizedSearchCV(SVC(), {"C": loguniform(1, 9)})),
            (make_pipeline(SVC(), memory=joblib.Memory("/a")), make_pipeline(SVC(), memory=joblib.Memory("/b"))),
            (np.array(["a b", 2.5], dtype=object), np.array([" ".join("ab"), float("2.5")], dtype=object)),
            (np.arange(6).reshape(2, 3)[:, ::2], np.array([[0, 2], [3, 5]])),
        ],
    )
    def test_what_means_the_same_has_one_key(self, one, same):
        assert key(one) == key(same)

    def test_fitting_changes_nothing(self):
        fitted = KNeighborsClassifier(1).fit([[0], [1]], [0, 1])
        assert key(fitted) == key(KNeighborsClassifier(1))

    @pytest.mark.parametrize(
        "family",
        [
            [SVC(), SVC(C=2), SVC(C=1), SVC(C=math.nan), SVC(C=math.inf), SVC(C=-math.inf), SVC(C=True), SVC(C="1.0")],
            [make_pipeline(StandardScaler(), SVC()), make_pipeline(StandardScaler(with_mean=False), SVC()), SVC()],
            [search(cv=cv) for cv in (5, 3, KFold(5), StratifiedKFold(5), KFold(5, shuffle=True, random_state=2))],
            [search(), search(scoring=make_scorer(f1_score)), search(scoring="f1"), search(param_grid={"C": [0.1, 2]})],
            [search(scoring=make_scorer(f1_score)), search(scoring=make_scorer(f1_score, greater_is_better=False))],
            [FunctionTransformer(f) for f in (None, np.log1p, np.log, scipy.special.expit, math.log, str.upper)],
            [functools.partial(np.clip, 0), functools.partial(np.clip, a_min=0), functools.partial(np.clip, a_min=1)],
            [functools.partial(np.sum, axis=0), functools.partial(np.mean, axis=0), np.sum],
            [GaussianProcessClassifier(k) for k in (None, RBF(1), RBF(2), RBF() + WhiteKernel())],
            [loguniform(1, 9), loguniform(1, 10), uniform(1, 9), randint(1, 9), randint(1, high=9)],
            [VotingClassifier([("a", SVC()), ("b", SVC(C=2))]), VotingClassifier([("b", SVC(C=2)), ("a", SVC())])],
            [np.array([1, 2]), np.array([1.0, 2.0]), np.array([[1, 2]]), np.array([1, 3]), [1, 2], {1, 2}, {1: 2}],
            [np.array(["a", "b"], dtype=object), np.array(["a", "c"], dtype=object), np.array(["a", "b"])],
            [slice(0, 2), slice(0, 3), slice(2), range(2), range(3), "slice(0, 2)", None],
            [b"x", "x", "b'x'", 1j, np.dtype("f4"), np.dtype("f8"), np.float32, np.float64],
            [Plain(1), Plain(2), Plain, Plain(1).apply, Plain(2).apply, Plain.apply, Plain(1).fit],
        ],
    )  # fmt: skip
    def test_what_differs_has_another_key(self, family):
        assert len({key(thing) for thing in family}) == len(family)

    def test_is_json(self):
        form = canonical(everything())
        assert json.loads(json.dumps(form, allow_nan=False)) == form

    def test_a_function_that_has_the_name_of_another(self):
        assert canonical(hidden) != canonical(public)

    def test_a_module(self):
        assert canonical(np) == {"path": "numpy"}

    @pytest.mark.parametrize(
        ("thing", "why"),
        [
            (FunctionTransformer(eval("lambda x: x")), "<lambda> is not: its source can't be found"),
            ([lambda x: x, lambda x: -x], "<lambda> is not: several functions stand on its line"),
            (np.frompyfunc(len, 1, 1), "it can't be imported by name"),
            (np.frompyfunc(len, 1, 1), r"len \(vectorized\)"),
            (SVC(random_state=np.random.RandomState(1)), "give a whole number as random_state"),
            (KFold(3, shuffle=True, random_state=np.random.RandomState(1)), "give a whole number as random_state"),
            (SVC(C=np.random.default_rng(1)), "give a whole number as random_state"),
            (Opaque(1), "it has neither parameters nor attributes"),
        ],
    )
    def test_what_can_not_be_known_is_refused_with_the_remedy(self, thing, why):
        with pytest.raises(InputError, match=why) as caught:
            canonical(thing)
        assert "version='1' in Method(…)" in str(caught.value)
        form = canonical(thing, version="3")
        assert form["version"] == "3"
        assert digest(form) != digest(canonical(thing, version="4"))

    def test_parameters_count_beside_a_version(self):
        one = make_pipeline(FunctionTransformer(lambda x: x), SVC(C=1))
        other = make_pipeline(FunctionTransformer(lambda x: x), SVC(C=2))
        assert canonical(one, version="1") != canonical(other, version="1")

    def test_what_contains_itself(self):
        loop: list[object] = []
        loop.append(loop)
        with pytest.raises(InputError, match="it contains itself"):
            canonical(loop)

    def test_what_is_used_twice_does_not_contain_itself(self):
        scale = StandardScaler()
        assert canonical([scale, scale])[0] == canonical(scale)


class TestDigest:
    def test_order_of_keys_does_not_matter(self):
        assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})

    def test_is_the_same_for_ever(self):
        assert digest({"class": "é", "params": [1, 0.5, None]}).hex() == "0d9c86596f0f4c7c63d8d258f5680a26"


class TestPinned:
    """Digests of methods as study files have them: a class that moves keeps its former path (FORMER_PATHS).

    Where one of these changes, every study file with such a method runs it all again.
    """

    @pytest.mark.parametrize(
        ("inner", "expected"),
        [
            (None, "e048587bc23a8127934afef8c6721fd8"),
            ("5-fold", "8d8021f35d5073b9dd165abe2d02c1bd"),
            (rs.RepeatedKFold(3, 2), "26d9d3c1f86aebbe2dfbf193af3dc825"),
            (rs.FiveByTwo(), "f13529e12614f116441fb575daa7ec83"),
            (rs.LeaveOneOut(), "f9f107da10f66f4565f8c8f884558d09"),
            (rs.GroupKFold(3), "ef8a012659ccab872d42f0c3e5d85bb0"),
            (rs.Holdout(0.3), "ee1b845ec766169a265900f22cf57421"),
            (rs.TrainValidationTest(), "5d3d6c68ce44bc48a520bc738ad56703"),
            (rs.Forward(3), "3583eca5cd054294515c2fe4ceade013"),
            (rs.Bootstrap(5), "25aa06ea884ff3bda6ef5283faa042ea"),
            (rs.NestedKFold(3), "58dfe3d953b496c589bdad16513aa799"),
            (rs.from_sklearn(ShuffleSplit(3, random_state=1)), "fe6a435c615f5f7db3a75017ea39931a"),
        ],
    )
    def test_is_that_of_study_files_that_were_written_before(self, inner, expected):
        method = baseline("one_rule") if inner is None else searched(inner)
        assert method.digest().hex() == expected

    def test_a_former_path_is_written_as_it_was_and_shown_with_its_defaults(self):
        form = searched(rs.GroupKFold(3)).canonical()["estimator"]
        assert form["params"]["inner"]["class"] == "fairtrial.resampling.groups.GroupKFold"
        assert recipe(form).endswith("accuracy over GroupKFold(folds=3))")

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("positive_likelihood_ratio", "fairtrial.measures.rates.positive_likelihood_ratio"),
            ("expected_cost", "fairtrial.measures.contexts.expected_cost"),
            ("precision", "fairtrial.measures.rates.precision"),
        ],
    )
    def test_measures_inside_a_method_keep_their_paths(self, name, expected):
        assert canonical(ft.measures.function(name)) == {"path": expected}

    def test_former_paths_are_of_classes_that_are_there(self):
        for present in FORMER_PATHS:
            module, _, name = present.rpartition(".")
            assert hasattr(importlib.import_module(module), name)


def searched(inner) -> Method:
    """A search over a class of ours: no other version of scikit-learn adds parameters to it."""
    return Method("m", ft.tuned(OneRule(), {"min_bucket": [3, 6]}, inner=inner, measure="accuracy"))
