"""Scores of trials as rows; means over replicates of what each instance has."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.results.trial_table import long_rows, mean_over_replicates, oriented, score_columns


class TestMeanOverReplicates:
    def test_by_hand(self):
        # split 4 has two instances and two replicates, split 7 has one instance and one replicate
        values = np.array([1.0, 0.0, 5.0, 0.0, 0.5])
        assert mean_over_replicates(values, np.array([4, 7, 4]), [2, 1, 2]).tolist() == [0.5, 0.25, 5.0]

    @given(st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(1, 4))
    def test_the_same_again_changes_nothing(self, sizes, replicates):
        once = np.arange(float(sum(sizes)))
        splits = np.arange(len(sizes))
        found = mean_over_replicates(np.tile(once, replicates), np.tile(splits, replicates), sizes * replicates)
        assert found.tolist() == once.tolist()


class TestLongRows:
    def test_a_row_for_each_measure_with_the_factors(self):
        rows = pd.DataFrame({c: [1, 2] for c in score_columns(("depth",)) if c not in ("measure", "value")})
        made = long_rows(rows, {"a": np.array([0.1, 0.2]), "b": np.array([3.0, 4.0])}, ("depth",))
        assert list(made.columns) == score_columns(("depth",))
        assert made["value"].tolist() == [0.1, 0.2, 3.0, 4.0]
        assert made["measure"].tolist() == ["a", "a", "b", "b"]
        assert made["depth"].tolist() == [1, 2, 1, 2]


class TestOriented:
    def test_scores_are_for_the_positive_class(self):
        channels = {"score": np.array([1.0, -2.0])}
        assert oriented(channels, {"positive": 0})["score"].tolist() == [-1.0, 2.0]
        assert oriented(channels, {"positive": 1})["score"].tolist() == [1.0, -2.0]
