"""What a report says, in the order of reading; what isn't known has no section."""

from __future__ import annotations

import pytest
from html_page import Page

from fairtrial.report import report_document
from fairtrial.results import Results
from fairtrial.tables import Document, Heading, Numbers


def anchors(document: Document) -> list[str]:
    return [block.anchor for block in document.blocks if isinstance(block, Heading)]


class TestStudy:
    @pytest.mark.slow
    def test_has_every_section_in_the_order_of_reading(self, study: Results) -> None:
        assert anchors(report_document(study)) == [
            "why",
            "datasets",
            "measures",
            "measured",
            "failures",
            "warnings",
            "planned",
            "paper",
            "provenance",
            "references",
        ]

    @pytest.mark.slow
    def test_null_hypothesis(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert "Null hypothesis For each method: no other one is better" in text


class TestOtherDoors:
    def test_what_is_unknown_is_left_out(self, scores: Results) -> None:
        assert not {*anchors(report_document(scores))} & {"failures", "warnings", "planned", "measures"}

    def test_findings_per_data_set(self, pages: dict[str, str]) -> None:
        page = Page(pages["few"])
        assert len(page.all("details")) >= 3
        assert "accuracy on y" in page.text

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
        expected = ["levels", "level-0", "level-1", "checked", "measured", "provenance", "references"]
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
