"""Yardsticks that the question gives: a number, or a level for each data set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from made_scores import folds, table

from fairtrial.design import Question
from fairtrial.results import read_scores
from fairtrial.verdict import gather
from fairtrial.verdict.yardsticks.given import beaten_in_words, beats_levels, given_yardsticks

A = np.array([0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74])
B = np.array([0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66])
PUBLISHED = np.array([0.80, 0.88, 0.75, 0.84, 0.89, 0.66, 0.70])
BY_NAME = {f"d{i}": float(v) for i, v in enumerate(PUBLISHED)}


def results(measure="accuracy", columns=None, **yardsticks):
    found = read_scores(table(columns or {"a": A, "b": B}), measure=measure)
    return replace(found, question=replace(found.question, yardsticks=yardsticks))


class TestBeatsLevels:
    def test_by_hand(self):
        # a is better than published on all seven: p = 1/128; b only on one
        assert beats_levels(gather(results()), PUBLISHED, 0.95) == ["b"]
        assert beats_levels(gather(results()), PUBLISHED, 0.995) == ["a", "b"]

    def test_against_scipy(self):
        # scipy 1.17: wilcoxon(alternative="greater")
        levels = A - np.array([0.03, 0.05, -0.01, 0.02, 0.06, -0.02, 0.04])
        p = scipy.stats.wilcoxon(A - levels, alternative="greater").pvalue
        one = gather(results(columns={"a": A}))
        assert beats_levels(one, levels, 1 - 1.01 * p) == []
        assert beats_levels(one, levels, 1 - 0.99 * p) == ["a"]

    def test_lower_is_better_and_ratios(self):
        times = np.array([1.0, 10, 100, 2, 20, 200, 5])
        evidence = gather(results("fit_time", {"a": times, "b": 3 * times}))
        assert beats_levels(evidence, 2 * times, 0.95) == ["b"]
        assert beats_levels(evidence, 0 * times, 0.95) is None  # no ratio to 0

    def test_families_are_one_piece_of_evidence(self):
        # seven data sets of which two are one source: six differences, all positive: p = 1/64
        assert beats_levels(gather(results(columns={"a": A})), PUBLISHED, 0.99) == []
        assert beats_levels(gather(results(columns={"a": A})), PUBLISHED, 0.99, {"f": ["d0", "d1"]}) == ["a"]
        assert beats_levels(gather(results()), PUBLISHED, 0.95, {"f": ["d0", "d1", "d2"]}) is None

    def test_where_it_can_not_be_tested(self):
        assert beats_levels(gather(results()), [*PUBLISHED[:-1], np.nan], 0.95) is None
        few = gather(results(columns={"a": A[:5], "b": B[:5]}))
        assert beats_levels(few, PUBLISHED[:5], 0.95) is None


class TestGivenYardsticks:
    def test_over_data_sets(self):
        asked = results(human=0.95, published=BY_NAME)
        human, published = given_yardsticks(gather(asked), asked.question)
        assert (human.level, human.text) == (0.95, "yardstick, as given: not clearly beaten by a and b")
        assert published.level == pytest.approx(PUBLISHED.mean())
        assert published.text == "yardstick, as given: not clearly beaten by b"
        assert published.notes == ()

    def test_geometric_means_of_ratios(self):
        asked = results("fit_time", published={f"d{i}": v for i, v in enumerate([1, 10, 100, 1, 10, 100, 10])})
        (published,) = given_yardsticks(gather(asked), asked.question)
        assert published.level == pytest.approx(10)

    def test_missing_data_sets(self):
        asked = results(published={"d0": 0.8, "d1": 0.9, "elsewhere": 0.1})
        (published,) = given_yardsticks(gather(asked), asked.question)
        assert (published.level, published.text) == (pytest.approx(0.85), "yardstick, as given")
        assert published.notes == (
            "the yardstick published has no level on d2, d3, d4, d5 and d6; "
            "it is shown for 2 data sets, and not tested",
        )

    def test_in_the_table_of_a_verdict(self):
        verdict = results(published=BY_NAME).verdict()
        row = verdict.to_table().rows[-1]
        assert (row[0], row[-1]) == ("published", "yardstick, as given: not clearly beaten by b")
        missing = results(published={"d0": 0.8}).verdict()
        assert (
            missing.to_table().notes[-1].startswith("the yardstick published has no level on d1, d2, d3, d4, d5 and 1")
        )

    def test_on_one_data_set(self):
        rng = np.random.default_rng(1)
        frame = folds({"a": rng.uniform(0.7, 0.8, 10), "b": rng.uniform(0.7, 0.8, 10)})
        found = read_scores(frame, measure="accuracy", resampling="10-fold")
        asked = Question(measure="accuracy", yardsticks={"here": {"iris": 0.9}, "elsewhere": {"wine": 0.8}})
        table = replace(found, question=asked).verdict().to_table()
        assert [(r[0], r[1], r[-1]) for r in table.rows[-2:]] == [
            ("here", 0.9, "yardstick, as given: not clearly beaten by a and b"),
            ("elsewhere", None, "yardstick, as given"),
        ]  # fmt: skip
        assert "the yardstick elsewhere has no level on iris" in table.notes

    def test_of_one_method(self):
        verdict = results(columns={"a": A}, published=BY_NAME).verdict()
        assert [row[-1] for row in verdict.to_table().rows] == list(PUBLISHED)
        assert "published: every method beats it" in verdict.to_table().notes
        one = read_scores(folds({"a": A}), measure="accuracy", resampling="7-fold")
        verdict = replace(one, question=Question(measure="accuracy", yardsticks={"human": 0.9})).verdict()
        assert verdict.to_table().rows[-1] == ("human (yardstick, as given)", 0.9, None)

    def test_of_another_measure_they_are_no_levels(self):
        frame = pd.concat(
            [table({"a": A, "b": B}).melt("dataset", var_name="method").assign(measure=m) for m in ("accuracy", "auc")]
        )
        found = read_scores(frame)
        asked = replace(found, question=Question(measure="accuracy", yardsticks={"human": 0.95}))
        assert "human" in str(asked.verdict())
        assert "human" not in str(asked.verdict("auc"))


class TestBeatenInWords:
    def test_by_hand(self):
        assert beaten_in_words([]) == "every method beats it"
        assert beaten_in_words(["a", "b"]) == "not clearly beaten by a and b"

    def test_not_where_it_is_ahead(self):
        ahead = BY_NAME | {"d6": 0.99}
        columns = {m: np.r_[v, v + 0.01] for m, v in {"a": A, "b": B}.items()}
        levels = {f"d{i}": float(v) - 0.2 for i, v in enumerate(columns["b"])} | {"d6": ahead["d6"]}
        row = results(columns=columns, people=levels).verdict().to_table().rows[-1]
        assert row[-1].endswith(beaten_in_words([], ["d6"]))
        assert beaten_in_words([], ["d6"]) == "every method typically beats it, but not on d6"
