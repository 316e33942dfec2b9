"""The question of a report, in the author's words or in ours, and its key numbers."""

from __future__ import annotations

import pandas as pd

from fairtrial.report.sections import question_of, verdict_numbers
from fairtrial.results import Results, read_scores


class TestQuestion:
    def test_in_our_words(self, scores: Results) -> None:
        assert question_of(scores.verdict()) == "Which method has the highest accuracy?"
        assert question_of(scores.verdict(control="B")) == "How do the others compare with B in accuracy?"

    def test_of_one_method(self) -> None:
        frame = pd.DataFrame({"dataset": list("abcdefg"), "m": [0.8, 0.86, 0.91, 0.84, 0.77, 0.88, 0.93]})
        results = read_scores(frame, measure="accuracy")
        assert question_of(results.verdict()) == "What accuracy does m reach?"
        assert question_of(results.verdict(claim=0.8)) == "Is the accuracy of m above 0.8?"


class TestNumbers:
    def test_of_scores(self, scores: Results) -> None:
        expected = (("9", "data sets"), ("3", "methods"), ("90 %", "confidence"))
        assert verdict_numbers(scores, scores.verdict(level=0.9)).entries == expected

    def test_what_failed_and_what_did_not_run(self, absent: Results) -> None:
        counted = {noun: number for number, noun in verdict_numbers(absent, absent.verdict()).entries}
        assert (counted["methods"], counted["failed"], counted["did not run"]) == ("3", "9", "1")
