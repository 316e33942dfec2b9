import math
import os

import numpy as np
import pytest
from example_data import BAYES, FOREST, fine_pairs, ropes
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad

from fairtrial.errors import InputError
from fairtrial.stats import bayes_sign, bayes_signed_rank, wilcoxon
from fairtrial.stats.bayes.signs import largest_of_gammas


class TestSign:
    def test_by_hand(self):
        # 0 left, 1 + 1 in the region, 6 right: the larger of gamma 2 and gamma 6 is that of Binomial(7, ½) ≥ 6
        found = bayes_sign(FOREST, BAYES, rope=0.01)
        assert found.equivalent == pytest.approx((7 + 1) / 2**7)
        assert found.shares == (0.0, 0.25, 0.75)
        assert bayes_sign(FOREST, BAYES).left == pytest.approx(1 / 2**6)  # Beta(6, 1) below one half

    @given(st.tuples(*[st.integers(0, 4)] * 3).filter(lambda c: sum(c) > 0))
    def test_against_enumeration(self, shapes):
        """Gamma variables of whole shapes are waiting times: whose last event is last, among equally likely orders."""
        counts = np.zeros(3)
        there = [i for i in range(3) if shapes[i]]
        state = {(0, 0, 0): 1.0}
        # the largest is the one that has not finished when all others have
        for _ in range(sum(shapes)):
            following: dict[tuple[int, ...], float] = {}
            for at, p in state.items():
                open_ = [i for i in there if at[i] < shapes[i]]
                if len(open_) == 1:
                    counts[open_[0]] += p
                    continue
                for i in open_:  # the three processes run on at the same rate
                    step = tuple(at[j] + (j == i) for j in range(3))
                    following[step] = following.get(step, 0) + p / len(open_)
            state = following
        assert largest_of_gammas(shapes) == pytest.approx(counts, abs=1e-12)

    @given(st.tuples(st.floats(1, 3000), *[st.floats(0.01, 3000)] * 2))  # some data set is always counted
    def test_the_three_add_up_to_one(self, shapes):
        assert sum(largest_of_gammas(shapes)) == pytest.approx(1, abs=1e-9)

    def test_against_a_double_integral(self):
        def density(y, x):
            return x**1.5 * y**0.7 * (1 - x - y) ** 3.2

        whole = dblquad(density, 0, 1, 0, lambda x: 1 - x)[0]
        first = dblquad(lambda y, x: density(y, x) * (x > y) * (x > 1 - x - y), 0, 1, 0, lambda x: 1 - x, epsabs=1e-9)[
            0
        ]
        assert largest_of_gammas((2.5, 1.7, 4.2))[0] == pytest.approx(first / whole, rel=1e-3)

    @given(fine_pairs, ropes)
    def test_swapping_the_methods_swaps_left_and_right(self, ab, rope):
        there, back = (bayes_sign(x, y, rope=rope) for x, y in (ab.T, ab.T[::-1]))
        assert there.probabilities == pytest.approx(back.probabilities[::-1], abs=1e-12)

    @pytest.mark.slow
    @given(fine_pairs, st.randoms())
    def test_order_doesnt_matter(self, ab, random):
        order = random.sample(range(len(ab)), len(ab))
        assert bayes_sign(*ab.T, rope=0.05).probabilities == bayes_sign(*ab[order].T, rope=0.05).probabilities

    def test_a_difference_of_the_region_is_in_it(self):
        # 0.8 - 0.7 is a little more than 0.1 in binary
        assert bayes_sign([0.8, 0.3], [0.7, 0.2], rope=0.1).details["n_equivalent"] == 2

    def test_equal_scores_speak_for_neither(self):
        found = bayes_sign(FOREST, FOREST)
        assert found.probabilities == (0.5, 0.0, 0.5)
        assert found.notes
        assert bayes_sign(FOREST, FOREST, rope=0.01).probabilities == pytest.approx((0, 1, 0))

    @pytest.mark.parametrize("prior", [-1.0, (1.0, 2.0), math.nan])
    def test_says_what_was_wrong(self, prior):
        with pytest.raises(InputError, match="prior must be"):
            bayes_sign(FOREST, BAYES, prior=prior)

    def test_the_prior_may_be_a_list(self):
        a, b = [3, 1, 2], [1, 2, 0]
        assert bayes_sign(a, b, rope=1, prior=[1, 2, 3]) == bayes_sign(a, b, rope=1, prior=(1, 2, 3))


