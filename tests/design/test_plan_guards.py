"""Guards of plans: each on a study that has what it looks for, and on one that has not."""

from __future__ import annotations

import numpy as np
import pytest
from own_layouts import Rows
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.data import Dataset
from fairtrial.design import plan_guards


def plan(**changes):
    return ft.Study(**{"datasets": ["iris"], "methods": ["one_rule"], "resampling": "5-fold", **changes}).plan()


def found(guard, **changes):
    return [(notice.about, notice.text) for notice in getattr(plan_guards, guard)(plan(**changes))]


class TestLevelsLeftOut:
    def test_a_level_and_a_combination(self):
        factors = {"class_balance": [0.5, 0.02], "train_size": [20, 300, 1]}
        assert found("levels_left_out", datasets=["breast_cancer"], resampling="3-fold", factors=factors) == [
            ("breast_cancer", "breast_cancer: too small for train_size 300, left out for it"),
            (
                "breast_cancer",
                "breast_cancer: too small for class_balance 2 %, train_size 20 together, left out for it",
            ),
        ]

    def test_nothing_is_left_out(self):
        assert found("levels_left_out", factors={"train_size": [20]}) == []

    def test_factors_on_methods_leave_nothing_out(self):
        factors = {"train_size": [20, 1000], "var_smoothing": [1e-9, 1e-3]}
        assert found("levels_left_out", methods={"bayes": GaussianNB()}, factors=factors) == [
            ("iris", "iris: too small for train_size 1,000, left out for it")
        ]


class TestSettings:
    SMOOTHING = ft.Factor("var_smoothing", log=(1e-9, 1e-7))

    def laid_out(self, guard, *rows):
        return found(guard, methods={"bayes": GaussianNB()}, factors=[self.SMOOTHING], plan=Rows(rows))

    def test_the_same_again(self):
        assert self.laid_out("same_settings", (0,), (1,)) == []
        ((_, text),) = self.laid_out("same_settings", (0,), (1,), (1,))
        assert text.startswith("1 row of the plan has a setting that another row has already")

    def test_center_points_say_that_replicates_must_vary_split_or_seed(self):
        plan = {"kind": "full factorial", "center": 3}
        parts = {"methods": {"bayes": GaussianNB()}, "factors": [self.SMOOTHING], "plan": plan}
        made = ft.Study(datasets=["iris"], resampling="3-fold", **parts).plan()
        (notice,) = [n for n in made.notices if n.guard == "same_settings"]
        assert "2 rows of the plan have a setting that another row has already" in notice.text
        assert "with the same seed and split it would give the same number again" in notice.text
        assert notice.remedy.startswith("replicates=… repeats settings with other seeds, more repeats of the resampl")
        assert len(made.effects[0].design.coded.rows) == 3

    def test_beyond_the_range(self):
        assert self.laid_out("beyond_the_range", (-1,), (1,)) == []
        ((about, text),) = self.laid_out("beyond_the_range", (-1,), (1.5,), (-2,))
        assert about == "var_smoothing"
        assert text.startswith(
            "the plan goes beyond the range of var_smoothing, 1e-09–1e-07: it has 1e-10 and 3.16228e-07"
        )


class TestReplicatesWithoutChance:
    def test_only_where_no_seed_is_open(self):
        methods = {
            "bayes": GaussianNB(),
            "fixed": DecisionTreeClassifier(random_state=3),
            "tree": DecisionTreeClassifier(),
        }
        ((_, text),) = found("replicates_without_chance", methods=methods, replicates=3)
        assert "and bayes and fixed have no open random_state" in text.replace(", majority", "")
        assert "all 3 replicates give the same numbers" in text
        assert found("replicates_without_chance", methods=methods) == []

    def test_a_level_may_bring_a_seed(self):
        pipe = Pipeline([("model", GaussianNB())])
        factors = [ft.Factor("model", {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()})]
        assert found("replicates_without_chance", methods={"p": pipe}, factors=factors, replicates=2) == []
        ((_, text),) = found("replicates_without_chance", methods={"p": pipe}, replicates=2)
        assert "and p has no open random_state" in text


class TestBlindSearch:
    @pytest.mark.parametrize("groups", [None, np.repeat(np.arange(18), 5)])
    def test_only_where_there_are_groups(self, groups):
        target = np.where(np.arange(90) % 3, "no", "yes")
        data = Dataset.from_arrays(np.arange(180.0).reshape(90, 2), target, name="numbered", groups=groups)
        inside = BaggingClassifier(ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}))
        resampling = "3-fold" if groups is None else "grouped 3-fold"
        notices = found("blind_search", datasets=[data], methods={"bag": inside}, resampling=resampling)
        assert [about for about, _ in notices] == ["bag"] * (groups is not None)
        assert all(text.endswith("or times of numbered; put tuned(…) around the whole") for _, text in notices)


class TestTracedMemory:
    def test_by_hand(self):
        pytest.importorskip("memray")
        assert found("traced_memory") == []
        assert "fits slower" in found("traced_memory", memory="exact")[0][1]


class TestSplitsWithoutTest:
    def test_by_hand(self):
        assert found("splits_without_test") == []
        assert "optimistic" in found("splits_without_test", resampling="resubstitution")[0][1]
