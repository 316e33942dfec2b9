"""The works behind a verdict's procedures."""

from __future__ import annotations

from html_page import Page

from fairtrial.report.references import HOLM, MCNEMAR, NADEAU, WILCOXON, references
from fairtrial.results import Results


class TestReferences:
    def test_of_tests_over_data_sets(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert all(part in text for part in ("Demšar, J. (2006)", "doi.org/10.2307/3001968"))

    def test_in_the_order_of_authors_and_once(self, scores: Results) -> None:
        found = references(scores.verdict())
        assert {WILCOXON, HOLM} <= set(found)
        assert [r.text for r in found] == sorted({r.text for r in found})

    def test_one_pair_is_not_adjusted(self, predictions: Results) -> None:
        found = references(predictions.verdict())
        assert MCNEMAR in found
        assert HOLM not in found

    def test_each_data_set_by_itself(self, few: Results) -> None:
        assert NADEAU in references(few.verdict())
