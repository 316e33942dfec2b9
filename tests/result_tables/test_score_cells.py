"""The scores that a table shows: means, failures by name, undefined splits."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from fold_scores import folds_of

from fairtrial.errors import UnknownName
from fairtrial.result_tables.score_cells import fate_in_words, score_cells
from fairtrial.results import read_scores
from fairtrial.results.absentees import Absentee


def lost(frame: pd.DataFrame, word: object, *places: tuple[str, str, int]) -> pd.DataFrame:
    """The scores with a word in place of some of them."""
    frame = frame.assign(value=frame["value"].astype(object))
    for dataset, method, fold in places:
        frame.loc[(frame["dataset"] == dataset) & (frame["method"] == method) & (frame["fold"] == fold), "value"] = word
    return frame


MEANS = {"d": {"A": 0.9, "B": 0.5}, "e": {"A": 0.6, "B": 0.8}}


class TestScoreCells:
    def test_means(self, two):
        cells = score_cells(two)
        assert cells.means == pytest.approx(np.array([[0.9, 0.5, 0.51], [0.70, 0.705, 0.69]]))
        assert cells.is_resampled == (True, True)
        assert not list(cells.remarks())

    def test_methods_in_the_order_asked_for(self, two):
        cells = score_cells(two, methods=["C", "A"])
        assert cells.methods == ("C", "A")
        assert cells.means[0].tolist() == pytest.approx([0.51, 0.9])
        with pytest.raises(UnknownName, match="no method of these results is called 'Z'"):
            score_cells(two, methods=["Z"])

    def test_a_method_that_did_not_run_needs_no_baseline(self):
        scores = lost(folds_of(MEANS), "OUT OF MEMORY", *(("d", "B", fold) for fold in range(5)))
        cells = score_cells(read_scores(scores, measure="accuracy", resampling="5-fold"))
        assert np.isnan(cells.means).tolist() == [[False, True], [False, False]]
        assert list(cells.remarks()) == ["B did not run on d: all 5 trials failed (out of memory)"]

    def test_failed_everywhere_is_said_once(self):
        scores = lost(folds_of(MEANS), "timeout", *((d, "B", fold) for d in "de" for fold in range(5)))
        cells = score_cells(read_scores(scores, measure="accuracy", resampling="5-fold"))
        assert list(cells.remarks()) == ["B did not run: all 10 trials failed (out of time)"]

    def test_single_failed_trials_without_a_baseline_are_left_out(self):
        scores = lost(folds_of(MEANS), "", ("d", "B", 4))
        cells = score_cells(read_scores(scores, measure="accuracy", resampling="5-fold"))
        assert cells.means[0, 1] == pytest.approx(0.5 + 0.01 * (1 - 2 + 2 - 2) / 4)
        assert cells.failed.tolist() == [[0, 1], [0, 0]]
        assert next(cells.remarks()).startswith("† failed trials are left out of the mean")

    def test_single_failed_trials_have_the_score_of_the_baseline(self):
        scores = lost(folds_of(MEANS), "", ("d", "B", 4))
        cells = score_cells(read_scores(scores, measure="accuracy", resampling="5-fold", baseline="A"))
        assert cells.means[0, 1] == pytest.approx((4 * 0.5 - 0.01 + 0.92) / 5)
        assert "scored as the baseline 'A'" in next(cells.remarks())

    def test_a_data_set_without_scores_is_named(self):
        scores = lost(folds_of(MEANS), "", *(("d", m, fold) for m in "AB" for fold in range(5)))
        cells = score_cells(read_scores(scores, measure="accuracy", resampling="5-fold"))
        assert cells.datasets == ("e",)
        assert list(cells.remarks()) == ["no method has a score of accuracy on d: left out"]

    def test_undefined_splits_are_left_out_for_all_where_they_are_few(self):
        scores = pd.DataFrame({"dataset": "d", "fold": range(20), "A": np.linspace(0, 1, 20), "B": 0.5})
        long = scores.melt(["dataset", "fold"], var_name="method").assign(status="ok", measure="precision")
        few, many = long.copy(), long.copy()
        few.loc[few["method"].eq("B") & (few["fold"] < 1), "value"] = np.nan
        many.loc[many["method"].eq("B") & (many["fold"] < 10), "value"] = np.nan
        read = [score_cells(read_scores(f, resampling="20-fold")) for f in (few, many)]
        assert read[0].means[0, 0] == pytest.approx(np.linspace(0, 1, 20)[1:].mean())
        assert read[0].notes == ("precision is undefined on 1 split: left out for all methods",)
        assert read[1].means[0].tolist() == pytest.approx([0.5, 0.5])
        assert "B on d (10 of 20 splits)" in read[1].notes[0]


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("TimeLimit: not done after 60 s", "OUT OF TIME"),
        ("MemoryLimit: used more than 100 MB", "OUT OF MEMORY"),
        ("MemoryError: ", "OUT OF MEMORY"),
        ("java.lang.OutOfMemoryError", "OUT OF MEMORY"),
        ("out of time", "OUT OF TIME"),
        ("Died: the process was ended by SIGKILL (out of memory?)", "failed"),
        ("ValueError: no", "failed"),
    ],
)
def test_fates(reason, words):
    assert fate_in_words(Absentee("m", 1, 1, reason)) == words


def test_a_score_that_is_not_there_did_not_fail():
    assert fate_in_words(Absentee("m", 1, 1, unit="split")) == "–"
