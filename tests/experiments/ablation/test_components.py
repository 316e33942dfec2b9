"""The components whose advantage is divided."""

import pytest
from made_effects import THREE, TWO, results

from fairtrial.errors import InputError, UnknownName
from fairtrial.experiments.ablation.ablation import Component, chosen_components
from fairtrial.experiments.effects.effect_evidence import gather_settings

PIPELINE = {"model": ["tree", "boosting"], "tuning": [False, True], "scaling": ["none", "standard"]}


def flat(_setting):
    return 0.0


def chosen(levels, components=None, **more):
    found = results(flat, levels, datasets=6, **more)
    return chosen_components(found, gather_settings(found), components)


class TestWords:
    def test_what_is_off_is_left_out(self):
        found = chosen(PIPELINE)
        assert found.whole == "boosting + tuning + scaling (standard)"
        assert found.base == "tree"
        assert found.combination([False, True, False]) == "tree + tuning"

    def test_numbers_have_the_name_of_their_factor(self):
        assert chosen(TWO).whole == "depth 12 + rate 1"

    def test_a_base_without_anything(self):
        found = chosen({"a": ["off", "on"], "b": ["no", "yes"]})
        assert (found.whole, found.base) == ("a + b", "m without them")

    def test_methods(self):
        assert Component("method", "a", "b", ("a", "b")).title == "the method itself"


class TestChosen:
    def test_the_first_level_is_the_base(self):
        found = chosen(THREE)
        assert [(c.name, c.base, c.whole) for c in found.components] == [
            ("depth", 3, 12), ("rate", 0.1, 1), ("kind", "a", "b"),
        ]  # fmt: skip
        assert found.columns == (0, 7)
        assert found.design["rate"] == [0, 0, 1, 1, 0, 0, 1, 1]

    def test_two_levels_of_three(self):
        levels = {"depth": [3, 6, 12], "kind": ["a", "b"]}
        found = chosen(levels, {"depth": (12, 3), "kind": ("a", "b")})
        assert found.settings == (0, 1, 4, 5)
        assert found.design["depth"] == [1, 1, 0, 0]
        with pytest.raises(InputError, match=r"two levels, but depth has 3 \(3, 6 and 12\); name .* components="):
            chosen(levels)

    def test_a_name_alone(self):
        assert chosen({"depth": [3, 12], "kind": ["a"]}, "depth").components[0].whole == 12


class TestRefused:
    def test_other_factors_must_not_vary(self):
        with pytest.raises(InputError, match=r"needs one level of every other factor, but rate has several; .*at\)"):
            chosen(TWO, ["depth"])

    def test_names_and_levels(self):
        with pytest.raises(UnknownName, match="did you mean 'depth'"):
            chosen(TWO, ["dept"])
        with pytest.raises(UnknownName, match="level of depth"):
            chosen(TWO, {"depth": (3, 99), "rate": (0.1, 1)})
        with pytest.raises(InputError, match="two different levels, got 3 twice"):
            chosen(TWO, {"depth": (3, 3), "rate": (0.1, 1)})
        with pytest.raises(InputError, match=r"two levels, of the base and of the whole, got \(3,\)"):
            chosen(TWO, {"depth": (3,), "rate": (0.1, 1)})
        with pytest.raises(InputError, match="components must be names of factors"):
            chosen(TWO, 7)

    def test_no_factors(self):
        with pytest.raises(InputError, match="an ablation needs factors with two levels"):
            chosen({"depth": [3]})
