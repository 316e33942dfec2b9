"""The study: flexible in what it takes, strict in what it is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold as ScikitKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fairtrial.data import Dataset, datasets
from fairtrial.design import Question, Study
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods import Method
from fairtrial.resampling import Holdout, KFold, RepeatedKFold

IRIS, WINE = datasets("iris", "wine")
PLAIN = {"datasets": [IRIS], "methods": {"bayes": GaussianNB(), "svm": SVC()}, "resampling": "5-fold", "seed": 1}


def study(question=None, **changes):
    return Study(question, **(PLAIN | changes))


class TestStudy:
    @pytest.mark.parametrize("given", [["iris"], "iris", IRIS, [IRIS], (d for d in [IRIS]), datasets("iris")])
    def test_data_sets_in_every_form(self, given):
        assert study(datasets=given).digest() == study().digest()

    def test_data_from_a_file(self, tmp_path: Path):
        file = tmp_path / "own.csv"
        file.write_text("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(20)))
        assert [d.name for d in study(datasets=[str(file), "iris"]).datasets] == ["own", "iris"]
        assert [d.name for d in study(datasets=file).datasets] == ["own"]

    def test_the_question_is_a_text_or_a_question_or_the_usual_one(self):
        assert study("Why?").question == Question("Why?", measure="accuracy")
        assert study(Question("Why?", measure="auc")).question.measure == "auc"
        assert study().question == Question(measure="accuracy")

    @pytest.mark.parametrize(
        ("given", "made"),
        [(None, RepeatedKFold(10, 10)), ("5-fold", KFold(5)), (Holdout(0.5), Holdout(0.5))],
    )
    def test_resampling_in_every_form(self, given, made):
        assert study(resampling=given).resampling == made

    @pytest.mark.parametrize("given", [10, ScikitKFold(5), KFold])
    def test_resampling_that_is_none(self, given):
        with pytest.raises(InputError, match=r"resampling must be a text such as '10x10-fold', or KFold, .* got "):
            study(resampling=given)

    def test_one_method_alone(self):
        names = [m.name for m in study(methods=make_pipeline(StandardScaler(), SVC())).methods]
        assert names == ["Pipeline", "majority"]

    def test_can_not_be_changed(self):
        with pytest.raises(AttributeError):
            study().seed = 2

    def test_prints_all_its_parts(self):
        text = str(study("Which is better?"))
        for part in ("Which is better?", "iris", "bayes, svm, majority (yardstick)", "5-fold", "accuracy", "seed"):
            assert part in text
        assert "Which method has the best accuracy?" in str(study())
        assert "bayes" in study()._repr_html_()

    def test_to_dict_is_json(self):
        made = study(Question(measure="auc", yardsticks={"human": 0.9}), time_limit=2.5)
        assert json.loads(json.dumps(made.to_dict(), allow_nan=False)) == made.to_dict()

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
            ({"seed": 1.0}, "seed must be a whole number"),
            ({"seed": True}, "seed must be a whole number"),
            ({"failures": "ignore"}, "no failure policy is called 'ignore'; known are: baseline, drop, refuse, worst"),
            ({"time_limit": 0}, "time_limit must be a number above 0, got 0; leave it out for no limit"),
            ({"training_scores": 1}, "training_scores must be True or False, got 1; leave it out for False"),
            ({"time_limit": "5"}, "time_limit must be a number above 0, got '5'"),
            ({"memory_limit": -1}, "memory_limit must be a number of bytes above 0 or a text such as '2 GB', got -1"),
            ({"methods": []}, "methods must name at least one method"),
            ({"datasets": []}, "at least one"),
            ({"datasets": ["irs"]}, "no data set is called 'irs'; did you mean 'iris'"),
            ({"question": {"measure": "auc"}}, r"question must be a text or a Question\(…\), got"),
        ],
    )
    def test_says_what_was_wrong(self, changes, message):
        with pytest.raises(InputError, match=message):
            study(**changes)


class TestMeasures:
    def test_the_question_comes_first_and_each_once(self):
        made = study(Question(measure="auc"), measures=["accuracy", "auc", "accuracy"])
        assert made.measures == ("auc", "accuracy")

    def test_the_first_is_asked_when_the_question_names_none(self):
        assert study(measures=["auc", "accuracy"]).question.measure == "auc"

    def test_one_alone(self):
        assert study(measures="auc").measures == ("auc",)

    def test_none(self):
        assert study(measures=[]).measures == ("accuracy",)

    def test_for_values(self):
        made = study(datasets="diabetes", methods=[LinearRegression()])
        assert made.measures[0] == made.question.measure == "rmse"
        assert [m.name for m in made.methods] == ["LinearRegression", "mean"]

    def test_unknown(self):
        with pytest.raises(UnknownName, match=r"acuracy.*did you mean 'accuracy'"):
            study(measures=["acuracy"])
        with pytest.raises(UnknownName, match="acuracy"):
            study(Question(measure="acuracy"))

    def test_of_the_other_task(self):
        with pytest.raises(
            InputError, match="measure 'rmse' is for values, but the data sets of this study have classes"
        ):
            study(measures=["rmse"])


class TestYardstick:
    def test_is_added_where_there_is_no_baseline(self):
        assert [(m.name, m.yardstick) for m in study().methods] == [
            ("bayes", False),
            ("svm", False),
            ("majority", True),
        ]

    @pytest.mark.parametrize("listed", ["majority", "uniform", "one_rule"])
    def test_is_not_added_beside_a_listed_baseline(self, listed):
        made = study(methods=[GaussianNB(), listed])
        assert [(m.name, m.yardstick) for m in made.methods] == [("GaussianNB", False), (listed, False)]

    def test_does_not_take_a_name(self):
        assert [m.name for m in study(methods={"majority": SVC()}).methods] == ["majority", "majority baseline"]

    def test_who_names_it_as_control_has_listed_it(self):
        made = study(Question(control="majority"))
        assert [m.yardstick for m in made.methods] == [False, False, False]


class TestControl:
    def test_must_be_a_method(self):
        with pytest.raises(UnknownName, match=r"no method \(given as control\) is called 'svn'; did you mean 'svm'"):
            study(Question(control="svn"))


class TestTasks:
    def test_are_not_mixed(self):
        with pytest.raises(InputError, match="'iris' has classes and 'diabetes' has values; make two studies"):
            study(datasets=["iris", "diabetes"])

    @pytest.mark.parametrize(
        ("data", "method", "message"),
        [
            ("diabetes", "majority", "method 'majority' is a classifier, but the data sets of this study have values"),
            ("diabetes", make_pipeline(StandardScaler(), SVC()), "method 'Pipeline' is a classifier"),
            ("iris", LinearRegression(), "is a regressor, but .* have classes; give a classifier"),
        ],
    )
    def test_methods_must_fit_the_task(self, data, method, message):
        with pytest.raises(InputError, match=message):
            study(datasets=data, methods=[method])

    def test_what_does_not_say_its_task_is_let_in(self):
        class Own:
            def fit(self, X, y): ...
            def predict(self, X): ...

        assert study(methods=[Method("own", Own(), version="1")]).methods[0].name == "own"


class TestDuplicates:
    def test_data_under_two_names(self):
        with pytest.raises(InputError, match="each data set must be there once, but 'iris' and 'other' have the same"):
            study(datasets=[IRIS, replace(IRIS, name="other")])

    def test_data_given_twice(self):
        with pytest.raises(InputError, match="'iris' is given twice"):
            study(datasets=["iris", "iris"])

    def test_methods(self):
        with pytest.raises(InputError, match="'a' and 'b' have the same class and parameters"):
            study(methods={"a": SVC(), "b": SVC()})


class TestDigest:
    @pytest.mark.parametrize(
        "changes",
        [
            {"question": "Why?"},
            {"question": Question(control="svm", level=0.9)},
            {"measures": ["auc"]},
            {"failures": "worst"},
            {"training_scores": True},
            {"methods": {"svm": SVC(), "bayes": GaussianNB()}},
            {"methods": {"a": GaussianNB(), "b": Method("x", SVC(), facts={"complexity": "n²"})}},
            {"methods": {"a": GaussianNB(), "b": SVC(), "most": "majority"}},
            {"datasets": [replace(IRIS, name="flowers", source="here")]},
        ],
    )
    def test_is_the_same_when_the_numbers_are(self, changes):
        assert study(**changes).digest() == study().digest()

    def test_changes_with_all_that_changes_the_numbers(self):
        X = np.array(IRIS.X)
        X[0, 0] += 0.1
        made = [
            study(),
            study(seed=2),
            study(resampling="6-fold"),
            study(resampling="2x5-fold"),
            study(resampling=KFold(5, stratify=False)),
            study(datasets=[IRIS, WINE]),
            study(datasets=[WINE]),
            study(datasets=[Dataset.from_arrays(X, IRIS.target)]),
            study(methods={"bayes": GaussianNB(), "svm": SVC(C=2)}),
            study(methods={"bayes": GaussianNB()}),
            study(methods={"bayes": GaussianNB(), "svm": Method("svm", SVC(), inputs="raw")}),
            study(methods={"bayes": GaussianNB(), "svm": SVC(), "tree": DecisionTreeClassifier()}),
        ]
        assert len({s.digest() for s in made}) == len(made)
