"""What failures concentrate on: methods, data sets, or a few pairs of both."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.results import read_scores
from fairtrial.results.failure_policy import failed_where

METHODS = [f"m{i}" for i in range(8)]
SETS = [f"d{i}" for i in range(12)]


def counts(**cells: int) -> np.ndarray:
    made = np.zeros((12, 8), dtype=np.int64)
    for cell, n in cells.items():
        dataset, method = cell.split("_")
        made[int(dataset[1:]), int(method[1:])] = n
    return made


def holed(m0: int, others: int = 1) -> pd.DataFrame:
    """Eight methods on twelve data sets of five splits; the best fails ``m0`` times, out of time, and all others."""
    rng = np.random.default_rng(5)
    rows = []
    for d in range(12):
        for fold in range(5):
            for m in range(8):
                late = m == 0 and d * 5 + fold < m0
                lost = m > 0 and d < others and fold == m % 5
                value = 0.8 - 0.01 * m + rng.normal(0, 0.002)
                rows.append((SETS[d], METHODS[m], fold, None if late or lost else value, "timeout" if late else ""))
    return pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy", "error"])


class TestFailedWhere:
    def test_a_few_pairs(self):
        assert failed_where(counts(d0_m1=2, d3_m2=5), SETS, METHODS, {}) == "m2 on d3 (5) and m1 on d0 (2)"

    def test_a_method(self):
        many = counts(**{f"d{i}_m0": 3 for i in range(10)}, d0_m1=2, d5_m2=1)
        told = failed_where(many, SETS, METHODS, {"m0": {"out of time": 28, "out of memory": 2}})
        assert told == (
            "m0 30 times on 10 data sets (28 out of time and 2 out of memory); 2 other methods up to 2 times each"
        )

    def test_a_method_that_has_less_than_half_of_all(self):
        many = counts(**{f"d{i}_m0": 2 for i in range(10)}, **{f"d{i}_m{1 + i % 7}": 2 for i in range(12)})
        told = "m0 20 times on 10 data sets; 7 other methods up to 4 times each"
        assert failed_where(many, SETS, METHODS, {}) == told

    def test_data_sets(self):
        many = counts(**{f"d2_m{i}": 5 for i in range(8)}, **{f"d7_m{i}": 4 for i in range(6)},
                      d0_m1=1, d1_m1=1, d3_m2=1, d4_m3=1)  # fmt: skip
        told = "d2 40 times (all 8 methods), d7 24 times (6 of 8 methods); 4 other data sets once each"
        assert failed_where(many, SETS, METHODS, {}) == told

    def test_none_stands_out(self):
        even = counts(**{f"d{i}_m{i % 8}": 1 for i in range(12)})
        told = failed_where(even, SETS, METHODS, {})
        assert told.endswith("; 5 other methods up to 2 times each")
        assert told.count(" on ") == 3


class TestInVerdicts:
    def test_the_culprit_is_named(self):
        found = read_scores(holed(30), measure="accuracy", resampling="5-fold").verdict(failures="worst")
        first = next(n.sentence for n in found.notices if n.guard == "changed_scores")
        assert "m0 30 times on 6 data sets (30 out of time); 7 other methods once each; scored as 0" in first

    def test_what_can_not_work_is_not_advised(self):
        found = read_scores(holed(12, others=12), measure="accuracy", resampling="5-fold")
        with pytest.raises(InputError, match=r"the baseline 'm1' failed too; say failures='worst' \([^)]*\)$"):
            found.verdict(baseline="m1")
        with pytest.raises(InputError, match=r"would leave no data set; say failures='worst' \([^)]*\)$"):
            found.verdict(failures="drop")

    def test_a_measure_without_a_worst_value(self):
        found = read_scores(holed(12, others=12).rename(columns={"accuracy": "rmse"}), measure="rmse")
        with pytest.raises(InputError, match="leave out methods that failed often, such as m"):
            found.verdict(failures="drop")
