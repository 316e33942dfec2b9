"""The table of means that results print as."""

from __future__ import annotations

import pandas as pd

from fairtrial.results import read_scores
from fairtrial.results.score_measures import mean_table


def score(dataset, method, level, fold):
    """0.5 to 0.9 over the folds of a, less on wine and at the second level; b fails on the first fold."""
    if method == "b" and fold == 0:
        return None
    return {"accuracy": 0.5 + 0.1 * fold - 0.2 * (dataset == "wine") - 0.3 * (level == 40), "fit_time": 1.0}


class TestMeanTable:
    def test_by_hand(self, made_results):
        table = mean_table(made_results(score, datasets=("iris", "wine"), methods=("a",)))
        assert [(row[0], round(row[1], 12)) for row in table.rows] == [("iris", 0.7), ("wine", 0.5)]
        assert table.caption == "accuracy, mean over splits, per data set"
        assert [column.title for column in table.columns] == ["data set", "a"]

    def test_a_row_for_each_level(self, made_results):
        table = mean_table(made_results(score, methods=("a",), factor="train_size", levels=(20, 40)))
        assert [column.title for column in table.columns] == ["level", "data set", "a"]
        assert [(row[0], round(row[2], 12)) for row in table.rows] == [("train_size 20", 0.5), ("train_size 40", 0.2)]

    def test_a_mean_that_something_stands_in_for_is_marked(self, made_results):
        table = mean_table(made_results(score, datasets=("iris",), yardsticks=("a",)))
        # methods are a and b, yardsticks last: on the failed fold b is scored as a, whose score there is 0.5
        marked = dict(zip((column.title for column in table.columns), table.rows[0], strict=True))["b"]
        assert (round(marked.value, 12), marked.mark) == (0.7, "†")
        assert any(note.startswith("† 1 of 10 trials failed: b on iris (1); scored as") for note in table.notes)


class TestFailed:
    def test_without_any_policy_that_could_stand_in(self):
        frame = pd.DataFrame({"dataset": ["d", "e"], "a": [0.5, 0.6], "b": [None, None]})
        table = read_scores(frame, measure="accuracy").to_table()
        assert [row[2].text for row in table.rows] == ["failed", "failed"]
        assert not any("left out" in note for note in table.notes)
