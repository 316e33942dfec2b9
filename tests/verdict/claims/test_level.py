"""Claims about one method: the answer, the interval that decides it, and the p-value that agrees with it."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from made_scores import folds, table

from fairtrial import stats
from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.results import read_predictions, read_scores
from fairtrial.verdict.claims import support
from fairtrial.verdict.claims.steadiness import AnswerHinges, Kept

ERRORS = [0.01, 0.02, 0.0, 0.03, 0.01, 0.02, 0.01, 0.0, 0.02, 0.01]
RATES = [0.80, 0.86, 0.91, 0.84, 0.77, 0.88, 0.93]


def on_one(values, measure="error_rate", resampling="10-fold"):
    return read_scores(folds({"forest": values}), measure=measure, resampling=resampling)


def model(wrong, n=100):
    """Predictions of one model that misses some of n instances."""
    truth = np.arange(n) % 2
    return read_predictions(pd.DataFrame({"y": truth, "forest": np.where(np.arange(n) < wrong, 1 - truth, truth)}))


class TestOnOneDataSet:
    def test_by_hand(self):
        # mean 0.013, variance 0.00081 / 9 = 0.00009, and 1/10 + 1/9 = 0.2111: t = (0.013 − 0.03) / 0.0043589 = −3.9001
        verdict = on_one(ERRORS).verdict(claim=0.03)
        assert 2 * scipy.stats.t.sf(3.9001, 9) == pytest.approx(verdict.claim.p_value, rel=1e-4)
        assert verdict.sentence == (
            "Yes: the error rate of forest on iris is below 0.03: 0.013 [0.003, 0.023], p = 0.004."
        )
        assert verdict.test == "corrected one-sample t over 10 splits (10-fold)"
        assert verdict.test_details == ("two-sided at 0.05 against the claim 0.03",)
        assert verdict.rule == "a claim about one method, one data set"
        assert ("claim, as given", 0.03, None) in verdict.to_table().rows

    def test_the_interval_is_that_of_the_estimate(self):
        claimed, plain = on_one(ERRORS).verdict(claim=0.03), on_one(ERRORS).verdict()
        assert claimed.to_table().rows[0] == plain.to_table().rows[0]
        assert plain.claim is None

    @pytest.mark.parametrize(
        ("measure", "claim", "start"),
        [
            ("error_rate", 0.05, "Yes: the error rate of forest on iris is below 0.05: "),
            ("error_rate", 0.001, "No: the error rate of forest on iris is above 0.001: "),
            ("accuracy", 0.05, "No: the accuracy of forest on iris is below 0.05: "),
            ("accuracy", 0.001, "Yes: the accuracy of forest on iris is above 0.001: "),
            (
                "accuracy",
                0.015,
                "Open: whether the accuracy of forest on iris is above 0.015 is not shown: it is 0.013 [",
            ),
        ],
    )
    def test_the_direction_of_the_measure(self, measure, claim, start):
        assert on_one(ERRORS, measure).verdict(claim=claim).sentence.startswith(start)

    def test_repeats_take_the_larger_correction(self):
        values = np.random.default_rng(4).normal(0.1, 0.03, 30)
        frame = folds({"forest": values}).assign(repeat=np.repeat(range(3), 10), fold=[*range(10)] * 3)
        verdict = read_scores(frame, measure="error_rate", resampling="3x10-fold").verdict(claim=0.12)
        error = values.std(ddof=1) * math.sqrt(1 / 30 + 1.55 / 9)
        assert verdict.claim.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(values.mean() - 0.12) / error, 29))
        assert "test/train × 1.55 for repeats" in verdict.test

    @pytest.mark.slow
    @settings(max_examples=20, deadline=None)
    @given(st.lists(st.floats(0.2, 0.8), min_size=10, max_size=10), st.sampled_from([0.8, 0.95]), st.booleans())
    def test_the_end_of_the_interval_is_the_border(self, values, level, high):
        results = on_one(values)
        interval = results.verdict(claim=0.5, level=level).claim.interval
        end = interval.high if high else interval.low
        if not 0 < end < 1 or interval.high - interval.low < 1e-6:  # clipped, or without spread
            return
        step = 1e-9 if high else -1e-9
        inside, outside = (results.verdict(claim=end + s, level=level).claim for s in (-step, step))
        assert (inside.answer, outside.answer) == ("open", "yes" if high else "no")
        assert outside.p_value < 1 - level < inside.p_value

    def test_decimals_show_on_which_side_the_interval_lies(self):
        verdict = on_one(ERRORS).verdict(claim=0.023)
        high = verdict.claim.interval.high
        assert 0.0225 < high < 0.023
        assert verdict.sentence.startswith(
            f"Yes: the error rate of forest on iris is below 0.023: 0.0130 [0.0031, {high:.4f}]"
        )

    @pytest.mark.parametrize(
        ("values", "resampling", "why"),
        [
            ([0.1] * 10, "10-fold", "all values are equal: their variance is zero"),
            ([0.1], None, "one score has no spread"),
            (ERRORS, None, "the split scheme of the scores is unknown"),
        ],
    )
    def test_undefined(self, values, resampling, why):
        verdict = on_one(values, resampling=resampling).verdict(claim=0.02)
        start = "Undefined: whether the error rate of forest on iris is below 0.02 can't be tested, because "
        assert verdict.sentence.startswith(f"{start}{why}")
        assert verdict.sentence.endswith(f"; it is {np.mean(values):.3f}.")
        assert verdict.claim.answer == "undefined"
        assert verdict.test.startswith(f"none: {why}")
        assert verdict.finding.of_kind(support.ByTest)[0].none

    def test_scores_of_training_data_say_nothing(self):
        results = on_one(ERRORS)
        cautious = replace(results.dependence["iris"], optimistic=True, caution="it was tested on its training data")
        verdict = replace(results, dependence={"iris": cautious}).verdict(claim=0.05)
        assert verdict.claim.answer == "undefined"
        assert "because it was tested on its training data" in verdict.sentence

    def test_percentages_say_so(self):
        verdict = on_one(100 - 100 * np.array(ERRORS), "accuracy").verdict(claim=95)
        assert verdict.sentence.startswith("Yes: the accuracy of forest on iris is above 95 %: 98.70 [")


class TestOverDataSets:
    def test_against_scipy(self):
        # scipy 1.17: ttest_1samp
        verdict = read_scores(table({"m": RATES}), measure="accuracy").verdict(claim=0.8)
        other = scipy.stats.ttest_1samp(RATES, 0.8)
        assert verdict.claim.p_value == pytest.approx(other.pvalue)
        interval = other.confidence_interval()
        assert (verdict.claim.interval.low, verdict.claim.interval.high) == pytest.approx(tuple(interval))
        assert verdict.sentences == (
            "Yes: the mean accuracy of m on data sets such as these 7 is above 0.8: 0.856 [0.803, 0.909], p = 0.042.",
            "Its mean is above 0.8 on 5 of the 7 data sets.",
        )
        assert verdict.rule == "a claim about one method over data sets"

    def test_families_are_one_piece_of_evidence(self):
        rates = [*RATES, 0.87]
        results = read_scores(table({"m": rates}), measure="accuracy")
        verdict = results.verdict(claim=0.8, family={"last": ["d6", "d7"]})
        other = scipy.stats.ttest_1samp([*RATES[:6], 0.9], 0.8)
        assert verdict.claim.p_value == pytest.approx(other.pvalue)
        assert "on data sets such as these 7 families of data sets (8 in all) is above 0.8" in verdict.sentence
        (hinges,) = verdict.finding.of_kind(AnswerHinges)
        assert (hinges.sets, hinges.n) == (("d1", "d2", "d3", "d5", "last"), 7)
        assert (verdict.scope.units, verdict.scope.n) == ("families", 7)
        one = read_scores(table({"m": RATES}), measure="accuracy").verdict(
            claim=0.8, family={"all": [f"d{i}" for i in range(7)]}
        )
        assert one.sentence == "Undefined: the accuracy of m is not testable on each of these 7 data sets."

    def test_ratios_are_tested_on_the_log_scale(self):
        times = [0.1, 1.0, 10.0, 3.0, 0.5, 2.0]
        verdict = read_scores(table({"m": times}), measure="fit_time").verdict(claim=20)
        other = scipy.stats.ttest_1samp(np.log(times), math.log(20))
        assert verdict.claim.p_value == pytest.approx(other.pvalue)
        assert verdict.claim.interval.high == pytest.approx(math.exp(other.confidence_interval().high))
        assert verdict.sentence.startswith(
            "Yes: the geometric mean fit time of m on data sets such as these 6 is below 20: 1.201 ["
        )

    def test_says_on_which_data_set_it_hinges(self):
        results = read_scores(table({"m": RATES}), measure="accuracy")
        verdict = results.verdict(claim=0.8)
        (hinges,) = verdict.finding.of_kind(AnswerHinges)
        without = {d: [v for i, v in enumerate(RATES) if f"d{i}" != d] for d in verdict.evidence.datasets}
        p = {d: scipy.stats.ttest_1samp(values, 0.8).pvalue for d, values in without.items()}
        assert hinges.sets == tuple(d for d in p if p[d] >= 0.05)
        assert not verdict.finding.of_kind(Kept)
        sure = results.verdict(claim=0.3).finding
        assert [(kept.count, kept.total) for kept in sure.of_kind(Kept)] == [(7, 7)]
        assert sure.of_kind(AnswerHinges) == ()

    def test_scores_of_training_data_say_nothing(self):
        results = read_scores(table({"m": RATES}), measure="accuracy")
        dependence = {d: replace(known, optimistic=True, caution="so it is") for d, known in results.dependence.items()}
        verdict = replace(results, dependence=dependence).verdict(claim=0.8)
        assert verdict.claim.answer == "undefined"
        assert verdict.sentence.endswith("can't be tested, because so it is; it is 0.856.")

    def test_equal_means_have_no_interval(self):
        verdict = read_scores(table({"m": [0.9] * 7}), measure="accuracy").verdict(claim=0.8)
        assert verdict.claim.answer == "undefined"
        assert "because all values are equal" in verdict.sentence


class TestOnEachDataSet:
    @staticmethod
    def results(n=3):
        rng = np.random.default_rng(1)
        levels = [0.012, 0.03, 0.019, 0.01, 0.011, 0.012, 0.013][:n]
        frames = [folds({"forest": rng.normal(m, 0.004, 10)}, f"d{i}") for i, m in enumerate(levels)]
        return read_scores(pd.concat(frames), measure="error_rate", resampling="10-fold")

    def test_few_data_sets_have_no_overall_answer(self):
        verdict = self.results().verdict(claim=0.02)
        assert verdict.sentences == (
            "The error rate of forest is below 0.02 on d0; above 0.02 on d1; not distinguishable from 0.02 on d2.",
        )
        assert any("fewer than 6 data sets allow no answer over data sets" in d for d in verdict.test_details)
        assert [step.action for step in verdict.next_steps] == ["more data"]
        assert verdict.claim is None
        assert [part.claim.answer for part in verdict.parts.values()] == ["yes", "no", "open"]
        assert [row[-1] for row in verdict.to_table().rows] == ["yes", "no", "open", None]

    def test_the_family_is_that_of_the_data_sets(self):
        results = self.results()
        values = results.scores.query("dataset == 'd1'")["value"]
        alone = stats.one_sample_t(values, 0.02, test_share=0.1, level=1 - 0.05 / 3)
        claim = results.verdict(claim=0.02).parts["d1"].claim
        assert claim.p_value == pytest.approx(3 * alone.p_value)
        assert (claim.interval.low, claim.interval.high) == pytest.approx((alone.effect.low, alone.effect.high))
        free = results.verdict(claim=0.02, adjust="none").parts["d1"].claim
        assert free.p_value == pytest.approx(alone.p_value)
        assert free.interval.level == 0.95

    def test_these_data_sets(self):
        verdict = self.results(7).verdict(claim=0.05, domains="these")
        assert verdict.sentence == "Yes: the error rate of forest is below 0.05 on each of these 7 data sets."
        assert "each data set is tested by itself (as asked)" in verdict.test_details
        assert verdict.next_steps == ()

    def test_without_splits_nothing_can_be_tested(self):
        verdict = read_scores(table({"m": RATES[:3]}), measure="accuracy").verdict(claim=0.8)
        assert verdict.sentence == "Undefined: the accuracy of m is not testable on each of these 3 data sets."
        assert {part.claim.why for part in verdict.parts.values()} == {"one score has no spread"}
        assert "none: one score has no spread" in verdict.test


class TestOnInstances:
    def test_against_scipy(self):
        # scipy 1.17: binomtest has Clopper and Pearson's interval; its two-sided p is another, doubled tails agree
        verdict = model(3).verdict("error_rate", claim=0.1)
        other = scipy.stats.binomtest(3, 100, 0.1, alternative="less")
        assert verdict.claim.p_value == pytest.approx(2 * other.pvalue)
        interval = scipy.stats.binomtest(3, 100).proportion_ci()
        assert (verdict.claim.interval.low, verdict.claim.interval.high) == pytest.approx((interval.low, interval.high))
        assert verdict.sentence == (
            "Yes: the error rate of forest on instances such as those of a DataFrame is below 0.1: "
            "0.030 [0.006, 0.085], p = 0.016."
        )
        assert verdict.to_table().rows[0][2] == (verdict.claim.interval.low, verdict.claim.interval.high)

    @settings(max_examples=30, deadline=None)
    @given(st.integers(0, 40), st.floats(0.01, 0.99))
    def test_interval_and_test_agree(self, wrong, claim):
        found = model(wrong, 40).verdict("accuracy", claim=claim).claim
        assert (found.p_value < 0.05) == (found.answer != "open")
        assert (found.answer == "yes") == (found.interval.low > claim)

    def test_losses_by_t(self):
        truth = np.random.default_rng(2).normal(5, 1, 40)
        off = np.linspace(-0.5, 1, 40)
        results = read_predictions(pd.DataFrame({"y": truth, "net": truth + off}))
        verdict = results.verdict("mae", claim=0.5)
        other = scipy.stats.ttest_1samp(np.abs(off), 0.5)
        assert verdict.claim.p_value == pytest.approx(other.pvalue)
        assert verdict.test == "one-sample t over 40 instances"

    def test_an_area_is_decided_by_its_interval(self):
        truth = np.repeat([0, 1], 30)
        frame = pd.DataFrame({"y": truth, "net": truth + np.random.default_rng(3).normal(0, 0.4, 60)})
        verdict = read_predictions(frame).verdict("auc", claim=0.6)
        assert verdict.claim.answer == "yes"
        assert math.isnan(verdict.claim.p_value)
        assert "p = " not in verdict.sentence
        assert verdict.test.startswith("the interval decides: ")
        assert verdict.claim.interval.low == stats.auc_interval(frame["y"], frame["net"]).low


class TestRefuseClaim:
    def test_several_methods(self):
        results = read_scores(table({"a": RATES, "b": RATES}), measure="accuracy")
        with pytest.raises(
            InputError, match=r"one method, but 0\.8 was given for a and b; choose it, such as results\.only"
        ):
            results.verdict(claim=0.8)

    @pytest.mark.parametrize("claim", [0, 1, 1.5, -0.1])
    def test_outside_the_range(self, claim):
        with pytest.raises(InputError, match=rf"claim must lie inside the range of accuracy \(0 to 1\), got {claim}; "):
            on_one(ERRORS, "accuracy").verdict(claim=claim)

    def test_a_claim_is_for_the_measure_of_the_question(self):
        results = model(3)
        results = replace(results, question=replace(results.question, measure="error_rate", claim=0.1))
        assert results.verdict().claim.answer == "yes"
        assert results.verdict("mcc").claim is None
        assert results.verdict("accuracy", claim=0.9).claim.answer == "yes"


class TestClaim:
    def test_is_plain_data(self):
        plain = on_one(ERRORS).verdict(claim=0.03).to_dict()
        assert plain["question"]["claim"] == 0.03
        assert plain["claim"]["answer"] == "yes"
        assert plain["claim"]["interval"]["level"] == 0.95
        undefined = json.loads(on_one([0.1] * 10).verdict(claim=0.02).render("json"))
        assert (undefined["claim"]["answer"], undefined["claim"]["p_value"]) == ("undefined", None)
        each = TestOnEachDataSet.results().verdict(claim=0.02).to_dict()
        assert each["parts"]["d2"]["claim"]["answer"] == "open"
        assert "claim" not in Question().to_dict()
