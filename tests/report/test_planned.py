"""The guidelines A to G in a report."""

from __future__ import annotations

import pytest

from fairtrial.report import report_document
from fairtrial.report.sections import answered_guidelines
from fairtrial.results import Results


class TestAnsweredGuidelines:
    @pytest.mark.slow
    def test_of_a_study_that_was_run(self, study: Results) -> None:
        found = {g.letter: g for g in answered_guidelines(study, study.verdict())}
        assert "".join(found) == "ABCDEFG"
        assert found["A"].answer == "Is <moody> any good?"
        assert found["E"].answer.endswith("of computing, in all")
        assert found["F"].answer.startswith(
            "comparisons with the best, together: Wilcoxon signed ranks over 6 data sets"
        )
        assert found["G"].answer == "about data sets such as these; differences of 0.01 or more matter"

    def test_what_was_asked_afterwards_is_no_part_of_the_plan(self, study: Results) -> None:
        found = answered_guidelines(study, study.verdict(smallest_difference="50pp"))
        assert found[-1].answer.endswith("differences of 0.01 or more matter")

    def test_of_scores_from_elsewhere_nothing_is_known(self, scores: Results) -> None:
        assert answered_guidelines(scores, scores.verdict()) == ()

    def test_in_the_report(self, study: Results) -> None:
        text = report_document(study).to_text()
        assert "The plan, by the guidelines for experiments" in text
        assert "Plan stored" in text
