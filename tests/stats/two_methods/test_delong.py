import math
from itertools import product

import numpy as np
import pytest
from example_data import CLASSES, FIRST, SECOND, rankings
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import delong


class TestDelong:
    def test_with_ties_against_proc(self):
        # pROC 1.18.0 on R 4.2.2: roc.test(roc(y, a), roc(y, b)): Z, p.value, conf.int
        found = delong(CLASSES, FIRST, SECOND)
        assert (found.statistic, found.p_value) == pytest.approx((1.248537726151803, 0.211834201588160), rel=1e-9)
        assert (found.effect.low, found.effect.high) == pytest.approx((-0.0863344815889425, 0.3893647846192453))

    def test_apart_without_spread_is_undefined(self):
        found = delong([0, 0, 1, 1], [1, 2, 3, 4], [4, 3, 2, 1])
        assert math.isnan(found.p_value)
        assert found.statistic == math.inf
        assert "undefined" in found.notes[0]

    @given(rankings, st.sampled_from(["two-sided", "greater", "less"]))
    def test_interval_agrees_with_p_and_swapping_flips_the_sign(self, rows, alternative):
        truth, a, b = zip(*rows, strict=True)
        found = delong(truth, a, b, alternative=alternative)
        if math.isnan(found.p_value):
            return
        if abs(found.p_value - 0.05) > 1e-9:
            assert (0 not in found.effect) == (found.p_value < 0.05)
        if alternative == "two-sided":
            back = delong(truth, b, a)
            assert back.p_value == pytest.approx(found.p_value)
            assert back.effect.low == pytest.approx(-found.effect.high)
            order = np.random.default_rng(1).permutation(len(rows))
            shuffled = delong(*(np.array(c)[order] for c in (truth, a, b)))
            assert shuffled.p_value == pytest.approx(found.p_value)

    def test_variance_is_that_of_all_resamples_of_pairs(self):
        # the covariance of two areas, from the definition over pairs (i, j) and (i', j'), on a small case with ties
        truth = np.array([True, True, True, False, False])
        a, b = np.array([3.0, 2, 1, 2, 0]), np.array([1.0, 3, 2, 2, 1])
        psi = [((s[truth][:, None] > s[~truth]) + (s[truth][:, None] == s[~truth]) / 2) for s in (a, b)]
        by_hand = sum(
            np.cov(psi[0].mean(axis=axis), psi[1].mean(axis=axis))[0, 1] / psi[0].shape[1 - axis] for axis in (0, 1)
        )
        assert delong(truth, a, b).details["covariance"] == pytest.approx(by_hand)

    def test_far_tail(self):
        n = 4000
        truth = np.repeat([0, 1], n)
        good = np.arange(2 * n) + np.tile([0, 1.5], n)
        bad = np.tile(np.arange(n), 2)
        bad[0], bad[-1] = -5, n + 5
        found = delong(truth, good, bad)
        assert found.p_value < 1e-300
        assert -1e5 < found.log10_p < -300

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="at least two positives and two negatives"):
            delong([0, 0, 1], [1, 2, 3], [3, 2, 1])
        for truth, a in product(([0, 1],), ([0.1], [0.1, 0.2, 0.3])):
            with pytest.raises(InputError, match="scores_a must hold one score for each"):
                delong(truth, a, [1, 2])

    def test_rankings_that_hardly_differ(self):
        # one positive and one negative change places: of V and W a single entry each moves, by 1/n and 1/m. So the
        # difference is 1/mn, its variance 1/(n²m²) for V and as much for W, and z = 1/√2, however many there are
        n = 200_000
        truth, scores = np.repeat([0, 1], n), np.arange(2.0 * n)
        other = scores.copy()
        other[[n - 1, n]] = scores[[n, n - 1]]
        found = delong(truth, scores, other)
        assert found.statistic == pytest.approx(1 / math.sqrt(2), rel=1e-4)
        assert found.p_value == pytest.approx(0.4795, abs=1e-4)
