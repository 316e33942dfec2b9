"""Tables from files and frames, and which column plays which role."""

from __future__ import annotations

import pandas as pd
import pytest
from reader_examples import WIDE, wide_of

from fairtrial.errors import InputError
from fairtrial.results import read_predictions, read_scores
from fairtrial.results.readers.read_table import column_for, numbered, read_table, show_columns


class TestReadTable:
    def test_a_frame_whose_index_names_the_data_sets(self):
        frame = pd.DataFrame({"forest": [0.9, 0.8], "bayes": [0.7, 0.6]}, index=["iris", "wine"])
        for index_name in (None, "problem"):
            results = read_scores(frame.rename_axis(index_name), measure="accuracy")
            assert wide_of(results).loc["wine", "bayes"] == 0.6
        assert list(frame.columns) == ["forest", "bayes"]  # the caller's frame is left as it was

    @pytest.mark.parametrize("as_other", ["polars", "arrow", "categories"])
    def test_a_table_of_another_library(self, as_other):
        pl = pytest.importorskip("polars")
        long = {"dataset": ["iris", "iris", "wine", "wine"], "method": list("abab"), "accuracy": [0.9, 0.8, 0.7, 0.6]}
        table = pl.DataFrame(long)
        if as_other == "categories":
            table = table.with_columns(pl.col("dataset", "method").cast(pl.Categorical))
        results = read_scores(table.to_arrow() if as_other == "arrow" else table, measure="accuracy")
        assert wide_of(results).equals(wide_of(read_scores(pd.DataFrame(long), measure="accuracy")))

    def test_predictions_of_another_library(self):
        pl = pytest.importorskip("polars")
        made = {"truth": [1, 0, 1, 0], "a": [1, 0, 0, 0], "b": [0.8, 0.3, 0.6, 0.7]}
        for table in (pl.DataFrame(made), pl.DataFrame(made).to_arrow()):
            assert read_predictions(table).scores.equals(read_predictions(pd.DataFrame(made)).scores)
        with pytest.raises(InputError, match="give what its collect"):
            read_predictions(pl.DataFrame(made).lazy())

    def test_what_is_no_table(self):
        with pytest.raises(InputError, match=r"must be a DataFrame or the path of a file, got list"):
            read_scores([1, 2], measure="accuracy")

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

    def test_a_column_without_a_title(self, tmp_path):
        file = tmp_path / "scores.csv"
        file.write_text("dataset,forest,,\na,0.5,0.6,\n")
        with pytest.raises(
            InputError, match=r"scores.csv: each column must have a title, but column 3 has none; write"
        ):
            read_table(file)
        file.write_text("dataset,forest,,\na,0.5,,\n,,,\n")
        assert read_table(file)[0].to_dict("list") == {"dataset": ["a"], "forest": [0.5]}

    def test_an_index_whose_name_a_column_has(self):
        frame = pd.DataFrame({"dataset": ["a"], "x": [0.5]}, index=pd.Index(["b"], name="dataset"))
        with pytest.raises(InputError, match=r"a DataFrame: its index must have names that no column has"):
            read_table(frame)


class TestNames:
    def test_names_are_texts_as_they_are_written(self, tmp_path):
        file = tmp_path / "scores.csv"
        file.write_text("dataset,method,value\n007,1,0.5\n7,1.0 ,0.6\n")
        frame, _, _ = read_table(file)
        assert frame["dataset"].tolist() == ["007", "7"]
        assert frame["method"].tolist() == ["1", "1.0"]

    @pytest.mark.parametrize("lost", ["", "NA", " "])
    def test_merged_cells(self, tmp_path, lost):
        file = tmp_path / "scores.csv"
        file.write_text(f"dataset,method,value\niris,a,0.9\n{lost},b,0.8\n{lost},c,0.7\n")
        told = (
            r"scores.csv: each row must name its dataset, but 'dataset' is empty or NA in rows 2 and 3 below the "
            r"titles; write it into every row \(a merged cell of a spreadsheet fills its first row only\)"
        )
        with pytest.raises(InputError, match=told):
            read_scores(file, measure="accuracy")

    @pytest.mark.parametrize(
        ("role", "titles"),
        [
            ("method", "dataset,method,value"),
            ("fold", "dataset,method,fold,value"),
            ("measure", "dataset,method,measure,value"),
        ],
    )
    def test_each_role(self, tmp_path, role, titles):
        file = tmp_path / "scores.csv"
        entries = {"dataset": "iris", "method": "a", "fold": "1", "measure": "accuracy", "value": "0.5"}
        full = ",".join(entries[t] for t in titles.split(","))
        holed = ",".join("NA" if t == role else entries[t] for t in titles.split(","))
        file.write_text(f"{titles}\n{full}\n{holed}\n")
        with pytest.raises(
            InputError, match=f"each row must name its {role}, but '{role}' is empty or NA in row 2 below"
        ):
            read_scores(file, higher_is_better=True)

    @pytest.mark.parametrize(("options", "told"), [
        ({"fold": "dataset"}, "dataset and fold must be two columns, but both are 'dataset'"),
        ({"value": "measure"}, "scores must be numbers, but 2 cells are not"),
        ({"repeat": "method", "method": "method"}, "method and repeat must be two columns, but both are 'method'"),
    ])  # fmt: skip
    def test_one_column_in_two_roles(self, tmp_path, options, told):
        file = tmp_path / "scores.csv"
        file.write_text("dataset,method,measure,value\niris,a,accuracy,0.9\niris,b,accuracy,0.8\n")
        with pytest.raises(InputError, match=told):
            read_scores(file, **options)

    def test_folds_are_numbers_however_they_are_written(self):
        assert numbered(pd.DataFrame({"fold": ["01", "2", "1", "10"]}), "fold").tolist() == [0, 1, 0, 2]
        assert numbered(pd.DataFrame({"fold": [1, "b", 1]}, dtype=object), "fold").tolist() == [0, 1, 0]

    def test_notes_of_the_file_come_along(self, tmp_path):
        file = tmp_path / "scores.csv"
        file.write_bytes("dataset,forêt,bayes\na,0.5,0.6\nb,0.7,0.8\n".encode("latin-1"))
        assert "scores.csv is not UTF-8; it was read as Latin-1" in read_scores(file, measure="accuracy").notes
