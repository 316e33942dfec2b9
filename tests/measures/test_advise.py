"""Advice on what to measure."""

import numpy as np
import pytest

import fairtrial as ft
from fairtrial.choices import OBJECTIVES
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import advise_measure, get


class TestTheSummaryOfTheDocument:
    """003 section 12.1: which measure for which case."""

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ({}, "accuracy"),  # the class distribution is representative
            ({"context": {"positives": "uniform"}}, "average_recall"),  # all are equally likely
            ({"objective": "find"}, "f_measure"),  # true negatives don't matter
            ({"objective": "rank"}, "auc"),
            ({"objective": "probabilities"}, "log_loss"),
            ({"context": {"positives": 0.02}}, "expected_accuracy(prior=0.02)"),
            ({"context": {"costs": [1, 30]}}, "expected_cost(costs=(1, 30), per=1000)"),
        ],
    )
    def test_two_balanced_classes(self, given, expected):
        assert advise_measure(["yes", "no"] * 20, **given).measure == expected

    def test_ranking_has_the_predicted_positive_rate_beside_it(self):
        names = [r.measure for r in advise_measure([0, 1], objective="rank").recommendations]
        assert names[:1] == ["auc"]
        assert "predicted_positive_rate" in names

    def test_probabilistic_regression(self):
        assert advise_measure([0.1, 0.7], objective="distribution").measure == "nlpd"
        assert advise_measure([0.1, 0.7]).measure == "rmse"


class TestData:
    def test_imbalance(self):
        # 001: 5 positives, 500 negatives
        advice = advise_measure([1] * 5 + [0] * 500)
        assert advice.measure == "average_recall"
        avoided = {r.measure: r.reason for r in advice.recommendations if r.role == "avoid"}
        assert avoided == {"accuracy": "always predicting the largest class reaches 0.990"}

    def test_a_data_set(self):
        (iris,) = ft.datasets("iris")
        advice = advise_measure(iris)
        assert advice.measure == "accuracy"
        assert advice.situation == "3 classes, the rarest 33.3 %"

    def test_a_bundled_one_by_its_name(self):
        assert advise_measure("iris") == advise_measure(*ft.datasets("iris"))
        with pytest.raises(UnknownName, match="did you mean 'iris'"):
            advise_measure("irs")

    def test_whole_numbers_of_many_kinds_are_values(self):
        assert advise_measure(np.arange(100)).measure == "rmse"

    def test_only_what_the_methods_offer(self):
        names = {r.measure for r in advise_measure([0, 1], outputs=["label"]).recommendations}
        assert "log_loss" not in names
        names = {r.measure for r in advise_measure([0, 1], objective="rank", outputs=["probability"]).recommendations}
        assert "auc" in names

    @pytest.mark.parametrize("objective", OBJECTIVES)
    def test_every_name_is_a_measure_and_every_objective_has_a_first_choice(self, objective):
        data = [0.5, 1.5] if objective in ("values", "distribution") else [0] * 3 + [1] * 60 + [2] * 40
        advice = advise_measure(data, objective=objective)
        assert advice.recommendations[0].role == "decide by"
        assert all(get(r.measure).name == r.measure for r in advice.recommendations)
        assert str(advice).startswith(f"Decide by {advice.measure}: ")
        assert advice.to_dict()["measure"] == advice.measure


class TestErrors:
    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"data": [0, 1], "objective": "guess"}, "no objective is called 'guess'"),
            ({"data": [0, 1], "objective": "values"}, "the objective 'values' does not fit 2 classes"),
            ({"data": [0.5, 1], "objective": "rank"}, "the objective 'rank' does not fit a numeric target"),
            ({"data": [0, 1], "objective": "rank", "outputs": ["label"]}, "needs methods that predict a score"),
            ({"data": [0, 1], "outputs": ["logits"]}, "no output is called 'logits'"),
            ({"data": [0, 1, 2], "context": {"costs": [1, 5]}}, "the context does not fit 3 classes"),
            ({"data": [0, 1], "objective": "rank", "context": {"costs": [1, 5]}}, "a context is for the objective"),
            ({"data": [1, 1]}, "at least two classes, but all instances are of the same class"),
            ({"data": [[0, 1]]}, "data must be a data set or a list"),
            ({"data": [0, 1], "context": {"positives": -1}}, "positives must be the share"),
        ],
    )
    def test_says_what_was_wrong(self, given, message):
        with pytest.raises((InputError, UnknownName), match=message):
            advise_measure(**given)
