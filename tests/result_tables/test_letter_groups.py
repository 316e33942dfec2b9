"""The ranking with letters."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest
from made_results import FORMATS, HARD_NAMES, by_means, hard, many, names_are_right, over_folds

from fairtrial.errors import InputError
from fairtrial.results import read_scores


@pytest.fixture
def demsar(request):
    return read_scores(request.config.rootpath / "examples" / "demsar_2006_auc.csv", measure="auc")


def groups(table):
    column = [c.key for c in table.columns].index("group")
    return {str(row[0]): row[column] for row in table.rows}


def test_letters_of_a_known_table(demsar):
    # C4.5+m and C4.5 differ (p = 0.041), no other pair does
    table = demsar.table("ranking")
    assert groups(table) == {"C4.5+m+cf": "ab", "C4.5+m": "a", "C4.5+cf": "ab", "C4.5": "b"}
    assert [row[0] for row in table.rows] == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]


@pytest.mark.slow
def test_two_share_a_letter_exactly_if_they_do_not_differ():
    results = many(methods=8, datasets=40, seed=3)
    found, verdict = groups(results.table("ranking")), results.verdict()
    different = verdict.comparisons.different()
    names = verdict.evidence.methods
    assert verdict.winner is None
    assert different.any()
    for i, j in itertools.combinations(range(8), 2):
        assert different[i, j] == (not set(found[names[i]]) & set(found[names[j]]))


def test_csv_has_a_column_for_each_number(demsar):
    lines = demsar.table("ranking").to_csv().splitlines()
    assert lines[0].split(",")[2:5] == ["rank_low", "rank_high", "group"]
    assert lines[2].split(",")[2:5] == ["1", "3", "a"]
    assert lines[2].split(",")[-4:] == ["5", "3", "6", ""]


def test_the_winner_shares_its_letter_with_none():
    scores = pd.DataFrame({"dataset": range(8), "x": [0.9] * 8, "y": [0.5 + i / 100 for i in range(8)]})
    scores = scores.assign(x=[0.9 - i / 50 for i in range(8)], z=[0.5 + (7 - i) / 90 for i in range(8)])
    table = by_means(scores=scores).table("ranking")
    found = groups(table)
    assert not set(found["x"]) & set(found["y"] + found["z"])


def test_lower_is_better():
    table = by_means("error_rate").table("ranking")
    assert [row[0] for row in table.rows] == ["tree", "boosted", "bagged"]
    assert "lower error rate is better" in table.notes[-1]


def test_the_control_of_a_study_is_no_reason_to_leave_out_pairs(demsar):
    from dataclasses import replace

    asked = replace(demsar, question=replace(demsar.question, control="C4.5"))
    assert groups(asked.table("ranking")) == groups(demsar.table("ranking"))


def test_one_data_set_has_its_scheme():
    table = over_folds((0.2, 0.0), methods=("A", "B", "C")).table("ranking", dataset="d0")
    assert groups(table) == {"B": "a", "A": "b", "C": "b"}
    assert "mean over 10-fold" in table.caption


def test_a_few_data_sets():
    with pytest.raises(InputError, match=r"a ranking over 2 data sets has no tests.*name one .*'d0' and 'd1'"):
        over_folds((0.2, 0.0)).table("ranking")


def test_too_few_for_all_pairs():
    table = hard(8).table("ranking")
    assert set(groups(table).values()) == {"a"}
    assert table.notes[0].endswith("too few to find any")


def test_a_method_that_did_not_run_has_no_letter():
    scores = pd.DataFrame({"dataset": list("abcdefg"), "x": [None] * 6 + [0.5], "y": [0.5] * 7, "z": [0.6] * 7})
    table = by_means(scores=scores, baseline="y").table("ranking")
    assert groups(table)["x"] is None


@pytest.mark.slow
def test_hard_names_in_every_format():
    assert names_are_right(hard().table("ranking"), HARD_NAMES)


@pytest.mark.slow
def test_many_methods():
    table = many(methods=26, datasets=12).table("ranking")
    assert len(table.rows) == 26
    assert all(table.render(how) for how in FORMATS)
