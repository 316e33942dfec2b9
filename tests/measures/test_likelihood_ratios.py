"""Ratios of rates, as tests in medicine are described."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import labels_of

from fairtrial.measures import diagnostic_odds_ratio, function, negative_likelihood_ratio, positive_likelihood_ratio


def value(name, table):
    return function(name)(*labels_of(*table))


class TestInfinite:
    def test_infinite_without_false_positives(self):
        assert value("lr_plus", (3, 1, 0, 5)) == np.inf
        assert value("dor", (3, 1, 0, 5)) == np.inf
        assert value("lr_minus", (3, 1, 5, 0)) == np.inf


class TestOddsRatio:
    @given(st.tuples(*[st.integers(1, 40)] * 4))
    def test_is_the_ratio_of_the_two(self, table):
        truth, predicted = labels_of(*table)
        plus, minus = (f(truth, predicted) for f in (positive_likelihood_ratio, negative_likelihood_ratio))
        assert diagnostic_odds_ratio(truth, predicted) == pytest.approx(plus / minus)

    @pytest.mark.parametrize("table", [(0, 0, 2, 3), (2, 3, 0, 0), (0, 2, 0, 3), (2, 0, 3, 0)])
    def test_undefined_where_a_row_or_column_is_empty(self, table):
        assert np.isnan(value("diagnostic_odds_ratio", table))
