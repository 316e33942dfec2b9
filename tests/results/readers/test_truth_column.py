"""The truth of a table of predictions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from reader_examples import GOOD, LABELS, POOR, Y, score
from sklearn import metrics

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_predictions


class TestClasses:
    def test_whole_numbers_as_labels(self):
        frame = pd.DataFrame({"y": [0, 1, 2, 0, 1, 2], "a": [0, 1, 2, 0, 1, 7], "b": [0, 1, 1, 1, 1, 1]})
        results = read_predictions(frame, truth="y")
        assert score(results, "accuracy", "a").item() == pytest.approx(5 / 6)
        assert any("taken as classes" in note for note in results.notes)

    def test_true_and_false(self, write):
        path = write("y,a,b\nTrue,True,False\nFalse,False,False\nTrue,True,True\nFalse,True,False\n")
        assert score(read_predictions(path), "accuracy", "a").item() == 0.75

    def test_one_class(self):
        with pytest.raises(InputError, match=r"at least two classes, but all of .* are 'cat'"):
            read_predictions(LABELS.assign(truth="cat"))


class TestPositive:
    def test_the_other_class_may_be_the_positive_one(self):
        frame = pd.DataFrame({"y": np.where(Y, "in", "out"), "good": 1 - GOOD, "poor": 1 - POOR})
        results = read_predictions(frame, measure="auc", positive="out")
        assert score(results, "auc", "good").item() == pytest.approx(metrics.roc_auc_score(Y, GOOD))

    def test_which_class_is_asked_for(self):
        frame = pd.DataFrame({"y": np.where(Y, "in", "out"), "good": GOOD, "poor": POOR})
        with pytest.raises(InputError, match=r"must be for one class, but the class is unknown; say positive='out'"):
            read_predictions(frame)

    def test_no_such_class(self):
        with pytest.raises(UnknownName, match="positive"):
            read_predictions(LABELS, positive="doge")
