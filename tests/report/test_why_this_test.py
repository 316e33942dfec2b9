"""Why this test: what matters, what is claimed, and all comparisons."""

from __future__ import annotations

import pandas as pd
import pytest

from fairtrial.report import report_document
from fairtrial.report import why_this_test as module
from fairtrial.report.why_this_test import why_this_test
from fairtrial.results import Results, read_scores
from fairtrial.tables import Document, Facts, Folded, Picture, Table


def facts_of(document: Document) -> dict[str, str]:
    return {name: str(text) for block in document.blocks if isinstance(block, Facts) for name, text in block.entries}


class TestWhatMatters:
    @pytest.mark.slow
    def test_nothing_matters_in_a_measure_that_nobody_spoke_of(self, study: Results) -> None:
        document = report_document(study, study.verdict("fit_time"))
        assert "What matters" not in document.to_text()

    @pytest.mark.slow
    @pytest.mark.parametrize(("smallest", "words"), [(0.01, "stated with the study"), (0.02, "when the verdict was")])
    def test_says_when_it_was_said(self, study: Results, smallest: float, words: str) -> None:
        document = report_document(study, study.verdict(smallest_difference=smallest))
        facts = facts_of(document)
        assert words in facts["What matters"]

    def test_a_claim(self) -> None:
        frame = pd.DataFrame({"dataset": list("abcdefg"), "m": [0.8, 0.86, 0.91, 0.84, 0.77, 0.88, 0.93]})
        results = read_scores(frame, measure="accuracy")
        document = report_document(results, results.verdict(claim=0.8))
        facts = facts_of(document)
        assert document.title == "Is the accuracy of m above 0.8?"
        assert facts["Claim"] == "accuracy better than 0.8, stated when the verdict was made"


class TestDepth:
    def test_no_number_of_another_family(self, scores: Results) -> None:
        verdict = scores.verdict()
        facts, *folded = why_this_test(scores, verdict)
        titles = [block.title for block in folded]
        assert titles[0] == "How the test was chosen"
        assert not [title for title in titles if "tests" in title or "Nemenyi" in title]
        assert dict(facts.entries)["Null hypothesis"].startswith("For each method: no other one is better.")

    def test_all_comparisons_and_the_classical_diagram(self, scores: Results) -> None:
        _, tests, path, null, diagram = why_this_test(scores, scores.verdict(pairs=True))
        assert isinstance(path, Folded)
        assert isinstance(null, Folded)
        assert (path.title, null.title) == ("How the test was chosen", "The null distribution of the test")
        assert isinstance(tests, Folded)
        assert isinstance(diagram, Folded)
        assert [type(b) for b in (*tests.blocks, *diagram.blocks)] == [Table, Picture]
        assert len(tests.blocks[0].rows) == 3

    def test_of_very_many_those_with_the_smallest_p(self, scores: Results, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MOST_PAIRS", 2)
        monkeypatch.setattr(module, "MOST_IN_DIAGRAM", 2)
        verdict = scores.verdict(pairs=True)
        _, *folded = why_this_test(scores, verdict)
        assert not any("Nemenyi" in block.title for block in folded)  # no diagram of three methods
        (table,) = folded[0].blocks
        assert len(table.rows) == 2
        assert table.notes[0] == "the 2 of 3 pairs with the smallest p are shown"
        p = [c.key for c in table.columns].index("p_adjusted")
        assert sorted(row[p] for row in table.rows) == sorted(verdict.comparisons.p_adjusted)[:2]
