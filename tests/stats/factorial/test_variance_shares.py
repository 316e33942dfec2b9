import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import variance_shares

NAN = math.nan
# R 4.2.2, expand.grid(seed = 1:3, split = 1:4, data = 1:6), the first varies fastest
Y = np.array(
    [
        [78.1, 78.1, 78, 79.5, 78.4, 79.5, 76.6, 75.3, 74.3, 79.8, 79.8, 78.7, 79.7, 77.2, 78.4, 75.2, 77.3, 78.6],
        [77.6, 77.1, 78.8, 78.7, 79.8, 77.8, 79.6, 80.6, 80, 81.7, 81.2, 79.5, 79.9, 80.3, 79.6, 80.2, 81, 79.3],
        [78, 79.3, 77.1, 77, 76.8, 77.3, 76.7, 75.9, 75.9, 75.9, 76.3, 75.5, 79.3, 80.1, 82, 77.7, 78.8, 79.3],
        [80.7, 79.9, 80.1, 78.6, 79.9, 78.6, 81, 80.8, 81.2, 82.7, 81.2, 81.5, 79.5, 80.5, 80.9, 78.2, 79, 78],
    ]
).reshape(6, 4, 3)


class TestVarianceShares:
    def test_by_hand(self):
        # seeds ±1 around 2, 4 | 12, 14: within 8 · 1 / 4 = 2; splits 4 · 2 · 1 / 2 = 4; data sets 8 · 25 / 1 = 200
        found = variance_shares([[[1, 3], [3, 5]], [[11, 13], [13, 15]]])
        assert found.mean_squares == pytest.approx((200, 4, 2))
        assert found.estimates == pytest.approx((49, 1, 2))
        assert found.shares == pytest.approx((49 / 52, 1 / 52, 2 / 52))
        assert found.share("seed") == pytest.approx(2 / 52)

    def test_rounding_errors_are_no_variance(self):
        x = 0.1 + 0.2  # differs from 0.3 in the last bit
        found = variance_shares([[0.3, x, 0.3], [0.7, 0.7, 0.7], [0.9, 0.9, 0.9]])
        inner = found.components[1]
        assert (inner.estimate, inner.low, inner.high) == (0, 0, 0)

    def test_balanced_against_lmer(self):
        # R 4.2.2, lme4 1.1.31: VarCorr(lmer(y ~ 1 + (1 | data/split))); summary(aov(y ~ 1 + Error(data/ds)))
        found = variance_shares(Y)
        assert found.mean_squares == pytest.approx((24.8895555556, 4.02092592593, 0.720972222222), rel=1e-9)
        assert found.estimates == pytest.approx((1.739074322093, 1.099983701416, 0.720971653549), rel=2e-5)
        assert found.df == (5, 18, 48)

    def test_unbalanced_against_traces(self):
        # R 4.2.2: rows 1, 2, 3, 5, 17, 30, 31, 44, 70 left out; E MS by tr(P Z Z') / df, solve(K, ms)
        left_out = Y.ravel().copy()
        left_out[np.array([1, 2, 3, 5, 17, 30, 31, 44, 70]) - 1] = NAN
        found = variance_shares(left_out.reshape(Y.shape))
        assert found.df == (5, 17, 40)
        assert found.mean_squares == pytest.approx((23.299668470425, 4.0226091800338, 0.774583333334149))
        assert found.estimates == pytest.approx((1.83188021640609, 1.19527862507691, 0.774583333334149))
        assert np.isnan(found.components[0].low)
        assert "9 of 72 scores are missing" in found.notes
        assert "no intervals, since the table is not balanced" in found.notes

    def test_one_seed(self):
        found = variance_shares(Y[:, :, 0])
        assert found.names == ("data set", "split (with its seed)")
        assert variance_shares(Y[:, :, :1]).shares == found.shares

    def test_the_innermost_interval(self):
        # R 4.2.2: 48 * 0.720972222222 / qchisq(c(.975, .025), 48)
        seed = variance_shares(Y).components[2]
        assert (seed.low, seed.high) == pytest.approx((0.5013817763, 1.125255174), rel=1e-9)

    @pytest.mark.slow
    def test_intervals_cover(self):
        random, hits, repeats = np.random.default_rng(0), np.zeros(3), 400
        for _ in range(repeats):
            y = random.normal(size=(8, 1, 1)) + 0.5 * random.normal(size=(8, 5, 1)) + random.normal(size=(8, 5, 3))
            parts = variance_shares(y).components
            hits += [part.low <= truth <= part.high for part, truth in zip(parts, (1, 0.25, 1), strict=True)]
        assert (hits / repeats > 0.95 - 3 * math.sqrt(0.95 * 0.05 / repeats)).all()

    def test_negative_estimates_count_as_zero_and_it_is_said(self):
        found = variance_shares([[[1, 3], [3, 1]], [[11, 13], [13, 11]]])  # splits do not differ at all
        assert found.estimates[1] < 0
        assert found.components[1].estimate == 0
        assert found.share("split") == 0
        assert "the estimate of the variance due to split is negative and counts as 0" in found.notes

    def test_methods_are_averaged(self):
        both = np.stack([Y, 2 * Y], axis=-1)
        one = np.array(variance_shares(Y).estimates)
        assert variance_shares(both).estimates == pytest.approx((one + 4 * one) / 2)
        assert "no intervals, since the components are means over 2 methods" in variance_shares(both).notes

    @settings(max_examples=40)
    @given(st.integers(0, 2**32 - 1), st.sampled_from([1e-200, 1e-3, 1.0, 1e200]))
    def test_shares_add_up_and_have_no_unit(self, seed, scale):
        y = np.random.default_rng(seed).normal(size=(3, 2, 2))
        found = variance_shares(y)
        assert sum(found.shares) == pytest.approx(1)
        assert all(share >= 0 for share in found.shares)
        assert variance_shares(scale * y).shares == pytest.approx(found.shares)

    def test_all_equal(self):
        found = variance_shares(np.full((3, 2, 2), 0.1))
        assert np.isnan(found.shares).all()
        assert any("all scores are equal" in note for note in found.notes)

    def test_prints(self):
        assert "data set" in str(variance_shares(Y))
        json.dumps(variance_shares(Y).to_dict())

    @pytest.mark.parametrize(
        ("scores", "says"),
        [
            ([1, 2, 3], "the axes data set × split"),
            ([[1, 2]], "at least two data sets"),
            ([[1], [2]], "two splits in one of them"),
            ([[1, 2], [NAN, NAN]], "without scores of data sets 1"),
            ([[1, math.inf], [1, 2]], "must be finite, or nan"),
        ],
    )
    def test_says_what_is_wrong(self, scores, says):
        with pytest.raises(InputError, match=says):
            variance_shares(scores)
