"""A nested study from TOML, end to end: run, resumed with one more level, judged at a setting, exported, read back."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from engine_runs import numbers
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.design.layouts import CodedRows
from fairtrial.engine import run
from fairtrial.store import StudyFile

STUDY = """
datasets = ["iris", "wine"]
resampling = "3-fold"
measures = ["accuracy", "fit_time"]

[methods.pipeline]
use = "sklearn.pipeline.Pipeline"
steps = [["scale", "passthrough"], ["model", { use = "sklearn.svm.SVC" }]]

[methods.bayes]
use = "sklearn.naive_bayes.GaussianNB"

[[factor]]
name = "model"
of = "pipeline.model"
levels = { svm = { use = "sklearn.svm.SVC" }, tree = { use = "sklearn.tree.DecisionTreeClassifier" } }

[[factor]]
name = "C"
log = [0.1, 10.0]
when = { model = "svm" }

[[factor]]
name = "max_depth"
levels = DEPTHS
when = { model = "tree" }

[[factor]]
name = "scaling"
of = "scale"
levels = { none = "passthrough", standard = { use = "sklearn.preprocessing.StandardScaler" } }

[[factor]]
name = "train_size"
levels = [0.5, 1]
role = "uncontrollable"
"""


def study(folder, depths='[2, "None"]'):
    (folder / "study.toml").write_text(STUDY.replace("DEPTHS", depths))
    return ft.load_study(folder / "study.toml")


@dataclass(frozen=True)
class Depths:
    """A layout with these coded levels of its one factor."""

    coded: tuple[float, ...]
    kind: ClassVar[str] = "depths"

    def lay_out(self, axes, seed):
        return CodedRows(tuple(axes), np.array(self.coded, dtype=float)[:, None])

    def to_dict(self):
        return {"kind": self.kind, "coded": list(self.coded)}


def accuracy(scores, dataset, method):
    own = (scores["dataset"] == dataset) & (scores["method"] == method) & (scores["measure"] == "accuracy")
    return scores.loc[own, "value"].tolist()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("nested")


@pytest.fixture(scope="module")
def results(folder):
    return study(folder).run(folder / "nested.trial", workers=0, progress=False)


class TestTrialsAtSettings:
    @pytest.mark.slow
    def test_worker_processes_give_the_same_numbers(self, tmp_path):
        made = study(tmp_path)
        small = ft.Study(datasets=["iris"], methods=made.methods[:1], factors=made.factors, resampling="2-fold")
        files = [run(small, tmp_path / f"{n}.trial", workers=n, progress=False) for n in (0, 2)]
        first, second = map(numbers, files)
        assert len(first) == 2 * (16 + 2)
        assert first == second

    def test_a_setting_that_a_method_refuses_is_a_record(self):
        tree = ft.Study(
            datasets=["iris"], methods={"tree": DecisionTreeClassifier()}, factors={"max_depth": [-3, 2]},
            resampling="2-fold", measures=["accuracy"],
        )  # fmt: skip
        found = tree.run(workers=0, progress=False)
        assert found.failures["max_depth"].tolist() == [-3, -3]
        assert "max_depth" in found.failures["error"].iloc[0]
        assert set(found.at(max_depth=2).scores["status"]) == {"ok"}
        assert "Nothing is said at max_depth -3" in str(found.verdicts())

    def test_features_that_are_chosen_by_name_need_a_frame(self):
        columns = ColumnTransformer([("one", "passthrough", ["petal length (cm)"])])
        pipe = Pipeline([("pick", "passthrough"), ("model", DecisionTreeClassifier())])
        made = ft.Study(
            datasets=["iris"], methods={"p": pipe}, resampling="2-fold", measures=["accuracy"],
            factors=[ft.Factor("pick", {"all": "passthrough", "one": columns})],
        )  # fmt: skip
        found = made.run(workers=0, progress=False)
        assert found.failures.empty
        values = found.scores.query("method == 'p'").groupby("pick")["value"].mean()
        assert values["all"] != values["one"]

    @pytest.mark.slow
    def test_a_larger_layout_runs_the_new_rows_only(self, tmp_path):
        def made(*depths):
            return ft.Study(
                datasets=["iris"], methods={"tree": DecisionTreeClassifier()}, resampling="2-fold",
                factors=[ft.Factor("max_depth", linear=(1, 9))], plan=Depths(depths),
            )  # fmt: skip

        made(-1, 1).run(tmp_path / "a.trial", workers=0, progress=False)
        found = made(-1, 0, 0.5, 1).run(tmp_path / "a.trial", workers=0, progress=False)
        assert found.factors == {"max_depth": (1, 5, 7, 9)}
        with StudyFile(tmp_path / "a.trial") as file:
            assert [n for (n,) in file.query("SELECT COUNT(*) FROM trial GROUP BY session")] == [2 * 3, 2 * 2]
            assert file.definition().layout == {"kind": "depths", "coded": [-1, 0, 0.5, 1]}

    def test_rows_of_a_plan_can_be_chosen_and_joined(self, tmp_path):
        made = study(tmp_path)
        plan = made.plan()
        tree = np.array([levels.get("model") == "tree" for levels in plan.levels])
        part = plan.only(tree[plan.level])
        assert {t.levels["model"] for t in part.trials()} == {"tree"}
        turned = ft.Study(
            datasets=made.datasets[::-1], methods=made.methods[1::-1], factors=made.factors, resampling="3-fold"
        )
        whole = part.join(turned.plan())  # the other study has its data sets and methods in another order
        assert {t.key for t in whole.trials()} == {t.key for t in plan.trials()}
        found = made.run(tmp_path / "a.trial", plan=part.only(slice(0, 6)), workers=0, progress=False)
        assert len(found.scores) == 6 * 2

    def test_the_example(self):
        made = ft.load_study(Path(__file__).parents[2] / "examples" / "nested.toml")
        assert len(made.plan().settings.cells) == 2 * 2 * (2 + 2 + 2 * 2) + 2


@pytest.mark.slow  # its study of many settings is run for any of them
class TestNestedStudy:
    def test_settings_by_hand(self, folder):
        # pipeline: (svm × 2 C + tree × 2 depths) × 2 scalings × 2 sizes = 16; bayes and majority: 2 sizes each
        plan = study(folder).plan()
        assert len(plan.settings.cells) == 16 + 2 + 2
        assert len(plan) == 20 * 2 * 3
        assert plan.headline() == "2 data sets × 20 settings of 3 methods × 3-fold = 120 trials"
        text = str(plan)
        assert "C: log range 0.1–10, controllable, on pipeline, only where model is svm" in text
        assert "train_size: training data 50 %, all, uncontrollable, a block" in text
        for trial in plan.trials():
            assert ("C" in trial.levels) == (trial.levels.get("model") == "svm")
            assert ("max_depth" in trial.levels) == (trial.levels.get("model") == "tree")

    def test_scores_have_a_column_for_each_factor(self, results):
        assert results.failures.empty
        assert list(results.scores.columns[:9]) == [
            "dataset", "method", "train_size", "model", "C", "max_depth", "scaling", "replicate", "repeat",
        ]  # fmt: skip
        assert results.factors["C"] == (0.1, 10.0)
        assert results.factors["max_depth"] == (2, None)
        pipeline = results.scores[results.scores["method"] == "pipeline"]
        assert (pipeline["C"].notna() == (pipeline["model"] == "svm")).all()
        assert set(pipeline["max_depth"].dropna()) == {"2", "None"}
        assert results.scores.loc[results.scores["method"] == "bayes", ["model", "C", "scaling"]].isna().all(axis=None)

    def test_a_trial_is_the_method_with_these_parameters(self, folder, results):
        own = Pipeline([("scale", StandardScaler()), ("model", SVC(C=10.0))])
        same = ft.Study(datasets=["iris", "wine"], methods={"own": own}, resampling="3-fold", measures="accuracy")
        scores = same.run(workers=0, progress=False).scores
        there = results.at(train_size=1, model="svm", C=10.0, scaling="standard").scores
        for dataset in ("iris", "wine"):
            assert accuracy(there, dataset, "pipeline") == accuracy(scores, dataset, "own")
        with StudyFile(folder / "nested.trial") as file:
            keys = {row[0] for row in file.query("SELECT key FROM trial")}
        assert {t.key for t in same.plan().trials() if t.method == 0} <= keys

    def test_one_more_level_runs_the_new_trials_only(self, folder, results):
        more = study(folder, '[2, 5, "None"]')
        before = {t.key for t in study(folder).plan().trials()}
        new = [t for t in more.plan().trials() if t.key not in before]
        assert {(t.levels["model"], t.levels["max_depth"]) for t in new} == {("tree", 5)}
        found = more.run(folder / "nested.trial", workers=0, progress=False)
        with StudyFile(folder / "nested.trial") as file:
            attempts = dict(file.query("SELECT attempts, COUNT(*) FROM trial GROUP BY attempts"))
            sessions = [n for (n,) in file.query("SELECT COUNT(*) FROM trial GROUP BY session ORDER BY session")]
        assert attempts == {1: len(before) + len(new)}
        assert sessions == [len(before), len(new)] == [120, 2 * 2 * 2 * 3]
        assert found.factors["max_depth"] == (2, 5, None)

    def test_a_verdict_at_one_setting(self, results):
        at = results.at(train_size=1, model="tree", max_depth=None, scaling="none")
        assert at.factors == {}  # C does not exist there
        assert set(at.method_names()) == {"pipeline", "bayes", "majority"}
        verdict = at.verdict(domains="these")
        tree = ft.Study(
            datasets=["iris", "wine"], resampling="3-fold", measures="accuracy",
            methods={"own": Pipeline([("scale", "passthrough"), ("model", DecisionTreeClassifier())])},
        ).run(workers=0, progress=False)  # fmt: skip
        own = tree.scores.query("method == 'own'").groupby("dataset")["value"].mean()
        column = verdict.evidence.columns.index("pipeline")
        assert np.allclose(verdict.evidence.means[:, column], own[list(verdict.evidence.datasets)])

    def test_verdicts_at_all_settings(self, results):
        verdicts = results.verdicts(domains="these")
        assert len(verdicts.levels) == 16
        assert "–" in str(verdicts.to_table())  # C of a tree
        assert "max_depth None" in str(verdicts)

    def test_exported_and_read_back(self, folder, results, tmp_path):
        results.export(scores=tmp_path / "scores.csv")
        back = ft.read_scores(tmp_path / "scores.csv", measure="accuracy", resampling="3-fold")
        assert list(back.factors) == list(results.factors)
        assert back.factors["model"] == ("svm", "tree")
        assert back.failures.empty
        levels = {"train_size": 1, "model": "tree", "max_depth": None, "scaling": "none"}
        own, other = (found.at(levels).verdict("accuracy", domains="these") for found in (results, back))
        columns = [other.evidence.columns.index(m) for m in own.evidence.methods]
        assert np.allclose(own.evidence.means[:, :2], other.evidence.means[:, columns])
        assert len(back.levels()) == len(results.levels()) == 16
