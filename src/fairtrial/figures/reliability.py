"""Reliability curves: does an event with predicted probability 0.8 happen four times out of five?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.figures.boxed_curves import (
    Curve,
    CurvesData,
    Reference,
    check_curves,
    curves_figure,
    figure_of_curves,
    points,
)
from fairtrial.figures.inputs import Rows
from fairtrial.measures.calibration import ReliabilityCurve
from fairtrial.stats import proportion_interval
from fairtrial.stats.outcome import check_level
from fairtrial.tables import formats

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure_of_curves("reliability")
def reliability_figure(curves: Mapping[str, ReliabilityCurve], *, level: float = 0.95) -> Figure:
    """Reliability curves as a Figure, with histograms of the predictions; see :func:`reliability_data`."""
    return curves_figure(reliability_data(curves, level=level))


def reliability_data(curves: Mapping[str, ReliabilityCurve], *, level: float = 0.95) -> CurvesData:
    """The data of a reliability figure: a point for each bin of predictions; on the diagonal they are calibrated.

    Below the diagonal predicted probabilities are too high, above it too low. The intervals are Wilson's, of the share
    of positives in the bin; there are none if the weights of instances are fractions. Below the box each method has a
    histogram of its predictions.

    >>> from fairtrial.measures import reliability_curve
    >>> curve = reliability_curve([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.3, 0.6, 0.7, 0.8], bins=2)
    >>> data = reliability_data({"forest": curve})
    >>> data.curves[0].line, data.curves[0].bars[0], data.curves[0].bins
    (((0.2333, 0.3333), (0.7, 0.6667)), (0.2333, 0.06149, 0.2333, 0.7923), ((0.0, 0.5, 0.5), (0.5, 1.0, 0.5)))
    """
    check_curves(curves, (ReliabilityCurve,))
    check_level(level)
    drawn = tuple(_curve(name, curve, level) for name, curve in curves.items())
    return CurvesData(
        curves=drawn,
        references=(Reference(((0.0, 0.0), (1.0, 1.0)), "calibrated"),),
        labels=("predicted probability", "observed share"),
        limits=((0.0, 1.0), (0.0, 1.0)),
        heading="calibration error",
        remarks=(f"bars: {100 * level:g} % intervals (Wilson)",) if any(curve.bars for curve in drawn) else (),
    )


def _curve(name: str, curve: ReliabilityCurve, level: float) -> Curve:
    line = points(curve.predicted, curve.observed)
    return Curve(
        name,
        line,
        marks=line,
        number=formats.fixed(3)(curve.error),
        bars=_intervals(curve, level),
        bins=_histogram(curve),
    )


def _histogram(curve: ReliabilityCurve) -> Rows:
    """The histogram of the predictions: bars if all bins have one width, else sticks at the means of the bins."""
    low, high = curve.low, curve.high
    if len(low) and np.ptp(high - low) > 1e-9:
        low = high = curve.predicted
    return tuple(map(tuple, np.column_stack([low, high, curve.weight / curve.weight.sum()]).tolist()))


def _intervals(curve: ReliabilityCurve, level: float) -> Rows:
    """An interval for each bin; none where weights are not numbers of instances."""
    came = curve.observed * curve.weight
    if not (np.equal(curve.weight, np.round(curve.weight)).all() and np.allclose(came, np.round(came), atol=1e-6)):
        return ()
    counts = zip(curve.predicted.tolist(), np.round(came).tolist(), curve.weight.tolist(), strict=True)
    found = [(x, proportion_interval(int(k), int(n), level=level)) for x, k, n in counts]
    return tuple((x, interval.low, x, interval.high) for x, interval in found)