class TestSignedRank:
    def test_expected_shares_by_hand(self):
        # z = 0 (weight ½), −1, 3; sums beyond ±2: −2 is on the edge, 3, 2 (twice, edge), 6; moments over 2.5 · 3.5
        found = bayes_signed_rank([0.0, 3.0], [1.0, 0.0], rope=1.0)
        assert found.shares[0] == pytest.approx(0.5 * 2 / 8.75)
        assert found.shares[2] == pytest.approx((2 * 0.5 + 2 * 0.5 + 2) / 8.75)

    @settings(max_examples=20)
    @given(
        st.lists(st.integers(-3, 3), min_size=1, max_size=6), st.sampled_from([0.0, 1.0]), st.sampled_from([0.5, 2.0])
    )
    def test_the_mean_of_the_draws_is_the_expected_share(self, z, rope, prior):
        found = bayes_signed_rank(z, np.zeros(len(z)), rope=rope, prior=prior, draws=4000)
        expected = np.array(found.shares)
        if rope == 0:
            assert expected[1] == pytest.approx(0, abs=1e-12)
        assert found.draws.mean(axis=0) == pytest.approx(expected, abs=5 * 0.5 / math.sqrt(4000))

    @settings(max_examples=30)
    @given(st.lists(st.integers(-3, 3), min_size=1, max_size=7), st.sampled_from([0.0, 1.0]))
    def test_moments_against_the_double_sum(self, z, rope):
        """E[w w'] = (diag(a) + a a') / (A (A + 1))."""
        found = bayes_signed_rank(z, np.zeros(len(z)), rope=rope, draws=100).shares
        a = np.array([0.5] + [1.0] * len(z))
        second = (np.diag(a) + np.outer(a, a)) / (a.sum() * (a.sum() + 1))
        sums = np.add.outer([0, *z], [0, *z])
        right = (second * ((sums > 2 * rope) + 0.5 * (sums == 2 * rope))).sum()
        left = (second * ((sums < -2 * rope) + 0.5 * (sums == -2 * rope))).sum()
        assert (found[0], found[2]) == pytest.approx((left, right), abs=1e-12)

    def test_two_data_sets_in_closed_form(self):
        # one difference of each sign, the second larger, no prior: right wins iff (1 − w)² + 2 w (1 − w) > w², w < 1/√2
        found = bayes_signed_rank([0.0, 2.0], [1.0, 0.0], prior=0.0, draws=200_000)
        assert found.right == pytest.approx(1 / math.sqrt(2), abs=5 * found.error)
        assert found.error == pytest.approx(math.sqrt(0.7071 * 0.2929 / 200_000), rel=0.02)

    def test_same_seed_same_answer_whatever_the_cores(self, monkeypatch):
        there = bayes_signed_rank(FOREST, BAYES, rope=0.02, seed=3, draws=5000)
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
        assert (bayes_signed_rank(FOREST, BAYES, rope=0.02, seed=3, draws=5000).draws == there.draws).all()
        assert (bayes_signed_rank(FOREST, BAYES, rope=0.02, seed=4, draws=5000).draws != there.draws).any()

    def test_equal_scores_speak_for_neither(self):
        """baycomp 1.0.3 says that the first wins for certain: argmax takes the first of equals."""
        found = bayes_signed_rank(FOREST, FOREST)
        assert found.probabilities == (0.5, 0.0, 0.5)
        assert found.notes
        assert bayes_signed_rank(FOREST, FOREST, rope=0.01).equivalent == 1.0

    def test_no_draw_against_is_not_certainty(self):
        found = bayes_signed_rank(np.arange(1.0, 40.0), np.zeros(39), draws=1000)
        assert found.right == 1.0
        assert found.error == 1 / 1000

    def test_agrees_with_wilcoxon_in_direction(self):
        found, test = bayes_signed_rank(FOREST, BAYES), wilcoxon(FOREST, BAYES)
        assert found.right > 1 - test.p_value
        assert test.effect.estimate > 0

    def test_missing_scores_are_refused(self):
        with pytest.raises(InputError, match="must be finite"):
            bayes_signed_rank([0.1, math.nan], [0.1, 0.2])

    @pytest.mark.parametrize(("wrong", "said"), [({"draws": 10}, "draws must"), ({"prior": -1}, "prior must")])
    def test_says_what_was_wrong(self, wrong, said):
        with pytest.raises(InputError, match=said):
            bayes_signed_rank(FOREST, BAYES, **wrong)
