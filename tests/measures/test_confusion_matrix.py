"""The confusion matrix as a thing of its own."""

import numpy as np
import pytest
from made_predictions import PLANTS

from fairtrial import measures
from fairtrial.errors import InputError
from fairtrial.measures import ConfusionMatrix, confusion_matrix

DISEASES = ("n-inf", "cerc", "rust", "pseu", "ram", "phom")


class TestMeasures:
    def test_of_the_documents(self):
        # 003 example 12.1, 12.2
        expected = {"recall": 0.75, "specificity": 1.0, "accuracy": 0.8, "average_recall": 0.875}
        first = ConfusionMatrix.of_table(tp=60, fn=20, fp=0, tn=20)
        assert {n: first.measure(n) for n in expected} == expected
        search = ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=910)
        assert search.measure("predicted_positive_rate") == 0.085
        assert search.measure("specificity") == pytest.approx(0.9891304348)

    def test_plant_diseases(self):
        matrix = ConfusionMatrix(PLANTS, DISEASES)
        assert matrix.measure("recall", positive="phom") == pytest.approx(16 / 55)
        assert min(matrix.measure("recall", positive=d) for d in DISEASES[:5]) > 0.67
        table = matrix.per_class()
        assert [row[0] for row in table.rows] == [*DISEASES, "macro", "micro", "weighted"]
        assert table.rows[5][2] == pytest.approx(16 / 55)
        assert table.rows[6][2] == pytest.approx(matrix.measure("average_recall"))
        assert table.rows[7][2] == pytest.approx(matrix.measure("accuracy"))

    def test_agrees_with_plain_arrays(self):
        rng = np.random.default_rng(1)
        truth, predicted, weights = rng.integers(0, 3, 50), rng.integers(0, 3, 50), rng.exponential(size=50)
        matrix = confusion_matrix(truth, predicted, weights=weights)
        for name in measures.names():
            if measures.get(name).needs == ("label",):
                own = measures.function(name)(truth, predicted, weights=weights)
                assert matrix.measure(name) == pytest.approx(own), name
        for name in ("f_measure(beta=2)", "precision(average='micro')", "precision(prior=(0.2, 0.2, 0.6))"):
            assert matrix.measure(name) == pytest.approx(measures.function(name)(truth, predicted, weights=weights))

    def test_another_positive_class(self):
        truth, predicted = [1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, 1, 0]
        matrix = confusion_matrix(truth, predicted)
        for name in ("expected_cost(costs=(1, 5))", "accuracy(prior=0.1)", "precision"):
            own = measures.function(name)(truth, predicted, positive=0)
            assert matrix.measure(name, positive=0) == pytest.approx(own), name

    def test_rates_are_enough(self):
        made = ConfusionMatrix.of_rates(tpr=0.9375, tnr=0.5, positives=0.8, n=100)
        np.testing.assert_allclose(made.counts, ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10).counts)
        assert made.tpr, made.fpr == (0.9375, 0.5)

    def test_another_class_balance(self):
        other = ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10).reweighed(0.01)
        assert other.total == pytest.approx(100)
        assert other.tpr == pytest.approx(0.9375)
        assert other.measure("precision") == pytest.approx(0.01 * 0.9375 / (0.01 * 0.9375 + 0.99 * 0.5))


class TestPrinting:
    def test_truth_is_in_rows_and_both_are_labelled(self):
        text = str(confusion_matrix(["b", "b", "a"], ["a", "b", "a"]))
        assert text.splitlines()[0] == "2 of 3 predicted right (accuracy 0.667)"
        assert "truth in rows, predictions in columns" in text
        assert [c.title for c in confusion_matrix(["b", "b", "a"], ["a", "b", "a"]).to_table().columns] == [
            "truth \\ predicted", "a", "b", "all", "recall",
        ]  # fmt: skip

    def test_labels_of_no_class_have_a_column(self):
        matrix = confusion_matrix(["a", "b", "b"], ["a", "b", "zebra"], classes=["a", "b"])
        assert matrix.to_table().rows[1] == ("b", 0.0, 1.0, 1.0, 2.0, 0.5)
        assert matrix.measure("accuracy") == pytest.approx(2 / 3)

    def test_names_are_escaped(self):
        matrix = confusion_matrix(["<b>", "x"], ["x", "x"])
        assert "<b>" not in matrix._repr_html_()

    def test_to_dict(self):
        made = ConfusionMatrix.of_table(tp=1, fn=2, fp=3, tn=4).to_dict()
        assert made["counts"] == [[4, 3], [2, 1]]
        assert made["positive"] == "positive"


class TestErrors:
    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: ConfusionMatrix(np.ones((2, 3)), ("a", "b")), r"counts must be 2 rows .* got the shape \(2, 3\)"),
            (lambda: ConfusionMatrix(-np.ones((2, 2)), ("a", "b")), "must not be negative, got -1"),
            (lambda: ConfusionMatrix(np.ones((2, 2)), ("a", "a")), "classes must differ"),
            (lambda: ConfusionMatrix(np.ones((2, 2)), ("a", "b"), elsewhere=[1]), "elsewhere must be 2 numbers"),
            (lambda: ConfusionMatrix.of_table(tp=0, fn=0, fp=1, tn=1).reweighed(0.5), "prior must be 0 for 'positive'"),
            (lambda: ConfusionMatrix(np.ones((2, 2)), ("a", "b"), "c"), "positive must be one of the classes"),
            (
                lambda: ConfusionMatrix.of_table(tp=1, fn=1, fp=1, tn=1).measure("auc"),
                "auc can't be computed .* needs score",
            ),
            (lambda: ConfusionMatrix.of_rates(tpr=2, tnr=1, positives=0.5), "tpr must be a share from 0 to 1, got 2"),
            (lambda: ConfusionMatrix.of_table(tp=1, fn=1, fp=1, tn=1).reweighed(7), "prior must be the share"),
        ],
    )
    def test_says_what_was_wrong(self, call, message):
        with pytest.raises(InputError, match=message):
            call()


def test_of_many_classes_the_most_frequent_confusions_are_printed():
    """3,000 classes took minutes, and nobody reads nine million counts."""
    truth = [f"c{i}" for i in range(150)] * 2
    predicted = [*truth[:297], "c1", "c1", "c0"]  # the last three are c147, c148 and c149
    predicted[147:149] = ["c1", "c0"]
    matrix = measures.confusion_matrix(truth, predicted)
    assert list(matrix.confusions().rows) == [
        ("c147", "c1", 2.0), ("c148", "c0", 1.0), ("c148", "c1", 1.0), ("c149", "c0", 1.0)
    ]  # fmt: skip
    printed = str(matrix)
    assert printed.splitlines()[1] == "the 4 most frequent confusions of 150 classes; to_table() has all 22,500 counts"
    assert len(printed) < 600
