"""Methods that learn nothing are yardsticks wherever they are listed, and however they are called."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.results.trivial import is_trivial_name, may_be_trivial

RNG = np.random.default_rng(5)
BASE = RNG.uniform(0.7, 0.8, 12)
SVM, TREE = BASE + RNG.normal(0.02, 0.01, 12), BASE + RNG.normal(0, 0.01, 12)


def scores(**more):
    frame = pd.DataFrame({"dataset": [f"{w}x" for w in "abcdefghijkl"], "svm": SVM, "tree": TREE, **more})
    return ft.read_scores(frame, measure="accuracy")


class TestNames:
    @pytest.mark.parametrize("name", [
        "majority", "Majority class", "most frequent", "MFC", "ZeroR", "0-R", "dummy", "DummyClassifier",
        "chance level",
        "random guess", "constantpredictor", "majority baseline", "1R (baseline)", "mean baseline",
    ])  # fmt: skip
    def test_of_what_learns_nothing(self, name):
        assert is_trivial_name(name)

    @pytest.mark.parametrize("name", [
        "baseline", "our baseline", "1R", "one_rule", "random search", "uniform", "mean", "max", "majority vote of 5",
        "majority vote", "random forest", "constant rate", "prior fitted network", "mostly", "chancellor",
        "naive bayes",
    ])  # fmt: skip
    def test_of_rivals(self, name):
        assert not is_trivial_name(name)

    def test_some_may_be_either(self):
        assert may_be_trivial("uniform")
        assert not may_be_trivial("svm")


class TestInATable:
    def test_it_is_shown_and_costs_the_others_nothing(self):
        plain, beside = scores().verdict(), scores(MFC=BASE - 0.05, ZeroR=BASE - 0.1).verdict()
        assert beside.evidence.yardsticks == ("MFC", "ZeroR")
        assert beside.rule == plain.rule == "two methods over data sets"
        assert beside.answer == plain.answer
        assert [row[:3] for row in beside.to_table().rows[:2]] == [row[:3] for row in plain.to_table().rows]
        assert [row[-1] for row in beside.to_table().rows[2:]] == ["yardstick: every method beats it"] * 2
        (said,) = (n for n in beside.notices if n.guard == "listed_baselines")
        assert said.sentence.startswith("MFC and ZeroR learn nothing and are yardsticks")

    def test_nobody_beats_it(self):
        found = scores(majority=BASE + 0.05).verdict()
        assert found.sentence.startswith("No method is shown to do better than majority")

    def test_it_is_compared_if_asked(self):
        asked = scores(MFC=BASE - 0.05).verdict(compare_trivial=True)
        assert asked.evidence.methods == ("svm", "tree", "MFC")
        assert asked.rule == "several methods over data sets"

    def test_the_control_is_compared(self):
        assert scores(MFC=BASE - 0.05).verdict(control="MFC").evidence.methods == ("svm", "tree", "MFC")

    def test_one_method_alone_is_compared_with_it(self):
        found = scores(MFC=BASE - 0.05).only(methods=["svm", "MFC"]).verdict()
        assert found.answer.startswith("svm is typically better than MFC")

    def test_a_claim_is_about_the_one_other(self):
        assert scores(MFC=BASE - 0.05).only(methods=["svm", "MFC"]).verdict(claim=0.6).claim.answer == "yes"


class TestByWhatItIs:
    def test_in_a_study(self):
        methods = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=1), "most": "majority"}
        methods |= {"coin": DummyClassifier(strategy="uniform"), "rule": "one_rule"}
        study = ft.Study(datasets=["iris"], methods=methods, resampling="3-fold")
        verdict = study.run(workers=0, progress=False).verdict()
        assert verdict.evidence.methods == ("bayes", "tree", "rule")
        assert verdict.evidence.yardsticks == ("most", "coin")
        assert study.plan().pairs == 3

    def test_a_model_with_one_answer(self):
        truth = np.arange(60) % 3 == 0
        frame = pd.DataFrame({"y": truth, "a": truth ^ (np.arange(60) % 7 == 0), "b": truth, "c": np.zeros(60, bool)})
        verdict = ft.read_predictions(frame, truth="y").verdict("accuracy")
        assert (verdict.evidence.methods, verdict.evidence.yardsticks) == (("a", "b"), ("c",))


class TestLevelsOnOneDataSet:
    def test_over_splits(self):
        rng = np.random.default_rng(1)
        rows = [("iris", m, i, level + rng.normal(0, 0.02)) for m, level in (("a", 0.9), ("b", 0.7)) for i in range(10)]
        frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])
        found = ft.read_scores(frame, measure="accuracy", resampling="10-fold")
        asked = ft.Question(measure="accuracy", yardsticks={"human": 0.8})
        row = replace(found, question=asked).verdict().to_table().rows[-1]
        assert row[-1] == "yardstick, as given: not clearly beaten by b"

    def test_over_instances(self):
        # 80 of 100 right against a level of 0.7: binomial p = 0.016 one-sided; 75 of 100: p = 0.16
        truth = np.arange(100) % 2
        right = {"a": np.arange(100) < 80, "b": np.arange(100) < 75}
        frame = pd.DataFrame({"y": truth, **{m: np.where(own, truth, 1 - truth) for m, own in right.items()}})
        found = ft.read_predictions(frame, truth="y", measure="accuracy")
        asked = replace(found.question, yardsticks={"human": 0.7})
        rows = {r[0]: r[-1] for r in replace(found, question=asked).verdict().to_table().rows}
        assert rows["human"] == "yardstick, as given: not clearly beaten by b"
