"""The settings of methods, from factors and layout."""

from math import nan

import numpy as np
import pytest
from factor_plans import tree_plan
from own_layouts import Asked, Rows
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fairtrial import Factor, Study
from fairtrial.design.setting_rows import lay_out_settings
from fairtrial.errors import InputError

FOREST, SVM, BAYES = RandomForestClassifier(), SVC(), GaussianNB()


def study(methods, factors, plan=None):
    return Study(datasets=["iris"], methods=methods, factors=factors, plan=plan, resampling="2-fold")


def settings(made: Study) -> dict[str, list[dict]]:
    rows = lay_out_settings(made)
    return {
        m.name: [dict(rows.levels[v]) for v, number in rows.cells.tolist() if number == i]
        for i, m in enumerate(made.methods)
    }


class TestAllCombinations:
    def test_each_method_has_those_of_its_own_factors(self):
        made = study(
            {"forest": FOREST, "svm": SVM, "bayes": BAYES},
            {"max_depth": [3, None], "C": {"log": (0.1, 10.0)}, "label_noise": [0, 0.1]},
        )
        found = settings(made)
        assert found["bayes"] == found["majority"] == [{"label_noise": 0}, {"label_noise": 0.1}]
        assert found["forest"] == [
            {"label_noise": n, "max_depth": d} for n in (0, 0.1) for d in (3, None)
        ]  # fmt: skip
        assert found["svm"] == [{"label_noise": n, "C": c} for n in (0, 0.1) for c in (0.1, 10.0)]  # the two ends

    def test_many_methods_with_factors_of_their_own_do_not_multiply(self):
        methods = {f"forest{i}": RandomForestClassifier(n_estimators=i + 1) for i in range(12)}
        factors = [
            Factor(f"forest{i}.{p}", levels)
            for i in range(12)
            for p, levels in (("max_depth", [2, 3, 4]), ("max_features", [1, 2]))
        ]
        assert len(lay_out_settings(study(methods, factors)).cells) == 12 * 6 + 1  # not 6 ** 12

    def test_nested(self):
        pipe = Pipeline([("model", SVC())])
        factors = [
            Factor("C", [1, 10], when={"model": "svm"}),
            Factor("model", {"svm": SVC(), "tree": DecisionTreeClassifier()}, of="pipe.model"),
            Factor("gamma", [0.1, 1], when={"C": 10}),
        ]
        assert settings(study({"pipe": pipe}, factors))["pipe"] == [
            {"C": 1, "model": "svm"},
            {"model": "tree"},
            {"C": 10, "model": "svm", "gamma": 0.1},
            {"C": 10, "model": "svm", "gamma": 1},
        ]

    def test_too_many(self):
        factors = {name: list(range(1, 60)) for name in ("max_depth", "min_samples_leaf", "max_leaf_nodes")}
        with pytest.raises(InputError, match="are 205,379 settings, more than 200,000; choose a plan with fewer"):
            lay_out_settings(study({"forest": FOREST}, factors))


