import math

import pytest

from fairtrial.stats.distributions.binomial import inverted_score, standardized


class TestInvertedScore:
    def test_a_straight_score_by_hand(self):
        # (0.2 − d) / 0.05 is ± 2 at 0.2 ∓ 0.1
        assert inverted_score(lambda d: (0.2 - d) / 0.05, 0.2, 2.0) == pytest.approx((0.1, 0.3), abs=1e-12)

    def test_stays_between_minus_one_and_one(self):
        assert inverted_score(lambda d: (0.2 - d) / 10, 0.2, 2.0) == (-1.0, 1.0)

    def test_mirrored_scores_have_mirrored_bounds(self):
        low, high = inverted_score(lambda d: (0.3 - d) / (0.1 + d * d), 0.3, 1.5)
        back = inverted_score(lambda d: (-0.3 - d) / (0.1 + d * d), -0.3, 1.5)
        assert back == pytest.approx((-high, -low), abs=1e-12)


class TestStandardized:
    def test_by_hand(self):
        assert standardized(-3.0, 4.0) == -1.5

    def test_without_spread(self):
        assert standardized(0.0, 0.0) == 0.0
        assert standardized(-0.1, 0.0) == -math.inf
