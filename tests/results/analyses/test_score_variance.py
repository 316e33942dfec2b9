"""The shares of data sets, splits and seeds in the variance of scores."""

import math

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.results import read_scores

VALUES = np.array([0.80, 0.82, 0.75, 0.79, 0.60, 0.61, 0.70, 0.66, 0.91, 0.90, 0.88, 0.93])


def results(values=VALUES, **changes):
    frame = pd.DataFrame(
        {"dataset": np.repeat(["x", "y", "z"], 4), "method": "a", "repeat": 0, "fold": [0, 0, 1, 1] * 3,
         "replicate": [0, 1] * 6, "value": values}
    )  # fmt: skip
    return read_scores(frame.assign(**changes), measure="accuracy")


class TestScoreVariance:
    def test_like_reml_on_balanced_data(self):
        # R 4.2.2, nlme: VarCorr(lme(y ~ 1, random = ~ 1 | d/s)); balanced and no negative estimate: both agree
        parts = np.array([0.0167125003, 0.0009416667, 0.0005250000])
        (row,) = results().variance_shares().rows
        assert row[0] == "a"
        assert row[1] == pytest.approx(math.sqrt(parts.sum()), rel=1e-6)
        assert row[2:] == pytest.approx(parts / parts.sum(), rel=1e-6)

    def test_without_replicates_the_seed_is_part_of_the_split(self):
        once = results(replicate=0, fold=[0, 1, 2, 3] * 3).variance_shares()
        assert math.isnan(once.rows[0][4])
        assert once.rows[0][2] + once.rows[0][3] == pytest.approx(1)
        assert "run with replicates=" in once.notes[-1]

    def test_nothing_varies(self):
        table = results(np.full(12, 0.5)).variance_shares()
        assert all(map(math.isnan, table.rows[0][2:]))
        assert any("no variance to share" in note for note in table.notes)

    def test_one_data_set_is_not_enough(self):
        with pytest.raises(InputError, match="at least two data sets"):
            results(dataset="x", fold=range(12), replicate=0).variance_shares()
