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
        assert [part.winner for part in verdict.parts.values()] == ["a", "a", None]
        assert [row[-1] for row in verdict.to_table().rows] == ["best", "best", "or a"]
        assert verdict.winner is None
        assert [step.action for step in verdict.next_steps] == ["more data"]

    def test_all_are_one_family(self):
        verdict = few_datasets().verdict()
        assert {part.compared.tests.family for part in verdict.parts.values()} == {9}  # 3 pairs on 3 data sets
        assert {part.compared.family for part in verdict.parts.values()} == {"best"}
        alone = few_datasets(1).verdict().finding.comparisons
        assert verdict.parts["d0"].comparisons.p_adjusted[2] > alone.p_adjusted[2]

    def test_these_data_sets_without_known_splits(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(domains="these")
        assert (verdict.winner, verdict.parts) == ("high", {})
        assert "asked about each of these data sets" in texts(verdict)

    def test_these_data_sets_only(self):
        verdict = few_datasets(7).verdict(domains="these")
        assert list(verdict.parts) == [f"d{i}" for i in range(7)]
        assert verdict.next_steps == ()

    def test_against_a_control(self):
        verdict = few_datasets().verdict(control="b")
        keys = [c.key for c in verdict.to_table().columns]
        marks = [(row[keys.index("a is")], row[keys.index("c is")]) for row in verdict.to_table().rows]
        assert marks == [("better", "worse"), ("better", "worse"), ("", "worse")]
        assert {part.compared.family for part in verdict.parts.values()} == {"control"}

    def test_nobody_wins(self):
        same = 0.8 + np.random.default_rng(0).normal(0, 0.01, (2, 10))
        parts = [folds({"a": same[0], "b": same[1]}, f"d{i}") for i in range(2)]
        verdict = read_scores(pd.concat(parts), measure="accuracy", resampling="10-fold").verdict()
        assert [part.winner for part in verdict.parts.values()] == [None, None]
        assert (verdict.winner, [row[-1] for row in verdict.to_table().rows]) == (None, ["", ""])
