"""Which pairs are compared, and how they are seen from the method that the others are shown against."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from made_scores import CLEAR, folds, table

from fairtrial import stats
from fairtrial.design import Question
from fairtrial.results import read_scores
from fairtrial.verdict import gather
from fairtrial.verdict.compare_methods import compare, own_delta, wanted_pairs

EVIDENCE = gather(read_scores(table(CLEAR), measure="accuracy"))  # methods: low, high, middle
RANKS = np.array([3.0, 1.0, 2.0])


def compared(**asked):
    test = partial(stats.wilcoxon, level=0.95)
    columns = list(EVIDENCE.means.T)
    return compare(EVIDENCE, Question(measure="accuracy", **asked), "holm", columns, test=test, ranks=RANKS, delta=None)


class TestWantedPairs:
    def test_all(self):
        assert wanted_pairs(EVIDENCE, Question()) == [(0, 1), (0, 2), (1, 2)]

    def test_with_a_control(self):
        assert wanted_pairs(EVIDENCE, Question(control="high")) == [(0, 1), (2, 1)]


class TestCompared:
    def test_the_best_is_the_reference(self):
        found = compared()
        assert list(found.order) == [1, 2, 0]
        assert found.reference == 1
        assert found.family == ", Holm over 3 pairs"

    def test_the_control_is_the_reference(self):
        found = compared(control="middle")
        assert found.reference == 2
        assert found.family == ", Holm over 2 pairs"

    def test_pairs_are_seen_from_the_other_method(self):
        seen = compared().against_reference()
        assert set(seen) == {0, 2}
        assert all(pair.first == m and pair.second == 1 for m, pair in seen.items())
        assert seen[0].effect.estimate == pytest.approx(-0.1, abs=0.01)
        assert seen[2].effect.estimate == pytest.approx(-0.05, abs=0.01)

    def test_one_pair_needs_no_adjustment(self):
        two = gather(read_scores(table({n: CLEAR[n] for n in ("low", "high")}), measure="accuracy"))
        found = compare(two, Question(), "holm", list(two.means.T), test=stats.wilcoxon, ranks=RANKS[:2], delta=None)
        assert found.family == ""


class TestOwnDelta:
    def scores(self, measure):
        frame = folds({"a": np.full(10, 30.0), "b": np.full(10, 50.0)})
        return gather(read_scores(frame, measure=measure, resampling="10-fold"))

    def test_a_share_of_the_mean_where_ratios_count(self):
        question = Question(measure="rmse", smallest_difference=0.1)
        assert own_delta(self.scores("rmse"), question) == pytest.approx(4.0)  # 10 % of 40

    def test_as_it_is_otherwise(self):
        question = Question(measure="accuracy", smallest_difference=0.1)
        assert own_delta(EVIDENCE, question) == 0.1
        assert own_delta(EVIDENCE, Question()) is None
