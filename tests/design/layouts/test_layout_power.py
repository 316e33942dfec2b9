import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_axes import ranges

from fairtrial.design.layouts import Axis, BestGuess, Fractional, FullFactorial, effect_power, error_df, power_table
from fairtrial.errors import InputError


class TestEffectPower:
    def test_against_r(self):
        # R 4.2.2: c <- qt(.975, df); pt(-c, df, ncp) + 1 - pt(c, df, ncp)
        small, large = Fractional(runs=8).lay_out(ranges(5), seed=1), FullFactorial().lay_out(ranges(5), seed=1)
        assert effect_power(small, effect=2, sd=1)["C"] == pytest.approx(0.356795969228, rel=1e-9)
        assert effect_power(large, effect=2, sd=1)["C"] == pytest.approx(0.99974763942, rel=1e-9)
        laid = FullFactorial().lay_out(ranges(2), seed=1)
        assert effect_power(laid, effect=2, sd=1, replicates=2)["A"] == pytest.approx(0.622802674343, rel=1e-9)

    def test_listed_levels_against_r(self):
        # R 4.2.2: lm(y ~ A + K), vcov; K is judged by its least precise pair of levels
        rows = ((-1, 0), (1, 0), (0.5, 1), (-0.5, 1), (1, 2), (-1, 2), (0, 1))
        coded = BestGuess(rows).lay_out([Axis("A"), Axis("K", 3)], seed=1)
        found = effect_power(coded, effect=3, sd=1)
        assert found == pytest.approx({"A": 0.577332398769, "K": 0.532792607262}, rel=1e-9)

    def test_by_simulation(self):
        # 2^3, main effects: 4 degrees of freedom
        coded = FullFactorial().lay_out(ranges(3), seed=1)
        draw = np.random.RandomState(7)
        X = np.column_stack([np.ones(8), coded.rows])
        responses = coded.rows[:, 0] * 1.0 + draw.normal(size=(20_000, 8))  # an effect of 2
        coefficients = responses @ X / 8
        rest = responses - coefficients @ X.T
        t = coefficients[:, 1] / np.sqrt((rest**2).sum(axis=1) / 4 / 8)
        share = (np.abs(t) > 2.7764451052).mean()  # qt(.975, 4)
        assert effect_power(coded, effect=2, sd=1)["A"] == pytest.approx(share, abs=0.012)

    def test_no_effect_has_the_level_as_its_power(self):
        coded = FullFactorial().lay_out(ranges(3), seed=1)
        assert effect_power(coded, effect=0, sd=1, level=0.9)["A"] == pytest.approx(0.1)

    def test_without_error_runs_there_is_no_test(self):
        coded = Fractional(runs=8).lay_out(ranges(7), seed=1)
        assert error_df(coded) == 0
        assert all(math.isnan(p) for p in effect_power(coded, effect=1, sd=1).values())
        assert "there is no test" in power_table(coded, effect=1, sd=1).notes[0]
        assert not math.isnan(effect_power(coded, effect=1, sd=1, replicates=2)["A"])

    def test_what_can_not_be_estimated(self):
        coded = Fractional(runs=8).lay_out(ranges(4), seed=1)
        found = effect_power(coded, effect=1, sd=1, model="interactions", replicates=2)
        assert math.isnan(found["AB"])
        assert 0 < found["A"] < 1

    @given(st.floats(0.1, 5), st.floats(0.1, 5))
    def test_grows_with_the_effect_and_falls_with_the_error(self, effect, sd):
        coded = FullFactorial().lay_out(ranges(3), seed=1)
        power = effect_power(coded, effect=effect, sd=sd)["A"]
        assert power <= effect_power(coded, effect=effect * 1.5, sd=sd)["A"] + 1e-12
        assert power >= effect_power(coded, effect=effect, sd=sd * 1.5)["A"] - 1e-12

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ({"sd": 0}, "sd must be"),
            ({"sd": math.nan}, "sd must be"),
            ({"effect": math.inf}, "effect must be a finite number"),
            ({"effect": "large"}, "effect must be a finite number"),
            ({"replicates": 0}, "replicates must be a whole number"),
        ],
    )
    def test_errors(self, wrong, says):
        coded = FullFactorial().lay_out(ranges(2), seed=1)
        with pytest.raises(InputError, match=says):
            effect_power(coded, **{"effect": 1, "sd": 1, **wrong})

    def test_table(self):
        table = power_table(FullFactorial().lay_out(ranges(3), seed=1), effect=2, sd=1)
        assert table.rows[0][:2] == ("A", pytest.approx(2 / math.sqrt(8)))
        assert table.notes == ("two-sided t-tests at level 0.95 with 4 degrees of freedom",)
