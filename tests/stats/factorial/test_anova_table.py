import json
import math

import pytest

from fairtrial import stats
from fairtrial.errors import UnknownName
from fairtrial.stats.factorial.factorial_anova import Source


class TestSource:
    def test_by_hand(self):
        # mean squares 12 / 2 and 8 / 4; R 4.2.2: pf(3, 2, 4, lower.tail=FALSE)
        found = Source("A", 12.0, 2).tested(Source("residual", 8.0, 4))
        assert (found.f, found.error) == (3.0, "residual")
        assert found.p_value == pytest.approx(0.16)

    def test_without_error(self):
        assert math.isnan(Source("A", 12.0, 2).tested(Source("residual", 0.0, 0)).f)
        perfect = Source("A", 12.0, 2).tested(Source("residual", 0.0, 4))
        assert perfect.f == math.inf
        assert math.isnan(perfect.p_value)
        assert Source("A", 0.0, 2).tested(Source("residual", 0.0, 4)).p_value == 1

    def test_no_degrees_of_freedom(self):
        assert math.isnan(Source("A", 0.0, 0).mean_square)

    def test_far_tail(self):
        found = Source("A", 1e8, 1).tested(Source("residual", 100.0, 400))
        assert found.p_value == 0 or found.p_value < 1e-290
        assert found.log10_p < -900


class TestAnovaTable:
    model = stats.factorial_model({"A": [-1, 1] * 4, "B": [-1, -1, 1, 1] * 2})
    found = stats.factorial_anova([3.0, 8.0, 5.0, 6.0, 4.0, 9.0, 4.0, 8.0], model)

    def test_by_name(self):
        assert self.found["A × B"].df == 1

    def test_an_unknown_name(self):
        with pytest.raises(UnknownName, match="no source is called 'C'"):
            self.found["C"]

    def test_the_total_has_no_mean_square_and_no_test(self):
        assert self.found.to_table().rows[-1][3:] == (None, None, None)

    def test_plain_data(self):
        assert json.loads(json.dumps(self.found.to_dict()))["sources"][0]["name"] == "A"
        assert "residual" in self.found._repr_html_()
