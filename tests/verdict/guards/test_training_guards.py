"""The guard of the train-test gap: it reports methods that learn by heart, and no others."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from fairtrial.design import Study
from fairtrial.results import read_scores
from fairtrial.verdict import gather
from fairtrial.verdict.guards.training_guards import train_test_gap

REPEATS = int(os.environ.get("FAIRTRIAL_REPEATS", "60"))


class Recorded:
    """A source that has only a table of trials."""

    def __init__(self, trials):
        self.trials = trials


def made(training, test, n=100, measure="accuracy", base=0.5):
    """Results of methods a, b, … on data sets, one split each: tables of data sets × methods, and a baseline."""
    training, test = np.atleast_2d(training).T, np.atleast_2d(test).T
    training, test = (np.column_stack([t, np.full(len(t), base)]) for t in (training, test))
    rows = [
        (f"d{i}", "ab base"[m] if m < training.shape[1] - 1 else "base", training[i, m], test[i, m])
        for i in range(len(test))
        for m in range(training.shape[1])
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "training", "value"])
    frame = frame.assign(measure=measure, fold=0)
    results = read_scores(frame.drop(columns="training"), baseline="base")
    results.scores["n_test"] = n
    trials = results.scores.drop(columns=["measure", "value"]).merge(frame[["dataset", "method", "training"]])
    trials["training_scores"] = [json.dumps({measure: float(v)}) for v in trials["training"]]
    return replace(results, source=Recorded(trials.drop(columns="training")))


def found(results):
    return list(train_test_gap(results, gather(replace(results, source=None))))


def says(*args, **options):
    return [n.sentence for n in found(made(*args, **options)) if not n.is_fine]


class TestSentence:
    def test_of_one_method(self):
        (text,) = says([1.0] * 4, [0.75, 0.8, 0.7, 0.75])
        assert text == (
            "a fits its training rows much closer than new ones: accuracy 1.00 on its training rows, 0.750 on test "
            "rows (mean of 4 data sets)"
        )

    def test_of_two_methods(self):
        (text,) = says([[1.0] * 4, [0.99] * 4], [[0.7] * 4, [0.71] * 4])
        assert text.endswith("test rows (mean of 4 data sets): a (1.00, 0.700) and b (0.990, 0.710)")
        assert text.startswith("2 methods fit their training rows much closer than new ones")

    def test_of_errors(self):
        (text,) = says([10.0, 1.0, 0.1], [20.0, 3.0, 0.2], measure="rmse", base=50.0)
        assert "its rmse on test rows is 2.0 times that on training rows (median of 3 data sets)" in text
        (text,) = says([0.0, 0.0, 0.1], [20.0, 3.0, 0.2], measure="rmse", base=50.0)
        assert "is more than 10 times that" in text
        (text,) = says([1.0], [2.5], measure="rmse", base=50.0)
        assert text.endswith("rmse 1.00 on its training rows, 2.50 on test rows")

    def test_the_notice(self):
        (notice,) = found(made([1.0] * 4, [0.75] * 4))
        assert (notice.severity, notice.guard, notice.stage) == ("warning", "train_test_gap", "verdict")
        assert notice.evidence["methods"] == {"a": {"training": 1.0, "test": 0.75, "datasets": 4}}
        assert "more data or a simpler model may help" in notice.remedy


class TestLimits:
    def test_a_quarter_of_the_way_from_the_trivial_to_the_perfect(self):
        assert says([0.90] * 12, [0.77] * 12)  # 0.26 of the room of 0.5
        assert not says([0.90] * 12, [0.78] * 12)
        assert says([0.90] * 12, [0.85] * 12, base=0.81)  # of the room of 0.19

    def test_half_as_large_again_for_errors(self):
        assert says([1.0] * 12, [1.51] * 12, measure="rmse", base=9.0)
        assert not says([1.0] * 12, [1.49] * 12, measure="rmse", base=9.0)

    def test_on_more_than_half_of_the_data_sets(self):
        test = np.r_[np.full(6, 0.7), np.full(6, 0.99)]
        assert not says(np.ones(12), test)
        assert says(np.ones(13), np.r_[test, 0.7])

    def test_a_better_score_on_test_rows_is_no_gap(self):
        (notice,) = found(made([0.6] * 12, [0.95] * 12))
        assert notice.is_fine

    def test_few_instances_can_show_a_gap_by_chance(self):
        assert not says([0.9], [0.7], n=40)
        assert says([0.9], [0.7], n=400)

    @pytest.mark.parametrize(
        ("test", "options"),
        [
            ([0.677], {"n": 18}),  # 0.65 of the room, below three standard errors of 0.24
            ([0.677], {"n": 60, "measure": "f1", "base": 0.0}),  # 0.32 of the room, three standard errors are 0.39
            ([0.9, 0.454], {}),  # on one data set of two
            ([0.6, 0.6, 0.99, 0.99], {}),
            ([0.7] * 5 + [0.99] * 6, {"n": 18}),
        ],
    )
    def test_a_large_gap_that_is_not_clear_is_neither_reported_nor_denied(self, test, options):
        assert found(made([1.0] * len(test), test, **options)) == []

    def test_an_error_that_doubles_on_few_instances_is_not_denied(self):
        assert found(made([1.0], [2.0], n=15, measure="rmse", base=9.0)) == []

    def test_one_method_with_an_unclear_gap_is_enough(self):
        assert found(made([[1.0], [0.8]], [[0.677], [0.79]], n=18)) == []

    def test_a_small_gap_on_few_instances_is_fine(self):
        (notice,) = found(made([0.8], [0.75], n=18))
        assert notice.is_fine

    def test_a_room_that_is_small_needs_more_instances(self):
        """With 99 % of one class the room of accuracy is 0.01, and one instance in a hundred fills it."""
        assert not says([0.995], [0.99], n=200, base=0.99)

    def test_where_there_is_no_room_nothing_is_said(self):
        assert found(made([1.0] * 3, [0.9] * 3, base=1.0)) == []

    def test_errors_of_zero_on_both_are_no_gap(self):
        (notice,) = found(made([0.0] * 3, [0.0] * 3, measure="rmse", base=9.0))
        assert notice.is_fine

    def test_costs_have_no_gap(self):
        assert found(made([1.0] * 6, [9.0] * 6, measure="fit_time", base=9.0)) == []

    def test_without_training_scores_nothing_is_said(self):
        results = made([1.0] * 4, [0.7] * 4)
        assert list(train_test_gap(replace(results, source=None), gather(replace(results, source=None)))) == []


@pytest.mark.slow
@pytest.mark.parametrize(("sets", "n"), [(1, 60), (4, 60), (12, 300)])
class TestRates:
    """Of simulated studies: accuracies are shares of n training rows and of n test rows.

    Of 60 none may be reported by chance (one in a hundred), and 57 must be where a method learns by heart.
    """

    def rate(self, sets, n, training, new):
        draw = np.random.default_rng([sets, n])
        results = made(np.full(sets, training), np.full(sets, new), n=n)
        evidence = gather(replace(results, source=None))  # only the baseline's scores matter, which stay
        own = (results.scores["method"] == "a").to_numpy()
        hits = 0
        for _ in range(REPEATS):
            seen, test = (draw.binomial(n, p, sets) / n for p in (training, new))
            results.scores.loc[own, "value"] = test
            trials = results.source.trials
            trials.loc[trials["method"] == "a", "training_scores"] = [f'{{"accuracy": {v}}}' for v in seen]
            hits += any(not notice.is_fine for notice in train_test_gap(results, evidence))
        return hits / REPEATS

    def test_methods_that_learn_by_heart_are_reported(self, sets, n):
        assert self.rate(sets, n, 1.0, 0.65) >= 0.95

    def test_a_gap_within_noise_is_not(self, sets, n):
        assert self.rate(sets, n, 0.75, 0.75) <= 0.01


@pytest.mark.slow
class TestLearners:
    """On bundled data with noisy classes."""

    def reported(self, methods, sets, measure):
        study = Study(datasets=sets, methods=methods, resampling="5-fold", measures=measure, training_scores=True)
        notices = study.run(workers=0, progress=False).verdict().notices
        (notice,) = [n for n in notices if n.guard == "train_test_gap"]
        return set() if notice.is_fine else set(notice.evidence["methods"])

    def test_classes(self):
        methods = {
            "logistic": LogisticRegression(max_iter=5000),
            "bayes": GaussianNB(),
            "shallow": DecisionTreeClassifier(max_depth=2),
            "tree": DecisionTreeClassifier(),
            "1-nn": KNeighborsClassifier(1),
        }
        assert self.reported(methods, ["pima-diabetes", "glass", "breast-cancer"], "accuracy") == {"tree", "1-nn"}

    def test_values(self):
        methods = {"near": KNeighborsRegressor(1), "far": KNeighborsRegressor(30)}
        assert self.reported(methods, ["diabetes"], "mae") == {"near"}
