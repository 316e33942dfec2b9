"""Single data sets and families as units of evidence."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from made_scores import CLEAR, folds, table

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.stats import mcnemar
from fairtrial.verdict import check_consistency, gather
from fairtrial.verdict.designs.units import kind_of_scores, units_of
from fairtrial.verdict.verify import verify

EVIDENCE = gather(read_scores(table(CLEAR), measure="accuracy"))


class TestUnitsOf:
    def test_data_sets_alone(self):
        units = units_of(EVIDENCE, {})
        assert units.names == EVIDENCE.datasets
        assert np.array_equal(units.scores, EVIDENCE.means)
        assert units.in_words == "12 data sets"

    def test_a_family_is_one_unit(self):
        units = units_of(EVIDENCE, {"first": ["d0", "d2"]})
        assert units.names == ("first", *(f"d{i}" for i in (1, *range(3, 12))))
        assert units.scores[0] == pytest.approx(EVIDENCE.means[[0, 2]].mean(axis=0))
        assert units.in_words == "11 families of data sets (12 in all)"
        assert units.averaged(np.arange(12.0))[:2].tolist() == [1.0, 1.0]  # of 0 and 2; of 1 alone

    def test_ratios_are_averaged_as_logs(self):
        evidence = gather(read_scores(table({"a": [1.0, 4.0, 2, 2, 2, 2, 2], "b": np.ones(7)}), measure="rmse"))
        assert np.exp(units_of(evidence, {"f": ["d0", "d1"]}).scores[0, 0]) == pytest.approx(2)

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match="d99"):
            units_of(EVIDENCE, {"f": ["d99"]})
        with pytest.raises(InputError, match="'d1' is in 'f' and 'g'"):
            units_of(EVIDENCE, {"f": ["d1"], "g": ["d1", "d2"]})
        with pytest.raises(InputError, match="has the name of a data set"):
            units_of(EVIDENCE, {"d3": ["d1", "d2"]})


class TestVerdict:
    def test_versions_of_one_source_are_one_piece_of_evidence(self):
        # the same two sources six times each: as data sets a clear win, as sources two numbers
        a = np.repeat([0.8, 0.7], 6) + np.linspace(0, 0.01, 12)
        results = read_scores(table({"a": a, "b": a - np.linspace(0.01, 0.02, 12)}), measure="accuracy")
        assert results.verdict().winner == "a"
        family = {"one": [f"d{i}" for i in range(6)], "two": [f"d{i}" for i in range(6, 12)]}
        assert results.verdict(family=family).winner is None

    def test_families_are_named(self):
        results = read_scores(table(CLEAR), measure="accuracy")
        verdict = results.verdict(family={"f": ["d0", "d1", "d2"]})
        assert verdict.scope.where == "on data sets such as these 10 families of data sets (12 in all)"
        assert verdict.scope.where in verdict.sentence
        assert (verdict.scope.units, verdict.scope.n) == ("families", 10)
        assert verdict.comparisons.outcomes[0].n == 10

    def test_one_family_alone_is_judged_data_set_by_data_set(self):
        sets = [folds({"a": np.linspace(0.7, 0.8, 10), "b": np.linspace(0.6, 0.72, 10)}, f"d{i}") for i in range(7)]
        results = read_scores(pd.concat(sets), measure="accuracy", resampling="10-fold")
        verdict = results.verdict(family={"one": [f"d{i}" for i in range(7)]})
        assert len(verdict.parts) == 7


class TestTheWordForAUnit:
    def verdict(self, title):
        rng = np.random.default_rng(1)
        hard, slips = rng.uniform(size=(60, 1)), rng.uniform(size=(60, 3)) < 0.1
        right = ((hard < [0.8, 0.78, 0.5]) ^ slips).astype(float)  # most are right or wrong together
        frame = pd.DataFrame(right, columns=["a", "b", "c"])
        frame.insert(0, title, [f"q{i}" for i in range(60)])
        return read_scores(frame, measure="resolved", higher_is_better=True).verdict()

    def test_the_column_says_what_its_rows_are(self):
        text = " ".join(str(self.verdict("question_id").full).split())
        assert "on questions such as these 60" in text
        assert "resolved, one score per question, then over 60 questions" in text
        assert "data set" not in text

    def test_else_they_are_data_sets(self):
        assert "on data sets such as these 60" in str(self.verdict("dataset"))

    def test_questions_may_belong_together(self):
        text = " ".join(str(self.verdict("question_id").full).split())
        assert "if some questions belong together (one text, patient or repository), name the families" in text
        assert "Why: each score is right or wrong" in text
        assert "folds" not in text
        assert "9 to 22 %" not in text  # right and wrong are not skewed

    def test_the_word_is_found_again(self):
        verdict = self.verdict("question_id")
        assert verify(verdict, verdict.basis.results).agrees


def kind(*columns, measure="accuracy", family=None, **more):
    frame = pd.DataFrame({m: np.asarray(c, dtype=float) for m, c in zip("abcd", columns, strict=False)})
    frame.insert(0, "dataset", [f"{chr(97 + i % 26)}{chr(97 + i // 26)}w" for i in range(len(frame))])
    evidence = gather(read_scores(frame, measure=measure, **more))
    return kind_of_scores(evidence, units_of(evidence, family or {}))


class TestKindOfScores:
    """By the numbers that occur, whatever the differences of the methods are."""

    RIGHT: ClassVar = np.arange(30) % 3 > 0

    def test_right_and_wrong(self):
        assert kind(self.RIGHT, ~self.RIGHT) == "answers"
        assert kind(100.0 * self.RIGHT, 100.0 * ~self.RIGHT, measure="Percent_correct") == "answers"
        assert kind(self.RIGHT, ~self.RIGHT, measure="resolved", higher_is_better=True) == "answers"

    def test_all_perfect_is_measured(self):
        assert kind(np.ones(30), np.ones(30)) == "measured"

    def test_means_of_answers_of_a_family_are_grades(self):
        assert kind(self.RIGHT, ~self.RIGHT, family={"f": ["aaw", "baw"]}) == "grades"

    @pytest.mark.parametrize(("scores", "more"), [
        (np.arange(30) % 6, {"measure": "grade", "higher_is_better": True}),
        ((np.arange(30) % 9) / 8, {}),  # shares of 8 answers
        (2 + (np.arange(30) % 5) / 2, {"measure": "stars", "higher_is_better": True}),
    ])  # fmt: skip
    def test_grades(self, scores, more):
        assert kind(scores, scores[::-1], **more) == "grades"

    @pytest.mark.parametrize("scores", [
        np.linspace(0.5, 0.9, 30),
        np.round(np.linspace(0.6, 0.9, 30), 2),  # rounded to whole percent
        (np.arange(30) % 21) / 20,  # shares of 20
    ])  # fmt: skip
    def test_measured(self, scores):
        assert kind(scores, scores[::-1]) == "measured"

    def test_few_scores_may_be_few_by_chance(self):
        assert kind([0.25, 0.5, 0.75, 1.0, 0.5, 0.25], [0.5, 0.25, 1.0, 0.75, 0.25, 0.0]) == "measured"


class TestFewValues:
    """Means are compared: intervals have a width, and there is no ceiling on a question that all answer right."""

    def verdict(self, n, k):
        random = np.random.default_rng(5)
        hard = random.random(n) < 0.3
        right = {
            m: (~hard | (random.random(n) < p)).astype(float)
            for m, p in zip("abcd"[:k], (0.5, 0.4, 0.3, 0.2), strict=False)
        }
        frame = pd.DataFrame({"dataset": [f"{chr(97 + i % 26)}{i // 26}w" for i in range(n)], **right})
        return read_scores(frame, measure="accuracy").verdict(family={"none": []}), right

    @pytest.mark.parametrize("n", [20, 300])
    @pytest.mark.parametrize("k", [2, 4])
    def test_answers(self, n, k):
        found, right = self.verdict(n, k)
        assert check_consistency(found) == ()
        assert "McNemar (mid-p)" in found.test
        for row in found.finding.compared.rows:
            assert row.effect.low < row.effect.high
            gap = right["abcd"[row.method]].mean() - right["abcd"[row.rival]].mean()
            assert row.effect.estimate == pytest.approx(gap)
        assert not [n for n in found.notices if n.guard in ("ceiling", "equal_scores", "mostly_equal_scores")]
        assert "exactly 0" not in str(found.full)

    def test_two_are_tested_by_mid_p(self):
        found, right = self.verdict(300, 2)
        p = mcnemar(right["a"] > 0, right["b"] > 0, method="mid-p").p_value
        assert found.finding.pairs[0].p_value == pytest.approx(p)

    @pytest.mark.parametrize("n", [12, 24, 60])
    @pytest.mark.parametrize("k", [2, 3])
    def test_grades(self, n, k):
        random = np.random.default_rng(5)
        base = random.integers(0, 5, n)
        cells = {
            m: np.clip(base + random.choice([0, 0, 0, 1], n) - i * (random.random(n) < 0.2), 0, 5)
            for i, m in enumerate("abc"[:k])
        }
        frame = pd.DataFrame({"dataset": [f"{chr(97 + i % 26)}{i // 26}w" for i in range(n)], **cells})
        found = read_scores(frame, measure="grade", higher_is_better=True).verdict(family={"none": []})
        assert check_consistency(found) == ()
        assert "sign flips" in found.test
        assert all(row.effect.low < row.effect.high for row in found.finding.compared.rows)
