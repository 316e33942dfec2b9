import math

import numpy as np
import pytest
from example_data import CLASSES, FIRST, rankings
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import auc_interval
from fairtrial.stats.distributions.rank_sums import placements


class TestAucInterval:
    def test_by_hand(self):
        # positives 3, 2 and negatives 1, 2: V = 1, 3/4 and W = 1, 3/4: each variance 1/32, halved and added: 1/32
        found = auc_interval([1, 0, 1, 0], [3, 1, 2, 2], method="delong", level=0.6826894921370859)
        assert found.estimate == 0.875
        assert found.low == pytest.approx(0.875 - math.sqrt(1 / 32))
        assert found.high == 1.0  # cut: 0.875 + 0.177

    def test_logit_against_r(self):
        # pROC 1.18.0 on R 4.2.2: A <- auc(r); plogis(qlogis(A) + c(-1, 1) * qnorm(.975) * sqrt(var(r)) / (A * (1 - A)))
        found = auc_interval(CLASSES, FIRST)
        assert (found.low, found.high) == pytest.approx((0.676540831527218, 0.979512705017064), rel=1e-9)

    @pytest.mark.parametrize("method", ["logit", "delong", "score"])
    def test_perfect_is_not_certain(self, golden, method):
        """A perfect AUC has neither [1, 1], which pROC gives with a warning, nor a bound above 1."""
        case = golden["auc_perfect"]
        found = auc_interval(*case["inputs"].values(), method=method)
        assert found.estimate == case["expected"]["auc"]
        at = placements(np.array(case["inputs"]["y"]) == 1, np.array(case["inputs"]["score"], dtype=float))
        assert at.variance() == case["expected"]["var_delong"]
        assert 0 < found.low < 0.9
        assert found.high == 1.0
        assert found.notes or method == "score"
        wrong = auc_interval([1, 1, 0, 0], [1, 2, 3, 4], method=method)
        assert (wrong.low, wrong.high) == pytest.approx((0.0, 1 - found.low))

    def test_score_bounds_solve_their_equation(self):
        # Newcombe's method 5 by hand, m = n = 2, A = 1: (1 − a)² = z² a (1 − a) (1 + (1 − a)/(2 − a) + a/(1 + a)) / 4
        a = auc_interval([0, 0, 1, 1], [1, 2, 3, 4]).low
        assert (1 - a) ** 2 == pytest.approx(
            1.959963984540054**2 * a * (1 - a) * (1 + (1 - a) / (2 - a) + a / (1 + a)) / 4, rel=1e-9
        )

    @given(rankings, st.sampled_from(["logit", "delong", "score"]))
    def test_turning_the_scores_mirrors_it(self, rows, method):
        truth, scores = [r[0] for r in rows], np.array([r[1] for r in rows])
        found, mirror = auc_interval(truth, scores, method=method), auc_interval(truth, -scores, method=method)
        assert (found.low, found.high) == pytest.approx((1 - mirror.high, 1 - mirror.low), abs=1e-9)
        assert 0 <= found.low <= found.estimate <= found.high <= 1
        scaled = auc_interval(truth, scores * 1000.0 - 3, method=method)
        assert (scaled.low, scaled.high) == (found.low, found.high)

    def test_one_sided_and_named_classes(self):
        wide, lower = auc_interval(CLASSES, FIRST, level=0.9), auc_interval(CLASSES, FIRST, alternative="greater")
        assert (lower.low, lower.high) == (pytest.approx(wide.low), 1.0)
        named = auc_interval(["ill" if t else "well" for t in CLASSES], FIRST, positive="ill")
        assert named.low == auc_interval(CLASSES, FIRST).low
        assert auc_interval([True, False, True, False], [2, 1, 3, 2]).estimate == 0.875

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="positives and negatives, got 2 of 2 positive instances"):
            auc_interval([1, 1], [0.1, 0.2])
        with pytest.raises(InputError, match="two classes, got 3"):
            auc_interval([0, 1, 2], [0.1, 0.2, 0.3])
        with pytest.raises(InputError, match="one score for each of the 2 instances"):
            auc_interval([0, 1], [0.1])
        with pytest.raises(InputError, match="scores must be numbers, but row 1 is not"):
            auc_interval([0, 1], [0.1, math.nan])
        with pytest.raises(UnknownName, match="did you mean 'delong'"):
            auc_interval([0, 1], [0.1, 0.2], method="delonge")

    def test_one_sided_at_a_level_below_one_half(self):
        truth, scores = [0, 0, 1, 1, 1], [1, 3, 2, 4, 5]
        low, high = (auc_interval(truth, scores, method="score", alternative=a, level=0.3) for a in ("greater", "less"))
        assert high.high < low.estimate < low.low  # each rejects the estimate itself
        assert auc_interval([0, 0, 1, 1], [1, 2, 3, 4], alternative="less", level=0.3).high < 1
