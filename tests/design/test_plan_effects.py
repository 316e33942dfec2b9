"""The effects that a plan can show before anything is run."""

import math
from dataclasses import replace

import numpy as np
import pytest
from factor_plans import HALF, THREE, tree_plan
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from fairtrial import Factor, Question
from fairtrial.design.plan_effects import datasets_needed
from fairtrial.stats import effect_power, minimum_detectable, sample_size


def effects(n=9, **changes):
    (found,) = tree_plan(n, **changes).effects
    return found


def with_pilot(plan, score):
    """A plan with made pilot scores: ``score(data set, coded setting)``."""
    design = plan.effects[0].design
    scores = {
        (d, design.method, level): score(d, row)
        for d in range(len(plan.study.datasets))
        for row, levels in zip(design.coded.rows, design.levels, strict=True)
        for level in levels
    }
    return replace(plan, pilot_scores=scores)


class TestDatasetsNeeded:
    @pytest.mark.parametrize(("m", "n"), [(1, 6), (2, 7), (3, 7), (7, 9), (31, 11)])
    def test_by_hand(self, m, n):
        # 2^(1 − n) · m < 0.05: 2^−5 · 1 = 0.031; 2^−6 · 3 = 0.047; 2^−8 · 7 = 0.027; 2^−10 · 31 = 0.030
        assert datasets_needed(m, 0.95) == n

    @given(st.integers(0, 5000), st.floats(0.5, 0.999))
    def test_the_smallest_that_reaches_the_level(self, m, level):
        n = datasets_needed(m, level)
        assert n >= 6
        assert 2.0 ** (1 - n) * m < 1 - level
        assert n == 6 or 2.0 ** (2 - n) * m >= 1 - level


class TestModel:
    def test_all_combinations_have_main_effects_and_interactions(self):
        found = effects()
        assert [c.name for c in found.model.contrasts] == [
            "max_depth", "min_samples_leaf", "max_features", "max_depth × min_samples_leaf", "max_depth × max_features",
            "min_samples_leaf × max_features",
        ]  # fmt: skip
        assert found.number == 6
        assert found.resolution == "full"
        assert not found.mains_only

    def test_a_half_fraction_mixes_each_main_effect_with_one_interaction(self):
        found = effects(plan=HALF)
        assert found.number == 3
        assert found.resolution == 3
        assert [len(c.aliases) for c in found.model.contrasts] == [1, 1, 1]

    def test_one_at_a_time_has_no_interactions(self):
        found = effects(plan="one at a time")
        assert found.mains_only
        assert all("×" not in c.name for c in found.model.contrasts)

    def test_one_factor_has_nothing_to_be_mixed_with(self):
        found = effects(factors=[THREE[0]])
        assert (found.number, found.mains_only) == (1, False)

    def test_one_setting_determines_nothing(self):
        plan = tree_plan(9)
        found = plan.only(np.flatnonzero(plan.method == 0)[:1]).effects[0]
        assert found.number == 0
        assert not found.can_show
        assert math.isnan(found.detectable)
        assert found.pilot is None

    @pytest.mark.slow
    def test_thousands_of_effects_leave_out_interactions(self):
        many = [Factor("max_depth", list(range(1, 60))), Factor("min_samples_leaf", list(range(1, 60)))]
        found = effects(1, factors=many, plan={"kind": "Latin hypercube", "runs": 200}, resampling="2-fold")
        assert found.mains_only
        assert found.number == 2 * 58
        assert found.plan.layout_tables()
        assert "main effects can be estimated" in str(found.plan)


class TestDetectable:
    def test_over_data_sets_it_is_that_of_stats(self):
        found = effects(12)
        expected = minimum_detectable("wilcoxon", n=12, power=0.8, level=1 - 0.05 / 6).effect
        assert found.detectable == pytest.approx(expected)
        assert found.needed_for(0.5) == sample_size("wilcoxon", effect=0.5, power=0.8, level=1 - 0.05 / 6).n

    def test_methods_are_a_factor_of_their_own(self):
        # results.effects() judges 3 main effects and 3 interactions of one method, and with two methods 1 + 3 more
        both = tree_plan(12, methods={"tree": DecisionTreeClassifier(), "extra": ExtraTreeClassifier()}).effects[0]
        assert (both.number, both.together, effects(12).together) == (6, 10, 6)
        assert both.detectable == minimum_detectable("wilcoxon", n=12, power=0.8, level=1 - 0.05 / 10).effect

    def test_more_effects_need_a_larger_one(self):
        assert effects(12).detectable > effects(12, plan=HALF).detectable

    @pytest.mark.parametrize(("n", "shows"), [(7, False), (8, True)])
    def test_with_too_few_data_sets_for_six_effects_there_is_none(self, n, shows):
        # 2^(1 − 7) · 6 = 0.094, 2^(1 − 8) · 6 = 0.047
        found = effects(n)
        assert found.can_show == shows
        assert math.isnan(found.detectable) != shows
        assert found.plan.can_tell_anything() == shows
        assert found.datasets_needed == 8

    def test_large_effects_need_the_fewest_data_sets_that_can_show_any(self):
        assert effects(12).needed_for(50.0) == 8

    def test_on_one_data_set_by_its_splits(self):
        # 5-fold: 5 splits, a fifth is tested, no repeats
        found = effects(1)
        expected = minimum_detectable("corrected_t", n=5, power=0.8, level=1 - 0.05 / 6, test_share=0.2).effect
        assert not found.over_datasets
        assert found.detectable == pytest.approx(expected)

    def test_repeats_are_corrected_by_their_overlap(self):
        # 2×5-fold: ratio 1.33 · 0.25 = 0.3325, which a test share of 0.3325 / 1.3325 has
        expected = minimum_detectable(
            "corrected_t", n=10, power=0.8, level=1 - 0.05 / 6, test_share=0.3325 / 1.3325
        ).effect
        assert effects(1, resampling="2x5-fold").detectable == pytest.approx(expected)

    def test_a_question_about_these_data_sets(self):
        assert not effects(9, question=Question(domains="these")).over_datasets

    def test_one_split_shows_nothing(self):
        assert math.isnan(effects(1, resampling="holdout").detectable)


