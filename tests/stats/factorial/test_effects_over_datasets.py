import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial import stats
from fairtrial.design import FEWEST_DATASETS as OF_VERDICTS
from fairtrial.errors import InputError
from fairtrial.stats.factorial.effects_over_datasets import FEWEST_DATASETS

effects_over_datasets = stats.effects_over_datasets
tables = st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=6, max_size=9)


class TestEffectsOverDatasets:
    def test_by_hand(self):
        # one effect, six positive values: all 2⁶ flips, of which two are as extreme; Walsh averages of 1..6
        found = effects_over_datasets([[1], [2], [3], [4], [5], [6.5]])
        assert found.p_adjusted == (2 / 64,)
        assert found.intervals[0].estimate == 3.5
        assert (found.intervals[0].low, found.intervals[0].high) == (1.0, 6.5)
        assert found.helps == ((6, 0, 0),)
        assert found.spread[0] == pytest.approx(np.std([1, 2, 3, 4, 5, 6.5], ddof=1))

    def test_one_effect_is_wilcoxon(self):
        # R 4.2.2: wilcox.test(c(1.83,.5,1.62,2.48,1.68,1.88,1.55,3.06,1.3), c(.878,.647,.598,2.05,1.06,1.29,1.06,3.14,
        # 1.29), paired=TRUE, conf.int=TRUE): p = 0.0390625, pseudo-median 0.46, 95 % interval (0.01, 0.786)
        d = np.array([1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3])
        d = d - [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
        found = effects_over_datasets(d[:, None])
        assert found.p_adjusted[0] == pytest.approx(0.0390625)
        assert found.intervals[0].estimate == pytest.approx(0.46)
        assert (found.intervals[0].low, found.intervals[0].high) == pytest.approx((0.01, 0.786))

    def test_pair_differences_are_the_case_of_joint_intervals(self):
        scores = np.random.default_rng(1).normal(size=(9, 3)).round(3) + np.array([0, 1, 0])
        pairs = stats.joint_intervals(scores)
        effects = effects_over_datasets(
            np.column_stack([(scores[:, i] - scores[:, j]).round(3) for i, j in pairs.pairs])
        )
        assert effects.p_adjusted == pairs.p_adjusted
        for ours, theirs in zip(effects.intervals, pairs.simultaneous, strict=True):
            assert (ours.estimate, ours.low, ours.high) == pytest.approx((theirs.estimate, theirs.low, theirs.high))

    def test_a_factor_with_three_levels_is_also_tested_as_a_whole(self):
        random = np.random.default_rng(2)
        model = stats.factorial_model({"k": ["a", "b", "c"] * 2, "d": [-1] * 3 + [1] * 3}, against="all")
        scores = random.normal(size=(8, 6)) + np.array([0, 3, 0, 0, 3, 0])
        found = effects_over_datasets(model.values(scores))
        assert set(found.terms) == {"k", "k × d"}
        assert found.terms["k"] <= min(found.p_adjusted[:3])
        renamed = stats.factorial_model(
            {"k": ["a", "b", "c"] * 2, "d": [-1] * 3 + [1] * 3}, against="all", levels={"k": ["c", "a", "b"]}
        )
        assert effects_over_datasets(renamed.values(scores)).terms == found.terms

    @settings(max_examples=25, deadline=None)
    @given(tables)
    def test_stars_and_intervals_agree(self, table):
        found = effects_over_datasets(np.array(table, dtype=float))
        for p, interval in zip(found.p_adjusted, found.intervals, strict=True):
            assert (p < 0.05) == (0 not in interval)

    def test_zero_everywhere(self):
        found = effects_over_datasets(np.column_stack([np.zeros(7), np.arange(1, 8)]))
        assert found.p_adjusted[0] == 1
        assert (found.intervals[0].low, found.intervals[0].high) == (0, 0)
        assert found.helps[0] == (0, 7, 0)

    def test_lower_may_be_better(self):
        found = effects_over_datasets(np.arange(1, 8)[:, None], higher_is_better=False)
        assert found.helps_on("effect 1") == "helps on 0 of 7 data sets"
        assert found.intervals[0].estimate > 0

    @pytest.mark.parametrize("n", [1, 2, 5])
    def test_too_few_data_sets_make_no_claim(self, n):
        found = effects_over_datasets(np.arange(1, 2 * n + 1).reshape(n, 2))
        assert np.isnan(found.p_adjusted).all()
        assert not found.active().any()
        assert np.isnan(found.intervals[0].low)
        assert found.helps[0] == (n, 0, 0)
        assert "fewer than 6 data sets are no sample of data sets" in found.notes[-1]

    def test_too_few_data_sets_for_so_many_effects(self):
        # seven effects, whose residuals have different signs: 14 of 2⁸ flips reach the largest sum of one of them
        values = np.random.default_rng(0).normal(size=(8, 7)) + 5
        found = effects_over_datasets(values)
        assert min(found.p_adjusted) == 14 / 256
        assert found.intervals[0].low == -np.inf
        assert "8 data sets are too few for 7 effects at this level" in found.notes[-1]
        assert effects_over_datasets(np.vstack([values, values[0] + 0.1])).active().all()

    def test_the_fewest_data_sets_are_those_of_verdicts(self):
        assert FEWEST_DATASETS == OF_VERDICTS

    def test_one_side(self):
        found = effects_over_datasets(np.arange(1, 8)[:, None], alternative="greater")
        assert found.p_adjusted == (1 / 128,)
        assert found.intervals[0].high == np.inf

    def test_range_on_a_new_data_set(self):
        values = np.random.default_rng(3).normal(size=(19, 1))
        assert effects_over_datasets(values).new[0].low == pytest.approx(values.min())

    def test_missing_values_are_refused(self):
        with pytest.raises(InputError, match="must be finite"):
            effects_over_datasets([[1.0], [np.nan], [2.0]])
