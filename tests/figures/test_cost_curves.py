"""Cost curves as data; then that they draw."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import cost_data, cost_figure
from fairtrial.figures.predictions.cost_curves import MOST_LINES, cost_view
from fairtrial.measures import RocPoint, cost_curve, roc_curve
from fairtrial.results import read_predictions

CURVE = cost_curve(roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]))


class TestCostData:
    def test_by_hand(self):
        # hull (0, 0), (0, ½), (⅓, 1), (1, 1): ½ PC is as much as ⅓ (1 − PC) at PC = 0.4, which then falls to 0
        (forest,) = cost_data({"forest": CURVE}).curves
        assert np.array(forest.line) == pytest.approx(np.array([(0, 0), (0, 0), (0.4, 0.2), (1, 0), (1, 0)]), abs=1e-12)
        assert forest.number == "0.100"

    def test_a_line_for_each_threshold_of_a_method_alone(self):
        # thresholds ∞, 5, 4, …: from the false positive rate at PC(+) = 0 to the false negative rate at 1
        data = cost_data({"forest": CURVE})
        ends = [(first[1], last[1]) for first, last in data.curves[0].parts]
        third = 1 / 3
        assert np.array(ends) == pytest.approx(
            np.array([(0, 1), (0, 0.5), (third, 0.5), (third, 0), (2 * third, 0), (1, 0)])
        )
        assert data.remarks == ("thin: lines of single thresholds",)

    def test_no_lines_where_methods_are_compared(self):
        data = cost_data({"forest": CURVE, "rules": cost_curve(RocPoint(0.2, 0.7, 10, 10))})
        assert [curve.parts for curve in data.curves] == [(), ()]
        assert data.remarks == ()

    def test_of_many_lines_those_of_the_envelope_are_kept(self):
        rng = np.random.default_rng(1)
        truth = rng.random(2000) < 0.5
        curve = cost_curve(roc_curve(truth, truth + rng.normal(size=2000)))
        (drawn,) = cost_data({"m": curve}).curves
        ends = {(first[1], last[1]) for first, last in drawn.parts}
        assert set(zip(curve.hull.fpr, 1 - curve.hull.tpr, strict=True)) <= ends
        assert len(ends) <= MOST_LINES + len(curve.hull.fpr)

    def test_the_envelope_is_below_every_line_and_the_triangle(self):
        (forest,) = cost_data({"forest": CURVE}).curves
        x, y = np.array(forest.line).T
        for (_, first), (_, last) in forest.parts:
            assert (y <= first + (last - first) * x + 1e-12).all()
        assert (y <= np.minimum(x, 1 - x) + 1e-12).all()

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="curves must be of the kind CostCurve, but 'm' is a RocPoint"):
            cost_data({"m": RocPoint(0, 1, 1, 1)})

    def test_draws(self):
        assert cost_figure({"forest": CURVE}).axes
        assert cost_figure({"forest": CURVE, "rules": cost_curve(RocPoint(0.2, 0.7, 10, 10))}).axes


def test_the_costs_of_the_question_are_marked() -> None:
    random = np.random.default_rng(3)
    truth = np.repeat(["no", "no", "no", "yes"], 50)
    scores = (truth == "yes") + random.normal(0, 0.8, 200)
    results = read_predictions(
        pd.DataFrame({"y": truth, "A": 1 / (1 + np.exp(-scores))}), truth="y", measure="auc", positive="yes"
    )
    assert cost_view(results).figure.axes[0].get_legend().get_texts()[-1].get_text().endswith("negative or positive")
    for context, pc in (
        ({"costs": (1, 30)}, 30 * 0.25 / (30 * 0.25 + 0.75)),
        ({"costs": {"no": 1, "yes": 30}, "positives": 0.02}, 0.6 / (0.6 + 0.98)),
    ):
        asked = replace(results, question=replace(results.question, context=context))
        for positive, expected in (("yes", pc), ("no", 1 - pc)):
            view = cost_view(asked, positive=positive)
            texts = [text.get_text() for text in view.figure.axes[0].get_legend().get_texts()]
            assert f"your costs: PC(+) {expected:.3g}" in texts
