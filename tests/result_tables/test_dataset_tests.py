"""Tests on each data set: which, adjusted how, and where they are possible."""

from __future__ import annotations

import pytest
from fold_scores import folds_of

from fairtrial.errors import InputError, UnknownName
from fairtrial.result_tables.dataset_tests import DatasetTests
from fairtrial.result_tables.score_cells import score_cells
from fairtrial.results import read_scores
from fairtrial.stats import corrected_t, paired_t


class TestPValue:
    def test_is_the_corrected_t_of_verdicts(self, two):
        cells = score_cells(two)
        a, b, _ = cells.evidence.folds[1].T
        expected = corrected_t(a, b, test_share=0.2).p_value
        assert DatasetTests(cells, 0.95).p_value(1, 0, 1) == pytest.approx(expected)
        assert DatasetTests(cells, 0.95, test="paired_t").p_value(1, 0, 1) == pytest.approx(paired_t(a, b).p_value)

    def test_repeats_are_corrected_further_unless_weka_is_asked_for(self):
        frame = folds_of({"d": {"A": 0.7, "B": 0.71}})
        again = [frame.assign(repeat=r, value=frame["value"] + 0.003 * r * (frame["fold"] - 2)) for r in range(2)]
        import pandas as pd

        cells = score_cells(read_scores(pd.concat(again), measure="accuracy", resampling="2x5-fold"))
        a, b = cells.evidence.folds[0].T
        weka, ours = DatasetTests(cells, 0.95, test="corrected_t"), DatasetTests(cells, 0.95)
        assert weka.p_value(0, 0, 1) == pytest.approx(corrected_t(a, b, test_share=0.2).p_value)
        assert ours.p_value(0, 0, 1) == pytest.approx(corrected_t(a, b, test_share=0.2, overlap=1.33).p_value)
        assert "test/train × 1.33 for repeats" in ours.in_words(1)


class TestSigns:
    def test_direction_of_the_measure(self, two):
        tests = DatasetTests(score_cells(two), 0.95, "none")
        assert tests.signs(0, [(0, 1), (1, 0), (1, 2)], 3) == [1, -1, 0]

    def test_errors_are_better_when_lower(self):
        results = read_scores(folds_of({"d": {"A": 0.9, "B": 0.5}}), measure="error_rate", resampling="5-fold")
        assert DatasetTests(score_cells(results), 0.95, "none").signs(0, [(0, 1)], 1) == [-1]

    def test_bonferroni_over_the_family(self, two):
        tests = DatasetTests(score_cells(two), 0.95)
        p = tests.p_value(0, 0, 1)
        most = int(0.05 / p)
        assert tests.signs(0, [(0, 1)], most) == [1]
        assert tests.signs(0, [(0, 1)], most + 1) == [0]


def test_unknown_schemes_are_not_tested(two):
    cells = score_cells(read_scores(folds_of({"d": {"A": 0.9, "B": 0.5}}), measure="accuracy"))
    tests = DatasetTests(cells, 0.95)
    assert tests.possible == (False,)
    with pytest.raises(InputError, match=r"marks needs tests on each data set, but the split scheme is unknown"):
        tests.require("marks")


def test_unknown_names(two):
    with pytest.raises(UnknownName, match="no test per data set is called 'z_test'"):
        DatasetTests(score_cells(two), 0.95, test="z_test")
    with pytest.raises(UnknownName, match="no adjustment is called 'holmes'; did you mean 'holm'"):
        DatasetTests(score_cells(two), 0.95, "holmes")
