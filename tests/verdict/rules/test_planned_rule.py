"""The rule that a plan announces is the rule that its results are judged by."""

from __future__ import annotations

import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.verdict.rules.rules import planned_rule, planned_tests

TWO = {"bayes": GaussianNB(), "rule": "one_rule"}
THREE = {**TWO, "majority": "majority"}
SIX = ["iris", "labor", "glass", "vote", "breast-cancer", "wine"]
FAMILY = {"iris": ["iris", "wine"], "other": ["labor"]}


@pytest.mark.slow
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


class TestEffects:
    def announced(self, n=6, methods=("tree",), **changes):
        known = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
        parts = {"factors": {"max_depth": [2, 5]}, "resampling": "3-fold", **changes}
        return planned_tests(ft.Study(datasets=SIX[:n], methods={m: known[m] for m in methods}, **parts).plan())

    def test_over_data_sets_and_on_each(self):
        assert self.announced() == "effects over data sets: simultaneous intervals of all effects, by joint sign flips"
        on_each = "effects on each data set: corrected resampled t over its splits, Bonferroni over effects"
        assert self.announced(2) == on_each
        assert self.announced(question=ft.Question(domains="these")) == on_each

    def test_with_methods_and_claims_that_are_tested_as_well(self):
        assert self.announced(methods=("tree", "bayes")).endswith("; between methods: Wilcoxon signed ranks")
        assert "joint sign flips; claim: " in self.announced(question=ft.Question(claim=0.9))

    def test_none_where_splits_allow_none(self):
        assert "effects" not in self.announced(1, resampling="holdout")
        assert self.announced(1, resampling="resubstitution", methods=("tree", "bayes")) == ""
