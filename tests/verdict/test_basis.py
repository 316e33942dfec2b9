"""The basis of a verdict: all that is needed to make it again."""

from __future__ import annotations

import pandas as pd

import fairtrial as ft

SCORES = pd.DataFrame({"dataset": list("abcdefg"), "x": [0.9, 0.8, 0.7, 0.8, 0.9, 0.7, 0.8], "y": [0.5] * 7})


class TestBasis:
    def test_question_options_and_versions(self):
        verdict = ft.read_scores(SCORES, measure="accuracy").verdict(control="y", level=0.9, adjust="holm")
        found = verdict.basis.to_dict()
        assert found["options"] == {"control": "y", "level": 0.9, "failures": "baseline", "adjust": "holm"}
        assert found["stated"]["control"] is None
        assert verdict.question.control == "y"
        assert {"fairtrial", "numpy", "scipy", "scikit-learn", "pandas"} <= set(found["versions"])
        assert found["source"] == {"kind": "read_scores", "name": "a DataFrame", "read": {"measure": "accuracy"}}

    def test_of_a_file_only_the_base_name(self, tmp_path):
        SCORES.to_csv(tmp_path / "scores.csv", index=False)
        verdict = ft.read_scores(tmp_path / "scores.csv", measure="accuracy", methods=["x", "y"]).verdict()
        source = verdict.to_dict()["source"]
        assert source["name"] == "scores.csv"
        assert source["read"] == {"measure": "accuracy", "methods": ["x", "y"]}

    def test_scores_are_the_means_by_data_set(self):
        assert ft.read_scores(SCORES, measure="accuracy").verdict().to_dict()["scores"]["c"] == {"x": 0.7, "y": 0.5}
