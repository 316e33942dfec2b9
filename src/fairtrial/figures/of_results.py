"""The figures of one data set's results: curves, a confusion matrix, the map of contexts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.contexts import contexts_figure
from fairtrial.figures.costs import cost_figure
from fairtrial.figures.matrix import confusion_figure
from fairtrial.figures.reliability import reliability_figure
from fairtrial.figures.roc import coverage_figure, precision_recall_figure, roc_figure
from fairtrial.measures import RocCurve
from fairtrial.results.failure_policy import LeftOut

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
KINDS = (*DRAWN, "confusion", "contexts")


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
) -> Figure:
    """The figure of one of :data:`KINDS` for one data set, from stored predictions."""
    _check_kind(kind, positive)
    return _view(results, kind, dataset, methods, positive, folds).figure


def view_of_results(
    results: Results,
    kind: str,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    positive: object = None,
    folds: FoldsOfCurves = "merged",
) -> View:
    """The same with words: the first line of each curve, or the whole of a matrix or map."""
    _check_kind(kind, positive)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", LeftOut)
        view = _view(results, kind, dataset, methods, positive, folds)
    left_out = "\n".join(str(w.message) for w in said if issubclass(w.category, LeftOut))
    return View(f"{view.words}\n{left_out}" if left_out else view.words, view.figure)


def _check_kind(kind: str, positive: object) -> None:
    """A kind of figure, and no positive class where both are shown."""
    if kind not in KINDS:
        raise UnknownName.among("kind of figure", kind, KINDS)
    if kind not in DRAWN and positive is not None:
        raise InputError(f"positive is for curves, but a figure of {kind!r} shows both classes; leave it out")


def _view(
    results: Results, kind: str, dataset: str | None, methods: Sequence[str] | None, positive: object,
    folds: FoldsOfCurves,
) -> View:  # fmt: skip
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
