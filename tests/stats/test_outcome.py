import math
import pickle

import pytest

from fairtrial.errors import InputError
from fairtrial.stats import Interval, Outcome, friedman, wilcoxon
from fairtrial.stats.outcome import check_level


class TestInterval:
    def test_contains_its_ends(self):
        interval = Interval("accuracy", 0.8, 0.7, 0.9)
        assert 0.7 in interval
        assert 0.69 not in interval

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


def test_a_level_is_a_share():
    with pytest.raises(InputError, match=r"level must lie strictly between 0 and 1 \(0.95 for 95 %\), got 95"):
        check_level(95)
