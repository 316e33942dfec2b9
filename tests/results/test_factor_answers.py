"""Questions about factors that results answer."""

import itertools

import pandas as pd
import pytest

from fairtrial.errors import UnknownName
from fairtrial.results import read_scores


def made():
    """A 2 × 2 of settings on seven data sets, with two measures."""
    rows = [
        {"dataset": f"d{i}", "method": "m", "depth": d, "tuning": t, "replicate": 0, "repeat": 0, "fold": 0,
         "measure": measure, "value": 0.5 + d / 100 + (t == "on") * (i + 1) / 90, "n_train": 9, "n_test": 9,
         "status": "ok"}
        for i, d, t, measure in itertools.product(range(7), (2, 9), ("off", "on"), ("accuracy", "auc"))
    ]  # fmt: skip
    return read_scores(pd.DataFrame(rows))


class TestFactorAnswers:
    def test_arguments_replace_parts_of_the_question(self):
        found = made().ablation("auc", smallest_difference=0.05, level=0.9)
        assert found.measure.name == "auc"
        assert (found.question.level, found.question.delta) == (0.9, 0.05)
        assert found.found.level == 0.9
        assert made().effects("auc", level=0.9).question.level == 0.9

    def test_components_and_one_method(self):
        found = made().at(depth=9).ablation(components={"tuning": ("on", "off")}, method="m")
        assert found.found.advantage.estimate < 0
        with pytest.raises(UnknownName):
            made().ablation(method="n")
