"""Settings: which methods a factor acts on, and methods with their parameters set."""

import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fairtrial import Factor
from fairtrial.design import LabelNoise, method_at, of_methods
from fairtrial.design.factors import check_factors, exists, factors_of
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods import Method

FOREST = Method("forest", RandomForestClassifier())
TREE = Method("tree", DecisionTreeClassifier())
BAYES = Method("bayes", GaussianNB())


class Plain:
    def fit(self, X, y): ...

    def predict(self, X): ...


PLAIN = Method("plain", Plain(), version="1")
PIPE = Method("pipe", Pipeline([("scale", "passthrough"), ("model", SVC())]))
MODEL = Factor("model", {"svm": SVC(), "tree": DecisionTreeClassifier()}, of="pipe.model")
C = Factor("C", [1, 10], when={"model": "svm"})
DEPTH = Factor("max_depth", [3, None], when={"model": "tree"})


def names(factors, method):
    return [f.name for f in factors_of(factors, method)]


class TestFactorsOf:
    def test_a_parameter_acts_on_every_method_that_has_it(self):
        depth = Factor("max_depth", [3, 6])
        assert [names([depth], m) for m in (FOREST, TREE, BAYES)] == [["max_depth"], ["max_depth"], []]

    def test_or_on_the_one_that_is_named(self):
        depth = Factor("forest.max_depth", [3, 6])
        assert [names([depth], m) for m in (FOREST, TREE)] == [["forest.max_depth"], []]
        only = Factor("max_depth", [3], when={"method": ["tree"]})
        assert [names([only], m) for m in (FOREST, TREE)] == [[], ["max_depth"]]

    def test_never_on_a_yardstick_but_training_data_always(self):
        yardstick = Method("majority", DummyClassifier(), yardstick=True)
        assert names([LabelNoise([0]), Factor("strategy", ["prior"])], yardstick) == ["label_noise"]
        assert names([Factor("strategy", ["prior"])], Method("majority", DummyClassifier())) == ["strategy"]

    def test_a_nested_factor_acts_where_its_step_has_it(self):
        assert names([MODEL, C, DEPTH], PIPE) == ["model", "C", "max_depth"]
        assert names([MODEL, C, DEPTH], BAYES) == []

    def test_three_floors_down(self):
        kernel = Factor("kernel", ["rbf", "linear"], when={"model": "svm"})
        gamma = Factor("gamma", [0.1, 1], when={"kernel": "rbf"})
        factors = [gamma, kernel, MODEL]
        assert names(factors, PIPE) == ["gamma", "kernel", "model"]
        assert [f.name for f in of_methods(factors)] == ["model", "kernel", "gamma"]
        made = method_at(PIPE, factors, {"model": "svm", "kernel": "rbf", "gamma": 0.1}).estimator
        assert (made["model"].kernel, made["model"].gamma) == ("rbf", 0.1)


class TestExists:
    def test_by_hand(self):
        assert exists(C, {"model": "svm"})
        assert not exists(C, {"model": "tree"})
        assert not exists(C, {})
        assert exists(LabelNoise([0]), {})
        assert exists(Factor("a", [1], when={"method": "x"}), {})
        assert exists(Factor("a", [1], when={"b": [1, 2]}), {"b": 2})


