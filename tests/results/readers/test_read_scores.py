"""read_scores: the shapes that people really have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reader_examples import WIDE, wide_of

from fairtrial.results import COLUMNS, read_scores

GOLDEN = Path(__file__).parents[2] / "golden"  # demsar_2006_table6.csv: Demšar 2006, JMLR 7:1-30, Table 6


class TestWide:
    def test_by_hand(self, write):
        results = read_scores(write(WIDE), measure="accuracy")
        assert results.dataset_names() == ("iris", "wine", "glass")
        assert results.method_names() == ("forest", "bayes")
        assert wide_of(results).loc["glass", "bayes"] == 0.5
        assert tuple(results.scores.columns) == COLUMNS
        assert not results.dependence["iris"].known
        assert results.failures.empty

    def test_demsar(self):
        results = read_scores(GOLDEN / "demsar_2006_table6.csv", measure="auc")
        assert len(results.dataset_names()) == 14
        assert wide_of(results).loc["adult (sample)", "C4.5+m+cf"] == 0.798

    def test_garcia_herrera(self, shared_table):
        results = read_scores(shared_table("garcia_herrera_2008.csv"), measure="accuracy")
        assert (len(results.dataset_names()), len(results.method_names())) == (30, 5)

    def test_whole_numbers_may_name_data_sets(self, write):
        results = read_scores(write("task,forest,bayes\n3,0.95,0.9\n31,0.9,0.8\n"), measure="accuracy")
        assert results.dataset_names() == ("3", "31")

    def test_a_single_repeat_is_no_method(self, write):
        results = read_scores(write("dataset,run,a,b\niris,0,0.9,0.8\nwine,0,0.9,0.6\n"), measure="accuracy")
        assert results.method_names() == ("a", "b")


class TestFailures:
    def test_automl_benchmark(self, shared_table):
        path = shared_table("amlb2019_1h_all_results_RAW.csv")
        named = {"dataset": "task", "method": "framework", "fold": "fold"}
        results = read_scores(path, value="result", higher_is_better=True, **named)
        assert len(results.method_names()) == 7
        assert "autoweka" in set(results.failures["method"])
        assert len(read_scores(path, value="auc", measure="auc", **named).dataset_names()) == 20  # of two classes
        assert read_scores(path, measure="auc").scores["repeat"].nunique() == 1  # a seed per row numbers no repeats


@pytest.mark.slow
@settings(max_examples=8)
@given(
    st.integers(2, 4).flatmap(
        lambda k: st.lists(st.lists(st.integers(0, 50), min_size=k, max_size=k), min_size=6, max_size=9)
    ),
    st.randoms(use_true_random=False),
)
def test_wide_and_long_give_the_same_verdict(rows, random):
    wide = pd.DataFrame(np.asarray(rows) / 50, columns=[f"m{j}" for j in range(len(rows[0]))])
    wide.insert(0, "dataset", [f"d{i}" for i in range(len(rows))])
    long = wide.melt(id_vars="dataset", var_name="method", value_name="value")
    first = read_scores(wide, measure="accuracy").verdict()
    second = read_scores(long, measure="accuracy").verdict()
    assert str(first) == str(second)
