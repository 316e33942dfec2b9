"""Predictions that came in a table, as a source of scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from reader_examples import LABELS, B

from fairtrial.errors import InputError
from fairtrial.results import read_predictions


class TestClusters:
    def frame(self):
        patient = np.repeat(np.arange(8), [1, 2, 3, 4, 5, 6, 7, 22])
        right = np.arange(50) % 3 > 0
        return pd.DataFrame(
            {
                "y": np.arange(50) % 2,
                "patient": patient,
                "a": np.where(right, np.arange(50) % 2, 1 - np.arange(50) % 2),
                "b": 1,
            }
        )

    def test_the_mean_stays_that_of_the_instances(self):
        results = read_predictions(self.frame(), cluster="patient")
        losses = results.source.losses("accuracy", "a DataFrame")
        assert len(losses) == 8
        plain = results.scores.query("measure == 'accuracy'").set_index("method")["value"]
        assert losses["a"].mean() == pytest.approx(plain["a"])
        assert losses["b"].mean() == pytest.approx(plain["b"])

    def test_equal_clusters_are_their_means(self):
        frame = self.frame().assign(patient=np.repeat(np.arange(10), 5))
        losses = read_predictions(frame, cluster="patient").source.losses("accuracy", "a DataFrame")
        right = (frame["a"] == frame["y"]).groupby(frame["patient"]).mean()
        np.testing.assert_allclose(losses["a"], right)

    def test_says_so(self):
        verdict = read_predictions(self.frame(), cluster="patient").verdict()
        assert verdict.evidence.clustered
        assert "sign flips of whole clusters over 8 clusters" in verdict.test

    def test_no_such_column(self):
        with pytest.raises(InputError, match="cluster must name a column, got 'ward'"):
            read_predictions(self.frame(), cluster="ward")


class TestTablePredictions:
    def test_times_are_not_in_predictions(self):
        with pytest.raises(InputError, match="fit_time needs records of the runs"):
            read_predictions(LABELS).verdict("fit_time")

    def test_the_frame_of_predictions(self):
        frame = read_predictions(LABELS).predictions
        assert list(frame.columns) == ["dataset", "method", "repeat", "fold", "instance", "truth", "label"]
        assert frame.query("method == 'b'")["label"].tolist() == B
