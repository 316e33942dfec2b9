"""The rule table: every situation has exactly one answer."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from fairtrial.verdict.rules import RULES, Situation, choose

SITUATIONS = [Situation(*s) for s in itertools.product(range(1, 6), range(1, 11), (False, True), (False, True))]
SITUATIONS += [Situation(k, 1, resampled=False, these_only=False, instances=True) for k in range(1, 6)]
SITUATIONS += [Situation(k, 1, resampled=False, these_only=False, predictions=True) for k in range(1, 6)]


SITUATIONS += [Situation(k, n, False, False, optimistic=True) for k in (1, 2, 4) for n in (1, 3, 12)]


SITUATIONS += [replace(s, claim=True) for s in SITUATIONS if s.methods == 1]


def expected(s):
    """The decisions of the design, said once more and otherwise."""
    if s.claim and s.datasets == 1:
        return f"a claim about {expected(replace(s, claim=False))}"
    if s.optimistic and s.methods > 1:
        return "test data = training data"
    if s.instances or s.predictions:
        models = "one fixed model" if s.methods == 1 else "several fixed models"
        return f"{models}, one test set{', a measure that is not an average' * s.predictions}"
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
    return "two methods over data sets" if s.methods == 2 else "several methods over data sets"


class TestChoose:
    def test_every_situation(self):
        for situation in SITUATIONS:
            assert choose(situation).name == expected(situation), situation

    def test_every_rule_is_needed(self):
        assert {choose(s).name for s in SITUATIONS} == {r.name for r in RULES}


class TestRules:
    def test_each_says_why_and_cites(self):
        for rule in RULES:
            assert rule.why
            assert re.search(r"(19|20)\d\d", rule.reference)
            assert rule.figure in ("dots", "differences", "critical difference")
