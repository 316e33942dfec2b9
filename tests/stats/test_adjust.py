import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import adjust
from fairtrial.stats.multiplicity import ADJUSTMENTS, ALL_PAIRS, TITLES


def enumerated_hommel(p):
    """The closed test: the largest Simes p of the sets that hold the hypothesis."""

    def simes(s):
        ordered = sorted(p[i] for i in s)
        return min(len(s) * q / (r + 1) for r, q in enumerate(ordered))

    everything = [s for size in range(1, len(p) + 1) for s in itertools.combinations(range(len(p)), size)]
    return [max(simes(s) for s in everything if i in s) for i in range(len(p))]


class TestAdjust:
    def test_by_hand(self):
        # sorted 0.01, 0.03, 0.04: times 3, 2, 1 is 0.03, 0.06, 0.04; Holm goes on with the largest so far
        assert adjust([0.04, 0.01, 0.03]).tolist() == pytest.approx([0.06, 0.03, 0.06])

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.sampled_from(sorted(ADJUSTMENTS)), st.randoms())
    def test_order_does_not_matter_and_nothing_gets_smaller(self, p, how, random):
        order = list(range(len(p)))
        random.shuffle(order)
        found = adjust(p, how)
        assert adjust(np.array(p)[order], how) == pytest.approx(found[order])
        assert (found >= np.array(p) * (1 - 1e-12)).all()
        assert (found <= 1).all()

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
    def test_stronger_procedures_give_smaller_p(self, p):
        bonferroni, holm, hochberg, bh = (adjust(p, how) for how in ("bonferroni", "holm", "hochberg", "bh"))
        assert (holm <= bonferroni + 1e-15).all()
        assert (hochberg <= holm + 1e-15).all()
        assert (bh <= hochberg + 1e-15).all()

    def test_nan_stays_and_counts(self):
        assert adjust([0.01, np.nan, 0.04], "holm").tolist() == pytest.approx([0.03, np.nan, 0.08], nan_ok=True)
        assert adjust([0.01, np.nan, 0.04], "bh").tolist() == pytest.approx([0.03, np.nan, 0.06], nan_ok=True)

    def test_nothing_to_adjust(self):
        assert adjust([]).tolist() == []

    def test_every_adjustment_has_a_title(self):
        assert set(TITLES) == {*ADJUSTMENTS, *ALL_PAIRS}

    @pytest.mark.parametrize("how", ["finner", "sidak", "holm_sidak"])
    def test_keeps_small_p(self, how):
        # 1 − (1 − p)^5 is 0 for 1e-300 when computed as it is written
        assert adjust([1e-300, 1e-12, 1e-08, 0.05, 1], how)[0] == pytest.approx(5e-300, rel=1e-12, abs=0)

    @settings(max_examples=40)
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
    def test_hommel_is_the_closed_test(self, p):
        assert adjust(p, "hommel") == pytest.approx(enumerated_hommel(p), rel=1e-12)

    def test_li_hinges_on_the_largest(self):
        assert adjust([0.001, 0.002, 1.0], "li").tolist() == [1, 1, 1]
        assert adjust([0.001, 0.002, 0.06], "li")[0] == pytest.approx(0.001 / 0.941)
        assert adjust([0.0, 1.0], "li").tolist() == [1, 1]

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match=r"no adjustment is called 'hollm'; did you mean 'holm'"):
            adjust([0.1], "hollm")
        with pytest.raises(InputError, match=r"numbers from 0 to 1"):
            adjust([0.1, 1.2])
        with pytest.raises(InputError, match=r"at most 200 p-values, got 201; use 'hommel'"):
            adjust(np.full(201, 0.1), "rom")


def hommel_step_by_step(p):
    """Wright's algorithm (1992), which looks at all p-values for each m."""
    order = np.argsort(p)
    p, n = np.asarray(p)[order], len(p)
    adjusted = p.copy()
    for m in range(n, 1, -1):
        simes = (m * p[n - m :] / np.arange(1, m + 1)).min()
        adjusted[n - m :] = np.maximum(adjusted[n - m :], simes)
        adjusted[: n - m] = np.maximum(adjusted[: n - m], np.minimum(simes, m * p[: n - m]))
    found = np.empty(n)
    found[order] = np.minimum(adjusted, 1.0)
    return found


class TestManyPValues:
    @pytest.mark.parametrize("power", [1, 3, 40])
    @pytest.mark.parametrize("digits", [1, 3, 17])
    def test_hommel_by_division_of_the_places(self, power, digits):
        p = np.round(np.random.default_rng(power).random(700) ** power, digits)
        assert adjust(p, "hommel") == pytest.approx(hommel_step_by_step(p), rel=1e-14)

    def test_rom_at_its_own_levels(self):
        # the constants at level α, by Rom's recursion in whole numbers: p at the constants has the adjusted value α
        level, constants = Fraction(1, 10), [Fraction(1, 10)]
        for i in range(2, 13):
            powers = sum(level**d for d in range(1, i))
            constants.append((powers - sum(comb(i, d) * constants[i - d] ** d for d in range(2, i))) / i)
        p = [float(c) for c in constants]
        assert adjust(p, "rom") == pytest.approx([0.1] * 12, rel=1e-13)


class TestRom:
    def test_by_hand(self):
        # of two p-values the larger is compared with α, the smaller with α/2, as in Hochberg's
        assert adjust([0.02, 0.3], "rom").tolist() == pytest.approx([0.04, 0.3])

    @settings(max_examples=40)
    @given(st.lists(st.floats(1e-6, 1), min_size=2, max_size=12))
    def test_is_never_beaten_by_hochberg(self, p):
        assert (adjust(p, "rom") <= adjust(p, "hochberg") * (1 + 1e-10)).all()

    def test_keeps_small_p(self):
        assert adjust([1e-300, 1e-12, 0.5], "rom") == pytest.approx([3e-300, 2e-12, 0.5], rel=1e-9)
        assert adjust([0.0, 0.5], "rom").tolist() == [0, 0.5]


def test_text_is_refused():
    with pytest.raises(InputError, match="p_values must hold numbers only"):
        adjust(["0.01", "0.2"])
