"""A paragraph on methods for a paper, with the works that it cites."""

from __future__ import annotations

import re

import pytest
from report_cases import EVIL

from fairtrial.errors import UnknownName
from fairtrial.report import report_document
from fairtrial.report.write_up import bibtex, methods_paragraph, works_cited
from fairtrial.results import Results
from fairtrial.stats.bibliography import HODGES_LEHMANN_1963, HOLM_1979, ROMANO_WOLF_2005
from fairtrial.stats.bibtex import bibtex_key
from fairtrial.tables import Folded, Heading, Paragraph, Source


class TestMethodsParagraph:
    def test_of_a_study_over_data_sets(self, study: Results) -> None:
        text = methods_paragraph(study.verdict())
        assert text.startswith("We compared 3 methods (tree, ")
        assert "by 3-fold cross-validation; all methods shared the same splits (seed 1)." in text
        assert "The measure was accuracy (higher is better)." in text
        assert "failed; a failed trial got the score of the baseline on the same split." in text
        assert "pairs of methods were compared by Wilcoxon signed ranks (" in text
        assert "differences of 0.01 or more were regarded as relevant" in text
        assert "The question and the plan were stored before the first trial." in text
        assert re.search(r"fairtrial [\d.]+ \(Python [\d.]+, NumPy [\d.]+, SciPy [\d.]+\)\.$", text)

    def test_what_was_asked_afterwards(self, study: Results) -> None:
        text = study.verdict(smallest_difference=0.02).methods_paragraph()
        assert "After the first trial these parts of the question were stated: smallest_difference." in text

    def test_each_data_set_by_itself(self, few: Results) -> None:
        text = methods_paragraph(few.verdict())
        expected = (
            "On each data set, the two methods were compared by corrected resampled t (Bouckaert & Frank 2004; Nadeau"
        )
        assert expected in text
        assert "Tests were adjusted for the data sets by Bonferroni." in text

    def test_fixed_models(self, predictions: Results) -> None:
        assert "The two methods were compared by" in methods_paragraph(predictions.verdict())
        assert "McNemar" in methods_paragraph(predictions.verdict())

    def test_without_a_test(self, scores: Results) -> None:
        from fairtrial import read_scores

        frame = scores.scores[["dataset", "method", "value"]]
        one = read_scores(frame[frame["method"] == "B"], measure="accuracy").verdict()
        text = one.methods_paragraph()
        assert text.startswith("We evaluated B on 9 data sets")
        assert "Analysis: one method is estimated, without a test" in text

    def test_each_work_is_cited_once_and_has_an_entry(self, scores: Results) -> None:
        for verdict in (scores.verdict(), scores.verdict(control="B"), scores.verdict(adjust="holm")):
            groups = re.findall(r"\\cite\{([^}]*)\}", verdict.methods_paragraph("latex"))
            keys = [key for group in groups for key in group.split(",")]
            assert sorted(keys) == [bibtex_key(work) for work in works_cited(verdict)]
            assert re.findall(r"@\w+\{(\w+),", verdict.bibtex()) == sorted(keys)

    def test_only_what_was_used_is_cited(self, scores: Results) -> None:
        holm, joint = works_cited(scores.verdict(adjust="holm", control="B")), works_cited(scores.verdict())
        assert HOLM_1979 in holm
        assert ROMANO_WOLF_2005 not in holm
        assert ROMANO_WOLF_2005 in joint
        assert HODGES_LEHMANN_1963 in joint

    def test_names_are_escaped(self, scores: Results) -> None:
        verdict = scores.verdict()
        latex, markdown = verdict.methods_paragraph("latex"), verdict.methods_paragraph("md")
        assert EVIL in verdict.methods_paragraph()
        assert EVIL not in latex
        assert EVIL not in markdown
        assert not re.search(r"(?<!\\)[&%#]", latex)
        assert r"95 \%" in latex
        assert "](https://doi.org/" in markdown

    def test_an_unknown_format(self, scores: Results) -> None:
        with pytest.raises(UnknownName, match="latex"):
            scores.verdict().methods_paragraph("word")


def test_the_report_has_it_to_be_copied(scores: Results) -> None:
    verdict = scores.verdict()
    blocks = report_document(scores, verdict).blocks
    start = next(i for i, b in enumerate(blocks) if isinstance(b, Heading) and b.anchor == "paper")
    paragraph, folded = blocks[start + 1 : start + 3]
    assert isinstance(paragraph, Paragraph)
    assert "".join(paragraph.pieces) == verdict.methods_paragraph()
    assert isinstance(folded, Folded)
    assert [(str(b), b.how) for b in folded.blocks if isinstance(b, Source)] == [
        (verdict.methods_paragraph("latex"), "latex"),
        (bibtex(verdict), "bibtex"),
    ]
