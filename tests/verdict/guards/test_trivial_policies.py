"""The best trivial policy in verdicts: named, with its cost, and first where no method is shown to be cheaper."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from fairtrial.data import Dataset
from fairtrial.design import Question, Study
from fairtrial.measures import get
from fairtrial.methods import Method
from fairtrial.statements import Remark, say
from fairtrial.verdict.guards.trivial_policies import NOT_BETTER, amount

POLICY = "best trivial policy"
pytestmark = pytest.mark.slow


def data(signal: float, name: str = "churn", n: int = 600, seed: int = 4) -> Dataset:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = np.where(signal * X[:, 0] + rng.normal(size=n) > 1.3 * np.hypot(1, signal), "yes", "no")
    return Dataset.from_arrays(X, y, name=name)


@cache
def verdict(signal: float, *methods: str, resampling: str = "5-fold", unit: str = ""):
    known = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    context = {"costs": {"yes": 30, "no": 1}} | ({"unit": unit} if unit else {})
    chosen = {name: known[name] for name in methods}
    study = Study(Question(context=context), datasets=[data(signal)], methods=chosen, resampling=resampling)
    return study.run(workers=0, progress=False).verdict()


def grave(found):
    """The policies that no method is shown to be cheaper than."""
    return [n.about for n in found.notices if (n.guard, n.severity) == (NOT_BETTER, "grave")]


def beside(found):
    """What is said of the policy where some method is cheaper."""
    return [say(s, found.scope).render() for s in found.finding.of_kind(Remark) if s.about == "policy"]


class TestWithPolicy:
    def test_cheaper_methods_stand_beside_the_policy(self):
        found = verdict(5.0, "logistic", "bayes", unit="EUR")
        cost = found.evidence.means[0][found.evidence.columns.index(POLICY)]
        share = np.mean(data(5.0).target == "no")
        assert cost == pytest.approx(1000 * share, rel=0.01)  # everyone is flagged: each "no" costs 1
        (text,) = beside(found)
        assert text.startswith(f"The {POLICY}, flag everyone (always 'yes'), costs {cost:.4g} EUR per 1,000 cases; ")
        assert grave(found) == []

    def test_that_no_method_is_cheaper_stands_before_the_answer(self):
        found = verdict(0.3, "logistic", "bayes")
        assert (grave(found), beside(found)) == ([POLICY], [])
        first = rf"No method is shown to be cheaper than the {POLICY}, flagging everyone \(always 'yes'\), which costs "
        size = r"\d+ per 1,000 cases: \w+ costs \d+ (less|more) \[\d+ more to \d+ less\]\."
        assert re.match(first + size, " ".join(found.render("text").split()))

    @pytest.mark.parametrize("costs", [[0, 5], [1, 5000]])
    def test_methods_that_all_decide_as_the_policy_does(self, costs):
        # costs of 1 and 30 gave 1.440, 1.441 and 1.442 once, and the majority 1.440, without a word
        methods = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
        asked = Question(context={"costs": costs})
        study = Study(asked, datasets=[data(0.0)], methods=methods, resampling="3-fold", decide="costs")
        found = study.run(workers=0, progress=False).verdict()
        paid = 1000 * costs[0] * np.mean(data(0.0).target == "no")
        assert len(set(found.evidence.means[0])) == 1
        assert found.evidence.means[0][0] == pytest.approx(paid, rel=0.01)
        assert (grave(found), beside(found)) == ([POLICY], [])
        assert found.winner is None

    def test_one_method_is_tested_too(self):
        assert grave(verdict(0.0, "bayes")) == [POLICY]
        assert (grave(verdict(5.0, "bayes")), len(beside(verdict(5.0, "bayes")))) == ([], 1)

    def test_without_a_test_the_means_decide(self):
        found = verdict(0.0, "logistic", "bayes", resampling="holdout")
        means = found.evidence.means[0]
        assert grave(found) == ([POLICY] if (means[:2] >= means[2]).all() else [])
        assert len(beside(found)) == (not grave(found))

    def test_a_policy_that_is_listed_is_compared(self):
        listed = {"bayes": GaussianNB(), "guess": Method("guess", DummyClassifier(strategy="prior"), decide="costs")}
        study = Study(Question(context={"costs": [1, 30]}), datasets=[data(0.0)], methods=listed, resampling="3-fold")
        assert [m.name for m in study.methods] == ["bayes", "guess"]

    def test_over_several_data_sets(self):
        sets = [data(5.0, f"d{i}", 120 + i, seed=i) for i in range(6)]
        asked = Question(context={"costs": [1, 30]})
        methods = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
        study = Study(asked, datasets=sets, methods=methods, resampling="2-fold", decide="costs")
        (text,) = beside(study.run(workers=0, progress=False).verdict())
        assert f"The {POLICY}, flag everyone (always 'yes'), costs" in text
        assert "on average" in text


class TestAmount:
    def test_by_hand(self):
        assert amount(get("expected_cost(costs=(1, 30))"), 0.9153) == "0.9153 per case"
        assert amount(get("expected_cost(costs=(1, 30), per=1000, unit='$')"), 1440) == "1440 $ per 1,000 cases"
