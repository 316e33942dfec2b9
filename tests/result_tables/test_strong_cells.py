"""Bold scores: the best, those that are not distinguishable from it, a winner."""

from __future__ import annotations

import numpy as np
import pytest
from fold_scores import folds_of

from fairtrial.errors import InputError
from fairtrial.result_tables.dataset_tests import DatasetTests
from fairtrial.result_tables.score_cells import score_cells
from fairtrial.result_tables.score_grid import best_of, strong_cells
from fairtrial.results import read_scores


def bold(results, strong=None, adjust=None):
    cells = score_cells(results)
    found = strong_cells(cells, DatasetTests(cells, 0.95, adjust), strong)
    return ["".join(m for m, b in zip(cells.methods, row, strict=True) if b) for row in found.bold]


def test_kinds(two):
    assert bold(two, "best") == ["A", "B"]
    assert bold(two) == bold(two, "indistinguishable") == ["A", "ABC"]
    assert bold(two, "winner") == ["A", ""]
    assert bold(two, "none") == ["", ""]


def test_agrees_with_the_verdict_on_each_data_set():
    random = np.random.default_rng(4)
    means = {f"d{i}": {m: random.uniform(0.3, 0.9) for m in "ABCD"} for i in range(5)}
    results = read_scores(folds_of(means), measure="accuracy", resampling="5-fold")
    verdict = results.verdict(domains="these")
    for name, row in zip(means, bold(results, adjust="simultaneous"), strict=True):
        part = verdict.parts[name]
        best, names = part.order[0], part.comparisons.names
        open_ = {n for p in part.pairs for n in (names[p.first], names[p.second])
                 if p.winner is None and best in (names[p.first], names[p.second])}  # fmt: skip
        assert set(row) == ({best} if part.winner == best else {best, *open_})
    assert len({len(row) for row in bold(results, adjust="simultaneous")}) > 1  # some distinguish, some don't


class TestTheFamilyOfARow:
    def test_further_data_sets_change_nothing(self):
        means = {"d": {"A": 0.9, "B": 0.86, "C": 0.899, "D": 0.897}}
        further = {f"e{i}": dict.fromkeys("ABCD", 0.5) for i in range(200)}
        alone, beside = (
            read_scores(folds_of(m, noise=0.005), measure="accuracy", resampling="5-fold")
            for m in (means, means | further)
        )
        assert bold(alone)[0] == bold(beside)[0] == "ACD"
        assert bold(beside, "winner")[0] == bold(alone, "winner")[0]
        assert bold(beside, adjust="simultaneous")[0] == "ABCD"  # 1,206 tests

    def test_is_the_comparisons_with_the_best(self):
        """B is left out at α / 3, the number of comparisons with A, and not at α / 2."""
        means = {"d": {"A": 0.9, "B": 0.86, "C": 0.899, "D": 0.897}}
        cells = score_cells(read_scores(folds_of(means, noise=0.005), measure="accuracy", resampling="5-fold"))
        p = DatasetTests(cells, 0.95).p_value(0, 0, 1)
        below, above = (strong_cells(cells, DatasetTests(cells, 1 - a), None).bold[0, 1] for a in (2.9 * p, 3.1 * p))
        assert (below, above) == (True, False)


def test_errors_ties_and_failures():
    means = np.array([[0.2, 0.1, 0.1 + 1e-15], [0.3, np.nan, 0.5], [np.nan, np.nan, 0.5]])
    assert best_of(means, higher=False).tolist() == [[False, True, True], [True, False, False], [False] * 3]


def test_equal_scores_are_not_distinguishable():
    results = read_scores(folds_of({"d": {"A": 0.5, "B": 0.5}}, noise=0), measure="accuracy", resampling="5-fold")
    assert bold(results) == ["AB"]
    assert bold(results, "winner") == [""]


def test_a_method_alone_is_not_the_best():
    results = read_scores(folds_of({"d": {"A": 0.5}}), measure="accuracy", resampling="5-fold")
    assert bold(results) == [""]


def test_what_needs_tests_is_refused_without_them():
    results = read_scores(folds_of({"d": {"A": 0.5, "B": 0.6}}), measure="accuracy")
    assert bold(results) == ["B"]
    with pytest.raises(InputError, match=r"strong='winner' needs tests on each data set"):
        bold(results, "winner")


def test_notes_say_what_bold_means(two):
    cells = score_cells(two)
    notes = {s: strong_cells(cells, DatasetTests(cells, 0.95), s).note for s in ("best", "indistinguishable", "winner")}
    assert notes["best"] == "bold: the best on each data set; nothing is tested"
    assert notes["indistinguishable"] == (
        "bold: the best on each data set, and all that are not distinguishable from it (corrected resampled t, "
        "Bonferroni over the comparisons with the best, level 0.05 on each data set by itself)"
    )
    assert notes["winner"] == (
        "bold: significantly better than every other method on that data set "
        "(corrected resampled t, level 0.05 on each data set by itself)"
    )


def test_notes_of_one_family_over_all_data_sets(two):
    cells = score_cells(two)
    tests = DatasetTests(cells, 0.95, "simultaneous")
    notes = {s: strong_cells(cells, tests, s).note for s in ("indistinguishable", "winner")}
    assert notes["indistinguishable"].endswith("(corrected resampled t, Bonferroni over 6 tests, level 0.05)")
    assert notes["winner"].endswith("(corrected resampled t, Bonferroni over 2 data sets, level 0.05)")
