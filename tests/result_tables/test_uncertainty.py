"""What stands behind ±."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from fold_scores import folds_of

from fairtrial.errors import InputError
from fairtrial.result_tables.score_cells import score_cells, uncertainty_of
from fairtrial.results import read_scores
from fairtrial.stats import mean_interval


def found(results, kind=None, level=0.95):
    return uncertainty_of(results, score_cells(results), kind, level)


def test_by_hand(two):
    # the noise of A is 0.01 × (−2, −1, 0, 1, 2): variance 2.5e-4; that of B 0.01 × (1, −2, 2, −2, 1): 3.5e-4
    deviation = 0.01 * np.sqrt([2.5, 3.5, 3.5])
    assert found(two, "standard deviation").spreads[0] == pytest.approx(deviation)
    assert found(two, "standard error").spreads[0] == pytest.approx(deviation * np.sqrt(1 / 5 + 1 / 4))


def test_half_the_interval_of_verdicts(two):
    scores = score_cells(two).evidence.folds[1][:, 1]
    interval = mean_interval(scores, test_share=0.2)
    assert found(two).spreads[1, 1] == pytest.approx((interval.high - interval.low) / 2)
    assert found(two, level=0.9).spreads[1, 1] < found(two).spreads[1, 1]
    assert found(two).words == "half the 95 % interval of that mean (t, corrected for shared training data)"


def test_the_bounds_of_a_measure_do_not_narrow_it():
    results = read_scores(folds_of({"d": {"A": 0.98}}), measure="accuracy", resampling="5-fold")
    interval = mean_interval(results.scores["value"], test_share=0.2)
    assert interval.high > 1
    assert found(results).spreads[0, 0] == pytest.approx((interval.high - interval.low) / 2)


def test_unknown_scheme():
    results = read_scores(folds_of({"d": {"A": 0.7}}), measure="accuracy")
    assert np.isnan(found(results).spreads).all()
    error = found(results, "standard error")
    assert error.spreads[0, 0] == pytest.approx(0.01 * np.sqrt(2.5 / 5))
    assert error.words == "the standard error (splits taken as independent)"
    with pytest.raises(InputError, match=r"spread='interval' needs several scores .*, whose split scheme is known"):
        found(results, "interval")


def test_equal_scores_have_no_interval_and_a_deviation_of_0():
    frame = folds_of({"d": {"A": 1 / 3 + 0.1}}, noise=1e-17)
    results = read_scores(frame, measure="accuracy", resampling="5-fold")
    assert np.isnan(found(results).spreads).all()
    assert found(results, "standard error").spreads.tolist() == [[0.0]]


def test_times_have_none_unless_asked_for():
    results = read_scores(folds_of({"d": {"A": 2.0, "B": 3.0}}), measure="fit_time", resampling="5-fold")
    assert not found(results).words
    assert found(results, "standard deviation").words == "the standard deviation over splits"


def test_published():
    frame = pd.DataFrame({"dataset": ["d", "e"], "method": "A", "value": [0.5, 0.6], "half_width": [0.01, None]})
    results = read_scores(frame, measure="accuracy")
    assert found(results).spreads[:, 0].tolist() == pytest.approx([0.01, np.nan], nan_ok=True)
    assert found(results).words == "half the 95 % interval, as published"
    with pytest.raises(InputError, match=r"spread='standard error' needs several scores"):
        found(results, "standard error")
