import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import adjust
from fairtrial.stats.adjust import ADJUSTMENTS, TITLES

KEYS = {"bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm", "hochberg": "hochberg", "bh": "BH", "by": "BY"}


class TestAdjust:
    def test_by_hand(self):
        # sorted 0.01, 0.03, 0.04: times 3, 2, 1 is 0.03, 0.06, 0.04; Holm goes on with the largest so far
        assert adjust([0.04, 0.01, 0.03]).tolist() == pytest.approx([0.06, 0.03, 0.06])

    @pytest.mark.parametrize("how", KEYS)
    @pytest.mark.parametrize("case", ["westfall", "ties", "simple3", "extreme", "one"])
    def test_against_r(self, golden, how, case):
        case = golden[f"padjust_{case}"]
        assert adjust(case["inputs"]["p"], how).tolist() == pytest.approx(case["expected"][KEYS[how]], rel=1e-9)

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
        assert set(TITLES) == set(ADJUSTMENTS)

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match=r"no adjustment is called 'hollm'; did you mean 'holm'"):
            adjust([0.1], "hollm")
        with pytest.raises(InputError, match=r"numbers from 0 to 1"):
            adjust([0.1, 1.2])
