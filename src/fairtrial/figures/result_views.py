"""The figures of results: curves, a confusion matrix, the map of contexts; levels, growth of cost, the Pareto front."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.confusion import confusion_figure
from fairtrial.figures.contexts import contexts_figure
from fairtrial.figures.cost_curves import cost_figure
from fairtrial.figures.cost_growth import growth_figure
from fairtrial.figures.levels import levels_data, levels_figure
from fairtrial.figures.pareto import pareto_figure
from fairtrial.figures.reliability import reliability_figure
from fairtrial.figures.roc import coverage_figure, precision_recall_figure, roc_figure
from fairtrial.measures import RocCurve
from fairtrial.results.absentees import absences
from fairtrial.results.failure_policy import LeftOut

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results
    from fairtrial.results.analyses.tested_methods import FoldsOfCurves

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
    return _view(results, kind, _Asked(dataset, methods, positive, folds, measure, factor, cost)).figure


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
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", LeftOut)
        view = _view(results, kind, _Asked(dataset, methods, positive, folds, measure, factor, cost))
    left_out = "\n".join(str(w.message) for w in said if issubclass(w.category, LeftOut))
    return View(f"{view.words}\n{left_out}" if left_out else view.words, view.figure)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be shown; each kind of figure takes some of it."""

    dataset: str | None
    methods: Sequence[str] | None
    positive: object
    folds: FoldsOfCurves
    measure: str | None
    factor: str | None
    cost: str | None

    def check(self, kind: str) -> None:
        """Refuse what the kind does not take."""
        if kind not in KINDS:
            raise UnknownName.among("kind of figure", kind, KINDS)
        for name, takers in TAKES.items():
            if getattr(self, name) is not None and kind not in takers:
                kinds = " and ".join(takers) if name != "positive" else "curves"
                raise InputError(f"{name} is for {kinds}, not for a figure of {kind!r}; leave it out")


def _view(results: Results, kind: str, asked: _Asked) -> View:
    asked.check(kind)
    dataset, methods = asked.dataset, asked.methods
    if kind == "levels":
        levels = levels_data(results, asked.factor, asked.measure, dataset=dataset, methods=methods)
        return View(str(levels.to_table()), levels_figure(levels))
    if kind == "growth":
        scaling = results.growth(asked.measure or "fit_time", asked.factor, dataset=dataset, methods=methods)
        return View(str(scaling), growth_figure(scaling))
    if kind == "pareto":
        front = results.pareto(asked.cost or "fit_time", asked.measure, dataset=dataset, methods=methods)
        return View(str(front), pareto_figure(front))
    if kind == "confusion":
        matrix = results.confusion_matrix(_one_method(results, methods), dataset)
        return View(str(matrix), confusion_figure(matrix))
    if kind == "contexts":
        contexts = results.contexts(dataset)
        return View(str(contexts), contexts_figure(contexts))
    curves = results.curves(kind, dataset=dataset, methods=methods, positive=asked.positive, folds=asked.folds)
    told = {n: c.coverage() if kind == "coverage" and isinstance(c, RocCurve) else c for n, c in curves.items()}
    return View("\n".join(f"{n}: {str(c).splitlines()[0]}" for n, c in told.items()), DRAWN[kind](curves))


def _one_method(results: Results, methods: Sequence[str] | None) -> str:
    absent = absences(results).methods()
    known = [m for m in results.method_names() if m not in results.yardsticks and m not in absent]
    given = list(methods) if methods is not None else known
    if len(given) != 1:
        raise InputError(f"a confusion matrix is of one method, which must be named: one of {', '.join(known)}")
    return given[0]
