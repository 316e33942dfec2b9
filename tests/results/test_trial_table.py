"""The trials of a study file as a frame, and columns of what they predicted."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier
from study_changes import change

from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.results import read_study, trial_table
from fairtrial.results.trial_table import blocks_of, class_columns, level_column, prediction_columns


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


class TestLevelColumn:
    def test_numbers_stay_numbers_and_what_does_not_exist_is_missing(self):
        rows = [{"depth": 3}, {}, {"depth": 5}]
        found = level_column(rows, "depth", (3, 5))
        assert found[[0, 2]].tolist() == [3, 5]
        assert np.isnan(found[1])
        assert level_column([{"depth": 3}], "depth").dtype.kind == "i"

    def test_anything_else_is_text(self):
        assert level_column([{"a": True}, {"a": None}, {"a": 2}], "a").tolist() == ["True", "None", "2"]
        assert level_column([{"a": 3}], "a", (3, None)).tolist() == ["3"]  # as in the rows that have None

    def test_a_strangers_factor_is_called_like_a_column(self, tmp_path):
        study = Study(
            datasets=["iris"], methods={"tree": DecisionTreeClassifier()}, resampling="2-fold",
            factors={"max_depth": [2]}, measures=["accuracy"],
        )  # fmt: skip
        study.run(tmp_path / "a.trial", workers=0, progress=False).source.file.close()
        renamed = 'UPDATE study SET definition = REPLACE(definition, \'"name": "max_depth"\', \'"name": "value"\')'
        change(tmp_path / "a.trial", renamed)
        with pytest.raises(StudyFileError, match="a factor is called 'value', which is a column of results"):
            read_study(tmp_path / "a.trial")


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
