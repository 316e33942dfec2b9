"""Intervals for comparing columns over the same data sets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairtrial.errors import InputError
from fairtrial.stats import paired_t, within_intervals

TABLE = np.array(
    [
        [0.70, 0.73, 0.65, 0.81],
        [0.90, 0.94, 0.91, 0.95],
        [0.80, 0.82, 0.77, 0.80],
        [0.55, 0.61, 0.60, 0.66],
        [0.71, 0.70, 0.66, 0.75],
    ]
)
tables = arrays(np.float64, st.tuples(st.integers(2, 6), st.integers(2, 4)), elements=st.floats(-5, 5, width=32))


class TestWithinIntervals:
    def test_by_hand(self):
        # differences 3, 4, 2: s = 1; half of it to each side, corrected by 2: half-width t(0.975, 2) / √(2 · 3)
        first, second = within_intervals([[70, 73], [90, 94], [80, 82]])
        assert (first.estimate, second.estimate) == (80, 83)
        assert first.high - first.estimate == pytest.approx(4.30265273 / math.sqrt(6))

    def test_against_r(self):
        # R 4.2.2: z <- x - rowMeans(x) + mean(x); se <- sqrt(apply(z, 2, var) * C / (C - 1) / N)
        # and colMeans(x) ± qt(.975, N - 1) * se
        expected = [
            (0.697008713005153, 0.766991286994847),
            (0.745091411848442, 0.774908588151558),
            (0.679779734609732, 0.756220265390268),
            (0.748139603450429, 0.839860396549571),
        ]
        found = [(interval.low, interval.high) for interval in within_intervals(TABLE)]
        assert np.array(found) == pytest.approx(np.array(expected), rel=1e-12)

    def test_two_columns_agree_with_the_paired_t_test(self):
        first, second = within_intervals(TABLE[:, :2])
        effect = paired_t(TABLE[:, 1], TABLE[:, 0]).effect
        half = first.high - first.estimate
        assert second.estimate - first.estimate - math.sqrt(2) * half == pytest.approx(effect.low)

    @pytest.mark.slow
    @given(tables, st.integers(0, 100))
    def test_what_data_sets_differ_by_does_not_matter(self, table, seed):
        shifts = np.random.default_rng(seed).normal(size=len(table))
        plain, moved = within_intervals(table), within_intervals(table + shifts[:, None])
        for a, b in zip(plain, moved, strict=True):
            assert b.high - b.low == pytest.approx(a.high - a.low, abs=1e-6)
            assert b.estimate - a.estimate == pytest.approx(shifts.mean(), abs=1e-6)

    @given(tables)
    def test_the_order_does_not_matter(self, table):
        turned = within_intervals(table[::-1, ::-1])[::-1]
        for a, b in zip(within_intervals(table), turned, strict=True):
            assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-6)

    @pytest.mark.parametrize("table", [[[1, 2]], [[1], [2]]])
    def test_nothing_to_compare(self, table):
        found = within_intervals(table)
        assert all(math.isnan(interval.low) for interval in found)
        assert "nothing can be compared" in found[0].notes[0]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"table must have data sets in rows .* got an array of shape \(3,\)"):
            within_intervals([1, 2, 3])
        with pytest.raises(InputError, match=r"table must be finite, but 1 of 2 rows is not \(index 1\)"):
            within_intervals([[1, 2], [math.nan, 3]])
        with pytest.raises(InputError, match="table must hold numbers only"):
            within_intervals("x")
        with pytest.raises(InputError, match="table must hold numbers only"):
            within_intervals([[1, 2], [3]])
        with pytest.raises(InputError, match="level must lie"):
            within_intervals([[1, 2]], level=2)
