"""The settings of a plan as a design in coded units."""

import numpy as np
import pytest
from factor_plans import THREE, tree_plan
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from fairtrial import Factor
from fairtrial.design.setting_rows import designs_of


class TestDesignsOf:
    def test_units_by_hand(self):
        # rounded to whole numbers: 2–8 has its middle at 5, 1–9 at 5
        factors = [Factor("max_depth", linear=(2, 8)), Factor("max_features", [0.5, 1.0])]
        rows = {"kind": "best guess", "rows": [[-1, 0], [0, 1], [1, 1]]}
        (design,) = designs_of(tree_plan(1, factors=factors, plan=rows))
        assert sorted(map(tuple, design.coded.rows.tolist())) == [(-1, 0), (0, 1), (1, 1)]
        assert sorted(zip(*design.columns().values(), strict=True)) == [(-1, "0.5"), (0, "1"), (1, "1")]
        assert design.listed_levels() == {"max_features": ["0.5", "1"]}
        assert design.ranges

    def test_log_ranges_and_rounding(self):
        (design,) = designs_of(
            tree_plan(1, factors=[Factor("max_depth", log=(1, 8))], plan={"kind": "full factorial", "levels": 3})
        )
        # the middle √8 = 2.83 is rounded to 3: 2 · ln 3 / ln 8 − 1
        assert sorted(design.coded.rows[:, 0]) == pytest.approx([-1, 2 * np.log(3) / np.log(8) - 1, 1])

    def test_blocks_are_no_part_of_a_setting(self):
        noise = Factor("label_noise", [0, 0.1], role="uncontrollable")
        (design,) = designs_of(tree_plan(1, factors=[*THREE, noise]))
        assert len(design.coded.rows) == 8
        assert [len(levels) for levels in design.levels] == [2] * 8
        assert "label_noise" not in design.columns()

    def test_nested_factors_are_absent_elsewhere(self):
        pipeline = Pipeline([("model", SVC())])
        factors = [
            Factor("model", {"svm": SVC(), "tree": DecisionTreeClassifier()}, of="pipeline.model"),
            Factor("C", log=(0.1, 10.0), when={"model": "svm"}),
        ]
        (design,) = designs_of(tree_plan(1, methods={"pipeline": pipeline}, factors=factors))
        assert sorted(map(str, design.coded.rows.tolist())) == ["[0.0, -1.0]", "[0.0, 1.0]", "[1.0, nan]"]
        assert None in design.columns()["C"]

    def test_only_methods_that_are_varied(self):
        methods = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
        assert [d.name for d in designs_of(tree_plan(1, methods=methods))] == ["tree"]
        assert designs_of(tree_plan(1, factors={"label_noise": [0, 0.1]})) == ()
        assert designs_of(tree_plan(1, factors={})) == ()

    def test_a_part_of_a_plan_has_its_own_settings(self):
        plan = tree_plan(1)
        svm_only = plan.only(np.flatnonzero(plan.method == 0)[:1])
        (design,) = designs_of(svm_only)
        assert len(design.coded.rows) == 1

    def test_a_factor_that_exists_in_no_row_is_left_out(self):
        factors = [*THREE[:1], Factor("min_samples_leaf", [1, 5], when={"max_features": 1.0}), THREE[2]]
        plan = tree_plan(1, factors=factors)
        without = [i for i in range(len(plan)) if "min_samples_leaf" not in plan.trial(i).levels]
        (design,) = designs_of(plan.only(without))
        assert set(design.columns()) == {"max_depth", "max_features"}
        assert set(design.listed_levels()) == {"max_features"}

    def test_levels_that_are_written_alike_keep_different_names(self):
        (design,) = designs_of(tree_plan(1, factors=[Factor("ccp_alpha", [0.1, 0.1000000001])]))
        assert len(set(design.columns()["ccp_alpha"])) == 2

    @given(st.integers(2, 5), st.integers(1, 3))
    @settings(max_examples=10, deadline=None)
    def test_as_many_rows_as_settings_of_the_method(self, levels, more):
        factors = [
            Factor("max_depth", list(range(1, levels + 1))),
            Factor("min_samples_leaf", list(range(1, more + 1))),
        ]
        plan = tree_plan(1, factors=factors, resampling="2-fold")
        (design,) = designs_of(plan)
        assert len(design.coded.rows) == levels * more
        assert sorted(v for some in design.levels for v in some) == sorted(set(plan.level[plan.method == 0].tolist()))
