import math
import pickle
from functools import partial

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.stats import (
    Interval,
    Outcome,
    aligned_friedman,
    compare_pairs,
    friedman,
    measure_permutation,
    paired_bootstrap,
    paired_permutation,
    quade,
    wilcoxon,
)
from fairtrial.stats.outcome import check_level


class TestInterval:
    def test_contains_its_ends(self):
        interval = Interval("accuracy", 0.8, 0.7, 0.9)
        assert 0.7 in interval
        assert 0.69 not in interval

    def test_where_there_is_none_nothing_is_printed_of_it(self):
        none = Interval("Kendall's W", 0.3, math.nan, math.nan, method="no interval", notes=("a note",))
        assert str(none) == "Kendall's W 0.3000\na note"

    def test_becomes_data(self):
        assert Interval("accuracy", 0.8, 0.7, 0.9).to_dict()["high"] == 0.9
        assert "accuracy" in str(Interval("accuracy", 0.8, 0.7, 0.9).to_table())


class TestOutcome:
    def test_log10_follows_from_p(self):
        assert Outcome("t", "null", 1.0, 0.01, 5).log10_p == pytest.approx(-2)
        assert math.isnan(Outcome("t", "null", math.inf, math.nan, 5).log10_p)

    @pytest.mark.parametrize("outcome", [wilcoxon([3, 1, 4], [1, 5, 9]), friedman([[1, 2, 3], [3, 1, 2], [1, 1, 1]])])
    def test_prints_pickles_and_becomes_plain_data(self, outcome):
        assert repr(pickle.loads(pickle.dumps(outcome))) == repr(outcome)  # nan is not equal to itself
        assert outcome.null in str(outcome)
        assert outcome.to_dict()["effect"]["quantity"] == outcome.effect.quantity
        assert outcome.to_table().to_json()
        assert repr(outcome).startswith("Outcome(")


class TestFloor:
    """A p-value that no random draw reached is a bound."""

    AGREED = np.arange(60).reshape(20, 3) + np.array([0, 100, 200])

    def test_every_test_that_draws(self):
        d = np.linspace(0.5, 1.5, 60) + 0.01 * np.sqrt(np.arange(60))
        truth = np.ones(60, int)
        drawn = [
            friedman(self.AGREED, method="monte-carlo", draws=999),
            quade(self.AGREED, method="monte-carlo", draws=999),
            aligned_friedman(self.AGREED, method="monte-carlo", draws=999),
            paired_permutation(d, np.zeros(60), method="monte-carlo", replicates=999),
            paired_bootstrap(truth, truth, np.repeat([0, 1], [30, 30]), replicates=999),
            measure_permutation(truth, truth, np.repeat([0, 1], [30, 30]), replicates=999),
        ]
        for outcome in drawn:
            assert outcome.at_floor
            assert outcome.p_value == pytest.approx(outcome.p_floor)
            assert "  p ≤ 0.00" in str(outcome)
            assert "≤0.00" in outcome.to_table().to_html()

    def test_what_is_exact_or_was_reached_is_none(self):
        assert not friedman(self.AGREED, method="exact").at_floor
        assert not friedman([[1, 2, 3], [3, 1, 2], [1, 1, 1]], method="monte-carlo").at_floor
        assert not Outcome("t", "null", 40.0, 0.0, 5).at_floor  # underflow
        assert not Outcome("t", "null", math.inf, math.nan, 5).at_floor

    def test_comparisons_say_so_of_adjusted_values_too(self):
        test = partial(paired_permutation, method="monte-carlo", replicates=999)
        better = np.linspace(1.5, 2.5, 60)
        found = compare_pairs([better, np.zeros(60), better - 1.9], [(0, 1), (0, 2), (1, 2)], test=test)
        first, *_, last = found.to_table().cells()
        assert first[-3:-1] == ["≤0.002", "≤0.006"]
        assert not last[-3].startswith("≤")

    def test_one_comparison(self):
        assert "* p (Holm, 1 comparison) < 0.05" in str(compare_pairs([[1, 2, 3], [2, 3, 5]], [(0, 1)]))


def test_a_level_is_a_share():
    with pytest.raises(InputError, match=r"level must lie strictly between 0 and 1 \(0.95 for 95 %\), got 95"):
        check_level(95)
