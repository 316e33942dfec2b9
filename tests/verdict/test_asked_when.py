"""What was asked before the first trial, and what afterwards."""

from __future__ import annotations

import pytest
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.results import read_study

PARTS = {"datasets": ["iris"], "methods": {"bayes": GaussianNB(), "rule": "one_rule"}, "resampling": "3-fold"}


@pytest.fixture(scope="module")
def results():
    question = ft.Question(measure="accuracy", control="rule", smallest_difference={"accuracy": 0.01, "auc": 0.02})
    return ft.Study(question, **PARTS).run(None, workers=0, progress=False)


def notice_of(verdict):
    (found,) = (n for n in verdict.notices if n.guard == "asked_when")
    return found


class TestAskedWhen:
    def test_all_was_asked_beforehand(self, results):
        verdict = results.verdict()
        assert verdict.asked.beforehand == ("measure", "smallest_difference", "control")
        assert verdict.asked.afterwards == ()
        notice = notice_of(verdict)
        assert str(notice) == "✓ the question and the plan were stored before the first trial"
        assert notice.evidence["stored"] <= notice.evidence["began"]
        assert verdict.to_dict()["asked"]["digest"] == notice.evidence["plan"]

    def test_options_that_repeat_the_question_are_no_new_question(self, results):
        assert results.verdict("accuracy", control="rule", smallest_difference=0.01).asked.afterwards == ()

    @pytest.mark.parametrize(
        ("options", "late"),
        [
            ({"control": "bayes"}, ("control",)),
            ({"smallest_difference": 0.05}, ("smallest_difference",)),
            ({"measure": "auc"}, ("measure",)),  # its smallest difference was stored
            ({"measure": "mcc", "smallest_difference": "10pp"}, ("measure", "smallest_difference")),
            ({"level": 0.9, "domains": "these"}, ("domains", "level")),
            ({"alternative": "better"}, ("alternative",)),
            ({"failures": "worst", "adjust": "holm"}, ("failures", "adjust")),
        ],
    )
    def test_what_was_asked_afterwards_is_named(self, results, options, late):
        verdict = results.verdict(**options)
        assert verdict.asked.afterwards == late
        assert str(notice_of(verdict)).startswith("! asked after the first trial: ")

    def test_a_stored_control_that_is_not_among_the_chosen_methods_is_not_asked_for(self, results):
        asked = results.only(methods=["bayes"]).verdict(claim=0.5).asked
        assert asked.afterwards == ("claim",)
        assert "control" not in asked.beforehand

    @pytest.mark.slow
    def test_a_study_that_was_changed_after_its_first_trial(self, tmp_path):
        path = tmp_path / "study.trial"
        ft.Study(**PARTS).run(path, workers=0, progress=False)
        methods = {"nb": GaussianNB(), "smooth": GaussianNB(var_smoothing=0.1)}  # bayes has another name
        changed = ft.Study(ft.Question(level=0.9), **{**PARTS, "datasets": ["iris", "labor"], "methods": methods})
        changed.run(path, workers=0, progress=False)
        verdict = read_study(path).verdict()
        assert verdict.asked.afterwards == ("level",)
        assert verdict.asked.changed == ("data set labor added", "method smooth added", "method rule left out")
        assert "changed after the first trial: data set labor added" in notice_of(verdict).sentence

    def test_of_scores_from_elsewhere_nothing_is_known(self):
        import pandas as pd

        frame = pd.DataFrame({"dataset": list("abcdef"), "x": range(6), "y": range(1, 7)})
        verdict = ft.read_scores(frame, measure="rmse").verdict()
        assert not verdict.asked.is_known
        assert not [n for n in verdict.notices if n.guard == "asked_when"]
        assert verdict.to_dict()["asked"]["stored"] == ""
