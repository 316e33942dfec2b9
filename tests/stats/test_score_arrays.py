import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from fairtrial import stats
from fairtrial.errors import InputError
from fairtrial.stats import wilcoxon
from fairtrial.stats.score_arrays import differences, doubled_midranks, pair_differences, score_table


class TestDifferences:
    def test_by_hand(self):
        # the twelfth digit of 12.5 is 1e-10, that of 1.25 is 1e-11, which becomes the common unit
        d = differences(np.array([12.5, 1.25]), np.array([12.0, 1.0]))
        assert d.whole.tolist() == [50_000_000_000, 25_000_000_000]
        assert d.value(25_000_000_000) == 0.25

    def test_one_huge_score_makes_no_ties_among_small_ones(self):
        # found by a user on RMSEs from 0.01 to 2.7e11: rounded to digits of the largest, 20 of 55 pairs became equal
        d = differences(np.array([2.7e11, 1.25, 0.02]), np.array([1.0, 1.0, 0.01]))
        assert d.value(d.whole[1]) == 0.25
        assert d.value(d.whole[2]) == 0.01

    def test_float_noise_makes_no_ranks(self):
        d = differences(np.array([0.3, 0.8, 0.03]), np.array([0.2, 0.7, -0.07]))
        assert len(set(d.whole.tolist())) == 1

    @given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.integers(-280, 280))
    def test_value_is_the_way_back(self, a, exponent):
        a = np.array(a) * 10.0**exponent
        d = differences(a, np.zeros_like(a))
        largest = np.abs(a).max()
        assert [d.value(w) for w in d.whole] == pytest.approx(a.tolist(), abs=max(1e-11 * largest, 1e-308), rel=0)

    def test_a_small_difference_beside_a_vast_one_is_still_one(self):
        # found in review: beside 1e300 all of them were called equal scores
        d = differences(np.array([1e300, 1e-300, 1.0, 0.5]), np.array([0.3, 0.2, 0.7, 0.5]))
        assert np.sign(d.whole).tolist() == [1, -1, 1, 0]

    def test_scores_of_opposite_signs_leave_room_for_sums(self):
        # found in review: the interval overflowed, since it takes four times a difference and twice a sum of two
        d = np.array([1.98e7, -1.98e7, 1.98e7, -1.5e7, 3.0, 1.0, 2.0, -1.0, 1.98e7])
        assert np.abs(differences(d / 2, -d / 2).whole).max() <= 2**60
        far, near = wilcoxon(d / 2, -d / 2, level=0.8), wilcoxon(d, np.zeros(9), level=0.8)
        assert (far.effect.low, far.effect.high) == (near.effect.low, near.effect.high)

    def test_nothing_but_zeros(self):
        assert differences(np.zeros(3), np.zeros(3)).whole.tolist() == [0, 0, 0]

    def test_the_largest_doubles_do_not_overflow(self):
        d = differences(np.array([1.7e308]), np.array([-1.7e308]))
        assert d.whole.tolist() == [340_000_000_000]


class TestPairDifferences:
    @given(
        st.lists(st.sampled_from([0.0, 0.1, -0.3, 0.9, 1e-7, -2e5, 3e14, 1e300]), min_size=12, max_size=12),
        st.booleans(),
    )
    def test_each_pair_has_its_own_differences(self, values, plain):
        columns = np.array(values).reshape(4, 3)
        columns = np.tanh(columns) if plain else columns
        pairs = pair_differences(columns)
        for i in range(4):
            for row, sign, j in zip(*pairs.with_method(i), [j for j in range(4) if j != i], strict=True):
                own = differences(columns[i], columns[j])
                assert (sign * pairs.whole[row]).tolist() == own.whole.tolist()
                assert pairs.in_scores(own.whole[[1]] / 4, np.array([row])) == own.value(own.whole[1] / 4)


class TestDoubledMidranks:
    @given(st.lists(st.integers(-5, 5), min_size=1, max_size=20))
    def test_equals_scipy(self, values):
        # scipy 1.17.1: rankdata, method "average"
        assert doubled_midranks(np.array(values)).tolist() == (2 * rankdata(values)).tolist()


class TestScoreTable:
    def test_names(self):
        frame = pd.DataFrame({"A": [1.0, 2.0], "B": [3.0, 4.0]})
        assert score_table(frame).names == ("A", "B")
        assert score_table(frame.to_numpy()).names == ("0", "1")
        assert score_table(frame, names=["x", "y"]).names == ("x", "y")

    @given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=2, max_size=6))
    def test_ranks_are_the_midranks_of_each_row(self, rows):
        found = score_table(rows).doubled_ranks(higher_is_better=False)
        assert found.tolist() == [doubled_midranks(np.array(row)).tolist() for row in rows]

    def test_near_ties_are_ties(self):
        table = score_table([[0.1 + 0.2, 0.3, 0.5], [1, 2, 3]])
        assert table.doubled_ranks(higher_is_better=True).tolist() == [[5, 5, 2], [6, 4, 2]]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"names must be 2 different names, one for each column, got \['x'\]"):
            score_table([[1, 2], [3, 4]], names=["x"])


class TestRowsThatDoNotMatch:
    """Paired by place where the indexes say otherwise: refused wherever rows are paired."""

    scores = pd.Series([0.1, 0.4, 0.2, 0.9, 0.7, 0.3])
    turned = scores.sort_index(ascending=False)
    truth = pd.Series([0, 1, 0, 1, 1, 0])

    @pytest.mark.parametrize(
        "call",  # with scores, the same in another order, and a truth
        [
            lambda given: stats.wilcoxon(given.scores, given.turned),
            lambda given: stats.delong(given.truth, given.scores, given.turned),
            lambda given: stats.delong(given.truth, given.turned, given.scores),
            lambda given: stats.delong(given.truth, given.scores, given.turned, truth_b=given.truth),
            lambda given: stats.auc_interval(given.truth, given.turned),
            lambda given: stats.paired_bootstrap(given.truth, given.scores, given.turned, measure="auc"),
            lambda given: stats.measure_permutation(given.truth, given.scores, given.turned, measure="auc"),
            lambda given: stats.measure_interval(given.truth, given.turned, measure="auc"),
            lambda given: stats.cv_clt(given.scores, given.scores, folds=given.turned),
            lambda given: stats.cv_interval(given.scores, folds=given.turned),
            lambda given: stats.growth(given.scores, given.turned),
            lambda given: stats.hotelling(given.scores.to_frame(), given.turned.to_frame()),
            lambda given: stats.tukey({"a": given.scores, "b": given.turned}, blocks=True),
            lambda given: stats.manova([given.scores.to_frame(), given.turned.to_frame()], blocks=True),
            lambda given: stats.no_information_rate(given.scores, given.turned, loss="squared"),
        ],
    )
    def test_is_refused(self, call):
        with pytest.raises(
            InputError, match=r"must have the same index, in the same order, got two that differ; align"
        ):
            call(self)

    def test_samples_of_their_own_need_no_index(self):
        assert stats.tukey({"a": self.scores, "b": self.turned}).p_adjusted == (1.0,)
