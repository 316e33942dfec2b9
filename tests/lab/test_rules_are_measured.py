"""Every procedure that a rule recommends is measured in the lab, with a limit."""

from fairtrial.lab.grids import GRIDS, experiments_of
from fairtrial.verdict.rules.rules import RULES

MEASURED = {
    "test data = training data": (),
    "one fixed model, one test set": ("Wilson: holds", "t interval of one model's mean loss: holds"),
    "several fixed models, one test set": (
        "McNemar (mid-p): a false difference",
        "McNemar's interval: holds",
        "paired t over instances: a false difference",
        "sign flips of whole clusters: a false difference",
    ),
    "one fixed model, one test set, a measure that is not an average": (
        "logit interval of one area: holds",
        "bootstrap (BCa) interval of one F1: holds",
    ),
    "several fixed models, one test set, a measure that is not an average": (
        "DeLong: a false difference",
        "paired bootstrap: a false difference",
    ),
    "one method, one data set": ("10×10-fold, factor 1.75: the level is covered",),
    "one method, several data sets": ("t interval of one method's mean: holds",),
    "several methods, one data set": ("10-fold, factor 1: a difference", "10×10-fold, factor 1.75: a difference"),
    "several methods, few data sets": ("10×10-fold, factor 1.75: a difference at 0.05/20",),
    "two methods over data sets": ("Wilcoxon's own interval: holds", "Holm-Wilcoxon: a false star"),
    "several methods over data sets": (
        "joint intervals: a false star",
        "joint intervals: all hold",
        "sole winner: a false one",
        "Holm-Wilcoxon: a false star",
    ),
    "several methods and a control over data sets": ("joint intervals: a false star",),
    "too little is known": (),
    "a claim about one fixed model, one test set": ("t interval of one model's mean loss: holds",),
    "a claim about one fixed model, one test set, a measure that is not an average": (
        "logit interval of one area: holds",
        "bootstrap (BCa) interval of one F1: holds",
    ),
    "a claim about one method, one data set": ("10×10-fold, factor 1.75: the level is covered",),
    "a claim about one method, few data sets": ("10×10-fold, factor 1.75: the level is covered",),
    "a claim about one method over data sets": ("t interval of one method's mean: holds",),
}
"""The claims of the lab that measure the procedures of each rule; rules without a test have none."""


def test_every_rule_is_there():
    """Procedures that are asked for by name are not recommended, and have their warning instead of a limit."""
    recommended = [rule for rule in RULES if not rule.asked_by and "estimand='mean'" not in rule.condition]
    assert {rule.name for rule in recommended} == set(MEASURED)
    assert all(MEASURED[rule.name] or rule.procedure == "none" for rule in recommended)


def test_every_claim_has_a_limit_in_some_world():
    limited = {claim for e in experiments_of([]).values() for claim in e.limits}
    assert not {claim for claims in MEASURED.values() for claim in claims} - limited


def test_only_skewed_and_bayesian_worlds_have_no_limit_at_all():
    without = [
        name for name in GRIDS if name != "tables" and not any(e.limits for e in experiments_of([name]).values())
    ]
    assert without == ["skewed", "bayesian"]
