"""What a report says, in the order of reading; what isn't known has no section."""

from __future__ import annotations

import pytest
from html_page import Page

from fairtrial.report import contents_of
from fairtrial.report.sections import contents_of_levels
from fairtrial.results import Results


class TestStudy:
    @pytest.mark.slow
    def test_has_every_section_in_the_order_of_reading(self, study: Results) -> None:
        anchors = [section.anchor for section in contents_of(study, study.verdict()).sections]
        assert anchors == [
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
    @pytest.mark.parametrize(("smallest", "words"), [(0.01, "stated with the study"), (0.02, "when the verdict was")])
    def test_says_when_it_was_said(self, study: Results, smallest: float, words: str) -> None:
        contents = contents_of(study, study.verdict(smallest_difference=smallest))
        facts = dict(next(s for s in contents.sections if s.anchor == "why").facts)
        assert words in facts["What matters"]


class TestOtherDoors:
    def test_what_is_unknown_is_left_out(self, scores: Results) -> None:
        anchors = {section.anchor for section in contents_of(scores, scores.verdict()).sections}
        assert not anchors & {"failures", "warnings", "materials", "measures"}

    def test_findings_per_data_set(self, pages: dict[str, str]) -> None:
        page = Page(pages["few"])
        assert len(page.all("details")) >= 3
        assert "accuracy on y" in page.text

    def test_a_verdict_with_other_questions(self, scores: Results) -> None:
        contents = contents_of(scores, scores.verdict(control="B"))
        assert contents.question == "How do the others compare with B in accuracy?"


class TestLevels:
    def test_sections(self, made_results):
        def score(dataset, method, level, fold):
            return {"accuracy": 0.7 + 0.1 * (method == "a") + 0.01 * fold, "fit_time": 1.0}

        results = made_results(score, factor="label_noise", levels=(0, 0.2))
        contents = contents_of_levels(results, results.verdicts())
        anchors = [section.anchor for section in contents.sections]
        assert anchors == ["levels", "level-0", "level-1", "checked", "materials", "provenance", "references"]
        assert contents.question == "Which method has the highest accuracy?"
        assert ("2", "levels") in contents.key_figures
