"""One data set with resamples: the corrected t-test."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import NOISE, folds, texts, without_spread

from fairtrial import stats
from fairtrial.results import read_scores
from fairtrial.verdict.claims.best import Winner
from fairtrial.verdict.claims.difference import Better


class TestOneDataset:
    def test_corrected_t(self):
        a, b = 0.8 + NOISE[:10, 0], 0.75 + NOISE[:10, 1]
        verdict = read_scores(folds({"a": a, "b": b}), measure="accuracy", resampling="10-fold").verdict()
        expected = stats.corrected_t(a, b, test_share=0.1)
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(expected.p_value)
        (said,) = verdict.finding.of_kind(Better)
        assert (said.method, said.other, said.p_value) == ("a", "b", pytest.approx(expected.p_value))
        assert (said.lead.low, said.lead.high) == pytest.approx((expected.effect.low, expected.effect.high))

    def test_several_methods_have_the_best_as_their_family(self):
        columns = {m: 0.8 - 0.05 * i + NOISE[:10, i] for i, m in enumerate("abc")}
        results = read_scores(folds(columns), measure="accuracy", resampling="10-fold")
        verdict = results.verdict()
        p = [stats.corrected_t(columns["a"], columns[m], test_share=0.1) for m in "bc"]
        (won,) = verdict.finding.of_kind(Winner)
        assert (won.method, won.runner_up) == ("a", "b")
        assert won.p_value == pytest.approx(max(o.p_value for o in p))  # of its own tests, unadjusted
        assert won.lead.low == pytest.approx(min(o.effect.low for o in p))
        together = stats.corrected_t(columns["b"], columns["a"], test_share=0.1, level=1 - 0.05 / 3).effect
        assert verdict.finding.leads.leads[1].interval.low == pytest.approx(together.low)

    def test_a_mark_is_never_set_without_a_p_value(self):
        verdict = without_spread().verdict()
        assert np.isnan(verdict.comparisons.p_adjusted[0])
        assert verdict.winner is None
        assert [row[-1] for row in verdict.to_table().rows] == ["", ""]
        assert "no spread to test it against" in texts(verdict)
        assert [step.action for step in verdict.next_steps] == ["more data"]  # there is no interval to be narrowed

    def test_repeats_take_the_larger_correction_and_name_it(self):
        a, b = (np.random.default_rng(1).normal(0.8, 0.05, (2, 30))).round(3)
        frame = folds({"a": a, "b": b}).assign(repeat=[*np.repeat(range(3), 10)] * 2, fold=[*range(10)] * 6)
        verdict = read_scores(frame, measure="accuracy", resampling="3x10-fold").verdict()
        expected = stats.corrected_t(a, b, test_share=0.1, overlap=1.55)  # 1 + 0.83 (1 − 1/3)
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(expected.p_value)
        assert "test/train × 1.55 for repeats, from the lab" in verdict.test_details
        assert verdict.test == "corrected resampled t over 30 splits (3×10-fold)"

    def test_says_how_much_repeats_would_narrow_the_intervals(self):
        # 10-fold: t(9) √(1/10 + 1/9) = 1.0394; 10×10-fold: t(99) √(1/100 + 1.75/9) = 0.8971, which is 14 % less
        a = np.random.default_rng(2).normal(0.8, 0.05, (2, 10)).round(3)
        verdict = read_scores(folds({"a": a[0], "b": a[1]}), measure="accuracy", resampling="10-fold").verdict()
        (step,) = verdict.next_steps
        assert step.action == "more repeats"
        assert "10 repeats of the 10 folds would narrow the intervals by about 14 %" in str(step.words)
