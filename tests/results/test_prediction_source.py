"""Stored predictions, wherever they come from."""

from __future__ import annotations

import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.measures import get
from fairtrial.results import COLUMNS
from fairtrial.results.prediction_source import stored_predictions, why_undefined

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

    def test_each_test_has_its_instance_and_its_loss(self, source):
        dataset = sorted(source.datasets())[0]
        method = next(iter(source.losses("error_rate", dataset)))
        tested = source.tested(dataset, method)
        assert set(tested.columns) == {"repeat", "fold", "instance"}
        assert len(source.losses_of("error_rate", dataset, method)) == len(tested)

    def test_what_is_known_of_trials_is_empty_where_they_are_not(self, source):
        if source.trials is None:
            assert (source.trial_remarks(), source.warning_counts(), source.details()) == ({}, {}, {})
        else:
            assert set(source.warning_counts()) == set(source.trial_remarks()["warnings"])
            assert set(source.details()) <= set(source.trials["trial"])

    def test_instances_that_were_learned_from_are_another_source(self, source):
        assert source.apparent().datasets() == set()  # no resampling here tests them

    def test_an_anonymous_copy_needs_a_study_file(self, source, tmp_path):
        if source.trials is not None:
            assert source.copy_anonymously(tmp_path / "blind.trial").exists()
        else:
            with pytest.raises(InputError, match="anonymous= copies a study file, but these results come from a table"):
                source.copy_anonymously(tmp_path / "blind.trial")

    def test_at_no_level_is_the_same(self, source):
        assert source.at({}).datasets() == source.datasets()
        assert set(source.trial_remarks()) <= {"warnings", "outputs", "notes"}


class TestWhyUndefined:
    def test_predictions_that_lack_a_channel(self):
        frame = pd.DataFrame({"y": [0.5, 1.5, 2.5], "a": [0.4, 1.6, 2.0], "b": [0.0, 1.0, 2.0]})
        results = ft.read_predictions(frame, measure="mae")
        (name,) = results.dataset_names()
        assert why_undefined(results, get("nlpd"), name, "a") == "predictions of a have no std"
        assert why_undefined(results, get("r2"), name, "a") == get("r2").undefined
