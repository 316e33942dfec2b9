"""The way through the rule table: it ends at the rule that the table takes, and shows where other answers lead."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.results import read_scores
from fairtrial.verdict.rules.rule import Situation
from fairtrial.verdict.rules.rule_questions import QUESTIONS, _possible, decision_path, decision_path_of
from fairtrial.verdict.rules.rules import RULES, choose

MANY = Situation(methods=4, datasets=14, resampled=False, these_only=False)


def answers(situation: Situation) -> dict[str, str]:
    return {step.question: step.answer for step in decision_path(situation).steps}


class TestDecisionPath:
    def test_by_hand(self) -> None:
        path = decision_path(MANY)
        assert path.rule == "several methods over data sets"
        assert [step.answer for step in path.steps] == [
            "no", "one", "three or more", "no", "scores of methods", "6 or more", "data sets such as these",
            "the typical one", "no",
        ]  # fmt: skip
        last = path.steps[-1]
        assert last.question == "Is one of the methods the control?"
        other = next(road for road in last.roads if not road.taken)
        assert other.answer == "yes"
        assert other.procedures == (choose(replace(MANY, control=True)).procedure,)

    def test_other_situations_are_asked_other_questions(self) -> None:
        models = answers(Situation(methods=2, datasets=1, resampled=False, these_only=False, instances=True))
        assert models["What is the evidence?"] == "instances of one test set, met by fixed models"
        assert "How many data sets are there?" not in models
        claim = answers(Situation(methods=1, datasets=1, resampled=True, these_only=False, claim=True))
        assert claim["Is a claim about the method tested?"] == "yes"
        named = answers(replace(MANY, test="repeated_anova"))
        assert list(named.values()) == ["yes", "repeated_anova"]

    def test_the_number_of_methods_is_no_matter_of_several_measures(self) -> None:
        path = decision_path(replace(MANY, methods=60, datasets=41))  # fewer data sets than methods
        assert len(path.steps) == len(decision_path(MANY).steps)

    def test_every_rule_is_reached(self) -> None:
        assert {rule.name for _, rule in _possible()} == {rule.name for rule in RULES}

    def test_the_answers_determine_the_rule(self) -> None:
        found: dict[tuple[str, ...], set[str]] = {}
        for situation, rule in _possible():
            found.setdefault(tuple(q.answer(situation) for q in QUESTIONS), set()).add(rule.name)
        assert [names for names in found.values() if len(names) > 1] == []

    @pytest.mark.slow
    @given(st.sampled_from(_possible()), st.integers(3, 80), st.integers(6, 200))
    def test_the_way_ends_at_the_rule_that_is_taken(self, case: tuple[Situation, object], k: int, n: int) -> None:
        situation = case[0]
        if situation.measures == 1:  # numbers of one kind are alike
            situation = replace(
                situation,
                methods=k if situation.methods > 2 else situation.methods,
                datasets=n if situation.datasets > 5 else situation.datasets,
            )
        path = decision_path(situation)
        given_ = {step.question: step.answer for step in path.steps}
        asked = [q for q in QUESTIONS if q.text in given_]
        left = {r.name for s, r in _possible() if all(q.answer(s) == given_[q.text] for q in asked)}
        assert left == {path.rule} == {choose(situation).name}
        for step in path.steps:
            assert sum(road.taken for road in step.roads) == 1
            assert len(step.roads) > 1

    def test_to_dict_is_plain(self) -> None:
        assert json.loads(json.dumps(decision_path(MANY).to_dict()))["steps"][0]["roads"][0]["answer"] == "no"


def test_of_a_verdict() -> None:
    rows = [{"dataset": f"d{i}", "A": 0.8 + i / 100, "B": 0.7 + i / 90, "C": 0.75} for i in range(7)]
    import pandas as pd

    results = read_scores(pd.DataFrame(rows), measure="accuracy")
    for verdict in (results.verdict(), results.verdict(control="A"), results.verdict(estimand="mean")):
        assert decision_path_of(verdict).rule == verdict.rule
    with pytest.raises(StopIteration):
        next(step for step in decision_path_of(results.verdict()).steps if step.question == "Which one?")
