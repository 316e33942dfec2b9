"""How a cost grows over the levels of a factor: made results with a known growth, and real trials that take it."""

from __future__ import annotations

import json
import math

import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName
from fairtrial.results.analyses.scaling import growth_in_words
from fairtrial.stats import Interval, growth

SIZES = (50, 100, 200, 400)


def seconds(dataset, method, level, fold):
    """Linear and quadratic, the middle of the folds exactly so."""
    power = {"a": 1, "b": 2, "yard": 0}[method]
    return {"accuracy": 0.9, "fit_time": 0.01 * level**power * 1.1 ** (fold - 2)}


class TestGrowth:
    def test_by_hand(self, made_results):
        scaling = made_results(seconds, factor="train_size", levels=SIZES).growth(at=4000)
        assert scaling.exponent("a").estimate == pytest.approx(1)
        assert scaling.exponent("b").estimate == pytest.approx(2)
        row = dict(zip((c.key for c in scaling.to_table().columns), scaling.to_table().rows[1], strict=True))
        assert row["sizes"] == "4: 50 to 400"
        assert row["largest"] == pytest.approx(0.01 * 400**2)
        assert row["predicted"] == pytest.approx(0.01 * 4000**2)
        assert any("4,000 is 10 times the largest size measured" in note for note in scaling.notes)

    def test_the_sentence_comes_first(self, made_results):
        def noisy(dataset, method, level, fold):
            return {"accuracy": 0.9, "fit_time": 1e-3 * level * {50: 1.05, 100: 0.97, 200: 0.99, 400: 1.04}[level]}

        results = made_results(noisy, factor="train_size", levels=SIZES, methods=("forest",))
        found = growth(SIZES, [noisy("", "", n, 0)["fit_time"] for n in SIZES]).exponent
        first = str(results.growth()).splitlines()[0]
        assert first == (
            "fit time of forest grows about linearly with the number of training rows "
            f"(exponent {found.estimate:.2f} [{found.low:.2f}, {found.high:.2f}])"
        )

    def test_folds_that_differ_by_a_row_are_one_size(self, made_results):
        results = made_results(seconds, factor="train_size", levels=(0.25, 0.5, 1))
        results.scores["n_train"] = (results.scores["train_size"] * 100 + results.scores["fold"] % 2).astype(int)
        assert results.growth().fits["wine"]["a"].sizes == (25, 50, 100)

    def test_with_features(self, made_results):
        results = made_results(seconds, factor="feature_count", levels=(2, 0.5, 1), p=8)
        scaling = results.growth()
        assert scaling.fits["wine"]["a"].sizes == (2, 4, 8)
        assert "with the number of features" in scaling.sentences()[0]

    def test_over_data_sets(self, made_results):
        powers = {"wine": 1.0, "iris": 1.2, "glass": 1.4}

        def differing(dataset, method, level, fold):
            return {"accuracy": 0.9, "fit_time": level ** powers[dataset]}

        results = made_results(differing, datasets=tuple(powers), methods=("a",), factor="train_size", levels=SIZES)
        scaling = results.growth()
        mean = scaling.exponent("a")
        # 1.2 ± t(0.975, 2) · 0.2 / √3
        assert (mean.estimate, mean.high) == pytest.approx((1.2, 1.2 + 4.302653 * 0.2 / math.sqrt(3)))
        assert scaling.to_table().rows[-1][:2] == ("mean of 3", "a")
        assert "over 3 data sets (mean exponent 1.20 [" in scaling.sentences()[0]
        assert list(results.growth(dataset="iris").fits) == ["iris"]

    def test_a_method_is_told_over_its_own_data_sets(self, made_results):
        results = made_results(seconds, datasets=("wine", "iris", "glass"), factor="train_size", levels=SIZES)
        here = {"a": ("wine", "iris"), "b": ("iris",)}
        gone = [d not in here[m] for d, m in zip(results.scores["dataset"], results.scores["method"], strict=True)]
        results.scores.loc[gone, ["value", "status"]] = (math.nan, "failed")
        scaling = results.growth()
        assert (scaling.datasets("a"), scaling.datasets("b")) == (("wine", "iris"), ("iris",))
        assert " over 2 data sets (mean exponent 1.00, no interval)" in scaling.sentences()[0]
        assert " on iris (exponent 2.00 [" in scaling.sentences()[1]
        assert [row[:2] for row in scaling.to_table().rows][-2:] == [("iris", "b"), ("mean of 2", "a")]

    def test_yardsticks_only_by_name(self, made_results):
        results = made_results(seconds, factor="train_size", levels=SIZES, methods=("a", "yard"), yardsticks=("yard",))
        assert results.growth().methods() == ("a",)
        assert results.growth(methods=["yard"]).methods() == ("yard",)

    def test_failed_trials_are_left_out_and_stopped_ones_are_long(self, made_results):
        def troubled(dataset, method, level, fold):
            if level == 100 and fold == 0:
                return None
            stopped = (level == 200 and fold < 2) or (level == 400 and fold < 3)
            return {"accuracy": 0.9, "fit_time": ("stopped", 1.0) if stopped else 0.01 * level}

        scaling = made_results(troubled, methods=("a",), factor="train_size", levels=SIZES).growth()
        fit = scaling.fits["wine"]["a"]
        assert fit.sizes == (50, 100, 200)  # at 400 most were stopped: their median is not known
        assert fit.costs == pytest.approx((0.5, 1, 2))
        told = " ".join(scaling.notes)
        assert "a: 5 trials were stopped at the time limit" in told
        assert "a: 1 of 20 trials failed and is left out" in told
        assert "size 400 left out: half or more of the costs there are infinite (a limit was reached)" in told

    def test_a_method_that_always_fails_is_told(self, made_results):
        def one_fails(dataset, method, level, fold):
            return None if method == "b" else seconds(dataset, method, level, fold)

        scaling = made_results(one_fails, factor="train_size", levels=SIZES).growth()
        assert scaling.methods() == ("a",)
        assert "b did not run: all 20 trials failed (no reason recorded)" in scaling.notes
        with pytest.raises(InputError, match="there is no growth of fit_time to be seen: b did not run: all 20 trials"):
            made_results(one_fails, factor="train_size", levels=SIZES, methods=("b",)).growth()

    def test_below_linear_promises_too_much(self, made_results):
        def with_overhead(dataset, method, level, fold):
            return {"accuracy": 0.9, "fit_time": 1 + 0.001 * level}

        scaling = made_results(with_overhead, methods=("a",), factor="train_size", levels=SIZES).growth(at=40_000)
        truth, line = 1 + 0.001 * 40_000, scaling.fits["wine"]["a"].at(40_000).estimate
        linear = 1.4 * 40_000 / 400
        assert line < truth < linear
        assert scaling.notes[-1].endswith("40,000 take up to: a 2 min 20 s")

    def test_short_times_are_told(self, made_results):
        results = made_results(
            lambda *_: {"accuracy": 0.9, "fit_time": 2e-4}, factor="train_size", levels=SIZES, methods=("a",)
        )
        scaling = results.growth()
        assert "below a millisecond (a) the call itself is what is timed: measure larger sizes" in scaling.notes
        assert "hardly grows" in scaling.sentences()[0]

    def test_as_data(self, made_results):
        scaling = made_results(seconds, factor="train_size", levels=SIZES).growth()
        data = json.loads(json.dumps(scaling.to_dict()))
        assert data["fits"]["wine"]["b"]["exponent"]["estimate"] == pytest.approx(2)
        assert "<table" in scaling._repr_html_()

    def test_says_what_was_wrong(self, made_results):
        results = made_results(seconds, factor="train_size", levels=SIZES)
        with pytest.raises(InputError, match=r"growth needs a cost measure such as fit_time .* got 'accuracy'"):
            results.growth("accuracy")
        with pytest.raises(InputError, match=r"no feature_count; run a study with factors={'feature_count': \[2, 4,"):
            results.growth(factor="feature_count")
        with pytest.raises(UnknownName, match="no factor that is a size is called 'train_sise'; did you mean"):
            results.growth(factor="train_sise")
        with pytest.raises(UnknownName, match="no method of these results is called 'c'"):
            results.growth(methods=["c"])
        with pytest.raises(UnknownName, match="no data set of these results is called 'vine'"):
            results.growth(dataset="vine")
        with pytest.raises(InputError, match="these results have no train_size"):
            made_results(lambda *_: {"accuracy": 1, "fit_time": 1}).growth()
        with pytest.raises(InputError, match="a, b: less than two sizes: no growth can be seen"):
            made_results(seconds, factor="train_size", levels=(50,)).growth()
        with pytest.raises(InputError, match="size must be a finite number above 0"):
            results.growth(at=-1)
        with pytest.raises(InputError, match="size must be a finite number above 0, got 'x'"):
            results.growth(at="x")
        with pytest.raises(
            InputError, match="all levels of train_size, but one of them, 200, has been chosen; leave out"
        ):
            results.at(train_size=200).growth()

    def test_other_factors_must_be_chosen(self, made_results):
        results = made_results(seconds, factor="train_size", levels=SIZES)
        results.scores["label_noise"] = 0.1
        both = ft.Results(**{**_fields(results), "factors": {**results.factors, "label_noise": (0.1, 0.2)}})
        with pytest.raises(InputError, match=r"these results also vary label_noise; .*results.at\(label_noise=0.1\)"):
            both.growth()


