"""The one family that a question names: which pairs are tested, the order of the methods, and the rows of a page."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import CLEAR, folds, table

from fairtrial import stats
from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.results import read_scores
from fairtrial.verdict import gather
from fairtrial.verdict.designs.compare_methods import compare, family_of, own_delta, side_of, wanted_pairs
from fairtrial.verdict.designs.decide import WITH_THE_BEST, one_by_one

EVIDENCE = gather(read_scores(table(CLEAR), measure="accuracy"))  # methods: low, high, middle
TWO = gather(read_scores(table({n: CLEAR[n] for n in ("low", "high")}), measure="accuracy"))


def compared(evidence=EVIDENCE, adjust="holm", **asked):
    question = Question(measure="accuracy", **asked)
    columns, pairs = list(evidence.means.T), wanted_pairs(evidence, question)
    tests = one_by_one(columns, pairs, test=stats.wilcoxon, names=evidence.methods, level=0.95, adjust="holm")
    return compare(evidence, question, tests, adjust, means=evidence.means.mean(axis=0), delta=None)


class TestWantedPairs:
    def test_all(self):
        assert wanted_pairs(EVIDENCE, Question()) == [(0, 1), (0, 2), (1, 2)]

    def test_with_a_control(self):
        assert wanted_pairs(EVIDENCE, Question(control="high")) == [(0, 1), (2, 1)]


class TestFamilyOf:
    @pytest.mark.parametrize(
        ("evidence", "asked", "adjust", "expected"),
        [
            (EVIDENCE, {}, WITH_THE_BEST, "best"),
            (EVIDENCE, {}, "holm", "pairs"),
            (EVIDENCE, {"control": "low"}, WITH_THE_BEST, "control"),
            (TWO, {}, WITH_THE_BEST, "pair"),
            (TWO, {}, "holm", "pair"),
            (TWO, {"control": "low"}, WITH_THE_BEST, "control"),
        ],
    )
    def test_is_named_by_the_question(self, evidence, asked, adjust, expected):
        assert family_of(evidence, Question(**asked), adjust) == expected

    @pytest.mark.parametrize(
        ("asked", "words", "adjusted"),
        [
            ({}, "all 3 pairs together", "Holm over 3 pairs"),
            ({"control": "middle"}, "comparisons with middle, together", "Holm over 2 pairs"),
            ({"adjust": WITH_THE_BEST}, "comparisons with the best, together", "Holm over 3 pairs"),
            ({"evidence": TWO}, "", ""),  # one pair needs no adjustment
        ],
    )
    def test_in_words(self, asked, words, adjusted):
        found = compared(**asked)
        assert (found.family_in_words, found.bonferroni) == (words, adjusted)


class TestCompared:
    def test_the_best_is_the_leader(self):
        found = compared()
        assert list(found.order) == [1, 2, 0]
        assert found.leader == found.winner == 1

    def test_the_control_is_the_leader(self):
        found = compared(control="middle")
        assert found.leader == 2
        assert found.winner is None

    def test_pairs_are_seen_from_the_other_method(self):
        seen = compared().against_reference()
        assert set(seen) == {0, 2}
        assert all(pair.first == m and pair.second == 1 for m, pair in seen.items())
        assert seen[0].effect.estimate == pytest.approx(-0.1, abs=0.01)
        assert seen[2].effect.estimate == pytest.approx(-0.05, abs=0.01)

    def test_methods_are_in_the_order_of_their_means(self):
        # b is better on most data sets, a by more on two: mean ranks favour b
        d = np.r_[np.full(10, -0.01), 0.2, 0.2]
        two = gather(read_scores(table({"b": CLEAR["low"], "a": CLEAR["low"] + d}), measure="accuracy"))
        assert [two.methods[m] for m in compared(two).order] == ["a", "b"]


class TestRows:
    """What a page shows of a method: mark, interval and p are of the same family."""

    @pytest.mark.parametrize(
        ("asked", "standings", "rivals"),
        [
            ({"adjust": WITH_THE_BEST}, ["best", "out", "out"], [2, 1, 1]),  # the winner's rival is the next best
            ({}, ["", "worse", "worse"], [None, 1, 1]),
            ({"control": "middle"}, ["better", "control", "worse"], [2, None, 2]),
            ({"evidence": TWO}, ["better", "worse"], [0, 1]),
        ],
    )
    def test_by_family(self, asked, standings, rivals):
        rows = compared(**asked).rows
        assert [row.standing for row in rows] == standings
        assert [row.rival for row in rows] == rivals
        for row in rows:
            if row.standing in ("best", "better"):
                assert row.effect.low > 0
            elif row.standing in ("out", "worse"):
                assert row.effect.high < 0
                assert row.p_value < 0.05

    @pytest.mark.parametrize("measure", ["accuracy", "error_rate"])
    def test_a_lead_is_positive_where_the_method_is_better(self, measure):
        evidence = gather(read_scores(table(CLEAR), measure=measure))
        for asked in ({}, {"control": "middle"}, {"adjust": WITH_THE_BEST}):
            rows = {evidence.methods[row.method]: row for row in compared(evidence, **asked).rows}
            ends = [rows[m].effect.estimate for m in ("high", "low") if rows[m].effect is not None]
            signs = [1, -1] if measure == "accuracy" else [-1, 1]
            assert np.sign(ends).tolist() == (signs if len(ends) == 2 else [-1])

    def test_the_winner_has_its_own_p_and_the_better_of_two_none(self):
        assert compared(adjust=WITH_THE_BEST).rows[0].p_value < 0.05
        first, second = compared(TWO).rows
        assert first.p_value is None  # it is one test, whose p stands in the other row
        assert second.p_value == pytest.approx(stats.wilcoxon(CLEAR["low"], CLEAR["high"]).p_value)

    def test_too_few_data_sets_have_no_ends_that_hold_together(self):
        few = {m: v[:6] for m, v in CLEAR.items()}
        rows = read_scores(table(few), measure="accuracy").verdict(pairs=True).finding.compared.rows
        assert [(row.effect.low, row.effect.high) for row in rows[1:]] == [(-np.inf, np.inf)] * 2
        assert [row.standing for row in rows] == ["", "", ""]


class TestWinnerAgainstAControl:
    @pytest.mark.parametrize(("control", "winner"), [("high", "high"), ("low", None), ("middle", None)])
    def test_only_a_control_that_all_are_worse_than(self, control, winner):
        assert read_scores(table(CLEAR), measure="accuracy").verdict(control=control).winner == winner

    def test_or_the_one_other_method(self):
        two = {n: CLEAR[n] for n in ("low", "high")}
        assert read_scores(table(two), measure="accuracy").verdict(control="low").winner == "high"


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
