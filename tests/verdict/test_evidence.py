"""What is compared: failed trials by their policy, folds where a measure is undefined."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from made_scores import BASE, CLEAR, table, texts, with_failures

from fairtrial.errors import InputError
from fairtrial.results import read_predictions, read_scores


class TestFailures:
    def test_baseline(self):
        verdict = with_failures(baseline="base").verdict()
        assert verdict.evidence.means[2, 1] == 0.3
        assert (
            "2 of 36 scores are missing: b on d2 (1) and b on d5 (1); scored as the baseline 'base' on those splits"
            in texts(verdict)
        )
        assert verdict.failed == 2
        assert any("the same winner" in s and "(worst and drop)" in s for s in verdict.stable)

    def test_no_baseline(self):
        with pytest.raises(
            InputError,
            match=r"no baseline whose scores could replace theirs; name a baseline .*--baseline.*failures='worst'",
        ):
            with_failures().verdict()

    def test_worst(self):
        verdict = with_failures().verdict(failures="worst")
        assert verdict.evidence.means[2, 1] == 0
        assert "scored as 0, the worst" in texts(verdict)

    def test_worst_needs_a_bound(self):
        columns = {"a": CLEAR["high"].copy(), "b": CLEAR["low"]}
        columns["a"][0] = np.nan
        with pytest.raises(InputError, match="rmse has none"):
            read_scores(table(columns), measure="rmse").verdict(failures="worst")

    def test_drop(self):
        verdict = with_failures().verdict(failures="drop")
        assert len(verdict.evidence.datasets) == 10
        assert "2 data sets dropped for all methods, which can cause selection bias" in texts(verdict)

    def test_refuse(self):
        with pytest.raises(InputError, match="the failure policy is 'refuse'"):
            with_failures().verdict(failures="refuse")

    def test_nothing_vanishes(self):
        columns = {"a": CLEAR["high"], "never": np.full(12, np.nan), "base": CLEAR["low"]}
        verdict = read_scores(table(columns), measure="accuracy", baseline="base").verdict()
        assert [row[0] for row in verdict.to_table().rows] == ["a", "base", "never"]
        name, *numbers, mark = verdict.to_table().rows[-1]
        assert (name, {*numbers}, mark) == ("never", {None}, "has no score on any of 12 data sets")
        assert verdict.failed == 12

    def test_the_baseline_failed_too(self):
        columns = {"a": BASE.copy(), "base": BASE.copy(), "c": BASE}
        columns["a"][0] = columns["base"][0] = np.nan
        with pytest.raises(InputError, match="the baseline 'base' failed too"):
            read_scores(table(columns), measure="accuracy", baseline="base").verdict()


class TestUndefined:
    def results(self, nothing_positive):
        """Recall's counterpart: precision is undefined in folds where nothing is predicted positive."""
        y = np.tile([1, 0, 0, 1, 0, 1], 40)
        fold = np.arange(240) // 12
        a = np.where(np.isin(fold, nothing_positive), 0, y)
        b = np.where(np.arange(240) % 7 == 0, 1 - y, y)
        return read_predictions(pd.DataFrame({"y": y, "fold": fold, "a": a, "b": b}), resampling="20-fold")

    def test_left_out_for_all_and_counted(self):
        verdict = self.results([3]).verdict("precision")
        assert len(verdict.evidence.folds[0]) == 19
        assert "precision is undefined on 1 of 20 splits" in texts(verdict)

    def test_too_many(self):
        with pytest.raises(InputError, match=r"precision is undefined on 3 of 20 splits of .*too many to leave out"):
            self.results([3, 4, 5]).verdict("precision")
