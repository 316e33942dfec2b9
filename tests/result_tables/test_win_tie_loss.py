"""Wins, losses and ties of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from made_results import FORMATS, HARD_NAMES, MEANS, by_means, hard, many, names_are_right, over_folds

from fairtrial.errors import InputError, UnknownName
from fairtrial.result_tables.pairwise_matrix import sign_p
from fairtrial.results import read_scores
from fairtrial.stats import sign_test, win_tie_loss


def csv(table):
    return table.to_csv().splitlines()


class TestMatrix:
    def test_by_hand(self):
        table = by_means().table("win_tie_loss")
        assert [c.title for c in table.columns] == ["method", "tree", "bagged"]
        assert table.rows == (("boosted", "4–3–0", "3–3–1"), ("bagged", "5–1–1", ""))
        assert "wins–losses–ties of the row against the column" in table.caption
        assert "bagged is better than tree on 5 data sets, worse on 1, and equal on 1" in table.explain

    def test_csv_has_a_column_for_each_number(self):
        assert csv(by_means().table("win_tie_loss")) == [
            "first,second,wins,losses,ties", "tree,bagged,1,5,1", "tree,boosted,3,4,0", "bagged,boosted,3,3,1",
        ]  # fmt: skip

    def test_lower_is_better(self):
        assert by_means("error_rate").table("win_tie_loss").rows[1] == ("bagged", "1–5–1", "")

    def test_counts_are_those_of_the_procedure(self):
        for row in by_means().table("win_tie_loss").long.rows:
            found = win_tie_loss(MEANS[row[0]], MEANS[row[1]]).details
            assert row[2:] == (found["wins"], found["losses"], found["ties"])

    def test_some_methods_in_their_order(self):
        table = by_means().table("win_tie_loss", methods=["boosted", "tree"])
        assert table.rows == (("tree", "3–4–0"),)


class TestSignTest:
    @pytest.mark.parametrize("counts", [(5, 1, 2), (7, 0, 0), (0, 0, 4), (3, 4, 3), (0, 0, 1), (20, 3, 1)])
    def test_p_is_that_of_the_procedure(self, counts):
        wins, losses, ties = counts
        scores = [1.0] * wins + [-1.0] * losses + [0.0] * ties
        expected = sign_test(scores, [0.0] * len(scores), ties="split").p_value
        assert sign_p(np.array(counts)) == pytest.approx(expected)

    def test_in_the_cells(self):
        table = by_means().table("win_tie_loss", test="sign")
        assert table.rows[1][1] == "5–1–1 (0.219)"  # 5 of 6: 2 · 7/64
        assert csv(table)[1].startswith("tree,bagged,1,5,1,0.21875")
        assert "in brackets p of the sign test" in table.caption

    def test_significant_wins(self):
        table = over_folds((0.2, 0.0, -0.2, 0.2, 0.2, 0.0)).table("win_tie_loss", test="corrected_t")
        assert table.rows == (("B", "3–1–2"),)
        assert "corrected resampled t at 0.05" in table.notes[0]

    def test_unknown_test(self):
        with pytest.raises(UnknownName, match="no test of wins is called 'signs'; did you mean 'sign'"):
            by_means().table("win_tie_loss", test="signs")


class TestLevels:
    @pytest.fixture
    def results(self):
        noisy = MEANS.assign(boosted=MEANS["boosted"] - 0.3)
        both = pd.concat([MEANS.assign(label_noise=0.0), noisy.assign(label_noise=0.2)])
        long = both.melt(["dataset", "label_noise"], var_name="method", value_name="value")
        return read_scores(long, measure="accuracy")

    def test_a_triangle_for_each_level(self, results):
        table = results.table("win_tie_loss")
        assert [c.title for c in table.columns] == ["label_noise", "method", "tree", "bagged"]
        assert table.rows == (
            ("0 %", "boosted", "4–3–0", "3–3–1"), ("", "bagged", "5–1–1", ""),
            ("20 %", "boosted", "0–7–0", "0–7–0"), ("", "bagged", "5–1–1", ""),
        )  # fmt: skip
        assert table.rule_before == (2,)
        assert "at each level of label_noise" in table.caption
        assert csv(table)[-1] == "20 %,bagged,boosted,7,0,0"

    def test_one_level(self, results):
        assert results.at(label_noise=0.2).table("win_tie_loss").rows[0] == ("boosted", "0–7–0", "0–7–0")

    def test_unknown_factor(self, results):
        with pytest.raises(UnknownName, match="no factor of these results is called 'noise'"):
            results.table("win_tie_loss", factor="noise")

    def test_a_factor_that_is_not_there(self):
        with pytest.raises(InputError, match="factor must be left out, since these results have no factor"):
            by_means().table("win_tie_loss", factor="noise")


def test_hard_names_in_every_format():
    table = hard().table("win_tie_loss")
    assert names_are_right(table, HARD_NAMES)
    assert [c.title for c in table.columns][1:] == ["1", "2", "3", "4", "5"]  # such names are no titles


def test_many_methods_have_a_row_for_each_pair():
    results = many(methods=16, datasets=8)
    table = results.table("win_tie_loss")
    assert len(table.rows) == 120
    assert [c.title for c in table.columns] == ["first", "second", "wins", "losses", "ties"]
    assert all(sum(row[2:]) == 8 for row in table.rows)
    assert all(table.render(how) for how in FORMATS)
