import math

import pytest

from fairtrial.stats.distributions.student_t import t_tail


class TestT:
    @pytest.mark.parametrize(("t", "df", "log10"), [(50, 1e6, -544.288337510471), (38, 2e5, -314.411693386904)])
    def test_far_tails_of_many_degrees_of_freedom(self, t, df, log10):
        # R 4.2.2: pt(t, df, lower.tail = FALSE, log.p = TRUE) / log(10); a million instances, and p was nan
        found = t_tail(t, df, "greater")
        assert found.log10 == pytest.approx(log10, rel=1e-11)
        assert found.value < 1e-300
        assert t_tail(-t, df, "two-sided").log10 == pytest.approx(log10 + math.log10(2), rel=1e-11)
