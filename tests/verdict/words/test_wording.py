"""Numbers in sentences and tables of a verdict."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from fairtrial import read_scores
from fairtrial.measures import get
from fairtrial.stats import Interval
from fairtrial.verdict.claims.best import Winner
from fairtrial.verdict.words.wording import Wording


class TestWording:
    @pytest.mark.parametrize(
        ("interval", "written"),
        [
            ((0.0123, 0.0021, 0.0201), "0.012 [0.002, 0.020]"),
            ((0.0004, 0.0001, 0.0011), "0.00040 [0.00010, 0.00110]"),  # was 0.000 [0.000, 0.001]
            ((0.012, 0.0003, 0.024), "0.01200 [0.00030, 0.02400]"),
            ((0.012, 0.0000003, 0.024), "0.012 [3.0e−07, 0.024]"),
            ((0.0, 0.0, 0.0), "0.000"),  # an interval without width is none
            ((1e-17, 0.0, 0.02), "0.000 [0.000, 0.020]"),
        ],
    )
    def test_sizes(self, interval, written):
        assert Wording(get("accuracy")).sized(Interval("d", *interval)) == written

    def test_a_lead_that_may_be_none(self):
        lead = Wording(get("accuracy")).lead(Interval("d", 0.0004, -0.0003, 0.002))
        assert lead == ("0.00040", "−0.00030, +0.00200")

    def test_a_level(self):
        words = Wording(get("error_rate"))
        assert words.level(0.0004, (0.0001, 0.012)) == "0.00040 [0.00010, 0.01200]"
        assert words.level(0.25, None) == "0.250"

    def test_other_scales_have_significant_digits(self):
        assert Wording(get("rmse")).value(0.00012345) == "0.0001234"
        assert Wording(get("rmse")).difference(0.00012) == "+0.000120"
        assert Wording(get("rmse"), ratio=True).difference(1.25) == "×1.25"
        assert Wording(get("rmse"), ratio=True).difference(math.nan) == "–"


class TestLeads:
    @pytest.mark.parametrize(
        ("measure", "lead", "written"),
        [
            ("accuracy", (0.043, 0.020, 0.073), ("0.043", " [0.020, 0.073]")),
            ("accuracy", (0.0004, 0.00025, 0.00061), ("0.00040", " [0.00025, 0.00061]")),
            ("accuracy", (0.008, -0.002, 0.015), ("0.008", " [−0.002, +0.015]")),
            ("accuracy", (0.1, 0.1, 0.1), ("0.100", "")),
            ("rmse", (120.4, 80.6, 150.2), ("120.4", " [80.6, 150.2]")),
        ],
    )
    def test_differences(self, measure, lead, written):
        assert Wording(get(measure)).size_and_ends(Interval("d", *lead)) == written

    def test_ratios_are_those_of_the_measure(self):
        lead = Interval("d", *map(math.log, (1.25, 1.1, 2.0)))
        assert Wording(get("rmse"), ratio=True).size_and_ends(lead) == ("0.800", " [0.500, 0.909]")
        assert Wording(get("accuracy"), ratio=True).size_and_ends(lead) == ("1.25", " [1.10, 2.00]")

    def test_a_column_has_as_many_decimals_as_its_smallest_size(self):
        write = Wording(get("accuracy")).differences([Interval("d", *ends) for ends in ((0.1, 0.1, 0.1), SMALL)])
        assert [write(x) for x in (0.1, *SMALL)] == ["+0.10000", "−0.00040", "−0.00059", "−0.00023"]


SMALL = (-0.0004, -0.00059, -0.00023)


def test_small_differences_are_not_printed_as_zero():
    random = np.random.default_rng(1)
    base = random.uniform(0.6, 0.99, 20)
    scores = pd.DataFrame({"dataset": [f"d{i}" for i in range(20)], "a": base, "c": base - 0.1})
    scores["b"] = base - 0.0004 + random.normal(0, 0.0003, 20)
    verdict = read_scores(scores, measure="accuracy").verdict()
    [won] = verdict.finding.of_kind(Winner)
    assert (won.lead.estimate, won.lead.low, won.lead.high) == pytest.approx((0.0004, 0.00025, 0.00061), abs=5e-6)
    assert {row[0]: row[2:4] for row in verdict.to_table().cells()} == {
        "a": ["+0.00040", "+0.00025 … +0.00061"],
        "b": ["−0.00040", "−0.00061 … −0.00025"],
        "c": ["−0.10000", ""],  # as many decimals in all rows, and no interval without width
    }
