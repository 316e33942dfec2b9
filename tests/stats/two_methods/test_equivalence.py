import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import corrected_t, equivalence, non_inferiority, paired_t

A, B = [0.82, 0.80, 0.86, 0.84, 0.81], [0.81, 0.81, 0.85, 0.84, 0.80]
scores = st.floats(-1, 1).map(lambda v: round(v, 4))
pairs = st.lists(st.tuples(scores, scores), min_size=3, max_size=12).map(np.array)


class TestEquivalence:
    def test_by_hand(self):
        # d = 1, 2, 3 against ±5: se 1/sqrt(3); upper side decides: (2 − 5) sqrt(3), 2 df
        found = equivalence([1, 2, 3], [0, 0, 0], margin=5)
        assert found.statistic == pytest.approx(-3 * math.sqrt(3))
        t = found.statistic  # for 2 df P(T ≤ t) = 1/2 + t / (2 sqrt(2 + t²))
        assert found.p_value == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)))
        # with the correction, q = 1: se sqrt(4/3)
        assert equivalence([1, 2, 3], [0, 0, 0], margin=5, test_share=0.5).statistic == pytest.approx(
            -3 / math.sqrt(4 / 3)
        )

    def test_against_r(self):
        # R 4.2.2, with d = A - B: the larger p of t.test(d, mu = -0.02, alternative = "greater") and of
        # t.test(d, mu = 0.02, alternative = "less"); t.test(d, conf.level = 0.9)$conf.int
        found = equivalence(A, B, margin=0.02)
        assert found.p_value == pytest.approx(0.00806504495004614, rel=1e-9)
        assert (found.effect.low, found.effect.high) == pytest.approx(
            (-0.00452738714530655, 0.0125273871453066), rel=1e-9
        )
        assert found.effect.level == pytest.approx(0.9)

    @given(pairs, st.floats(0.01, 2), st.sampled_from([0.9, 0.95]))
    def test_the_interval_lies_inside_the_margin_exactly_when_p_is_small(self, ab, margin, level):
        found = equivalence(*ab.T, margin=margin, test_share=0.1, level=level)
        if math.isnan(found.p_value) or abs(found.p_value - (1 - level)) < 1e-9:
            return
        inside = -margin < found.effect.low and found.effect.high < margin
        assert inside == (found.p_value < 1 - level)

    @given(pairs)
    def test_swapping_changes_nothing_but_the_sign(self, ab):
        there, back = equivalence(*ab.T, margin=0.3), equivalence(*ab.T[::-1], margin=0.3)
        assert there.p_value == pytest.approx(back.p_value, nan_ok=True)
        assert there.effect.low == pytest.approx(-back.effect.high, nan_ok=True)

    def test_margins_may_differ(self):
        assert equivalence(A, B, margin=(-0.02, 0.02)).p_value == equivalence(A, B, margin=0.02).p_value
        assert equivalence(A, B, margin=(-1, 0.004)).p_value == pytest.approx(0.5, abs=1e-9)

    def test_edges_and_errors(self):
        equal = equivalence([1, 2], [1, 2], margin=0.1)
        assert math.isnan(equal.p_value)
        assert "their variance is zero" in equal.notes[-1]
        assert "give test_share" in equal.notes[0]
        for margin in (0, -1, (1, 0), math.nan):
            with pytest.raises(InputError, match="margin must be a positive number or"):
                equivalence(A, B, margin=margin)
        with pytest.raises(InputError, match=r"strictly between 0\.5 and 1"):
            equivalence(A, B, margin=0.1, level=0.4)


class TestNonInferiority:
    def test_by_hand(self):
        # d = 1, 2, 3 and a margin of 1: t = (2 + 1) sqrt(3)
        assert non_inferiority([1, 2, 3], [0, 0, 0], margin=1).statistic == pytest.approx(3 * math.sqrt(3))
        worse = non_inferiority([1, 2, 3], [0, 0, 0], margin=1, higher_is_better=False)
        assert worse.statistic == pytest.approx(math.sqrt(3))
        assert worse.p_value > 0.5

    def test_against_r(self):
        # R 4.2.2: t.test(A - B, mu = -0.01, alternative = "greater")$p.value
        assert non_inferiority(A, B, margin=0.01).p_value == pytest.approx(0.0124480817301114, rel=1e-9)

    @given(pairs)
    def test_without_a_margin_it_is_the_one_sided_test(self, ab):
        found = non_inferiority(*ab.T, margin=0)
        same = paired_t(*ab.T, alternative="greater")
        if same.effect.low == same.effect.low and same.p_value < 1:
            assert found.p_value == pytest.approx(same.p_value, nan_ok=True)
        corrected = corrected_t(*ab.T, test_share=0.2, alternative="less")
        if corrected.p_value < 1:
            found = non_inferiority(*ab.T, margin=0, test_share=0.2, higher_is_better=False)
            assert found.p_value == pytest.approx(corrected.p_value, nan_ok=True)

    @given(pairs, st.floats(0.01, 1))
    def test_interval_and_p_agree(self, ab, margin):
        found = non_inferiority(*ab.T, margin=margin)
        if not math.isnan(found.p_value) and abs(found.p_value - 0.05) > 1e-9:
            assert (found.effect.low > -margin) == (found.p_value < 0.05)

    def test_errors(self):
        with pytest.raises(InputError, match="margin must be a finite number of at least 0"):
            non_inferiority(A, B, margin=-0.1)
