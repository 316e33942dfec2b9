"""The digest of results: of scores, of predictions, of a study."""

from __future__ import annotations

import pandas as pd

import fairtrial as ft
from fairtrial.results.prediction_source import digest_of_results, digest_of_rows

SCORES = pd.DataFrame({"dataset": ["a", "b", "c"], "x": [0.7, 0.8, 0.9], "y": [0.6, 0.9, None]})


def scores(frame):
    return ft.read_scores(frame, measure="accuracy")


class TestDigestOfResults:
    def test_of_scores(self):
        whole = digest_of_results(scores(SCORES))
        assert digest_of_results(scores(SCORES[::-1])) == whole
        assert digest_of_results(scores(SCORES[["y", "dataset", "x"]])) == whole
        assert digest_of_results(scores(SCORES.replace(0.7, 0.7000001))) != whole
        assert digest_of_results(scores(SCORES.rename(columns={"x": "z"}))) != whole

    def test_of_predictions_it_is_about_instances_whatever_their_order(self):
        y = [0, 1, 0, 1, 1, 0]
        frame = pd.DataFrame({"y": y, "a": y, "b": [0, 1, 1, 1, 0, 0]})
        whole = digest_of_results(ft.read_predictions(frame, truth="y"))
        assert digest_of_results(ft.read_predictions(frame[::-1], truth="y")) == whole
        # the same labels of b on other instances: what b shares with a is another
        other = frame.assign(b=[0, 1, 1, 0, 1, 0])
        assert sorted(zip(other["y"], other["b"], strict=True)) == sorted(zip(frame["y"], frame["b"], strict=True))
        other["a"] = [0, 1, 0, 0, 1, 0]
        frame["a"] = [0, 1, 0, 0, 1, 0]
        before, after = (digest_of_results(ft.read_predictions(f, truth="y")) for f in (frame, other))
        assert before != after

    def test_of_a_study_at_a_level_it_is_that_of_the_whole_file(self):
        factors = {"train_size": [40, 80]}
        study = ft.Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="2-fold", factors=factors)
        results = study.run(None, workers=0, progress=False)
        assert digest_of_results(results.at(train_size=40)) == digest_of_results(results)


class TestDigestOfRows:
    def test_nan_is_a_value(self):
        one = pd.DataFrame({"a": [1.0, None]})
        assert digest_of_rows(one) == digest_of_rows(one.copy()) != digest_of_rows(one.fillna(0))
