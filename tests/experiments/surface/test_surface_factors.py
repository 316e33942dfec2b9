"""The factors of a response surface."""

import math

import numpy as np
import pytest

from fairtrial.experiments.effects.effect_factors import VariedFactor
from fairtrial.experiments.surface.surface_factors import _is_log, natural_range, setting_at

DEPTH = VariedFactor("depth", (2, 6, 12), "linear", (2.0, 12.0), whole=True)
RATE = VariedFactor("rate", (0.01, 0.1, 1.0), "log", (0.01, 1.0))


class TestScale:
    @pytest.mark.parametrize(
        ("levels", "log"),
        [([1, 2, 3], False), ([1, 10, 100], True), ([1, 50], False), ([1, 100], True), ([0, 1, 10], False),
         ([0.5, 1, 2, 4], True)],
    )  # fmt: skip
    def test_by_hand(self, levels, log):
        assert _is_log(np.array(levels, dtype=float)) is log


class TestSettings:
    def test_whole_numbers_stay_whole(self):
        assert setting_at([DEPTH, RATE], [0.1, -0.5]) == {"depth": 8, "rate": 0.03162}
        assert isinstance(setting_at([DEPTH], [0.1])["depth"], int)

    def test_an_undefined_point(self):
        assert math.isnan(setting_at([RATE], [math.nan])["rate"])

    def test_ranges(self):
        assert natural_range(RATE).log
        assert natural_range(DEPTH).natural(0) == 7
