"""Two plans side by side."""

from dataclasses import replace

import pytest
from factor_plans import HALF, THREE, tree_plan
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from test_plan_effects import with_pilot

from fairtrial import Factor, InputError, Question


def rows(one, other, names=("half", "all")):
    return {row[0]: row[1:] for row in one.compare(other, names).rows}


class TestComparePlans:
    def test_by_hand(self):
        # 4 and 8 settings and the yardstick, 5 splits of 9 data sets
        found = rows(tree_plan(9, plan=HALF), tree_plan(9))
        assert found["settings of methods"] == (5, 9)
        assert found["trials"] == (5 * 45, 9 * 45)
        assert found["resolution"] == (3, "full")
        assert found["effects that can be estimated"] == ("3 of 3", "6 of 6")
        assert found["of these, mixed with others"] == (3, 0)
        assert found["data sets needed for any effect"] == (7, 8)
        assert found["average variance of a prediction"][0] == pytest.approx(
            2 * found["average variance of a prediction"][1]
        )

    def test_time_after_a_pilot(self):
        plans = [tree_plan(9, plan=HALF), tree_plan(9)]
        timed = [
            replace(p, seconds={(d, m, v): 16.0 for d in range(9) for v, m in p.settings.cells.tolist()}) for p in plans
        ]
        assert rows(*timed)["computing time"] == ("1 h 0 min", "1 h 48 min")  # 225 and 405 trials of 16 s
        assert not any("computing time" in note for note in timed[0].compare(timed[1]).notes)
        assert any("computing time" in note for note in plans[0].compare(timed[1]).notes)

    @pytest.mark.slow
    def test_power_by_the_pilot_of_both(self):
        asked = {"question": Question(smallest_difference="10pp")}
        plans = [with_pilot(tree_plan(9, plan=p, **asked), lambda d, row: d / 100 * row[0]) for p in (HALF, None)]
        found = rows(*plans)
        assert found["smallest power of an effect"] == tuple(min(p.effects[0].power.power_now) for p in plans)
        assert found["data sets for power 0.8, at most"] == tuple(max(p.effects[0].power.needed) for p in plans)
        assert "smallest power of an effect" not in rows(plans[0], tree_plan(9))

    def test_effects_over_data_sets_and_over_splits_have_no_common_unit(self):
        assert not any("detectable" in label for label in rows(tree_plan(3), tree_plan(9)))
        assert "detectable effect, sd over data sets" in rows(tree_plan(9), tree_plan(12))

    def test_other_factors_have_no_common_predictions(self):
        found = rows(tree_plan(9), tree_plan(9, factors=THREE[:2]))
        assert not any("prediction" in label for label in found)
        assert found["effects that can be estimated"] == ("6 of 6", "3 of 3")

    def test_plans_without_factors_have_sizes(self):
        found = rows(tree_plan(2, factors={}), tree_plan(3, factors={}))
        assert found["data sets"] == (2, 3)
        assert not any("effect" in label for label in found)

    def test_several_methods_are_told_apart(self):
        methods = {"tree": DecisionTreeClassifier(), "extra": ExtraTreeClassifier()}
        plan = tree_plan(9, methods=methods, factors=[Factor("max_depth", linear=(2, 5))])
        assert {"tree: resolution", "extra: resolution"} < rows(plan, plan).keys()

    def test_names_must_differ(self):
        with pytest.raises(InputError, match="two different names"):
            tree_plan(1).compare(tree_plan(1), ("a", "a"))

    def test_swapping_the_plans_swaps_the_columns(self):
        one, other = tree_plan(9, plan=HALF), tree_plan(9)
        there, back = rows(one, other), rows(other, one)
        assert [str(pair[::-1]) for pair in back.values()] == [str(pair) for pair in there.values()]
