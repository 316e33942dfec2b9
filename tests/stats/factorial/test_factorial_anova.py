import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial import stats
from fairtrial.errors import InputError

A = ["a", "a", "a", "b", "b", "b", "b", "a", "b", "a", "a"]
K = ["x", "y", "z", "x", "y", "z", "z", "z", "x", "x", "y"]
Y = [3.1, 4.7, 5.2, 6.8, 4.4, 9.9, 8.7, 6.1, 7.3, 2.2, 5.5]
factorial_anova, factorial_model = stats.factorial_anova, stats.factorial_model


class TestFactorialAnova:
    def test_by_hand(self):
        # means of A 4 and 8, of B 6 and 6; cell means 3, 7, 5, 9; deviations of ±1 in each cell
        model = factorial_model({"A": [-1, 1, -1, 1] * 2, "B": [-1, -1, 1, 1] * 2})
        found = factorial_anova([2, 6, 4, 8, 4, 8, 6, 10], model)
        assert [s.squares for s in found.sources] == pytest.approx([32, 8, 0, 8])
        assert found["A"].f == pytest.approx(16)
        assert found.explained == pytest.approx(40 / 48)

    def test_unbalanced_in_order_against_r(self):
        # R 4.2.2: anova(lm(y ~ A*K))
        found = factorial_anova(Y, factorial_model({"A": A, "K": K}))
        assert [s.squares for s in found.sources] == pytest.approx(
            [23.78775757576, 15.22227083333, 11.4440625, 1.975], rel=1e-10
        )
        assert [s.df for s in found.sources] == [1, 2, 2, 5]
        assert [s.p_value for s in found.sources[:3]] == pytest.approx([0.00056832, 0.00446960, 0.00831022], rel=1e-5)

    def test_bonferroni_intervals(self):
        # t with 4 df at 1 − 0.05/6: R 4.2.2: qt(1 - 0.05/6, 4) = 3.960785; the error of an effect is sqrt(2 · 4/8)
        model = factorial_model({"A": [-1, 1, -1, 1] * 2, "B": [-1, -1, 1, 1] * 2})
        found = factorial_anova([2, 6, 4, 8, 4, 8, 6, 10], model)
        a = found.effects[0]
        assert (a.quantity, a.estimate) == ("A", 4.0)
        assert a.high - a.estimate == pytest.approx(3.960785 * math.sqrt(2 * 4 / 8), rel=1e-6)

    def test_one_way_is_anova(self):
        groups = {"A": [0.82, 0.80, 0.86], "B": [0.80, 0.79, 0.81], "C": [0.71, 0.73, 0.76, 0.70]}
        values = [v for group in groups.values() for v in group]
        labels = [name for name, group in groups.items() for _ in group]
        found = factorial_anova(values, factorial_model({"method": labels}))
        assert found["method"].f == pytest.approx(stats.anova(groups).statistic)
        assert found["method"].p_value == pytest.approx(stats.anova(groups).p_value)

    @settings(max_examples=40, deadline=None)
    @given(st.data())
    def test_sums_of_squares_add_up_to_the_total_in_any_design(self, data):
        n = data.draw(st.integers(3, 14))
        levels = st.lists(st.sampled_from("abc"), min_size=n, max_size=n)
        numbers = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=n, max_size=n)
        design = {"A": data.draw(levels), "B": data.draw(numbers), "C": data.draw(levels)}
        y = np.array(data.draw(st.lists(st.integers(-30, 30), min_size=n, max_size=n)), dtype=float)
        found = factorial_anova(y, factorial_model(design))
        assert sum(s.squares for s in found.sources) == pytest.approx(((y - y.mean()) ** 2).sum(), abs=1e-6)
        assert sum(s.df for s in found.sources) == n - 1

    def test_nothing_left_for_the_error(self):
        found = factorial_anova([1, 2, 3, 5], factorial_model({"A": [-1, 1, -1, 1], "B": [-1, -1, 1, 1]}))
        assert math.isnan(found["A"].p_value)
        assert math.isnan(found.effects[0].low)
        assert any("nothing is left to estimate the error" in note for note in found.notes)

    def test_all_equal(self):
        found = factorial_anova([0.1] * 8, factorial_model({"A": [-1, 1] * 4}))
        assert found["A"].p_value == 1
        assert math.isnan(found.explained)

    def test_no_error_variance(self):
        found = factorial_anova([1.0, 2.0] * 4, factorial_model({"A": [-1, 1] * 4}))
        assert found["A"].f == math.inf
        assert math.isnan(found["A"].p_value)

    def test_length(self):
        with pytest.raises(InputError, match="one value for each of the 2 rows of the design, got 3"):
            factorial_anova([1, 2, 3], factorial_model({"A": [-1, 1]}))