class TestMethodAt:
    def test_is_the_method_with_these_parameters(self):
        own = Method("own", RandomForestClassifier(max_depth=3))
        made = method_at(FOREST, [Factor("depth", [3], of="forest.max_depth")], {"depth": 3})
        assert made.digest() == own.digest()
        assert made.name == "forest"
        assert FOREST.estimator.max_depth is None  # a clone was changed

    def test_steps_before_their_parameters_in_whatever_order(self):
        scale = Factor("scaling", {"none": "passthrough", "standard": StandardScaler()}, of="scale")
        chosen = {"C": 10, "model": "svm", "scaling": "standard"}
        made = method_at(PIPE, [C, scale, MODEL], chosen)
        same = Method("x", Pipeline([("scale", StandardScaler()), ("model", SVC(C=10))]))
        assert made.digest() == same.digest()
        direct = method_at(PIPE, [Factor("pipe.model__C", [10]), MODEL], {"pipe.model__C": 10, "model": "svm"})
        assert direct.estimator["model"].C == 10

    def test_values_are_not_shared_between_settings(self):
        model = SVC()
        factor = Factor("model", {"svm": model}, of="pipe.model")
        assert method_at(PIPE, [factor], {"model": "svm"}).estimator["model"] is not model

    def test_without_levels_it_is_the_method_itself(self):
        assert method_at(FOREST, [MODEL], {"label_noise": 0.1}) is FOREST

    def test_a_parameter_that_a_step_does_not_have(self):
        with pytest.raises(InputError, match="pipe has no parameter"):
            method_at(PIPE, [MODEL, C], {"model": "tree", "C": 1})


class TestCheckFactors:
    @pytest.mark.parametrize(
        ("factors", "methods", "message"),
        [
            ([Factor("max_dept", [3])], [FOREST], "no factor is called 'max_dept', and forest has no parameter"),
            ([Factor("max_dept", [3])], [FOREST], "did you mean 'max_depth'"),
            ([Factor("d", [3], of="forest.max_dept")], [FOREST, TREE], "forest has no parameter 'max_dept'; did you"),
            ([Factor("wood.max_depth", [3])], [FOREST], r"no method (of the factor wood.max_depth) is called 'wood'"),
            ([Factor("C", [3])], [PIPE, BAYES], "none of pipe and bayes has a parameter of that name; did you mean"),
            ([Factor("C", [3])], [PIPE, BAYES], "'model__C'"),
            ([Factor("depth", [3])], [PLAIN, TREE], "let the class of plain inherit sklearn.base.BaseEstimator, which "
             "lists its parameters; or did you mean 'max_depth'"),
            ([Factor("k", [3])], [PLAIN], "let the class of plain inherit sklearn.base.BaseEstimator"),
            ([Factor("max_depth", [3], when={"x": 1})], [TREE], "no factor (when of the factor max_depth) is called"),
            ([Factor("max_depth", [3], when={"method": "x"})], [TREE], "no method (when of the factor max_depth) is"),
            ([MODEL, Factor("C", [1], when={"model": "knn"})], [PIPE], "must have levels of model, which are svm and"),
            ([Factor("a", [1], of="C", when={"a": 1})], [PIPE], "must not go in a circle, but a exists only at levels"),
            (
                [Factor("a", [1], of="C", when={"b": 1}), Factor("b", [1], of="C", when={"a": 1})], [PIPE],
                "when must not go in a circle",
            ),
            (
                [Factor("a", linear=(1, 2), of="max_depth"), Factor("max_leaf_nodes", [3], when={"a": 1})], [TREE],
                "must name a factor with listed levels, but a is a range",
            ),
        ],
    )  # fmt: skip
    def test_says_what_was_wrong(self, factors, methods, message):
        with pytest.raises((InputError, UnknownName)) as raised:
            check_factors(factors, methods)
        assert message in str(raised.value)

    def test_good_ones_and_the_same_without_what_they_need(self):
        pipeline, svm = Method("p", make_pipeline(StandardScaler(), SVC())), Method("svm", SVC())
        when = Factor("C", [1], when={"label_noise": 0})
        cases = [
            ([MODEL, C, DEPTH, LabelNoise([0])], [PIPE, BAYES], [C, DEPTH, LabelNoise([0])]),
            ([when, LabelNoise([0, 0.1])], [svm], [when]),
            ([Factor("svc__C", [1])], [pipeline], [Factor("svm__C", [1])]),
        ]
        for good, methods, bad in cases:
            assert check_factors(good, methods) is None
            with pytest.raises((InputError, UnknownName)):
                check_factors(bad, methods)
