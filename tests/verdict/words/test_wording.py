"""Numbers in sentences and tables of a verdict."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from fairtrial import read_scores
from fairtrial.measures import get
from fairtrial.stats import Interval
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


class TestSmallDifferences:
    def test_are_not_printed_as_zero(self):
        random = np.random.default_rng(1)
        base = random.uniform(0.6, 0.99, 20)
        scores = pd.DataFrame({"dataset": [f"d{i}" for i in range(20)], "a": base, "c": base - 0.1})
        scores["b"] = base - 0.0004 + random.normal(0, 0.0003, 20)
        verdict = read_scores(scores, measure="accuracy").verdict()
        assert "It typically beats b by 0.00040 [0.00025, 0.00055] (p =" in str(verdict)
        cells = {row[0]: row[4:6] for row in verdict.to_table().cells()}
        assert cells["b"] == ["−0.00040", "−0.00059, −0.00023"]
        assert cells["c"] == ["−0.10000", ""]  # as many decimals in all rows
        assert "−0.00059, −0.00023" in verdict.render("md")
