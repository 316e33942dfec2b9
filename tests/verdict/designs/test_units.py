"""Single data sets and families as units of evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from made_scores import CLEAR, folds, table

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.verdict import gather
from fairtrial.verdict.designs.units import units_of
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
        assert "whichever question is left out" in text
        assert "data set" not in text

    def test_else_they_are_data_sets(self):
        assert "on data sets such as these 60" in str(self.verdict("dataset"))

    def test_questions_may_belong_together(self):
        text = " ".join(str(self.verdict("question_id").full).split())
        assert "if some questions belong together (one text, patient or repository), name the families" in text
        assert "Why: so many differences are equal in size" in text
        assert "folds" not in text
        assert "9 to 22 %" not in text  # right and wrong are not skewed

    def test_the_word_is_found_again(self):
        verdict = self.verdict("question_id")
        assert verify(verdict, verdict.basis.results).agrees
