"""Confusion matrices with rates."""

from __future__ import annotations

import pandas as pd
import pytest
from made_results import FORMATS, HARD_NAMES

from fairtrial.errors import InputError
from fairtrial.results import read_predictions

TRUTH = ["cat"] * 5 + ["dog"] * 3 + ["cow"] * 2
GUESS = ["cat", "cat", "cat", "dog", "cow", "dog", "dog", "cat", "cow", "dog"]


def results(truth=TRUTH, **guesses):
    return read_predictions(pd.DataFrame({"y": truth, **(guesses or {"m": GUESS})}), truth="y")


def test_by_hand():
    table = results().table("confusion")
    # cat: 3 of 5 found, 3 of 4 right; cow: 1 of 2, 1 of 2; dog: 2 of 3, 2 of 4
    assert [row[0] for row in table.rows] == ["cat", "cow", "dog", "all", "average"]
    assert table.rows[0][1:5] == ("3 (60 %)", "1 (20 %)", "1 (20 %)", 5)
    assert table.rows[0][5:] == pytest.approx((0.6, 0.75, 2 / 3))
    assert table.rows[2][5:] == pytest.approx((2 / 3, 0.5, 4 / 7))
    assert table.rows[3] == ("all", "4 (40 %)", "2 (20 %)", "4 (40 %)", 10, None, None, None)
    assert table.rows[4][5] == pytest.approx((0.6 + 0.5 + 2 / 3) / 3)
    assert "10 predictions, truth in rows, accuracy 0.600" in table.caption
    assert table.rule_before == (3,)


def test_csv_has_a_column_for_each_number():
    lines = results().table("confusion").to_csv().splitlines()
    assert lines[0] == "truth,cat,cow,dog,all,cat_share,cow_share,dog_share,recall,precision,f_measure"
    assert lines[1].startswith("cat,3,1,1,5,0.6,0.2,0.2,0.6,0.75,0.666")


def test_percentages():
    text = str(results().table("confusion", percent=True))
    assert "60.0       75.0  66.7" in text


def test_classes_with_names_of_columns():
    truth = ["all", "all", "recall", "all_share"]
    table = results(truth, m=["all", "recall", "recall", "all_share"]).table("confusion")
    assert table.rows[0][:4] == ("all", "1 (50 %)", "0 (0 %)", "1 (50 %)")


def test_a_class_that_is_never_predicted():
    table = results(["a", "a", "b"], m=["a", "a", "a"]).table("confusion")
    assert table.rows[1][5:6] != (0.0,)
    assert "–" in str(table)  # the precision of b is undefined


def test_many_classes_have_counts_alone():
    names = [f"c{i}" for i in range(12)]
    table = results(names * 2, m=names + names[::-1]).table("confusion")
    assert table.rows[0][1] == 1
    assert len(table.long.columns) == 2 + 24 + 3


def test_hard_names_in_every_format():
    table = results(HARD_NAMES * 2, m=HARD_NAMES + HARD_NAMES[::-1]).table("confusion")
    assert all(name in table.to_text() for name in HARD_NAMES)
    assert "a &amp; b &lt;c&gt;" in table.to_html()
    assert r"a \& b \textless{}c\textgreater{}" in table.to_latex()
    assert all(table.render(how) for how in FORMATS)


def test_one_method_must_be_named():
    made = results(m=GUESS, n=TRUTH)
    with pytest.raises(InputError, match=r"methods must name one method .*got 'm' and 'n'"):
        made.table("confusion")
    assert "accuracy 1.000" in made.table("confusion", methods=["n"]).caption
