"""Rows of the rule table about algorithms; all rows are tried on known truth in test_rules.py."""

from __future__ import annotations

from fairtrial.verdict.rules.method_rules import COMPARISON_RULES, LAST_RULE, ONE_METHOD_RULES, OPTIMISTIC_RULE


def test_one_method_is_estimated_or_claimed_about():
    for rule in ONE_METHOD_RULES:
        assert rule.compared == ("one",)
        assert rule.aims == (("claim",) if rule.name.startswith("a claim") else ("estimate",))


def test_comparisons_test_and_the_others_only_describe():
    assert all(rule.procedure != "none" and "one" not in rule.compared for rule in COMPARISON_RULES)
    assert all((rule.procedure, rule.aims, rule.questions) == ("none", (), ()) for rule in (LAST_RULE, OPTIMISTIC_RULE))


def test_one_sided_questions_need_a_control():
    for rule in COMPARISON_RULES:
        assert ("superiority" in rule.aims) == ("versus control" in rule.compared)
