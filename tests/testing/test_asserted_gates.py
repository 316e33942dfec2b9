"""Assertions about methods, for tests of other projects."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.testing import assert_better, assert_equivalent, assert_not_worse

_random = np.random.default_rng(6)
OLD = _random.uniform(0.6, 0.9, 25)
NOISE = _random.normal(0, 0.004, (25, 4))
MADE = {"bad": OLD - 0.05 + NOISE[:, 0], "good": OLD + 0.05 + NOISE[:, 1], "same": OLD + NOISE[:, 2]}
MADE["wild"] = OLD + 10 * (NOISE[:, 3] - NOISE[:, 3].mean())


def results(*names):
    frame = pd.DataFrame({"dataset": [f"set-{chr(97 + i)}" for i in range(25)], "old": OLD})
    return read_scores(frame.assign(**{name: MADE[name] for name in names}), measure="accuracy")


@pytest.mark.parametrize(
    ("check", "name", "expected"),
    [
        (assert_not_worse, "bad", "Gate failed: bad is worse than old by more than 0.01"),
        (assert_not_worse, "wild", "Gate undecided: whether wild is worse than old"),
        (assert_better, "same", "Gate failed: same is not better than old by 0.01 or more"),
        (assert_better, "wild", "Gate undecided: whether wild is better than old"),
        (assert_equivalent, "good", "Gate failed: good is better than old by more than 0.01"),
        (assert_equivalent, "wild", "Gate undecided: whether wild and old are equivalent"),
    ],
)
def test_the_error_has_the_gate_and_the_verdict(check, name, expected):
    with pytest.raises(AssertionError) as error:
        check(results(name), control="old", delta=0.01)
    first, second = str(error.value).split("\n")
    assert first.startswith(expected)
    assert second.startswith("In accuracy on data sets such as these 25, ")


def test_what_is_shown_passes():
    assert_not_worse(results("good", "same"), control="old", delta=0.01)
    assert_better(results("good"), control="old", delta=0.01)
    assert_equivalent(results("same"), control="old", delta=0.01)


def test_what_is_undecided_can_pass():
    assert_not_worse(results("wild"), control="old", delta=0.01, undecided="pass")
    with pytest.raises(AssertionError, match="bad is worse"):
        assert_not_worse(results("bad", "wild"), control="old", delta=0.01, undecided="pass")
    with pytest.raises(UnknownName, match="known are: fail, pass"):
        assert_not_worse(results("wild"), control="old", undecided="skip")


def test_candidates_and_level():
    assert_not_worse(results("good", "bad"), control="old", candidates=["good"])
    with pytest.raises(InputError, match="level must lie strictly between 0 and 1"):
        assert_not_worse(results("good"), control="old", level=95)


def test_a_verdict_has_its_question():
    verdict = results("same").verdict(control="old", smallest_difference=0.01, alternative="not worse")
    assert_not_worse(verdict)
    with pytest.raises(InputError, match=r"give control to results\.verdict"):
        assert_not_worse(verdict, control="old")


def test_a_control_is_needed():
    with pytest.raises(InputError, match="one of 'old' and 'good'"):
        assert_not_worse(results("good"))


def test_units():
    assert_not_worse(results("good", "same"), control="old", delta="1pp")
    with pytest.raises(AssertionError, match=r"bad is worse than old by more than 0\.005"):
        assert_not_worse(results("bad"), control="old", delta="0.5pp")
    for check in (assert_not_worse, assert_better, assert_equivalent):
        with pytest.raises(InputError, match=r"write '0\.5pp' for 0\.5 percentage points, or '50pp'"):
            check(results("bad"), control="old", delta=0.5)
