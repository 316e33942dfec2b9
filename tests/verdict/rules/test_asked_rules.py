"""Rows of the rule table that are asked for; all rows are tried on known truth in test_rules.py."""

from __future__ import annotations

from fairtrial.verdict.rules.named_rules import NAMED_RULES, SEVERAL_MEASURES_RULES


def test_each_says_how_it_is_asked_for():
    assert all(rule.asked_by.startswith(("test='", "per_dataset='")) for rule in NAMED_RULES)
    assert {rule.asked_by for rule in SEVERAL_MEASURES_RULES} == {"measure=[…]"}


def test_several_measures_are_tested_for_any_difference():
    assert all(rule.aims == ("difference",) for rule in SEVERAL_MEASURES_RULES)
    assert ["Hotelling" in r.procedure for r in SEVERAL_MEASURES_RULES] == [True, True, True, True, False]
