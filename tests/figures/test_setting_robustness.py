"""The mean of each setting against its worst quarter."""

import json

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import robust_points, robust_setting_figure, robust_setting_view
from fairtrial.results import read_scores


def made(bold=0.03):
    """Depth 9 gains ``bold``, and loses 0.1 on every fourth data set."""
    random = np.random.default_rng(4)
    place = {"replicate": 0, "repeat": 0, "fold": 0, "measure": "accuracy"}
    score = {1: 0.0, 5: 0.02, 9: bold}
    rows = [
        {"dataset": f"d{i}", "method": "m", "depth": d, **place,
         "value": 0.7 + score[d] - 0.05 * (d == 9 and i % 4 == 0) + random.normal(0, 0.001)}
        for i in range(12) for d in score
    ]  # fmt: skip
    return read_scores(pd.DataFrame(rows).assign(n_train=90, n_test=10, status="ok"), measure="accuracy")


class TestPoints:
    def test_a_point_for_each_setting(self):
        found = made(bold=0.04).robust_setting()
        data = robust_points(found)
        assert [p.name for p in data.points] == ["depth 1", "depth 5", "depth 9"]
        assert (data.chosen, data.best_mean) == (1, 2)
        assert data.points[2].worst == pytest.approx(found.found.values["worst quarter"][2])
        assert json.loads(json.dumps(data.to_dict()))["chosen"] == 1


class TestDrawing:
    def test_two_settings_are_named(self, drawn_whole):
        shown = drawn_whole(robust_setting_figure(made(bold=0.04).robust_setting()))
        assert "recommended by worst quarter: depth 5" in shown
        assert "best mean: depth 9" in shown

    def test_one_setting_is_both(self, drawn_whole):
        view = robust_setting_view(made(bold=0.0), methods=["m"])
        assert "recommended, also the best mean: depth 5" in drawn_whole(view.figure)
        with pytest.raises(InputError, match="name one method, got 2"):
            robust_setting_view(made(), methods=["m", "n"])
