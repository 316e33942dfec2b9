"""The scores of a pilot are those that the run has on the same splits."""

import math

import numpy as np
import pytest
from engine_runs import small_study
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

import fairtrial as ft
from fairtrial.engine.perform import Bench, perform
from fairtrial.engine.pilot import pilot_score
from fairtrial.store import Record


def scored(study):
    """The pilot scores of all trials of a study, and those of its results."""
    plan = study.plan()
    measure = study.measures[0]
    results = study.run(None, workers=0, progress=False).scores
    results = results[results["measure"] == measure].set_index(["dataset", "method", "fold"])["value"]
    for trial in plan.trials():
        dataset, method = study.datasets[trial.dataset], study.methods[trial.method]
        split = plan.splits[trial.split]
        record = perform(trial.key, Bench(dataset, method), split)
        yield pilot_score(plan, trial, record), results[dataset.name, method.name, split.fold]


class TestPilotScore:
    @pytest.mark.parametrize("measure", ["accuracy", "auc", "log_loss", "f_measure(beta=2)"])
    def test_as_in_the_results(self, measure):
        methods = {"bayes": GaussianNB(), "forest": RandomForestClassifier(5)}
        study = small_study(datasets=["labor"], methods=methods, resampling="3-fold", measures=[measure])
        pairs = list(scored(study))
        assert len(pairs) == 3 * 3
        assert [a for a, _ in pairs] == pytest.approx([b for _, b in pairs])

    def test_decision_values_are_turned_to_the_positive_class(self):
        study = small_study(datasets=["labor"], methods={"svm": SVC()}, resampling="3-fold", measures=["auc"])
        pairs = [(a, b) for a, b in scored(study) if not math.isnan(b)]
        assert [a for a, _ in pairs] == pytest.approx([b for _, b in pairs])
        assert np.mean([a for a, _ in pairs]) > 0.6

    def test_values(self):
        study = ft.Study(datasets=["diabetes"], methods={"line": LinearRegression()}, resampling="3-fold")
        pairs = list(scored(study))
        assert [a for a, _ in pairs] == pytest.approx([b for _, b in pairs])

    def test_failed_trials_and_measures_that_refuse_have_none(self):
        plan = small_study(datasets=["labor"]).plan()
        trial = plan.trial(0)
        assert math.isnan(pilot_score(plan, trial, Record(trial.key, "failed", error="no")))
        assert math.isnan(pilot_score(plan, trial, Record(trial.key, "ok")))  # no predictions

    def test_measures_of_trials_are_what_they_cost(self):
        plan = small_study(datasets=["labor"], measures=["fit_time"]).plan()
        trial = plan.trial(0)
        assert pilot_score(plan, trial, Record(trial.key, "ok", resources={"fit_time": 0.25})) == 0.25
