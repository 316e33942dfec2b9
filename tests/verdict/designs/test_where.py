"""A claim about the data sets with a property, against the others."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial import Question
from fairtrial.design.question import Condition
from fairtrial.errors import InputError
from fairtrial.results import read_scores
from fairtrial.stats import kruskal
from fairtrial.verdict.claims.dependence import BetterThere
from fairtrial.verdict.verify import verify

RNG = np.random.default_rng(1)
SIZE = np.r_[RNG.integers(1000, 9000, 12), RNG.integers(50, 1000, 10)]
BASE = RNG.uniform(0.6, 0.8, 22)


def results(inside, outside, noise=0.005):
    lead = np.where(SIZE >= 1000, inside, outside) + np.random.default_rng(3).normal(0, noise, 22)
    frame = pd.DataFrame({"dataset": [f"{chr(97 + i)}x" for i in range(22)], "rows": SIZE, "a": BASE + lead, "b": BASE})
    return read_scores(frame, measure="accuracy", covariates=["rows"])


class TestBetterThere:
    def test_it_is(self):
        found = results(0.03, -0.01)
        verdict = found.verdict(where="rows >= 1000")
        (said,) = verdict.finding.of_kind(BetterThere)
        assert (said.shown, said.count, said.others) == (True, 12, 10)
        d = BASE * 0 + found.scores.pivot(index="dataset", columns="method", values="value").eval("a - b").to_numpy()
        assert said.p_value == pytest.approx(kruskal([d[SIZE >= 1000], d[SIZE < 1000]]).p_value)
        assert verdict.finding.scope.n == 12
        assert "where rows >= 1,000: ahead by" in verdict.answer
        assert "The claim holds: its lead is 0.0" in " ".join(verdict.sentences)
        assert said.more.low < 0.04 < said.more.high

    def test_better_everywhere_is_no_interaction(self):
        verdict = results(0.03, 0.03).verdict(where="rows >= 1000")
        (said,) = verdict.finding.of_kind(BetterThere)
        assert (said.shown, said.better) == (False, True)
        assert "That it is better there than elsewhere is not shown" in " ".join(verdict.sentences)

    def test_not_better_there(self):
        (said,) = results(0.0, -0.03).verdict(where="rows >= 1000").finding.of_kind(BetterThere)
        assert not said.better

    def test_it_is_made_again(self):
        found = results(0.03, -0.01)
        assert verify(found.verdict(where="rows >= 1000"), found).agrees

    @pytest.mark.parametrize(("where", "message"), [
        ("rows", "where must be a property of data sets with a value, such as 'n >= 1000', got 'rows'"),
        ("rows > many", "where must compare rows with a number"),
        ("colour = red", "'colour' is not of ax, bx, cx and 19 others; known are rows"),
        ("rows >= 9e9", "rows >= 9e\\+09 holds on 0 of 22 data sets"),
    ])  # fmt: skip
    def test_what_can_not_be_meant(self, where, message):
        with pytest.raises(InputError, match=message):
            results(0.0, 0.0).verdict(where=where)


class TestCondition:
    @pytest.mark.parametrize(("text", "value", "holds"), [
        ("n >= 1,000", 1000, True), ("n<1000", 1000, False), ("domain = 'text'", "text", True),
        ("domain != text", "text", False), ("n == 5", 5.0, True), ("n > 2", 2, False), ("n <= 2", 2, True),
    ])  # fmt: skip
    def test_holds(self, text, value, holds):
        assert Condition.parse(text).holds(value) is holds

    def test_of_a_question(self):
        assert Question(where="n >= 1000").to_dict()["where"] == "n >= 1000"
        assert "where" not in Question().to_dict()
