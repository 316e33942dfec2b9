"""From answers to advice."""

from __future__ import annotations

import json

import pytest
from all_walks import all_walks

from fairtrial.verdict.rules.choose_procedure import advise_procedure, answered
from fairtrial.verdict.rules.rules import RULES


class TestEveryWalk:
    def test_ends_in_a_row_that_answers_the_question(self):
        for walk in all_walks():
            advice = advise_procedure(walk)
            rule = advice.rule
            assert rule in RULES
            assert walk["compared"] in rule.compared, walk
            if rule.procedure != "none":
                assert advice.question.number in rule.questions, walk
                assert walk["aim"] in rule.aims, walk

    def test_no_answer_is_only_for_what_cannot_be_tested(self):
        for walk in all_walks():
            nothing = advise_procedure(walk).rule.procedure == "none"
            assert not nothing or walk["rows"] == "time", walk

    def test_all_nine_questions_are_reached(self):
        assert {advise_procedure(walk).question.number for walk in all_walks()} == set(range(1, 10))


class TestAdviseProcedure:
    @pytest.mark.parametrize(
        ("numbers", "question", "rule", "resampling"),
        [
            ([1, 1, 1, 1, 1, 1], 1, "one fixed model, one test set", "holdout 0.3"),
            ([1, 1, 1, 2, 1, 1], 2, "one method, one data set", "10x10-fold"),
            ([1, 2, 1, 1, 1, 1], 3, "several fixed models, one test set", "holdout 0.3"),
            ([1, 2, 1, 2, 1, 1], 4, "McNemar on one repeat", "10-fold"),
            ([2, 1, 1, 1, 1, 1, 1], 5, "one method, one data set", "10x holdout 0.3"),
            ([2, 1, 2, 1, 2, 1, 1], 6, "a claim about one method, one data set", "10x10-fold"),
            ([2, 2, 1, 1, 1, 1, 1], 7, "several methods, one data set", "10x holdout 0.3"),
            ([2, 2, 1, 1, 2, 2, 1], 8, "several methods, one data set", "grouped 10-fold"),
            ([2, 3, 1, 3, 1, 1], 9, "several methods over data sets", "10-fold"),
            ([2, 4, 4, 3, 1, 1], 9, "several methods and a control over data sets", "10-fold"),
            ([2, 2, 1, 3, 1, 4], 9, "several measures, two methods over data sets", "10-fold"),
            ([2, 2, 1, 1, 2, 3, 1], 8, "too little is known", "forward 5"),
        ],
    )
    def test_by_hand(self, numbers, question, rule, resampling):
        advice = advise_procedure(answered(numbers))
        assert (advice.question.number, advice.rule.name, advice.resampling) == (question, rule, resampling)

    def test_all_formats(self):
        advice = advise_procedure(answered([2, 2, 1, 1, 2, 1, 1]))
        assert str(advice).startswith("This is question 8 of Dietterich's nine: the choice between algorithms")
        assert json.loads(advice.render("json"))["rule"] == "several methods, one data set"
        for how in ("md", "html", "csv", "latex"):
            assert "corrected resampled t" in advice.render(how)

    def test_what_to_type(self):
        assert "fairtrial compare study.trial --test mcnemar" in advise_procedure(answered([1, 2, 1, 2, 1, 1])).commands
        commands = advise_procedure(answered([1, 2, 1, 1, 2, 1])).commands
        assert commands[0] == "fairtrial compare predictions.csv --truth y --columns cluster=patient"
