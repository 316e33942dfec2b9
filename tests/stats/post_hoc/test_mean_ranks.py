import math

import numpy as np
import pytest
from example_data import TABLE
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import aligned_friedman, bonferroni_dunn, critical_difference, nemenyi, pairwise, quade


class TestCriticalDifference:
    @pytest.mark.parametrize(
        ("k", "q05", "q10"),
        [  # R 4.2.2: qtukey(0.05, k, Inf, lower.tail=FALSE)/sqrt(2), and 0.1; qtukey stops at 1e-8 or so
            (2, 1.95996398476621, 1.64485362698205),
            (3, 2.34370058790214, 2.0522927305492),
            (5, 2.72777438251855, 2.45951576442952),
            (8, 3.0308785225952, 2.77988360852991),
            (10, 3.16368375350279, 2.91988884064709),
        ],
    )
    def test_against_r(self, k, q05, q10):
        scale = math.sqrt(k * (k + 1) / 6)
        assert critical_difference(k, 1) / scale == pytest.approx(q05, rel=1e-6)
        assert critical_difference(k, 1, level=0.9) / scale == pytest.approx(q10, rel=1e-6)

    def test_control(self):
        # Demšar (2006), table 5 (b): 1.960, 2.241, 2.394, …; 2.724 for k = 9 is a misprint
        q05 = [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773]
        for k, q in enumerate(q05, start=2):
            scale = math.sqrt(k * (k + 1) / 6)
            assert critical_difference(k, 1, comparisons="control") / scale == pytest.approx(q, abs=7e-4)
        # R 4.2.2: qnorm(0.05/16, lower.tail=FALSE), qnorm(0.1/16, lower.tail=FALSE)
        scale = math.sqrt(15)
        assert critical_difference(9, 1, comparisons="control") / scale == pytest.approx(2.73436878653318, rel=1e-12)
        assert critical_difference(9, 1, level=0.9, comparisons="control") / scale == pytest.approx(
            2.49770547441237, rel=1e-12
        )

    def test_any_k_and_level(self):
        assert critical_difference(200, 50, level=0.999) > critical_difference(200, 50) > critical_difference(100, 50)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"comparisons must be 'all' or 'control', got 'none'"):
            critical_difference(3, 10, comparisons="none")
        with pytest.raises(InputError, match=r"k must be the number of methods, a whole number of at least 2, got 1"):
            critical_difference(1, 10)
        with pytest.raises(InputError, match=r"n must be the number of data sets, a whole number of at least 1, got 0"):
            critical_difference(3, 0)


class TestNemenyi:
    def test_by_hand(self):
        # 6 data sets, ranks 1 and 2 always: z = 1 / sqrt(2·3/36); for two methods Nemenyi is the z-test itself
        found = nemenyi(np.tile([0.9, 0.8], (6, 1)))
        assert found.outcomes[0].statistic == pytest.approx(math.sqrt(6))
        assert found.p_adjusted[0] == pytest.approx(found.outcomes[0].p_value, rel=1e-10)
        assert found.outcomes[0].effect.estimate == 1.0

    def test_says_which_way_round_ranks_are(self):
        # the first has rank 1, the best: only of rising scores is its rank the larger one
        found = nemenyi(np.tile([0.9, 0.8], (6, 1)))
        assert found.details["average_ranks"] == [1.0, 2.0]
        assert "difference of average ranks of rising scores, first minus second" in str(found)

    @settings(max_examples=25)
    @given(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=2, max_size=15), st.booleans())
    def test_agrees_with_the_critical_difference_and_the_direction(self, table, higher):
        found = nemenyi(table, higher_is_better=higher)
        ranks, cd = np.array(found.details["average_ranks"]), found.details["critical_difference"]
        gaps = np.abs(ranks[:, None] - ranks)
        if np.abs(gaps - cd).min() > 1e-9:
            assert (found.different() == (gaps > cd)).all()
        for (i, j), outcome in zip(found.pairs, found.outcomes, strict=True):
            sign = -1 if higher else 1  # rank 1 is the best, a positive effect means larger scores
            assert outcome.effect.estimate == pytest.approx(sign * (ranks[i] - ranks[j]))
            assert (0 not in outcome.effect) == (outcome.p_value < 0.05)

    def test_a_positive_effect_means_larger_scores_whatever_is_better(self):
        # the direction is an argument and is never guessed
        for higher in (True, False):
            assert nemenyi(np.tile([0.9, 0.1], (4, 1)), higher_is_better=higher).outcomes[0].effect.estimate == 1.0


