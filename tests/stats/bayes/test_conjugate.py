import math

import numpy as np
import pytest
from example_data import FOREST, fine_pairs, ropes
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from fairtrial.errors import InputError
from fairtrial.stats import bayes_correlated_t, beta_posterior, corrected_t, proportion_interval


class TestCorrelatedT:
    def test_by_hand(self):
        # d = 1, 2, 3: mean 2, variance 1, k = 3, ratio 1: scale sqrt(4/3), t with 2 df: P(T < x) = ½ + x / 2√(2 + x²)
        found = bayes_correlated_t([1, 2, 3], [0, 0, 0], test_share=0.5, rope=1.0)
        scale = math.sqrt(4 / 3)
        below, above = (-1 - 2) / scale, (1 - 2) / scale
        assert found.left == pytest.approx(0.5 + below / (2 * math.sqrt(2 + below**2)))
        assert found.right == pytest.approx(0.5 - above / (2 * math.sqrt(2 + above**2)))
        assert sum(found.probabilities) == pytest.approx(1)

    @given(fine_pairs, ropes)
    def test_agrees_with_the_corrected_t_test(self, ab, rope):
        found, test = bayes_correlated_t(*ab.T, test_share=0.1), corrected_t(*ab.T, test_share=0.1)
        if found.details["scale"] > 0:
            assert found.left == pytest.approx(corrected_t(*ab.T, test_share=0.1, alternative="greater").p_value)
            assert found.interval.low == pytest.approx(test.effect.low)

    @given(fine_pairs, ropes)
    def test_swapping_the_methods_swaps_left_and_right(self, ab, rope):
        there, back = (bayes_correlated_t(x, y, test_share=0.2, rope=rope) for x, y in (ab.T, ab.T[::-1]))
        assert there.probabilities == pytest.approx(back.probabilities[::-1])

    @given(fine_pairs)
    def test_a_wider_region_is_more_probable(self, ab):
        narrow, wide = (bayes_correlated_t(*ab.T, test_share=0.2, rope=r).equivalent for r in (0.05, 0.3))
        assert narrow <= wide + 1e-12

    def test_identical_methods_are_equivalent(self):
        found = bayes_correlated_t(FOREST, FOREST, test_share=0.1, rope=0.01)
        assert found.probabilities == (0.0, 1.0, 0.0)
        assert "with zero variance" in found.notes[0]
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
