"""The guidelines A to G as a checklist of a plan."""

from __future__ import annotations

import pytest
from factor_plans import HALF, tree_plan
from sklearn.naive_bayes import GaussianNB

from fairtrial.design import Question, Study, checklist_facts
from fairtrial.design.guidelines import outline_of

SEVEN = ["iris", "wine", "labor", "glass", "vote", "ionosphere", "breast-cancer"]
METHODS = {"bayes": GaussianNB(), "rule": "one_rule"}


def plan(question=None, **changes):
    parts = {"datasets": ["iris", "wine"], "methods": METHODS, "resampling": "5-fold", "seed": 7}
    return Study(question, **{**parts, **changes}).plan()


def items(made):
    return {g.letter: g for g in made.checklist()}


class TestChecklist:
    def test_all_seven_in_their_order(self):
        assert "".join(g.letter for g in plan().checklist()) == "ABCDEFG"

    def test_answers_come_from_the_study(self):
        found = items(plan(Question("Is it worth it?", measure="accuracy", smallest_difference=0.02)))
        assert found["A"].answer == "Is it worth it?"
        assert found["B"].answer.startswith("accuracy (higher is better); also recorded: ")
        assert found["C"].answer == "2 methods (bayes and rule); 2 data sets (iris and wine)"
        assert found["D"].answer == "5-fold, the same splits for all methods, seed 7: 20 trials"
        assert found["F"].answer == (
            "per data set: corrected resampled t, Bonferroni over pairs and data sets, level 0.95"
        )
        assert found["G"].answer.startswith("fewer than 6 data sets: one verdict on each")
        assert found["G"].answer.endswith("differences of 0.02 or more matter")
        assert [g.letter for g in found.values() if not g.is_answered] == ["E"]

    def test_says_how_to_answer_what_is_missing(self):
        found = items(plan())
        assert [g.letter for g in found.values() if not g.is_answered] == ["A", "E", "G"]
        assert (
            found["A"].text == "which method has the best accuracy; missing: the aim in your own words (Question('…'))"
        )
        assert found["E"].text == "20 fits; missing: how long it takes (--pilot, plan(pilot=True))"
        assert "smallest_difference=…" in found["G"].missing

    @pytest.mark.slow
    def test_a_pilot_answers_the_cost(self):
        study = plan().study
        assert items(study.plan(pilot=True))["E"].is_answered

    @pytest.mark.parametrize(
        ("question", "methods", "aim"),
        [
            (Question(control="rule"), METHODS, "how the other methods compare with rule in accuracy"),
            (Question(), ["one_rule"], "the accuracy of one_rule"),
            (Question(claim=0.9), ["one_rule"], "whether the accuracy of one_rule is better than 0.9"),
        ],
    )
    def test_the_aim_of_a_question_without_words(self, question, methods, aim):
        assert items(plan(question, methods=methods))["A"].answer == aim

    def test_what_can_not_be_tested(self):
        found = items(plan(resampling="resubstitution"))
        assert "tests on new instances" in found["D"].missing
        assert found["F"].text == "no test can be made; missing: a design that can be tested"

    def test_factors_and_many_names(self):
        found = items(plan(datasets=SEVEN, factors={"label_noise": [0, 0.1]}))
        assert "7 data sets (" in found["C"].answer
        assert "and 2 others" in found["C"].answer
        assert found["C"].answer.endswith("label_noise (0, 0.1)")
        assert found["F"].answer.startswith("Wilcoxon signed ranks")
        assert "power 0.8" in found["G"].answer


class TestShown:
    def test_one_line_each_and_as_data(self):
        made = plan()
        entries = checklist_facts(made.checklist()).entries
        assert [label for label, _ in entries][:2] == ["A aim", "B measure"]
        assert all(len(label) < 10 and "\n" not in str(point) for label, point in entries)
        assert "D design  ✓ 5-fold" in str(made)
        assert made.to_dict()["checklist"][3]["letter"] == "D"

    def test_an_outline_is_data(self):
        assert outline_of(plan(), "tests").tests == "tests"


class TestSettings:
    def answers(self, **changes):
        return {g.letter: g for g in tree_plan(9, **changes).checklist()}

    def test_one_method_with_settings_is_not_one_method(self):
        found = self.answers(plan=HALF)
        assert found["A"].answer == "which factors matter for the accuracy of tree"
        assert found["C"].answer.startswith("4 settings of 1 method (tree); 9 data sets")
        assert found["D"].answer.startswith(
            "fractional factorial (resolution 3); 5-fold, the same splits for all settings"
        )
        assert found["F"].answer.startswith("effects over data sets: simultaneous intervals of all effects")
        assert found["G"].missing.startswith("the smallest difference that matters")

    def test_strategy_without_a_resolution(self):
        assert self.answers()["D"].answer.startswith("all combinations of levels; 5-fold")
        assert self.answers(plan="one at a time")["D"].answer.startswith("one at a time; 5-fold")

    def test_without_factors_on_methods_as_ever(self):
        found = self.answers(factors={})
        assert found["C"].answer.startswith("1 method (tree)")
        assert found["D"].answer.startswith("5-fold, the same splits for all methods")