class TestLayouts:
    def test_codes_become_levels(self):
        made = study(
            {"forest": FOREST},
            [
                Factor("max_depth", [3, None]),
                Factor("n_estimators", linear=(10, 20)),
                Factor("ccp_alpha", log=(0.01, 1)),
            ],
            Rows(((0, -1, 0), (1, 0.5, 1), (1, 1.4, nan))),
        )
        assert settings(made)["forest"] == [
            {"max_depth": 3, "n_estimators": 10, "ccp_alpha": 0.1},
            {"max_depth": None, "n_estimators": 18, "ccp_alpha": 1.0},  # 17.5 is rounded
            {"max_depth": None, "n_estimators": 22},  # beyond the end, as a central composite has it
        ]
        assert lay_out_settings(made).notes == ("A is mixed with BC",)

    def test_blocks_are_crossed_with_the_rows(self):
        factors = [
            Factor("max_depth", [3, 6]),
            Factor("label_noise", [0, 0.1], role="uncontrollable"),
            Factor("bootstrap", [True, False], role="uncontrollable"),
        ]
        asked = Asked([])
        found = settings(study({"forest": FOREST}, factors, asked))["forest"]
        assert [[a.name for a in axes] for axes in asked.seen] == [["max_depth"]]
        assert found == [
            {"label_noise": n, "max_depth": 3, "bootstrap": b} for n in (0, 0.1) for b in (True, False)
        ]  # fmt: skip

    def test_nesting_is_told_by_numbers_of_levels(self):
        pipe = Pipeline([("model", SVC())])
        factors = [
            Factor("model", {"svm": SVC(), "tree": DecisionTreeClassifier()}, of="pipe.model"),
            Factor("max_depth", [2, 3], when={"model": ["tree"]}),
        ]
        asked = Asked([])
        lay_out_settings(study({"pipe": pipe}, factors, asked))
        assert [(a.name, a.levels, dict(a.when)) for a in asked.seen[0]] == [
            ("model", 2, {}),
            ("max_depth", 2, {"model": frozenset({1})}),
        ]

    def test_a_factor_nested_in_a_block_is_left_out_elsewhere(self):
        factors = [
            Factor("label_noise", [0, 0.1], role="uncontrollable"),
            Factor("max_depth", [2, 3], when={"label_noise": 0.1}),
        ]
        found = settings(study({"forest": FOREST}, factors, Rows(((0,), (1,)))))["forest"]
        assert found == [{"label_noise": 0}, {"label_noise": 0.1, "max_depth": 2}, {"label_noise": 0.1, "max_depth": 3}]

    def test_one_layout_for_each_set_of_factors_that_is_no_part_of_another(self):
        asked = Asked([])
        made = study(
            {"forest": FOREST, "tree": DecisionTreeClassifier(), "svm": SVM, "bayes": BAYES},
            {"max_depth": [3, 6], "n_estimators": [5, 10], "C": [1, 10], "label_noise": [0, 0.1]},
            asked,
        )
        found = settings(made)
        assert [{a.name for a in axes} for axes in asked.seen] == [
            {"label_noise", "max_depth", "n_estimators"},
            {"label_noise", "C"},
        ]
        assert found["tree"] == [{"label_noise": 0, "max_depth": 3}]  # from the rows of the forest
        assert found["bayes"] == [{"label_noise": 0}]

    def test_rows_that_are_rounded_to_one_setting_are_counted(self):
        made = study(
            {"forest": FOREST}, [Factor("n_estimators", linear=(1, 3))], Rows(((-1,), (-0.9,), (0,), (1,), (1,)))
        )
        assert [s["n_estimators"] for s in settings(made)["forest"]] == [1, 2, 3]
        assert lay_out_settings(made).merged == 2

    def test_nothing_to_lay_out(self):
        with pytest.raises(InputError, match="plan = 'given rows' needs a controllable factor, got none"):
            lay_out_settings(study({"bayes": BAYES}, (), Rows(((0,),))))


class TestBlocks:
    BLOCKED = {"kind": "full factorial", "blocks": 2}  # noqa: RUF012

    def test_each_setting_has_the_block_of_its_row(self):
        # blocks by the sign of the product of three factors: half of the settings in each
        rows = tree_plan(1, plan=self.BLOCKED).settings
        signs = [
            (-1) ** sum((s["max_depth"] == 2, s["min_samples_leaf"] == 1, s["max_features"] == 0.5))
            for s in rows.levels
            if s
        ]
        blocks = [b for s, b in zip(rows.levels, rows.block.tolist(), strict=True) if s]
        assert len(set(zip(signs, blocks, strict=True))) == 2
        assert sorted(blocks) == [0] * 4 + [1] * 4
        assert rows.block[[not s for s in rows.levels]].tolist() == [-1]  # the yardstick

    def test_trials_of_a_block_follow_each_other_on_each_split(self):
        plan = tree_plan(1, plan=self.BLOCKED, resampling="5x4-fold")
        first = []
        for split in range(20):
            blocks = plan.settings.block[plan.level[plan.split == split]]
            assert int((np.diff(blocks) != 0).sum()) == 2  # two blocks, and the yardstick
            first.append(int(blocks[0]))
        assert len(set(first)) == 3  # no block always comes first

    def test_none_without_blocks(self):
        assert tree_plan(1).settings.block is None
        assert tree_plan(1, plan="full factorial").settings.block is None

    def test_the_plan_says_what_they_are_for(self):
        assert "2 blocks, in random order: on each split the trials of a block follow each other" in " ".join(
            str(tree_plan(1, plan=self.BLOCKED)).split()
        )
