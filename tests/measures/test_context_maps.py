"""Which method is best in which context."""

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.measures import ConfusionMatrix, confusion_matrix, context_map, expected_cost, roc_curve

FIRST = ConfusionMatrix.of_table(tp=60, fn=20, fp=0, tn=20)  # 003 example 12.1
SECOND = ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10)


def labels_of(matrix):
    counts = matrix.counts.astype(int)
    return np.repeat([0, 0, 1, 1], counts.ravel()), np.repeat([0, 1, 0, 1], counts.ravel())


class TestContextMap:
    def test_by_hand(self):
        made = context_map({"first": FIRST, "second": SECOND}, shares=[0.8, 0.5], ratios=[1.0])
        assert [made.names[i] for i in made.best[0]] == ["second", "first"]
        np.testing.assert_allclose(made.costs[0, 0, :2], [0.8 * 0.25, 0.8 * 0.0625 + 0.2 * 0.5])

    def test_agrees_with_expected_cost(self):
        shares, ratios = [0.1, 0.4, 0.9], [0.2, 1.0, 7.0]
        made = context_map({"second": SECOND}, shares=shares, ratios=ratios)
        for i, ratio in enumerate(ratios):
            for j, share in enumerate(shares):
                costs = (min(1 / ratio, 1), min(ratio, 1))
                expected = expected_cost(*labels_of(SECOND), costs=costs, prior=share)
                assert made.costs[i, j, 0] == pytest.approx(expected)

    def test_at_the_ends_no_method_is_of_use(self):
        made = context_map({"second": SECOND})
        assert made.names[made.best[0, 0]] == "always negative"  # few positives, misses are cheap
        assert made.names[made.best[-1, -1]] == "always positive"
        assert sum(made.parts.values()) == pytest.approx(1)

    def test_a_curve_uses_its_best_threshold(self):
        rng = np.random.default_rng(1)
        truth = rng.integers(0, 2, 200)
        scores = truth + rng.normal(size=200)
        curve = roc_curve(truth, scores)
        points = {f"at {t}": ConfusionMatrix.of_rates(tpr=tpr, tnr=1 - fpr, positives=0.5)
                  for t, fpr, tpr in zip(curve.thresholds, curve.fpr, curve.tpr, strict=True)}  # fmt: skip
        with_curve, with_points = context_map({"curve": curve}), context_map(points)
        np.testing.assert_allclose(with_curve.costs.min(axis=-1), with_points.costs.min(axis=-1), atol=1e-12)

    def test_a_curve_that_can_only_say_always_the_same_is_of_no_use(self):
        curve = roc_curve([0, 1, 0, 1, 1], [0.95, 0.4, 0.5, 0.6, 0.9])  # a negative is on top
        made = context_map({"curve": curve})
        assert made.names[made.best[0, 0]] == "always negative"
        assert made.names[made.best[-1, -1]] == "always positive"
        assert 0 < made.parts["curve"] < 1

    def test_prints(self):
        text = str(context_map({"first": FIRST, "second": SECOND}))
        assert text.startswith("Cheapest, by share of contexts: ")
        assert "false alarms" in text

    @pytest.mark.parametrize(
        ("methods", "given", "message"),
        [
            ({}, {}, "methods must have at least one"),
            ({"a": FIRST}, {"shares": [1.2]}, "shares must be numbers from 0 to 1"),
            ({"always negative": FIRST}, {}, "a method must not be called 'always negative'"),
            ({"a": confusion_matrix([0, 1, 2], [0, 1, 1])}, {}, "context_map is for two classes"),
            ({"a": FIRST}, {"ratios": [0.0]}, "ratios numbers above 0"),
            ({"a": ConfusionMatrix.of_table(tp=1, fn=1, fp=0, tn=0)}, {}, "'a' has no point in ROC space"),
        ],
    )
    def test_says_what_was_wrong(self, methods, given, message):
        with pytest.raises(InputError, match=message):
            context_map(methods, **given)
