"""Choosing a threshold."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.measures import choose_threshold, roc_curve

GOLDEN = Path(__file__).parents[1] / "golden" / "known_answers.json"

# ROCR 1.0.11 [R 4.2.2]: performance(prediction(SCORES, TRUTH), "cost", cost.fp = 1, cost.fn = 3)
TRUTH = [1, 0, 1, 1, 0, 1, 0, 0, 1, 0]
SCORES = [0.9, 0.8, 0.8, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]

# + − + − − −: (0, 0), (0, 1/2), (1/4, 1/2), (1/4, 1), …
CURVE = roc_curve([1, 0, 1, 0, 0, 0], [0.9, 0.8, 0.7, 0.4, 0.3, 0.1])

rows = st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=25).filter(
    lambda rows: len({y for y, _ in rows}) == 2
)
shares, costs = st.floats(0.01, 0.99), st.floats(0.01, 100)


@pytest.fixture
def ndka():
    """pROC's aSAH data: outcome and the marker ndka."""
    cases = {case["id"]: case for case in json.loads(GOLDEN.read_text(encoding="utf-8"))}
    return roc_curve(*cases["auc_delong_ndka"]["inputs"].values())


class TestYouden:
    def test_by_hand(self):
        found = choose_threshold(CURVE)
        assert (found.threshold, found.tpr, found.fpr, found.value, found.trivial) == (0.7, 1, 0.25, 0.75, 0)
        assert found.predicted_positive_rate == pytest.approx(3 / 6)

    def test_value_from_r(self, ndka):
        # coords(r, "best", best.method = "youden"), pROC 1.18.0 [R 4.2.2]: 11.08, which lies between two scores
        found = choose_threshold(ndka)
        assert found.threshold == 11.09
        assert (found.tpr, 1 - found.fpr) == pytest.approx((0.707317073170732, 0.513888888888889), rel=1e-12)

    @given(rows)
    def test_no_threshold_is_better(self, rows):
        truth, scores = map(np.array, zip(*rows, strict=True))
        found = choose_threshold(roc_curve(truth, scores))
        for threshold in np.r_[scores, np.inf]:
            chosen = scores >= threshold
            assert found.value >= chosen[truth == 1].mean() - chosen[truth == 0].mean() - 1e-9

    def test_of_equals_the_highest(self):
        # J is 1/2 at 4 and at 2
        assert choose_threshold(roc_curve([1, 0, 1, 0], [4, 3, 2, 1])).threshold == 4
        # nothing is better than predicting none
        assert choose_threshold(roc_curve([0, 1], [2, 1])).threshold == np.inf


class TestCost:
    def test_by_hand(self):
        # at 0.9: 1/3 · 1/2 · 1 = 1/6; at 0.7: 2/3 · 1/4 · 3 = 1/2
        found = choose_threshold(CURVE, by="cost", cost_fp=3)
        assert (found.threshold, found.value) == (0.9, pytest.approx(1 / 6))
        assert found.trivial == pytest.approx(1 / 3)  # none positive; all positive would cost 2
        # where positives are common: 0.9 · 1/2 against 0.1 · 1/4 · 3
        found = choose_threshold(CURVE, by="cost", cost_fp=3, share=0.9)
        assert (found.threshold, found.value) == (0.7, pytest.approx(0.075))
        assert found.trivial == pytest.approx(0.3)  # all positive
        assert found.predicted_positive_rate == pytest.approx(0.9 + 0.1 / 4)

    def test_value_from_r(self, ndka):
        found = choose_threshold(roc_curve(TRUTH, SCORES), by="cost", cost_fn=3)
        assert (found.threshold, found.value) == (0.2, pytest.approx(0.4))
        # coords(r, "best", best.weights = c(2, 0.3)), pROC 1.18.0 [R 4.2.2]: 13.505, which lies between two scores
        found = choose_threshold(ndka, by="cost", share=0.3, cost_fn=2)
        assert found.threshold == 13.56
        assert (found.tpr, 1 - found.fpr) == pytest.approx((0.51219512195122, 0.708333333333333), rel=1e-12)

    @given(rows, shares, costs, costs)
    def test_no_threshold_is_cheaper(self, rows, share, cost_fp, cost_fn):
        truth, scores = map(np.array, zip(*rows, strict=True))
        found = choose_threshold(roc_curve(truth, scores), by="cost", share=share, cost_fp=cost_fp, cost_fn=cost_fn)
        for threshold in np.r_[scores, np.inf]:
            chosen = scores >= threshold
            missed, false = (~chosen)[truth == 1].mean(), chosen[truth == 0].mean()
            assert found.value <= share * missed * cost_fn + (1 - share) * false * cost_fp + 1e-9
        assert found.value <= found.trivial + 1e-12

    def test_small_costs_are_told_apart(self):
        small = choose_threshold(CURVE, by="cost", cost_fp=3e-20, cost_fn=1e-20)
        assert small.threshold == choose_threshold(CURVE, by="cost", cost_fp=3).threshold


class TestPredictedPositiveRate:
    def test_by_hand(self):
        assert choose_threshold(CURVE, by="predicted_positive_rate").threshold == 0.8  # 2 of 6, as there are positives
        found = choose_threshold(CURVE, by="predicted_positive_rate", rate=0.7)  # 4 of 6 is nearer than 5 of 6
        assert (found.threshold, found.value) == (0.4, pytest.approx(0.7 - 4 / 6))
        # 7/12 lies between 3 and 4 of 6: the higher threshold
        assert choose_threshold(CURVE, by="predicted_positive_rate", rate=7 / 12).threshold == 0.7

    @given(rows, st.floats(0, 1))
    def test_no_threshold_comes_nearer(self, rows, rate):
        truth, scores = map(np.array, zip(*rows, strict=True))
        found = choose_threshold(roc_curve(truth, scores), by="predicted_positive_rate", rate=rate)
        assert found.predicted_positive_rate == pytest.approx((scores >= found.threshold).mean())
        for threshold in np.r_[scores, np.inf]:
            assert found.value <= abs((scores >= threshold).mean() - rate) + 1e-9


class TestAsResult:
    def test_says_its_answer_first(self):
        assert str(choose_threshold(CURVE)).startswith("positive from 0.7000: tpr 1.000, fpr 0.250")
        assert str(choose_threshold(roc_curve([0, 1], [2, 1]))).startswith("predict none positive: tpr 0.000")
        found = choose_threshold(CURVE, by="cost")
        assert found.to_table().rows[0] == tuple(found.to_dict().values())

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"by": "luck"}, r"by must be 'youden', 'cost' or 'predicted_positive_rate', got 'luck'"),
            ({"cost_fp": 2}, r"are only for by='cost', got 2 and 1.0 with by='youden'"),
            ({"by": "cost", "rate": 0.2}, r"rate is only for by='predicted_positive_rate', got 0.2"),
            ({"by": "cost", "share": 20}, r"share must lie between 0 and 1 .* got 20"),
            ({"by": "cost", "cost_fn": -1}, r"must be finite and not negative, got 1.0 and -1"),
            ({"by": "predicted_positive_rate", "rate": np.nan}, r"rate must lie between 0 and 1 .* got nan"),
        ],
    )
    def test_says_what_was_wrong(self, options, message):
        with pytest.raises(InputError, match=message):
            choose_threshold(CURVE, **options)
