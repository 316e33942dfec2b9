"""What figures of experiments ask of results."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from fairtrial.errors import InputError
from fairtrial.figures.factors import effect_inputs as inputs
from fairtrial.stats import effects_over_datasets, lenth

SIZES = [9.0, 1.0, -1.5, 2.0, 0.5, -1.0, 1.2]


class TestEffectsOf:
    def test_of_lenth(self):
        # median size 1.2, s0 = 1.8; sizes below 4.5: .5 1 1 1.2 1.5 2, median 1.1; the error is 1.65
        found = lenth(SIZES, names="ABCDEFG")
        first, second, *_ = inputs.effects_of(found)
        assert found.error == pytest.approx(1.65)
        assert (first.name, first.estimate, first.active, second.active) == ("A", 9.0, True, False)
        assert (first.low, first.high) == pytest.approx((9 - found.joint_margin, 9 + found.joint_margin))

    def test_of_effects_over_datasets(self):
        found = effects_over_datasets([[0.02 + i / 1000, (-1) ** i * 0.01] for i in range(8)], names=["depth", "rate"])
        depth, rate = inputs.effects_of(found)
        assert (depth.low, depth.high) == (found.intervals[0].low, found.intervals[0].high)
        assert (depth.active, rate.active) == (True, False)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"effects must be an Effects or a Lenth of fairtrial\.stats, got a list"):
            inputs.effects_of(SIZES)


def test_effects_without_estimates_are_named():
    effects = [inputs.NamedEffect(name, math.nan, math.nan, math.nan, active=False) for name in "ABCDEFG"]
    assert inputs.undefined_in_words(effects[:2]) == "not estimated: A and B"
    assert inputs.undefined_in_words(effects) == "not estimated: A, B, C, D and 3 others"
    assert inputs.undefined_in_words([inputs.NamedEffect("A", 1.0, 0.0, 2.0, active=True)]) == ""


class TestExperiment:
    def test_it_asks_for_what_is_given(self, stand_in):
        results = stand_in()
        assert inputs.experiment_of(results, "auc", "vote", ["forest"]) is results.made
        inputs.experiment_of(results, None, None, None)
        assert results.asked == [("auc", "forest", "vote"), (None, None, None)]

    def test_terms_that_are_active(self, stand_in):
        assert inputs.active_terms(stand_in().made) == {"depth", "depth × rate"}

    def test_words(self, stand_in):
        made = stand_in().made
        assert inputs.place_of(made) == "mean over 8 data sets"
        assert inputs.measure_in_words(made) == "accuracy (higher is better)"
        assert inputs.affected(made) == "accuracy"
        assert inputs.affected(stand_in(as_ratio=True).made) == "the logarithm of accuracy"
        assert inputs.levels_in_order(made)["rate"] == [0.1, 0.3]
        assert inputs.place_of(stand_in("one split").made) == "on one split, which says nothing about others"

    def test_only_data_sets_have_intervals(self, stand_in):
        found = stand_in(n=6).made
        assert inputs.has_intervals(found)
        found.kind = "on splits"
        assert not inputs.has_intervals(found)
        found.kind, found.units = "over data sets", found.units[:5]
        assert not inputs.has_intervals(found)

    def test_says_what_was_wrong(self, stand_in):
        with pytest.raises(InputError, match="effects are those of one method, or of all: name one method, got 2"):
            inputs.experiment_of(stand_in(), None, None, ["a", "b"])
        with pytest.raises(InputError, match="these results have no effects of factors"):
            inputs.experiment_of(SimpleNamespace(), None, None, None)
