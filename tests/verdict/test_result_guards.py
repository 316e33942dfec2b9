"""Guards: what was looked at before the numbers were believed."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import CLEAR, table, texts

from fairtrial.results import read_scores


class TestGuards:
    def test_ceiling(self):
        columns = {"a": np.r_[np.full(2, 0.999), CLEAR["high"]], "b": np.r_[np.full(2, 0.998), CLEAR["low"]]}
        assert "ceiling: on 2 of 14 data sets (d0 and d1) even the weakest method is close to the best" in texts(
            read_scores(table(columns), measure="accuracy").verdict()
        )

    @pytest.mark.slow
    def test_small_folds(self, weka):
        assert "labor-neg-data (5)" in texts(weka.verdict())
