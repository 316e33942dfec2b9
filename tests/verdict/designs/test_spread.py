"""How a difference varies over data sets."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_scores import CLEAR, folds, table
from scipy import stats as scipy_stats

from fairtrial.results import read_scores
from fairtrial.verdict import gather
from fairtrial.verdict.designs.units import noise_within, spread_of


def spread(d, delta=0.01, pairs=1, noise=math.nan):
    return spread_of(np.asarray(d, float), delta=delta, level=0.95, pairs=pairs, noise=noise)


class TestSpreadOf:
    def test_by_hand(self):
        found = spread([0.02, 0.01, 0.005, 0.0, -0.03])
        assert (found.above, found.inside, found.below, found.n) == (2, 2, 1, 5)
        assert found.wins == (3, 1, 1)
        assert found.mean.estimate == pytest.approx(0.001)

    def test_without_delta_wins_and_losses(self):
        found = spread([0.02, 0.0, -0.03, -0.001], delta=None)
        assert (found.above, found.inside, found.below) == (1, 1, 2)
        assert math.isnan(found.inside_at_least)

    def test_against_scipy(self):
        # scipy 1.17: beta.ppf and t.interval; 9 of 10 inside, two-sided t at 1 − 0.05/3
        d = np.array([0.001, 0.002, -0.003, 0.004, 0.0, 0.005, -0.002, 0.003, 0.001, 0.05])
        found = spread(d, pairs=3)
        assert found.inside_at_least == pytest.approx(scipy_stats.beta.ppf(0.05 / 3, 9, 2))
        low, high = scipy_stats.t.interval(1 - 0.05 / 3, 9, d.mean(), d.std(ddof=1) / np.sqrt(10))
        assert (found.mean.low, found.mean.high) == pytest.approx((low, high))

    @given(st.lists(st.floats(-1, 1), min_size=2, max_size=30))
    def test_turned_round(self, d):
        one, other = spread(d).negated(), spread([-x for x in d])
        assert (one.above, one.inside, one.below, one.wins) == (other.above, other.inside, other.below, other.wins)


class TestConclusion:
    def test_all_inside(self):
        assert spread(np.linspace(-0.005, 0.005, 8)).conclusion == "equivalent"

    def test_seven_data_sets_are_too_few(self):
        assert spread(np.linspace(-0.005, 0.005, 7)).conclusion == "equal on average; on single data sets open"

    def test_half_and_half_depends_on_the_noise(self):
        d = np.repeat([0.05, -0.05], 10)
        assert spread(d, noise=0.002).conclusion == "equal on average, different on most data sets"
        assert spread(d, noise=0.02).conclusion == "equal on average; on single data sets open"
        assert spread(d).conclusion == "equal on average; on single data sets open"
        assert spread(d).is_noisy


class TestNoiseWithin:
    def test_by_hand(self):
        # differences 0, 0.02 in turns over 10 folds: variance 10/9 · 0.0001, times 1/10 + 1/9
        long = pd.concat(folds({"a": 0.8 + 0.02 * (np.arange(10) % 2), "b": np.full(10, 0.8)}, d) for d in "xyz")
        evidence = gather(read_scores(long, measure="accuracy", resampling="10-fold"))
        assert noise_within(evidence, 0, 1) == pytest.approx(math.sqrt((1 / 10 + 1 / 9) * 0.001 / 9))

    def test_unknown_splits(self):
        assert math.isnan(noise_within(gather(read_scores(table(CLEAR), measure="accuracy")), 0, 1))
