"""What tuned methods chose, what they tried, and what that cost."""

import pytest
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.results.analyses.tuned_choices import chosen_frame, tried_frame, tuning_table


@pytest.fixture(scope="module")
def results():
    tuned = ft.tuned(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]})
    study = ft.Study(datasets=["iris"], methods={"tuned": tuned, "bayes": "majority"}, resampling="3-fold")
    return study.run(None, workers=0, progress=False)


class TestChosen:
    def test_is_the_best_of_what_was_tried(self, results):
        chosen, tried = chosen_frame(results), tried_frame(results)
        assert chosen["fold"].tolist() == [0, 1, 2]
        assert chosen["configurations"].tolist() == [3, 3, 3]
        best = tried[tried["place"] == 1]
        assert best["param_max_depth"].tolist() == chosen["param_max_depth"].tolist()
        assert best["inner_score"].tolist() == chosen["inner_score"].tolist()
        for _, own in tried.groupby("fold"):
            assert sorted(own["param_max_depth"]) == [1, 2, 3]
            assert own["inner_score"].is_monotonic_decreasing  # accuracy: the best first


class TestTuningTable:
    def test_who_was_tuned_and_who_was_not(self, results):
        rows = {row[0]: row for row in tuning_table(results).rows}
        assert rows["tuned"][1].startswith("grid, accuracy over ")
        assert rows["tuned"][2] == 3
        assert rows["bayes"][1] == "not tuned"

    def test_without_tuning_there_is_none(self, made_results):
        plain = made_results(lambda *_: {"accuracy": 0.5, "fit_time": 1.0})
        assert tuning_table(plain) is None
        assert list(chosen_frame(plain).columns)[-4:] == ["inner_score", "configurations", "fits", "seconds"]
