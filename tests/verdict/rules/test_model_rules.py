"""Rows of the rule table about fixed models; all rows are tried on known truth in test_rules.py."""

from __future__ import annotations

from fairtrial.verdict.rules.method_rules import MODEL_RULES


def test_they_answer_the_questions_about_models_with_a_test_set():
    for rule in MODEL_RULES:
        assert rule.questions == ((1,) if rule.compared == ("one",) else (3,))
        assert "one test set" in rule.condition
        assert rule.asked_by == ""


def test_a_measure_that_is_not_an_average_has_no_margin():
    aims = {rule.name: rule.aims for rule in MODEL_RULES}
    assert "non-inferiority" in aims["several fixed models, one test set"]
    assert "non-inferiority" not in aims["several fixed models, one test set, a measure that is not an average"]
