"""Operating contexts: other class balances, costs, and what is only known as a distribution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import labels_of
from scipy import integrate, stats

from fairtrial import measures
from fairtrial.errors import InputError
from fairtrial.measures import Beta, accuracy, average_recall, compute, expected_accuracy, expected_cost, precision
from fairtrial.measures.operating_context import check_context, in_context

FIRST, SECOND = labels_of(60, 20, 0, 20), labels_of(75, 5, 10, 10)  # 003 example 12.1
tables = st.tuples(*[st.integers(0, 30)] * 4).filter(lambda t: t[0] + t[1] > 0 and t[2] + t[3] > 0)
shares = st.floats(0.001, 0.999)


class TestExpectedAccuracy:
    def test_the_better_model_depends_on_the_context(self):
        assert accuracy(*FIRST) < accuracy(*SECOND)
        assert expected_accuracy(*FIRST) == 0.875
        assert expected_accuracy(*SECOND) == 0.71875

    def test_by_hand(self):
        assert expected_accuracy(*SECOND, prior=0.1) == pytest.approx(0.1 * 75 / 80 + 0.9 * 10 / 20)
        assert expected_accuracy(*SECOND, prior=0.1, positive=0) == pytest.approx(0.9 * 75 / 80 + 0.1 * 10 / 20)
        assert expected_accuracy(*SECOND, prior=(0.9, 0.1)) == pytest.approx(0.1 * 75 / 80 + 0.9 * 10 / 20)

    @pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 5), (0.5, 3)])
    def test_a_distribution_by_integration(self, a, b):
        tpr, tnr = 75 / 80, 10 / 20
        density = stats.beta(a, b).pdf
        expected, _ = integrate.quad(lambda pos: (pos * tpr + (1 - pos) * tnr) * density(pos), 0, 1)
        assert expected_accuracy(*SECOND, prior=Beta(a, b)) == pytest.approx(expected, rel=1e-7)
        assert expected_accuracy(*SECOND, prior=f"beta({a}, {b})") == expected_accuracy(*SECOND, prior=Beta(a, b))

    def test_three_classes(self):
        truth, predicted = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]  # recalls 1/2, 1, 0
        assert expected_accuracy(truth, predicted) == average_recall(truth, predicted) == 0.5
        assert expected_accuracy(truth, predicted, prior=(0.2, 0.7, 0.1)) == pytest.approx(0.1 + 0.7)

    def test_undefined_only_where_a_missing_class_may_occur(self):
        assert np.isnan(expected_accuracy([0, 0], [0, 1], classes=[0, 1]))
        assert expected_accuracy([0, 0, 0], [0, 1, 0], classes=[0, 1], prior=0.0) == pytest.approx(2 / 3)

    @given(tables, shares)
    def test_agrees_with_accuracy_of_the_reweighed_table(self, table, share):
        given = labels_of(*table)
        assert expected_accuracy(*given, prior=share) == pytest.approx(accuracy(*given, prior=share))

    @pytest.mark.slow
    @given(tables)
    def test_the_balance_of_the_data_changes_nothing(self, table):
        truth, predicted = labels_of(*table)
        own = float(truth.mean())
        assert expected_accuracy(truth, predicted, prior=own) == pytest.approx(accuracy(truth, predicted))
        assert precision(truth, predicted, prior=own) == pytest.approx(precision(truth, predicted), nan_ok=True)


class TestReweighing:
    @given(tables, shares)
    def test_precision_by_bayes(self, table, share):
        tp, fn, fp, tn = table
        tpr, fpr = tp / (tp + fn), fp / (fp + tn)
        top, bottom = share * tpr, share * tpr + (1 - share) * fpr
        expected = top / bottom if bottom else np.nan
        assert precision(*labels_of(*table), prior=share) == pytest.approx(expected, nan_ok=True)

    def test_is_the_same_as_weights(self):
        truth, predicted = labels_of(3, 2, 4, 11)
        weights = np.where(truth == 1, 0.3 / 5, 0.7 / 15)
        for name in ("precision", "f_measure", "mcc", "kappa", "error_rate", "npv", "jaccard"):
            f = measures.function(name)
            assert f(truth, predicted, prior=0.3) == pytest.approx(f(truth, predicted, weights=weights)), name

    def test_each_fold_has_its_own_factor(self):
        arguments = {"truth": [1, 0, 0, 1, 1, 0], "channels": {"label": [1, 1, 0, 1, 0, 0]}, "classes": 2}
        found = compute(["precision(prior=0.5)", "precision"], **arguments, folds=[0, 0, 0, 1, 1, 1])
        np.testing.assert_allclose(found["precision(prior=0.5)"], [0.5 / (0.5 + 0.25), 1])
        np.testing.assert_allclose(found["precision"], [0.5, 1])

    def test_one_class_is_undefined(self):
        assert np.isnan(accuracy([0, 0], [0, 1], classes=[0, 1], prior=0.5))

    def test_with_an_average_it_still_is_the_share_of_the_positive_class(self):
        truth, predicted = [1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0]  # tpr 3/4, fpr 1/2
        of_one = 0.1 * 0.75 / (0.1 * 0.75 + 0.9 * 0.5)
        of_zero = 0.9 * 0.5 / (0.9 * 0.5 + 0.1 * 0.25)
        assert precision(truth, predicted, average="macro", prior=0.1) == pytest.approx((of_one + of_zero) / 2)


class TestExpectedCost:
    def test_by_hand(self):
        assert expected_cost(*SECOND, costs=(1, 10)) == pytest.approx((10 * 1 + 5 * 10) / 100)
        assert expected_cost(*SECOND, costs=(1, 10), positive=0) == pytest.approx((5 * 1 + 10 * 10) / 100)
        assert expected_cost(*SECOND, costs=[[0, 1], [10, 0]]) == pytest.approx(0.6)
        assert expected_cost(*SECOND, costs=(1, 10), prior=0.5) == pytest.approx(0.5 * 5 / 80 * 10 + 0.5 * 10 / 20)

    def test_without_costs_it_is_the_error_rate(self):
        assert expected_cost(*SECOND) == pytest.approx(0.15)
        assert expected_cost(*SECOND, costs="uniform") == pytest.approx(0.15)

    @pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 6)])
    def test_a_distribution_of_costs_by_integration(self, a, b):
        def cost(c):
            return 2 * c * 10 / 100 + 2 * (1 - c) * 5 / 100

        expected, _ = integrate.quad(lambda c: cost(c) * stats.beta(a, b).pdf(c), 0, 1)
        assert expected_cost(*SECOND, costs=Beta(a, b)) == pytest.approx(expected, rel=1e-7)

    def test_three_classes_and_a_gain(self):
        truth, predicted = [0, 0, 1, 2], [0, 2, 1, 0]
        costs = [[-1, 0, 3], [0, 0, 0], [7, 0, 0]]
        assert expected_cost(truth, predicted, costs=costs) == pytest.approx((-1 + 3 + 0 + 7) / 4)

    def test_a_label_of_no_class_costs_the_most(self):
        arguments = {"truth": [0, 1], "channels": {"label": [0, -1]}, "classes": 2}
        assert compute(["expected_cost(costs=(1, 30))"], **arguments)["expected_cost(costs=(1, 30))"][0] == 15

    @given(tables, st.floats(0, 100), st.floats(0, 100))
    def test_linear_in_the_costs(self, table, false_positive, false_negative):
        given = labels_of(*table)
        one, other = expected_cost(*given, costs=(1, 0)), expected_cost(*given, costs=(0, 1))
        both = expected_cost(*given, costs=(false_positive, false_negative))
        assert both == pytest.approx(false_positive * one + false_negative * other)


class TestInContext:
    def test_what_a_measure_becomes(self):
        becomes = [
            ("accuracy", {"positives": 0.02}, "expected_accuracy(prior=0.02)"),
            ("accuracy", {"positives": "uniform"}, "expected_accuracy"),
            ("error_rate", {"positives": 0.02}, "error_rate(prior=0.02)"),
            ("f1", {"positives": 0.02}, "f_measure(prior=0.02)"),
            ("f_measure(beta=2)", {"positives": 0.02}, "f_measure(prior=0.02, beta=2)"),
            ("accuracy", {"costs": [1, 30]}, "expected_cost(costs=(1, 30), per=1000)"),
            ("accuracy", {"positives": 0.1, "costs": [1, 30]}, "expected_cost(costs=(1, 30), prior=0.1, per=1000)"),
            ("average_recall", {"positives": 0.02}, "average_recall"),
            ("auc", {"positives": 0.02}, "auc"),
            ("accuracy", {}, "accuracy"),
            ("accuracy(combine='pooled')", {"positives": 0.1}, "expected_accuracy(prior=0.1, combine='pooled')"),
            ("macro_f1", {"positives": 0.1}, "f_measure(average='macro', prior=0.1)"),
            ("error_rate", {"positives": "uniform"}, "expected_cost(prior='uniform')"),
            ("recall", {"positives": 0.1}, "recall"),
            ("recall(average='weighted')", {"positives": 0.1}, "recall(average='weighted', prior=0.1)"),
            ("accuracy", {"positives": Beta(2.1234567, 3)}, "expected_accuracy(prior='beta(2.1234567, 3)')"),
            ("accuracy", {"positives": Beta(1e-7, 1)}, "expected_accuracy(prior='beta(1e-07, 1)')"),
        ]
        for name, context, expected in becomes:
            assert in_context(name, context) == expected

    @pytest.mark.parametrize(
        ("name", "context", "message"),
        [
            (
                "precision",
                {"costs": [1, 2]},
                "costs in the context need the measure 'expected_cost', but it is 'precision'",
            ),
            ("precision", {"positives": "uniform"}, "precision is not linear in the class balance"),
            ("accuracy", {"positive": 0.1}, "context may have 'positives'"),
            ("accuracy", {"positives": 1.5}, "positives must be the share of the positive class"),
            (
                "accuracy",
                {"positives": "often"},
                r"positives must be a share such as 0.02, .*, 'uniform' or 'beta\(a, b\)', got 'often'",
            ),
            (
                "accuracy",
                {"costs": "1:30"},
                r"^costs must be \[1, 30\] \(of a false positive and of a false negative\), 'uniform' or "
                r"'beta\(a, b\)', got '1:30'; by true label they are \{'no': 1, 'yes': 30\}$",
            ),
            ("accuracy", {"costs": [1, 2, 3]}, "costs must be two numbers"),
            ("accuracy", {"positives": "beta(1.2.3, 2)"}, "'uniform' or 'beta"),
            ("accuracy", {"positives": float("nan")}, "must be a finite number, got nan"),
            ("accuracy", {"costs": [[0, 1], [1]]}, "costs must be numbers"),
            ("accuracy", {"costs": [-1, 5]}, "must not be negative"),
            ("accuracy", {"costs": "beta(0, 1)"}, "a and b of a Beta distribution must be above 0"),
        ],
    )
    def test_says_what_was_wrong(self, name, context, message):
        with pytest.raises(InputError, match=message):
            in_context(name, context)

    def test_a_context_for_three_classes(self):
        check_context({"positives": [0.2, 0.3, 0.5], "costs": [[0, 1, 2], [1, 0, 1], [2, 1, 0]]})
        with pytest.raises(InputError, match="2 shares of the classes that sum to 1"):
            expected_accuracy([0, 1], [0, 1], prior=(0.2, 0.3, 0.5))
