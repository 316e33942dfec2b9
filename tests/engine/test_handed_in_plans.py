"""A plan that is handed in: only its rows run, and the study file holds all rows that were ever asked for."""

import linecache

import pandas as pd
import pytest
from engine_runs import numbers, small_study
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.errors import InputError
from fairtrial.results import from_study_file
from fairtrial.store import StudyFile, study_status


def given(study: ft.Study, path: object, plan: object = None, **options: object) -> StudyFile:
    return run(study, path, plan=plan, workers=0, progress=False, **options)


def sessions(file: StudyFile) -> dict[int | None, int]:
    """How many trials each session ran."""
    return dict(file.query("SELECT session, COUNT(*) FROM trial GROUP BY session"))


def exact_scores(file: StudyFile) -> pd.DataFrame:
    """Scores that do not depend on clocks, in one order."""
    scores = from_study_file(file).scores
    exact = scores[~scores["measure"].isin(["fit_time", "predict_time"])]
    return exact.sort_values(["dataset", "method", "label_noise", "repeat", "fold", "measure"]).reset_index(drop=True)


@pytest.fixture
def study():
    return small_study(factors={"label_noise": [0, 0.2]}, resampling="2x3-fold")


class TestHalves:
    @pytest.mark.slow
    def test_one_half_and_then_the_other_are_the_full_run(self, study, tmp_path):
        plan = study.plan()
        path = tmp_path / "halves.trial"
        first = given(study, path, plan.only(slice(0, None, 2)))
        assert sessions(first) == {1: 48}
        halves = given(study, path, plan.only(slice(1, None, 2)))
        assert sessions(halves) == {1: 48, 2: 48}
        full = given(study, tmp_path / "full.trial")
        assert numbers(halves) == numbers(full)
        assert exact_scores(halves).equals(exact_scores(full))
        verdicts = [from_study_file(f).at(label_noise=0).verdict() for f in (halves, full)]
        assert verdicts[0].sentence == verdicts[1].sentence

    @pytest.mark.slow
    def test_the_full_plan_runs_only_what_is_left(self, study, tmp_path):
        path = tmp_path / "a.trial"
        part = study.plan().only([5, 3, 60])
        assert [r.key for r in given(study, path, part).read()] == [t.key for t in part.trials()]
        assert sessions(given(study, path)) == {1: 3, 2: 93}

    @pytest.mark.slow
    def test_rows_that_are_there_are_not_run_again(self, study, tmp_path):
        path = tmp_path / "a.trial"
        plan = study.plan()
        given(study, path, plan.only(range(10)))
        file = given(study, path, plan.only(range(5, 15)))
        assert sessions(file) == {1: 10, 2: 5}
        assert sessions(given(study, path, plan.only([7]))) == {1: 10, 2: 5}
        assert len(list(given(study, path, plan.only([7])).read())) == 15  # a smaller plan takes nothing away

    @pytest.mark.slow
    def test_only_rows_of_the_plan_run_while_others_wait(self, study, tmp_path):
        path = tmp_path / "a.trial"
        plan = study.plan()
        with StudyFile(path, write=True) as file:
            file.register(plan.only(range(20)))  # stopped before anything was run
        file = given(study, path, plan.only(range(15, 30)))
        assert sessions(file) == {1: 15, None: 15}
        assert (study_status(file).done, study_status(file).missing) == (15, 15)
        assert sessions(given(study, path, plan.only(range(20)))) == {1: 15, 2: 15}


