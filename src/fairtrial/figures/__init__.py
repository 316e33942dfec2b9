"""Figures, each as data first and drawing second, so that they can be tested without pixels and redrawn by anyone.

``*_data`` is pure and gives a frozen value with ``to_dict()``; ``draw_*`` puts it on a matplotlib Axes; ``*_figure``
makes a Figure of the right size; :func:`figure_of_results` takes results and a kind of :data:`KINDS`;
:func:`figure_for` takes a verdict and chooses. :func:`to_svg` gives the text to put into a page. matplotlib is imported
only when something is drawn, and never through pyplot, so that figures can be made without a display and in any thread.

Modules are imported when one of their names is first used, so that the command line can list :data:`KINDS` at once.
A new figure is a module, whose maker has :func:`~fairtrial.figures.result_views.figure_of`, and two lines here: its
import for editors, and its row of :data:`KINDS`.
"""

# ruff: noqa: F403 - what a module offers is its __all__

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from fairtrial.kinds import Kind

if TYPE_CHECKING:
    from fairtrial.figures.ablation_waterfall import *
    from fairtrial.figures.alias_map import *
    from fairtrial.figures.boxed_curves import *
    from fairtrial.figures.confirmed_settings import *
    from fairtrial.figures.confusion import *
    from fairtrial.figures.confusion_panels import *
    from fairtrial.figures.contexts import *
    from fairtrial.figures.cost_curves import *
    from fairtrial.figures.cost_growth import *
    from fairtrial.figures.critical_difference import *
    from fairtrial.figures.critical_difference_drawing import *
    from fairtrial.figures.dataset_differences import *
    from fairtrial.figures.decision_path import *
    from fairtrial.figures.differences import *
    from fairtrial.figures.dots import *
    from fairtrial.figures.fold_strip import *
    from fairtrial.figures.half_normal import *
    from fairtrial.figures.interactions import *
    from fairtrial.figures.layout_pictures import *
    from fairtrial.figures.leads import *
    from fairtrial.figures.level_panels import *
    from fairtrial.figures.levels import *
    from fairtrial.figures.main_effects import *
    from fairtrial.figures.null_distribution import *
    from fairtrial.figures.pairwise_map import *
    from fairtrial.figures.pareto import *
    from fairtrial.figures.pareto_effects import *
    from fairtrial.figures.performance_profiles import *
    from fairtrial.figures.power_curves import *
    from fairtrial.figures.prediction_variance import *
    from fairtrial.figures.rank_rows import *
    from fairtrial.figures.reliability import *
    from fairtrial.figures.result_views import *
    from fairtrial.figures.roc import *
    from fairtrial.figures.score_scatter import *
    from fairtrial.figures.setting_robustness import *
    from fairtrial.figures.simplex import *
    from fairtrial.figures.surface_contour import *
    from fairtrial.figures.surface_slices import *
    from fairtrial.figures.svg import *
    from fairtrial.figures.train_against_test import *
    from fairtrial.figures.verdict_pictures import *
    from fairtrial.figures.verdict_views import *


KINDS = {
    "leads": Kind("verdict_views", "each method's lead over the best of the others or the control, with its interval"),
    "critical_difference": Kind("verdict_views", "average ranks, and who is not distinguishable; around a control too"),
    "ranks": Kind("verdict_views", "the ranks of each method that the tests do not rule out"),
    "pairwise": Kind("verdict_views", "heat map of the differences of all pairs, and which are significant"),
    "differences": Kind("verdict_views", "differences from the best method or the control, with intervals"),
    "dataset_differences": Kind("verdict_views", "the difference of two methods on each data set, with intervals"),
    "null_distribution": Kind("verdict_views", "the null distribution of a test, its statistic and critical region"),
    "decision_path": Kind("verdict_views", "the questions that led to the test, and the roads not taken"),
    "roc": Kind("roc", "ROC curves: true against false positive rate"),
    "coverage": Kind("roc", "ROC curves in counts of instances instead of rates"),
    "precision_recall": Kind("roc", "precision against recall at all thresholds"),
    "cost": Kind("cost_curves", "expected cost under every class balance and pair of costs"),
    "reliability": Kind("reliability", "observed shares against predicted probabilities"),
    "confusion": Kind("confusion_panels", "the confusion matrix of each method, or of those that are named"),
    "contexts": Kind("contexts", "the cheapest method for each class balance and cost ratio"),
    "levels": Kind("level_panels", "a measure against the levels of one or two factors: learning curves"),
    "growth": Kind("cost_growth", "time or memory against the number of rows or features"),
    "pareto": Kind("pareto", "quality against cost, with the Pareto front"),
    "scatter": Kind("score_scatter", "the scores of two methods against each other, a point for each data set"),
    "profiles": Kind("performance_profiles", "the share of data sets on which a method is close to the best"),
    "folds": Kind("fold_strip", "the scores of all folds of one data set, with means and intervals"),
    "simplex": Kind("simplex", "Bayesian comparison of two methods: better, equivalent or worse"),
    "power": Kind("power_curves", "power to find a difference against the number of data sets"),
    "training_gap": Kind("train_against_test", "test scores against training scores"),
    "pareto_effects": Kind("pareto_effects", "the effects of factors by size, with intervals"),
    "half_normal": Kind("half_normal", "half-normal plot: effects that stand out from the others"),
    "main_effects": Kind("main_effects", "the mean score at each level of each factor"),
    "interactions": Kind("interactions", "the mean score at the levels of two factors"),
    "contour": Kind("surface_contour", "contours of a response surface, its best point and the way on"),
    "slices": Kind("surface_slices", "the height of a response surface along each factor"),
    "robust_setting": Kind("setting_robustness", "the mean of each setting against its worst quarter of data sets"),
    "ablation": Kind("ablation_waterfall", "why it is better: an advantage divided into components, with intervals"),
}
"""The kinds of figures of results, in the order in which they are listed."""

_OTHERS = (
    "alias_map", "boxed_curves", "confirmed_settings", "confusion", "critical_difference",
    "critical_difference_drawing", "dataset_differences", "decision_path", "differences", "dots", "layout_pictures",
    "leads", "levels", "null_distribution", "pairwise_map", "prediction_variance", "rank_rows", "result_views", "svg",
    "verdict_pictures",
)  # fmt: skip


def _modules() -> list[ModuleType]:
    names = dict.fromkeys((*(kind.module for kind in KINDS.values()), *_OTHERS))
    return [importlib.import_module(f"fairtrial.figures.{name}") for name in names]


if not TYPE_CHECKING:  # editors and mypy see the names above, and nothing else

    def __getattr__(name: str) -> object:
        if not name.startswith("_"):
            for module in _modules():
                if name in module.__all__:
                    return getattr(module, name)
        raise AttributeError(f"module 'fairtrial.figures' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({"KINDS", "Kind", *(name for module in _modules() for name in module.__all__)})
