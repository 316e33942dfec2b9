"""Tables from files and frames, and which column plays which role."""

from __future__ import annotations

import pandas as pd
import pytest
from reader_examples import WIDE, wide_of

from fairtrial.errors import InputError
from fairtrial.results import read_scores
from fairtrial.results.readers.read_table import column_for, numbered, read_table, show_columns


class TestReadTable:
    def test_a_frame_whose_index_names_the_data_sets(self):
        frame = pd.DataFrame({"forest": [0.9, 0.8], "bayes": [0.7, 0.6]}, index=["iris", "wine"])
        for index_name in (None, "problem"):
            results = read_scores(frame.rename_axis(index_name), measure="accuracy")
            assert wide_of(results).loc["wine", "bayes"] == 0.6
        assert list(frame.columns) == ["forest", "bayes"]  # the caller's frame is left as it was

    def test_semicolons_and_decimal_commas(self, write):
        results = read_scores(write("dataset;forest;bayes\niris;0,95;0,9\nwine;0,97;0,5\n"), measure="accuracy")
        assert wide_of(results).loc["wine"].tolist() == [0.97, 0.5]

    def test_a_delimiter_at_the_end_of_each_line_is_no_method(self, write):
        results = read_scores(write("dataset,forest,bayes,\niris,0.95,0.9,\nwine,0.9,0.8,\n"), measure="accuracy")
        assert results.method_names() == ("forest", "bayes")

    def test_nothing_in_it(self, write):
        with pytest.raises(InputError, match="at least one row"):
            read_scores(write("dataset,a,b\n"), measure="accuracy")
        with pytest.raises(InputError, match="at least one row"):
            read_scores(pd.DataFrame({"dataset": [], "a": []}), measure="accuracy")

    def test_no_such_file(self):
        for name in ("nothing.csv", "nothing.arff"):
            with pytest.raises(InputError, match=r"exist"):
                read_scores(name, measure="accuracy")


class TestColumnFor:
    def test_a_column_that_is_not_there(self, write):
        with pytest.raises(InputError, match="dataset must name a column, got 'task'; columns found: dataset, forest"):
            read_scores(write(WIDE), measure="accuracy", dataset="task")

    def test_usual_titles_in_whatever_letters_but_none_that_is_taken(self):
        frame = pd.DataFrame(columns=["Task", "Classifier", "model"])
        assert column_for(frame, "dataset", None) == "Task"
        assert column_for(frame, "method", None) == "Classifier"
        assert column_for(frame, "method", None, ["Classifier"]) == "model"
        assert column_for(frame, "fold", None) is None


class TestShowColumns:
    def test_of_many_the_first_ten(self):
        assert show_columns(pd.DataFrame(columns=list("abc"))) == "a, b and c"
        many = pd.DataFrame(columns=list("abcdefghijklm"))
        assert show_columns(many) == "a, b, c, d, e, f, g, h, i, j and 3 others"


class TestNumbered:
    def test_by_hand(self):
        frame = pd.DataFrame({"run": ["c", "a", "c", "b"]})
        assert numbered(frame, "run").tolist() == [2, 0, 2, 1]
        assert numbered(frame, None).tolist() == [0, 0, 0, 0]


class TestTitles:
    def test_two_columns_of_one_title(self):
        frame = pd.DataFrame([["a", "x", 0.5, 0.6]], columns=["dataset", "method", "auc", "auc"])
        with pytest.raises(
            InputError, match=r"a DataFrame: each column .* but 'auc' is that of columns 3 and 4; rename"
        ):
            read_table(frame)

    def test_titles_that_differ_by_a_space(self, tmp_path):
        file = tmp_path / "scores.csv"
        file.write_text("dataset,forest,forest \na,0.5,0.6\n")
        with pytest.raises(InputError, match=r"scores.csv: each column .* but 'forest' is that of columns 2 and 3"):
            read_table(file)
