"""Declared resamplings, checked against how many scores there are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from reader_examples import GOOD, LONG, POOR, N, Y

from fairtrial.errors import InputError
from fairtrial.results import read_predictions, read_scores
from fairtrial.results.readers.request import declared_dependence


class TestDeclaredDependence:
    def test_by_hand(self):
        found = declared_dependence("3x5-fold", "iris", 15, "scores")
        assert (found.repeats, found.folds, found.test_share) == (3, 5, 0.2)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError) as caught:
            declared_dependence("3x5-fold", "iris", 14, "test sets", "; count them")
        assert str(caught.value) == "resampling='3x5-fold' means 15 test sets, but 'iris' has 14; count them"


class TestScores:
    def test_wrong_count(self, write):
        with pytest.raises(InputError, match="means 100 scores for each method on each data set, but 'iris' has 2"):
            read_scores(write(LONG), value="quality", measure="accuracy", resampling="10x10-fold")


class TestPredictions:
    def frame(self):
        fold = np.arange(N) % 5
        return pd.DataFrame(
            {"y": Y.astype(int), "fold": fold, "a": (GOOD > 0.5).astype(int), "b": (POOR > 0.5).astype(int)}
        )

    def test_declared(self):
        results = read_predictions(self.frame(), resampling="5-fold")
        assert results.dependence["a DataFrame"].test_share == 0.2
        assert results.question.about == "algorithm"
        rows = np.arange(N) % 5 == 2
        by_hand = ((POOR[rows] > 0.5) == Y[rows]).mean()
        assert results.scores.query("method == 'b' and fold == 2 and measure == 'accuracy'")["value"].item() == by_hand
        assert results.verdict().rule == "several methods, one data set"

    def test_wrong_count(self):
        with pytest.raises(InputError, match=r"means 10 test sets, but .* has 5"):
            read_predictions(self.frame(), resampling="10-fold")

    def test_not_declared(self):
        verdict = read_predictions(self.frame()).verdict()
        assert verdict.winner is None
        assert "the split scheme of the scores is unknown" in verdict.sentence
