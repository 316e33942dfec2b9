"""Counts of winners."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from made_results import FORMATS, HARD_NAMES, by_means, hard, many, names_are_right, over_folds

from fairtrial.errors import InputError
from fairtrial.stats import corrected_t


def test_by_hand():
    # best: a boosted, b bagged, c boosted, d bagged, e boosted, f bagged and boosted, g bagged
    table = by_means().table("winners")
    assert table.rows == (("bagged", 3, 1, 3.5, 7), ("boosted", 3, 1, 3.5, 7), ("tree", 0, 0, 0.0, 7))
    assert table.caption == "accuracy: on how many of 7 data sets each method has the highest mean"


def test_lower_is_better():
    # lowest: a tree, b boosted, c tree and bagged, d boosted, e bagged, f tree, g boosted
    table = by_means("error_rate").table("winners")
    assert table.rows == (("boosted", 3, 0, 3.0, 7), ("tree", 2, 1, 2.5, 7), ("bagged", 1, 1, 1.5, 7))
    assert "lowest mean" in table.caption


def test_first_places_add_up():
    table = by_means(scores=pd.DataFrame({"dataset": list("abcd"), **{m: [0.5] * 4 for m in "xyz"}})).table("winners")
    assert sum(row[3] for row in table.rows) == pytest.approx(4)
    assert {row[1:3] for row in table.rows} == {(0, 4)}


class TestSignificantWins:
    def test_are_those_of_the_corrected_t(self):
        results = over_folds((0.2, 0.0, -0.2, 0.2), methods=("A", "B", "C"))
        rows = {row[0]: row[5:] for row in results.table("winners").rows}
        wins = dict.fromkeys("ABC", 0)
        for _, own in results.scores.groupby("dataset"):
            fold = own.pivot(index="fold", columns="method", values="value")
            for a in "ABC":
                for b in "ABC":
                    found = corrected_t(fold[a].to_numpy(), fold[b].to_numpy(), test_share=0.1) if a != b else None
                    wins[a] += found is not None and found.p_value < 0.05 and found.statistic > 0
        assert {m: row[0] for m, row in rows.items()} == wins
        assert rows["B"][2] == 2  # it beats all others where it is better by 0.2 than both

    def test_the_warning_and_the_number_by_chance(self):
        notes = " ".join(over_folds((0.2, 0.0)).table("winners", level=0.9).notes)
        assert "counting only significant wins is not better" in notes
        assert "of 2 tests about 0.20 would be significant if no method differed" in notes

    def test_are_left_out_where_no_test_is_valid(self):
        table = by_means().table("winners")
        assert len(table.columns) == 5
        assert any("significant wins are not counted: a test on each data set needs several" in n for n in table.notes)


def test_a_method_that_did_not_run_is_not_counted_there():
    scores = pd.DataFrame({"dataset": list("abcdef"), "x": [0.9, np.nan, 0.9, 0.9, 0.9, 0.9], "y": [0.5] * 6})
    table = by_means(scores=scores, baseline="y").table("winners")
    assert table.rows == (("x", 5, 0, 5.0, 5), ("y", 1, 0, 1.0, 6))
    assert any("x has no score on b" in note for note in table.notes)


def test_hard_names_in_every_format():
    assert names_are_right(hard().table("winners"), HARD_NAMES)


@pytest.mark.slow
def test_many():
    table = many().table("winners")
    assert len(table.rows) == 60
    assert all(table.render(how) for how in FORMATS)


def test_one_method():
    with pytest.raises(InputError, match="needs two methods with results, but there is only tree"):
        by_means().table("winners", methods=["tree"])
