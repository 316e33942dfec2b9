"""The works behind a verdict's procedures."""

from __future__ import annotations

import pytest
from html_page import Page

from fairtrial.report.write_up import references
from fairtrial.results import Results
from fairtrial.stats.bibliography import HOLM_1979, MCNEMAR_1947, NADEAU_BENGIO_2003, ROMANO_WOLF_2005, WILCOXON_1945


class TestReferences:
    @pytest.mark.slow
    def test_of_tests_over_data_sets(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert all(part in text for part in ("Demšar, J. (2006)", "doi.org/10.2307/3001968"))

    def test_in_the_order_of_authors_and_once(self, scores: Results) -> None:
        found = references(scores.verdict())
        assert {WILCOXON_1945, ROMANO_WOLF_2005} <= set(found)
        assert HOLM_1979 not in found
        assert HOLM_1979 in references(scores.verdict(adjust="holm"))
        assert [r.text for r in found] == sorted({r.text for r in found})

    def test_one_pair_is_not_adjusted(self, predictions: Results) -> None:
        found = references(predictions.verdict())
        assert MCNEMAR_1947 in found
        assert HOLM_1979 not in found

    def test_each_data_set_by_itself(self, few: Results) -> None:
        assert NADEAU_BENGIO_2003 in references(few.verdict())
