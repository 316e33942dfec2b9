import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import studentized_range as reference

from fairtrial.stats.distributions import simultaneous
from fairtrial.stats.distributions.simultaneous import (
    dunnett_quantile,
    dunnett_tail,
    tukey_quantile,
    tukey_tail,
    tukey_tails,
)
from fairtrial.stats.distributions.student_t import t_tail


class TestTukeyTail:
    @pytest.mark.parametrize("df", [1, 3, 20, 1000])
    @pytest.mark.parametrize("t", [0.01, 1.0, 4.0, 40.0, 1000.0])
    def test_two_groups_are_a_t_test(self, t, df):
        expected = t_tail(t, df, "two-sided")
        found = tukey_tail(math.sqrt(2) * t, 2, df)
        assert found.log10 == pytest.approx(expected.log10, rel=1e-10, abs=1e-11)

    @pytest.mark.parametrize(
        ("q", "k", "df", "p"),
        [  # R 4.2.2: ptukey(q, k, df, lower.tail=FALSE), good to about 1e-10
            (3.5, 3, 9, 0.0818453921459713),
            (5, 6, 20, 0.0219343494657638),
            (4, 10, 60, 0.1504578086592441),
        ],
    )
    def test_against_r(self, q, k, df, p):
        assert tukey_tail(q, k, df).value == pytest.approx(p, rel=1e-8)

    def test_many_degrees_of_freedom_approach_infinitely_many(self):
        assert tukey_tail(4.0, 5, 1e9).value == pytest.approx(tukey_tail(4.0, 5, math.inf).value, rel=1e-6)

    @settings(max_examples=15)
    @given(q=st.floats(0.01, 60), k=st.integers(2, 60), df=st.integers(1, 300))
    def test_a_finer_grid_changes_nothing(self, q, k, df):
        coarse = tukey_tail(q, k, df)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(simultaneous, "STEP", 0.04)
            patch.setattr(simultaneous, "FORGET", 60.0)
            assert tukey_tail(q, k, df).log10 == pytest.approx(coarse.log10, rel=1e-9, abs=1e-10)

    def test_quantiles_against_r(self):
        # R 4.2.2: qtukey(0.95, k, df), which stops at 1e-8 or so
        assert tukey_quantile(0.05, 3, 9) == pytest.approx(3.94849220226874, rel=1e-6)
        assert tukey_quantile(0.05, 6, 20) == pytest.approx(4.44523661932230, rel=1e-6)
        assert tukey_tail(tukey_quantile(0.01, 4, 7), 4, 7).value == pytest.approx(0.01, rel=1e-9)


class TestManyTails:
    @pytest.mark.parametrize(("k", "df"), [(2, 1), (3, 27), (5, 4.5), (8, 72), (60, 540), (4, 1e5), (7, math.inf)])
    def test_each_is_that_of_its_own_integral(self, k, df):
        q = np.array([3.2, 0.001, 0.0, 14.0, 0.7, 45.0, 3.2, *np.linspace(1, 5, 12)])
        for found, alone in zip(tukey_tails(q, k, df), (tukey_tail(x, k, df) for x in q.tolist()), strict=True):
            assert found.value == pytest.approx(alone.value, rel=1e-10)
            assert found.log10 == pytest.approx(alone.log10, rel=1e-10, abs=1e-11)

    def test_in_parts(self, monkeypatch):
        q = np.linspace(0.1, 9, 25)
        whole = [tail.value for tail in tukey_tails(q, 4, 12)]
        monkeypatch.setattr(simultaneous, "TABLE", 1000)
        assert [tail.value for tail in tukey_tails(q, 4, 12)] == pytest.approx(whole, rel=1e-12)


class TestRangeOfNormalValues:
    @pytest.mark.parametrize("q", [0.01, 1.0, 5.0, 20.0, 40.0, 50.0])
    def test_two_values_by_hand(self, q):
        # the difference of two standard normal values has standard deviation sqrt(2)
        assert tukey_tail(q, 2, math.inf).value == pytest.approx(2 * ndtr(-q / math.sqrt(2)), rel=1e-11)

    @pytest.mark.parametrize(
        ("q", "k", "p"),
        [  # R 4.2.2: ptukey(q, k, Inf, lower.tail=FALSE)
            (1, 3, 0.759287358770717),
            (3, 3, 0.0855425716549576),
            (5, 3, 0.00118399123098678),
            (3, 10, 0.512184073973511),
            (5, 10, 0.0148574378876496),
            (8, 50, 1.8281661336994e-05),
        ],
    )
    def test_against_r(self, q, k, p):
        assert tukey_tail(q, k, math.inf).value == pytest.approx(p, rel=2e-11)

    @pytest.mark.parametrize("k", [3, 10, 100])
    @pytest.mark.parametrize("q", [0.1, 2.0, 5.0])
    def test_against_scipy(self, q, k):
        # scipy 1.17.1; it integrates the lower tail, so that it has no more digits than this further out
        assert tukey_tail(q, k, math.inf).value == pytest.approx(reference.sf(q, k, math.inf), rel=1e-10)

    @settings(max_examples=20)
    @given(q=st.floats(0.01, 40), k=st.integers(2, 1000))
    def test_a_finer_grid_changes_nothing(self, q, k):
        coarse = tukey_tail(q, k, math.inf).value
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(simultaneous, "STEP", 0.02)
            patch.setattr(simultaneous, "REACH", 13.0)
            assert tukey_tail(q, k, math.inf).value == pytest.approx(coarse, rel=1e-11)

    def test_beyond_doubles_and_at_zero(self):
        far = tukey_tail(80.0, 5, math.inf)
        assert far.value == 0.0
        # C(5, 2) pairs, each 2·Φ(−80/√2), to first order: log10 of 20·φ(z)/z with z = 56.57
        z = 80 / math.sqrt(2)
        assert far.log10 == pytest.approx(
            (math.log(20 / z / math.sqrt(2 * math.pi)) - z * z / 2) / math.log(10), rel=1e-6
        )
        assert tukey_tail(0.0, 5, math.inf).value == 1.0


