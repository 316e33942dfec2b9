"""The final model: fitted on all rows, with the score to expect of it."""

import random

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import fairtrial as ft
from fairtrial.data.encode import encoder_for
from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores


def frame(n=60, shift=0.0):
    rng = np.random.default_rng(3)
    size = rng.normal(size=n)
    colour = rng.choice(["blue", "green", "red"], n)
    y = np.where(size + (colour == "red") + rng.normal(scale=0.3, size=n) > 0.4, "yes", "no")
    return pd.DataFrame({"size": size + shift, "colour": colour, "y": y})


def study(data=None, **more):
    methods = {"near": make_pipeline(StandardScaler(), KNeighborsClassifier(3)), "most": DummyClassifier()}
    methods |= {"tuned": ft.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 3, 9]})}
    given = {"datasets": {"dots": frame() if data is None else data}, "target": "y", "methods": methods}
    return ft.Study(**{**given, "resampling": "5-fold", "measures": ["accuracy"], **more})


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return study().run(tmp_path_factory.mktemp("study") / "dots.trial", workers=0, progress=False)


class TestFinalModel:
    @pytest.mark.slow
    def test_is_the_method_fitted_on_all_rows(self, results):
        data = results.study.datasets[0]
        X = encoder_for(data).fit_transform(data.X)
        by_hand = make_pipeline(StandardScaler(), KNeighborsClassifier(3)).fit(X, data.target)
        model = results.final_model("near")
        new = frame(20).assign(size=lambda f: f["size"] + 0.1)[["colour", "size"]]  # other order of columns
        codes = new["colour"].map({"blue": 0.0, "green": 1.0, "red": 2.0})
        again = encoder_for(data).fit(data.X).transform(np.column_stack([new["size"], codes]))
        assert model.predict(new).tolist() == by_hand.predict(again).tolist()
        assert model.predict_proba(new) == pytest.approx(by_hand.predict_proba(again))
        assert model.classes == ("no", "yes")
        assert set(model.predict(new)) <= {"yes", "no"}

    @pytest.mark.slow
    def test_says_what_to_expect(self, results):
        model = results.final_model("near")
        (interval,) = [i for (_, m), i in results.cv_intervals().intervals.items() if m == "near"]
        assert (model.expected.estimate, model.expected.low) == (interval.estimate, interval.low)
        assert str(model).startswith(
            "near is fitted on all 60 rows of dots. Its expected accuracy on new rows is the one that 5-fold found, 0."
        )
        assert "slightly pessimistic, since the models that were tested learned from 48 rows only." in str(model)
        assert ("the best of" in str(model)) != ("the best of" in str(results.final_model("most")))

    @pytest.mark.slow
    def test_tunes_on_all_rows_and_is_made_again(self, results):
        one, other = (results.final_model("tuned") for _ in range(2))
        assert one.estimator.best_params_ == other.estimator.best_params_
        assert len(one.estimator.tried_) == 3

    @pytest.mark.slow
    def test_leaves_the_global_generators_as_they_were(self, results):
        random.seed(7)
        expected = random.Random(7).random()
        results.final_model("near")
        assert random.random() == expected

    @pytest.mark.slow
    def test_of_a_study_file_it_needs_the_study(self, results):
        read = ft.read_study(results.path)
        with pytest.raises(InputError, match="a study file keeps no code and no data; give it"):
            read.final_model("near")
        assert str(read.final_model("near", study=study())) == str(results.final_model("near"))
        with pytest.raises(InputError, match=r"the data of 'dots' have changed .* run the study again"):
            read.final_model("near", study=study(frame(shift=0.01)))
        other = study(methods={"near": KNeighborsClassifier(7), "most": DummyClassifier()})
        with pytest.raises(InputError, match="'near' of the study is not the method that was run"):
            read.final_model("near", study=other)
        with pytest.raises(InputError, match="study must be a Study or the path"):
            read.final_model("near", study=3)

    @pytest.mark.slow
    def test_says_what_was_wrong(self, results):
        with pytest.raises(UnknownName, match="no method of this study is called 'nera'; did you mean 'near'"):
            results.final_model("nera")
        with pytest.raises(UnknownName, match="data set of these results"):
            results.final_model("near", "iris")
        with pytest.raises(InputError, match="X must have the columns of 'dots', but lacks 'colour'"):
            results.final_model("near").predict(pd.DataFrame({"size": [1.0]}))

    def test_of_a_table_there_is_no_method(self):
        scores = pd.DataFrame({"dataset": ["d"] * 2, "method": ["a", "b"], "accuracy": [0.1, 0.2]})
        with pytest.raises(InputError, match="these results were read from a table of scores or predictions"):
            read_scores(scores, measure="accuracy").final_model("a")


class TestSchemes:
    @pytest.mark.slow
    def test_an_interval_stays_in_the_range_of_the_measure(self):
        easy = frame().assign(size=lambda f: np.where(f["y"] == "yes", 5.0, -5.0) + f.index / 1000)
        easy.loc[0, "size"] *= -1  # one row that is not
        run = study(easy, methods={"near": KNeighborsClassifier(1)}).run(workers=0, progress=False)
        assert run.cv_intervals()["dots", "near"].high > 1
        assert run.final_model("near").expected.high == 1

    @pytest.mark.slow
    def test_bootstrap(self):
        run = study(methods={"near": KNeighborsClassifier(1)}, resampling="bootstrap 3")
        model = run.run(workers=0, progress=False).final_model("near")
        assert "learned from about 63 % of the rows." in model.sentence

    @pytest.mark.slow
    def test_scores_on_training_rows_are_too_optimistic(self):
        run = study(methods={"near": KNeighborsClassifier(1)}, resampling="resubstitution")
        sentence = run.run(workers=0, progress=False).final_model("near").sentence
        assert sentence.endswith("That is too optimistic: the rows that were tested had been learned from.")


class TestFactors:
    @pytest.mark.slow
    def test_settings_and_training_data(self, tmp_path):
        factors = {"label_noise": [0, 0.3], "n_neighbors": [1, 9]}
        run = study(methods={"near": KNeighborsClassifier()}, factors=factors, resampling="3-fold")
        results = run.run(workers=0, progress=False)
        with pytest.raises(InputError, match="several levels of label_noise and n_neighbors"):
            results.final_model("near")
        clean = results.at(label_noise=0, n_neighbors=9)
        assert clean.final_model("near").estimator.n_neighbors == 9
        with pytest.raises(InputError, match=r"at label_noise 30 %; choose results.at\(label_noise=0\)"):
            results.at(label_noise=0.3, n_neighbors=9).final_model("near")

    @pytest.mark.slow
    def test_numbers(self):
        X = np.arange(40.0)[:, None]
        run = ft.Study(
            datasets={"line": (X, 2 * X[:, 0] + 1.5)}, methods={"ols": LinearRegression()}, resampling="3-fold"
        )
        model = run.run(workers=0, progress=False).final_model("ols")
        assert model.predict([[50.0]]) == pytest.approx([101.5])
        assert model.classes == ()
        with pytest.raises(InputError, match="'ols' gives no probabilities; take predict"):
            model.predict_proba(X)
