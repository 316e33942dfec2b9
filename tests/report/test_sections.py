"""What a report says, in the order of reading; what isn't known has no section."""

from __future__ import annotations

import pandas as pd
import pytest
from html_page import Page

from fairtrial.report import report_document
from fairtrial.results import Results, read_scores
from fairtrial.tables import Document, Facts, Heading, Numbers


def anchors(document: Document) -> list[str]:
    return [block.anchor for block in document.blocks if isinstance(block, Heading)]


class TestStudy:
    @pytest.mark.slow
    def test_has_every_section_in_the_order_of_reading(self, study: Results) -> None:
        assert anchors(report_document(study)) == [
            "verdict",
            "why",
            "checked",
            "stable",
            "datasets",
            "measures",
            "failures",
            "warnings",
            "materials",
            "provenance",
            "references",
        ]

    @pytest.mark.slow
    def test_null_hypothesis(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert "Null hypothesis For each pair of methods: the differences" in text


class TestWhatMatters:
    @pytest.mark.slow
    def test_nothing_matters_in_a_measure_that_nobody_spoke_of(self, study: Results) -> None:
        document = report_document(study, study.verdict("fit_time"))
        assert "What matters" not in document.to_text()

    @pytest.mark.slow
    @pytest.mark.parametrize(("smallest", "words"), [(0.01, "stated with the study"), (0.02, "when the verdict was")])
    def test_says_when_it_was_said(self, study: Results, smallest: float, words: str) -> None:
        document = report_document(study, study.verdict(smallest_difference=smallest))
        facts = dict(next(block for block in document.blocks if isinstance(block, Facts)).entries)
        assert words in facts["What matters"]

    def test_a_claim(self) -> None:
        frame = pd.DataFrame({"dataset": list("abcdefg"), "m": [0.8, 0.86, 0.91, 0.84, 0.77, 0.88, 0.93]})
        results = read_scores(frame, measure="accuracy")
        document = report_document(results, results.verdict(claim=0.8))
        facts = dict(next(block for block in document.blocks if isinstance(block, Facts)).entries)
        assert document.title == "Is the accuracy of m above 0.8?"
        assert facts["Claim"] == "accuracy better than 0.8, stated when the verdict was made"


class TestOtherDoors:
    def test_what_is_unknown_is_left_out(self, scores: Results) -> None:
        assert not {*anchors(report_document(scores))} & {"failures", "warnings", "materials", "measures"}

    def test_findings_per_data_set(self, pages: dict[str, str]) -> None:
        page = Page(pages["few"])
        assert len(page.all("details")) >= 3
        assert "accuracy on y" in page.text

    def test_a_verdict_with_other_questions(self, scores: Results) -> None:
        document = report_document(scores, scores.verdict(control="B"))
        assert document.title == "How do the others compare with B in accuracy?"

    @pytest.mark.parametrize(("how", "heading"), [("md", "### y"), ("latex", r"\subsection*{y}")])
    def test_without_files_there_are_no_pictures(self, few: Results, how: str, heading: str) -> None:
        text = report_document(few).render(how)
        assert "![" not in text
        assert r"\includegraphics" not in text
        assert heading in text  # depth that a page would fold away


class TestLevels:
    def test_sections(self, made_results):
        def score(dataset, method, level, fold):
            return {"accuracy": 0.7 + 0.1 * (method == "a") + 0.01 * fold, "fit_time": 1.0}

        results = made_results(score, factor="label_noise", levels=(0, 0.2))
        document = report_document(results)
        expected = ["levels", "level-0", "level-1", "checked", "materials", "provenance", "references"]
        assert anchors(document) == expected
        assert document.title == "Which method has the highest accuracy?"
        numbers = next(block for block in document.blocks if isinstance(block, Numbers))
        assert numbers.entries == (
            ("1", "data set"),
            ("2", "methods"),
            ("2", "levels"),
            ("20", "trials"),
            ("0", "failed"),
        )
