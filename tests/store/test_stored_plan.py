"""The plan that was stored before the first trial."""

from __future__ import annotations

from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB
from study_changes import change

import fairtrial as ft
from fairtrial.store import StudyFile, merge_studies, plan_before_trials
from fairtrial.store.sessions import dropped_methods

VERSION_5 = Path(__file__).parent / "files" / "version5.trial"
PARTS = {"datasets": ["iris"], "methods": ["majority", "one_rule"], "resampling": "2-fold"}


def plan_of(path):
    with StudyFile(path) as file:
        return plan_before_trials(file)


class TestPlanBeforeTrials:
    def test_a_question_of_a_later_revision_was_not_there_before_the_first_trial(self, tmp_path):
        path = tmp_path / "study.trial"
        ft.Study(ft.Question(level=0.9), **PARTS).run(path, workers=0, progress=False)
        first = plan_of(path)
        ft.Study(ft.Question(level=0.99), **PARTS).run(path, workers=0, progress=False)
        with StudyFile(path) as file:
            assert file.definition().question["level"] == 0.99
        assert plan_of(path) == first
        assert first.definition.question["level"] == 0.9
        assert first.stored <= first.began

    @pytest.mark.slow
    def test_its_digest_is_that_of_question_and_plan_without_the_wording(self, tmp_path):
        questions = {"a": ft.Question("One?"), "b": ft.Question("Two?"), "c": ft.Question("One?", level=0.9)}
        found = {}
        for name, question in questions.items():
            ft.Study(question, **PARTS).run(tmp_path / f"{name}.trial", workers=0, progress=False)
            found[name] = plan_of(tmp_path / f"{name}.trial").digest
        assert found["a"] == found["b"] != found["c"]

    def test_it_is_stored_before_anything_runs(self, tmp_path):
        path = tmp_path / "study.trial"
        with StudyFile(path, write=True) as file:
            file.register(ft.Study(**PARTS).plan())
            assert plan_before_trials(file) is None
            file.begin_session()
            assert plan_before_trials(file).definition.seed == 1

    @pytest.mark.slow
    def test_a_merged_file_does_not_know_it(self, tmp_path):
        for i, name in enumerate(["iris", "labor"]):
            ft.Study(**{**PARTS, "datasets": [name]}).run(tmp_path / f"{i}.trial", workers=0, progress=False)
        merge_studies([tmp_path / "0.trial", tmp_path / "1.trial"], tmp_path / "both.trial")
        assert plan_of(tmp_path / "both.trial") is None

    def test_of_a_file_of_the_first_version(self):
        assert plan_of(VERSION_5).digest

    def test_a_question_that_can_not_be_read_is_not_known(self, tmp_path):
        path = tmp_path / "study.trial"
        ft.Study(ft.Question(level=0.9), **PARTS).run(path, workers=0, progress=False)
        ft.Study(ft.Question(level=0.99), **PARTS).run(path, workers=0, progress=False)
        sql = "UPDATE study SET definition = replace(definition, ?, ?) WHERE revision = 1"
        change(path, sql, '"level": 0.9', '"level": 9')
        assert plan_of(path) is None
        assert not ft.read_study(path).verdict().asked.is_known

    def test_a_moment_that_is_none_is_refused(self, tmp_path):
        path = tmp_path / "study.trial"
        ft.Study(**PARTS).run(path, workers=0, progress=False)
        change(path, "UPDATE session SET started = 'yesterday'")
        with pytest.raises(ft.errors.StudyFileError, match="moments such as"):
            plan_of(path)


def dropped_from(path):
    with StudyFile(path) as file:
        return dropped_methods(file)


class TestDroppedMethods:
    def run(self, path, *methods, datasets=("iris",)):
        bayes = {"gaussian": GaussianNB(), "smooth": GaussianNB(var_smoothing=0.1)}
        chosen = {name: bayes.get(name, name) for name in methods}
        ft.Study(**{**PARTS, "datasets": datasets, "methods": chosen}).run(path, workers=0, progress=False)

    @pytest.mark.slow
    def test_a_pilot_in_the_same_file(self, tmp_path):
        path = tmp_path / "study.trial"
        self.run(path, "majority", "one_rule", "gaussian", "smooth")
        assert dropped_from(path) == ()
        self.run(path, "one_rule", "smooth", datasets=("iris", "labor"))
        self.run(path, "one_rule", "smooth", datasets=("iris", "labor", "wine"))  # the pilot is two revisions away
        assert dropped_from(path) == ("gaussian",)  # majority is a baseline

    def test_a_method_that_comes_back_or_gets_another_name_is_not_dropped(self, tmp_path):
        path = tmp_path / "study.trial"
        self.run(path, "one_rule", "gaussian")
        methods = {"bayes": GaussianNB(), "rule": "one_rule"}
        ft.Study(**{**PARTS, "methods": methods}).run(path, workers=0, progress=False)
        assert dropped_from(path) == ()

    @pytest.mark.slow
    def test_a_pilot_on_other_data_says_nothing_about_these(self, tmp_path):
        path = tmp_path / "study.trial"
        self.run(path, "one_rule", "gaussian", "smooth")
        self.run(path, "one_rule", "smooth", datasets=("labor",))
        assert dropped_from(path) == ()
