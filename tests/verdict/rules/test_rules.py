"""The rule table: every situation has exactly one answer, and every row finds what is there and little that is not."""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import replace
from typing import get_args

import pytest
from made_rows import CASES, effect_called, interval_called, verdict_of
from offenders import for_each

from fairtrial.errors import UnknownName
from fairtrial.verdict.rules.rule import AIMS, COMPARED, FigureName, Situation
from fairtrial.verdict.rules.rules import PER_DATASET_NAMES, RULES, TEST_NAMES, choose, rule_named

SITUATIONS = [Situation(*s) for s in itertools.product(range(1, 6), range(1, 11), (False, True), (False, True))]
SITUATIONS += [Situation(k, 1, resampled=False, these_only=False, instances=True) for k in range(1, 6)]
SITUATIONS += [Situation(k, 1, resampled=False, these_only=False, predictions=True) for k in range(1, 6)]
SITUATIONS += [Situation(k, n, False, False, optimistic=True) for k in (1, 2, 4) for n in (1, 3, 12)]
SITUATIONS += [replace(s, claim=True) for s in SITUATIONS if s.methods == 1]
SITUATIONS += [replace(s, **c) for s in SITUATIONS if s.methods > 1 for c in ({"control": True}, {"means": True})]
SITUATIONS += [replace(s, measures=2) for s in SITUATIONS if s.methods > 1 and not s.optimistic]
SITUATIONS += [Situation(2, 1, True, False, test=name) for name in TEST_NAMES]
SITUATIONS += [Situation(2, 1, True, False, per_dataset=name) for name in PER_DATASET_NAMES]

ASKED = {
    "five_by_two_f": "5×2 cv F",
    "five_by_two_t": "5×2 cv t",
    "repeated_anova": "repeated-measures ANOVA",
    "mcnemar": "McNemar on one repeat",
    "corrected_t": "against a control on each data set",
    "paired_t": "against a control on each data set, uncorrected",
}


def expected(s):
    """The decisions of the design, said once more and otherwise."""
    if s.test or s.per_dataset:
        return ASKED[s.test or s.per_dataset]
    models = (s.instances or s.predictions) and s.datasets == 1
    if s.measures > 1:
        many = "two" if s.methods == 2 else "several"
        few = "few " if s.methods > 2 and s.datasets <= 2 * (s.methods - 1) + 5 else ""
        return f"several measures, {many} {'fixed models, one test set' if models else f'methods over {few}data sets'}"
    if s.claim and s.datasets == 1:
        return f"a claim about {expected(replace(s, claim=False))}"
    if s.optimistic and s.methods > 1:
        return "test data = training data"
    if models:
        which = "one fixed model" if s.methods == 1 else "several fixed models"
        return f"{which}, one test set{', a measure that is not an average' * s.predictions}"
    if s.claim and s.datasets > 1:
        over = s.datasets >= 6 and not s.these_only
        return f"a claim about one method{' over data sets' if over else ', few data sets'}"
    if s.methods == 1:
        return "one method, one data set" if s.datasets == 1 else "one method, several data sets"
    if s.datasets == 1:
        return "several methods, one data set" if s.resampled else "too little is known"
    if s.resampled and (s.datasets < 6 or s.these_only):
        return "several methods, few data sets"
    if s.datasets < 6:
        return "too little is known"
    if s.means:
        return "means of methods over data sets"
    if s.methods == 2:
        return "two methods over data sets"
    return f"several methods {'and a control ' * s.control}over data sets"


class TestChoose:
    def test_every_situation(self):
        for situation in SITUATIONS:
            assert choose(situation).name == expected(situation), situation

    def test_every_rule_is_needed(self):
        assert {choose(s).name for s in SITUATIONS} == {r.name for r in RULES}

    def test_unknown_names(self):
        with pytest.raises(UnknownName, match="no test is called 'mcnemer'; did you mean 'mcnemar'"):
            choose(Situation(2, 1, True, False, test="mcnemer"))
        with pytest.raises(UnknownName, match="no test per data set is called 'wilcoxon'"):
            choose(Situation(2, 1, True, False, per_dataset="wilcoxon"))

    def test_names_are_found_again(self):
        assert all(rule_named(rule.name) is rule for rule in RULES)


class TestRules:
    def test_each_says_why_and_cites(self):
        for rule in RULES:
            assert rule.why
            assert re.search(r"(19|20)\d\d", rule.reference)
            assert rule.figure in get_args(FigureName)

    def test_together_they_answer_all_nine_questions_for_all_aims(self):
        assert {number for rule in RULES for number in rule.questions} == set(range(1, 10))
        assert {aim for rule in RULES for aim in rule.aims} == set(AIMS)
        assert {kind for rule in RULES for kind in rule.compared} == set(COMPARED)

    def test_what_can_be_asked_for_is_listed_once(self):
        assert TEST_NAMES == ("five_by_two_f", "five_by_two_t", "repeated_anova", "mcnemar")
        assert PER_DATASET_NAMES == ("corrected_t", "paired_t")


@functools.cache
def clear(name):
    """The verdict of a row on a clear effect."""
    return verdict_of(name, 0, True)


@for_each("name", [rule.name for rule in RULES])
class TestOnKnownTruth:
    def test_the_row_is_the_one_that_is_taken(self, name):
        assert clear(name).rule == name

    def test_a_clear_effect_is_found(self, name):
        case = CASES[name]
        assert all(case.found(v) is case.finds for v in (clear(name), verdict_of(name, 1, True)))

    @pytest.mark.slow
    def test_a_null_is_mostly_not(self, name):
        assert sum(CASES[name].found(verdict_of(name, seed, False)) for seed in range(10, 14)) <= 1

    def test_interval_and_effect_are_those_of_the_row(self, name):
        rule, verdict = rule_named(name), clear(name)
        if called := interval_called(verdict):
            assert called.lower() in rule.interval.lower()
        else:
            columns = {c.key for c in verdict.to_table().columns}
            assert rule.interval == "none" or ("interval" in columns and "Bonferroni over" in rule.interval)
        if called := effect_called(verdict):
            assert called in rule.effect
