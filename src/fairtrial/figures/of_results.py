"""The figures of one data set's results: curves, a confusion matrix, the map of contexts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.contexts import contexts_figure
from fairtrial.figures.costs import cost_figure
from fairtrial.figures.matrix import confusion_figure
from fairtrial.figures.reliability import reliability_figure
from fairtrial.figures.roc import coverage_figure, precision_recall_figure, roc_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results
    from fairtrial.results.curves import FoldsOfCurves

__all__ = ["KINDS", "figure_of_results"]

DRAWN: dict[str, Callable[[Any], Figure]] = {
    "roc": roc_figure,
    "coverage": coverage_figure,
    "precision_recall": precision_recall_figure,
    "cost": cost_figure,
    "reliability": reliability_figure,
}
KINDS = (*DRAWN, "confusion", "contexts")


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
    if kind not in KINDS:
        raise UnknownName.among("kind of figure", kind, KINDS)
    if kind == "confusion":
        return confusion_figure(results.confusion_matrix(_one_method(results, methods), dataset))
    if kind == "contexts":
        return contexts_figure(results.contexts(dataset))
    curves = results.curves(kind, dataset=dataset, methods=methods, positive=positive, folds=folds)
    return DRAWN[kind](curves)


def _one_method(results: Results, methods: Sequence[str] | None) -> str:
    known = [m for m in results.method_names() if m not in results.yardsticks]
    given = list(methods) if methods is not None else known
    if len(given) != 1:
        raise InputError(f"a confusion matrix is of one method, which must be named: one of {', '.join(known)}")
    return given[0]
