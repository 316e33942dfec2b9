"""Held-back against searched rows as data; then that they are drawn."""

import math

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.experiments import Confirmation
from fairtrial.experiments.effects.effect_factors import VariedFactor
from fairtrial.figures import confirmation_data, confirmation_figure
from fairtrial.measures import get
from fairtrial.stats import Interval

FACTORS = tuple(VariedFactor(name, (1, 5, 9), "linear", (1.0, 9.0)) for name in "kp")


def confirmation(low=0.85, high=0.95):
    points = np.array([(-1.0, 0.0), (0.0, 0.0), (1.0, 0.0)])
    return Confirmation({"k": 5, "p": 2}, Interval("height", 0.9, low, high), 0.88, {"iris": 0.88},
                        np.array([0.8, 0.92, 0.85]), np.array([0.78, 0.87, 0.83]), get("accuracy"), points,
                        FACTORS)  # fmt: skip


class TestConfirmation:
    def test_points_by_hand(self):
        data = confirmation_data(confirmation())
        assert data.runs[data.best] == (0.92, 0.87)
        assert data.predicted == (0.85, 0.9, 0.95)
        assert data.to_dict()["confirmed"] == 0.88

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"surface.confirm\(…\)"):
            confirmation_data(None)

    @pytest.mark.slow
    @pytest.mark.parametrize("ends", [(0.85, 0.95), (math.nan, math.nan)])
    def test_drawn(self, drawn_whole, ends):
        texts = drawn_whole(confirmation_figure(confirmation(*ends)))
        assert any("rows held back" in text for text in texts)
