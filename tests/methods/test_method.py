"""Methods: any estimator, under any name, each only once."""

from __future__ import annotations

import pytest
from sklearn.compose import make_column_transformer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

from fairtrial.data import Dataset
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods import Method, as_methods, baseline


class Frames(GaussianNB):
    fairtrial_inputs = "frame"


class Wrong(GaussianNB):
    fairtrial_inputs = "pandas"


class TestMethod:
    @pytest.mark.parametrize("name", ["", "  ", None, 3])
    def test_a_name_that_can_not_be_read(self, name):
        with pytest.raises(InputError, match="a method's name must be a text that can be read, got"):
            Method(name, SVC())

    def test_a_class_in_place_of_an_object(self):
        with pytest.raises(InputError, match=r"must be an object, got the class SVC; write SVC\(\)"):
            Method("svm", SVC)

    @pytest.mark.parametrize(("thing", "verb"), [(3, "fit"), (StandardScaler(), "predict"), (None, "fit")])
    def test_what_can_not_learn_or_predict(self, thing, verb):
        with pytest.raises(InputError, match=f"method 'x' must have fit and predict, but .* has no {verb}"):
            Method("x", thing)

    def test_unknown_inputs(self):
        with pytest.raises(InputError, match=r"inputs of method 'x' must be one of .*'frame'\), got 'pandas'"):
            Method("x", SVC(), inputs="pandas")

    def test_names_facts_and_yardstick_are_labels(self):
        plain = Method("a", SVC())
        labelled = Method("b", SVC(), facts={"complexity": "n²"}, yardstick=True)
        assert plain.digest() == labelled.digest()

    def test_parameters_inputs_and_version_are_not(self):
        made = [
            Method("a", SVC()),
            Method("a", SVC(C=2)),
            Method("a", SVC(), inputs="raw"),
            Method("a", SVC(), version="1"),
            Method("a", SVC(), version="2"),
        ]
        assert len({m.digest() for m in made}) == 5

    def test_auto_is_what_it_stands_for(self):
        assert Method("a", SVC()).digest() == Method("a", SVC(), inputs="encoded").digest()


class TestFedWith:
    @pytest.mark.parametrize(
        ("estimator", "inputs", "fed"),
        [
            (SVC(), "auto", "encoded"),
            (SVC(), "raw", "raw"),
            (Frames(), "auto", "frame"),
            (Frames(), "encoded", "encoded"),
            (make_pipeline(make_column_transformer((StandardScaler(), ["a"])), SVC()), "auto", "frame"),
            (make_pipeline(make_pipeline(make_column_transformer((StandardScaler(), ["a"]))), SVC()), "auto", "frame"),
        ],
    )
    def test_by_hand(self, estimator, inputs, fed):
        assert Method("x", estimator, inputs=inputs).fed_with() == fed

    def test_a_declaration_that_means_nothing(self):
        with pytest.raises(InputError, match=r"fairtrial_inputs of 'x' must be one of .* got 'pandas'"):
            Method("x", Wrong()).fed_with()


class TestAsMethods:
    @pytest.mark.parametrize(
        ("given", "names"),
        [
            ({"svm": SVC(), "bayes": GaussianNB()}, ["svm", "bayes"]),
            ([SVC(), GaussianNB()], ["SVC", "GaussianNB"]),
            ([("svm", SVC()), GaussianNB()], ["svm", "GaussianNB"]),
            ([Method("svm", SVC()), "majority"], ["svm", "majority"]),
            ({"m": Method("svm", SVC()), "most": "majority"}, ["m", "most"]),
            ((m for m in [SVC()]), ["SVC"]),
            ("one_rule", ["one_rule"]),
            (SVC(), ["SVC"]),
            (Method("svm", SVC()), ["svm"]),
            ("sklearn.svm.SVC", ["SVC"]),
            ({"svm": "sklearn.svm.SVC", "most": "majority"}, ["svm", "most"]),
            (make_pipeline(StandardScaler(), SVC()), ["Pipeline"]),  # could be iterated over, but is one thing
        ],
    )
    def test_all_that_people_give(self, given, names):
        assert [m.name for m in as_methods(given)] == names

    def test_the_rest_of_a_method_survives_a_new_name(self):
        (made,) = as_methods({"b": Method("a", SVC(), inputs="raw", facts={"x": "y"}, version="1")})
        assert (made.inputs, made.facts, made.version) == ("raw", {"x": "y"}, "1")

    @pytest.mark.parametrize("given", [[], {}])
    def test_none(self, given):
        with pytest.raises(InputError, match="methods must name at least one method, got none"):
            as_methods(given)

    def test_two_of_one_name(self):
        with pytest.raises(InputError, match=r"two are called 'SVC'; give methods={'a name': …"):
            as_methods([SVC(), SVC(C=2)])

    def test_twins(self):
        with pytest.raises(InputError, match=r"'a' and 'b' have the same class and parameters; .*version='copy'"):
            as_methods({"a": SVC(), "b": SVC(C=1.0)})
        assert len(as_methods({"a": SVC(), "b": Method("b", SVC(), version="copy")})) == 2

    def test_unknown_baseline(self):
        with pytest.raises(UnknownName, match="no baseline is called 'majorty'; did you mean 'majority'"):
            as_methods({"m": "majorty"})

    def test_an_import_path_is_what_it_names(self):
        (made,) = as_methods({"svm": "sklearn.svm.SVC"})
        assert made.digest() == Method("svm", SVC()).digest()
        with pytest.raises(
            InputError, match=r"methods\['svm'\].use: module sklearn.svm has no svc; did you mean .*SVC"
        ):
            as_methods({"svm": "sklearn.svm.svc"})
        with pytest.raises(InputError, match=r"can't be made with these parameters: .*estimator"):
            as_methods("sklearn.model_selection.GridSearchCV")

    def test_a_class_alone(self):
        with pytest.raises(InputError, match=r"write SVC\(\)"):
            as_methods(SVC)

    def test_a_lambda_without_a_source_inside(self):
        with pytest.raises(InputError, match=r"version='1' in Method"):
            as_methods([make_pipeline(FunctionTransformer(eval("lambda x: x")), SVC())])


def test_one_rule_is_fed_frames_of_a_dataset():
    data = Dataset.from_arrays([[1.0], [2.0], [3.0], [4.0]], list("abab"))
    assert baseline("one_rule").fed_with() == "frame"
    baseline("one_rule").estimator.fit(data.frame(), data.codes)