def _fields(results):
    from dataclasses import fields

    return {f.name: getattr(results, f.name) for f in fields(results)}


@pytest.mark.parametrize(
    ("exponent", "words"),
    [
        ((1.07, 1.01, 1.13), "grows about linearly with"),
        ((2.1, 1.9, 2.3), "grows about with the square of"),
        ((3, 2.9, 3.1), "grows about with the cube of"),
        ((0.5, 0.4, 0.6), "grows more slowly than linearly with"),
        ((1.5, 1.4, 1.6), "grows faster than linearly with"),
        ((2.5, 2.4, 2.6), "grows faster than with the square of"),
        ((4, 3.9, 4.1), "grows faster than with the cube of"),
        ((0.02, -0.1, 0.14), "hardly grows with"),
        ((0.6, -0.1, 1.3), "can't be said to grow with"),
        ((1.0, 0.2, 1.8), "grows with a power between 0.20 and 1.80 of"),
        ((1.2, 0.75, 1.65), "grows with a power between 0.75 and 1.65 of"),  # linear is not excluded
        ((0.8, 0.5, 1.2), "grows with a power between 0.50 and 1.20 of"),
        ((1.0, 0.45, 1.55), "grows with a power between 0.45 and 1.55 of"),  # near, but nobody knows
        ((1.0, 0.5, 1.5), "grows about linearly with"),
        ((2.1, 1.4, 2.8), "grows faster than linearly with"),  # the square is not excluded, linear is
        ((1.7, 1.1, 2.3), "grows faster than linearly with"),
        ((0.6, 0.25, 0.95), "grows more slowly than linearly with"),
        ((-0.5, math.nan, math.nan), "seems to fall, though no interval tells how fast, with"),
        ((-0.5, -0.7, -0.3), "falls with"),
        ((1.0, math.nan, math.nan), "seems to grow, though no interval tells how fast, with"),
        ((math.nan, math.nan, math.nan), "may or may not grow with"),
    ],
)
def test_growth_in_words(exponent, words):
    assert growth_in_words(Interval("exponent", *exponent)) == words


