import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import cv_clt, paired_t

FOLDS = [0, 0, 0, 1, 1, 1, 2, 2, 2]
LOSSES = [1.0, 2.0, 3.0, 2.0, 2.0, 5.0, 0.0, 1.0, 2.0]


class TestCvClt:
    def test_by_hand(self):
        found = cv_clt(LOSSES, np.ones(9), folds=FOLDS)
        assert found.statistic == pytest.approx(1 / (4 / 9))
        assert found.effect.estimate == 1

    def test_is_the_paired_test_with_another_variance(self):
        # n instead of n − 1 in the variance, normal instead of t
        random = np.random.default_rng(1)
        a, b = random.random(500), random.random(500)
        found, t = cv_clt(a, b, folds=np.arange(500) % 10), paired_t(a, b)
        assert found.statistic == pytest.approx(t.statistic * math.sqrt(500 / 499))
        assert found.p_value == pytest.approx(t.p_value, rel=0.05)
        within = cv_clt(a, b, folds=np.arange(500) % 10, spread="within")
        assert within.statistic == pytest.approx(found.statistic, rel=0.05)

    @pytest.mark.slow
    @given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=6, max_size=40))
    def test_interval_agrees_with_p_and_swapping_flips_the_sign(self, rows):
        a, b = np.array(rows).T
        folds = np.arange(len(a)) % 3
        found, back = cv_clt(a, b, folds=folds), cv_clt(b, a, folds=folds)
        assert found.p_value == pytest.approx(back.p_value, nan_ok=True)
        assert found.effect.low == pytest.approx(-back.effect.high, nan_ok=True)
        if not math.isnan(found.p_value) and abs(found.p_value - 0.05) > 1e-9:
            assert (0 not in found.effect) == (found.p_value < 0.05)

    def test_edges(self):
        assert cv_clt([1, 0, 1, 0], [1, 0, 1, 0], folds=[0, 0, 1, 1]).p_value == 1
        apart = cv_clt([0.3, 0.5, 0.8, 0.4], [0.2, 0.4, 0.7, 0.3], folds=[0, 0, 1, 1])  # 0.1, but not to the last bit
        assert math.isnan(apart.p_value)
        assert apart.statistic == math.inf
        far = cv_clt(np.tile([1.0, 0.9], 5000), np.zeros(10_000), folds=np.arange(10_000) % 10)
        assert far.p_value == 0
        assert far.log10_p < -10_000