class TestQuantileOfTheRange:
    @pytest.mark.parametrize(
        ("p", "k", "q"),
        [(0.05, 3, 3.31449315755301), (0.01, 10, 5.15663525313767), (0.05, 50, 5.64602618174105)],
    )
    def test_against_r(self, p, k, q):
        # R 4.2.2: qtukey(p, k, Inf, lower.tail=FALSE), which stops at 1e-8 or so
        assert tukey_quantile(p, k, math.inf) == pytest.approx(q, rel=1e-6)

    @given(p=st.floats(1e-12, 0.999), k=st.integers(2, 40))
    @settings(max_examples=15)
    def test_inverts_the_tail(self, p, k):
        assert tukey_tail(tukey_quantile(p, k, math.inf), k, math.inf).value == pytest.approx(p, rel=1e-9)


class TestDunnettTail:
    @pytest.mark.parametrize("two_sided", [True, False])
    @pytest.mark.parametrize("df", [1, 6, 200])
    def test_one_method_is_a_t_test(self, df, two_sided):
        expected = t_tail(2.5, df, "two-sided" if two_sided else "greater").value
        assert dunnett_tail(2.5, (0.6,), df, two_sided=two_sided).value == pytest.approx(expected, rel=1e-10)

    def test_against_r(self):
        # R 4.2.2, mvtnorm 1.1-3: 1 - pmvt(upper = rep(2, 3), df = 6, corr, algorithm = TVPACK(1e-14)), and
        # 1 - pmvt(rep(-2.3334, 2), rep(2.3334, 2), df = 27, GenzBretz(abseps = 1e-9))
        assert dunnett_tail(2, (0.5, 0.6, 0.8), 6, two_sided=False).value == pytest.approx(0.108847082365879, rel=1e-11)
        assert dunnett_tail(2.3334, (math.sqrt(0.5),) * 2, 27).value == pytest.approx(0.0500012399509714, rel=1e-11)

    def test_published_point(self):
        # Dunnett (1964), two-sided 5 %, 10 degrees of freedom: 2.57 for two methods, 2.76 for three
        loading = math.sqrt(0.5)
        assert round(dunnett_quantile(0.05, (loading,) * 2, 10), 2) == 2.57
        assert round(dunnett_quantile(0.05, (loading,) * 3, 10), 2) == 2.76

    @settings(max_examples=10)
    @given(st.floats(0.5, 6), st.lists(st.floats(0.1, 0.95), min_size=2, max_size=4), st.integers(2, 60), st.booleans())
    def test_between_one_comparison_and_bonferroni(self, t, loadings, df, two_sided):
        p = dunnett_tail(t, tuple(loadings), df, two_sided=two_sided).value
        alone = t_tail(t, df, "two-sided" if two_sided else "greater").value
        assert alone < p * (1 + 1e-9)
        assert p < min(1, len(loadings) * alone) * (1 + 1e-9)

    def test_equals_simulation(self):
        rng = np.random.default_rng(5)
        x = rng.normal(size=(200_000, 4)) / np.sqrt([9, 3, 5, 2])
        s = np.sqrt(rng.chisquare(15, 200_000) / 15)
        t = (x[:, 1:] - x[:, :1]) / s[:, None] / np.sqrt([1 / 3 + 1 / 9, 1 / 5 + 1 / 9, 1 / 2 + 1 / 9])
        loadings = tuple(math.sqrt(n / (n + 9)) for n in (3, 5, 2))
        assert dunnett_tail(2.4, loadings, 15).value == pytest.approx((np.abs(t).max(axis=1) >= 2.4).mean(), abs=0.0025)

    def test_a_control_with_very_few_scores(self):
        # almost equal statistics: little more than one comparison (scipy 1.17.1: multivariate_t, correlation 0.998001)
        assert dunnett_tail(2.0, (0.999, 0.999), 20).value == pytest.approx(0.06249, abs=5e-5)
        assert dunnett_tail(2.0, (0.99999, 0.99999), 20).value == pytest.approx(
            t_tail(2.0, 20, "two-sided").value, rel=6e-3
        )

    def test_one_sided_below_zero(self):
        # scipy 1.17.1: 1 − multivariate_t.cdf([q, q], df=5, shape=[[1, ½], [½, 1]])
        for q, expected in ((-2, 0.98357), (-0.5, 0.82662)):
            assert dunnett_tail(q, (0.5**0.5,) * 2, 5, two_sided=False).value == pytest.approx(expected, abs=5e-5)
        assert dunnett_tail(-50, (0.5**0.5,), 3, two_sided=False).value == pytest.approx(
            1 - t_tail(50, 3, "greater").value
        )
