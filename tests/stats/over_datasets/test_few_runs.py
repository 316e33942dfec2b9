import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import interquartile_mean, probability_of_improvement

RNG = np.random.default_rng(5)


class TestInterquartileMean:
    def test_by_hand(self):
        # 1 … 8: the two largest and the two smallest left out, 3, 4, 5, 6
        found = interquartile_mean([[1, 8, 3, 6], [2, 7, 4, 5]])
        assert found.estimate == 4.5
        # five scores: one left out at each end
        assert interquartile_mean([[1, 2, 9, 100, 3]]).estimate == pytest.approx(14 / 3)

    def test_against_r(self):
        # R 4.2.2: x <- ((1:30) * 7) %% 31; mean(x^2, trim = 0.25)
        x = (np.arange(1, 31) * 7 % 31).astype(float) ** 2
        assert interquartile_mean(x.reshape(5, 6)).estimate == pytest.approx(261.5, rel=1e-12)

    def test_runs_are_drawn_within_tasks(self):
        # tasks differ widely and runs hardly: the interval knows of the runs only
        table = np.arange(8.0) + RNG.normal(0, 0.01, size=(5, 8))
        found = interquartile_mean(table)
        assert found.high - found.low < 0.02
        assert found.low <= found.estimate <= found.high
        assert "Monte Carlo standard error" in found.notes[0]
        assert found == interquartile_mean(table)
        assert found != interquartile_mean(table, seed=1)

    def test_the_interval_has_the_width_of_its_standard_error(self):
        # one task, many runs: the IQM of a normal sample has variance 1.19/n, nearly
        table = RNG.normal(size=(400, 1))
        found = interquartile_mean(table, draws=4000)
        assert (found.high - found.low) / (2 * 1.96) == pytest.approx(math.sqrt(1.19 / 400), rel=0.15)

    @settings(max_examples=20)
    @given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=4), st.integers(1, 9))
    def test_scale_and_shift(self, table, factor):
        one, two = interquartile_mean(table, draws=50), interquartile_mean(np.array(table) * factor + 1, draws=50)
        expected = [v * factor + 1 for v in (one.estimate, one.low, one.high)]
        assert [two.estimate, two.low, two.high] == pytest.approx(expected)

    def test_one_run_has_no_interval(self):
        found = interquartile_mean([[1, 2, 3, 4]])
        assert math.isnan(found.low)
        assert found.notes == ("one run has no variance between runs: there is no interval",)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"scores must be finite, but 1 of 4 scores is not"):
            interquartile_mean([[1, 2], [3, math.nan]])
        with pytest.raises(InputError, match=r"draws must be a whole number of at least 2, got 1"):
            interquartile_mean([[1, 2], [3, 4]], draws=1)


class TestProbabilityOfImprovement:
    def test_by_hand(self):
        # task 1: 3 beats 2, 5 beats 2 and 4: 3 of 4; task 2: 1 loses twice, 2 ties twice: 1 of 4
        assert probability_of_improvement([[3, 1], [5, 2]], [[2, 2], [4, 2]]).estimate == 0.5

    def test_against_r(self):
        # R 4.2.2: x <- c(1,4,6,7); y <- c(2,3,6); unname(wilcox.test(x, y)$statistic)/12
        assert probability_of_improvement([[1], [4], [6], [7]], [[2], [3], [6]]).estimate == pytest.approx(7.5 / 12)

    @settings(max_examples=25)
    @given(
        st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=4),
        st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=5),
    )
    def test_swapping_and_rescaling(self, x, y):
        found = probability_of_improvement(x, y, draws=100)
        assert found.estimate == pytest.approx(1 - probability_of_improvement(y, x, draws=100).estimate)
        cubed = probability_of_improvement(np.array(x) ** 3, np.array(y) ** 3, draws=100)
        assert (cubed.low, cubed.high) == (found.low, found.high)
        assert 0 <= found.low <= found.high <= 1 + 1e-12

    def test_all_above(self):
        found = probability_of_improvement([[2], [3]], [[0], [1]])
        assert (found.estimate, found.low) == (1, 1)
        assert "too few runs" in found.notes[1]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"same tasks \(columns\), got 2 and 1"):
            probability_of_improvement([[1, 2]], [[1]])
