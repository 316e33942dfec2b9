"""Results at several levels of factors."""

import warnings

import pytest
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fairtrial.design import Study
from fairtrial.errors import InputError, UnknownName
from fairtrial.results import Results, read_study

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class Noisy(DummyClassifier):
    def fit(self, X, y):
        warnings.warn("I warn", stacklevel=2)
        return super().fit(X, y)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    study = Study(
        datasets=["iris", "breast_cancer"], methods=["majority", "one_rule"], resampling="5-fold",
        factors={"label_noise": [0, 0.3], "train_size": [20, 200]}, measures=["accuracy", "fit_time"],
    )  # fmt: skip
    file = tmp_path_factory.mktemp("levels") / "levels.trial"
    study.run(file, workers=2, progress=False)
    return file


@pytest.fixture
def results(path) -> Results:
    return read_study(path)


class TestLevels:
    def test_a_column_for_each_factor(self, results):
        assert list(results.scores)[:5] == ["dataset", "method", "train_size", "label_noise", "replicate"]
        assert results.factors == {"train_size": (20, 200), "label_noise": (0, 0.3)}
        assert results.levels() == [
            {"train_size": 20, "label_noise": 0},
            {"train_size": 20, "label_noise": 0.3},
            {"train_size": 200, "label_noise": 0},
            {"train_size": 200, "label_noise": 0.3},
        ]
        assert len(results.scores) == 2 * (2 * 2 * 2 * 5 + 2 * 2 * 5)  # measures; iris has only one size

    def test_rows_learned_from(self, results):
        sizes = results.scores.groupby("train_size")["n_train"].unique()
        assert {level: list(n) for level, n in sizes.items()} == {20: [20], 200: [200]}

    def test_predictions_say_their_level(self, results):
        frame = results.predictions
        assert set(frame["label_noise"]) == {0, 0.3}
        assert len(frame) == 2 * 2 * 150 + 2 * 2 * 2 * 569

    def test_a_table_with_levels(self, results):
        text = str(results)
        assert "train_size 200, label_noise 30 %  breast_cancer" in text


class TestAt:
    def test_is_what_it_would_be_alone(self, results, tmp_path):
        alone = Study(
            datasets=["iris", "breast_cancer"], methods=["majority", "one_rule"], resampling="5-fold",
            factors={"label_noise": [0.3], "train_size": [20]}, measures=["accuracy"],
        ).run(workers=0, progress=False)  # fmt: skip
        chosen = results.at(label_noise=0.3, train_size=20)
        own = chosen.scores[chosen.scores["measure"] == "accuracy"].reset_index(drop=True)
        assert own.equals(alone.at(label_noise=0.3, train_size=20).scores.reset_index(drop=True))
        assert chosen.factors == {}
        assert chosen.chosen == {"label_noise": 0.3, "train_size": 20}

    def test_one_after_the_other(self, results):
        twice = results.at(label_noise=0).at(train_size=200)
        assert twice.scores.equals(results.at({"train_size": 200, "label_noise": 0}).scores)
        assert twice.levels() == [{}]

    def test_a_new_measure_is_computed_at_the_level(self, results):
        both = results.with_measures("error_rate").at(label_noise=0.3, train_size=20)
        later = results.at(label_noise=0.3, train_size=20).with_measures("error_rate")
        for found in (both, later):
            wide = found.scores.pivot(index=["dataset", "method", "fold"], columns="measure", values="value")
            assert (wide["accuracy"] + wide["error_rate"] - 1).abs().max() < 1e-12

    def test_what_is_told_of_trials_is_of_the_level(self, tmp_path):
        study = Study(
            datasets=["iris"], methods={"warns": Noisy()}, resampling="2-fold", factors={"label_noise": [0, 0.3]},
            measures=["accuracy"],
        )  # fmt: skip
        results = study.run(workers=0, progress=False)
        assert results.warnings == {"warns": 4}
        assert results.at(label_noise=0.3).warnings == {"warns": 2}

    def test_only_data_sets_that_have_the_level(self, results):
        assert set(results.at(train_size=200).dependence) == {"breast_cancer"}
        assert set(results.at(train_size=20).dependence) == {"iris", "breast_cancer"}

    def test_predicted_and_curves(self, results):
        spoilt = results.at(label_noise=0.3, train_size=20)
        clean = results.at(label_noise=0, train_size=20)
        labels = [r.predicted("iris", "one_rule").channels["label"] for r in (spoilt, clean)]
        assert len(labels[0]) == len(labels[1]) == 150
        assert (labels[0] != labels[1]).any()
        assert clean.confusion_matrix("one_rule", "iris").counts.sum() == 150

    def test_methods_with_settings_of_their_own_are_combined(self):
        study = Study(
            datasets=["iris"], methods={"tree": DecisionTreeClassifier(), "knn": KNeighborsClassifier()},
            factors={"max_depth": [2, None], "n_neighbors": [1, 5, 9], "label_noise": [0, 0.3]}, resampling="2-fold",
            measures=["accuracy"],
        )  # fmt: skip
        found = study.run(workers=0, progress=False)
        combinations = found.levels()
        assert len(combinations) == 2 * 2 * 3
        assert combinations[0] == {"label_noise": 0, "max_depth": 2, "n_neighbors": 1}
        assert combinations[-1] == {"label_noise": 0.3, "max_depth": None, "n_neighbors": 9}
        at = found.at(combinations[-1])
        assert at.factors == {}
        assert len(at.scores) == 3 * 2
        half = found.at(max_depth=2, label_noise=0)
        assert set(half.scores["method"]) == {"tree", "knn", "majority"}
        assert half.factors == {"n_neighbors": (1, 5, 9)}
        with pytest.raises(InputError, match=r"results\.at\(n_neighbors=1\)"):
            half.verdict()

    def test_text_that_is_written_like_a_level(self, results):
        assert results.at(label_noise="0.3").chosen == {"label_noise": 0.3}

    @pytest.mark.parametrize(
        ("chosen", "text"),
        [
            ({"noise": 0}, "no factor of these results is called 'noise'; did you mean 'label_noise'"),
            ({"label_noise": 0.1}, "label_noise must be one of [0, 0.3] in these results, got 0.1"),
        ],
    )
    def test_unknown(self, results, chosen, text):
        with pytest.raises((InputError, UnknownName)) as raised:
            results.at(chosen)
        assert text in str(raised.value)

    @pytest.mark.parametrize(
        "mixing",
        [
            lambda r: r.verdict(),
            lambda r: r.at(label_noise=0).verdict(),
            lambda r: r.predicted("iris", "one_rule"),
            lambda r: r.curves("roc", dataset="breast_cancer"),
            lambda r: r.confusion_matrix("one_rule", "iris"),
            lambda r: r.contexts("breast_cancer"),
        ],
    )
    def test_levels_are_never_mixed(self, results, mixing):
        with pytest.raises(InputError, match=r"several levels of .*choose one, such as results\.at\("):
            mixing(results)
