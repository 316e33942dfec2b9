"""Means over data sets by a joint bootstrap-t."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats.factorial.divide_advantage import joint_means


def means(values, *, level=0.95, draws=999, seed=0):
    words = {"test": "t", "null": "h", "quantity": "mean"}
    return joint_means(np.asarray(values, dtype=float), level=level, draws=draws, seed=seed, **words)


class TestJointMeans:
    def test_by_hand(self):
        # mean 1 and sd √3, so that z = -1/√3, -1/√3, 2/√3. A resample with c copies of the third row (8, 12, 6, 1 of
        # 27 resamples) has the mean (c - 1)/√3, and the sd 0, 1, 1, 0, of which 0 is taken as 1/4
        found = means([[0], [0], [3]], level=0.5, draws=20_000)
        extreme = math.sqrt(3) * (2 / math.sqrt(3)) / 0.25  # c = 3; c = 0 has half of it, c = 1 has 0, c = 2 has 1
        assert extreme == pytest.approx(8)
        # distances 0 (12/27), 1 (6/27), 4 (8/27), 8 (1/27): the median is 1, and the mean over its error 1/1 = 1
        assert found.intervals[0].estimate == 1
        assert found.intervals[0].high - 1 == pytest.approx(1)
        assert found.outcomes[0].statistic == pytest.approx(1)
        assert found.p_adjusted[0] == pytest.approx(15 / 27, abs=0.015)

    def test_normal_values_have_nearly_the_t_interval(self):
        # R 4.2.2: x <- qnorm((1:40 - 0.5) / 40); t.test(x)$conf.int gives -0.3187929, 0.3187929
        from scipy.special import ndtri

        x = ndtri((np.arange(1, 41) - 0.5) / 40)
        found = means(x[:, None], draws=9_999).intervals[0]
        assert found.high == pytest.approx(0.3187929, rel=0.03)
        assert found.low == pytest.approx(-found.high, abs=1e-12)

    @settings(max_examples=40)
    @given(st.lists(st.lists(st.integers(-5, 9), min_size=2, max_size=2), min_size=6, max_size=12))
    def test_intervals_agree_with_p(self, table):
        found = means(table)
        for p, interval, outcome in zip(found.p_adjusted, found.intervals, found.outcomes, strict=True):
            if p == p:
                assert (p < 0.05) == (not interval.low <= 0 <= interval.high)
                assert outcome.p_value <= p

    def test_scale_and_order_do_not_matter(self):
        random = np.random.default_rng(3)
        x = random.normal(size=(8, 3)) + 1
        a, b = means(x), means(-4096 * x[:, ::-1])
        assert b.p_adjusted[::-1] == pytest.approx(a.p_adjusted)
        assert b.intervals[0].low == pytest.approx(-4096 * a.intervals[2].high)

    def test_zeros_and_equal_values(self):
        x = np.column_stack([np.zeros(7), np.full(7, 0.3), np.arange(7.0)])
        found, alone = means(x), means(np.arange(7.0)[:, None])
        assert found.p_adjusted[0] == 1
        assert (found.intervals[0].low, found.intervals[0].high) == (0, 0)
        assert math.isnan(found.p_adjusted[1])
        assert math.isnan(found.intervals[1].low)
        assert "no error can be estimated" in found.intervals[1].notes[0]
        assert found.intervals[2].low == alone.intervals[0].low  # the others do not widen it

    def test_a_part_on_one_data_set_has_a_bound(self):
        found = means([[0], [0], [0], [0], [0], [0], [0], [0.08]])
        assert 0.02 < found.intervals[0].high < 0.2

    def test_too_few_draws_for_the_level(self):
        assert means(np.arange(7.0)[:, None], draws=9).intervals[0].high == math.inf
        with pytest.raises(InputError, match="draws must be a whole number"):
            means(np.arange(7.0)[:, None], draws=0)
