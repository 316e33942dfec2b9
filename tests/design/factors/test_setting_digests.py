"""Hashes of a method at many settings are those of the method that was given the parameters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.compose import make_column_transformer
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fairtrial import Factor, Method
from fairtrial.design.factors import SettingDigests, method_at
from fairtrial.design.factors import settings as module
from fairtrial.methods.canonical_form import canonical_text, digest, text_digest

numbers = st.integers(-5, 10**18) | st.floats(-1e300, 1e300)
BOOSTING = [
    Factor("learning_rate", log=(0.001, 1.0)),
    Factor("n_estimators", linear=(1, 500)),
    Factor("max_depth", [2]),
]


class Rounding(BaseEstimator):
    """Takes its parameter by a function of its own, which does not leave it as it is."""

    def __init__(self, size=1):
        self.size = size

    def set_params(self, **given):
        self.size = given["size"] if isinstance(given["size"], str) else max(1, round(given["size"]))
        return self

    def fit(self, x, y):
        return self

    def predict(self, x):
        return x


class Careful(Rounding):
    def set_params(self, **given):
        self.size = 1 + given["size"]  # a text is refused
        return self


@pytest.fixture
def slow(monkeypatch):
    """The settings that were made the slow way, as they are made."""
    made = []
    monkeypatch.setattr(module, "method_at", lambda m, f, levels: (made.append(levels), method_at(m, f, levels))[1])
    return made


class TestSettingDigests:
    @settings(max_examples=60)
    @given(st.lists(st.tuples(numbers, numbers), min_size=2, max_size=4))
    def test_are_those_of_the_parameters(self, given):
        digests = SettingDigests(Method("boosting", GradientBoostingClassifier()), BOOSTING)
        for rate, rounds in given:
            own = GradientBoostingClassifier(learning_rate=rate, n_estimators=rounds, max_depth=2)
            levels = {"learning_rate": rate, "n_estimators": rounds, "max_depth": 2}
            assert digests.at(levels) == Method("another name", own).digest()

    def test_whole_and_broken_numbers_differ(self):
        digests = SettingDigests(Method("boosting", GradientBoostingClassifier()), BOOSTING[:1])
        assert digests.at({"learning_rate": 1}) != digests.at({"learning_rate": 1.0})
        assert digests.at({"learning_rate": 1}) == Method("b", GradientBoostingClassifier(learning_rate=1)).digest()

    def test_thousand_settings_need_two_estimators(self, slow):
        digests = SettingDigests(Method("boosting", GradientBoostingClassifier()), BOOSTING[:1])
        assert len({digests.at({"learning_rate": 0.001 * i}) for i in range(1, 1001)}) == 1000
        assert len(slow) == 2  # one with marks, and the first setting to check it

    @pytest.mark.parametrize("version", [None, "2"])
    def test_nested_steps(self, version):
        pipe = Pipeline([("scale", "passthrough"), ("model", SVC())])
        factors = [
            Factor("model", {"svm": SVC(), "tree": DecisionTreeClassifier(), "boost": AdaBoostClassifier()}),
            Factor("C", log=(0.1, 10.0), when={"model": "svm"}),
            Factor("depth", [1, 2, None], of="max_depth", when={"model": "tree"}),
            Factor("leaf", [1, 5], of="min_samples_leaf", when={"model": "tree"}),
            Factor("rounds", linear=(10, 50), of="n_estimators", when={"model": "boost"}),
            Factor("scale", {"none": "passthrough", "standard": StandardScaler()}),
        ]
        method = Method("pipe", pipe, version=version)
        digests = SettingDigests(method, factors)
        rows = [
            *({"model": "svm", "C": c, "scale": s} for c in (0.1, 1, 10.0) for s in ("none", "standard")),
            *({"model": "tree", "depth": d, "leaf": n, "scale": "none"} for d in (1, 2, None) for n in (1, 5)),
            *({"model": "boost", "rounds": n, "scale": "standard"} for n in (10, 30, 50)),
        ]
        found = [digests.at(row) for row in rows]
        assert found == [method_at(method, factors, row).digest() for row in rows]
        assert len(set(found)) == len(rows)

    def test_methods_that_choose_columns(self):
        pipe = make_pipeline(make_column_transformer((StandardScaler(), ["a"])), SVC())
        method, factors = Method("pipe", pipe), [Factor("C", log=(0.1, 10.0), of="svc__C")]
        digests = SettingDigests(method, factors)
        assert [digests.at({"C": c}) for c in (1, 2)] == [method_at(method, factors, {"C": c}).digest() for c in (1, 2)]

    @pytest.mark.parametrize("estimator", [Rounding(), Careful()])
    def test_parameters_that_a_class_changes_are_set_each_time(self, estimator, slow):
        method, factors = Method("own", estimator, version="1"), [Factor("size", linear=(1.0, 9.0))]
        digests = SettingDigests(method, factors)
        sizes = (2, 2.6, 3, 3.2)
        assert [digests.at({"size": s}) for s in sizes] == [
            method_at(method, factors, {"size": s}).digest() for s in sizes
        ]
        assert len(slow) >= 4

    def test_without_factors_it_is_the_method(self):
        assert SettingDigests(Method("svm", SVC()), []).at({}) == Method("svm", SVC()).digest()


def test_the_hash_is_that_of_the_text():
    form = {"b": [1, 0.5], "a": None}
    assert canonical_text(form) == '{"a":null,"b":[1,0.5]}'
    assert digest(form) == text_digest('{"a":null,"b":[1,0.5]}')
