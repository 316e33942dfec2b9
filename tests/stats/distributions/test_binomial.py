import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.distributions.binomial import sign_critical, sign_tail


class TestSignTail:
    @pytest.mark.parametrize(("n", "k"), [(20000, 9800), (20000, 5100), (50000, 24000)])
    def test_many_coins_equal_exact_integers(self, n, k):
        count = mass = math.comb(n, k)
        for i in range(k, k - 900, -1):  # the rest is nothing beside these
            mass = mass * i // (n - i + 1)
            count += mass
        log10 = math.log10(count >> (count.bit_length() - 900)) + (count.bit_length() - 900 - n) * math.log10(2)
        assert sign_tail(n, k).log10 == pytest.approx(log10, rel=1e-12)

    def test_ten_million_coins(self):
        # R 4.2.2: pbinom(4e6, 1e7, .5, log.p = TRUE) / log(10), pbinom(4998000, 1e7, .5), qbinom(.025, 1e7, .5) - 1
        assert sign_tail(10**7, 4 * 10**6).log10 == pytest.approx(-87450.5363287037, rel=1e-12)
        assert sign_tail(10**7, 4998000).value == pytest.approx(0.103008301397514, rel=1e-11)
        assert sign_critical(10**7, 0.025) == 4996900

    @given(st.integers(1, 200), st.integers(-1, 201))
    def test_equals_exact_integers(self, n, k):
        count = sum(math.comb(n, i) for i in range(min(k, n) + 1))
        assert sign_tail(n, k).value == pytest.approx(float(Fraction(count, 2**n)), rel=1e-13)

    def test_beyond_doubles(self):
        assert sign_tail(3000, 0).log10 == pytest.approx(-3000 * math.log10(2))

    def test_critical_is_the_last_that_rejects(self):
        for n in range(1, 40):
            c = sign_critical(n, 0.025)
            assert sign_tail(n, c).value < 0.025 <= sign_tail(n, c + 1).value

    def test_many_coins(self):
        n = 12_000  # R 4.2.2: pbinom(5500, 12000, 0.5), pbinom(400000, 1e6, 0.5, log = TRUE) / log(10)
        assert sign_tail(n, 5500).value == pytest.approx(3.59353284131981e-20, rel=1e-11)
        assert sign_tail(10**6, 400_000).log10 == pytest.approx(-8747.35450845257, rel=1e-12)
        count = sum(math.comb(n, i) for i in range(31))
        assert sign_tail(n, 30).log10 == pytest.approx(math.log10(count) - n * math.log10(2), rel=1e-13)


class TestSignTailOfMany:
    @pytest.mark.slow
    @pytest.mark.parametrize(("n", "k"), [(2300, 1100), (5000, 2400), (4000, 1001), (6000, 1500)])
    def test_against_whole_numbers(self, n, k):
        # the sum of binomials in whole numbers; k above 1,000 goes by Stirling's series
        found = sign_tail(n, k)
        count = sum(math.comb(n, i) for i in range(k - 400, k + 1))
        shift = count.bit_length() - 60
        log10 = math.log10(count >> shift) + (shift - n) * math.log10(2)
        assert found.log10 == pytest.approx(log10, abs=1e-12, rel=1e-14)

    def test_a_million_pairs(self):
        # R 4.2.2: pbinom(499000, 1e6, 0.5)
        assert sign_tail(1_000_000, 499_000).value == pytest.approx(0.0228041499326911, rel=1e-12)
