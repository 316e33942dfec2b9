"""Averages over data sets."""

from __future__ import annotations

import numpy as np
import pytest
from fold_scores import folds_of

from fairtrial.result_tables.averages import average_of
from fairtrial.result_tables.score_cells import score_cells
from fairtrial.results import read_scores


def average(results):
    return average_of(results, score_cells(results))


def test_mean_of_a_verdict(two):
    assert average(two).means == pytest.approx([0.8, 0.6025, 0.6])
    assert average(two).means == pytest.approx(two.verdict().evidence.means.mean(axis=0))


def test_errors_without_a_scale_have_a_geometric_mean():
    results = read_scores(folds_of({"d": {"A": 2.0}, "e": {"A": 8.0}}), measure="rmse", resampling="5-fold")
    assert average(results).means == pytest.approx([4.0], rel=1e-6)
    words = next(average(results).in_words(score_cells(results)))
    assert words == "the geometric mean over data sets; nothing is tested on it"


def test_only_data_sets_with_all_scores_count_where_nothing_replaces_them():
    frame = folds_of({"d": {"A": 0.9, "B": 0.5}, "e": {"A": 0.6, "B": 0.7}})
    gone = (frame["dataset"] == "e") & (frame["method"] == "B")
    frame = frame.assign(value=frame["value"].where(~gone))
    results = read_scores(frame, measure="accuracy", resampling="5-fold")
    assert average(results).means == pytest.approx([0.9, 0.5])
    words = next(average(results).in_words(score_cells(results)))
    assert "1 of 2 data sets: not every method has a score on the others" in words
    filled = read_scores(frame, measure="accuracy", resampling="5-fold", baseline="A")
    assert average(filled).means == pytest.approx([0.75, 0.55])
    assert average(filled).failed == (False, True)


def test_a_method_without_any_score_has_no_average():
    frame = folds_of({"d": {"A": 0.9, "B": 0.5, "C": 0.6}})
    frame = frame.assign(value=frame["value"].astype(object).where(frame["method"] != "B", "oom"))
    means = average(read_scores(frame, measure="accuracy", resampling="5-fold")).means
    assert np.isnan(means).tolist() == [False, True, False]
