import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial import stats
from fairtrial.errors import InputError

PILOT = np.array([[0.020, 0.004], [0.031, -0.002], [0.012, 0.010], [0.025, 0.001], [0.018, 0.007]])
effect_power = stats.effect_power


class TestEffectPower:
    def test_by_hand(self):
        # two effects: level 0.975; sd of 1, 2, 3 is 1, so that an effect of 1 is one standard deviation
        found = effect_power([[1, 0], [2, 10], [3, 20]], smallest=1.0)
        assert found.spread == pytest.approx((1, 10))
        assert found.needed[0] == stats.sample_size("wilcoxon", effect=1.0, level=0.975).n
        # the upper 80 % bound with 2 degrees of freedom: R 4.2.2: sqrt(2 / qchisq(0.2, 2)) = 2.116936
        assert found.spread_up_to[0] == pytest.approx(2.116936, rel=1e-6)

    def test_against_r(self):
        # R 4.2.2: power.t.test(delta = 1, sd = 1, sig.level = .05, power = .8, type = "one.sample", strict = TRUE)$n is
        # 9.93785; over 3/pi, Wilcoxon's relative efficiency, 10.407: 11 data sets
        assert effect_power([[1], [2], [3]], smallest=1.0).needed == (11.0,)

    def test_splits_have_the_corrected_variance(self):
        found = effect_power(PILOT, smallest=0.01, test_share=0.1, overlap=1.75)
        share = 1.75 / 9 / (1 + 1.75 / 9)  # the share whose ratio of test to training size is 1.75 / 9
        expected = stats.sample_size(
            "corrected_t", effect=0.01 / PILOT[:, 1].std(ddof=1), level=0.975, test_share=share
        )
        assert found.needed[1] == expected.n
        assert found.unit == "split"

    def test_no_number_of_splits_is_enough(self):
        found = effect_power(PILOT, smallest=0.003, test_share=0.2)
        assert math.isnan(found.needed[0])
        assert "no number of splits reaches this power" in found.notes[0]

    @settings(max_examples=15, deadline=None)
    @given(st.floats(0.003, 0.02), st.floats(1.1, 3))
    def test_larger_effects_need_fewer_data_sets(self, smallest, times):
        less, more = (effect_power(PILOT, smallest=s).needed for s in (smallest * times, smallest))
        assert all(a <= b for a, b in zip(less, more, strict=True))

    def test_the_planned_power_is_reached(self):
        found = effect_power(PILOT[:, :1], smallest=0.01)
        random, n = np.random.default_rng(0), int(found.needed[0])
        runs = (random.normal(0.01, found.spread[0], n) for _ in range(400))
        power = np.mean([stats.wilcoxon(x, np.zeros(n), interval=False).p_value < 0.05 for x in runs])
        assert power > 0.8 - 3 * math.sqrt(0.16 / 400)

    def test_no_spread(self):
        assert effect_power([[1.0], [1.0]], smallest=1.0).needed == (6.0,)

    def test_prints(self):
        assert "data sets for power 0.8" in str(effect_power(PILOT, smallest=0.01))
        json.dumps(effect_power(PILOT, smallest=0.01).to_dict())

    @pytest.mark.parametrize(
        ("pilot", "more", "says"),
        [
            ([[1, 2]], {"smallest": 1.0}, "at least two data sets"),
            (PILOT, {"smallest": 0.0}, "smallest must be above 0"),
            (PILOT, {"smallest": 1.0, "power": 1.5}, "power must lie strictly between"),
            (PILOT, {"smallest": 1.0, "level": 2}, "level must lie"),
        ],
    )
    def test_says_what_is_wrong(self, pilot, more, says):
        with pytest.raises(InputError, match=says):
            effect_power(pilot, **more)
