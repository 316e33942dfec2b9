"""Simultaneous intervals for the typical differences of all pairs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import joint_intervals, wilcoxon
from fairtrial.stats.post_hoc.joint_flips import Family
from fairtrial.stats.post_hoc.joint_intervals import joint_families, joint_tests
from fairtrial.stats.score_arrays import differences

EIGHTHS = st.integers(-9, 9).map(lambda i: i / 8)
TABLES = arrays(float, st.tuples(st.integers(2, 9), st.integers(2, 4)), elements=EIGHTHS)


class TestJointIntervals:
    def test_by_hand(self):
        # A leads B by 1 … 6 and C by 2 … 7. With 3 methods on 6 data sets no flip is rare enough for a bound.
        table = np.column_stack([np.full(6, 9.0), 9 - np.arange(1.0, 7), 9 - np.arange(2.0, 8)])
        found = joint_intervals(table, names="ABC")
        assert [e.estimate for e in found.simultaneous] == [3.5, 4.5, 1.0]
        assert found.simultaneous[1].method == "Hodges-Lehmann, simultaneous"

    def test_few_data_sets_have_no_bounds(self):
        found = joint_intervals(np.random.default_rng(0).normal(size=(6, 3)))
        assert {(e.low, e.high) for e in found.simultaneous} == {(-np.inf, np.inf)}
        assert "too few data sets" in found.simultaneous[0].notes[0]

    @pytest.mark.parametrize("n", [6, 9, 13])
    def test_two_methods_are_wilcoxons_test(self, n):
        a, b = np.random.default_rng(n).normal(size=(2, n))
        found, single = joint_intervals(np.column_stack([a + 1, b])), wilcoxon(a + 1, b)
        assert found.p_adjusted[0] == single.p_value
        assert (found.simultaneous[0].low, found.simultaneous[0].high) == (single.effect.low, single.effect.high)

    def test_against_a_slow_count_of_all_flips(self):
        # the definition itself, with ranks by scipy 1.17's rankdata and each interval by trying all Walsh averages
        from scipy.stats import rankdata

        table = np.random.default_rng(8).normal([0.0, 0.4, 2.5], 1, (9, 3))
        d = [table[:, i] - table[:, j] for i, j in itertools.combinations(range(3), 2)]
        walsh = [np.array([(x[i] + x[j]) / 2 for i in range(9) for j in range(i, 9)]) for x in d]
        residuals = [x - np.median(w) - 1e-9 for x, w in zip(d, walsh, strict=True)]
        ranks = np.array([np.sign(r) * rankdata(abs(r)) for r in residuals])
        largest = np.array([np.abs(ranks @ s).max() for s in itertools.product((1, -1), repeat=9)])
        found = joint_intervals(table)
        for x, w, p, interval in zip(d, walsh, found.p_adjusted, found.simultaneous, strict=True):
            assert p == np.mean(largest >= abs((np.sign(x) * rankdata(abs(x))).sum()) - 1e-9)
            just_above = [((w > t).sum() - (w <= t).sum(), t) for t in w]
            kept = [t for balance, t in just_above if np.mean(largest >= abs(balance) - 1e-9) >= 0.05]
            assert min(kept) == pytest.approx(interval.low, abs=1e-9)

    @given(TABLES)
    def test_star_interval_and_p_agree(self, table):
        found = joint_intervals(table)
        for p, interval in zip(found.p_adjusted, found.simultaneous, strict=True):
            assert (0 not in interval) == (p < 0.05)
            assert interval.low <= interval.estimate <= interval.high

    def test_adjusted_p_values_are_not_below_single_ones(self):
        for seed in range(20):
            found = joint_intervals(np.random.default_rng(seed).normal(size=(11, 4)))
            assert all(p >= o.p_value for o, p in zip(found.outcomes, found.p_adjusted, strict=True))

    def test_moves_with_the_scores_and_turns_with_the_order(self):
        table = np.random.default_rng(2).normal(size=(12, 3))
        plain, moved = joint_intervals(table), joint_intervals(table + np.array([10, 0, 0]))
        assert moved.simultaneous[0].low == pytest.approx(plain.simultaneous[0].low + 10, abs=1e-9)
        mirrored = joint_intervals(-table)
        assert mirrored.simultaneous[0].low == pytest.approx(-plain.simultaneous[0].high, abs=1e-9)

    def test_a_control_has_a_smaller_family_and_sharper_intervals(self):
        table = np.random.default_rng(4).normal(size=(12, 5))
        every, control = joint_intervals(table), joint_intervals(table, control=0)
        assert control.pairs == ((1, 0), (2, 0), (3, 0), (4, 0))
        for (j, _), interval, p in zip(control.pairs, control.simultaneous, control.p_adjusted, strict=True):
            where = every.pairs.index((0, j))
            assert interval.low >= -every.simultaneous[where].high
            assert p <= every.p_adjusted[where]

    def test_equal_scores(self):
        found = joint_intervals(np.ones((8, 3)))
        assert found.p_adjusted == (1.0, 1.0, 1.0)
        assert {(e.low, e.high) for e in found.simultaneous} == {(0.0, 0.0)}

    def test_scores_of_very_different_scales(self):
        table = np.random.default_rng(6).normal(size=(10, 3)) * 1e-12 + [[1e5, 1e5, 1e-9]]
        assert all(np.isfinite(joint_intervals(table).p_adjusted))

    def test_many_data_sets(self):
        table = np.random.default_rng(7).normal([0, 0, 0, 1.5], 1, (40, 4))
        found = joint_intervals(table)
        assert (found.details["flips"], found.details["exact"]) == (10_000, False)
        assert found.details["critical_signed_rank_sum"] == pytest.approx(380, rel=0.1)
        assert found.different()[3, :3].all()

    @pytest.mark.parametrize("alternative", ["greater", "less"])
    def test_one_sided_with_two_methods_is_wilcoxons_test(self, alternative):
        a, b = np.random.default_rng(5).normal(size=(2, 11))
        found = joint_intervals(np.column_stack([a, b]), alternative=alternative)
        single = wilcoxon(a, b, alternative=alternative)
        assert found.p_adjusted[0] == single.p_value
        assert (found.simultaneous[0].low, found.simultaneous[0].high) == (single.effect.low, single.effect.high)

    @given(TABLES)
    def test_one_sided_star_and_interval_agree(self, table):
        found = joint_intervals(table, alternative="greater")
        for p, interval in zip(found.p_adjusted, found.simultaneous, strict=True):
            assert (interval.low > 0) == (p < 0.05)
            assert interval.high == np.inf

    def test_one_sided_bounds_are_sharper(self):
        table = np.random.default_rng(3).normal([0, 1, 2], 1, (12, 3))
        both, one = joint_intervals(table, control=0), joint_intervals(table, control=0, alternative="greater")
        assert all(a.low >= b.low for a, b in zip(one.simultaneous, both.simultaneous, strict=True))

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="draws must be a whole number of at least 1, got 0"):
            joint_intervals(np.random.default_rng(0).normal(size=(20, 3)), draws=0)
        with pytest.raises(UnknownName, match="no method is called 'Z'"):
            joint_intervals(np.ones((8, 2)), names="AB", control="Z")


class TestJointFamilies:
    def test_by_hand(self):
        # three columns over six rows; the second is the first negated: both reach the largest sum in the same 2 flips
        first = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        third = np.array([0.5, -1.0, 2.0, -3.0, 1.5, 2.5])
        columns = [differences(c, np.zeros(6)) for c in (first, -first, third)]
        joint, (both, alone) = joint_families(columns, [Family(np.array([0, 1])), Family(np.array([2]))])
        assert both == 2 / 64
        assert joint.p_values[0] == 4 / 64  # the third column reaches its own largest sum in two other flips
        assert alone == joint_tests(columns[2:]).p_values[0]

    def test_no_families_are_joint_tests(self):
        columns = [differences(c, np.zeros(8)) for c in np.random.default_rng(2).normal(size=(3, 8))]
        joint, none = joint_families(columns, ())
        assert none == ()
        assert joint.p_values == joint_tests(columns).p_values
