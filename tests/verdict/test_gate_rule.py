"""What a gate makes of the decisions about a method and the control."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import wilcoxon as scipy_wilcoxon

from fairtrial.choices import FAIL_IF
from fairtrial.measures import get
from fairtrial.stats import Interval
from fairtrial.verdict.designs.decide import BOTH, Pair, Side, jointly, pair_up
from fairtrial.verdict.gate import is_better, rule_on, size_in_words
from fairtrial.verdict.words.wording import Wording

DELTA = 0.01


def made(low, high, decision="undecided", *, different=False, narrow=None, spread=None):
    """A method (0) and the control (1) with an interval of their difference, and a narrower one where it is given."""
    inside = (low, high) if narrow is None else narrow
    effect = Interval("d", (low + high) / 2, low, high)
    no_better, no_worse = inside[1] < DELTA, inside[0] > -DELTA
    return Pair(0, 1, effect, 0.02, 0.03, different, decision, spread=spread, no_better=no_better, no_worse=no_worse)


def seen(d, side=BOTH, delta=DELTA):
    """The pair of a method and the control, from their differences over data sets."""
    columns = [0.7 + np.asarray(d), np.full(len(d), 0.7)]
    return pair_up(jointly(columns, [(0, 1)], names=["new", "old"], level=0.95, side=side), 1.0, delta)[0]


BEYOND, OPEN, SMALL = "better by more than matters", "better, size open", "better but negligible"
AVERAGE, MOST = "equal on average; on single data sets open", "equal on average, different on most data sets"
CASES = {
    "far better": (made(0.02, 0.04, BEYOND, different=True), "passed", "passed", "failed"),
    "better, size open": (made(0.002, 0.04, OPEN, different=True), "passed", "undecided", "undecided"),
    "a little better": (made(0.002, 0.008, SMALL, different=True), "passed", "failed", "passed"),
    "equivalent": (made(-0.005, 0.004, "equivalent"), "passed", "failed", "passed"),
    "equal on average": (made(-0.005, 0.004, AVERAGE), "passed", "failed", "undecided"),
    "different on most": (made(-0.005, 0.004, MOST), "passed", "failed", "failed"),
    "surely not worse": (made(-0.005, 0.04), "passed", "undecided", "undecided"),
    "surely not better": (made(-0.04, 0.005), "undecided", "failed", "undecided"),
    "open": (made(-0.04, 0.04), "undecided", "undecided", "undecided"),
    "a little worse": (made(-0.008, -0.002, SMALL, different=True), "passed", "failed", "passed"),
    "worse, size open": (made(-0.04, -0.002, OPEN, different=True), "undecided", "failed", "undecided"),
    "worse by less, one-sided": (
        made(-0.0105, -0.001, OPEN, different=True, narrow=(-0.0095, -0.002)), "passed", "failed", "undecided",
    ),
    "far worse": (made(-0.04, -0.02, BEYOND, different=True), "failed", "failed", "failed"),
    "without an interval": (made(math.nan, math.nan), "undecided", "undecided", "undecided"),
}  # fmt: skip


class TestRuleOn:
    @pytest.mark.parametrize("name", CASES)
    def test_with_delta(self, name):
        pair, *expected = CASES[name]
        assert [rule_on(pair, f, "new", "old", "0.01").state for f in FAIL_IF] == expected

    @pytest.mark.parametrize(
        ("different", "low", "high", "expected"),
        [
            (True, 0.002, 0.04, ["passed", "passed"]),
            (True, -0.04, -0.002, ["failed", "failed"]),
            (False, -0.04, 0.002, ["undecided", "undecided"]),
        ],
    )
    def test_without_delta_only_a_significant_difference_decides(self, different, low, high, expected):
        pair = replace(made(low, high, OPEN if different else "undecided", different=different), no_better=False)
        pair = replace(pair, no_worse=False)
        assert [rule_on(pair, f, "new", "old", None).state for f in ("worse", "not-better")] == expected

    @pytest.mark.parametrize(
        ("name", "fail_if", "sentence"),
        [
            ("far better", "worse", "new is better than old"),
            ("far better", "not-better", "new is better than old by more than 0.01"),
            ("far better", "not-equivalent", "new is better than old by more than 0.01"),
            ("far worse", "worse", "new is worse than old by more than 0.01"),
            ("far worse", "not-better", "new is worse than old"),
            ("equivalent", "worse", "new is not worse than old by 0.01 or more"),
            ("equivalent", "not-better", "new is not better than old by 0.01 or more"),
            ("equivalent", "not-equivalent", "new and old are equivalent, within 0.01"),
            ("different on most", "not-equivalent", "new and old differ by 0.01 or more on most data sets"),
            ("worse, size open", "worse", "new is worse than old, but whether by more than 0.01 is open"),
            ("a little worse", "worse", "new is worse than old, but by less than the 0.01 that matters"),
            ("a little better", "not-better", "new is better than old, but by less than the 0.01 that matters"),
            ("open", "worse", "whether new is worse than old by more than 0.01 is open"),
            ("open", "not-better", "whether new is better than old by more than 0.01 is open"),
            ("open", "not-equivalent", "whether new and old are equivalent, within 0.01, is open"),
        ],
    )
    def test_words(self, name, fail_if, sentence):
        assert rule_on(CASES[name][0], fail_if, "new", "old", "0.01").sentence == sentence

    def test_a_question_on_one_side_never_fails(self):
        for shift in (0.0, DELTA):
            side = Side("greater", shift)
            far = np.linspace(-0.06, -0.04, 20)
            assert [rule_on(seen(far, side), f, "new", "old", "0.01").state for f in FAIL_IF[:2]] == ["undecided"] * 2
            assert rule_on(seen(-far, side), "worse", "new", "old", "0.01").state == "passed"

    def test_not_worse_is_what_the_question_on_one_side_says(self):
        random = np.random.default_rng(5)
        agreed = 0
        for _ in range(60):
            d = random.normal(-0.002, 0.02, 15)
            both, one = seen(d), seen(d, Side("greater", DELTA))
            assert both.no_worse == one.no_worse == (scipy_wilcoxon(d + DELTA, alternative="greater").pvalue < 0.05)
            agreed += both.no_worse
        assert 10 < agreed < 50

    @pytest.mark.slow
    def test_errors_at_the_margin(self):
        """A method that is worse by exactly δ passes in 5 % of all cases at most, and fails in 2.5 %."""
        random, n = np.random.default_rng(11), 1500
        states = [rule_on(seen(random.normal(-DELTA, 0.02, 20)), "worse", "a", "b", "x").state for _ in range(n)]
        assert states.count("passed") / n < 0.05 + 3 * math.sqrt(0.05 * 0.95 / n)
        assert states.count("failed") / n < 0.025 + 3 * math.sqrt(0.025 * 0.975 / n)
        assert states.count("passed") > n / 50


class TestIsBetter:
    @pytest.mark.parametrize("name", CASES)
    def test_never_both(self, name):
        pair = CASES[name][0]
        assert not (is_better(pair, "0.01") and is_better(pair.swapped(), "0.01"))
        assert is_better(pair.swapped().swapped(), "0.01") == is_better(pair, "0.01")


class TestSizeInWords:
    def test_method_minus_control_in_the_direction_of_the_measure(self):
        pair = made(-0.04, -0.02, BEYOND, different=True)
        text = size_in_words(pair, Wording(get("accuracy")))
        assert text == "difference in accuracy −0.030 [−0.040, −0.020], p = 0.030"
        text = size_in_words(pair, Wording(get("error_rate")))
        assert text == "difference in error rate +0.030 [+0.020, +0.040], p = 0.030, lower is better"

    def test_one_side_and_nothing(self):
        effect = Interval("d", 0.0, -0.004, math.inf)
        text = size_in_words(replace(made(0, 0), effect=effect), Wording(get("accuracy")))
        assert text == "difference in accuracy 0.000 [−0.004, ∞]"
        assert size_in_words(replace(made(0, 0), effect=None), Wording(get("accuracy"))) == "p = 0.030"