class TestRankTests:
    def test_by_hand(self):
        # two data sets, aligned −1, 1 and −2, 2: ranks 2, 3 and 1, 4; means 1.5 and 3.5; spread (½ + 4½) / (k − 1)
        found = pairwise([[1, 3], [5, 9]], test="aligned").outcomes[0]
        assert found.effect.estimate == -2
        assert found.statistic == pytest.approx(-2 / (math.sqrt(10) / 2))
        # Quade: ranges 2 and 4 rank 1 and 2; weighted ranks 1, 2 and 2, 4; means over 3: 1 and 2
        found = pairwise([[1, 3], [5, 9]], test="quade").outcomes[0]
        assert found.effect.estimate == -1
        assert found.statistic == pytest.approx(-1 / (math.sqrt(2 * (0.5 + 2)) * 2 / 3 / 2))

    @settings(max_examples=30)
    @given(st.lists(st.lists(st.integers(0, 50), min_size=4, max_size=4), min_size=3, max_size=12))
    def test_no_pair_is_further_apart_than_the_omnibus_test_allows(self, table):
        # a contrast's z² is at most the chi-square of all contrasts, if both have the right variance
        omnibus_of = {"aligned": aligned_friedman(table, method="chi-square"), "quade": quade(table, method="f")}
        for test, found in omnibus_of.items():
            z = [o.statistic for o in pairwise(table, test=test).outcomes]
            omnibus = found.details["chi_square"]
            if not math.isnan(omnibus):
                assert max(np.square(z)) <= omnibus * (1 + 1e-9)

    @settings(max_examples=20)
    @given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=8), st.integers(1, 5))
    def test_a_constant_for_each_data_set_does_not_matter_to_aligned_ranks(self, table, step):
        table = np.array(table, dtype=float)
        moved = table + step * np.arange(len(table))[:, None]
        for a, b in zip(
            pairwise(table, test="aligned").outcomes, pairwise(moved, test="aligned").outcomes, strict=True
        ):
            assert a.statistic == pytest.approx(b.statistic)

    def test_all_tied(self):
        found = pairwise(np.ones((4, 3)), test="aligned")
        assert [o.p_value for o in found.outcomes] == [1, 1, 1]
        assert found.outcomes[0].notes == ("all methods are tied on every data set",)


class TestBonferroniDunn:
    def test_by_hand(self):
        # 6 data sets, 2 methods: one comparison, so that nothing is adjusted
        found = bonferroni_dunn(np.tile([0.9, 0.8], (6, 1)), 1)
        assert found.pairs == ((0, 1),)
        assert found.p_adjusted[0] == pytest.approx(found.outcomes[0].p_value)
        assert found.details["critical_difference"] == pytest.approx(1.959964 * math.sqrt(1 / 6), rel=1e-6)

    def test_demsar(self, golden):
        # Demšar (2006), 3.2.2: C4.5 as control, z 0.513·… and the critical difference 2.394 · 0.49 = 1.16
        case = golden["posthoc_all_adjust_demsar_ranked"]
        found = bonferroni_dunn(case["inputs"]["matrix"], "C4.5", names=case["inputs"]["algorithms"])
        assert found.details["critical_difference"] == pytest.approx(1.168, abs=5e-4)
        assert [o.p_value for o in found.outcomes] == pytest.approx(case["expected"]["p"][:3], rel=1e-8)
        assert found.p_adjusted == pytest.approx([min(1, 3 * p) for p in case["expected"]["p"][:3]], rel=1e-8)

    @settings(max_examples=25)
    @given(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=2, max_size=15), st.integers(0, 3))
    def test_agrees_with_the_critical_difference(self, table, control):
        found = bonferroni_dunn(table, control)
        ranks, cd = np.array(found.details["average_ranks"]), found.details["critical_difference"]
        for (j, c), p in zip(found.pairs, found.p_adjusted, strict=True):
            if abs(abs(ranks[j] - ranks[c]) - cd) > 1e-9:
                assert (p < 0.05) == (abs(ranks[j] - ranks[c]) > cd)

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match=r"no method is called 'E'"):
            bonferroni_dunn(TABLE, "E")
