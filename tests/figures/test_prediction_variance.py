"""Curves of the variance of predictions as data; then that they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.design.layouts import Axis, BoxBehnken, CentralComposite, Fractional, FullFactorial, design_space
from fairtrial.errors import InputError
from fairtrial.figures import prediction_variance_data, prediction_variance_figure

AXES = [Axis(name) for name in ("rate", "depth", "trees")]
COMPOSITE, BEHNKEN = CentralComposite().lay_out(AXES, seed=1), BoxBehnken().lay_out(AXES, seed=1)


class TestData:
    def test_by_hand(self):
        # one factor at both ends: v(x) = (1 + x²) / 2, x uniform; at most 5/8 where |x| ≤ 1/2
        (curve,) = prediction_variance_data({"one": FullFactorial().lay_out([Axis("A")], seed=1)}).curves
        x, y = np.array(curve.line).T
        assert y[-1] == pytest.approx(1)
        assert np.interp(0.5, x, y) == pytest.approx(5 / 8, abs=1e-3)
        assert curve.number == "0.667"  # (1 + 1/3) / 2

    def test_two_layouts(self):
        data = prediction_variance_data({"composite": COMPOSITE, "Behnken": BEHNKEN}, "quadratic")
        assert [curve.name for curve in data.curves] == ["composite", "Behnken"]
        assert data.curves[1].line[-1][1] == pytest.approx(design_space(BEHNKEN, "quadratic").largest)
        assert data.remarks == (f"model 'quadratic'; composite: {len(COMPOSITE.rows)} runs, Behnken: 15 runs",)

    def test_curves_ascend(self):
        for curve in prediction_variance_data({"a": COMPOSITE, "b": BEHNKEN}, "quadratic").curves:
            assert (np.diff(np.array(curve.line), axis=0) >= 0).all()

    def test_a_layout_that_cannot_estimate_the_model(self):
        part = Fractional(runs=4).lay_out(AXES, seed=1)
        data = prediction_variance_data({"part": part, "Behnken": BEHNKEN}, "interactions")
        assert [curve.name for curve in data.curves] == ["Behnken"]
        assert data.remarks[-1] == "can't estimate the model: part"
        with pytest.raises(InputError, match="model 'interactions' can't be estimated from part; choose a smaller one"):
            prediction_variance_data({"part": part}, "interactions")

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="layouts must have at least 1 entry, got 0"):
            prediction_variance_data({})
        with pytest.raises(InputError, match="layouts must be at most 5, so that their curves can be distinguished"):
            prediction_variance_data(dict.fromkeys(map(str, range(6)), BEHNKEN))


@pytest.mark.parametrize("name", ["composite", "a name_with % & <x> $y$ " + "m" * 56])
def test_all_is_inside(name, drawn_whole):
    shown = drawn_whole(prediction_variance_figure(prediction_variance_data({name: COMPOSITE, "other": BEHNKEN})))
    assert "fraction of the space" in shown
