import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import five_by_two_f, five_by_two_t

scores = st.floats(-1, 1).map(lambda v: round(v, 4))
tables = st.lists(st.tuples(scores, scores), min_size=5, max_size=5).map(np.array)


class TestFiveByTwo:
    # s² = 2, 0, 0.5, 0, 0 from differences within repeats of 2, 0, 1, 0, 0
    TABLE = ((3.0, 1.0), (1.0, 1.0), (2.0, 1.0), (0.0, 0.0), (1.0, 1.0))

    def test_by_hand(self):
        found = five_by_two_t(self.TABLE)
        assert found.details["variances"] == pytest.approx([2, 0, 0.5, 0, 0])
        assert found.statistic == pytest.approx(3 / math.sqrt(0.5))
        combined = five_by_two_f(self.TABLE)
        assert combined.statistic == pytest.approx((9 + 1 + 1 + 1 + 4 + 1 + 1 + 1) / (2 * 2.5))
        assert combined.df == (10, 5)

    @given(tables)
    def test_f_does_not_depend_on_order_and_direction(self, d):
        found = five_by_two_f(d)
        for other in (d[::-1], d[:, ::-1], -d):
            assert five_by_two_f(other).p_value == pytest.approx(found.p_value, nan_ok=True)

    @given(tables, st.sampled_from([0.8, 0.95]))
    def test_interval_and_p_agree(self, d, level):
        for found in (five_by_two_f(d, level=level), five_by_two_t(d, level=level)):
            if math.isnan(found.p_value) or abs(found.p_value - (1 - level)) < 1e-9:
                continue
            if found.p_value >= 1 - level:
                assert 0 in found.effect
            else:
                assert math.isnan(found.effect.low) or 0 not in found.effect

    def test_no_spread(self):
        assert five_by_two_f(np.zeros((5, 2))).p_value == 1
        assert five_by_two_t(np.zeros((5, 2))).p_value == 1
        equal = np.full((5, 2), 0.3) - np.array([0.1, 0.1])  # 0.2 each, but not to the last bit
        assert math.isnan(five_by_two_f(equal).p_value)
        assert five_by_two_t(equal).statistic == math.inf

    def test_far_tail_of_f(self):
        # R 4.2.2: pf(1e150, 10, 5, lower.tail = FALSE, log.p = TRUE) / log(10) = -374.382229627
        from fairtrial.stats.distributions.fisher_f import f_tail

        assert f_tail(1e150, 10, 5).log10 == pytest.approx(-374.382229627, rel=1e-9)

    def test_says_what_was_wrong(self):
        with pytest.raises(
            InputError, match=r"5 rows \(repeats\) and 2 columns \(folds\), got an array of shape \(2, 5\)"
        ):
            five_by_two_f(np.zeros((2, 5)))
        with pytest.raises(InputError, match="1 of 10 differences is not"):
            five_by_two_t([[0.1, 0.2]] * 4 + [[math.nan, 0.1]])
