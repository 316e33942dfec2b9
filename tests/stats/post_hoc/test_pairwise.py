import itertools
import math
from functools import partial

import numpy as np
import pytest
from example_data import TABLE

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import (
    adjust,
    cliques,
    compare_pairs,
    corrected_t,
    critical_difference,
    pairwise,
    versus_control,
    wilcoxon,
)


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
        with pytest.raises(InputError, match=r"control must be the name of a method or its number from 0 to 3, got 4"):
            versus_control(TABLE, 4)


class TestWhatIsRefused:
    @pytest.mark.parametrize("pair", [(0, 9), (1, 1), (0,), ("a", "b"), (-1, 0)])
    def test_pairs(self, pair):
        with pytest.raises(InputError, match="pairs must hold the numbers of two different columns, from 0 to 2"):
            compare_pairs([[1, 2], [3, 4], [5, 7]], [pair])

    def test_columns_and_tests(self):
        with pytest.raises(InputError, match="columns must hold numbers only"):
            compare_pairs([[1, 2, 3], [1, 2]], [(0, 1)], test="friedman")
        with pytest.raises(InputError, match="that returns an Outcome"):
            compare_pairs([[1, 2], [3, 4]], [(0, 1)], test=lambda *_: 3)

    @pytest.mark.parametrize("control", [1.5, None, True, [1]])
    def test_control(self, control):
        with pytest.raises(InputError, match="control must be the name of a method or its number from 0 to 1"):
            versus_control([[1, 2], [3, 4]], control)

    @pytest.mark.parametrize("k", ["4", None, math.nan, math.inf, 2.5])
    def test_numbers_of_methods(self, k):
        with pytest.raises(InputError, match="k must be the number of methods"):
            critical_difference(k, 10)

    def test_p_values_are_no_matrix_of_differences(self):
        # taken as yes and no, every p-value would be a yes
        with pytest.raises(InputError, match=r"if you have p-values, pass p < 0\.05"):
            cliques([[1, 0.03], [0.03, 1]])


class TestComparePairs:
    def test_transitive_adjustments_need_all_pairs(self):
        # against a control of four methods there are 3 tests, as many as all pairs of three methods
        with pytest.raises(InputError, match=r"needs each of the 6 pairs of 4 methods once, got 3 pairs; use 'holm'"):
            versus_control(TABLE, "A", adjust="shaffer")
        columns, pairs = list(TABLE.to_numpy().T), list(itertools.combinations(range(4), 2))
        one = compare_pairs(columns, pairs, test="friedman", adjust="bergmann_hommel")
        turned = compare_pairs(columns, [(j, i) for i, j in pairs[::-1]], test="friedman", adjust="bergmann_hommel")
        assert turned.p_adjusted[::-1] == pytest.approx(one.p_adjusted)

    def test_says_that_wilcoxon_is_not_transitive(self):
        assert "need not be transitive" in pairwise(TABLE, adjust="shaffer").notes[0]
        assert "depends on which others" in " ".join(pairwise(TABLE, test="friedman", adjust="shaffer").notes)

    def test_fold_scores_with_a_corrected_test(self):
        folds = list(np.random.default_rng(8).normal(size=(3, 10)))
        test = partial(corrected_t, test_share=0.1)
        found = compare_pairs(folds, [(2, 0)], test=test, adjust="none")
        assert found.outcomes[0] == test(folds[2], folds[0])
        assert found.p_adjusted == (found.outcomes[0].p_value,)

    def test_refuses_a_whole_table(self):
        # rows of the table were read as columns, in silence
        with pytest.raises(
            InputError, match=r"columns must be a list, .* got an array of shape \(\d+, 4\); pass list\(array.T"
        ):
            compare_pairs(TABLE.to_numpy(), [(0, 1)])
        with pytest.raises(InputError, match="columns must be a list of columns, got a DataFrame; use pairwise"):
            compare_pairs(TABLE, [(0, 1)])

    def test_no_pairs(self):
        found = compare_pairs([[1, 2]], [])
        assert found.different().tolist() == [[False]]
        assert "no pairs" in str(found)
