"""The rule table: which design allows which procedure, and why. The first row that fits is taken.

The test is chosen by design, never by looking at the data or by pre-testing assumptions. A procedure that was asked for
by name comes first; whether the design allows it is checked by the procedure itself.
"""

from __future__ import annotations

import re

from fairtrial.errors import UnknownName
from fairtrial.verdict.rules.asked_rules import NAMED_RULES, SEVERAL_MEASURES_RULES
from fairtrial.verdict.rules.method_rules import COMPARISON_RULES, LAST_RULE, ONE_METHOD_RULES, OPTIMISTIC_RULE
from fairtrial.verdict.rules.model_rules import MODEL_RULES
from fairtrial.verdict.rules.rule import Rule
from fairtrial.verdict.rules.situation import Situation

RULES: tuple[Rule, ...] = (
    *NAMED_RULES,
    *SEVERAL_MEASURES_RULES,
    OPTIMISTIC_RULE,
    *MODEL_RULES,
    *ONE_METHOD_RULES,
    *COMPARISON_RULES,
    LAST_RULE,
)


def _names(argument: str) -> tuple[str, ...]:
    """The names of procedures that can be asked for by an argument of a verdict."""
    found = (re.fullmatch(rf"{argument}='(\w+)'", rule.asked_by) for rule in RULES)
    return tuple(match[1] for match in found if match)


TEST_NAMES, PER_DATASET_NAMES = _names("test"), _names("per_dataset")


def choose(situation: Situation) -> Rule:
    """The first rule that fits a situation."""
    if situation.test and situation.test not in TEST_NAMES:
        raise UnknownName.among("test", situation.test, TEST_NAMES)
    if situation.per_dataset and situation.per_dataset not in PER_DATASET_NAMES:
        raise UnknownName.among("test per data set", situation.per_dataset, PER_DATASET_NAMES)
    return next(rule for rule in RULES if rule.when(situation))


def rule_named(name: str) -> Rule:
    """The rule with this name."""
    return next(rule for rule in RULES if rule.name == name)
