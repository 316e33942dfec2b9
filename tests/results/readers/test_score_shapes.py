"""The shapes of tables of scores, and their long form."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from reader_examples import LONG, wide_of

from fairtrial.errors import InputError
from fairtrial.results import read_scores
from fairtrial.results.readers.score_shapes import FoldColumns, Kept, LongShape, MeasureColumns, Places, WideShape

FRAME = pd.DataFrame({"dataset": ["iris", "wine"], "learner": ["a", "b"], "x": [0.9, 0.8], "y": [0.7, "95%"]})
PLACES = Places("dataset", "learner")


def rows_of(shape, frame=FRAME):
    return shape.long_form(frame).to_dict("records")


class TestLongShape:
    def test_what_is_known_of_trials_is_kept(self):
        frame = FRAME.assign(seed=[30, 10], n_test=[50, 60])
        first, second = rows_of(LongShape(Places("dataset", "learner", repeat="seed"), ("x",)), frame)
        assert first == {"dataset": "iris", "method": "a", "repeat": 1, "fold": 0, "value": 0.9, "n_test": 50}
        assert second["repeat"] == 0  # 10 before 30

    def test_a_measure_column_names_the_measures(self):
        shape = LongShape(Places("dataset", "learner", measure="metric"), ("x",))
        assert shape.names_measures
        assert rows_of(shape, FRAME.assign(metric="auc"))[1]["measure"] == "auc"
        assert not LongShape(PLACES, ("x",)).names_measures

    def test_cells_are_named_without_their_column(self):
        assert LongShape(PLACES, ("y",)).cells(FRAME).texts() == [("wine, b", "95%")]
        assert LongShape(PLACES, ("y",)).cells(FRAME, Kept(methods={"a"})).texts() == []

    def test_a_level_is_a_number(self):
        shape = LongShape(Places("dataset", "learner", factors=("label_noise",)), ("x",))
        assert [row["label_noise"] for row in rows_of(shape, FRAME.assign(label_noise=["0", "0.1"]))] == [0.0, 0.1]
        with pytest.raises(InputError, match="levels of label_noise must be numbers, got 'much'"):
            shape.long_form(FRAME.assign(label_noise=["0", "much"]))


class TestWideShape:
    WIDE = WideShape(Places("dataset"), ("x", "y"), unread=("learner",))

    def test_each_column_is_a_method(self):
        found = [(row["dataset"], row["method"], row["value"]) for row in rows_of(self.WIDE)]
        assert found[:3] == [("iris", "x", 0.9), ("wine", "x", 0.8), ("iris", "y", 0.7)]
        assert np.isnan(found[3][2])

    def test_columns_that_were_not_read_are_named(self):
        assert self.WIDE.unread == ("learner",)
        assert WideShape(Places("dataset"), ("x",)).unread == ()

    def test_only_columns_of_methods_that_are_wanted_are_looked_at(self):
        assert self.WIDE.cells(FRAME).texts() == [("wine, y", "95%")]
        assert self.WIDE.cells(FRAME, Kept(methods={"x"})).texts() == []


class TestMeasureColumns:
    def test_each_column_is_a_measure(self):
        shape = MeasureColumns(PLACES, ("x", "y"))
        assert shape.names_measures
        assert [(row["method"], row["measure"]) for row in rows_of(shape)] == [
            ("a", "x"), ("b", "x"), ("a", "y"), ("b", "y"),
        ]  # fmt: skip

    def test_cells_are_named_with_their_column(self):
        assert MeasureColumns(PLACES, ("x", "y")).cells(FRAME).texts() == [("wine, b, y", "95%")]


class TestFoldColumns:
    @pytest.mark.parametrize(
        ("resampling", "places"),
        [(None, [(0, 0), (0, 1), (0, 2), (0, 3)]), ("2x2-fold", [(0, 0), (0, 1), (1, 0), (1, 1)])],
    )
    def test_the_resampling_says_which_are_of_one_repeat(self, resampling, places):
        frame = pd.DataFrame({"dataset": ["iris"], "learner": ["a"], "f1": [1], "f2": [2], "f3": [3], "f4": [4]})
        found = FoldColumns(PLACES, ("f1", "f2", "f3", "f4"), resampling).long_form(frame)
        assert list(zip(found["repeat"], found["fold"], strict=True)) == places
        assert found["value"].tolist() == [1, 2, 3, 4]


class TestThroughTheDoor:
    def test_any_titles_and_numeric_methods(self, write):
        results = read_scores(write(LONG), value="quality", measure="accuracy", resampling="2-fold")
        assert results.method_names() == ("1", "2")
        assert results.dependence["iris"].scheme == "2-fold"
        assert results.scores.query("method == '2' and fold == 1")["value"].item() == 0.6

    def test_numbered_titles(self, write):
        text = "classifier,dataset,s0,s1,s2,s3\na,iris,0.9,0.8,0.7,0.6\nb,iris,0.8,0.7,0.6,0.1\n"
        results = read_scores(write(text), measure="accuracy", resampling="2x2-fold")
        last = results.scores.query("method == 'b' and repeat == 1 and fold == 1")
        assert last["value"].item() == 0.1

    def test_baycomp(self, shared_table):
        path = shared_table("baycomp_accuracies_10x10cv.csv")
        results = read_scores(path, measure="accuracy", resampling="10x10-fold")
        means = pd.read_csv(shared_table("baycomp_accuracies_mean.csv")).set_index("dataset")
        np.testing.assert_allclose(wide_of(results)[means.columns].loc[means.index], means, atol=0.002)

    def test_a_repeat_column(self, write):
        text = "dataset,resample,a,b\niris,0,0.9,0.8\niris,1,0.8,0.7\nwine,0,0.9,0.6\nwine,1,0.9,0.5\n"
        results = read_scores(write(text), measure="accuracy", resampling="2x holdout 0.3")
        assert results.method_names() == ("a", "b")
        assert results.dependence["iris"].test_share == 0.3
        assert results.scores.query("dataset == 'wine' and method == 'b' and repeat == 1")["value"].item() == 0.5

    def test_a_repeat_column_of_a_real_table(self, shared_table):
        real = read_scores(shared_table("tsc_bakeoff2023_best8_30resamples_long.csv"), measure="accuracy")
        assert real.scores.groupby(["dataset", "method"]).size().eq(30).all()
        assert len(real.method_names()) == 8


class TestTitlesThatAreOursToo:
    @pytest.mark.parametrize("title", ["value", "column", "score"])
    def test_a_method_called_value(self, write, title):
        results = read_scores(write(f"dataset,{title},bayes\niris,0.9,0.8\nwine,0.7,0.6\n"), measure="accuracy")
        assert results.method_names() == (title, "bayes")
        assert results.scores["value"].tolist() == [0.9, 0.7, 0.8, 0.6]

    def test_sizes_that_are_text(self, write):
        with pytest.raises(InputError, match="n_train must hold numbers of rows, or nothing, got 'many'"):
            read_scores(write("dataset,method,value,n_train\niris,a,0.9,many\niris,b,0.8,3\n"), measure="accuracy")

    def test_folds_that_are_not_read_are_named(self, write):
        text = "dataset,method,s0,s1,s2\niris,a,lost,0.9,0.8\niris,b,gone,0.7,0.6\n"
        results = read_scores(write(text), measure="accuracy")
        assert "not used: the column 's0'" in str(results.reading)
