"""One method: its level on one data set, over several data sets, and of one fixed model."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from made_scores import NOISE, folds, table

from fairtrial import stats
from fairtrial.results import read_predictions, read_scores

SCALES = np.array([1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4])


class TestEstimateOnOne:
    def test_one_method(self):
        verdict = read_scores(folds({"a": 0.8 + NOISE[:10, 0]}), measure="accuracy", resampling="10-fold").verdict()
        assert re.fullmatch(
            r"a has a mean accuracy of 0\.8\d* \[0\.\d+, 0\.\d+\] on iris\.|.*0\.79.*", verdict.sentence
        )
        assert verdict.winner is None

    def test_no_interval_leaves_the_range(self):
        frame = folds({"a": [1, 1, 0.9, 1, 1, 1, 1, 0.9, 1, 0.8]})
        verdict = read_scores(frame, measure="accuracy", resampling="10-fold").verdict()
        assert verdict.to_table().rows[0][2][1] == 1.0


class TestEstimateOverDatasets:
    def test_one_method(self):
        verdict = read_scores(table({"a": SCALES}), measure="rmse").verdict()
        assert verdict.sentence.startswith("a has a geometric mean rmse of 3.162 [")


class TestEstimateOnInstances:
    def test_one_model_gets_wilsons_interval(self, fixed_models):
        verdict = read_predictions(fixed_models[["y", "a"]]).verdict()
        wilson = stats.proportion_interval(97, 100)
        assert f"is 0.970 [{wilson.low:.3f}, {wilson.high:.3f}]." in verdict.sentence
        assert verdict.test_details == ("Wilson interval over 100 instances",)

    def test_one_model_and_its_area(self):
        shown = pd.DataFrame({"y": [0, 0, 1, 0, 1, 1], "a": [0.1, 0.3, 0.2, 0.4, 0.8, 0.9]})
        verdict = read_predictions(shown).verdict("auc")
        found = stats.auc_interval(shown["y"], shown["a"])
        assert f"is 0.778 [{found.low:.3f}, {found.high:.3f}]." in verdict.sentence
