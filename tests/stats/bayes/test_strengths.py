import math
import pickle
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import bradley_terry, plackett_luce

TABLE = np.array([
    [0.9, 0.8, 0.7, 0.6],
    [0.8, 0.9, 0.6, 0.65],
    [0.7, 0.6, 0.75, 0.5],
    [0.5, 0.6, 0.7, 0.8],
    [0.9, 0.85, 0.8, 0.7],
    [0.6, 0.5, 0.4, 0.7],
    [0.8, 0.7, 0.9, 0.6],
])  # fmt: skip
WINS = [[0, 7, 9], [3, 0, 6], [1, 4, 0]]
tables = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=7).map(np.array)


def log_likelihood(log_worth, table):
    """Of rankings, tied methods in every order: the mean over the orders."""
    total = 0.0
    for row in table:
        orders = [o for o in permutations(range(len(row))) if all(row[a] >= row[b] for a, b in pairwise(o))]
        for order in orders:
            worth = np.exp(log_worth[list(order)])
            total += sum(math.log(worth[i] / worth[i:].sum()) for i in range(len(order))) / len(orders)
    return total


class TestPlackettLuce:
    def test_by_hand(self):
        # two methods: the share of data sets won, and the error of log odds is 1/sqrt(n p q)
        found = plackett_luce([[2, 1], [2, 1], [2, 1], [1, 2]], names=["a", "b"])
        assert found.worth == pytest.approx((0.75, 0.25))
        probability = found.probability("a", "b")
        assert probability.estimate == pytest.approx(0.75)
        reach = 1.959964 / math.sqrt(4 * 0.75 * 0.25)
        assert probability.low == pytest.approx(1 / (1 + math.exp(-math.log(3) + reach)), rel=1e-6)

    def test_against_r(self):
        # R 4.2.2: nlm() on the log likelihood written out, covariance from its Hessian
        found = plackett_luce(TABLE)
        assert found.worth == pytest.approx((0.4131742, 0.2966801, 0.1890103, 0.1011354), abs=2e-6)
        errors = [(i.high - i.estimate) / 1.959964 for i in found.intervals]
        assert errors == pytest.approx((0.435300, 0.395760, 0.436404, 0.494971), rel=1e-4)

    @given(tables)
    def test_no_other_strengths_are_likelier(self, table):
        """Ties and all, against the likelihood over all orders."""
        try:
            found = plackett_luce(table)
        except InputError:
            assume(False)
        here = np.log(found.worth)
        best = log_likelihood(here, table)
        for move in np.vstack([np.eye(3), -np.eye(3)]) * 0.02:
            assert log_likelihood(here + move, table) <= best + 1e-9

    @given(tables)
    def test_turning_all_rankings_and_the_direction(self, table):
        there, back = (plackett_luce(s * table, higher_is_better=s > 0, pseudo=0.5) for s in (1, -1))
        assert there.worth == pytest.approx(back.worth)

    @given(tables, st.permutations(range(3)))
    def test_order_of_columns_and_rows(self, table, order):
        there = plackett_luce(table, pseudo=0.5)
        back = plackett_luce(table[::-1][:, order], pseudo=0.5)
        assert [there.worth[i] for i in order] == pytest.approx(back.worth)

    def test_doubling_the_data_narrows_the_intervals(self):
        once, twice = plackett_luce(TABLE), plackett_luce(np.vstack([TABLE, TABLE]))
        assert once.worth == pytest.approx(twice.worth)
        ratio = [(a.high - a.low) / (b.high - b.low) for a, b in zip(once.intervals, twice.intervals, strict=True)]
        assert ratio == pytest.approx([math.sqrt(2)] * 4)

    def test_only_ranks_count(self):
        assert plackett_luce(TABLE).worth == pytest.approx(plackett_luce(np.exp(5 * TABLE)).worth)

    def test_ties_pull_together(self):
        ties = plackett_luce([[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2]])
        assert ties.worth == pytest.approx((1 / 3, 1 / 3, 1 / 3))

    def test_a_group_that_always_wins_is_refused_with_the_reason(self):
        table = [[4, 3, 2, 1], [3, 4, 1, 2]]
        with pytest.raises(InputError, match="c and d never did as well as a and b and would be infinitely weaker"):
            plackett_luce(table, names=list("abcd"))
        found = plackett_luce(table, names=list("abcd"), pseudo=0.5)
        assert found.worth[0] == pytest.approx(found.worth[1])
        assert found.worth[0] > 4 * found.worth[2]
        assert "0.5 wins and 0.5 losses" in found.notes[0]

    def test_too_many_ties_are_refused(self):
        with pytest.raises(InputError, match="at most 12 tied methods"):
            plackett_luce(np.ones((2, 13)))

    def test_missing_scores_are_refused_with_a_count(self):
        with pytest.raises(InputError, match="1 of 4 scores is not"):
            plackett_luce([[1, 2], [math.nan, 1]])


