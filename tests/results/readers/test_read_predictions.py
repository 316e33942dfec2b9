"""read_predictions: per-instance predictions of several models, whoever made them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from reader_examples import GOOD, LABELS, POOR, TRUTH, A, Y, rng, score
from sklearn import metrics

from fairtrial.errors import InputError
from fairtrial.results import read_predictions


class TestLabels:
    def test_by_hand(self):
        results = read_predictions(LABELS)
        assert score(results, "accuracy", "a").item() == 0.8
        assert score(results, "accuracy", "b").item() == 0.6
        assert score(results, "recall", "a").item() == 0.75  # 3 of 4 dogs, the rarer class
        assert any("positive class: 'dog', the rarer" in note for note in results.notes)
        assert score(read_predictions(LABELS, positive="cat"), "recall", "a").item() == pytest.approx(5 / 6)

    def test_a_label_that_is_no_class_is_wrong(self):
        odd = LABELS.assign(a=["bird", *A[1:]])
        results = read_predictions(odd)
        assert score(results, "accuracy", "a").item() == 0.7
        assert any("none of the classes count as wrong (1)" in note for note in results.notes)
        assert results.predictions.query("method == 'a'")["label"].isna().sum() == 1

    def test_a_column_of_something_else(self):
        with pytest.raises(InputError, match=r"'c' on .* must predict one of the classes cat or dog.*there is 'x'"):
            read_predictions(LABELS.assign(c="x"))
        results = read_predictions(LABELS.assign(note="x"))
        assert results.method_names() == ("a", "b")
        assert str(results.reading) == "1 data set × 2 methods (a and b) × 10 instances; not used: the column 'note'"


class TestNumbers:
    def test_probabilities_are_of_the_positive_class(self):
        frame = pd.DataFrame({"y": Y.astype(int), "good": GOOD, "poor": POOR})
        results = read_predictions(frame, measure="auc")
        for name in ("good", "poor"):
            assert score(results, "auc", name).item() == pytest.approx(metrics.roc_auc_score(Y, frame[name]))
            assert score(results, "log_loss", name).item() == pytest.approx(metrics.log_loss(Y, frame[name]))
            assert score(results, "accuracy", name).item() == pytest.approx(((frame[name] > 0.5) == Y).mean())
        assert any("positive class: '1'" in note for note in results.notes)  # not the rarer one: it is coded

    def test_scores(self):
        frame = pd.DataFrame({"y": np.where(Y, 1, -1), "good": 8 * GOOD - 4, "poor": 8 * POOR - 4})
        results = read_predictions(frame)
        assert results.question.measure == "auc"
        assert score(results, "auc", "poor").item() == pytest.approx(metrics.roc_auc_score(Y, POOR))
        with pytest.raises(InputError, match=r"accuracy needs label, but 'good' has only score"):
            results.with_measures("accuracy")

    def test_values(self):
        truth = rng.normal(size=50)
        frame = pd.DataFrame({"y": truth, "a": truth + 0.1 * rng.normal(size=50), "b": truth + rng.normal(size=50)})
        results = read_predictions(frame)
        assert results.question.measure == "rmse"
        assert score(results, "rmse", "b").item() == pytest.approx(metrics.root_mean_squared_error(truth, frame["b"]))
        assert score(results, "r2", "a").item() == pytest.approx(metrics.r2_score(truth, frame["a"]))


class TestErrors:
    def test_no_truth(self):
        with pytest.raises(InputError, match=r"columns found: a and b; try read_predictions\(path, truth="):
            read_predictions(LABELS[["a", "b"]])

    def test_empty_predictions(self):
        with pytest.raises(InputError, match=r"'a' on .* 1 predictions are empty"):
            read_predictions(LABELS.assign(a=[None, *A[1:]]))
        with pytest.raises(InputError, match="truth must be known, but 1 rows"):
            read_predictions(LABELS.assign(truth=[None, *TRUTH[1:]]))

    def test_a_measure_for_the_other_task(self):
        with pytest.raises(InputError):
            read_predictions(LABELS, measure="rmse")
