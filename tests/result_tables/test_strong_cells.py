"""Bold scores: the best, those that are not distinguishable from it, a winner."""

from __future__ import annotations

import numpy as np
import pytest
from fold_scores import folds_of

from fairtrial.errors import InputError
from fairtrial.result_tables.dataset_tests import DatasetTests
from fairtrial.result_tables.score_cells import score_cells
from fairtrial.result_tables.strong_cells import best_of, strong_cells
from fairtrial.results import read_scores


def bold(results, strong=None, adjust="simultaneous"):
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
    for name, row in zip(means, bold(results), strict=True):
        part = verdict.parts[name]
        best, names = part.order[0], part.comparisons.names
        open_ = {n for p in part.pairs for n in (names[p.first], names[p.second])
                 if p.winner is None and best in (names[p.first], names[p.second])}  # fmt: skip
        assert set(row) == ({best} if part.winner == best else {best, *open_})
    assert len({len(row) for row in bold(results)}) > 1  # some distinguish, some don't


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
    assert notes["indistinguishable"].endswith("(corrected resampled t, Bonferroni over 6 tests, level 0.05)")
    assert notes["winner"] == (
        "bold: significantly better than every other method on that data set "
        "(corrected resampled t, Bonferroni over 2 data sets, level 0.05)"
    )
