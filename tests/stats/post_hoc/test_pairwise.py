import itertools
import math
import pickle
import time
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import (
    Comparisons,
    adjust,
    aligned_friedman,
    bonferroni_dunn,
    cliques,
    compare_pairs,
    corrected_t,
    critical_difference,
    letters,
    nemenyi,
    pairwise,
    quade,
    versus_control,
    wilcoxon,
)

RNG = np.random.default_rng(7)
TABLE = pd.DataFrame(RNG.normal([0.8, 0.79, 0.6, 0.7], 0.05, size=(12, 4)), columns=["A", "B", "C", "D"])


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
        with pytest.raises(InputError, match=r"k must be a whole number of methods, at least 2, got 1"):
            critical_difference(1, 10)
        with pytest.raises(InputError, match=r"n must be a whole number of data sets, at least 1, got 0"):
            critical_difference(3, 0)


class TestNemenyi:
    def test_by_hand(self):
        # 6 data sets, ranks 1 and 2 always: z = 1 / sqrt(2·3/36); for two methods Nemenyi is the z-test itself
        found = nemenyi(np.tile([0.9, 0.8], (6, 1)))
        assert found.outcomes[0].statistic == pytest.approx(math.sqrt(6))
        assert found.p_adjusted[0] == pytest.approx(found.outcomes[0].p_value, rel=1e-10)
        assert found.outcomes[0].effect.estimate == 1.0

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
        # PEERS 4
        for higher in (True, False):
            assert nemenyi(np.tile([0.9, 0.1], (4, 1)), higher_is_better=higher).outcomes[0].effect.estimate == 1.0


class TestPairwise:
    def test_is_wilcoxon_and_holm(self):
        found = pairwise(TABLE)
        assert found.names == ("A", "B", "C", "D")
        assert found.pairs == tuple(itertools.combinations(range(4), 2))
        p = [wilcoxon(TABLE.iloc[:, i], TABLE.iloc[:, j]).p_value for i, j in found.pairs]
        assert [o.p_value for o in found.outcomes] == p
        assert found.p_adjusted == tuple(adjust(p, "holm"))

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match=r"no test of pairs is called 'wilcoxn'; did you mean 'wilcoxon'"):
            pairwise(TABLE, test="wilcoxn")
        with pytest.raises(UnknownName, match=r"no adjustment"):
            pairwise(TABLE, adjust="tukey")
        with pytest.raises(InputError, match=r"names must be 4 different names"):
            pairwise(TABLE, names=["A", "A", "B", "C"])


class TestVersusControl:
    def test_the_control_is_second(self):
        found = versus_control(TABLE, "C", test="sign", adjust="bonferroni")
        assert found.pairs == ((0, 2), (1, 2), (3, 2))
        assert all(o.effect.estimate > 0 for o in found.outcomes)  # C has the smallest scores
        assert versus_control(TABLE.to_numpy(), 2, test="sign").pairs == found.pairs

    def test_fewer_comparisons_cost_less(self):
        control, everything = versus_control(TABLE, "A"), pairwise(TABLE)
        assert control.p_adjusted[0] <= everything.p_adjusted[0]

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match=r"no method is called 'E'"):
            versus_control(TABLE, "E")
        with pytest.raises(InputError, match=r"control must be a name or a number from 0 to 3, got 4"):
            versus_control(TABLE, 4)


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


class TestWhatIsRefused:
    @pytest.mark.parametrize("pair", [(0, 9), (1, 1), (0,), ("a", "b"), (-1, 0)])
    def test_pairs(self, pair):
        with pytest.raises(InputError, match="pairs must be of two different columns from 0 to 2"):
            compare_pairs([[1, 2], [3, 4], [5, 7]], [pair])

    def test_columns_and_tests(self):
        with pytest.raises(InputError, match="columns must hold numbers only"):
            compare_pairs([[1, 2, 3], [1, 2]], [(0, 1)], test="friedman")
        with pytest.raises(InputError, match="that gives an Outcome"):
            compare_pairs([[1, 2], [3, 4]], [(0, 1)], test=lambda *_: 3)

    @pytest.mark.parametrize("control", [1.5, None, True, [1]])
    def test_control(self, control):
        with pytest.raises(InputError, match="control must be a name or a number from 0 to 1"):
            versus_control([[1, 2], [3, 4]], control)

    @pytest.mark.parametrize("k", ["4", None, math.nan, math.inf, 2.5])
    def test_numbers_of_methods(self, k):
        with pytest.raises(InputError, match="k must be a whole number of methods"):
            critical_difference(k, 10)

    def test_p_values_are_no_matrix_of_differences(self):
        # taken as yes and no, every p-value would be a yes
        with pytest.raises(InputError, match=r"of p-values, pass p < 0\.05"):
            cliques([[1, 0.03], [0.03, 1]])


