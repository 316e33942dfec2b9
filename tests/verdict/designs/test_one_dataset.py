"""One data set with resamples: the corrected t-test."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import NOISE, folds, texts, without_spread

from fairtrial import stats
from fairtrial.results import read_scores


class TestOneDataset:
    def test_corrected_t(self):
        a, b = 0.8 + NOISE[:10, 0], 0.75 + NOISE[:10, 1]
        verdict = read_scores(folds({"a": a, "b": b}), measure="accuracy", resampling="10-fold").verdict()
        expected = stats.corrected_t(a, b, test_share=0.1)
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(expected.p_value)
        assert verdict.sentence == "Of a and b, a has the higher accuracy on iris."

    def test_no_interval_leaves_the_range(self):
        frame = folds({"a": [1, 1, 0.9, 1, 1, 1, 1, 0.9, 1, 0.8], "b": np.linspace(0.8, 0.9, 10)})
        verdict = read_scores(frame, measure="accuracy", resampling="10-fold").verdict()
        row = next(r for r in verdict.to_table().rows if r[0] == "a")
        assert row[2][1] == 1.0

    def test_a_mark_is_never_set_without_a_p_value(self):
        verdict = without_spread().verdict()
        assert np.isnan(verdict.comparisons.p_adjusted[0])
        assert verdict.winner is None
        assert not any(row[-1] == "*" for row in verdict.to_table().rows)
        assert "no spread to test it against" in texts(verdict)
        assert "a is ahead by 0.100, which can't be tested." in str(verdict)

    def test_repeats_take_the_larger_correction_and_name_it(self):
        a, b = (np.random.default_rng(1).normal(0.8, 0.05, (2, 30))).round(3)
        frame = folds({"a": a, "b": b}).assign(repeat=[*np.repeat(range(3), 10)] * 2, fold=[*range(10)] * 6)
        verdict = read_scores(frame, measure="accuracy", resampling="3x10-fold").verdict()
        expected = stats.corrected_t(a, b, test_share=0.1, overlap=1.75)
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(expected.p_value)
        assert "(3×10-fold, test/train × 1.75 for repeats, from the lab)" in verdict.finding.test

    def test_says_how_much_repeats_would_narrow_the_intervals(self):
        # 10-fold: t(9) √(1/10 + 1/9) = 1.0394; 10×10-fold: t(99) √(1/100 + 1.75/9) = 0.8971, which is 14 % less
        a = np.random.default_rng(2).normal(0.8, 0.05, (2, 10)).round(3)
        verdict = read_scores(folds({"a": a[0], "b": a[1]}), measure="accuracy", resampling="10-fold").verdict()
        (step,) = verdict.finding.next_steps
        assert step.endswith("; 10 repeats of the 10 folds would narrow the intervals by about 14 %")
