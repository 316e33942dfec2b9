"""The shares of data sets, splits and seeds in the variance of scores."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.results import read_scores
from fairtrial.results.analyses.variance_shares import nested_variances, variance_shares

VALUES = np.array([0.80, 0.82, 0.75, 0.79, 0.60, 0.61, 0.70, 0.66, 0.91, 0.90, 0.88, 0.93])
GROUPS, PARTS = np.repeat([1, 2, 3], 4), np.repeat(np.arange(6), 2)


class TestNestedVariances:
    def test_by_hand(self):
        # one group; parts with means 2 and 6: MS parts = 2 × (4 + 4) = 16, MS inside = 2, (16 − 2) / 2 = 7
        found = nested_variances(np.array([1.0, 3, 5, 7]), np.zeros(4), np.array([0, 0, 1, 1]))
        assert math.isnan(found[0])
        assert found[1:] == (7.0, 2.0)

    def test_like_reml_on_balanced_data(self):
        # R 4.2.2, nlme: VarCorr(lme(y ~ 1, random = ~ 1 | d/s)); balanced and no negative estimate: both agree
        assert nested_variances(VALUES, GROUPS, PARTS) == pytest.approx(
            (0.0167125003, 0.0009416667, 0.000525), rel=1e-6
        )

    def test_unbalanced_by_hand(self):
        # groups a (parts of 2 and 1) and b (1): means 2, 5 | 9; SS inside 2, df 1; MS parts = 2·1 + 1·4 = 6, df 1
        # k1 = 4 − (5/3 + 1) = 4/3: (6 − 2) / (4/3) = 3; MS groups = 3·(3 − 4.5)² + (9 − 4.5)² = 27, df 1
        # k2 = 5/3 + 1 − 6/4 = 7/6, k3 = 4 − 10/4 = 1.5: (27 − 2 − 3.5) / 1.5
        found = nested_variances(np.array([1.0, 3, 5, 9]), np.array(["a", "a", "a", "b"]), np.array([0, 0, 1, 2]))
        assert found == pytest.approx((21.5 / 1.5, 3.0, 2.0))

    @given(st.floats(-5, 5), st.floats(0.1, 10))
    def test_shift_and_scale(self, shift, scale):
        found = nested_variances(VALUES * scale + shift, GROUPS, PARTS)
        assert found == pytest.approx([scale**2 * v for v in nested_variances(VALUES, GROUPS, PARTS)], rel=1e-6)

    def test_degenerate(self):
        assert all(map(math.isnan, nested_variances(np.array([1.0]), np.zeros(1), np.zeros(1))))
        assert nested_variances(np.ones(12), GROUPS, PARTS) == (0.0, 0.0, 0.0)
        assert math.isnan(nested_variances(np.array([1.0, 2, 4]), np.zeros(3), np.arange(3))[2])  # no replicates
        assert nested_variances(np.array([1.0, 2, 2, 1]), np.array([0, 0, 1, 1]), np.array([0, 0, 1, 1]))[0] == 0.0


class TestVarianceShares:
    def test_of_results(self):
        frame = pd.DataFrame(
            {"dataset": GROUPS.astype(str), "method": "a", "repeat": 0, "fold": PARTS, "replicate": [0, 1] * 6,
             "value": VALUES}
        )  # fmt: skip
        both = pd.concat([frame, frame.assign(method="b", value=0.5)])
        table = variance_shares(read_scores(both, measure="accuracy", resampling="2-fold"))
        a, b = table.rows
        parts = np.array([0.0167125, 0.000941666667, 0.000525])
        assert a[0] == "a"
        assert a[1] == pytest.approx(math.sqrt(parts.sum()), rel=1e-6)
        assert a[2:] == pytest.approx(parts / parts.sum(), rel=1e-6)
        assert all(map(math.isnan, b[2:]))  # no variance to share
        assert len(table.notes) == 2

    def test_without_replicates_it_says_so(self):
        frame = pd.DataFrame({"dataset": ["x"] * 3, "method": "a", "fold": range(3), "value": [0.1, 0.2, 0.4]})
        table = variance_shares(read_scores(frame, measure="accuracy", resampling="3-fold"))
        assert math.isnan(table.rows[0][4])
        assert "run with replicates=" in table.notes[-1]
