"""How a difference depends on the data set."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from fairtrial.errors import InputError
from fairtrial.stats import outliers, qualitative_interaction

RNG = np.random.default_rng
DIFFERENCES = st.lists(st.floats(-5, 5), min_size=2, max_size=12)

# Gail & Simon (1985): critical values at 10, 5, 1 and 0.1 %
CRITICAL = {
    2: (1.64, 2.71, 5.41, 9.55),
    3: (2.95, 4.23, 7.29, 11.76),
    4: (4.01, 5.43, 8.75, 13.47),
    5: (4.96, 6.50, 10.02, 14.96),
    10: (9.02, 10.99, 15.27, 21.03),
}


class TestQualitativeInteraction:
    def test_by_hand(self):
        # z = 1, 2, −3: 1 + 4 = 5 and 9; half of P(χ²₁ ≥ 5) = .025347 and a quarter of P(χ²₂ ≥ 5) = e^−2.5
        found = qualitative_interaction([0.1, 0.2, -0.6], [0.1, 0.1, 0.2])
        assert (found.statistic, found.details["q_plus"], found.details["q_minus"]) == pytest.approx((5, 5, 9))
        assert found.p_value == pytest.approx(0.0253473 / 2 + math.exp(-2.5) / 4, rel=1e-5)
        assert (found.details["better"], found.details["worse"], found.n) == (2, 1, 3)

    def test_heterogeneity_by_hand(self):
        # weights 1, 1, 1/4, mean −.05 / 2.25, H = Σ w d² − (Σ w d)² / Σ w in units of .1
        found = qualitative_interaction([0.1, 0.2, -0.6], [0.1, 0.1, 0.2]).details
        h = 1 + 4 + 36 / 4 - 1.5**2 / 2.25
        assert found["cochran_q"] == pytest.approx(h)
        assert found["cochran_p"] == pytest.approx(math.exp(-h / 2))
        assert found["tau"] == pytest.approx(0.1 * math.sqrt((h - 2) / (2.25 - (2 + 1 / 16) / 2.25)))
        assert found["noise_share"] == pytest.approx(2 / h)

    @pytest.mark.parametrize("n", CRITICAL)
    def test_critical_values_of_the_paper(self, n):
        for critical, p in zip(CRITICAL[n], (0.10, 0.05, 0.01, 0.001), strict=True):
            z = math.sqrt(critical)
            assert qualitative_interaction([z, -99, *[-0.0] * (n - 2)], [1] * n).p_value == pytest.approx(p, rel=0.005)

    def test_against_another_implementation(self):
        # the example of gailSimon in biostatUZH (R), with its own line:
        # sum(dbinom(1:3, 3, .5) * (1 - pchisq(min(Qplus, Qminus), 1:3)))
        d, errors = np.array([0.163, -0.114, -0.047, -0.151]), np.array([0.0788, 0.0689, 0.0614, 0.0547])
        smaller = min(sum((d / errors)[d > 0] ** 2), sum((d / errors)[d < 0] ** 2))
        p = scipy_stats.binom.pmf([1, 2, 3], 3, 0.5) @ scipy_stats.chi2.sf(smaller, [1, 2, 3])
        assert qualitative_interaction(d, errors).p_value == pytest.approx(p)
        assert p == pytest.approx(0.0877, abs=1e-4)

    def test_few_degrees_of_freedom_make_normal_scores(self):
        t, df = np.array([2.5, -3.5, 1.5]), [4, 9, math.inf]
        z = scipy_stats.norm.ppf(
            [scipy_stats.t.cdf(x, v) if v < 99 else scipy_stats.norm.cdf(x) for x, v in zip(t, df, strict=True)]
        )
        found = qualitative_interaction(t / 10, [0.1] * 3, df=df)
        assert (found.details["q_plus"], found.details["q_minus"]) == pytest.approx((z[0] ** 2 + z[2] ** 2, z[1] ** 2))

    @given(DIFFERENCES)
    def test_turned_round_and_in_another_unit(self, d):
        d = np.round(d, 3)
        errors = np.linspace(1, 2, len(d))
        one, other = qualitative_interaction(d, errors, df=9), qualitative_interaction(-d / 8, errors / 8, df=9)
        assert other.p_value == pytest.approx(one.p_value)
        assert other.details["q_plus"] == pytest.approx(one.details["q_minus"])
        assert 8 * other.details["tau"] == pytest.approx(one.details["tau"], abs=1e-9)
        assert 0 <= one.details["noise_share"] <= 1

    @pytest.mark.parametrize("df", [4, 9, math.inf])
    @pytest.mark.parametrize("n", [2, 6, 20])
    def test_error_rate_at_the_least_favourable_truth(self, n, df):
        # one true difference is huge, all others are 0; 4 standard errors of 1,500 draws
        random, found = RNG(n), []
        for _ in range(1500):
            error = np.ones(n) if math.isinf(df) else np.sqrt(random.chisquare(df, n) / df)
            d = random.normal(size=n)
            d[0] += 1000
            found.append(qualitative_interaction(d, error, df=df).p_value < 0.05)
        assert np.mean(found) == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 1500))

    def test_cochrans_p_keeps_its_level_with_few_degrees_of_freedom(self):
        # plain 1/e² weights and Q reject 39 % of 60 equal differences with 9 degrees of freedom
        random = RNG(9)
        draws = [
            qualitative_interaction(random.normal(size=60), np.sqrt(random.chisquare(9, 60) / 9), df=9).details
            for _ in range(600)
        ]
        assert np.mean([found["cochran_p"] < 0.05 for found in draws]) < 0.08

    def test_the_standard_deviation_between_data_sets_is_found(self):
        random = RNG(3)
        draws = [
            qualitative_interaction(
                0.03 * random.normal(size=40) + 0.01 * random.normal(size=40),
                0.01 * np.sqrt(random.chisquare(9, 40) / 9),
                df=9,
            ).details
            for _ in range(200)
        ]
        assert np.sqrt(np.mean([found["tau"] ** 2 for found in draws])) == pytest.approx(0.03, rel=0.04)
        assert np.mean([found["noise_share"] for found in draws]) < 0.2

    def test_one_sign_and_one_data_set_have_p_one(self):
        assert qualitative_interaction([0.1, 0.2, 0.0], [0.1, 0.1, 0.1]).p_value == 1
        found = qualitative_interaction([0.1], [0.1])
        assert (found.p_value, found.n) == (1, 1)
        assert math.isnan(found.details["cochran_q"])

    def test_errors_of_zero_are_left_out(self):
        found = qualitative_interaction([0.3, 0.1, 0.2, -0.6, 0.0], [0, 0.1, 0.1, 0.2, 0])
        assert found.notes == ("2 of 5 data sets have a standard error of 0 and were left out",)
        assert found.p_value == qualitative_interaction([0.1, 0.2, -0.6], [0.1, 0.1, 0.2]).p_value

    def test_nothing_left(self):
        found = qualitative_interaction([0.3, -0.1], [0, 0])
        assert math.isnan(found.statistic)
        assert math.isnan(found.p_value)
        assert found.notes == ("2 of 2 data sets have a standard error of 0 and were left out",)

    def test_errors_with_so_few_degrees_that_their_variance_is_unknown(self):
        found = qualitative_interaction([0.3, -0.1], [0.1, 0.1], df=2)
        assert found.p_value < 1
        assert math.isnan(found.details["tau"])

    @pytest.mark.filterwarnings("error")
    def test_far_tails(self):
        # two data sets: half of P(χ²₁ ≥ z²), which is P(Z ≥ z)
        found = qualitative_interaction([60, -60], [1, 1])
        assert found.log10_p == pytest.approx(scipy_stats.norm.logsf(60) / math.log(10))
        far = qualitative_interaction([1e9, -1e9, 3.0], [1, 1, 1], df=99)  # P(T ≥ 1e9) is 1e-795
        assert 1e3 < far.statistic < 4e3
        assert far.log10_p < -500
        assert qualitative_interaction([1e300, -1e300], [1e-300, 1e-5]).p_value == 0

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="d and errors must be of one length, got 2 and 1"):
            qualitative_interaction([1, 2], [1])
        with pytest.raises(InputError, match="errors must be standard errors of at least 0, but 1 of 2 entries"):
            qualitative_interaction([1, 2], [1, -1])
        for df in (0, math.nan, [3], [3, -1]):
            with pytest.raises(InputError, match="df must be one number above 0, or one for each of 2 data sets"):
                qualitative_interaction([1, 2], [1, 1], df=df)


# Rosner (1983), table 5, and the NIST/SEMATECH e-Handbook, 1.3.5.17.3: 54 values, at most 10 outliers, three are found
ROSNER = (
    "-0.25 0.68 0.94 1.15 1.20 1.26 1.26 1.34 1.38 1.43 1.49 1.49 1.55 1.56 1.58 1.65 1.69 1.70 1.76 1.77 1.81 1.91 "
    "1.94 1.96 1.99 2.06 2.09 2.10 2.14 2.15 2.23 2.24 2.26 2.35 2.37 2.40 2.47 2.54 2.62 2.64 2.90 2.92 2.92 2.93 "
    "3.21 3.26 3.30 3.59 3.68 4.30 4.64 5.34 5.42 6.01"
)


class TestOutliers:
    def test_by_hand(self):
        # 0 1 2 3 4 x: x = 30 is 23.3 from the mean, s = 11.5: R = 2.03, and the limit of 6 values at 1 % is 1.973
        assert outliers([0, 1, 30, 2, 3, 4]) == (2,)
        # x = 12 is 8.33 from the mean, s = 4.32: R = 1.929
        assert outliers([0, 1, 12, 2, 3, 4]) == ()

    def test_example_of_the_paper(self):
        assert outliers([float(x) for x in ROSNER.split()], most=10, level=0.95) == (51, 52, 53)

    def test_two_that_hide_each_other(self):
        # the farther one alone is 2.9 standard deviations off, which 14 values do not forbid
        values = [9.0, *np.linspace(-1, 1, 11), 8.0, 0.0]
        assert outliers(values, most=1) == ()
        assert outliers(values) == (0, 12)

    @given(st.permutations([*range(10), 70, -80]))
    def test_order_and_unit_do_not_matter(self, values):
        expected = tuple(i for i, x in enumerate(values) if x in (70, -80))
        assert outliers(values) == expected == outliers(np.array(values) * -1e-9) == outliers(np.array(values) * 1e200)

    @pytest.mark.parametrize("n", [6, 8, 12, 20, 100])
    def test_false_alarms_on_normal_samples(self, n):
        # at most 1.2 %, and 2 standard errors of 6,000 draws
        found = [outliers(row) != () for row in RNG(n).normal(size=(6000, n))]
        assert np.mean(found) <= 0.012 + 2 * np.sqrt(0.012 / 6000)

    def test_a_value_must_also_be_far(self):
        # the median absolute deviation is about .5: 2.9 is 3.9 robust standard deviations from the median
        values = np.linspace(-1, 1, 41)
        assert outliers([*values, 5.0], level=0.5) == (41,)
        assert outliers([*values, 2.9], level=0.5) == ()

    def test_at_most_a_quarter(self):
        assert outliers([0, 1, 2, 3, 4, 5, 6, 900, 1000]) == (7, 8)
        assert outliers([0, 1, 2, 3, 4, 5, 900]) == (6,)

    def test_few_or_equal_values_have_none(self):
        assert outliers([0, 0, 0, 0, 9]) == ()
        assert outliers([0.3] * 12) == ()
        assert outliers([0.1 + 0.2, *[0.3] * 11]) == ()  # a little more than 0.3 in binary

    def test_one_that_differs_from_equal_ones(self):
        assert outliers([0.3] * 7 + [0.4]) == (7,)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="most must be a whole number of at least 1, got 0"):
            outliers([1, 2, 3], most=0)
        with pytest.raises(InputError, match="values must be finite"):
            outliers([1, 2, np.nan])
