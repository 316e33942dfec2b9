"""Signs: chosen comparisons, a control, published ones."""

from __future__ import annotations

import pandas as pd
import pytest
from fold_scores import folds_of

from fairtrial.errors import InputError, UnknownName
from fairtrial.result_tables.dataset_tests import DatasetTests
from fairtrial.result_tables.score_cells import score_cells
from fairtrial.result_tables.score_grid import against_control, chosen_signs, legend_in_words, read_comparisons
from fairtrial.results import read_scores


def prepared(results):
    cells = score_cells(results)
    return cells, DatasetTests(cells, 0.95, "none")


class TestChosen:
    def test_a_sign_stands_behind_the_better_one(self, two):
        found = chosen_signs(two, *prepared(two), {"◊": ["A:B"], "•": ["B:A"], "§": ["A:C"]})
        assert found.texts == {(0, 0): "◊§"}
        assert found.notes == (
            "◊ A improves B; • B improves A; § A improves C (corrected resampled t, unadjusted, level 0.05)",
        )

    def test_the_legend_joins_methods_that_improve_the_same(self):
        marks = {"•": ["SGP:GP", "XGP:GP", "SGP:kNN"]}
        assert legend_in_words(marks, ["kNN", "GP", "SGP", "XGP"]) == "• SGP / XGP improve GP, SGP improves kNN"

    def test_names_with_colons(self):
        assert read_comparisons({"*": ["a:b:c"]}, ["a:b", "c"]) == {"*": ([("a:b", "c")], "")}

    def test_unknown_methods(self, two):
        with pytest.raises(UnknownName, match="no method of these results is called 'D'"):
            chosen_signs(two, *prepared(two), {"*": ["A:D"]})

    def test_a_meaning_without_a_sign_in_the_file(self, two):
        with pytest.raises(InputError, match=r"marks\['\*'\] must name comparisons.*got 'normalised'"):
            chosen_signs(two, *prepared(two), {"*": ["normalised"]})

    def test_comparisons_and_a_meaning_do_not_mix(self):
        with pytest.raises(InputError, match=r"must be comparisons such as 'new:old', or a meaning"):
            read_comparisons({"*": ["A:B", "pruned"]}, ["A", "B"])


class TestPublished:
    @pytest.fixture
    def published(self):
        frame = pd.DataFrame({"dataset": list("ddee"), "method": list("ABAB"), "value": [0.5, 0.6, 0.7, 0.8]})
        return read_scores(frame.assign(sign=["", "*", "", "•"]), measure="accuracy")

    def test_signs_are_shown_as_they_are(self, published):
        assert chosen_signs(published, *prepared(published), None).texts == {(0, 1): "*", (1, 1): "•"}

    def test_marks_say_what_they_mean(self, published):
        found = chosen_signs(published, *prepared(published), {"*": ["B:A"], "•": ["tuned"]})
        assert found.texts == {(0, 1): "*", (1, 1): "•"}
        assert found.notes == ("* B improves A; • tuned (as published, not tested here)",)

    def test_signs_of_folds_stand_beside_tests(self):
        frame = folds_of({"d": {"A": 0.9, "B": 0.5}})
        frame["sign"] = ["*" if m == "A" else "" for m in frame["method"]]
        results = read_scores(frame, measure="accuracy", resampling="5-fold")
        marks = {"*": ["normalised"], "◊": ["A:B"]}
        assert chosen_signs(results, *prepared(results), marks).texts == {(0, 0): "*◊"}


class TestControl:
    def test_signs_and_records(self, two):
        found = against_control(*prepared(two), "B")
        assert found.texts == {(0, 0): "v"}
        assert found.records == ((1, 1, 0), None, (0, 2, 0))
        worse = against_control(*prepared(two), "A")
        assert worse.texts == {(0, 1): "*", (0, 2): "*"}

    def test_methods_that_did_not_run_are_not_counted(self):
        frame = folds_of({"d": {"A": 0.9, "B": 0.5}, "e": {"A": 0.6, "B": 0.6}})
        gone = (frame["dataset"] == "e") & (frame["method"] == "B")
        frame = frame.assign(value=frame["value"].astype(object).where(~gone, "oom"))
        results = read_scores(frame, measure="accuracy", resampling="5-fold")
        assert against_control(*prepared(results), "A").records == (None, (0, 0, 1))

    def test_as_weka_marks(self, two):
        marks = two.verdict(control="B", per_dataset="corrected_t", adjust="none").to_table().rows
        cells, _ = prepared(two)
        found = against_control(cells, DatasetTests(cells, 0.95, "none", "corrected_t"), "B")
        assert [str(row[3]).endswith(" v") for row in marks[:2]] == [(i, 0) in found.texts for i in range(2)]
        assert str(marks[2][3]).strip() == "({}/{}/{})".format(*found.records[0])
