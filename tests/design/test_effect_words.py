"""The effects that a plan can show, in words and tables."""

import math
import re
from dataclasses import replace

import pytest
from factor_plans import HALF, THREE, tree_plan
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from test_plan_effects import with_pilot

from fairtrial import Factor, Question
from fairtrial.design.plan_effects import effect_facts


def lines(plan, label=None):
    return [text for name, text in effect_facts(plan) if label in (None, name)]


class TestEffectFacts:
    def test_nothing_without_factors_on_methods(self):
        assert effect_facts(tree_plan(1, factors={"label_noise": [0, 0.1]})) == ()

    def test_all_combinations(self):
        # (1 + x² + y² + c² + x²y² + x²c² + y²c²) / 8 with c² = 1 and means x² = y² = 1/3: 0.43, at most 7/8
        assert lines(tree_plan(12)) == [
            "tree: 3 main effects and 3 interactions can be estimated from 8 settings",
            "12 data sets find an effect of 1.2 standard deviations over data sets (power 0.8); an effect of half a "
            "standard deviation over data sets takes 55 data sets",
            "the variance of a predicted score is 0.43 times that of one setting on average, 0.88 at most (main "
            "effects and interactions)",
        ]

    def test_a_fraction_names_its_resolution_and_the_layout_has_told_the_chains(self):
        plan = tree_plan(12, plan=HALF)
        assert lines(plan, "effects") == [
            "tree: 3 main effects can be estimated from 4 settings; interactions of factors can't be, and may distort "
            "the main effects; resolution 3"
        ]
        assert "max_depth is mixed with min_samples_leaf × max_features" in str(plan)

    def test_chains_that_the_layout_does_not_tell(self):
        half = {"kind": "best guess", "rows": [[-1, -1, 1], [1, -1, 0], [-1, 1, 0], [1, 1, 1]]}  # C = AB
        assert lines(tree_plan(12, plan=half), "effects")[1:] == [
            "max_depth is mixed with min_samples_leaf × max_features",
            "min_samples_leaf is mixed with max_depth × max_features",
            "max_features is mixed with max_depth × min_samples_leaf",
        ]

    def test_one_at_a_time(self):
        text = lines(tree_plan(12, plan="one at a time"), "effects")[0]
        assert text.endswith("interactions of factors can't be, and may distort the main effects")

    def test_too_few_data_sets(self):
        (text,) = lines(tree_plan(6), "power")
        assert text.startswith("none with 6 data sets: 6 effects take at least 8; an effect of half")

    def test_on_one_data_set(self):
        (text,) = lines(tree_plan(1), "power")
        assert text.startswith("on one data set, its splits find an effect of 4.1 standard deviations over splits")
        (text,) = lines(tree_plan(1, resampling="holdout"), "power")
        assert text.startswith("the splits of a data set can't show effects here")

    def test_effects_that_are_not_determined_are_named(self):
        three = {"kind": "best guess", "rows": [[-1, -1, 0], [1, -1, 0], [-1, 1, 0]]}
        (text, *_) = lines(tree_plan(12, plan=three), "effects")
        assert "2 main effects can be estimated from 3 settings" in text

    def test_of_many_methods_some_are_told(self):
        several = {f"tree{i}": DecisionTreeClassifier(min_impurity_decrease=i / 100) for i in range(4)}
        text = lines(tree_plan(12, methods=several, factors=[THREE[0]]), "effects")
        assert len(text) == 4
        assert text[-1] == "those of tree3 are in layout_tables()"


class TestPilot:
    def spread(self, d, row):
        return (d - 5.5) / 10 * row[0] + (d % 2) / 100 * row[1]

    @pytest.mark.slow
    def test_with_a_smallest_difference_it_says_how_many_data_sets_it_takes(self):
        plan = with_pilot(tree_plan(12, question=Question(smallest_difference="10pp")), self.spread)
        found = plan.effects[0].power
        (text,) = lines(plan, "power")
        assert text.startswith(
            "by the pilot's spread over data sets, 12 data sets find an effect of 0.1 with probability "
        )
        assert (
            f"power 0.8 takes {min(found.needed):.0f} to {max(found.needed):.0f} data sets, most for max_depth" in text
        )
        assert f"(up to {max(found.needed_up_to):.0f}: the pilot's spread is uncertain" in text

    def test_without_it_how_large_effects_must_be(self):
        plan = with_pilot(tree_plan(12), self.spread)
        (text,) = lines(plan, "power")
        # sd of 2 (d − 5.5) / 10 over d = 0 … 11: 0.2 · √13
        size = plan.effects[0].detectable * 0.2 * math.sqrt(13)
        assert f"to {size:.2g} (max_depth) with power 0.8" in text

    @pytest.mark.slow
    def test_ratios_are_percentages(self):
        asked = Question(measure="fit_time", smallest_difference="10%")
        plan = with_pilot(tree_plan(12, question=asked), lambda d, row: 1 + d * (2 + row[0]))
        assert "12 data sets find an effect of 10 % with probability " in lines(plan, "power")[0]
        captions = [t.caption for t in plan.layout_tables()]
        assert "tree, log ratios: data sets for power 0.8 to find an effect of 0.09531" in captions
        without = with_pilot(tree_plan(12, question=Question(measure="fit_time")), lambda d, row: 1 + d * (2 + row[0]))
        assert re.search(
            r"find effects of [\d.e+]+ % \(.*\) to [\d.e+]+ % \(max_depth\) with power", lines(without, "power")[0]
        )

    @pytest.mark.slow
    def test_equal_spreads_are_no_span(self):
        plan = with_pilot(tree_plan(12, question=Question(smallest_difference="10pp")), lambda d, _: float(d))
        (text,) = lines(plan, "power")
        assert "with probability >99.9 %; power 0.8 takes 8 data sets (up to 8" in text  # that 6 effects need


class TestTables:
    def test_effects_aliases_predictions_and_costs(self):
        plan = tree_plan(9, plan=HALF)
        captions = [table.caption for table in plan.layout_tables()]
        assert captions == [
            "tree: effects in 4 settings",
            "tree: effects that this layout can't tell apart",
            "tree: variance of a prediction, as a multiple of the error variance",
        ]
        seconds = {(d, m, v): 1.0 + v + d for d in range(9) for v, m in plan.settings.cells.tolist()}
        costs = replace(plan, seconds=seconds).layout_tables()[-1]
        dearest = plan.effects[0].design.levels[-1][0]
        assert costs.caption == "tree: cost by the pilot, means over data sets"
        assert costs.rows[0][1] == pytest.approx(1.0 + dearest + 4)  # the mean of d = 0 … 8 is 4
        assert len(costs.rows) == 4

    @pytest.mark.slow
    def test_power_after_a_pilot(self):
        plan = with_pilot(tree_plan(9, question=Question(smallest_difference="10pp")), TestPilot().spread)
        assert "tree: data sets for power 0.8 to find an effect of 0.1000" in [t.caption for t in plan.layout_tables()]

    def test_each_method(self):
        methods = {"tree": DecisionTreeClassifier(), "extra": ExtraTreeClassifier()}
        tables = tree_plan(9, methods=methods, factors=[Factor("max_depth", [2, 5])]).layout_tables()
        assert [table.caption for table in tables] == ["tree: effects in 2 settings", "extra: effects in 2 settings"]
