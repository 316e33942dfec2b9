"""Reading results of any kind on the command line, and arguments in either order."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.cli.reading import columns_in, file_and_name, read_results
from fairtrial.errors import InputError, UnknownName
from fairtrial.kinds import Kind

KINDS = {"scores": Kind("x", "scores"), "critical": Kind("x", "critical values", of_results=False)}


class TestFileAndName:
    @pytest.mark.parametrize("order", [("a.csv", "scores"), ("scores", "a.csv")])
    def test_in_either_order(self, order):
        assert file_and_name(*order, KINDS, "table", "table") == (Path("a.csv"), "scores")

    def test_what_needs_no_results_needs_no_file(self):
        assert file_and_name("critical", None, KINDS, "table", "table") == (None, "critical")

    def test_a_file_that_is_missing(self):
        with pytest.raises(InputError, match=r"fairtrial table needs a file with results: fairtrial table FILE scores"):
            file_and_name("scores", None, KINDS, "table", "table")

    def test_a_name_that_is_missing(self):
        with pytest.raises(InputError, match=r"fairtrial draw needs the name of a figure; `fairtrial list figures`"):
            file_and_name("a.csv", None, KINDS, "figure", "draw")

    def test_a_name_that_is_mistyped(self):
        with pytest.raises(UnknownName, match=r"no table is called 'scors'; did you mean 'scores'"):
            file_and_name("a.csv", "scors", KINDS, "table", "table")

    def test_a_name_that_is_mistyped_before_the_file(self, tmp_path):
        file = tmp_path / "a.csv"
        file.write_text("")
        with pytest.raises(UnknownName, match=r"no table is called 'scors'; did you mean 'scores'"):
            file_and_name("scors", str(file), KINDS, "table", "table")


class TestColumnsIn:
    def test_unknown_role(self):
        with pytest.raises(UnknownName, match=r"no role of a column is called 'data'"):
            columns_in("data=task")

    def test_no_column(self):
        with pytest.raises(InputError, match=r"such as dataset=task,value=auc, got 'task'"):
            columns_in("task")


def test_scores_with_columns_of_other_names(tmp_path):
    file = tmp_path / "long.csv"
    file.write_text("task,framework,auc\na,x,0.5\na,y,0.75\n")
    columns = {"dataset": "task", "method": "framework", "value": "auc"}
    results = read_results(file, columns=columns, measure="auc")
    assert results.method_names() == ("x", "y")
    assert results.scores["value"].tolist() == [0.5, 0.75]
