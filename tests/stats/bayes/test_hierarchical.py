import csv
import math

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.stats import bayes_correlated_t, bayes_hierarchical
from fairtrial.stats.bayes.hierarchical import Gibbs

# nine made-up data sets, ten folds each
DIFFERENCES = np.array(
    [
        [0.03, 0.036, 0.025, 0.013, 0.021, 0.011, 0.031, 0.055, 0.021, 0.018],
        [0.03, 0.026, 0.019, -0.01, 0.016, 0.036, -0.022, 0.003, -0.038, -0.02],
        [-0.113, -0.037, -0.085, -0.013, -0.018, -0.034, -0.145, -0.051, -0.028, -0.02],
        [0.028, 0.048, 0.038, 0.041, 0.077, 0.041, 0.056, 0.073, 0.046, 0.055],
        [0.004, 0.002, -0.047, 0.003, 0.051, -0.059, 0.033, 0.004, -0.024, 0.076],
        [0.047, -0.009, 0.028, 0.042, 0.02, 0.045, 0.024, 0.045, 0.066, 0.006],
        [0.137, 0.099, 0.133, 0.058, 0.093, 0.114, 0.177, 0.191, 0.05, 0.08],
        [0.017, -0.008, 0.007, 0.01, 0.023, 0.018, 0.008, 0.008, 0.009, 0.026],
        [-0.017, -0.011, 0.02, -0.002, -0.006, -0.05, 0.003, -0.018, 0.059, 0.034],
    ]
)


@pytest.fixture(scope="module")
def found():
    """What most tests look at: sampling takes a second."""
    return bayes_hierarchical(DIFFERENCES, 0 * DIFFERENCES, test_share=0.1, rope=0.01)


@pytest.fixture(scope="module")
def back():
    """The methods swapped, and fewer draws asked for."""
    return bayes_hierarchical(0 * DIFFERENCES, DIFFERENCES, test_share=0.1, rope=0.01, effective=100)