class Keeps(ClassifierMixin, BaseEstimator):
    """Keeps 10 kB for each pair of rows."""

    def fit(self, X, y):
        self.label_, self.pairs_ = y[0], bytes(10_000 * len(X) ** 2)
        return self

    def predict(self, X):
        return [self.label_] * len(X)


@pytest.mark.slow
def test_real_trials(tmp_path):
    study = ft.Study(
        datasets=["wine"],
        methods=[ft.Method("keeps", Keeps(), version="1")],
        resampling="3-fold",
        factors={"train_size": [10, 20, 40, 80]},
        measures=["accuracy", "model_size"],
    )
    results = study.run(tmp_path / "s.trial", workers=0, progress=False)
    scaling = results.growth("model_size")
    fit = scaling.fits["wine"]["keeps"]
    assert fit.sizes == (10, 20, 40, 80)
    assert fit.costs == pytest.approx((1, 4, 16, 64), rel=0.01)
    assert scaling.sentences()[0].startswith("model size of keeps grows about with the square of the number of tr")


def test_traced_memory_is_no_lower_bound(tmp_path):
    study = ft.Study(
        datasets=["iris"], methods=["majority"], resampling="holdout 0.3", factors={"train_size": [10, 20, 40]},
        measures=["peak_memory"], memory="exact",
    )  # fmt: skip
    assert "lower bound" not in str(study.run(None, workers=0, progress=False).growth("peak_memory"))


SLOWLY = """
import time

from sklearn.dummy import DummyClassifier


class Slowly(DummyClassifier):
    def fit(self, X, y):
        if len(X) == 20:
            raise ValueError("twenty is too few")
        time.sleep(0.01 * len(X))
        return super().fit(X, y)
"""


@pytest.mark.slow
def test_real_trials_that_are_stopped_or_fail(tmp_path, monkeypatch):
    (tmp_path / "slowly.py").write_text(SLOWLY)
    monkeypatch.syspath_prepend(tmp_path)
    from slowly import Slowly

    study = ft.Study(
        datasets=["wine"],
        methods={"slowly": Slowly()},
        resampling="2-fold",
        factors={"train_size": [5, 10, 20, 25, 88]},
        measures=["accuracy"],
        time_limit=0.8,
    )
    results = study.run(tmp_path / "s.trial", workers=2, progress=False)
    scaling = results.growth()
    fit = scaling.fits["wine"]["slowly"]
    assert fit.sizes == (5, 10, 25)
    assert fit.costs[0] >= 0.05
    told = " ".join(scaling.notes)
    assert "slowly: 2 trials were stopped at the time limit and count as longer than all others" in told
    assert "slowly: 2 of 10 trials failed and are left out" in told
    assert "size 88 left out: half or more of the costs there are infinite" in told
