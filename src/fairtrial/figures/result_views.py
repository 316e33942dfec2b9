"""Figures of results, each with what it shows in words. A new kind is a function here and a row of :data:`FIGURES`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
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

__all__ = ["FIGURES", "KINDS", "View", "figure_of_results", "view_of_results"]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A figure, and what it shows in words."""

    words: str
    figure: Figure


def figure_of_results(
    results: Results, kind: str, *, dataset: str | None = None, methods: Sequence[str] | None = None,
    positive: object = None, folds: FoldsOfCurves = "merged", measure: str | None = None, factor: str | None = None,
    cost: str | None = None,
) -> Figure:  # fmt: skip
    """The figure of one of :data:`KINDS`."""
    return _view(results, kind, _Asked(dataset, methods, positive, folds, measure, factor, cost)).figure


def view_of_results(
    results: Results, kind: str, *, dataset: str | None = None, methods: Sequence[str] | None = None,
    positive: object = None, folds: FoldsOfCurves = "merged", measure: str | None = None, factor: str | None = None,
    cost: str | None = None,
) -> View:  # fmt: skip
    """The same with words: the first line of each curve, or the whole of a matrix, map or table."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LeftOut)
        view = _view(results, kind, _Asked(dataset, methods, positive, folds, measure, factor, cost))
    left_out = "\n".join(str(w.message) for w in caught if issubclass(w.category, LeftOut))
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
        if kind not in FIGURES:
            raise UnknownName.among("kind of figure", kind, KINDS)
        for name in ("factor", "measure", "cost", "positive"):
            if getattr(self, name) is not None and name not in FIGURES[kind].takes:
                takers = [other for other, figure in FIGURES.items() if name in figure.takes]
                kinds = " and ".join(takers) if name != "positive" else "curves"
                raise InputError(f"{name} is for {kinds}, not for a figure of {kind!r}; leave it out")


def _view(results: Results, kind: str, asked: _Asked) -> View:
    asked.check(kind)
    return FIGURES[kind].make(results, asked)


def _curves(kind: str, draw: Callable[[Any], Figure], results: Results, asked: _Asked) -> View:
    curves = results.curves(
        kind, dataset=asked.dataset, methods=asked.methods, positive=asked.positive, folds=asked.folds
    )
    shown = {n: c.coverage() if kind == "coverage" and isinstance(c, RocCurve) else c for n, c in curves.items()}
    return View("\n".join(f"{n}: {str(c).splitlines()[0]}" for n, c in shown.items()), draw(curves))


def _confusion(results: Results, asked: _Asked) -> View:
    matrix = results.confusion_matrix(_one_method(results, asked.methods), asked.dataset)
    return View(str(matrix), confusion_figure(matrix))


def _one_method(results: Results, methods: Sequence[str] | None) -> str:
    absent = absences(results).methods()
    known = [m for m in results.method_names() if m not in results.yardsticks and m not in absent]
    given = list(methods) if methods is not None else known
    if len(given) != 1:
        raise InputError(f"a confusion matrix is of one method, which must be named: one of {', '.join(known)}")
    return given[0]


def _contexts(results: Results, asked: _Asked) -> View:
    contexts = results.contexts(asked.dataset)
    return View(str(contexts), contexts_figure(contexts))


def _levels(results: Results, asked: _Asked) -> View:
    levels = levels_data(results, asked.factor, asked.measure, dataset=asked.dataset, methods=asked.methods)
    return View(str(levels.to_table()), levels_figure(levels))


def _growth(results: Results, asked: _Asked) -> View:
    scaling = results.growth(asked.measure or "fit_time", asked.factor, dataset=asked.dataset, methods=asked.methods)
    return View(str(scaling), growth_figure(scaling))


def _pareto(results: Results, asked: _Asked) -> View:
    front = results.pareto(asked.cost or "fit_time", asked.measure, dataset=asked.dataset, methods=asked.methods)
    return View(str(front), pareto_figure(front))


@dataclass(frozen=True, slots=True)
class _Figure:
    """How a kind of figure is made, and what it takes besides data set and methods."""

    make: Callable[[Results, _Asked], View]
    takes: tuple[str, ...] = ()


FIGURES: dict[str, _Figure] = {
    "roc": _Figure(partial(_curves, "roc", roc_figure), ("positive",)),
    "coverage": _Figure(partial(_curves, "coverage", coverage_figure), ("positive",)),
    "precision_recall": _Figure(partial(_curves, "precision_recall", precision_recall_figure), ("positive",)),
    "cost": _Figure(partial(_curves, "cost", cost_figure), ("positive",)),
    "reliability": _Figure(partial(_curves, "reliability", reliability_figure), ("positive",)),
    "confusion": _Figure(_confusion),
    "contexts": _Figure(_contexts),
    "levels": _Figure(_levels, ("factor", "measure")),
    "growth": _Figure(_growth, ("factor", "measure")),
    "pareto": _Figure(_pareto, ("measure", "cost")),
}
"""The kinds of figures of results; the command line lists the same names, so that its help loads nothing."""

KINDS = tuple(FIGURES)
