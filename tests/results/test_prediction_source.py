"""Stored predictions, wherever they come from."""

from __future__ import annotations

import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.results import COLUMNS
from fairtrial.results.prediction_source import stored_predictions

FRAME = pd.DataFrame({"y": ["cat", "dog", "cat"], "a": ["cat", "dog", "dog"], "b": ["dog", "dog", "dog"]})


class TestStoredPredictions:
    def test_scores_without_predictions(self, write):
        scores = ft.read_scores(write("dataset,a,b\niris,0.9,0.8\nwine,0.7,0.6\n"), measure="accuracy")
        with pytest.raises(InputError, match="scores without predictions"):
            _ = scores.predictions

    def test_are_what_the_results_have(self):
        results = ft.read_predictions(FRAME, truth="y")
        assert stored_predictions(results) is results.source


class TestEverySource:
    """What a study file gives and what a table gives can be used alike."""

    @pytest.fixture(params=["study", "table"])
    def source(self, request, tumours):
        return tumours.source if request.param == "study" else ft.read_predictions(FRAME, truth="y").source

    def test_scores_are_tidy(self, source):
        scores = source.scores(["accuracy", "error_rate"])
        assert tuple(scores.columns) == COLUMNS
        wide = scores.pivot(index=["dataset", "method", "repeat", "fold"], columns="measure", values="value")
        assert (wide["accuracy"] + wide["error_rate"] - 1).abs().max() < 1e-12
        assert set(scores["dataset"]) == source.datasets()

    def test_losses_are_of_the_instances_that_were_predicted(self, source):
        dataset = sorted(source.datasets())[0]
        losses = source.losses("error_rate", dataset)
        for method in losses:
            predictions = source.predictions(dataset, method)
            wrong = predictions.truth != predictions.channels["label"]
            assert losses[method].tolist() == wrong.astype(float).tolist()

    def test_the_table_has_what_the_frame_has(self, source):
        frame = source.frame()
        parts = list(source.table().frames())
        assert sum(map(len, parts)) == len(frame)
        assert set(parts[0].columns) == set(frame.columns)

    def test_at_no_level_is_the_same(self, source):
        assert source.at({}).datasets() == source.datasets()
        assert set(source.told()) <= {"warnings", "outputs", "notes"}