class TestRevisions:
    @pytest.mark.slow
    def test_the_same_rows_are_no_new_revision_and_others_are_one(self, study, tmp_path):
        path = tmp_path / "a.trial"
        plan = study.plan()
        assert [given(study, path, plan.only(range(n))).revision() for n in (10, 10, 20)] == [1, 1, 2]

    @pytest.mark.slow
    def test_another_question_keeps_the_rows(self, study, tmp_path):
        path = tmp_path / "a.trial"
        given(study, path, study.plan().only(range(10)))
        asked = small_study(
            factors={"label_noise": [0, 0.2]}, resampling="2x3-fold", question=ft.Question("Who?", measure="auc")
        )
        file = given(asked, path, study.plan().only(range(10, 12)))
        assert file.revision() == 2
        assert file.definition().question["text"] == "Who?"
        assert len(list(file.read())) == 12

    @pytest.mark.slow
    def test_another_study_has_only_the_rows_of_its_own_plan(self, study, tmp_path):
        path = tmp_path / "a.trial"
        given(study, path, study.plan().only(range(10)))
        other = small_study(methods={"bayes": GaussianNB()})
        file = given(other, path, other.plan().only(range(4)))
        assert len(list(file.read())) == 4


class TestBelonging:
    def test_a_plan_of_another_study_is_refused_before_anything_is_written(self, study, tmp_path):
        with pytest.raises(InputError, match="plan must be made from this study, but the seed of its study differs"):
            given(study, tmp_path / "a.trial", small_study(resampling="2x3-fold", seed=2, factors=study.factors).plan())
        assert not (tmp_path / "a.trial").exists()

    def test_something_else(self, study):
        with pytest.raises(InputError, match=r"plan must be a Plan, as study.plan\(\) makes, got 7"):
            study.run(plan=7)

    @pytest.mark.slow
    def test_methods_and_names_are_those_of_the_study_that_runs(self, tmp_path):
        first = small_study(datasets=["labor"], methods={"a": RandomForestClassifier(2), "b": GaussianNB()})
        turned = small_study(datasets=["labor"], methods={"bayes": GaussianNB(), "forest": RandomForestClassifier(2)})
        plan = first.plan()
        file = given(turned, tmp_path / "a.trial", plan.only(plan.method == 1))
        assert file.query("SELECT DISTINCT name FROM method m JOIN trial t ON t.method = m.id") == [("bayes",)]
        assert numbers(file).items() <= numbers(given(first, None)).items()

    def test_results_of_a_part_have_what_was_run(self, tmp_path):
        study = small_study(datasets=["labor"])
        plan = study.plan()
        results = study.run(plan=plan.only(plan.method != 2), workers=0, progress=False)
        assert set(results.scores["method"]) == {"forest", "bayes", "majority"}
        assert "forest" in str(results.verdict())


FIRST_CELL = """
import numpy as np

def place():
    return 0

def mine(X_train, y_train, X_test):
    return np.full(len(X_test), np.unique(y_train)[place()])

class Mine:
    place = 0
    def fit(self, X, y):
        self.label_ = np.unique(y)[self.place]
        return self
    def predict(self, X):
        return np.full(len(X), self.label_)
"""


@pytest.mark.slow
def test_code_of_a_notebook_that_was_edited_after_the_plan_was_made_is_what_runs(tmp_path, monkeypatch):
    names = {"__name__": "__main__"}

    def cell(text):
        name = f"<cell {text[:20]}>"  # as IPython keeps them
        monkeypatch.setitem(linecache.cache, name, (len(text), None, text.splitlines(keepends=True), name))
        exec(compile(text, name, "exec"), names)

    def means():
        scores = study.run(tmp_path / "own.trial", plan=plan, workers=0, progress=False).scores
        found = scores[scores.measure == "accuracy"].groupby("method").value.mean().round(2)
        return found["function"], found["class"]

    cell(FIRST_CELL)
    study = ft.Study(
        datasets=["wine"], methods={"function": names["mine"], "class": names["Mine"]()}, resampling="2-fold"
    )
    plan = study.plan()
    assert means() == (0.33, 0.33)  # 59, 71 and 48 of 178 wines
    cell("def place():\n    return 1\n")
    assert means() == (0.40, 0.33)
    cell("Mine.place = 2\n")
    assert means() == (0.40, 0.27)
