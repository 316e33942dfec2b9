"""The rule that a plan announces is the rule that its results are judged by."""

from __future__ import annotations

import pytest
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.verdict.planned_rule import planned_rule, planned_tests

TWO = {"bayes": GaussianNB(), "rule": "one_rule"}
THREE = {**TWO, "majority": "majority"}
SIX = ["iris", "labor", "glass", "vote", "breast-cancer", "wine"]
FAMILY = {"iris": ["iris", "wine"], "other": ["labor"]}


@pytest.mark.parametrize(
    ("question", "changes"),
    [
        ({}, {}),
        ({}, {"methods": ["one_rule"]}),
        ({"claim": 0.9}, {"methods": ["one_rule"]}),
        ({}, {"datasets": ["iris", "labor"]}),
        ({}, {"datasets": SIX}),
        ({}, {"datasets": SIX, "methods": THREE}),
        ({"domains": "these"}, {"datasets": SIX}),
        ({"family": FAMILY}, {"datasets": SIX}),
        ({"family": {"all": SIX}}, {"datasets": SIX}),
        ({}, {"resampling": "resubstitution"}),
        ({}, {"resampling": "holdout"}),
        ({"about": "model"}, {"resampling": "holdout"}),
        ({"about": "model", "measure": "average_recall"}, {"resampling": "holdout"}),
        ({"measure": "auc(combine='pooled')"}, {"resampling": "2x3-fold"}),
        ({"measure": "fit_time"}, {}),
        ({"claim": 0.9}, {"methods": ["one_rule"], "datasets": SIX}),
    ],
)
def test_it_is_the_rule_of_the_results(question, changes):
    parts = {"datasets": ["iris"], "methods": TWO, "resampling": "3-fold"}
    study = ft.Study(ft.Question(**question), **{**parts, **changes})
    results = study.run(None, workers=0, progress=False)
    assert planned_rule(study.plan()).name == results.verdict().rule


def test_tests_in_words():
    assert planned_tests(ft.Study(datasets=SIX, methods=TWO).plan()) == "Wilcoxon signed ranks"
    assert planned_tests(ft.Study(datasets=["iris"], methods=TWO, resampling="resubstitution").plan()) == ""
