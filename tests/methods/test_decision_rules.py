"""Rules of decisions: what identifies them, costs under another class balance, and what a method can't do."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.methods import ByCosts, Method, trivial_policy
from fairtrial.methods.decision_rules import check_rule, rule_of

DATA = Dataset.from_arrays([[0.0], [1.0], [2.0], [3.0]], ["good", "bad", "good", "bad"], positive="bad")


class TestByCosts:
    def test_is_part_of_the_identity_of_a_method(self):
        plain, by_costs = Method("bayes", GaussianNB()), Method("bayes", GaussianNB(), decide=ByCosts("costs", (1, 30)))
        assert plain.canonical() | {"decide": {"by": "costs", "costs": [1, 30]}} == by_costs.canonical()
        others = [ByCosts("tuned", (1, 30)), ByCosts("costs", (1, 3)), ByCosts("costs", (1, 30), prior=0.1)]
        digests = {Method("bayes", GaussianNB(), decide=d).digest() for d in others}
        assert len({*digests, plain.digest(), by_costs.digest()}) == 5

    def test_words_alone_change_nothing(self):
        plain = Method("bayes", GaussianNB()).digest()
        assert {Method("bayes", GaussianNB(), decide=d).digest() for d in ("auto", "costs", "tuned", "labels")} == {
            plain
        }

    def test_unknown_words_are_refused(self):
        with pytest.raises(InputError, match=r"decide of method 'bayes' must be one of .*'tuned'.*, got 'cheap'"):
            Method("bayes", GaussianNB(), decide="cheap")


class TestRuleOf:
    def test_by_hand(self):
        made = rule_of(Method("bayes", GaussianNB(), decide=ByCosts("costs", (1, 30), prior=0.2)), DATA)
        assert made.classes.tolist() == ["bad", "good"]  # bad is positive: a miss of it costs 30
        assert made.matrix.tolist() == [[0, 30], [1, 0]]
        assert made.shares.tolist() == [0.2, 0.8]
        weighed = made.weighed(np.array(["bad", "good", "good", "good"]))
        np.testing.assert_allclose(weighed, [[0, 30 * 0.2 / 0.25], [0.8 / 0.75, 0]])

    def test_none_for_labels(self):
        assert rule_of(Method("bayes", GaussianNB(), decide="labels"), DATA) is None

    def test_the_trivial_policy_decides_by_class_shares(self):
        made = trivial_policy(ByCosts("tuned", (1, 30)))
        assert made.decide == ByCosts("costs", (1, 30))
        assert made.yardstick


class TestCheckRule:
    def test_what_is_possible(self):
        rule = ByCosts("tuned", (1, 30)).rule(["no", "yes"], 1)
        costs = ByCosts("costs", None).rule(["a", "b", "c"], None)
        assert (rule.by, costs.by) == ("tuned", "costs")
        assert check_rule("svm", LinearSVC(), rule) is None
        assert check_rule("bayes", GaussianNB(), costs) is None

    def test_says_what_to_do(self):
        two, three = (["no", "yes"], 1), (["a", "b", "c"], None)
        ways = (
            r"tune a threshold of its scores \(decide='tuned'\), wrap it in .*CalibratedClassifierCV, .*decide='labels'"
        )
        with pytest.raises(InputError, match=f"'svm' must predict probabilities, .* no predict_proba; {ways}"):
            check_rule("svm", LinearSVC(), ByCosts("costs", (1, 30)).rule(*two))
        with pytest.raises(InputError, match="no predict_proba; wrap it"):
            check_rule("svm", LinearSVC(), ByCosts("costs", None).rule(*three))
        with pytest.raises(InputError, match="a threshold, which is for two classes, but there are 3; let the costs"):
            check_rule("bayes", GaussianNB(), ByCosts("tuned", None).rule(*three))