class TestPilot:
    def test_none_without_one(self):
        assert effects().pilot is None
        assert effects().power is None

    def test_effects_by_hand(self):
        # the score is d + 0.01 · d · depth: the effect of depth from −1 to 1 is 0.02 · d
        plan = with_pilot(tree_plan(4), lambda d, row: d + 0.01 * d * row[0])
        found = plan.effects[0].pilot
        assert found.values[:, found.names.index("max_depth")] == pytest.approx([0, 0.02, 0.04, 0.06])
        assert found.values[:, found.names.index("max_features")] == pytest.approx([0, 0, 0, 0])

    def test_power_is_that_of_stats(self):
        random = np.random.default_rng(5)
        noise = random.normal(size=(9, 8))
        plan = tree_plan(9, question=Question(smallest_difference="50pp"))
        rows = plan.effects[0].design.coded.rows.tolist()
        plan = with_pilot(plan, lambda d, row: noise[d, rows.index(row.tolist())])
        found = plan.effects[0]
        assert found.power == effect_power(found.pilot, smallest=0.5, power=0.8, level=0.95)
        assert found.power.names == tuple(found.pilot.names)
        assert found.to_dict()["power"]["needed"] == list(found.power.needed)

    @pytest.mark.slow
    def test_what_is_compared_by_ratios(self):
        # seconds d + 1, times 1.5 at the high depth on even data sets: the effect is log 1.5 or 0, and 10 % is log 1.1
        asked = Question(measure="fit_time", smallest_difference="10%")
        plan = with_pilot(tree_plan(9, question=asked), lambda d, row: (d + 1) * (1.5 if d % 2 and row[0] > 0 else 1))
        found = plan.effects[0]
        depth = found.pilot.values[:, found.pilot.names.index("max_depth")]
        assert depth == pytest.approx([0, math.log(1.5)] * 4 + [0])
        assert found.power.smallest == pytest.approx(math.log(1.1))
        zero = with_pilot(plan, lambda d, row: float(d + (row[0] > 0)))
        assert zero.effects[0].power is None  # a time of 0 has no ratio

    def test_blocks_are_averaged(self):
        noise = Factor("label_noise", [0, 0.1], role="uncontrollable")
        plan = tree_plan(3, factors=[*THREE, noise])
        plan = with_pilot(plan, lambda d, row: d * row[0])
        scores = {
            place: s + (1.0 if plan.levels[place[2]]["label_noise"] else -1.0) for place, s in plan.pilot_scores.items()
        }
        found = replace(plan, pilot_scores=scores).effects[0].pilot
        assert found.values[:, 0] == pytest.approx([0, 2, 4])

    def test_failed_trials_are_left_out(self):
        plan = with_pilot(tree_plan(3), lambda d, row: math.nan if d == 1 else d * row[0])
        assert plan.effects[0].pilot.values[:, 0] == pytest.approx([0, 4])
        one = with_pilot(tree_plan(3), lambda d, row: math.nan if d else row[0])
        assert one.effects[0].pilot is None  # one data set has no spread
        assert replace(plan, pilot_scores={}).effects[0].pilot is None

    def test_no_power_where_each_data_set_is_judged_by_itself(self):
        plan = with_pilot(tree_plan(3, question=Question(smallest_difference="10pp")), lambda d, row: d * row[0])
        assert plan.effects[0].power is None


class TestPredicted:
    def test_variance_by_hand(self):
        # one range at both ends: 1/2 + x²/2, on average 1/2 + 1/6, at most 1
        model, found = effects(1, factors=[THREE[0]]).predicted
        assert model == "interactions"
        assert found.average_variance == pytest.approx(2 / 3, abs=1e-3)
        assert found.largest_variance == pytest.approx(1)

    def test_three_levels_have_curvature(self):
        model, _ = effects(1, factors=[THREE[0]], plan={"kind": "full factorial", "levels": 3}).predicted
        assert model == "quadratic"

    def test_none_without_ranges(self):
        assert effects(1, factors={"max_depth": [2, 3]}).predicted is None


def test_as_plain_data():
    import json

    found = tree_plan(7, plan=HALF).to_dict()["effects"]
    assert json.loads(json.dumps(found)) == found
    assert found[0]["method"] == "tree"
    assert found[0]["effects"][0] == {
        "name": "max_depth", "within": "", "mixed_with": ["+ min_samples_leaf × max_features"], "estimable": True,
    }  # fmt: skip
    assert "effects" not in tree_plan(1, factors={}).to_dict()