class TestComparePairs:
    def test_transitive_adjustments_need_all_pairs(self):
        # against a control of four methods there are 3 tests, as many as all pairs of three methods
        with pytest.raises(InputError, match=r"needs each of the 6 pairs of 4 methods once, got 3; use 'holm'"):
            versus_control(TABLE, "A", adjust="shaffer")
        columns, pairs = list(TABLE.to_numpy().T), list(itertools.combinations(range(4), 2))
        one = compare_pairs(columns, pairs, test="friedman", adjust="bergmann_hommel")
        turned = compare_pairs(columns, [(j, i) for i, j in pairs[::-1]], test="friedman", adjust="bergmann_hommel")
        assert turned.p_adjusted[::-1] == pytest.approx(one.p_adjusted)

    def test_says_that_wilcoxon_is_not_transitive(self):
        assert "needn't be" in pairwise(TABLE, adjust="shaffer").notes[0]
        assert "depends on which others" in " ".join(pairwise(TABLE, test="friedman", adjust="shaffer").notes)

    def test_fold_scores_with_a_corrected_test(self):
        folds = list(RNG.normal(size=(3, 10)))
        test = partial(corrected_t, test_share=0.1)
        found = compare_pairs(folds, [(2, 0)], test=test, adjust="none")
        assert found.outcomes[0] == test(folds[2], folds[0])
        assert found.p_adjusted == (found.outcomes[0].p_value,)

    def test_refuses_a_whole_table(self):
        # rows of the table were read as columns, in silence
        with pytest.raises(
            InputError, match=r"columns as an array of shape \(\d+, 4\) is ambiguous: pass list\(array.T"
        ):
            compare_pairs(TABLE.to_numpy(), [(0, 1)])
        with pytest.raises(InputError, match="columns must be a list of columns, got a DataFrame; use pairwise"):
            compare_pairs(TABLE, [(0, 1)])

    def test_no_pairs(self):
        found = compare_pairs([[1, 2]], [])
        assert found.different().tolist() == [[False]]
        assert "no pairs" in str(found)


class TestComparisons:
    def test_different_follows_the_adjusted_p(self):
        found = pairwise(TABLE)
        matrix = found.different()
        assert (matrix == matrix.T).all()
        assert not matrix.diagonal().any()
        for (i, j), p in zip(found.pairs, found.p_adjusted, strict=True):
            assert matrix[i, j] == (p < 0.05)

    def test_undefined_is_not_different(self):
        undefined = compare_pairs([[1, 2], [2, 3]], [(0, 1)], test=partial(corrected_t, test_share=0.1))
        assert math.isnan(undefined.p_adjusted[0])
        assert not undefined.different().any()
        assert "–" in str(undefined)

    def test_prints_pickles_and_becomes_plain_data(self):
        found = pairwise(TABLE)
        assert pickle.loads(pickle.dumps(found)) == found
        assert found.to_dict()["p_adjusted"] == list(found.p_adjusted)
        assert "p (Holm)" in str(found)
        assert str(found).count("*") == 1 + int(found.different().sum()) // 2
        assert found.to_table().to_json()
        assert isinstance(found, Comparisons)


def maximal_groups(different):
    """By going through all subsets."""
    k = len(different)
    alike = [
        set(s)
        for size in range(2, k + 1)
        for s in itertools.combinations(range(k), size)
        if not any(different[i][j] for i, j in itertools.combinations(s, 2))
    ]
    return sorted(tuple(sorted(s)) for s in alike if not any(s < other for other in alike))


class TestCliques:
    def test_by_hand(self):
        # PEERS 12: 0 and 2 differ, so no bar spans both, although each is like 1 and like 3
        different = np.zeros((4, 4), bool)
        different[0, 2] = different[2, 0] = True
        assert cliques(different) == [(0, 1, 3), (1, 2, 3)]

    @settings(max_examples=60)
    @given(st.integers(2, 7).flatmap(lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k)))
    def test_equals_enumeration(self, flat):
        k = math.isqrt(len(flat))
        upper = np.triu(np.array(flat).reshape(k, k), 1)
        assert cliques(upper | upper.T) == maximal_groups(upper | upper.T)

    def test_all_or_none(self):
        assert cliques(np.zeros((3, 3))) == [(0, 1, 2)]
        assert cliques(~np.eye(3, dtype=bool)) == []

    def test_a_hundred_methods(self):
        ranks = np.sort(RNG.uniform(0, 100, 100))
        start = time.perf_counter()
        groups = cliques(np.abs(ranks[:, None] - ranks) > 20)
        assert time.perf_counter() - start < 5
        assert all(group == tuple(range(group[0], group[-1] + 1)) for group in groups)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"square symmetric matrix"):
            cliques([[0, 1], [0, 0]])


def share(a, b):
    return bool(set(a) & set(b))


class TestLetters:
    def test_by_hand(self):
        # 0 and 1 are alike, 1 and 2 are, 3 differs from all
        different = ~np.eye(4, dtype=bool)
        for i, j in ((0, 1), (1, 2)):
            different[i, j] = different[j, i] = False
        assert letters(different) == ["a", "ab", "b", "c"]

    def test_drops_letters_that_add_nothing(self):
        # a six-cycle of triangles around an inner triangle: its three pairs are in the outer ones
        alike = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (0, 5), (2, 5)]
        different = ~np.eye(6, dtype=bool)
        for i, j in alike:
            different[i, j] = different[j, i] = False
        assert len(cliques(different)) == 4
        assert len(set("".join(letters(different)))) == 3

    @settings(max_examples=60)
    @given(st.integers(1, 7).flatmap(lambda k: st.lists(st.booleans(), min_size=k * k, max_size=k * k)), st.randoms())
    def test_two_share_a_letter_exactly_when_they_do_not_differ(self, flat, random):
        k = math.isqrt(len(flat))
        upper = np.triu(np.array(flat).reshape(k, k), 1)
        order = list(range(k))
        random.shuffle(order)
        found = letters(upper | upper.T, order=order)
        assert "a" in found[order[0]]
        for i, j in itertools.combinations(range(k), 2):
            assert share(found[i], found[j]) == (not upper[i, j])
        assert all(found)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"order must have every method from 0 to 2 once, got \[0, 1\]"):
            letters(np.zeros((3, 3)), order=[0, 1])
        with pytest.raises(InputError, match=r"needs 80 letters, and there are only 76; use cliques"):
            letters(~np.eye(80, dtype=bool))
