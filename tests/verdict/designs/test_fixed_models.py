"""Fixed models on one test set: the instances are the evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial import stats
from fairtrial.results import read_predictions
from fairtrial.verdict.claims import support
from fairtrial.verdict.claims.difference import Better, NotShown

MISSED = {"a": [0, 1, 2], "b": [3, 4, 5], "c": [6, 7, 8, 9, 10]}


class TestModels:
    def test_mcnemar(self, fixed_models):
        verdict = read_predictions(fixed_models).verdict()
        mid_p = stats.mcnemar([[85, 12], [3, 0]], method="mid-p").p_value
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(mid_p)
        assert verdict.test.startswith("McNemar (mid-p)")
        assert verdict.winner == "a"
        assert "these fixed models" in " | ".join(c.text for c in verdict.notices)

    @pytest.mark.parametrize("measure", ["accuracy", "error_rate"])
    def test_direction(self, fixed_models, measure):
        verdict = read_predictions(fixed_models, measure=measure).verdict()
        assert verdict.winner == "a"
        (said,) = verdict.finding.of_kind(Better)
        assert (said.method, said.lead.estimate) == ("a", pytest.approx(0.09))

    def test_identical_models(self, fixed_models):
        frame = fixed_models
        verdict = read_predictions(frame.assign(b=frame["a"])).verdict()
        assert verdict.winner is None
        assert verdict.finding.pairs == () or verdict.comparisons.p_adjusted == (1.0,)

    def test_equal_scores_are_those_of_two_methods(self):
        y = np.arange(100) % 2
        three = {name: np.where(np.isin(np.arange(100), wrong), 1 - y, y) for name, wrong in MISSED.items()}
        first, second, _ = read_predictions(pd.DataFrame({"y": y, **three})).verdict("accuracy").finding.leads.leads
        assert (first.interval.estimate, second.interval.estimate) == (0, 0)
        assert (first.standing, second.standing) == ("in", "in")
        del three["c"]
        (said,) = read_predictions(pd.DataFrame({"y": y, **three})).verdict("accuracy").finding.of_kind(NotShown)
        assert said.lead.estimate == 0

    def test_a_measure_that_is_no_mean_over_instances(self, fixed_models):
        verdict = read_predictions(fixed_models).verdict("f_measure")
        truth, a, b = (fixed_models[c].astype(str) for c in ("y", "a", "b"))
        alone = stats.paired_bootstrap(truth, a, b, measure="f_measure")
        (outcome,) = verdict.comparisons.outcomes
        assert (outcome.p_value, outcome.effect.low) == (alone.p_value, alone.effect.low)
        assert verdict.evidence.means[0, :2] == pytest.approx(alone.details["values"])
        (test,) = verdict.finding.of_kind(support.ByTest)
        assert (test.test, test.over) == ("paired bootstrap", "100 instances")
        assert test.details == ("percentiles widened by t, 9,999 resamples",)
        assert "not an average" in verdict.rule

    def test_few_instances(self):
        """Four disagreements of eight: p was 0.006, where exact tests say 0.125."""
        y = ["yes"] * 5 + ["no"] * 3
        shown = pd.DataFrame({"y": y, "a": y, "b": ["no"] * 4 + y[4:]})
        verdict = read_predictions(shown, positive="yes").verdict("f_measure")
        assert verdict.winner is None
        assert verdict.comparisons.outcomes[0].p_value == 0.125

    def test_a_p_that_no_draw_reached_is_a_bound(self):
        y = np.repeat(["no", "yes"], [60, 40])
        shown = pd.DataFrame({"y": y, "a": y, "b": np.where(np.arange(100) % 2, y, "no")})
        verdict = read_predictions(shown, positive="yes").verdict("f_measure")
        assert verdict.finding.pairs[0].p_value == pytest.approx(verdict.comparisons.outcomes[0].p_value)
        assert "&lt;0.001" in verdict._repr_html_()
        assert "& <0.001 &" in verdict.render("latex")

    def test_areas(self):
        random = np.random.default_rng(3)
        y = np.repeat(["no", "yes"], [60, 40])
        shown = pd.DataFrame({"y": y, "a": (y == "yes") + random.normal(0, 0.7, 100), "b": random.normal(size=100)})
        verdict = read_predictions(shown, positive="yes").verdict("auc")
        alone = stats.delong(y == "yes", shown["a"], shown["b"])
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(alone.p_value)
        assert verdict.winner == "a"
        other = read_predictions(shown, positive="no").verdict("auc")  # scores are higher for the positive one
        assert other.comparisons.outcomes[0].effect.estimate == pytest.approx(-alone.effect.estimate)

    def test_a_difference_that_no_resample_changes(self):
        y = ["sick"] * 30 + ["well"] * 70
        shown = pd.DataFrame({"y": y, "perfect": y, "never": ["well"] * 100})
        verdict = read_predictions(shown, positive="sick").verdict("recall")
        assert verdict.winner == "perfect"
        assert verdict.comparisons.p_adjusted[0] < 0.001

    def test_a_label_that_is_no_class_is_not_drawn_anew(self):
        y = ["a", "b"] * 20
        verdict = read_predictions(pd.DataFrame({"y": y, "m1": [*y[:-1], "c"], "m2": y[::-1]})).verdict("f_measure")
        assert verdict.rule == "too little is known"
        assert "one number per test set" in verdict.sentence

    @pytest.mark.parametrize(("tp", "fp", "fn", "tn"), [(0, 0, 5, 500), (4, 50, 1, 450)])
    def test_imbalance(self, tp, fp, fn, tn):
        """The two matrices of 001: accuracy 0.990 and 0.899 with the same 5 positives among 505."""
        truth = ["sick"] * (tp + fn) + ["well"] * (fp + tn)
        a = ["sick"] * tp + ["well"] * fn + ["sick"] * fp + ["well"] * tn
        verdict = read_predictions(pd.DataFrame({"y": truth, "a": a, "b": ["well"] * 505})).verdict("accuracy")
        assert verdict.evidence.means[0, 0] == pytest.approx((tp + tn) / 505)
        assert any(
            not c.is_fine and "accuracy says little there; look at average_recall" in c.text for c in verdict.notices
        )
