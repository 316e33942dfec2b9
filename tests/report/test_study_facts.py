"""What failed and why, what the methods are, how the numbers were made."""

from __future__ import annotations

import pytest
from html_page import Page
from report_cases import EVIL, QUOTES

from fairtrial.report import report_document
from fairtrial.report.study_facts import (
    datasets_table,
    failures_table,
    measured_facts,
    methods_table,
    planned_facts,
    provenance_facts,
    warnings_table,
)
from fairtrial.results import Results

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class TestFailures:
    def test_failures_have_reason_count_and_policy(self, study: Results, pages: dict[str, str]) -> None:
        table = failures_table(study)
        assert table is not None
        assert table.rows == ((QUOTES, QUOTES, 3, f"ValueError: no luck with {EVIL}"),)
        _, section = report_document(study).to_text().split("\nFailed trials\n\n")
        assert "scored as the baseline 'majority' on those splits" in section.splitlines()[0]
        assert "second line" not in pages["study"]


class TestMethods:
    def test_methods_show_what_differs_from_the_defaults(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert "sklearn.tree.DecisionTreeClassifier(max_depth=2)" in text
        assert "criterion" not in text
        for fact in ("interpretable", "complexity", "majority (yardstick)"):
            assert fact in text


class TestProvenance:
    def test_provenance(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        for fact in ("3-fold, stratified by class, made before the run", "Seed", "scikit-learn", "numpy"):
            assert fact in text


class TestPlanned:
    def test_what_was_stored_before_the_first_trial(self, study: Results) -> None:
        facts = dict(planned_facts(study.verdict(level=0.9)))
        assert facts["Plan stored"].endswith(study.verdict().asked.digest)
        assert facts["Stated after"] == "level"


class TestOfScores:
    """Of scores from elsewhere little is known, and nothing is made up."""

    def test_no_tables(self, scores: Results) -> None:
        for table in (failures_table, warnings_table, datasets_table, methods_table):
            assert table(scores) is None

    def test_only_where_they_were_read_from(self, scores: Results) -> None:
        assert [label for label, _ in provenance_facts(scores)] == ["Read from", "Report by"]
        assert planned_facts(scores.verdict()) == ()
        assert dict(measured_facts(scores, scores.verdict()))["Resampling"].startswith("unknown")


class TestWarnings:
    def test_counts_and_the_commonest(self, study: Results) -> None:
        table = warnings_table(study)
        assert table.rows == ((QUOTES, 18, "UserWarning: I am moody <b>today</b>"),)
