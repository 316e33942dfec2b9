"""Results: names, measures that are pooled over folds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as sk  # 1.9.1
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName


@pytest.fixture
def results(tumours):
    return tumours


class TestNames:
    def test_of_what_is_not_there(self, results):
        with pytest.raises(UnknownName, match="no method of these results is called 'byes'; did you mean 'bayes'"):
            results.confusion_matrix("byes", "iris")
        with pytest.raises(UnknownName, match="no data set of these results is called 'rose'"):
            results.predicted("rose", "bayes")
        with pytest.raises(InputError, match=r"repeat must be one of \[0, 1\] on 'iris', got 9"):
            results.predicted("iris", "bayes", 9)


class TestNearNames:
    """What people type answers with what there is."""

    @pytest.mark.parametrize(("name", "right"), [("draw", "figure"), ("plot", "figure"), ("verdct", "verdict")])
    def test_of_results(self, made_results, name, right):
        results = made_results(lambda *_: {"accuracy": 0.5, "fit_time": 1.0})
        with pytest.raises(AttributeError, match=rf"Results has no attribute '{name}'; did you mean results\.{right}"):
            getattr(results, name)
        assert not hasattr(results, "_repr_other_")

    def test_of_the_package(self):
        with pytest.raises(AttributeError, match=r"'advise'; did you mean ft\.advise_measure\?"):
            _ = ft.advise
        for name in ("open", "load"):
            with pytest.raises(AttributeError, match=rf"'{name}'; did you mean ft\.read_study or ft\.load_study\?"):
                getattr(ft, name)
        with pytest.raises(AttributeError, match=r"no attribute 'zzz'$"):
            _ = ft.zzz

    @pytest.mark.parametrize(
        ("name", "right"), [("stats.binomial", "binomial_test"), ("stats.sign", "sign_test"), ("measures.recal", "rec")]
    )
    def test_of_its_rooms(self, name, right):
        room, _, wrong = name.partition(".")
        with pytest.raises(AttributeError, match=rf"no attribute '{wrong}'; did you mean .*{room}\.{right}"):
            getattr(getattr(ft, room), wrong)

    def test_of_a_figure_by_its_initials(self, made_results):
        with pytest.raises(UnknownName, match=r"no figure is called 'cd'; did you mean 'critical_difference'"):
            made_results(lambda *_: {"accuracy": 0.5, "fit_time": 1.0}).figure("cd")


class TestPooled:
    def test_against_scikit_learn(self, results, shown):
        name = "f_measure(combine='pooled')"
        rows = results.with_measures(name).scores.query("measure == @name and method == 'bayes'")
        own = rows[rows["dataset"] == "breast_cancer"]
        assert list(own["repeat"]) == [0, 1]
        assert list(own["n_test"]) == [569, 569]
        for value, (_, part) in zip(own["value"], shown(results, "bayes").groupby("repeat"), strict=True):
            assert value == pytest.approx(sk.f1_score(part["truth"], part["label"], pos_label="benign"))

    def test_it_is_not_the_mean_of_the_folds(self, results):
        both = results.with_measures("mcc", "mcc(combine='pooled')").scores.query("dataset == 'iris'")
        means = both.groupby("measure")["value"].mean()
        assert means["mcc"] != pytest.approx(means["mcc(combine='pooled')"], abs=1e-6)

    def test_a_failed_fold_fails_its_repeat(self, tumour_data):
        class Fails(GaussianNB):
            def fit(self, X, y):
                if np.asarray(X)[:, 0].max() < 28.1:  # the largest is in the test set
                    raise ValueError("no")
                return super().fit(X, y)

        methods = {"bayes": GaussianNB(), "fails": ft.Method("fails", Fails(), version="1")}
        study = ft.Study(
            datasets=[tumour_data], methods=methods, resampling="2x3-fold", measures=["auc(combine='pooled')"]
        )
        scores = study.run(None, workers=0, progress=False).scores
        own = scores[scores["method"] == "fails"]
        assert list(own["status"]) == ["failed", "failed"]
        assert own["value"].isna().all()

    def test_tables_of_predictions_too(self):
        rng = np.random.default_rng(1)
        frame = pd.DataFrame({"y": rng.integers(0, 2, 60), "fold": np.arange(60) % 3})
        frame["a"] = (frame["y"] + rng.integers(0, 2, 60) > 1).astype(int)
        results = ft.read_predictions(frame, truth="y", fold="fold", measure="precision(combine='pooled')")
        own = results.scores.query("measure == \"precision(combine='pooled')\"")
        assert list(own["value"]) == [pytest.approx(sk.precision_score(frame["y"], frame["a"]))]
