"""Fixed models on one test set: the instances are the evidence."""

from __future__ import annotations

import pandas as pd
import pytest

from fairtrial import stats
from fairtrial.results import read_predictions


class TestModels:
    def test_mcnemar(self, fixed_models):
        verdict = read_predictions(fixed_models).verdict()
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(stats.mcnemar([[85, 12], [3, 0]]).p_value)
        assert verdict.winner == "a"
        assert "these fixed models" in " | ".join(c.text for c in verdict.checks)

    @pytest.mark.parametrize("measure", ["accuracy", "error_rate"])
    def test_direction(self, fixed_models, measure):
        verdict = read_predictions(fixed_models, measure=measure).verdict()
        assert verdict.winner == "a"
        assert "by 0.09" in verdict.finding.sentences[1]

    def test_identical_models(self, fixed_models):
        frame = fixed_models
        verdict = read_predictions(frame.assign(b=frame["a"])).verdict()
        assert verdict.winner is None
        assert verdict.comparisons.p_adjusted == (1.0,)

    def test_one_model_gets_wilsons_interval(self, fixed_models):
        verdict = read_predictions(fixed_models[["y", "a"]]).verdict()
        wilson = stats.proportion_interval(97, 100)
        assert f"is 0.970 [{wilson.low:.3f}, {wilson.high:.3f}]." in verdict.sentence
        assert "Wilson" in verdict.finding.test

    def test_a_measure_that_is_no_mean_over_instances(self, fixed_models):
        verdict = read_predictions(fixed_models).verdict("f_measure")
        assert "one number per test set" in verdict.finding.test
        assert "1 data set is too few" in verdict.finding.test

    @pytest.mark.parametrize(("tp", "fp", "fn", "tn"), [(0, 0, 5, 500), (4, 50, 1, 450)])
    def test_imbalance(self, tp, fp, fn, tn):
        """The two matrices of 001: accuracy 0.990 and 0.899 with the same 5 positives among 505."""
        truth = ["sick"] * (tp + fn) + ["well"] * (fp + tn)
        a = ["sick"] * tp + ["well"] * fn + ["sick"] * fp + ["well"] * tn
        verdict = read_predictions(pd.DataFrame({"y": truth, "a": a, "b": ["well"] * 505})).verdict("accuracy")
        assert verdict.evidence.means[0, 0] == pytest.approx((tp + tn) / 505)
        assert any(
            not c.fine and "accuracy says little there; look at average_recall" in c.text for c in verdict.checks
        )
