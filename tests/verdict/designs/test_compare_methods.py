"""Which pairs are compared, and how they are seen from the method that the others are shown against."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import CLEAR, folds, table

from fairtrial import stats
from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.results import read_scores
from fairtrial.verdict import gather
from fairtrial.verdict.designs.compare_methods import compare, own_delta, side_of, wanted_pairs
from fairtrial.verdict.designs.pair_tests import one_by_one

EVIDENCE = gather(read_scores(table(CLEAR), measure="accuracy"))  # methods: low, high, middle


def compared(evidence=EVIDENCE, **asked):
    question = Question(measure="accuracy", **asked)
    columns, pairs = list(evidence.means.T), wanted_pairs(evidence, question)
    tests = one_by_one(columns, pairs, test=stats.wilcoxon, names=evidence.methods, level=0.95, adjust="holm")
    return compare(evidence, question, tests, means=evidence.means.mean(axis=0), delta=None)


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
        assert compared(two).family == ""

    def test_methods_are_in_the_order_of_their_means(self):
        # b is better on most data sets, a by more on two: mean ranks favour b
        d = np.r_[np.full(10, -0.01), 0.2, 0.2]
        two = gather(read_scores(table({"b": CLEAR["low"], "a": CLEAR["low"] + d}), measure="accuracy"))
        assert [two.methods[m] for m in compared(two).order] == ["a", "b"]


class TestSideOf:
    def test_by_the_direction_of_the_measure(self):
        errors = gather(read_scores(table(CLEAR), measure="error_rate"))
        better = Question(control="low", alternative="better")
        assert (side_of(EVIDENCE, better, None).alternative, side_of(errors, better, None).alternative) == (
            "greater",
            "less",
        )
        not_worse = Question(control="low", alternative="not worse", smallest_difference=0.01)
        assert side_of(errors, not_worse, 0.01).shift == -0.01

    def test_a_margin_is_needed(self):
        with pytest.raises(InputError, match="alternative='not worse' needs smallest_difference"):
            side_of(EVIDENCE, Question(control="low", alternative="not worse"), None)


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
