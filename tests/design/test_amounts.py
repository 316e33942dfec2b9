"""Amounts and their units, beside the scores of a measure."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.design.amounts import Amount, Settled, difference, level, parse, scale_of, settled_numbers
from fairtrial.errors import InputError
from fairtrial.measures import get

ACCURACY = get("accuracy")
PERCENT = replace(ACCURACY, best=100.0, unit="%", range="0 to 100")
COST = get("expected_cost(costs=(1, 5), per=1000)")


class TestParse:
    @pytest.mark.parametrize(
        "text", ["0.5pp", " 0.5 PP", "0.5 points", "0.5 percentage points", ".5\u202fpp", "5e-1pp"]
    )
    def test_points(self, text):
        assert parse(text) == Amount(Decimal("0.5"), "pp")

    @pytest.mark.parametrize("text", ["95%", "95 %", "+95.0 percent"])
    def test_percent(self, text):
        assert parse(text) == Amount(Decimal(95), "%")

    @pytest.mark.parametrize(
        "text", ["0.5", "95", "", "pp", "%", "published.csv", "95%.csv", "0.5 euros", "nan%", "1 2%"]
    )
    def test_other_texts(self, text):
        assert parse(text) is None

    @pytest.mark.parametrize(("text", "point"), [("0,5%", "0.5%"), ("0,5", "0.5"), (",5 pp", ".5 pp")])
    def test_a_decimal_comma(self, text, point):
        with pytest.raises(InputError, match=f"must have a decimal point, got '{text}'; write {point}"):
            parse(text)


class TestScaleOf:
    @pytest.mark.parametrize("name", ["accuracy", "error_rate", "mcc", "kappa", "r2", "brier", "split_accuracy"])
    def test_at_most_1(self, name):
        assert scale_of(get(name)) == "share"

    def test_others(self):
        assert [scale_of(get(name)) for name in ("rmse", "fit_time", "log_loss", "information_score")] == [
            "ratio", "ratio", "own", "own",
        ]  # fmt: skip
        assert (scale_of(PERCENT), scale_of(COST), scale_of(get("predicted_positive_rate"))) == (
            "percent",
            "own",
            "own",
        )


class TestDifference:
    def test_by_hand(self):
        assert difference("0.5pp", ACCURACY) == difference("0.5%", ACCURACY) == difference(0.005, ACCURACY) == 0.005
        assert difference("0.5pp", PERCENT) == difference("0.5%", PERCENT) == difference(0.5, PERCENT) == 0.5
        assert difference("5%", get("rmse")) == difference(0.05, get("rmse")) == 0.05
        assert difference("150%", get("fit_time")) == 1.5
        assert difference(50, COST) == 50

    @given(st.decimals(min_value="0.0001", max_value="99.9", places=4))
    def test_no_digit_is_lost(self, number):
        assert difference(f"{number}pp", ACCURACY) == float(number / 100)  # 0.7 / 100 is 0.006999999999999999
        assert difference(f"{number}pp", PERCENT) == float(number)

    @pytest.mark.parametrize("facts", [ACCURACY, get("mcc"), get("r2"), get("error_rate")])
    def test_a_bare_number_of_shares_that_could_be_points(self, facts):
        must = rf"must have a unit where it can be read in two ways, got 0.5 for {facts.name}, where 1 is 100 %; "
        with pytest.raises(InputError, match=must + r"write '0\.5pp' for 0\.5 percentage points, or '50pp'"):
            difference(0.5, facts)
        with pytest.raises(InputError, match=r"got 0.1 .*'0\.1pp' .*, or '10pp'"):
            difference(0.1, facts)
        assert difference(0.0999, facts) == 0.0999
        assert difference("50pp", facts) == 0.5

    def test_a_bare_number_above_any_share(self):
        with pytest.raises(
            InputError, match=r"must be below 1, got 2 for accuracy, .*; write '2pp' for 2 percentage poi"
        ):
            difference(2, ACCURACY)

    def test_a_bare_number_of_percentages_that_could_be_a_share(self):
        with pytest.raises(InputError, match=r"got 0\.01 for accuracy in percent; write '0\.01pp' for .*, or '1pp'"):
            difference(0.01, PERCENT)
        assert difference("0.01pp", PERCENT) == 0.01

    @pytest.mark.parametrize(("given_", "facts"), [("100pp", ACCURACY), ("150pp", PERCENT), (100, PERCENT)])
    def test_more_than_the_range(self, given_, facts):
        with pytest.raises(
            InputError, match=r"must be smaller than the range of accuracy .*: no two methods differ by so"
        ):
            difference(given_, facts)

    @pytest.mark.parametrize(
        ("given_", "facts", "message"),
        [
            ("5pp", get("rmse"), "can't be '5pp' for rmse, which is compared by ratios: write '5%' or 0.05"),
            ("5%", COST, r"can't be '5%' for .*, which has other units: write a bare number"),
            ("5pp", get("log_loss"), "can't be '5pp' for log_loss, which has other units: write a bare number"),
            ("150%", get("rmse"), "must be a share below 1 for rmse"),
            ("much", ACCURACY, "must be a number, or have a unit such as '0.5pp' or '5%', got 'much'"),
            (0, ACCURACY, "must be above 0, got 0"),
            ("-1pp", ACCURACY, "must be above 0, got '-1pp'"),
        ],
    )
    def test_says_what_was_wrong(self, given_, facts, message):
        with pytest.raises(InputError, match=f"smallest_difference {message}"):
            difference(given_, facts)


class TestLevel:
    def test_by_hand(self):
        assert level("95%", ACCURACY, "claim") == level(0.95, ACCURACY, "claim") == 0.95
        assert level("95%", PERCENT, "claim") == level(95, PERCENT, "claim") == 95
        assert level("-10%", get("r2"), "claim") == -0.1
        assert level(0, PERCENT, "claim") == 0

    def test_a_bare_share_beside_percentages(self):
        must = r"claim must have a unit where it can be read in two ways, got 0\.9 for accuracy in percent; "
        with pytest.raises(InputError, match=must + r"write '90%' or '0\.9%'"):
            level(0.9, PERCENT, "claim")
        assert level("0.9%", PERCENT, "claim") == 0.9

    @pytest.mark.parametrize(
        ("given_", "facts", "message"),
        [
            ("5pp", ACCURACY, "must be a level, got '5pp', which is a difference; write '5%'"),
            ("5%", get("rmse"), "can't be '5%' for rmse, which has other units: write a bare number"),
        ],
    )
    def test_says_what_was_wrong(self, given_, facts, message):
        with pytest.raises(InputError, match=f"claim {message}"):
            level(given_, facts, "claim")


class TestSettled:
    def test_it_is_never_unclear(self):
        once = difference("50pp", ACCURACY)
        assert difference(once, ACCURACY) == 0.5
        assert level(level("0.5%", PERCENT, "claim"), PERCENT, "claim") == 0.5

    def test_it_is_a_plain_number_elsewhere(self):
        found = Settled(0.5)
        assert repr(found) == json.dumps(found) == "0.5"
        assert all(isinstance(same, Settled) for same in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))))

    def test_what_is_stored(self):
        found = settled_numbers({"human": 0.9, "published": {"iris": 1}, "text": "95%"})
        assert found == {"human": 0.9, "published": {"iris": 1}, "text": "95%"}
        assert isinstance(found["published"]["iris"], Settled)
