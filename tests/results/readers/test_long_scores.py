"""Scores in long form: what is not there is a failure, what is there twice is refused."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reader_examples import LONG

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import get
from fairtrial.results import COLUMNS, read_scores
from fairtrial.results.readers.long_scores import LongScores, combination_codes, complete_scores


class TestCompleteScores:
    def test_holes_are_failures(self, write):
        results = read_scores(write("dataset,a,b\niris,0.9,\nwine,0.7,0.6\n"), measure="accuracy")
        assert results.failures[["dataset", "method", "error"]].to_numpy().tolist() == [["iris", "b", "no score"]]

    def test_combinations_that_are_not_there(self, write):
        text = "dataset,method,value\niris,a,0.9\niris,b,0.8\nwine,a,0.7\n"
        results = read_scores(write(text), measure="accuracy")
        assert results.failures[["dataset", "method", "error"]].to_numpy().tolist() == [["wine", "b", "not there"]]

    def test_a_data_set_without_any_score_is_left_out_and_named(self, write):
        results = read_scores(write("dataset,a,b\niris,0.9,0.8\nwine,,\nglass,0.5,0.4\n"), measure="accuracy")
        assert results.dataset_names() == ("iris", "glass")
        assert any("no method has a score of accuracy on wine" in note for note in results.notes)

    def test_a_data_set_without_a_score_of_the_chosen_methods_has_failures(self, write):
        path = write("dataset,a,b\niris,0.9,0.8\nwine,0.7,\nglass,,\n")
        results = read_scores(path, measure="accuracy", methods=["b"])
        assert results.failures[["dataset", "method"]].to_numpy().tolist() == [["wine", "b"]]
        assert "no method has a score of accuracy on glass: left out" in results.notes

    def test_infinity_is_refused(self, write):
        with pytest.raises(InputError, match="must be finite"):
            read_scores(write("dataset,a,b\niris,0.9,inf\nwine,0.7,0.6\n"), measure="rmse")

    def test_no_number_at_all(self, write):
        with pytest.raises(InputError):
            read_scores(write("dataset,a,b\niris,failed,failed\n"), measure="accuracy")

    def test_duplicates_are_refused(self, write):
        text = "dataset,method,value\niris,a,0.9\niris,a,0.8\niris,b,0.8\n"
        with pytest.raises(InputError, match=r"each score must be there once, but 1 are there again.*repeat="):
            read_scores(write(text), measure="accuracy")


class TestLackingIsUndefined:
    FRAME = pd.DataFrame({
        "dataset": "iris", "method": ["a", "a", "b", "b"], "repeat": 0, "fold": 0,
        "measure": ["auc", "mcc", "auc", "mcc"], "value": [0.9, None, 0.8, 0.7],
    })  # fmt: skip

    @pytest.mark.parametrize(("undefined", "status"), [(True, "ok"), (False, "no score")])
    def test_where_the_run_has_another_measure(self, undefined, status):
        facts = {name: get(name) for name in ("auc", "mcc")}
        found = complete_scores(LongScores(self.FRAME, "x.log", facts, "auc", lacking_is_undefined=undefined)).frame
        own = found[(found["method"] == "a") & (found["measure"] == "mcc")]
        assert own["status"].tolist() == [status]
        assert tuple(found.columns) == COLUMNS


class TestOfMethods:
    def test_methods(self, write):
        results = read_scores(write(LONG), value="quality", measure="accuracy", methods=["2"])
        assert results.method_names() == ("2",)
        with pytest.raises(UnknownName, match="no method in this file is called '3'"):
            read_scores(write(LONG), value="quality", measure="accuracy", methods=["3"])


class TestCombinationCodes:
    @given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3), st.sampled_from([0.5, None])), min_size=1))
    def test_as_pandas_numbers_groups(self, rows):
        frame = pd.DataFrame(rows, columns=["a", "b", "c"])
        found = combination_codes(frame, ["a", "b", "c"])
        assert found.tolist() == frame.groupby(["a", "b", "c"], sort=False, dropna=False).ngroup().tolist()