class TestBradleyTerry:
    def test_by_hand(self):
        # a chain of two meetings: odds multiply
        found = bradley_terry([[0, 8, 0], [2, 0, 6], [0, 3, 0]])
        assert found.worth[0] / found.worth[1] == pytest.approx(4)
        assert found.worth[1] / found.worth[2] == pytest.approx(2)

    def test_against_r(self):
        # R 4.2.2: glm(cbind(wins, losses) ~ 0 + first - second, family = binomial), centred
        found = bradley_terry(WINS)
        assert found.worth == pytest.approx((0.6625027660, 0.2196989469, 0.1177982871), rel=1e-8)
        logs = [i.estimate for i in found.intervals]
        assert logs == pytest.approx((0.9436058499, -0.1601606972, -0.7834451527), rel=1e-8)
        errors = [(i.high - i.estimate) / 1.9599639845 for i in found.intervals]
        assert errors == pytest.approx((0.3772066002, 0.3282506777, 0.3581457012), rel=1e-6)

    def test_pseudo_wins_are_those_against_one_more_method(self):
        ghost = [[0, 7, 9, 2], [3, 0, 6, 2], [1, 4, 0, 2], [2, 2, 2, 0]]
        found, same = bradley_terry(WINS, pseudo=2), bradley_terry(ghost)
        assert np.diff(np.log(found.worth)) == pytest.approx(np.diff(np.log(same.worth[:3])))
        there, here = same.probability("0", "2"), found.probability("0", "2")
        assert (here.low, here.high) == pytest.approx((there.low, there.high))

    def test_swapping_wins_and_losses_inverts_the_strengths(self):
        there, back = bradley_terry(WINS).worth, bradley_terry(np.transpose(WINS)).worth
        assert np.multiply(there, back) == pytest.approx([there[0] * back[0]] * 3)

    @pytest.mark.parametrize(
        ("wins", "said"),
        [
            ([[0, 5, 0, 0], [1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 2, 0]], "0 and 1 were never compared with 2 and 3"),
            ([[0, 5], [0, 0]], "1 never did as well as 0"),
            ([[1, 5], [2, 0]], "zeros on the diagonal"),
            ([[0, 5, 1], [2, 0, 1]], "square table"),
            ([[0, -5], [2, 0]], "counts of at least 0"),
        ],
    )
    def test_says_what_was_wrong(self, wins, said):
        with pytest.raises(InputError, match=said):
            bradley_terry(wins)

    def test_prints_the_strongest_first(self):
        found = bradley_terry(WINS, names=["forest", "svm", "bayes"])
        assert str(found).startswith("forest is the strongest: best of these 3 with probability 66 %")
        assert [row[0] for row in found.to_table().rows] == ["forest", "svm", "bayes"]
        assert pickle.loads(pickle.dumps(found)) == found
        with pytest.raises(InputError, match="no method is called 'tree'"):
            found.probability("tree", "svm")

    def test_names(self):
        pd = pytest.importorskip("pandas")
        wins = pd.DataFrame([[0, 3], [2, 0]], columns=["forest", "bayes"])
        assert bradley_terry(wins).names == ("forest", "bayes")
        with pytest.raises(InputError, match="names must be 2 different names"):
            bradley_terry(wins, names=["a", "b", "a"])
