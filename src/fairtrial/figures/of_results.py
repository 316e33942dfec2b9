"""The figures of results: curves, a confusion matrix, the map of contexts; levels, growth of cost, the Pareto front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.contexts import contexts_figure
from fairtrial.figures.costs import cost_figure
from fairtrial.figures.growth import growth_figure
from fairtrial.figures.levels import levels_data, levels_figure
from fairtrial.figures.matrix import confusion_figure
from fairtrial.figures.pareto import pareto_figure
from fairtrial.figures.reliability import reliability_figure
from fairtrial.figures.roc import coverage_figure, precision_recall_figure, roc_figure
from fairtrial.measures import RocCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results
    from fairtrial.results.curves import FoldsOfCurves

__all__ = ["KINDS", "View", "figure_of_results", "view_of_results"]

DRAWN: dict[str, Callable[[Any], Figure]] = {
    "roc": roc_figure,
    "coverage": coverage_figure,
    "precision_recall": precision_recall_figure,
    "cost": cost_figure,
    "reliability": reliability_figure,
}
OVER_METHODS = ("levels", "growth", "pareto")
KINDS = (*DRAWN, "confusion", "contexts", *OVER_METHODS)
TAKES = {"factor": ("levels", "growth"), "measure": OVER_METHODS, "cost": ("pareto",), "positive": tuple(DRAWN)}
"""What is for some kinds only."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A figure, and what it shows in words."""

    words: str
    figure: Figure


def figure_of_results(
    results: Results,
    kind: str,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    positive: object = None,
    folds: FoldsOfCurves = "merged",
    measure: str | None = None,
    factor: str | None = None,
    cost: str | None = None,
) -> Figure:
    """The figure of one of :data:`KINDS`."""
    return view_of_results(
        results, kind, dataset=dataset, methods=methods, positive=positive, folds=folds,
        measure=measure, factor=factor, cost=cost,
    ).figure  # fmt: skip


def view_of_results(
    results: Results,
    kind: str,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    positive: object = None,
    folds: FoldsOfCurves = "merged",
    measure: str | None = None,
    factor: str | None = None,
    cost: str | None = None,
) -> View:
    """The same with words: the first line of each curve, or the whole of a matrix, map or table."""
    if kind not in KINDS:
        raise UnknownName.among("kind of figure", kind, KINDS)
    given = {"factor": factor, "measure": measure, "cost": cost, "positive": positive}
    for name in [name for name, value in given.items() if value is not None and kind not in TAKES[name]]:
        kinds = " and ".join(TAKES[name]) if name != "positive" else "curves"
        raise InputError(f"{name} is for {kinds}, not for a figure of {kind!r}; leave it out")
    if kind == "levels":
        levels = levels_data(results, factor, measure, dataset=dataset, methods=methods)
        return View(str(levels.to_table()), levels_figure(levels))
    if kind == "growth":
        scaling = results.growth(measure or "fit_time", factor, dataset=dataset, methods=methods)
        return View(str(scaling), growth_figure(scaling))
    if kind == "pareto":
        front = results.pareto(cost or "fit_time", measure, dataset=dataset, methods=methods)
        return View(str(front), pareto_figure(front))
    if kind == "confusion":
        matrix = results.confusion_matrix(_one_method(results, methods), dataset)
        return View(str(matrix), confusion_figure(matrix))
    if kind == "contexts":
        contexts = results.contexts(dataset)
        return View(str(contexts), contexts_figure(contexts))
    curves = results.curves(kind, dataset=dataset, methods=methods, positive=positive, folds=folds)
    told = {n: c.coverage() if kind == "coverage" and isinstance(c, RocCurve) else c for n, c in curves.items()}
    return View("\n".join(f"{n}: {str(c).splitlines()[0]}" for n, c in told.items()), DRAWN[kind](curves))


def _one_method(results: Results, methods: Sequence[str] | None) -> str:
    known = [m for m in results.method_names() if m not in results.yardsticks]
    given = list(methods) if methods is not None else known
    if len(given) != 1:
        raise InputError(f"a confusion matrix is of one method, which must be named: one of {', '.join(known)}")
    return given[0]
