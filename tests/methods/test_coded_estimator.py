"""Codes around an estimator: labels go in, codes are learnt, labels come out."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

from fairtrial.errors import InputError
from fairtrial.methods.estimators import CodedLabels

CLASSES = np.array(["bad", "fair", "good"])
X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
Y = np.array(["good", "good", "bad", "bad", "bad", "good"])


def coded(estimator=None) -> CodedLabels:
    return CodedLabels(LogisticRegression() if estimator is None else estimator, CLASSES)


class TestCodedLabels:
    def test_by_hand(self):
        made = coded().fit(X, Y)
        assert made.estimator.classes_.tolist() == [0, 1]
        assert made.classes_.tolist() == ["bad", "good"]
        plain = LogisticRegression().fit(X, Y)
        np.testing.assert_array_equal(made.predict(X), plain.predict(X))
        np.testing.assert_array_equal(made.predict_proba(X), plain.predict_proba(X))
        np.testing.assert_array_equal(made.decision_function(X), plain.decision_function(X))
        assert made.score(X, Y) == plain.score(X, Y) > 0.5
        assert made.score(X, np.full(6, "fair")) == 0

    def test_weights_by_label_become_weights_by_code(self):
        weights = {"bad": 1, "good": 20, "fair": 7}  # nobody is fair in the training data
        made = coded(LogisticRegression(class_weight=weights)).fit(X, Y)
        plain = LogisticRegression(class_weight={"bad": 1, "good": 20}).fit(X, Y)
        np.testing.assert_array_equal(made.predict_proba(X), plain.predict_proba(X))
        assert made.fit(X, Y).predict(X).tolist() == plain.predict(X).tolist()  # translated once, not twice
        assert made.get_params()["class_weight"] == weights

    def test_weights_deeper_inside_and_those_that_are_words(self):
        inside = make_pipeline(LogisticRegression(class_weight={"bad": 30, "good": 1}))
        assert (coded(inside).fit(X, Y).predict(X) == "bad").all()
        assert coded(LogisticRegression(class_weight="balanced")).fit(X, Y).fitted_.class_weight == "balanced"

    @pytest.mark.parametrize("strange", ["godo", 0])
    def test_weights_by_something_else(self, strange):
        with pytest.raises(InputError, match=f"class_weight must be given by labels .* 'bad', got {strange!r}"):
            coded(LogisticRegression(class_weight={"bad": 1, strange: 5})).fit(X, Y)

    def test_labels_that_are_numbers_are_weighed_by_number(self):
        numbers = np.where(Y == "bad", 1, 2)
        made = CodedLabels(LogisticRegression(class_weight={1: 30, 2: 1}), np.array([1, 2])).fit(X, numbers)
        assert made.fitted_.class_weight == {0: 30, 1: 1}
        assert made.predict(X).tolist() == [1] * 6

    def test_is_what_it_holds_to_searches_and_pickles(self):
        made = coded()
        assert is_classifier(made)
        assert not hasattr(coded(Bare()), "predict_proba")
        assert not hasattr(made, "classes_")
        other = clone(made).set_params(C=5)
        assert (made.get_params()["C"], other.get_params()["C"]) == (1.0, 5)
        check_is_fitted(other.fit(X, Y))
        assert pickle.loads(pickle.dumps(other)).predict(X).tolist() == other.predict(X).tolist()
        assert other.coef_.shape == (1, 1)
        with pytest.raises(AttributeError, match="nothing_like_it"):
            other.nothing_like_it  # noqa: B018

    def test_codes_that_were_not_given(self):
        with pytest.raises(InputError, match="predict must give the codes 0 to 1, which fit was given, got 7"):
            coded(Bare(7)).fit(X, Y).predict(X)
        assert coded(Bare([[1.0]] * 6)).fit(X, Y).predict(X).tolist() == ["good"] * 6

    def test_columns_in_another_order(self):
        assert coded(Reversed()).fit(X, Y).classes_.tolist() == ["good", "bad"]


class Bare:
    """No parameters, no probabilities, no classes."""

    def __init__(self, given=0):
        self.given = given

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), self.given) if np.isscalar(self.given) else np.asarray(self.given)


class Reversed(Bare):
    classes_ = np.array([1, 0])
