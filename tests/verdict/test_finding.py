"""A finding holds together: its pairs, order and parts are about the methods that were compared."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from made_scores import CLEAR, few_datasets, table

from fairtrial.results import read_scores


class TestFinding:
    def test_order_and_pairs_are_of_the_compared_methods(self):
        finding = read_scores(table(CLEAR), measure="accuracy").verdict().finding
        assert sorted(finding.order) == sorted(finding.comparisons.names)
        assert [(p.first, p.second) for p in finding.pairs] == list(finding.comparisons.pairs)
        assert finding.parts == ()

    def test_parts_are_findings_of_their_own(self):
        finding = few_datasets().verdict().finding
        assert finding.each
        assert finding.comparisons is None
        assert {name: part.winner for name, part in finding.parts} == {"d0": "a", "d1": "a", "d2": None}

    def test_can_not_be_changed(self):
        finding = few_datasets().verdict().finding
        with pytest.raises(FrozenInstanceError):
            finding.winner = "b"
