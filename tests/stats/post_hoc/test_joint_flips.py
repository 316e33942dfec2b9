"""Joint sign flips of whole rows."""

import itertools

import numpy as np
import pytest

from fairtrial.stats.post_hoc.joint_flips import (
    DRAWS,
    MORE_DRAWS,
    Family,
    JointFlips,
    Maxima,
    joint_flips,
    signed_sum,
    walsh_sums,
)
from fairtrial.stats.score_arrays import differences


def pairs_of(table):
    columns = np.asarray(table, dtype=float).T
    return [differences(columns[i], columns[j]) for i, j in itertools.combinations(range(len(columns)), 2)]


class TestWalshSums:
    def test_by_hand(self):
        # 1, 2, 9: sums 2, 3, 4, 10, 11, 18
        assert walsh_sums(np.array([9, 1, 2]), 1, 4, 6) == [2, 10, 18]

    def test_many_differences_are_not_all_added_up(self, monkeypatch):
        d = np.random.default_rng(1).integers(-50, 50, 60)
        held = walsh_sums(d, 1, 100, 915, 1830)
        monkeypatch.setattr("fairtrial.stats.distributions.signed_rank.FEW_DIFFERENCES", 10)
        assert walsh_sums(d, 1, 100, 915, 1830) == held


class TestSignedSum:
    def test_by_hand(self):
        # sizes 1, 2, 4 have ranks 1, 2, 3: 3 + 1 - 2, doubled
        assert signed_sum(np.array([4, -2, 1])) == 4

    def test_is_twice_the_balance_of_walsh_averages(self):
        d = np.array([5, -3, 0, 7, 7, -1, 0, 2])
        i, j = np.triu_indices(len(d))
        assert signed_sum(d) == 2 * np.sign(d[i] + d[j]).sum()


class TestMaxima:
    def test_by_hand(self):
        exact = Maxima(np.array([1.0, 2.0, 2.0, 3.0]), exact=True)
        assert [exact.p(s) for s in (1, 2, 3, 4)] == [1.0, 0.75, 0.25, 0.0]
        drawn = Maxima(np.array([1.0, 2.0, 2.0, 3.0]), exact=False)
        assert [drawn.p(s) for s in (3, 4)] == [0.4, 0.2]  # the observed signs count as one draw

    @pytest.mark.parametrize("exact", [True, False])
    @pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.3])
    def test_what_exceeds_the_critical_value_is_significant(self, exact, alpha):
        maxima = Maxima(np.sort(np.random.default_rng(1).integers(0, 40, 199)).astype(float), exact)
        critical = maxima.critical(alpha)
        for statistic in range(45):
            assert (statistic > critical) == (maxima.p(statistic) < alpha)

    def test_too_few_flips_have_no_critical_value(self):
        assert Maxima(np.array([1.0, 2.0]), exact=False).critical(0.05) == np.inf


class TestJointFlips:
    def test_counts_all_flips_of_small_tables(self):
        rng = np.random.default_rng(3)
        flips = joint_flips(pairs_of(rng.normal(size=(5, 3))))
        (maxima,) = flips.maxima([Family(np.arange(3))])
        slow = [
            max(abs(sum(s * r for s, r in zip(signs, column, strict=True))) for column in flips.ranks.T.tolist())
            for signs in itertools.product((1, -1), repeat=5)
        ]
        assert maxima.values.tolist() == sorted(slow)
        assert maxima.exact

    def test_residuals_have_all_ranks_and_no_zero(self):
        d = differences(np.array([3.0, 1.0, 2.0, 7.0, 5.0]), np.zeros(5))  # the pseudo-median is an observation
        (column,) = joint_flips([d]).ranks.T
        assert sorted(np.abs(column)) == [2, 4, 6, 8, 10]

    def test_one_sided_families_take_the_side_of_their_signs(self):
        flips = JointFlips(np.array([[2.0, -4.0], [4.0, 2.0]]))
        (maxima,) = flips.maxima([Family(np.array([0, 1]), np.array([1, -1]))])
        # sums of the columns under (++, -+, +-, --): 6, 2, -2, -6 and -2, 6, -6, 2
        assert maxima.values.tolist() == [-2, 2, 6, 6]

    def test_draws_repeat_with_the_seed(self):
        table = np.random.default_rng(0).normal(size=(20, 3))
        one, same, other = (
            joint_flips(pairs_of(table), seed=seed).maxima([Family(np.arange(3))])[0].values for seed in (1, 1, 2)
        )
        assert np.array_equal(one, same)
        assert not np.array_equal(one, other)

    def test_draws_come_near_to_all_flips(self, monkeypatch):
        pairs = pairs_of(np.random.default_rng(0).normal(size=(12, 4)))
        (exact,) = joint_flips(pairs).maxima([Family(np.arange(6))])
        monkeypatch.setattr("fairtrial.stats.post_hoc.joint_flips.EXACT_ROWS", 5)
        (drawn,) = joint_flips(pairs).maxima([Family(np.arange(6))])
        for statistic in (80, 100, 120):
            p = exact.p(statistic)
            assert drawn.p(statistic) == pytest.approx(p, abs=4 * drawn.p_error(p) + 1e-4)

    def test_more_draws_decide_what_lies_at_the_border(self):
        flips = joint_flips(pairs_of(np.random.default_rng(5).normal(size=(20, 3))))
        family = Family(np.arange(3))
        (few,) = flips.maxima([family])
        (near,) = flips.decided([family], np.array([few.critical(0.05), 0, 0]), 0.05)
        (far,) = flips.decided([family], np.zeros(3), 0.05)
        assert (len(near.values), len(far.values)) == (MORE_DRAWS, DRAWS)
