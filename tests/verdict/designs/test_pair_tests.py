"""Tests of pairs, and intervals that agree with them."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairtrial import stats
from fairtrial.stats.comparisons import all_pairs
from fairtrial.verdict.designs.decide import Side, jointly, one_by_one

RNG = np.random.default_rng
FOLDS = partial(stats.corrected_t, test_share=0.1)
TABLES = arrays(float, st.tuples(st.just(3), st.integers(6, 12)), elements=st.integers(-9, 9).map(lambda i: i / 8))


def agree(tests):
    """Whether star and interval of each pair say the same."""
    found = zip(tests.comparisons.p_adjusted, tests.comparisons.simultaneous, strict=True)
    return all((0 not in interval) == (p < 0.05) for p, interval in found)


class TestJointly:
    def test_are_the_joint_intervals_of_stats(self):
        table = RNG(1).normal([0, 1, 2], 1, (12, 3))
        found = jointly(list(table.T), all_pairs(3), names="abc", level=0.95)
        expected = stats.joint_intervals(table, names="abc")
        assert found.comparisons.p_adjusted == expected.p_adjusted
        assert found.comparisons.simultaneous == expected.simultaneous
        assert found.comparisons.adjusted == "joint flips"

    def test_one_pair_is_wilcoxons_test(self):
        a, b = RNG(2).normal(size=(2, 20))
        found = jointly([a, b], [(0, 1)], names="ab", level=0.95)
        assert found.comparisons.p_adjusted == (stats.wilcoxon(a, b).p_value,)
        assert found.wide[0] == found.comparisons.outcomes[0].effect
        assert found.narrow[0] == stats.wilcoxon(a, b, level=0.9).effect

    def test_equal_scores_count_for_the_size(self):
        # better by 0.05 on six data sets, equal on fourteen: typically they do not differ by 0.05
        a = np.r_[np.zeros(14), 0.05 + 0.001 * np.arange(6)]
        found = jointly([a, np.zeros(20)], [(0, 1)], names="ab", level=0.95)
        assert found.wide[0].low < 0.001

    def test_too_few_data_sets_for_bounds(self):
        found = jointly(list(RNG(3).normal(size=(5, 8))), all_pairs(5), names="abcde", level=0.95)
        assert not found.bounded
        assert found.comparisons.simultaneous == ()

    def test_not_worse_gives_the_first_its_margin(self):
        a, b, c = RNG(4).normal(0, 0.01, (3, 12))
        side = Side("greater", 0.05)
        found = jointly([a, b, c], [(0, 2), (1, 2)], names="abc", level=0.95, side=side)
        plain = stats.joint_intervals(np.column_stack([a + 0.05, b + 0.05, c]), control=2, alternative="greater")
        assert found.comparisons.p_adjusted == plain.p_adjusted
        assert found.comparisons.simultaneous[0].low == pytest.approx(plain.simultaneous[0].low - 0.05)
        assert found.comparisons.simultaneous[0].high == np.inf

    def test_random_flips_have_a_smallest_p(self):
        table = RNG(5).normal([0, 0, 5], 1, (20, 3))
        found = jointly(list(table.T), all_pairs(3), names="abc", level=0.95)
        assert min(found.comparisons.p_adjusted) == found.p_floor == 1e-4


class TestOneByOne:
    def test_bonferroni_by_hand(self):
        columns = list(RNG(6).normal([0, 0, 0.8], 1, (10, 3)).T)
        found = one_by_one(columns, all_pairs(3), test=FOLDS, names="abc", level=0.95)
        alone = FOLDS(columns[0], columns[2])
        assert found.comparisons.p_adjusted[1] == pytest.approx(min(1, 3 * alone.p_value))
        assert found.comparisons.simultaneous[1] == FOLDS(columns[0], columns[2], level=1 - 0.05 / 3).effect
        assert found.comparisons.outcomes[1].effect == alone.effect

    def test_a_larger_family(self):
        columns = list(RNG(7).normal(size=(2, 10)))
        found = one_by_one(columns, [(0, 1)], test=FOLDS, names="ab", level=0.95, family=8)
        assert found.comparisons.p_adjusted[0] == pytest.approx(min(1, 8 * FOLDS(*columns).p_value))
        assert found.wide[0] == FOLDS(*columns, level=1 - 0.05 / 8).effect

    @given(TABLES)
    def test_star_and_interval_agree(self, table):
        spread = table + 1e-3 * RNG(0).normal(size=table.shape)
        assert agree(one_by_one(list(spread), all_pairs(3), test=FOLDS, names="abc", level=0.95))

    def test_another_adjustment_keeps_own_intervals(self):
        columns = list(RNG(8).normal(size=(3, 10)))
        found = one_by_one(columns, all_pairs(3), test=FOLDS, names="abc", level=0.95, adjust="holm")
        p = [FOLDS(columns[i], columns[j]).p_value for i, j in all_pairs(3)]
        assert found.comparisons.p_adjusted == pytest.approx(stats.adjust(p, "holm"))
        assert found.comparisons.simultaneous == ()

    def test_on_one_side(self):
        columns = list(RNG(9).normal(size=(3, 10)))
        found = one_by_one(columns, [(0, 2), (1, 2)], test=FOLDS, names="abc", level=0.95, side=Side("greater"))
        one = FOLDS(columns[0], columns[2], alternative="greater", level=1 - 0.05 / 2)
        assert found.wide[0] == one.effect
        assert found.comparisons.p_adjusted[0] == pytest.approx(min(1, 2 * one.p_value))

    def test_against_a_margin(self):
        columns = list(RNG(10).normal(0, 0.01, (2, 10)))
        side = Side("greater", 0.02)
        found = one_by_one(columns, [(0, 1)], test=FOLDS, names="ab", level=0.95, side=side)
        moved = FOLDS(columns[0] + 0.02, columns[1], alternative="greater")
        assert found.comparisons.p_adjusted[0] == pytest.approx(moved.p_value)
        assert found.wide[0].low == pytest.approx(moved.effect.low - 0.02)
        assert found.comparisons.names == ("a", "b")

    def test_an_undefined_test_stays_undefined(self):
        found = one_by_one([np.full(10, 0.9), np.full(10, 0.8)], [(0, 1)], test=FOLDS, names="ab", level=0.95)
        assert np.isnan(found.comparisons.p_adjusted[0])
