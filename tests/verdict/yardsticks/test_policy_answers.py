"""What the best trivial policy does, read off its predictions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from fairtrial.data import Dataset
from fairtrial.design import Question, Study
from fairtrial.verdict.yardsticks.policy_answers import policies_of

RNG = np.random.default_rng(2)
X = RNG.normal(size=(60, 2))


def answers(labels, costs, positive=None):
    data = Dataset.from_arrays(X, labels, name="d", positive=positive)
    asked = Question(context={"costs": costs})
    study = Study(asked, datasets=[data], methods={"bayes": GaussianNB()}, resampling="3-fold", decide="costs")
    results = study.run(workers=0, progress=False)
    return policies_of(results, results.measure(), ["d"])


@pytest.mark.parametrize(
    ("costs", "expected"), [([1, 30], "flag everyone (always 'yes')"), ([1, 1], "flag no one (always 'no')")]
)
def test_two_classes(costs, expected):
    labels = np.where(np.arange(60) % 5, "no", "yes")
    assert answers(labels, costs) == {("best trivial policy", "d"): expected}


def test_three_classes_by_label():
    # shares 1/2, 1/4, 1/4: predicting a costs 9/4 + 1/4, b 1/2 + 1/4, c 1/2 + 9/4
    labels = np.array(["a", "a", "b", "c"] * 15)
    assert answers(labels, {"a": 1, "b": 9, "c": 1}) == {("best trivial policy", "d"): "always 'b'"}


def test_only_where_costs_are_compared():
    labels = np.where(np.arange(60) % 5, "no", "yes")
    data = Dataset.from_arrays(X, labels, name="d")
    results = Study(datasets=[data], methods={"bayes": GaussianNB()}, resampling="3-fold").run(
        workers=0, progress=False
    )
    assert policies_of(results, results.measure("expected_cost(costs=(1, 30))"), ["d"]) == {}
