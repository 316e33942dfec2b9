"""Decisions around an estimator: by costs and by a tuned threshold, against scikit-learn, and around searches."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.validation import check_is_fitted

from fairtrial.errors import InputError
from fairtrial.methods import tuned
from fairtrial.methods.decision_rules import DecisionRule, with_decisions
from fairtrial.methods.estimators import Decided
from fairtrial.methods.tuning import InnerSplits

LABELS = np.array(["no", "yes"])
MATRIX = np.array([[0.0, 1.0], [30.0, 0.0]])
RNG = np.random.default_rng(5)
X = RNG.normal(size=(400, 3))
Y = np.where(X[:, 0] + X[:, 1] + RNG.normal(size=400) > 2.2, "yes", "no")


def rule(by="costs", matrix=MATRIX, shares=None, positive=1, classes=LABELS) -> DecisionRule:
    return DecisionRule(by, classes, matrix, shares, positive)


class TestByCosts:
    def test_by_hand(self):
        made = Decided(LogisticRegression(), rule()).fit(X, Y)
        p = LogisticRegression().fit(X, Y).predict_proba(X)[:, 1]
        np.testing.assert_array_equal(made.predict(X), np.where(p > 1 / 31, "yes", "no"))
        np.testing.assert_array_equal(made.predict_proba(X)[:, 1], p)
        assert 0.1 < (made.predict(X) == "yes").mean() < 0.95

    def test_like_scikit_learn(self):
        # scikit-learn 1.8: FixedThresholdClassifier as called below
        from sklearn.model_selection import FixedThresholdClassifier

        fixed = FixedThresholdClassifier(
            GaussianNB(), threshold=1 / 31, pos_label="yes", response_method="predict_proba"
        ).fit(X, Y)
        np.testing.assert_array_equal(Decided(GaussianNB(), rule()).fit(X, Y).predict(X), fixed.predict(X))

    def test_a_class_that_is_more_frequent_in_deployment_is_predicted_more_often(self):
        plain = Decided(LogisticRegression(), rule(matrix=1 - np.eye(2))).fit(X, Y)
        more = Decided(LogisticRegression(), rule(matrix=1 - np.eye(2), shares=np.array([0.5, 0.5]))).fit(X, Y)
        p, share = plain.predict_proba(X)[:, 1], (Y == "yes").mean()
        odds = p / (1 - p) * (0.5 / share) / (0.5 / (1 - share))  # Elkan (2001), equation 8
        np.testing.assert_array_equal(more.predict(X) == "yes", odds > 1)
        assert (more.predict(X) == "yes").sum() > (plain.predict(X) == "yes").sum()

    def test_a_class_without_training_rows(self):
        three = np.array(["maybe", "no", "yes"])
        made = Decided(GaussianNB(), rule(matrix=1 - np.eye(3), classes=three, positive=None)).fit(X, Y)
        np.testing.assert_array_equal(made.predict(X), GaussianNB().fit(X, Y).predict(X))
        shifted = rule(matrix=1 - np.eye(3), classes=three, positive=None, shares=np.array([0.4, 0.3, 0.3]))
        assert set(Decided(GaussianNB(), shifted).fit(X, Y).predict(X)) <= {"no", "yes"}


class TestTuned:
    def test_by_hand(self):
        """One feature that is the score: the cut is between the two scores where the cost is lowest."""

        class Given:
            def fit(self, X, y):
                return self

            def decision_function(self, X):
                return X[:, 0]

            def predict(self, X):
                return np.where(X[:, 0] > 99, "yes", "no")

        column = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
        target = np.array(["no", "no", "yes", "no", "yes", "yes"])
        pairs = [(np.array([0, 2, 3, 4]), np.array([1, 5])), (np.array([1, 5, 0, 4]), np.array([2, 3]))]
        cheap_alarms = rule("tuned", np.array([[0.0, 1.0], [3.0, 0.0]]))
        made = Decided(Given(), cheap_alarms).fit(column, target, decision_splits=InnerSplits(pairs))
        # inner test rows: scores 2 no, 6 yes, 3 yes, 4 no: flag all but the first
        assert made.threshold_ == 2.5
        assert made.predict(column).tolist() == ["no", "no", "yes", "yes", "yes", "yes"]
        assert made.fairtrial_details() == {"decision": {"threshold": 2.5}}

    def test_uncalibrated_probabilities_are_made_good(self):
        twice = np.hstack([X, X, X])  # naive Bayes counts each feature three times
        costs = {by: self._cost(Decided(GaussianNB(), rule(by)).fit(twice[:250], Y[:250])) for by in ("costs", "tuned")}
        assert costs["tuned"] < costs["costs"]

    @staticmethod
    def _cost(model):
        predicted, truth = model.predict(np.hstack([X, X, X])[250:]), Y[250:]
        return ((truth == "no") & (predicted == "yes")).sum() + 30 * ((truth == "yes") & (predicted == "no")).sum()

    def test_scores_are_enough_and_the_positive_class_may_be_the_first(self):
        made = Decided(LinearSVC(), rule("tuned")).fit(X, Y)
        scores = LinearSVC().fit(X, Y).decision_function(X)
        np.testing.assert_array_equal(made.predict(X) == "yes", scores >= made.threshold_)
        turned = Decided(LinearSVC(), rule("tuned", positive=0)).fit(X, Y)
        assert turned.threshold_ == pytest.approx(-made.threshold_)
        np.testing.assert_array_equal(turned.predict(X), made.predict(X))

    def test_none_and_all_are_written_in_words(self):
        free_misses = Decided(GaussianNB(), rule("tuned", np.array([[0.0, 1.0], [0.0, 0.0]]))).fit(X, Y)
        assert free_misses.fairtrial_details() == {"decision": {"threshold": "none"}}
        assert set(free_misses.predict(X)) == {"no"}
        free_alarms = Decided(GaussianNB(), rule("tuned", np.array([[0.0, 0.0], [1.0, 0.0]]))).fit(X, Y)
        assert (free_alarms.predict(X)[Y == "yes"] == "yes").all()

    def test_frames(self):
        frame = pd.DataFrame(X, columns=list("abc"))
        made = Decided(GaussianNB(), rule("tuned")).fit(frame, Y)
        np.testing.assert_array_equal(made.predict(frame), Decided(GaussianNB(), rule("tuned")).fit(X, Y).predict(X))

    @pytest.mark.parametrize("tested", [[8, 9], [0, 1]])  # the only positive is not learned from, or never tested
    def test_too_few_of_one_class_let_the_costs_decide(self, tested):
        few = np.array(["no"] * 8 + ["yes"] * 2)
        few[8] = "no"
        splits = InnerSplits([(np.setdiff1d(np.arange(10), tested), np.array(tested))])
        made = Decided(GaussianNB(var_smoothing=1), rule("tuned"))
        with pytest.warns(UserWarning, match="no threshold can be tuned, .* too few of one class: the costs decide"):
            made.fit(X[:10], few, decision_splits=splits)
        by_costs = Decided(GaussianNB(var_smoothing=1), rule()).fit(X[:10], few)
        np.testing.assert_array_equal(made.predict(X), by_costs.predict(X))
        assert made.fairtrial_details() == {}
        with pytest.raises(InputError, match="and there are no probabilities from which the costs could decide"):
            Decided(LinearSVC(), rule("tuned")).fit(X[:10], few, decision_splits=splits)


class TestWithDecisions:
    def test_a_search_scores_by_decisions(self):
        search = tuned(LogisticRegression(), {"C": [1e-4, 1]}, measure="expected_cost(costs=(1, 30))")
        made = with_decisions(search.set_params(random_state=1), rule()).fit(X, Y)
        assert made is search
        best = made.best_estimator_
        p = LogisticRegression(**made.best_params_).fit(X, Y).predict_proba(X)[:, 1]
        np.testing.assert_array_equal(best.predict(X), np.where(p > 1 / 31, "yes", "no"))
        assert made.best_score_ < 2  # labels at 0.5 cost more

    def test_a_threshold_is_tuned_for_the_configuration_that_was_chosen(self):
        inner = make_pipeline(StandardScaler(), tuned(LogisticRegression(), {"C": [1e-4, 1]}))
        made = with_decisions(inner.set_params(tuned__random_state=1), rule("tuned")).fit(X, Y)
        assert isinstance(made, Decided)
        assert set(made.fairtrial_details()) == {"tuning", "decision"}
        p = inner.predict_proba(X)[:, 1]
        np.testing.assert_array_equal(made.predict(X) == "yes", p >= made.threshold_)


class TestAsAnEstimator:
    def test_parameters_tags_and_copies(self):
        made = Decided(LogisticRegression(C=2), rule())
        assert made.get_params()["C"] == 2
        assert made.set_params(C=3).estimator.C == 3
        assert is_classifier(made)
        assert clone(made).estimator.C == 3
        made.fit(X, Y)
        check_is_fitted(made)
        assert made.classes_.tolist() == ["no", "yes"]
        assert made.coef_.shape == (1, 3)
        again = pickle.loads(pickle.dumps(made))
        np.testing.assert_array_equal(again.predict(X), made.predict(X))
        assert not hasattr(Decided(LinearSVC(), rule()), "predict_proba")
