"""Figures, each as data first and drawing second, so that they can be tested without pixels and redrawn by anyone.

``*_data`` is pure and gives a frozen value with ``to_dict()``; ``draw_*`` puts it on a matplotlib Axes; ``*_figure``
makes a Figure of the right size; :func:`figure_of_results` takes results and a kind of :data:`KINDS`;
:func:`figure_for` takes a verdict and chooses. :func:`to_svg` gives the text to put into a page. matplotlib is imported
only when something is drawn, and never through pyplot, so that figures can be made without a display and in any thread.

Modules are imported when one of their names is first used, so that the command line can list :data:`KINDS` at once.
A new figure is a module, whose maker has :func:`~fairtrial.figures.result_views.figure_of`, and two lines here: its
names in ``_HOMES``, and its row of :data:`KINDS`. Editors see the names in ``__init__.pyi``, which a test keeps fresh.
"""

from __future__ import annotations

import importlib

from fairtrial.kinds import Kind

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

_HOMES = {
    "ablation_waterfall": "AblationSteps Step ablation_figure ablation_steps ablation_view draw_ablation",
    "alias_map": "AliasMapData alias_map_data alias_map_figure draw_alias_map",
    "boxed_curves": (
        "Curve CurvesData Reference beyond_the_box check_curves curves_figure curves_title draw_curves "
        "draw_in_box figure_of_curves points thinned "
    ),
    "confirmed_settings": "ConfirmationData confirmation_data confirmation_figure draw_confirmation",
    "confusion": "ConfusionData confusion_data confusion_figure draw_confusion draw_matrix",
    "confusion_panels": "ConfusionsData confusion_view confusions_data confusions_figure draw_confusions",
    "contexts": "ContextRegion ContextsData contexts_data contexts_figure contexts_view draw_contexts",
    "cost_curves": "cost_data cost_figure",
    "cost_growth": "growth_data growth_figure growth_view",
    "critical_difference": "CriticalDifferenceData GroupBar RankLabel Stretch critical_difference_data",
    "critical_difference_drawing": "critical_difference_figure draw_critical_difference",
    "dataset_differences": (
        "DatasetDifference DatasetDifferencesData dataset_differences_data dataset_differences_figure "
        "draw_dataset_differences "
    ),
    "decision_path": "PathText decision_path_figure decision_path_texts decision_path_words draw_decision_path",
    "differences": "DifferenceRow DifferencesData differences_data differences_figure draw_differences",
    "dots": "DotsData dots_data dots_figure draw_dots",
    "fold_strip": "FoldsData draw_folds folds_data folds_figure folds_view",
    "half_normal": (
        "HalfNormalData HalfNormalPoint draw_half_normal half_normal_data half_normal_figure half_normal_view "
    ),
    "interactions": "interaction_strength interactions_data interactions_figure interactions_view",
    "layout_pictures": "LAYOUT_FIGURES LayoutFigure layout_figure",
    "leads": "LeadRow LeadsData draw_leads leads_data leads_figure",
    "level_panels": "LevelPanelsData level_panels_data level_panels_figure levels_picture levels_view",
    "levels": "LevelsData levels_curves levels_data levels_figure",
    "main_effects": "main_effects_data main_effects_figure main_effects_view",
    "null_distribution": "NullData curve_null draw_null_distribution null_distribution_figure",
    "pairwise_map": "PairCell PairwiseData draw_pairwise pairwise_data pairwise_figure",
    "pareto": "pareto_data pareto_figure pareto_view",
    "pareto_effects": (
        "EffectBar ParetoEffectsData draw_pareto_effects pareto_effects_data pareto_effects_figure pareto_effects_view "
    ),
    "performance_profiles": "ProfilesData profiles_curves profiles_data profiles_figure profiles_view",
    "power_curves": "PowerData lines_of_power power_data power_figure power_of_plan power_view",
    "prediction_variance": "prediction_variance_data prediction_variance_figure",
    "rank_rows": "RankRow RanksData draw_ranks ranks_data ranks_figure",
    "reliability": "reliability_data reliability_figure",
    "result_views": "View figure_of figure_of_results figures_table options_of_figure place_of view_of_results",
    "roc": "coverage_data coverage_figure precision_recall_data precision_recall_figure roc_data roc_figure roc_view",
    "score_scatter": "ScatterData draw_scatter scatter_data scatter_figure scatter_view",
    "setting_robustness": (
        "RobustPoint RobustPoints draw_robust_setting robust_points robust_setting_figure robust_setting_view "
    ),
    "simplex": "SimplexData draw_simplex simplex_data simplex_figure simplex_view",
    "surface_contour": (
        "ContourData ContourPanel contour_data contour_figure contour_view draw_contour grid_of only_decades "
        "surface_answer "
    ),
    "surface_slices": "Slice SlicesData draw_slices slices_data slices_figure slices_view surface_figure",
    "svg": "to_svg",
    "train_against_test": "training_gap_data training_gap_figure training_gap_view",
    "verdict_pictures": "figure_for figures_for leads_of nemenyi_figure pictures_of_test",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = ["KINDS", "Kind", *_HOME_OF]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'fairtrial.figures' has no attribute {name!r}")
    return getattr(importlib.import_module(f"fairtrial.figures.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
