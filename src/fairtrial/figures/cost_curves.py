"""Cost curves: the expected cost of each method under every class balance and every pair of costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.figures.boxed_curves import (
    Curve,
    CurvesData,
    Reference,
    check_curves,
    curves_figure,
    curves_title,
    points,
)
from fairtrial.figures.inputs import Rows
from fairtrial.figures.result_views import View, figure_of
from fairtrial.measures.costs import CostCurve
from fairtrial.measures.operating_context import cost_matrix, expected_shares, with_label_costs
from fairtrial.results.analyses.tested_methods import one_dataset, positive_class
from fairtrial.tables import formats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

MOST_LINES = 60
"""The most lines of thresholds that are drawn; of more, those of the envelope and an even choice of the others."""


def cost_figure(curves: Mapping[str, CostCurve], *, here: float | None = None) -> Figure:
    """Cost curves as a Figure: normalised expected cost over the probability cost PC(+); see :func:`cost_data`."""
    return curves_figure(cost_data(curves, here=here))


@figure_of("cost")
def cost_view(
    results: Results, *, dataset: str | None = None, methods: Sequence[str] | None = None, positive: object = None
) -> View:
    """Cost curves of all methods on one data set, with a mark at the class balance and costs of the question."""
    curves = results.curves("cost", dataset=dataset, methods=methods, positive=positive)
    figure = cost_figure(curves, here=_asked(results, dataset, positive, next(iter(curves.values()))))  # type: ignore[arg-type]
    return View(str(curves), figure, curves.notes, curves_title(results, dataset, positive))


def _asked(results: Results, dataset: str | None, positive: object, curve: CostCurve) -> float | None:
    """PC(+) of the question's class balance (else that of the data) and costs; None without a context."""
    name = one_dataset(results, dataset)
    facts, code = results.datasets[name], positive_class(name, results.datasets[name], positive)
    if not results.question.context or len(facts["classes"]) != 2:
        return None
    context: dict[str, Any] = with_label_costs(results.question.context, facts["classes"], facts["positive"])
    share = curve.hull.positives / (curve.hull.positives + curve.hull.negatives)
    if context.get("positives") is not None:
        share = float(expected_shares(context["positives"], 2, facts["positive"])[code])
    costs = cost_matrix(context.get("costs") or (1, 1), 2, facts["positive"])
    missed, false = share * costs[code, 1 - code], (1 - share) * costs[1 - code, code]
    return float(missed / (missed + false)) if missed + false > 0 else None


def cost_data(curves: Mapping[str, CostCurve], *, here: float | None = None) -> CurvesData:
    """The data of a figure of cost curves: the lower envelope of each method; lower is better.

    ``here`` marks one context: the share of the costs of missed positives, PC(+), if all are predicted wrongly.
    The dotted triangle is the cost of always predicting negative (left) or positive (right): above it a method
    is of no use. If there is only one method, the lines of its thresholds are drawn too.

    Reference: Drummond & Holte (2006), Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5.

    >>> from fairtrial.measures import cost_curve, roc_curve
    >>> data = cost_data({"forest": cost_curve(roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]))})
    >>> data.curves[0].number, len(data.curves[0].parts)
    ('0.100', 6)
    """
    check_curves(curves, (CostCurve,))
    alone = len(curves) == 1
    return CurvesData(
        curves=tuple(
            Curve(
                name,
                points(curve.pc, curve.envelope),
                number=formats.fixed(3)(curve.area),
                parts=_lines(curve) if alone else (),
            )
            for name, curve in curves.items()
        ),
        references=(
            Reference(((0.0, 0.0), (0.5, 0.5), (1.0, 0.0)), "always negative or positive", "0.250"),
            *(
                ()
                if here is None
                else (Reference(((here, 0.0), (here, 0.52)), f"your costs: PC(+) {here:.3g}", solid=True),)
            ),
        ),
        labels=("probability cost PC(+)", "normalised expected cost"),
        limits=((0.0, 1.0), (0.0, 0.52)),
        heading="area: mean cost over PC(+)",
        remarks=("thin: lines of single thresholds",) if alone else (),
    )


def _lines(curve: CostCurve) -> tuple[Rows, ...]:
    """A line for each threshold, from its false positive rate at PC(+) = 0 to its false negative rate at 1."""
    ends = curve.lines([0.0, 1.0])
    some = np.linspace(0, len(ends) - 1, MOST_LINES).round().astype(int)
    best = np.column_stack([curve.hull.fpr, 1 - curve.hull.tpr])
    drawn = ends if len(ends) <= MOST_LINES else np.unique(np.concatenate([ends[some], best]), axis=0)
    return tuple(points([0.0, 1.0], pair) for pair in drawn)
