import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.distributions.replicates import Corrections, Replicates, acceleration, resample_counts


class TestResampleCounts:
    @pytest.mark.parametrize("n", [1, 5, 255, 256, 257, 1000])
    def test_each_replicate_draws_n(self, n):
        counts = resample_counts(np.random.default_rng(1), n, 7)
        assert counts.shape == (7, n)
        assert (counts.sum(axis=1) == n).all()

    @pytest.mark.parametrize("n", [40, 300, 512])
    def test_is_multinomial(self, n):
        # counts have mean 1, variance 1 − 1/n, and two of them the covariance −1/n, also across blocks
        counts = resample_counts(np.random.default_rng(2), n, 4000)
        assert counts.mean(axis=0) == pytest.approx(np.ones(n), abs=5 / math.sqrt(4000))
        assert counts.var(axis=0).mean() == pytest.approx(1 - 1 / n, rel=0.02)
        halves = counts[:, : n // 2].sum(axis=1)
        assert halves.var() == pytest.approx(n * (n // 2 / n) * (1 - n // 2 / n), rel=0.1)

    def test_draws_may_differ(self):
        counts = resample_counts(np.random.default_rng(1), 300, 3, np.array([0, 10, 1000]))
        assert counts.sum(axis=1).tolist() == [0, 10, 1000]


class TestReplicates:
    def test_by_hand(self):
        # 1 2 2 3 drawn: each 1/5, and 1/5 for what was not
        found = Replicates.of([2, 3, 1, 2])
        assert found.at_most(2) == pytest.approx(4 / 5)
        assert found.at_least(3) == pytest.approx(2 / 5)
        assert found.below(2) == pytest.approx(1 / 2)
        assert found.below(2, ties="below") == pytest.approx(1 / 4)
        assert (found.low(0.3), found.low(0.5), found.low(0.1)) == (1, 2, -math.inf)
        assert (found.high(0.3), found.high(0.1)) == (3, math.inf)

    @given(st.lists(st.integers(-5, 5), min_size=20, max_size=60), st.floats(0.06, 0.5))
    def test_bounds_and_shares_agree(self, values, share):
        found = Replicates.of(values)
        if abs(found.at_most(0) - share) > 1e-9:
            assert (found.low(share) > 0) == (found.at_most(0) < share)
        if abs(found.at_least(0) - share) > 1e-9:
            assert (found.high(share) < 0) == (found.at_least(0) < share)

    def test_corrections_against_r(self, golden):
        case = golden["bca_levels"]
        given, expected = case["inputs"], case["expected"]
        found = Corrections.of(Replicates.of(given["replicates"]), given["theta"], given["acceleration"], ties="below")
        assert found.bias == pytest.approx(expected["z0"], rel=1e-9)
        assert [found.share(0.025), found.share(0.975)] == pytest.approx(expected["levels"], rel=1e-9)
        assert found.nominal(found.share(0.3)) == pytest.approx(0.3)

    def test_acceleration_by_hand(self):
        # means without each of 0, 0, 6: 3, 3, 0; influences −1, −1, 2: (−1 − 1 + 8) / (6 · 6^1.5)
        assert acceleration(np.array([3.0, 3.0, 0.0])) == pytest.approx(6 / (6 * 6**1.5))
        assert acceleration(np.array([3.0, 0.0]), np.array([2.0, 1.0])) == pytest.approx(6 / (6 * 6**1.5))
        assert acceleration(np.ones(4)) == 0
