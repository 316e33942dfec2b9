"""What each method reaches by itself, and the interval of it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from made_scores import BASE, NOISE, few_datasets, folds, table

from fairtrial import stats
from fairtrial.errors import UnknownName
from fairtrial.measures import get
from fairtrial.results import read_scores
from fairtrial.stats import Interval
from fairtrial.verdict import gather
from fairtrial.verdict.estimates import estimates, evidence_by, interval_in_words, level_on, within_range

SCORES = 0.8 + NOISE[:10, 0]


def on_one(resampling="10-fold"):
    return gather(read_scores(folds({"a": SCORES}), measure="accuracy", resampling=resampling))


class TestLevelOn:
    def test_is_the_corrected_interval(self):
        assert level_on(on_one(), 0, 0.9) == stats.mean_interval(SCORES, test_share=0.1, level=0.9)

    def test_none_without_known_splits(self):
        assert level_on(on_one(resampling=None), 0, 0.95) is None


class TestWithinRange:
    @pytest.mark.parametrize(
        ("measure", "low", "high", "expected"),
        [
            ("accuracy", 0.7, 1.2, (0.7, 1.0)),
            ("accuracy", -0.1, 0.4, (0.0, 0.4)),
            ("error_rate", -0.1, 1.1, (0.0, 1.0)),
            ("rmse", -2.0, 9.0, (0.0, 9.0)),
        ],
    )
    def test_ends_that_cannot_be_reached(self, measure, low, high, expected):
        found = within_range(Interval("mean", 0.5, low, high), get(measure))
        assert (found.low, found.high) == expected

    def test_no_interval_stays_none(self):
        assert math.isnan(within_range(Interval("mean", 0.5, math.nan, math.nan), get("accuracy")).low)


class TestEstimates:
    def test_over_data_sets(self):
        evidence = gather(read_scores(table({"a": BASE}), measure="accuracy"))
        (found,) = estimates(evidence, 0.95)
        assert (found.low, found.high) == pytest.approx((stats.mean_interval(BASE).low, stats.mean_interval(BASE).high))

    def test_geometric_where_ratios_are_compared(self):
        values = np.array([1, 10, 100, 1000, 1e4, 1e5])
        (found,) = estimates(gather(read_scores(table({"a": values}), measure="rmse")), 0.95)
        assert found.estimate == pytest.approx(10**2.5)

    def test_few_data_sets_have_no_interval(self):
        first, *_ = estimates(gather(few_datasets()), 0.95)
        assert first.estimate == pytest.approx(0.8, abs=0.005)
        assert math.isnan(first.low)


class TestIntervalInWords:
    def test_says_what_or_why_not(self):
        assert interval_in_words(on_one(), 0.95).startswith("95 % intervals of each mean by itself (t, corrected")
        assert interval_in_words(on_one(None), 0.95) == "no intervals: there are no resamples to make them of"
        assert interval_in_words(gather(few_datasets()), 0.95) == (
            "no intervals over 3 data sets, which takes 6; name one data set for intervals on it"
        )
        many = gather(read_scores(table({"a": BASE}), measure="accuracy"))
        assert "(t over 12 data sets, which differ by nature)" in interval_in_words(many, 0.95)


class TestEvidenceBy:
    def test_on_one_data_set(self):
        assert evidence_by(few_datasets(), dataset="d1").datasets == ("d1",)

    def test_an_unknown_data_set(self):
        with pytest.raises(UnknownName, match="no data set of these results is called 'd9'"):
            evidence_by(few_datasets(), dataset="d9")
