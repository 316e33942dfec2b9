"""Intervals of each method's level, as the resampling allows."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fairtrial import stats
from fairtrial.data import Dataset
from fairtrial.design import Question, Study
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods import Method
from fairtrial.results import read_scores

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


METHODS = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(3)}


def data(groups=None) -> Dataset:
    random = np.random.default_rng(2)
    y = np.repeat([0, 1], [50, 40])
    return Dataset.from_arrays(random.normal(size=(90, 2)) + y[:, None], y, name="two", groups=groups)


def run(resampling, methods=METHODS, groups=None, measure="error_rate"):
    study = Study(Question(measure=measure), datasets=[data(groups)], methods=methods, resampling=resampling)
    return study.run(workers=0, progress=False)


def wrongs(results, method):
    """Wrong or right, each time that an instance was tested, from the exported predictions."""
    frame = results.predictions
    own = frame[frame["method"] == method]
    return own.assign(wrong=(own["label"].astype(str) != own["truth"].astype(str)).astype(float))


class TestCvIntervals:
    def test_nested(self):
        results = run("4x nested 3-fold")
        found, own = results.cv_intervals()["two", "neighbour"], wrongs(results, "neighbour")
        alone = stats.nested_cv_interval(
            own["wrong"], repeats=own["repeat"], splits=own["fold"], rows=own["instance"], folds=3
        )
        assert (found.estimate, found.low, found.high) == pytest.approx((alone.estimate, alone.low, alone.high))
        assert "nested cross-validation" in str(results.cv_intervals())

    def test_the_verdict_on_one_method_has_it(self):
        results = run("4x nested 3-fold", {"bayes": GaussianNB()})
        found, verdict = results.cv_intervals()["two", "bayes"], results.verdict()
        keys = [c.key for c in verdict.to_table().columns]
        shown = dict(zip(keys, verdict.to_table().rows[0], strict=True))
        assert (shown["mean"], *shown["interval"]) == pytest.approx((found.estimate, found.low, found.high))
        assert "Bates, Hastie & Tibshirani 2023" in " ".join(verdict.test_details)

    @pytest.mark.parametrize("resampling", ["5-fold", "leave-one-out"])
    def test_each_instance_once(self, resampling):
        results = run(resampling)
        found, own = results.cv_intervals()["two", "bayes"], wrongs(results, "bayes")
        alone = stats.cv_interval(own["wrong"], folds=own["fold"])
        assert (found.estimate, found.low, found.high) == pytest.approx((alone.estimate, alone.low, alone.high))

    def test_one_test_set(self):
        results = run("holdout 0.4")
        found, own = results.cv_intervals()["two", "bayes"], wrongs(results, "bayes")
        alone = stats.mean_interval(own["wrong"])
        assert (found.estimate, found.low, found.high) == pytest.approx((alone.estimate, alone.low, alone.high))

    @pytest.mark.parametrize(("resampling", "share"), [("3x5-fold", 0.2), ("5x holdout 0.25", 0.25)])
    def test_repeats(self, resampling, share):
        results = run(resampling)
        found = results.cv_intervals("auc")["two", "bayes"]
        scores = results.with_measures("auc").scores
        own = scores[(scores["method"] == "bayes") & (scores["measure"] == "auc")]["value"]
        known = results.dependence["two"]
        assert 1.4 < known.overlap < 1.5
        alone = stats.mean_interval(own, test_share=known.test_share, overlap=known.overlap)
        assert results.dependence["two"].test_share == pytest.approx(share, abs=0.01)
        assert (found.low, found.high) == pytest.approx((alone.low, alone.high))

    def test_by_name(self):
        results = run("5-fold")
        t = results.cv_intervals(method="corrected-t", level=0.9)["two", "bayes"]
        assert t.level == 0.9
        assert t.method.startswith("t, corrected")
        with pytest.raises(InputError, match=r"'nested' needs a study with a nested k-fold .*, got error_rate over 5-"):
            results.cv_intervals(method="nested")
        with pytest.raises(InputError, match=r"needs a study that tests each instance once .*, got auc over 5-fold"):
            results.cv_intervals("auc", method="clt")
        with pytest.raises(UnknownName):
            results.cv_intervals(method="wilson")

    def test_rows_of_a_group_are_no_independent_instances(self):
        found = run("grouped 5-fold", groups=np.arange(90) // 3).cv_intervals()["two", "bayes"]
        assert found.method.startswith("t, corrected")

    def test_a_method_that_failed_has_none(self):
        class Fails(DecisionTreeClassifier):
            def fit(self, X, y):
                raise ValueError("no")

        methods = [Method("bayes", GaussianNB()), Method("fails", Fails(), version="1")]
        for resampling in ("3-fold", "2x3-fold", "2x nested 3-fold"):
            found = run(resampling, methods).cv_intervals()
            assert found["two", "fails"] is None
            assert "1 without an interval" in str(found)
            assert math.isfinite(found["two", "bayes"].low)

    def test_scores_of_unknown_making(self):
        frame = pd.DataFrame({"dataset": ["a", "b"], "x": [0.1, 0.2], "y": [0.2, 0.3]})
        scores = read_scores(frame, measure="error_rate")
        with pytest.raises(InputError, match="'auto' needs splits whose scheme is known"):
            scores.cv_intervals()