@pytest.mark.slow
class TestHierarchical:
    def test_against_stan(self, found):
        # PyStan 3.10.0, the model of baycomp 1.0.3 (hierarchical-t-test.stan) with its scaling and priors, 4 chains of
        # 10,000 draws after 1,000, seed 1, adapt_delta 0.95
        assert found.probabilities == pytest.approx((0.07145, 0.0053, 0.92325), abs=0.015)
        assert found.shares == pytest.approx((0.2041, 0.1751, 0.6207), abs=0.01)
        interval = found.interval
        assert (interval.estimate, interval.low, interval.high) == pytest.approx((0.02035, -0.01035, 0.0508), abs=0.002)
        spread = found.details["spread"]
        assert (spread["estimate"], spread["low"], spread["high"]) == pytest.approx(
            (0.03704, 0.01173, 0.0794), rel=0.06
        )
        assert found.details["df"]["estimate"] == pytest.approx(39.24, rel=0.1)
        deltas = [0.02574, 0.00686, -0.0275, 0.04785, 0.00962, 0.02983, 0.07766, 0.01211, 0.00544]
        assert [row[0] for row in found.details["datasets"]] == pytest.approx(deltas, abs=0.0015)

    @pytest.mark.slow
    def test_all_runs_of_baycomps_table(self, shared_table):
        with shared_table("baycomp_accuracies_10x10cv.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        nbc, j48 = (np.array([[float(v) for v in r[2:]] for r in rows if r[0] == name]) for name in ("nbc", "j48"))
        found = bayes_hierarchical(j48, nbc, test_share=0.1, rope=1.0, effective=250)
        # the same model in PyStan 3.10.0, 2,400 draws
        assert found.probabilities == pytest.approx((0.188, 0.015, 0.798), abs=0.03)
        assert found.details["spread"]["estimate"] == pytest.approx(3.264, rel=0.05)
        assert "2 of 54 data sets have equal differences" in found.notes[0]

    def test_says_how_good_the_draws_are(self, found):
        assert found.details["effective_size"] >= 1000
        assert found.details["r_hat"] < 1.02
        assert 0 < found.error < 0.01
        assert found.notes == ()
        assert found.draws.sum(axis=1) == pytest.approx(1)
        assert found.draws.mean(axis=0) == pytest.approx(found.shares)

    @pytest.mark.slow
    def test_many_data_sets_are_sampled_well(self):
        """A far-off data set with few folds is either special or noisy: chains must visit both."""
        random = np.random.default_rng(1)
        d = random.standard_t(4, (60, 1)) * 0.02 + 0.01 + 0.03 * random.normal(size=(60, 10))
        found = bayes_hierarchical(d, 0 * d, test_share=0.1, rope=0.01, effective=200)
        assert found.details["effective_size"] >= 200
        assert found.details["draws"] <= 20_000
        assert found.details["r_hat"] < 1.05

    def test_much_data_about_each_leaves_the_means_alone(self):
        """And with little, they are drawn towards the others."""
        random = np.random.default_rng(0)
        truth = np.array([-0.2, 0.0, 0.1, 0.3])
        d = truth[:, None] + 0.01 * random.normal(size=(4, 200))
        found = bayes_hierarchical(d, 0 * d, test_share=0.001, rope=0.01, effective=100)
        assert [row[0] for row in found.details["datasets"]] == pytest.approx(d.mean(axis=1), abs=1e-3)
        noisy = np.array([[0.5, -0.5, 0.9, -0.1], [0.1, 0.2, 0.1, 0.21], [0.12, 0.2, 0.1, 0.19], [0.1, 0.19, 0.1, 0.2]])
        found = bayes_hierarchical(noisy, 0 * noisy, test_share=0.25, rope=0.01, effective=100)
        assert found.details["datasets"][0][0] < noisy[0].mean() - 0.01

    def test_swapping_the_methods_swaps_left_and_right(self, found, back):
        assert back.probabilities == pytest.approx(found.probabilities[::-1], abs=0.04)

    @pytest.mark.parametrize("scale", [2.0**-800, 2.0**800])  # powers of two, so that nothing is rounded
    def test_the_same_seed_gives_the_same_draws_on_any_scale(self, back, scale):
        differences = scale * DIFFERENCES
        again = bayes_hierarchical(0 * differences, differences, test_share=0.1, rope=0.01 * scale, effective=100)
        assert (again.draws == back.draws).all()
        assert again.interval.low == scale * back.interval.low

    def test_fewer_draws_are_quicker(self, found, back):
        assert back.details["effective_size"] >= 100
        assert back.details["draws"] < found.details["draws"] / 2

    def test_rows_may_differ_in_length(self):
        a = [[0.5, 0.6, 0.7], [0.5, 0.6, 0.8, 0.75], [0.9, 0.8, 0.85]]
        found = bayes_hierarchical(a, [[0.5] * len(row) for row in a], test_share=0.3, rope=0.01, effective=100)
        assert found.n == 3
        assert found.right > 0.5

    def test_identical_methods_are_equivalent(self):
        same = np.tile([0.8, 0.7, 0.9], (6, 1))
        found = bayes_hierarchical(same, same, test_share=0.1, rope=0.01, effective=100)
        assert found.equivalent > 0.9
        assert "6 of 6 data sets" in found.notes[0]
        with pytest.raises(InputError, match="constant on each; give a rope"):
            bayes_hierarchical(same, same, test_share=0.1, rope=0)

    def test_without_a_region(self):
        found = bayes_hierarchical(DIFFERENCES, 0 * DIFFERENCES, test_share=0.1, rope=0, effective=100)
        assert found.equivalent == 0
        assert found.left + found.right == pytest.approx(1)
        assert found.right == pytest.approx(0.92, abs=0.03)  # P(μ₀ > 0)

    def test_says_when_the_draws_are_too_few(self, monkeypatch):
        monkeypatch.setitem(Gibbs.run.__globals__, "MOST_DRAWS", 1)
        monkeypatch.setitem(Gibbs.run.__globals__, "ROUND", 200)
        found = bayes_hierarchical(DIFFERENCES, 0 * DIFFERENCES, test_share=0.1, rope=0.01, effective=10**7)
        assert "less than the requested 10000000" in found.notes[0]

    @pytest.mark.parametrize(
        ("a", "b", "said"),
        [
            ([[0.1, 0.2, 0.3]], [[0.1, 0.2, 0.3]], "at least two data sets .*, got 1; use bayes_correlated_t"),
            ([[0.1, 0.2, 0.3]] * 2, [[0.1, 0.2, 0.3]], "one for each data set, got 2 and 1"),
            ([0.1, 0.2], [0.1, 0.2], "got single scores; use bayes_sign"),
            ([[0.1, 0.2]] * 2, [[0.1, 0.2]] * 2, "data set 0 must have at least three scores"),
            ([[0.1, 0.2, math.nan]] * 2, [[0.1, 0.2, 0.1]] * 2, "data set 0: a and b must be finite"),
        ],
    )
    def test_says_what_was_wrong(self, a, b, said):
        with pytest.raises(InputError, match=said):
            bayes_hierarchical(a, b, test_share=0.1, rope=0.01)

    def test_one_data_set_among_like_ones_agrees_with_the_correlated_t(self):
        """Nine copies of one data set: the population is where its t posterior is."""
        d = np.tile(DIFFERENCES[3], (9, 1))
        found = bayes_hierarchical(d, 0 * d, test_share=0.1, rope=0.01, effective=100)
        alone = bayes_correlated_t(DIFFERENCES[3], np.zeros(10), test_share=0.1, rope=0.01)
        assert found.interval.estimate == pytest.approx(alone.interval.estimate, abs=0.002)
