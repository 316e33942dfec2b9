"""The waterfall of an ablation."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import ablation_figure, ablation_steps, ablation_view
from fairtrial.results import read_scores

LEVELS = {"model": ["tree", "boosting"], "tuning": ["no", "yes"], "encoding": ["none", "target"]}


def planted(setting):
    return 0.02 * (setting["tuning"] == "yes") - 0.008 * (setting["encoding"] == "target")


def made(*, measure="accuracy", datasets=12, sign=1):
    """Scores of all combinations of the levels."""
    random = np.random.default_rng(4)
    settings = [dict(zip(LEVELS, each, strict=True)) for each in itertools.product(*LEVELS.values())]
    place = {"replicate": 0, "repeat": 0, "fold": 0, "measure": measure}
    rows = [
        {"dataset": f"d{i}", "method": "m", **s, **place, "value": 0.6 + sign * planted(s) + random.normal(0, 0.003)}
        for i in range(datasets)
        for s in settings
    ]
    return read_scores(pd.DataFrame(rows).assign(n_train=90, n_test=10, status="ok"), measure=measure)


class TestSteps:
    def test_each_begins_where_the_last_ends(self):
        found = made().ablation()
        data = ablation_steps(found)
        assert [step.name for step in data.steps][:2] == ["tuning", "encoding"]
        assert data.steps[0].start == data.base.end
        for before, after in zip(data.steps, data.steps[1:], strict=False):
            assert after.start == before.end
        assert data.steps[-1].end == pytest.approx(data.whole.end)
        assert [(s.improves, s.shown) for s in data.steps[:2]] == [(True, True), (False, True)]
        tuning = found.found.parts.intervals[1]
        assert data.steps[0].high == pytest.approx(data.base.end + tuning.high)

    def test_lower_is_better(self):
        data = ablation_steps(made(measure="error_rate", sign=-1).ablation())
        assert data.steps[0].end < data.steps[0].start
        assert data.steps[0].improves
        assert "lower is better" in data.label

    def test_ratios(self):
        data = ablation_steps(made(measure="rmse").ablation())
        assert data.log
        assert data.steps[0].end / data.steps[0].start == pytest.approx(1.02 / 1.0, abs=0.02)

    def test_without_intervals(self):
        data = ablation_steps(made(datasets=2).ablation())
        assert all(math.isnan(step.low) for step in data.steps)
        assert "each of 2 data sets is judged by itself" in data.remarks[1]
        assert json.loads(json.dumps(data.to_dict()))["base"]["name"] == "tree"


class TestDrawing:
    def test_all_is_inside(self, drawn_whole):
        shown = drawn_whole(ablation_figure(made().ablation()))
        assert {"tree", "tuning", "boosting + tuning + encoding (target)"} <= set(shown)
        assert "accuracy (higher is better)" in shown

    def test_of_results(self, drawn_whole):
        view = ablation_view(made(), measure="accuracy", methods=["m"])
        assert "together" in view.words
        assert drawn_whole(view.figure)
        with pytest.raises(InputError, match="name one method, got 2"):
            ablation_view(made(), methods=["m", "n"])
