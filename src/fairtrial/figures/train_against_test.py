"""Test scores against training scores: how much better methods look on the rows that they learned from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.errors import UnknownName
from fairtrial.figures.boxed_curves import Curve, CurvesData, Reference, curves_figure
from fairtrial.figures.inputs import Rows, axis_limits, far_off
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.results.analyses.training_gap import TrainingGap
from fairtrial.tables import formats
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results


@figure_of("training_gap")
def training_gap_view(
    results: Results, *, dataset: str | None = None, methods: Sequence[str] | None = None, measure: str | None = None
) -> View:
    """Test scores against training scores, as a figure and as a table."""
    gap = _only(results.training_gap(measure), "dataset", [dataset] if dataset else None)
    gap = _only(gap, "method", methods)
    figure = training_gap_figure(gap, yardsticks=results.yardsticks)
    return View(str(gap), figure, title=place_of(results, dataset))


def _only(gap: TrainingGap, column: str, names: Sequence[str] | None) -> TrainingGap:
    known = tuple(dict.fromkeys(gap.means[column]))
    for name in names or ():
        if name not in known:
            raise UnknownName.among(f"{column} with training scores", name, known)
    return gap if names is None else TrainingGap(gap.measure, gap.means[gap.means[column].isin(names)])


def training_gap_figure(gap: TrainingGap, *, yardsticks: Sequence[str] = ()) -> Figure:
    """Test scores against training scores as a Figure; see :func:`training_gap_data`."""
    return curves_figure(training_gap_data(gap, yardsticks=yardsticks))


def training_gap_data(gap: TrainingGap, *, yardsticks: Sequence[str] = ()) -> CurvesData:
    """The data of a figure of training and test scores: a mark for each method and data set.

    On the diagonal a method is as good on test rows as on the rows that it learned from. The farther it is from the
    diagonal, the more it has adapted to its training rows. The number in the legend is the mean gap: positive if the
    training rows have the better score.
    """
    facts, words = gap.measure, Wording(gap.measure)
    own = {m: rows[["training", "test"]].to_numpy(dtype=float) for m, rows in gap.means.groupby("method", sort=False)}
    values = [v for m, rows in own.items() if m not in yardsticks for v in rows.ravel()]
    away = [m for m in own if m in yardsticks and values and far_off(own[m].ravel().tolist(), values)]
    shown = {m: rows for m, rows in own.items() if m not in away}
    log = facts.compare == "log-ratio" and all(bool((rows > 0).all()) for rows in shown.values())
    limits = axis_limits([v for rows in shown.values() for v in rows.ravel()], log=log)
    sign = 1.0 if facts.higher_is_better else -1.0
    better = "below" if facts.higher_is_better else "above"
    n = gap.means["dataset"].nunique()
    return CurvesData(
        curves=tuple(_curve(str(m), rows, sign, muted=m in yardsticks) for m, rows in shown.items()),
        references=(Reference(((limits[0], limits[0]), (limits[1], limits[1])), "no gap"),),
        labels=(f"{words.name} on training rows", f"{words.name} on test rows"),
        limits=(limits, limits),
        heading=f"mean gap over {plural(n, 'data set')}",
        remarks=(
            f"a mark for each data set; {better} the line: better on training rows than on test rows",
            *(f"not drawn, far off: {m}" for m in away),
        ),
        log=(log, log),
    )


def _curve(name: str, rows: np.ndarray, sign: float, *, muted: bool) -> Curve:
    marks: Rows = tuple(map(tuple, rows.tolist()))
    gap = float((sign * (rows[:, 0] - rows[:, 1])).mean())
    return Curve(name, marks=marks, number=formats.signed(3)(gap), muted=muted)
