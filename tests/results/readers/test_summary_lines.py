"""Lines of a table that sum up the others."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.results.readers.summary_lines import Lines, summary_lines, summary_word

SCORES = np.array([
    [0.911, 0.834, 0.775, 0.642], [0.882, 0.856, 0.713, 0.697],
    [0.953, 0.811, 0.731, 0.618], [0.907, 0.802, 0.794, 0.664],
])  # fmt: skip
NAMES = ["u", "v", "w", "x"]


def found(name, numbers, scored="method", kept=None, ask=True):
    lines = Lines([*NAMES, name], np.vstack([SCORES, numbers]), "column", scored)
    return [(r.names, r.why) for r in summary_lines(lines, kept, ask=ask)]


class TestByName:
    @pytest.mark.parametrize("name", ["Average", "Avg. rank", "Mean accuracy", "Mittelwert", "Ø", "p-value", "#wins"])
    def test_sure(self, name):
        assert summary_word(name) == "sure"
        assert found(name, [0.5, 0.9, 0.1, 0.4]) == [((name,), "by name")]

    @pytest.mark.parametrize("name", ["iris", "mean-shift", "max-margin", "sum-product networks", "average-rainfall"])
    def test_other_names(self, name):
        assert summary_word(name) == ""


class TestByArithmetic:
    @pytest.mark.parametrize(("name", "formula", "why"), [
        ("mean", np.mean, "the mean of the others"), ("median", np.median, "the median of the others"),
        ("best", np.max, "the largest of the others"), ("worst", np.min, "the smallest of the others"),
        ("total", np.sum, "the sum of the others"),
    ])  # fmt: skip
    def test_with_a_name_that_may_be_a_method(self, name, formula, why):
        assert found(name, np.round(formula(SCORES, axis=0), 3)) == [((name,), why)]

    def test_without_a_name(self):
        assert found("combined", np.round(SCORES.mean(axis=0), 4)) == [(("combined",), "the mean of the others")]
        assert found("portfolio", SCORES.max(axis=0)) == [(("portfolio",), "the largest of the others")]

    def test_a_known_method_that_is_the_best_everywhere_stays(self):
        assert found("svm", SCORES.max(axis=0)) == []

    def test_a_copy_of_another_method_is_no_summary(self):
        assert found("again", SCORES[0]) == []

    def test_a_mean_that_lies_outside_is_a_method(self):
        assert found("mean", [0.5, 0.5, 0.4, 0.3]) == []

    def test_what_does_not_tell_is_asked_for(self):
        with pytest.raises(InputError, match=r"'mean' may sum up the others or be a method.*--methods u,v,w,x,mean"):
            found("mean", [0.9, 0.82, 0.78, 0.65])
        assert found("mean", [0.9, 0.82, 0.78, 0.65], kept=[*NAMES, "mean"]) == []
        assert found("mean", [0.9, 0.82, 0.78, 0.65], ask=False) == []


class TestDataSets:
    def test_short_names_that_data_sets_have(self):
        assert found("SE", [0.93, 0.84, 0.79, 0.69], "data set") == []
        assert found("SE", [12, 11, 15, 13], "data set") == [(("SE",), "by name, and on another scale")]

    def test_total_is_no_data_set(self):
        assert found("Total", [0.93, 0.84, 0.79, 0.69], "data set") == [(("Total",), "by name")]


def test_columns_that_belong_to_a_method():
    for name in ("u std", "std_u", "u (rank)", "U time"):
        assert found(name, [0.1, 0.2, 0.1, 0.3]) == [((name,), "it belongs to 'u'")]
