"""A verdict with another question than the study's own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName
from fairtrial.verdict.claims.difference import Better

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


@pytest.fixture
def results(tumours):
    return tumours


class TestContextOfTheQuestion:
    def test_the_measure_is_taken_for_it(self, results, tumour_data):
        own = results.with_measures("recall", "specificity").scores.query("dataset == 'breast_cancer'")
        means = own.groupby(["method", "measure"])["value"].mean()
        only = ft.Study(
            ft.Question(context={"positives": 0.1}), datasets=[tumour_data], methods={"bayes": GaussianNB()},
            resampling="2x3-fold", seed=5,
        ).run(None, workers=0, progress=False)  # fmt: skip
        verdict = only.verdict()
        assert verdict.measure.name == "expected_accuracy(prior=0.1)"
        expected = 0.1 * means["bayes", "recall"] + 0.9 * means["bayes", "specificity"]
        assert verdict.evidence.means[0, 0] == pytest.approx(expected)

    def test_asked_afterwards(self, results):
        verdict = results.verdict("accuracy", context={"positives": "uniform"})
        assert verdict.measure.name == "expected_accuracy"
        assert verdict.question.context == {"positives": "uniform"}

    def test_a_measure_without_direction_can_not_decide(self, results):
        with pytest.raises(InputError, match="predicted_positive_rate has no better and worse"):
            results.verdict("predicted_positive_rate")

    def test_says_when_it_changes_nothing(self, results):
        verdict = results.verdict("auc", context={"positives": 0.1})
        assert any("auc does not depend on the class balance" in c.text for c in verdict.notices)

    def test_another_measure_is_asked_without_it(self, tumour_data):
        study = ft.Study(
            ft.Question(context={"positives": 0.1}), datasets=[tumour_data], methods={"bayes": GaussianNB()},
            resampling="2-fold",
        )  # fmt: skip
        results = study.run(None, workers=0, progress=False)
        assert results.verdict().question.context == {"positives": 0.1}
        assert results.verdict("accuracy").question.context == {}

    def test_a_measure_for_values(self, results):
        with pytest.raises(InputError, match="rmse is for values, but these data sets have classes"):
            results.verdict("rmse")

    def test_an_infinite_ratio_is_left_out_like_an_undefined_one(self):
        frame = pd.DataFrame({"y": [1, 0, 1, 0] * 5, "fold": np.repeat(np.arange(5), 4)})
        frame["a"], frame["b"] = frame["y"], 1 - frame["y"]
        results = ft.read_predictions(frame, truth="y", fold="fold", resampling="5-fold", measure="lr_plus")
        with pytest.raises(InputError, match="positive_likelihood_ratio is undefined"):
            results.verdict()


@pytest.fixture(scope="module")
def left_out():
    (data,) = ft.datasets("labor")
    methods = {"bayes": GaussianNB(), "logistic": LogisticRegression(max_iter=5000)}
    study = ft.Study(datasets=[data], methods=methods, resampling="57-fold", measures=["accuracy"])
    return study.run(None, workers=0, progress=False)


class TestLeaveOneOut:
    def test_a_mean_over_instances_is_fine(self, left_out):
        assert "accuracy" in left_out.verdict("accuracy").sentence

    def test_anything_else_must_be_pooled(self, left_out):
        with pytest.raises(
            InputError, match=r"one instance each.*pool them: measure \"f_measure\(combine='pooled'\)\""
        ):
            left_out.verdict("f_measure")
        assert "f measure (folds pooled)" in str(left_out.verdict("f_measure(combine='pooled')"))


class TestSmallestDifference:
    """It belongs to its measure: 0.01 of accuracy says nothing about seconds."""

    @staticmethod
    def results(question):
        rng = np.random.default_rng(3)
        rows = [
            (f"d{i}", method, measure, level * (1 + 0.01 * rng.random()))
            for i in range(8)
            for method, levels in {"a": (0.9, 1.0), "b": (0.8, 3.0)}.items()
            for measure, level in zip(("accuracy", "fit_time"), levels, strict=True)
        ]
        frame = pd.DataFrame(rows, columns=["dataset", "method", "measure", "value"])
        return replace(ft.read_scores(frame), question=question)

    def test_a_number_is_for_the_measure_of_the_question(self):
        results = self.results(ft.Question(measure="accuracy", smallest_difference=0.01))
        assert results.verdict().question.smallest_difference == 0.01
        assert results.verdict().finding.of_kind(Better)[0].size == "better by more than matters"
        asked = results.verdict("fit_time")
        assert asked.question.smallest_difference is None
        assert asked.finding.scope.delta is None
        assert asked.finding.of_kind(Better)[0].size == "better, size open"

    def test_a_mapping_names_measures(self):
        results = self.results(ft.Question(measure="accuracy", smallest_difference={"Accuracy": 0.01, "fit_time": 0.1}))
        assert results.verdict().question.smallest_difference == 0.01
        assert results.verdict("fit_time").question.smallest_difference == 0.1
        assert results.verdict("fit_time").finding.scope.delta == 0.1
        assert results.verdict("fit_time").finding.of_kind(Better)[0].size == "better by more than matters"

    def test_an_argument_is_for_the_measure_asked(self):
        results = self.results(ft.Question(measure="accuracy", smallest_difference=0.01))
        assert results.verdict("fit_time", smallest_difference=0.2).question.smallest_difference == 0.2
        both = {"accuracy": 0.02, "fit_time": 0.3}
        assert results.verdict("fit_time", smallest_difference=both).question.smallest_difference == 0.3
        assert results.verdict(smallest_difference=both).question.smallest_difference == 0.02

    def test_an_argument_that_names_no_measure(self):
        results = self.results(ft.Question(measure="accuracy"))
        with pytest.raises(
            UnknownName, match=r"no measure \(in smallest_difference\) is called 'acuracy'; did you mean"
        ):
            results.verdict(smallest_difference={"acuracy": 0.01})

    def test_a_table_whose_measure_is_named_later(self):
        frame = pd.DataFrame(
            {"dataset": list("abcdefgh"), "m": np.linspace(0.6, 0.7, 8), "n": np.linspace(0.7, 0.9, 8)}
        )
        results = ft.read_scores(frame)
        results = replace(results, question=ft.Question(smallest_difference={"accuracy": 0.01}))
        assert results.verdict("accuracy").question.smallest_difference == 0.01

    def test_in_the_context_of_the_study(self, tumour_data):
        study = ft.Study(
            ft.Question(context={"positives": 0.1}, smallest_difference={"accuracy": 0.01}), datasets=[tumour_data],
            methods={"bayes": GaussianNB()}, resampling="2-fold",
        )  # fmt: skip
        results = study.run(None, workers=0, progress=False)
        assert results.verdict().question.smallest_difference == 0.01
        assert results.verdict("accuracy").question.smallest_difference == 0.01
        assert results.verdict(context={"positives": 0.5}).question.smallest_difference is None
        assert results.verdict("precision").question.smallest_difference is None


class TestUnits:
    """Amounts are read on the scale of the scores, and are refused where they could be meant on another."""

    @staticmethod
    def results(scale=1.0, measure="accuracy", question=None, **read):
        frame = pd.DataFrame(
            {"dataset": list("abcdefgh"), "m": np.linspace(0.6, 0.7, 8), "n": np.linspace(0.7, 0.9, 8)}
        )
        frame[["m", "n"]] *= scale
        found = ft.read_scores(frame, measure=measure, **read)
        return found if question is None else replace(found, question=replace(found.question, **question))

    @pytest.mark.parametrize(("scale", "expected"), [(1, 0.005), (100, 0.5)])
    def test_shares_and_percentages(self, scale, expected):
        for given in ("0.5pp", "0.5%", {"accuracy": "0.5pp", "fit_time": "10%"}):
            assert self.results(scale).verdict(smallest_difference=given).question.delta == expected
        stated = self.results(scale, question={"smallest_difference": "0.5pp"})
        assert stated.verdict().question.delta == expected

    def test_percentages(self):
        results = self.results(100)
        assert results.verdict(smallest_difference=0.5).question.delta == 0.5
        with pytest.raises(InputError, match=r"got 0\.01 for accuracy in percent; write '0\.01pp' for .*, or '1pp'"):
            results.verdict(smallest_difference=0.01)

    def test_the_question_of_the_results_is_checked_as_well(self):
        with pytest.raises(InputError, match=r"got 0\.5 for accuracy.*'0\.5pp' .*, or '50pp'"):
            self.results(question={"smallest_difference": 0.5}).verdict()

    def test_a_verdict_on_results_that_were_asked_already(self):
        once = self.results(question={"smallest_difference": "50pp"}).verdict().basis.results
        assert once.verdict(level=0.9).question.delta == 0.5

    def test_another_measure_than_that_of_the_study(self):
        rows = [(d, m, k, v) for d in "abcdefgh" for m in "mn" for k, v in (("rmse", 3.0), ("accuracy", 0.8))]
        results = ft.read_scores(pd.DataFrame(rows, columns=["dataset", "method", "measure", "value"]))
        assert results.verdict("rmse", smallest_difference="5%").question.delta == 0.05
        assert results.verdict("accuracy", smallest_difference="5pp").question.delta == 0.05

    @pytest.mark.parametrize("given", [0.5, 0.1])
    def test_scores_between_0_and_1_whose_measure_is_not_registered(self, given):
        results = self.results(measure="pass@1", higher_is_better=True)
        with pytest.raises(InputError, match=f"got {given} for pass@1, where 1 is 100 %; write '{given}pp'"):
            results.verdict(smallest_difference=given)
        assert results.verdict(smallest_difference="0.5pp").question.delta == 0.005

    def test_scores_up_to_100_whose_measure_is_not_registered(self):
        results = self.results(100, measure="pass@1", higher_is_better=True)
        assert results.verdict(smallest_difference=0.5).question.delta == 0.5
        assert results.verdict(smallest_difference="0.5pp").question.delta == 0.5
        one = self.results(100, measure="pass@1", higher_is_better=True, methods=["n"])
        with pytest.raises(InputError, match=r"got 0\.9 for pass@1 in percent; write '90%' or '0\.9%'"):
            one.verdict(claim=0.9)

    def test_a_unit_of_its_own(self):
        results = self.results(1000, measure="reward", higher_is_better=True)
        assert results.verdict(smallest_difference=0.5).question.delta == 0.5
        with pytest.raises(InputError, match=r"can't be '0\.5pp' for reward, which has other units: write a bare"):
            results.verdict(smallest_difference="0.5pp")

    @pytest.mark.parametrize(("scale", "expected"), [(1, 0.85), (100, 85)])
    def test_claims(self, scale, expected):
        assert self.results(scale, methods=["n"]).verdict(claim="85%").claim.claimed == expected
        with pytest.raises(InputError, match=r"'90%' or '0\.9%'" if scale == 100 else r"end of the range; write '85%'"):
            self.results(scale, methods=["n"]).verdict(claim=0.9 if scale == 100 else 85)

    def test_yardsticks(self):
        levels = {"human": "95%", "published": {"a": "90%", "b": 0.92}}
        verdict = self.results(question={"yardsticks": levels}).verdict()
        assert verdict.question.yardsticks == {"human": 0.95, "published": {"a": 0.9, "b": 0.92}}
        with pytest.raises(
            InputError, match=r"levels of the yardstick 'published' must have a unit .*'92%' or '0\.92%'"
        ):
            self.results(100, question={"yardsticks": levels}).verdict()
        with pytest.raises(InputError, match=r"yardstick 'human' must lie in the range of accuracy .*; write '95%'"):
            self.results(question={"yardsticks": {"human": 95}}).verdict()
