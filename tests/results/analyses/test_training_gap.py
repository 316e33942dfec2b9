"""Scores on training rows beside those on test rows: a frame of trials, and means of data sets and methods."""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from fairtrial.design import Study
from fairtrial.errors import InputError, StudyFileError
from fairtrial.results import read_scores
from fairtrial.results.analyses.training_gap import mean_scores
from fairtrial.results.prediction_source import COLUMNS

METHODS = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}


class Recorded:
    """A source that has only a table of trials."""

    def __init__(self, trials):
        self.trials = trials


def results(rows, measure="accuracy", **more):
    """Scores of (method, fold, training score or None, test score, status), all of one data set."""
    frame = pd.DataFrame(
        [("d", m, 0, fold, measure, test) for m, fold, _, test, _ in rows],
        columns=["dataset", "method", "repeat", "fold", "measure", "value"],
    )
    trials = frame.assign(
        replicate=0,
        n_train=20,
        n_test=10,
        status=[status for *_, status in rows],
        training_scores=[None if seen is None else json.dumps({measure: seen}) for _, _, seen, _, _ in rows],
    )
    return replace(read_scores(frame, **more), source=Recorded(trials))


@pytest.fixture(scope="module")
def ran():
    study = Study(
        datasets=["labor", "iris"],
        methods=METHODS,
        resampling="2x2-fold",
        measures=["accuracy", "auc(combine='pooled')"],
        training_scores=True,
    )
    return study.run(workers=0, progress=False)


class TestTrainingFrame:
    @pytest.mark.slow
    def test_is_as_tidy_as_the_scores(self, ran):
        frame = ran.training_scores
        assert list(frame.columns) == list(COLUMNS)
        assert len(frame) == 2 * 3 * 4 * 2
        assert set(frame["measure"]) == set(ran.measures)
        assert (frame.query("method == 'tree'")["value"] == 1.0).all()

    def test_has_columns_of_factors(self):
        study = Study(
            datasets=["labor"], methods=METHODS, resampling="2-fold", factors={"label_noise": [0, 0.2]},
            measures="accuracy", training_scores=True,
        )  # fmt: skip
        whole = study.run(workers=0, progress=False)
        assert set(whole.training_scores["label_noise"]) == {0, 0.2}
        with pytest.raises(InputError, match="level"):
            whole.training_gap()
        assert len(whole.at(label_noise=0.2).training_gap().means) == 3

    def test_of_scores_from_elsewhere_is_empty(self):
        table = read_scores(pd.DataFrame({"dataset": ["d"], "a": [0.5]}), measure="accuracy")
        assert table.training_scores.empty
        with pytest.raises(InputError, match="training_scores=True"):
            table.training_gap()

    def test_damaged_json_is_refused(self):
        made = results([("a", 0, 0.9, 0.8, "ok")])
        made.source.trials["training_scores"] = ['{"accuracy": "high"}']
        with pytest.raises(StudyFileError, match="training scores of trials"):
            _ = made.training_scores


class TestTrainingGap:
    def test_by_hand(self):
        made = results(
            [
                ("a", 0, 1.0, 0.6, "ok"),
                ("a", 1, 0.8, 0.9, "ok"),
                ("a", 2, None, 0.1, "ok"),  # could not predict its training rows: its test score has no partner
                ("b", 0, 0.7, 0.5, "ok"),
                ("b", 1, 0.9, 0.4, "failed"),
                ("b", 2, 0.5, float("nan"), "ok"),
            ]
        )
        means = made.training_gap().means
        assert means["training"].tolist() == [pytest.approx(0.9), pytest.approx(0.7)]
        assert means["test"].tolist() == [pytest.approx(0.75), pytest.approx(0.5)]
        assert means["trials"].tolist() == [2, 1]

    def test_the_gap_is_positive_where_training_rows_are_better(self):
        text = str(results([("a", 0, 2.0, 3.0, "ok")], "rmse").training_gap())
        assert text.splitlines()[-1].split()[-1] == "1.000"
        text = str(results([("a", 0, 0.5, 0.75, "ok")]).training_gap())
        assert "−0.25" in text.splitlines()[-1]

    @pytest.mark.slow
    def test_of_a_study_against_its_frames(self, ran):
        means = ran.training_gap("accuracy").means.set_index(["dataset", "method"])
        assert means.loc[("labor", "tree"), "training"] == 1.0
        own = ran.scores.query("measure == 'accuracy' and method == 'bayes' and dataset == 'iris'")["value"]
        assert means.loc[("iris", "bayes"), "test"] == pytest.approx(own.mean())
        assert means.loc[("iris", "bayes"), "trials"] == 4

    def test_of_a_pooled_measure(self, ran):
        (name,) = set(ran.measures) - {"accuracy"}
        means = mean_scores(ran, ran.measures[name]).set_index(["dataset", "method"])
        assert len(means) == 6
        seen = ran.training_scores.query("measure == @name and method == 'bayes' and dataset == 'labor'")["value"]
        assert means.loc[("labor", "bayes"), "training"] == pytest.approx(seen.mean())

    def test_a_measure_that_was_not_recorded_is_refused(self, ran):
        with pytest.raises(InputError, match=r"no f_measure on training rows .* 'f_measure' among its measures"):
            ran.with_measures("f_measure").training_gap("f_measure")

    def test_as_plain_data(self, ran):
        plain = ran.training_gap().to_dict()
        assert plain["measure"] == "accuracy"
        assert json.loads(json.dumps(plain)) == plain
        assert "<table" in ran.training_gap()._repr_html_()
