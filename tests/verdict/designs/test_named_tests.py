"""Tests that are asked for by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_rows import models, on_folds, over

from fairtrial.design import Study
from fairtrial.errors import InputError
from fairtrial.resampling import Dependence
from fairtrial.statements import Role
from fairtrial.stats import five_by_two_f, five_by_two_t, mcnemar, repeated_anova
from fairtrial.verdict.claims import support


@pytest.fixture
def random():
    return np.random.default_rng(5)


class TestFiveByTwo:
    @pytest.mark.parametrize(("test", "direct"), [("five_by_two_f", five_by_two_f), ("five_by_two_t", five_by_two_t)])
    def test_is_that_of_the_ten_differences(self, random, test, direct):
        results = on_folds(random, [0.02, 0.0], resampling="5x2")
        folds = results.scores.pivot_table(index=["repeat", "fold"], columns="method", values="value")
        found = results.verdict(test=test).comparisons.outcomes[0]
        wanted = direct((folds["a"] - folds["b"]).to_numpy().reshape(5, 2))
        assert found.p_value == pytest.approx(wanted.p_value)
        assert found.effect.estimate == pytest.approx(wanted.effect.estimate)

    def test_warns(self, random):
        verdict = on_folds(random, [0.02, 0.0], resampling="5x2").verdict(test="five_by_two_f")
        assert verdict.test == "5×2 cv F (Alpaydin)"
        assert any("13 to 16 % instead of 5 %" in text.render() for text in verdict.said(Role.DOUBT))

    def test_several_methods_and_a_control(self, random):
        verdict = on_folds(random, [0.1, 0.0, 0.0], resampling="5x2").verdict(test="five_by_two_f", control="c")
        assert "Bonferroni over 2 pairs" in verdict.test_details
        assert [row.standing for row in verdict.finding.compared.rows] == ["better", "", "control"]

    def test_several_methods_have_the_best_as_their_family(self, random):
        verdict = on_folds(random, [0.1, 0.0, 0.0], resampling="5x2").verdict(test="five_by_two_f")
        assert (verdict.winner, verdict.finding.compared.family) == ("a", "best")
        assert [row.standing for row in verdict.finding.compared.rows] == ["best", "out", "out"]

    def test_says_what_is_missing(self, random):
        with pytest.raises(
            InputError, match=r"five times two-fold .* got 10 scores per method of the scheme '10-fold'"
        ):
            on_folds(random, [0.02, 0.0]).verdict(test="five_by_two_f")
        with pytest.raises(InputError, match="is about one data set, got 3 data sets"):
            on_folds(random, [0.02, 0.0], 3).verdict(test="five_by_two_t")
        with pytest.raises(InputError, match="has no direction, but alternative='better' was asked"):
            on_folds(random, [0.02, 0.0], resampling="5x2").verdict(
                test="five_by_two_f", control="b", alternative="better"
            )
        with pytest.raises(InputError, match="compares methods, got a alone"):
            on_folds(random, [0.02], resampling="5x2").verdict(test="five_by_two_f")


class TestAnova:
    def test_over_data_sets(self, random):
        results = over(random, [0.05, 0.0, 0.0])
        verdict = results.verdict(test="repeated_anova")
        scores = results.scores.pivot_table(index="dataset", columns="method", values="value", sort=False)
        assert verdict.joint_test.p_value == pytest.approx(repeated_anova(scores.to_numpy()).p_value)
        details = "; ".join(verdict.test_details)
        assert "needs sphericity" in details
        assert "partial eta²" in details
        assert "p =" in verdict.sentence

    def test_over_splits_it_is_the_square_of_the_corrected_t(self, random):
        results = on_folds(random, [0.005, 0.0])
        anova, t = results.verdict(test="repeated_anova"), results.verdict()
        assert anova.joint_test.statistic == pytest.approx(t.comparisons.outcomes[0].statistic ** 2)
        assert anova.joint_test.p_value == pytest.approx(t.comparisons.outcomes[0].p_value)

    def test_repeats_are_corrected_as_in_other_verdicts(self, random):
        results = on_folds(random, [0.005, 0.0], resampling="2x5-fold")
        anova, t = results.verdict(test="repeated_anova"), results.verdict()
        assert anova.joint_test.p_value == pytest.approx(t.comparisons.outcomes[0].p_value)

    def test_says_what_is_missing(self, random):
        with pytest.raises(InputError, match=r"needs 6 or more data sets, .* got 3 data sets"):
            over(random, [0.1, 0.0], 3).verdict(test="repeated_anova")
        with pytest.raises(InputError, match="got one data set with 1 score per method of the scheme 'unknown'"):
            over(random, [0.1, 0.0], 1).verdict(test="repeated_anova")
        with pytest.raises(InputError, match="leave control and alternative out"):
            over(random, [0.1, 0.0]).verdict(test="repeated_anova", control="b")


class TestMcNemar:
    def test_pools_the_folds(self, random):
        results = models(random, [0.85, 0.75], folds=5)
        right = {m: results.source.losses_of("accuracy", results.dataset_names()[0], m) for m in "ab"}
        verdict = results.verdict(test="mcnemar")
        mid_p = mcnemar(right["a"], right["b"], method="mid-p").p_value
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(mid_p)
        assert any("fixed models" in n.sentence for n in verdict.notices if n.severity == "doubt")

    @pytest.mark.slow
    def test_takes_one_repeat_of_a_study(self, tmp_path):
        study = Study(datasets=["labor"], methods=["one_rule", "majority"], resampling="2x3-fold", seed=1)
        results = study.run(tmp_path / "a.trial", workers=0, progress=False)
        verdict = results.verdict(test="mcnemar", measure="error_rate", control="majority")
        frame = results.predictions.query("repeat == 0").sort_values("instance")
        own = dict(list(frame.groupby("method")))
        wrong = {m: (f["label"] != f["truth"]).to_numpy() for m, f in own.items()}
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(
            mcnemar(wrong["one_rule"], wrong["majority"], method="mid-p").p_value
        )
        a, b = ~wrong["one_rule"], ~wrong["majority"]
        counts = f"only one_rule is right on {(a & ~b).sum()}, only majority on {(b & ~a).sum()}"
        (test,) = verdict.finding.of_kind(support.ByTest)
        assert test.over == f"57 instances: {counts}; folds of the first repeat pooled, 2×3-fold"

    def test_says_what_is_missing(self, random):
        with pytest.raises(InputError, match="needs the predictions of single instances, got scores alone"):
            on_folds(random, [0.1, 0.0]).verdict(test="mcnemar")
        with pytest.raises(InputError, match="it needs the measure 'accuracy' or 'error_rate', got 'f_measure'"):
            models(random, [0.9, 0.8], folds=5).verdict(test="mcnemar", measure="f1")
        with pytest.raises(InputError, match="is about one data set, got 12 data sets"):
            over(random, [0.1, 0.0]).verdict(test="mcnemar")


@pytest.mark.parametrize("test", ["repeated_anova", "five_by_two_f"])
def test_training_data_are_refused(random, test):
    results = over(random, [0.1, 0.0])
    apparent = {d: Dependence("resubstitution", optimistic=True) for d in results.dataset_names()}
    with pytest.raises(InputError, match="not trained on, got the scheme 'resubstitution'"):
        replace(results, dependence=apparent).verdict(test=test)


def test_each_data_set_by_itself_has_no_anova(random):
    with pytest.raises(InputError, match="but domains='these' was asked"):
        over(random, [0.1, 0.0]).verdict(test="repeated_anova", domains="these")


def test_two_procedures_at_once(random):
    with pytest.raises(InputError, match="ask for two procedures"):
        over(random, [0.1, 0.0]).verdict(test="mcnemar", per_dataset="corrected_t", control="a")
