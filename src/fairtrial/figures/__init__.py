"""Figures, each as data first and drawing second, so that they can be tested without pixels and redrawn by anyone.

``*_data`` is pure and gives a frozen value with ``to_dict()``; ``draw_*`` puts it on a matplotlib Axes; ``*_figure``
makes a Figure of the right size; :func:`figure_for` takes a verdict and chooses. matplotlib is imported only when
something is drawn, and never through pyplot, so that figures can be made without a display and in any thread.
:func:`to_svg` gives the text to put into a page.
"""

from fairtrial.figures.boxed_curves import Curve, CurvesData, Reference, curves_figure, draw_curves
from fairtrial.figures.confusion import ConfusionData, confusion_data, confusion_figure, draw_confusion
from fairtrial.figures.contexts import (
    ContextRegion,
    ContextsData,
    contexts_data,
    contexts_figure,
    draw_contexts,
)
from fairtrial.figures.cost_curves import cost_data, cost_figure
from fairtrial.figures.cost_growth import growth_data, growth_figure
from fairtrial.figures.critical_difference import (
    CriticalDifferenceData,
    critical_difference_data,
    critical_difference_figure,
    draw_critical_difference,
)
from fairtrial.figures.differences import (
    DifferencesData,
    differences_data,
    differences_figure,
    draw_differences,
)
from fairtrial.figures.dots import DotsData, dots_data, dots_figure, draw_dots
from fairtrial.figures.levels import LevelsData, levels_data, levels_figure
from fairtrial.figures.pareto import pareto_data, pareto_figure
from fairtrial.figures.reliability import reliability_data, reliability_figure
from fairtrial.figures.result_views import View, figure_of_results, view_of_results
from fairtrial.figures.roc import (
    coverage_data,
    coverage_figure,
    precision_recall_data,
    precision_recall_figure,
    roc_data,
    roc_figure,
)
from fairtrial.figures.svg import to_svg
from fairtrial.figures.verdict_pictures import Picture, figure_for, figures_for, nemenyi_figure

__all__ = [
    "ConfusionData",
    "ContextRegion",
    "ContextsData",
    "CriticalDifferenceData",
    "Curve",
    "CurvesData",
    "DifferencesData",
    "DotsData",
    "LevelsData",
    "Picture",
    "Reference",
    "View",
    "confusion_data",
    "confusion_figure",
    "contexts_data",
    "contexts_figure",
    "cost_data",
    "cost_figure",
    "coverage_data",
    "coverage_figure",
    "critical_difference_data",
    "critical_difference_figure",
    "curves_figure",
    "differences_data",
    "differences_figure",
    "dots_data",
    "dots_figure",
    "draw_confusion",
    "draw_contexts",
    "draw_critical_difference",
    "draw_curves",
    "draw_differences",
    "draw_dots",
    "figure_for",
    "figure_of_results",
    "figures_for",
    "growth_data",
    "growth_figure",
    "levels_data",
    "levels_figure",
    "nemenyi_figure",
    "pareto_data",
    "pareto_figure",
    "precision_recall_data",
    "precision_recall_figure",
    "reliability_data",
    "reliability_figure",
    "roc_data",
    "roc_figure",
    "to_svg",
    "view_of_results",
]
