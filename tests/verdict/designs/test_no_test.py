"""Where no test is possible, it says why."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from made_scores import BASE, folds, table

from fairtrial.results import read_predictions, read_scores

FIVE = {f"m{j}": [0.9 - 0.01 * j + 0.001 * (i * j % 3) for i in range(5)] for j in range(7)}  # m0 best everywhere


class TestDescribeOnly:
    def test_unknown_folds_allow_no_test(self):
        verdict = read_scores(folds({"a": BASE[:10], "b": BASE[:10] + 0.1}), measure="accuracy").verdict()
        assert verdict.rule == "too little is known"
        assert verdict.finding.order == ("b", "a")
        assert (
            "1 data set is too few to compare over, and the split scheme of the scores is unknown" in verdict.sentence
        )
        assert verdict.test == "none"
        assert (verdict.winner, verdict.finding.compared, verdict.finding.best) == (None, None, ())

    def test_one_score_each(self):
        verdict = read_scores(table({"a": [0.9, 0.8], "b": [0.7, 0.6]}), measure="accuracy").verdict()
        few = "2 data sets are too few to compare pairs over (signed ranks give no p below 0.500)"
        assert f"{few}, and one score per method and data set has no spread" in verdict.sentence
        assert "(0.850, ahead of b by 0.200), and the higher accuracy on 2 of 2 data sets" in verdict.sentences[1]

    def test_fixed_models_on_several_test_sets(self):
        y = [0, 1] * 30
        frame = pd.DataFrame({"dataset": ["u", "v", "w"] * 20, "y": y, "a": y, "b": [0] * 60})
        verdict = read_predictions(frame, truth="y").verdict("accuracy")
        assert verdict.rule == "too little is known"
        assert "without spread" not in verdict.sentence  # 60 instances have one
        assert "fixed models are compared by the instances of one test set" in verdict.sentence


class TestFriedmanOfFewDataSets:
    """Five data sets can't tell pairs apart, but they may show that not all methods are equal."""

    def test_not_all_are_equal(self):
        verdict = read_scores(table(FIVE), measure="accuracy").verdict()
        assert verdict.sentence.startswith(
            "These 7 methods are not all equal in accuracy on data sets such as these 5 (Friedman, p"
        )
        few = "5 data sets are too few to compare pairs over (signed ranks give no p below 0.0625)"
        assert f"but which of them differ is open: {few}" in verdict.sentence
        assert verdict.omnibus.p_value < 0.001
        assert (verdict.test, len(verdict.test_details)) == ("none of pairs", 1)
        assert (verdict.winner, verdict.finding.best, verdict.finding.pairs) == (None, (), ())

    def test_where_it_does_not_show_that_all_is_open(self):
        # by hand: ranks 1 2 3, 2 3 1, 3 1 2: equal mean ranks, chi-square 0
        scores = {"a": [0.9, 0.8, 0.7], "b": [0.8, 0.7, 0.9], "c": [0.7, 0.9, 0.8]}
        verdict = read_scores(table(scores), measure="accuracy").verdict()
        assert verdict.sentence.startswith(
            "No difference in accuracy is shown between these 3 methods (Friedman, p = 1.000), which is no sign"
        )
        assert (verdict.omnibus.statistic, verdict.omnibus.p_value) == (0.0, pytest.approx(1.0))

    def test_methods_are_rows_where_they_are_more(self):
        shown = read_scores(table(FIVE), measure="accuracy").verdict().to_table()
        assert [c.title for c in shown.columns[:4]] == ["method", "mean", "mean rank", "d0"]
        assert [row[0] for row in shown.rows] == list(FIVE)
        assert shown.rows[0][1:3] == (pytest.approx(0.9), 1.0)

    def test_the_number_of_data_sets_for_all_pairs(self):
        # 21 pairs: 21 · 2^(1−n) < 0.05 from n = 10 on (0.041; 0.082 at 9)
        [step] = read_scores(table(FIVE), measure="accuracy").verdict().next_steps
        assert step.action == "bring"
        assert str(step.words).endswith("or 6 or more data sets (10 or more for all 21 pairs together)")

    def test_ratios_name_the_next_method(self):
        # geometric means: a sqrt(1 · 100) = 10, b sqrt(2 · 98) = 14, c sqrt(3 · 300) = 30
        scores = {"a": [1.0, 100.0], "b": [2.0, 98.0], "c": [3.0, 300.0]}
        verdict = read_scores(table(scores), measure="rmse").verdict()
        assert math.isclose(math.sqrt(100) / math.sqrt(196), 0.714, abs_tol=5e-4)
        assert "(10.00; 0.714 times that of b, which is next)" in verdict.sentences[1]
        assert "on 1 of 2 data sets" in verdict.sentences[1]

    def test_equal_digits_are_no_lead(self):
        scores = {"a": [0.90001, 0.8], "b": [0.9, 0.5], "c": [0.4, 0.3]}
        sentence = read_scores(table(scores), measure="accuracy").verdict().sentences[1]
        assert sentence.endswith("on 2 of 2 data sets (on 1 of them with another that has the same digits).")
