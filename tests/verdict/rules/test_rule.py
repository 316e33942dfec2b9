"""What a row of the rule table can be."""

from __future__ import annotations

from fairtrial.verdict.rules.rule import AIMS, COMPARED


def test_kinds_of_comparison_and_aims():
    assert COMPARED == ("one", "two", "several", "versus control")
    assert AIMS == ("estimate", "claim", "difference", "superiority", "equivalence", "non-inferiority")
