"""Factors on methods: levels, ranges, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fairtrial import Factor
from fairtrial.definition import DefinedFactor
from fairtrial.design import RESERVED
from fairtrial.errors import InputError
from fairtrial.methods import canonical
from fairtrial.results.prediction_source import COLUMNS
from fairtrial.store import RESOURCES
from fairtrial.store.records import RECORDED


class TestFactor:
    def test_by_hand(self):
        log = Factor("C", log=(0.01, 100))
        assert [log.at(c) for c in (-1, 0, 1, 0.5)] == [0.01, 1.0, 100.0, 10.0]
        assert log.coded(10) == pytest.approx(0.5)
        linear = Factor("rate", linear=(0.1, 0.3))
        assert [linear.at(c) for c in (-1, 0, 1)] == [0.1, 0.2, 0.3]
        whole = Factor("trees", linear=(50, 501))
        assert [whole.at(c) for c in (-1, -0.001, 1)] == [50, 275, 501]
        assert all(isinstance(whole.at(c), int) for c in (-1, 0, 1))
        assert isinstance(Factor("trees", linear=(50.0, 500.0)).at(0.1), float)

    @given(st.floats(1e-6, 1e6), st.floats(1.01, 1e6), st.floats(-1, 1), st.booleans())
    def test_coded_and_back(self, low, times, coded, log):
        factor = Factor("x", **{"log" if log else "linear": (low, low * times)})
        level = factor.at(coded)
        assert low * (1 - 1e-9) <= level <= low * times * (1 + 1e-9)
        assert factor.at(factor.coded(level)) == pytest.approx(level, rel=1e-9)

    @pytest.mark.parametrize(
        ("factor", "kind"),
        [
            (Factor("a", [1, 2.5]), "numbers"),
            (Factor("a", [1, None]), "categories"),
            (Factor("a", [True, False]), "categories"),
            (Factor("a", ["low", "high"], ordered=True), "ordered levels"),
            (Factor("a", {"svm": SVC()}), "categories"),
            (Factor("a", linear=(0, 1)), "range"),
            (Factor("a", log=(1, 10)), "log range"),
        ],
    )
    def test_kinds(self, factor, kind):
        assert factor.kind == kind

    def test_values_of_names(self):
        factor = Factor("model", {"svm": SVC(), "none": "passthrough"}, of="pipe.model")
        assert factor.levels == ("svm", "none")
        assert isinstance(factor.value("svm"), SVC)
        assert factor.value("none") == "passthrough"
        assert Factor("depth", np.array([3, 6])).value(3) == 3

    def test_plain_data_have_what_is_not_by_default(self):
        assert Factor("depth", [3, None]).to_dict() == {"name": "depth", "levels": [3, None], "of": "depth"}
        whole = Factor("C", log=(1, 10), of="svm.C", when={"model": "svm"}, role="uncontrollable", ordered=True)
        assert whole.to_dict() == {
            "name": "C", "levels": [], "of": "svm.C", "log": [1, 10], "when": {"model": ["svm"]},
            "role": "uncontrollable", "ordered": True,
        }  # fmt: skip
        named = Factor("model", {"tree": DecisionTreeClassifier()}).to_dict()
        assert named["values"] == {"tree": canonical(DecisionTreeClassifier())}
        for made in (whole.to_dict(), named):
            assert DefinedFactor.from_dict(made).to_dict() == made
        assert DefinedFactor.from_dict(whole.to_dict()).shown == ("1–10",)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"name": ""}, "a factor's name must be a text"),
            ({"name": "value", "levels": [1]}, "must not be called 'value', which is a column"),
            ({"name": "a"}, "must have levels, or linear"),
            ({"name": "a", "levels": [1], "log": (1, 2)}, "one of them"),
            ({"name": "a", "levels": []}, "one or more, each once"),
            ({"name": "a", "levels": [1, 1.0]}, "each once as text"),
            ({"name": "a", "levels": [1, "1"]}, "each once as text"),
            ({"name": "a", "levels": "abc"}, "must be a list of values"),
            ({"name": "a", "levels": 3}, "must be a list of values"),
            ({"name": "a", "levels": [SVC()]}, "name other values: levels="),
            ({"name": "a", "levels": [math.nan]}, "must be numbers, texts, true or false, or None, got nan"),
            ({"name": "a", "levels": {3: SVC()}}, "names of levels of a must be texts, got 3"),
            ({"name": "a", "linear": (2, 1)}, "linear of a must be two numbers, the lower one first"),
            ({"name": "a", "linear": (1, 1)}, "the lower one first"),
            ({"name": "a", "linear": "12"}, "linear of a must be two numbers"),
            ({"name": "a", "linear": 3}, "linear of a must be two numbers"),
            ({"name": "a", "linear": (0, math.inf)}, "linear of a must be two numbers"),
            ({"name": "a", "linear": (False, True)}, "linear of a must be two numbers"),
            ({"name": "a", "log": (0, 1)}, "log of a must be two numbers above 0"),
            ({"name": "a", "levels": [1], "of": ""}, "of must be a parameter"),
            ({"name": "a", "levels": [1], "when": "svm"}, "when of a must name factors and levels"),
            ({"name": "a", "levels": [1], "when": {"b": []}}, "must have a level or a list of levels of b"),
            ({"name": "a", "levels": [1], "role": "noise"}, "role of a must be"),
            ({"name": "a", "levels": [1], "ordered": 1}, "ordered of a must be true or false"),
        ],
    )
    def test_says_what_was_wrong(self, given, message):
        with pytest.raises(InputError) as raised:
            Factor(**given)
        assert message in str(raised.value)

    def test_a_value_without_a_source_is_named(self):
        named = Factor("model", {"local": eval("lambda x: x")}).to_dict()
        assert named["values"]["local"] == {"version": "", "of": {"path": {"named": "<lambda>"}}}

    def test_listed_levels_have_no_code(self):
        with pytest.raises(InputError, match="has listed levels and no range"):
            Factor("a", [1, 2]).at(0)

    def test_no_factor_is_called_like_a_column_of_results(self):
        frames = {*COLUMNS, *RECORDED, *RESOURCES, "trial", "split", "instance", "truth"}
        assert frames - {"levels"} <= RESERVED
