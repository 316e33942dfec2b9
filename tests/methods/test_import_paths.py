"""Methods by import path: what a TOML file can say."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

from fairtrial.errors import InputError
from fairtrial.methods import build, by_name, canonical


class TestBuild:
    @pytest.mark.parametrize(
        ("spec", "made"),
        [
            ({"use": "sklearn.svm.SVC", "C": 10}, SVC(C=10)),
            (
                {
                    "use": "sklearn.pipeline.make_pipeline",
                    "args": [
                        {"use": "sklearn.preprocessing.FunctionTransformer", "func": {"import": "numpy.log1p"}},
                        {"use": "sklearn.preprocessing.StandardScaler", "with_mean": False},
                        {"use": "sklearn.svm.SVC", "class_weight": {"a": 2}},
                    ],
                },
                make_pipeline(
                    FunctionTransformer(np.log1p), StandardScaler(with_mean=False), SVC(class_weight={"a": 2})
                ),
            ),
            (
                {"use": "sklearn.ensemble.BaggingClassifier", "estimator": {"use": "sklearn.naive_bayes.GaussianNB"}},
                BaggingClassifier(GaussianNB()),
            ),
            (
                {
                    "use": "sklearn.model_selection.GridSearchCV",
                    "estimator": {"use": "sklearn.svm.SVC"},
                    "param_grid": {"C": [1, 10], "kernel": ["linear", "rbf"]},
                    "cv": {"use": "sklearn.model_selection.StratifiedKFold", "n_splits": 3},
                },
                GridSearchCV(SVC(), {"C": [1, 10], "kernel": ["linear", "rbf"]}, cv=StratifiedKFold(3)),
            ),
        ],
    )
    def test_is_what_python_makes(self, spec, made):
        assert canonical(build(spec)) == canonical(made)

    def test_leaves_values_alone(self):
        assert build([1, "a", {"b": [0.5]}]) == [1, "a", {"b": [0.5]}]

    def test_does_not_change_its_description(self):
        spec = {"use": "sklearn.pipeline.make_pipeline", "args": [{"use": "sklearn.svm.SVC"}]}
        build(spec)
        assert spec == {"use": "sklearn.pipeline.make_pipeline", "args": [{"use": "sklearn.svm.SVC"}]}

    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ({"use": "SVC"}, r"methods.x.use must be an import path such as .*, got 'SVC'"),
            ({"use": "one_rule"}, r"got 'one_rule'; a baseline is named by baseline = 'one_rule'"),
            ({"use": 3}, r"methods.x.use must be an import path such as .*, got 3"),
            ({"use": ".svm.SVC"}, r"methods.x.use must be an import path"),
            ({"use": "sklearn..SVC"}, r"methods.x.use must be an import path"),
            ({"use": "sklearn.svm.SVC()"}, r"methods.x.use must be an import path"),
            ({"use": "no_such_package.SVC"}, r"'no_such_package.SVC' can't be imported .* is the package installed\?"),
            ({"use": "sklearn.svm.svc"}, r"module sklearn.svm has no svc; did you mean sklearn.svm.SVC\?"),
            ({"use": "sklearn.svm.LinearSVCC"}, r"has no LinearSVCC; did you mean sklearn.svm.LinearSVC\?"),
            ({"use": "sklearn.svm.Forest"}, r"module sklearn.svm has no Forest"),
            ({"use": "sklearn.svm.SVC", "c": 1}, r"methods.x: sklearn.svm.SVC can't .*unexpected .*argument 'c'"),
            ({"use": "builtins.int", "args": ["x"]}, r"methods.x: builtins.int can't be made .*: invalid"),
            ({"use": "sklearn.svm"}, r"'module' object is not callable"),
            ({"use": "sklearn.svm.SVC", "args": 3}, r"methods.x.args must be a list, got 3"),
            ({"use": "sklearn.svm.SVC", "C": {"import": "numpy.nothing"}}, r"methods.x.C.import: .* has no nothing"),
            ({"use": "f.g", "args": [{"use": "x"}]}, r"methods.x.use: 'f.g' can't be imported"),
            ({"use": "builtins.list", "args": [{"use": "x"}]}, r"methods.x.args\[0\].use must be an import path"),
            ([{"use": "x"}], r"methods.x\[0\].use must be an import path"),
        ],
    )  # fmt: skip
    def test_says_where_and_what(self, spec, message):
        with pytest.raises(InputError, match=message):
            build(spec, "methods.x")


class TestByName:
    def test_classes_and_makers_are_called_and_functions_of_rows_are_not(self):
        assert canonical(by_name("sklearn.svm.SVC")) == canonical(SVC())
        assert by_name("sklearn.pipeline.make_union").transformer_list == []
        assert by_name("numpy.polyfit") is np.polyfit  # takes three

    def test_says_where_it_is_wrong(self):
        with pytest.raises(InputError, match=r"methods.x.use must be an import path .* got 'SVC'"):
            by_name("SVC", "methods.x")
