"""Factors in a linear model."""

import pytest
from made_effects import nothing, results

from fairtrial.experiments.effects.effect_factors import VariedFactor, fits, model_of


class TestVariedFactor:
    def test_ranges_are_coded_on_their_scale(self):
        assert VariedFactor("C", (1, 10, 100), "log", (1, 100)).coded(10) == 0
        assert VariedFactor("n", (1, 51, 101), "linear", (1, 101)).coded(26) == -0.5
        assert VariedFactor("label_noise", (0, 0.2)).coded(0.2) == "20 %"

    def test_spans(self):
        assert VariedFactor("d", (1, 2, None)).spans()["d (None − 2)"] == ("2", "None")
        assert VariedFactor("d", (1, 2)).spans()["d"] == ("1", "2")
        assert VariedFactor("C", (1, 10), "log", (0.1, 100.0)).spans() == {"C": ("0.1", "100")}


class TestVariedFactors:
    def test_numbers_rise_and_texts_keep_their_order(self):
        found = results(nothing, {"n": [10, 9], "kind": ["z", "a"]}).effects().varied
        assert [f.levels for f in found] == [(9, 10), ("z", "a")]

    def test_many_numbers_without_a_declaration_are_a_range(self):
        wide = [0.01, 0.1, 1, 10, 100, 1000]
        (found,) = results(nothing, {"C": wide}).effects().varied
        assert (found.scale, found.ends) == ("log", (0.01, 1000.0))
        (found,) = results(nothing, {"C": [1, 2, 3, 4, 5, 6]}).effects().varied
        assert found.scale == "linear"


class TestModelOf:
    def test_one_at_a_time_shows_main_effects_only(self):
        factors = (VariedFactor("a", (0, 1)), VariedFactor("b", (0, 1)))
        settings = [{"a": 0, "b": 0}, {"a": 1, "b": 0}, {"a": 0, "b": 1}]
        model = model_of(factors, settings, interactions=2, against="all")
        assert [c.name for c in model.contrasts] == ["a", "b"]
        found = model.values([[0.5, 0.7, 0.4]])
        assert found.values[0].tolist() == pytest.approx([0.2, -0.1])


class TestFits:
    def test_absent_factors_fit_no_level(self):
        assert fits({"a": 1, "b": None}, {"b": None})
        assert not fits({"a": 1}, {"b": None})
