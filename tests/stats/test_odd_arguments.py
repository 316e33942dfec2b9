"""Arguments of odd kinds that the fuzzer gave: refused in words, and no warning of numpy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial import measures, stats
from fairtrial.errors import InputError

CURVE = measures.roc_curve([0, 1, 0, 1, 1], [0.1, 0.9, 0.4, 0.35, 0.8])
FRAME = pd.DataFrame([[1.0, 2.0]], columns=["a", "a"])


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: measures.choose_threshold(CURVE, by=FRAME), "by must be 'youden', 'cost' or"),
        (lambda: measures.choose_threshold(CURVE, by=np.zeros(2, dtype=[("a", int)])), "by must be"),
        (lambda: measures.choose_threshold(CURVE, cost_fp=FRAME), "cost_fp and cost_fn are only for by='cost'"),
        (lambda: measures.partial_auc([0, 1], [0.1, 0.9], max_fpr=np.array([1j])), "max_fpr must lie above 0"),
        (lambda: measures.ratio([1j], [2.0]), "numerator and denominator must be numbers"),
        (lambda: stats.factorial_model({"a": 1.0, "b": [1, 2]}), "one value of each factor for each setting, got 1.0"),
        (lambda: measures.from_records(["fit_time"], {}), "records must have at least one column"),
        (lambda: stats.bootstrap_interval([1.0, 2.0, 3.0], method=np.empty((3, 0))), "bootstrap interval"),
        (lambda: stats.two_proportions(3, 9, 5, 9, method=pd.NA), "score"),
        (lambda: stats.nemenyi([[1.0, 2, 3]] * 5, adjust=np.array([1, 2], dtype="m8[s]")), "adjust"),
        (
            lambda: stats.paired_bootstrap([0, 1] * 5, [0, 1] * 5, [1, 0] * 5, measure=float),
            "measure must be",
        ),
        (
            lambda: stats.measure_permutation([0, 1] * 5, [0, 1] * 5, [1, 0] * 5, measure=float),
            "measure must be a name",
        ),
    ],
)
def test_is_refused_in_words(call, why):
    with pytest.raises(InputError, match=why):
        call()


@pytest.mark.filterwarnings("error")
def test_differences_of_any_size():
    a = np.array([-1e300, 1e300, 3.0, 4.0, 5.0, 6.0])
    assert stats.equivalent_over_datasets(a, np.arange(6.0), margin=1e-20).n == 6
    assert stats.lenth([1.7e308, 1e-10, 2e-10, 3e-10, 1e-10, 2e-10, 1e-10]).effects[0] == 1.7e308
    table = np.array([[1e200, 2e200, 0], [3e200, 1e200, 2e200], [2e200, 2.5e200, 1e200], [5e200, 1e200, 1.5e200]])
    small = stats.best_set(table / 1e200, estimand="mean")
    assert stats.best_set(table, estimand="mean").p_values == pytest.approx(small.p_values)
