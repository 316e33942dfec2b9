"""The trials of a study file as a frame, and columns of what they predicted."""

import numpy as np
import pandas as pd

from fairtrial.results import trial_table
from fairtrial.results.trial_table import blocks_of, class_columns, prediction_columns


class TestTrialTable:
    def test_a_row_for_each_trial_in_the_order_of_the_plan(self, tumours):
        found = trial_table.trial_table(tumours.source.file, ())
        assert len(found) == 2 * 4 * 2 * 3  # data sets, methods with the yardstick, repeats, folds
        assert list(dict.fromkeys(found["dataset"])) == ["breast_cancer", "iris"]
        first = found[(found["dataset"] == "iris") & (found["method"] == "ridge")]
        assert list(zip(first["repeat"], first["fold"], strict=True)) == [(r, f) for r in range(2) for f in range(3)]
        assert (first["n_train"] + first["n_test"] == 150).all()
        assert (found["status"] == "ok").all()
        assert found["error"].isna().all()

    def test_nothing_was_learned_from_and_tested(self, tumours):
        assert trial_table.trial_table(tumours.source.file, (), apparent=True).empty


class TestBlocksOf:
    def test_few_instances_at_a_time(self, monkeypatch):
        monkeypatch.setattr(trial_table, "MOST_INSTANCES", 100)
        trials = pd.DataFrame({"dataset": "d", "method": ["a"] * 4 + ["b"], "n_test": [60, 30, 60, 40, 500]})
        found = [(method, block["n_test"].tolist()) for _, method, block in blocks_of(trials)]
        assert found == [("a", [60, 30]), ("a", [60, 40]), ("b", [500])]  # each to the next hundred


class TestPredictionColumns:
    def test_labels_by_name_and_a_column_for_each_class(self):
        channels = {"label": np.array([1, -1]), "probability": np.array([[0.25, 0.75], [0.5, 0.5]])}
        found = prediction_columns(channels, np.array([0, 1]), ["cat", "dog"])
        assert {name: list(values) for name, values in found.items()} == {
            "truth": ["cat", "dog"], "label": ["dog", "(no class)"], "p_cat": [0.25, 0.5], "p_dog": [0.75, 0.5],
        }  # fmt: skip

    def test_values(self):
        found = prediction_columns({"value": np.array([1.5]), "std": np.array([0.1])}, np.array([1.0]), [])
        assert {name: list(values) for name, values in found.items()} == {"truth": [1.0], "value": [1.5], "std": [0.1]}

    def test_names_of_columns(self):
        assert class_columns("probability", ["a", "b"]) == ["p_a", "p_b"]
        assert class_columns("score", ["a", "b"]) == ["score_a", "score_b"]
