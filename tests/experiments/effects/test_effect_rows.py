"""Effects one by one."""

import pytest
from made_effects import THREE, planted, results, two_by_two

from fairtrial.experiments.effects.factor_effects import simple_effects


class TestEffectRows:
    def test_an_effect_that_hurts_goes_the_other_way(self):
        found = results(lambda s: -0.03 * (s["depth"] == 12), {"depth": [3, 12]}).effects()
        (row,) = found.rows
        assert (row.spans, row.helps) == ((("3", "12"),), (0, 0, 12))
        turned = row.improving()
        assert (turned.spans, turned.helps) == ((("12", "3"),), (12, 0, 0))
        assert turned.interval.low == -row.interval.high

    def test_decisions(self):
        found = results(planted, THREE).effects(smallest_difference=0.01)
        decided = {row.name: row.decision for row in found.rows}
        assert decided["depth"] == "better by more than matters"
        assert decided["kind"] == "equivalent"


class TestSimpleEffects:
    def test_by_hand(self):
        # at rate 0.1: 0.74 - 0.70; at rate 1: 0.82 - 0.72
        found = two_by_two(6).effects()
        row = next(r for r in found.rows if r.name == "depth × rate")
        known = {f.name: f for f in found.varied}
        assert simple_effects(row, known, found.settings, found.scores, 0.07) == pytest.approx((0.04, 0.10))
        # without settings at the ends: the main effect less and plus the interaction, 0.07 ∓ 0.03
        assert simple_effects(row, known, [], found.scores, 0.07) == pytest.approx((0.04, 0.10))
