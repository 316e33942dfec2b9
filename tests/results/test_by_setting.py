"""Each setting of a method as a method of its own."""

import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.errors import InputError
from fairtrial.verdict.verify import verify


@pytest.fixture(scope="module")
def results():
    study = ft.Study(
        datasets=["iris", "wine"], methods={"tree": DecisionTreeClassifier(), "bayes": GaussianNB()},
        factors={"tree.max_depth": [1, None], "label_noise": [0, 0.2]}, resampling="3-fold", measures=["accuracy"],
    )  # fmt: skip
    return study.run(workers=0, progress=False)


class TestBySetting:
    NAMES = ("tree (max_depth 1)", "tree (max_depth None)", "bayes", "majority")

    @pytest.mark.slow
    def test_names_and_factors(self, results):
        found = results.by_setting()
        assert set(found.method_names()) == set(self.NAMES)
        assert list(found.factors) == ["label_noise"]
        assert len(found.scores) == len(results.scores)
        assert found.yardsticks == ("majority",)

    def test_scores_are_those_of_the_setting(self, results):
        at = results.at({"tree.max_depth": None, "label_noise": 0.2}).scores
        own = results.by_setting().at(label_noise=0.2).scores
        first = at.loc[at["method"] == "tree", "value"].tolist()
        assert first == own.loc[own["method"] == "tree (max_depth None)", "value"].tolist()

    def test_settings_are_compared_like_methods(self, results):
        found = results.by_setting().at(label_noise=0)
        verdict = found.verdict(domains="these")
        assert set(verdict.evidence.columns) == set(self.NAMES)
        assert verdict.evidence.methods[0] in str(verdict)

    def test_new_measures_and_predictions_too(self, results):
        found = results.by_setting().at(label_noise=0)
        assert set(found.with_measures("kappa").scores["method"]) == set(self.NAMES)
        assert len(found.predicted("iris", "tree (max_depth 1)").truth) == 150

    @pytest.mark.slow
    def test_a_verdict_on_settings_is_made_again(self, tmp_path):
        study = ft.Study(
            datasets=["iris"], methods={"tree": DecisionTreeClassifier()}, factors={"max_depth": [1, None]},
            resampling="3-fold", measures=["accuracy"],
        )  # fmt: skip
        found = study.run(tmp_path / "a.trial", workers=0, progress=False).by_setting()
        (tmp_path / "verdict.json").write_text(found.verdict().render("json"))
        assert verify(tmp_path / "verdict.json", tmp_path / "a.trial").agrees

    def test_without_factors_on_methods(self, results):
        with pytest.raises(InputError, match="no factors on methods whose settings could be compared"):
            results.at({"tree.max_depth": 1}).by_setting()
