"""A few data sets, each judged by itself."""

from __future__ import annotations

import numpy as np
import pandas as pd
from made_scores import CLEAR, few_datasets, folds, table, texts

from fairtrial.results import read_scores


class TestOnEachDataset:
    def test_each_is_judged_by_itself(self):
        verdict = few_datasets().verdict()
        assert verdict.rule == "several methods, few data sets"
        assert list(verdict.parts) == ["d0", "d1", "d2"]
        assert verdict.finding.sentences == (
            "a has the highest accuracy on d0 and d1.",
            "On d2 no method beats all others.",
        )
        assert verdict.winner is None
        assert "6 data sets or more" in verdict.finding.next_steps[0]

    def test_these_data_sets_without_known_splits(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(domains="these")
        assert "such as these 12" in verdict.sentence
        assert "asked about each of these data sets" in texts(verdict)

    def test_these_data_sets_only(self):
        verdict = few_datasets(7).verdict(domains="these")
        assert list(verdict.parts) == [f"d{i}" for i in range(7)]
        assert verdict.finding.next_steps == ()

    def test_against_a_control(self):
        verdict = few_datasets().verdict(control="b")
        assert verdict.sentence == (
            "Against b in accuracy, data set by data set: a better on 2 of 3; c worse on 3 of 3."
        )
        assert verdict.to_table().rows[0][3] == "better"

    def test_nobody_wins(self):
        same = 0.8 + np.random.default_rng(0).normal(0, 0.01, (2, 10))
        parts = [folds({"a": same[0], "b": same[1]}, f"d{i}") for i in range(2)]
        verdict = read_scores(pd.concat(parts), measure="accuracy", resampling="10-fold").verdict()
        assert verdict.sentence == "On none of these 2 data sets does one method beat the other in accuracy."
