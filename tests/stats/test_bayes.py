"""Closed forms and draws."""

import json
import math
import os
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.stats import beta

from fairtrial.errors import InputError
from fairtrial.stats import (
    bayes_correlated_t,
    bayes_sign,
    bayes_signed_rank,
    beta_posterior,
    corrected_t,
    proportion_interval,
    wilcoxon,
)
from fairtrial.stats.bayes.posterior import Posterior
from fairtrial.stats.bayes.signs import largest_of_gammas

COLUMNS = ("nbc", "aode", "hnb", "j48", "j48gr")
FOREST = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74]
BAYES = [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]

scores = st.floats(-1, 1).map(lambda v: round(v, 3))
pairs = st.lists(st.tuples(scores, scores), min_size=2, max_size=9).map(np.array)
ropes = st.sampled_from([0.0, 0.05, 0.3])


class TestCorrelatedT:
    def test_by_hand(self):
        # d = 1, 2, 3: mean 2, variance 1, k = 3, ratio 1: scale sqrt(4/3), t with 2 df: P(T < x) = ½ + x / 2√(2 + x²)
        found = bayes_correlated_t([1, 2, 3], [0, 0, 0], test_share=0.5, rope=1.0)
        scale = math.sqrt(4 / 3)
        below, above = (-1 - 2) / scale, (1 - 2) / scale
        assert found.left == pytest.approx(0.5 + below / (2 * math.sqrt(2 + below**2)))
        assert found.right == pytest.approx(0.5 - above / (2 * math.sqrt(2 + above**2)))
        assert sum(found.probabilities) == pytest.approx(1)

    @given(pairs, ropes)
    def test_agrees_with_the_corrected_t_test(self, ab, rope):
        found, test = bayes_correlated_t(*ab.T, test_share=0.1), corrected_t(*ab.T, test_share=0.1)
        if found.details["scale"] > 0:
            assert found.left == pytest.approx(corrected_t(*ab.T, test_share=0.1, alternative="greater").p_value)
            assert found.interval.low == pytest.approx(test.effect.low)

    @given(pairs, ropes)
    def test_swapping_the_methods_swaps_left_and_right(self, ab, rope):
        there, back = (bayes_correlated_t(x, y, test_share=0.2, rope=rope) for x, y in (ab.T, ab.T[::-1]))
        assert there.probabilities == pytest.approx(back.probabilities[::-1])

    @given(pairs)
    def test_a_wider_region_is_more_probable(self, ab):
        narrow, wide = (bayes_correlated_t(*ab.T, test_share=0.2, rope=r).equivalent for r in (0.05, 0.3))
        assert narrow <= wide + 1e-12

    def test_identical_methods_are_equivalent(self):
        found = bayes_correlated_t(FOREST, FOREST, test_share=0.1, rope=0.01)
        assert found.probabilities == (0.0, 1.0, 0.0)
        assert "without spread" in found.notes[0]
        assert bayes_correlated_t(FOREST, FOREST, test_share=0.1).probabilities == (0.5, 0.0, 0.5)

    def test_equal_differences_in_spite_of_float_noise(self):
        found = bayes_correlated_t([0.3, 0.8, 0.4], [0.2, 0.7, 0.3], test_share=0.1, rope=0.01)
        assert found.probabilities == (0.0, 0.0, 1.0)

    def test_the_far_tail_keeps_its_digits(self):
        d = np.array([1.0, 1.1] * 50)
        found = bayes_correlated_t(d, 0 * d, test_share=0.1)
        # Rscript -e 'd <- rep(c(1, 1.1), 50); pt(-mean(d) / sqrt((1/100 + 1/9) * var(d)), 99)' [R 4.2.2]
        assert found.left == pytest.approx(5.53649639515214e-80, rel=1e-9, abs=0)

    @pytest.mark.parametrize(
        ("wrong", "said"), [({"rope": -1}, "rope must be"), ({"test_share": 1}, "test_share must")]
    )
    def test_says_what_was_wrong(self, wrong, said):
        with pytest.raises(InputError, match=said):
            bayes_correlated_t([1, 2], [0, 0], **{"test_share": 0.1, **wrong})


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

    @given(pairs, ropes)
    def test_swapping_the_methods_swaps_left_and_right(self, ab, rope):
        there, back = (bayes_sign(x, y, rope=rope) for x, y in (ab.T, ab.T[::-1]))
        assert there.probabilities == pytest.approx(back.probabilities[::-1], abs=1e-12)

    @given(pairs, st.randoms())
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


class TestBetaPosterior:
    def test_by_hand(self):
        # 2 of 2, uniform: Beta(3, 1), P(θ > 0.8) = 1 − 0.8³
        found = beta_posterior(2, 2, reference=0.8)
        assert found.right == pytest.approx(1 - 0.8**3)
        assert found.interval.estimate == 0.75
        assert found.interval.low == pytest.approx(0.025 ** (1 / 3))

    @given(st.integers(1, 50), st.integers(1, 50))
    def test_jeffreys_is_the_jeffreys_interval(self, x, more):
        found, other = (
            beta_posterior(x, x + more, prior=0.5).interval,
            proportion_interval(x, x + more, method="jeffreys"),
        )
        assert (found.low, found.high) == pytest.approx((other.low, other.high))

    @given(st.integers(0, 50), st.integers(0, 50), st.floats(0.05, 0.3))
    def test_hits_and_misses_swapped(self, hits, misses, rope):
        there = beta_posterior(hits, hits + misses, rope=rope)
        back = beta_posterior(misses, hits + misses, rope=rope)
        assert there.probabilities == pytest.approx(back.probabilities[::-1], abs=1e-12)

    def test_a_region_beyond_the_ends(self):
        found = beta_posterior(9, 10, reference=0.95, rope=0.1)
        assert found.right == 0.0
        assert found.left == pytest.approx(beta.cdf(0.85, 10, 2))

    @pytest.mark.parametrize("wrong", [{"prior": 0}, {"reference": 1.0}, {"rope": -0.1}])
    def test_says_what_was_wrong(self, wrong):
        with pytest.raises(InputError, match="must"):
            beta_posterior(3, 5, **wrong)
        with pytest.raises(InputError, match="successes must be a whole number from 0 to n, got 6 of 5"):
            beta_posterior(6, 5)

    def test_the_prior_may_be_a_list(self):
        assert beta_posterior(3, 10, prior=[2, 3]) == beta_posterior(3, 10, prior=(2, 3))


class TestPosterior:
    def test_tells_the_answer_first(self):
        assert str(bayes_sign(FOREST, BAYES, rope=0.01)).startswith(
            "the first is larger by more than 0.01: probability"
        )
        assert str(bayes_sign(BAYES, FOREST)).splitlines()[0] == "the second is larger: probability 0.984"

    def test_goes_through_pickle_and_dict(self):
        found = bayes_signed_rank(FOREST, BAYES, rope=0.01, draws=500)
        assert pickle.loads(pickle.dumps(found)) == found
        assert json.loads(json.dumps(found.to_dict()))["right"] == found.right

    def test_is_never_certain_in_print(self):
        found = Posterior("t", "q", 0.1, 1e-9, 0.0, 1 - 1e-9, ("l", "e", "r"), "m", "p", 3)
        assert [row[2] for row in found.to_table().cells()] == ["<0.001", "0.000", ">0.999"]
