import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import mcnemar

METHODS = ("exact", "mid-p", "chi-square", "chi-square-corrected")


class TestMcnemar:
    def test_by_hand(self):
        # b = 4, c = 1: 2 (C(5,0) + C(5,1)) / 2**5 = 12 / 32
        a = [1, 1, 1, 1, 0, 1, 0, 1]
        b = [0, 0, 0, 0, 1, 1, 0, 1]
        outcome = mcnemar(a, b)
        assert outcome.p_value == 0.375
        assert outcome.effect.estimate == pytest.approx(3 / 8)
        assert outcome.details == {"only_first": 4, "only_second": 1}

    @pytest.mark.parametrize(
        ("b", "c", "two_sided", "greater"),
        # R 4.2.2: binom.test(b, b + c)$p.value, and alternative = "greater"; cases mcnemar_* of the known answers
        [(1, 1, 1.0, 0.75), (12, 3, 0.03515625, 0.017578125), (0, 6, 0.03125, 1.0)],
    )
    def test_equals_r(self, b, c, two_sided, greater):
        table = [[50, b], [c, 20]]
        assert mcnemar(table).p_value == pytest.approx(two_sided, rel=1e-12)
        assert mcnemar(table, alternative="greater").p_value == pytest.approx(greater, rel=1e-12)

    @given(st.integers(0, 60), st.integers(0, 60), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
    def test_interval_agrees_with_p_and_swapping_flips_the_sign(self, b, c, level):
        one, other = mcnemar([[5, b], [c, 9]], level=level), mcnemar([[5, c], [b, 9]], level=level)
        assert one.p_value == other.p_value
        assert one.effect.low == pytest.approx(-other.effect.high, abs=1e-12)
        if one.p_value >= 1 - level:
            assert 0 in one.effect
        assert one.effect.low <= (b - c) / (14 + b + c) <= one.effect.high

    def test_interval_does_not_take_the_disagreements_as_given(self):
        # 11 against 0 of 143: given the 11, the difference could not exceed 11 / 143
        outcome = mcnemar([[100, 11], [0, 32]])
        assert outcome.effect.high > 11 / 143
        # Bonett & Price by hand: (12 - 1) / 145 + 1.96 sqrt((13 / 145 - (11 / 145)**2) / 145)
        half = 1.959964 * np.sqrt((13 / 145 - (11 / 145) ** 2) / 145)
        assert outcome.effect.high == pytest.approx(11 / 145 + half, rel=1e-6)

    def test_no_disagreements_is_p_one_with_a_note(self):
        """Identical models have p = 1, where other packages give 0."""
        outcome = mcnemar([1, 0, 1], [1, 0, 1])
        assert outcome.p_value == 1.0
        assert outcome.notes == ("the two classifiers are right and wrong on the same instances",)

    def test_far_tail(self):
        outcome = mcnemar([[0, 2000], [0, 0]])
        assert outcome.log10_p == pytest.approx(np.log10(2) - 2000 * np.log10(2), rel=1e-12)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="2 × 2 table of counts"):
            mcnemar([[1, 2, 3]])
        with pytest.raises(InputError, match=r"right \(True, 1\) or wrong"):
            mcnemar([1, 2], [0, 1])
        with pytest.raises(UnknownName, match="did you mean 'mid-p'"):
            mcnemar([[1, 2], [3, 4]], method="midp")
        with pytest.raises(InputError, match="at least one instance"):
            mcnemar([[0, 0], [0, 0]])

    def test_tango(self):
        # the definition: at the bounds the score is ± 1.96, with the restricted estimate found by a fine search
        b, c, n = 12, 5, 60
        found = mcnemar([[n - b - c, b], [c, 0]], method="chi-square").effect
        for edge, z in ((found.low, 1.959964), (found.high, -1.959964)):
            share = np.linspace(max(0, -edge), (1 - abs(edge)) / 2, 2_000_001)[1:-1]
            likelihood = b * np.log(share + edge) + c * np.log(share) + (n - b - c) * np.log1p(-2 * share - edge)
            best = share[np.nanargmax(likelihood)]
            score = (b - c - n * edge) / math.sqrt(n * (2 * best + edge - edge**2))
            assert score == pytest.approx(z, abs=1e-4)

    @given(
        st.integers(0, 40), st.integers(0, 40), st.integers(0, 30), st.sampled_from(["two-sided", "greater", "less"])
    )
    def test_chi_square_and_its_interval_agree(self, b, c, same, alternative):
        if b + c + same == 0:
            return
        found = mcnemar([[same, b], [c, 0]], method="chi-square", alternative=alternative)
        if abs(found.p_value - 0.05) > 1e-6:
            assert (0 not in found.effect) == (found.p_value < 0.05)
        assert found.effect.low - 1e-9 <= found.effect.estimate <= found.effect.high + 1e-9

    @given(st.integers(0, 60), st.integers(0, 60))
    def test_order_of_the_forms(self, b, c):
        p = {m: mcnemar([[5, b], [c, 9]], method=m).p_value for m in METHODS}
        assert p["mid-p"] <= p["exact"]
        assert p["chi-square"] <= p["chi-square-corrected"]

    def test_one_sided_at_a_level_below_one_half(self):
        for alternative, p in (("greater", 0.1587), ("less", 0.8413)):  # z = (6 − 3)/3 = 1
            found = mcnemar([[5, 6], [3, 4]], method="chi-square", alternative=alternative, level=0.3)
            assert found.p_value == pytest.approx(p, abs=1e-4)
            assert (0 in found.effect) == (found.p_value >= 0.7)
            assert found.effect.estimate not in found.effect

    @pytest.mark.parametrize("table", [[[1, 2], [3, math.inf]], [[1, -2], [3, 4]], [[1, 2.5], [3, 4]], [1, 2, 3, 4]])
    def test_tables_that_count_nothing(self, table):
        with pytest.raises(InputError, match="must be a 2 × 2 table of counts"):
            mcnemar(table)
