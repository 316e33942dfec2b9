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

from fairtrial.kinds import Kind
from fairtrial.rooms import lazy_names

KINDS = {
    "leads": Kind(
        "comparisons.verdict_pictures",
        "each method's lead over the best of the others or the control, with its interval",
    ),
    "critical_difference": Kind(
        "comparisons.verdict_pictures", "average ranks, and who is not distinguishable; around a control too"
    ),
    "ranks": Kind("comparisons.verdict_pictures", "the ranks of each method that the tests do not rule out"),
    "pairwise": Kind(
        "comparisons.verdict_pictures", "heat map of the differences of all pairs, and which are significant"
    ),
    "differences": Kind(
        "comparisons.verdict_pictures", "differences from the best method or the control, with intervals"
    ),
    "dataset_differences": Kind(
        "comparisons.verdict_pictures", "the difference of two methods on each data set, with intervals"
    ),
    "null_distribution": Kind(
        "comparisons.verdict_pictures", "the null distribution of a test, its statistic and critical region"
    ),
    "decision_path": Kind(
        "comparisons.verdict_pictures", "the questions that led to the test, and the roads not taken"
    ),
    "roc": Kind("predictions.roc", "ROC curves: true against false positive rate"),
    "coverage": Kind("predictions.roc", "ROC curves in counts of instances instead of rates"),
    "precision_recall": Kind("predictions.roc", "precision against recall at all thresholds"),
    "cost": Kind("predictions.cost_curves", "expected cost under every class balance and pair of costs"),
    "reliability": Kind("predictions.roc", "observed shares against predicted probabilities"),
    "confusion": Kind("predictions.confusion", "the confusion matrix of each method, or of those that are named"),
    "contexts": Kind("predictions.cost_curves", "the cheapest method for each class balance and cost ratio"),
    "levels": Kind("factors.levels", "a measure against the levels of one or two factors: learning curves"),
    "growth": Kind("cost_growth", "time or memory against the number of rows or features"),
    "pareto": Kind("cost_growth", "quality against cost, with the Pareto front"),
    "scatter": Kind(
        "comparisons.score_scatter", "the scores of two methods against each other, a point for each data set"
    ),
    "profiles": Kind(
        "comparisons.performance_profiles", "the share of data sets on which a method is close to the best"
    ),
    "folds": Kind("comparisons.fold_strip", "the scores of all folds of one data set, with means and intervals"),
    "simplex": Kind("comparisons.simplex", "Bayesian comparison of two methods: better, equivalent or worse"),
    "power": Kind("power_curves", "power to find a difference against the number of data sets"),
    "training_gap": Kind("cost_growth", "test scores against training scores"),
    "pareto_effects": Kind("factors.pareto_effects", "the effects of factors by size, with intervals"),
    "half_normal": Kind("factors.pareto_effects", "half-normal plot: effects that stand out from the others"),
    "main_effects": Kind("factors.main_effects", "the mean score at each level of each factor"),
    "interactions": Kind("factors.main_effects", "the mean score at the levels of two factors"),
    "contour": Kind("factors.surface", "contours of a response surface, its best point and the way on"),
    "slices": Kind("factors.surface", "the height of a response surface along each factor"),
    "robust_setting": Kind(
        "factors.ablation_waterfall", "the mean of each setting against its worst quarter of data sets"
    ),
    "ablation": Kind(
        "factors.ablation_waterfall", "why it is better: an advantage divided into components, with intervals"
    ),
}
"""The kinds of figures of results, in the order in which they are listed."""

_HOMES = {
    "comparisons.critical_difference": (
        "CriticalDifferenceData GroupBar RankLabel Stretch critical_difference_data "
        "critical_difference_figure draw_critical_difference "
    ),
    "comparisons.dataset_differences": (
        "DatasetDifference DatasetDifferencesData DifferenceRow DifferencesData dataset_differences_data "
        "dataset_differences_figure differences_data differences_figure draw_dataset_differences "
        "draw_differences "
    ),
    "comparisons.decision_path": (
        "PathText decision_path_figure decision_path_texts decision_path_words draw_decision_path "
    ),
    "comparisons.dots": "DotsData dots_data dots_figure draw_dots",
    "comparisons.fold_strip": "FoldsData draw_folds folds_data folds_figure folds_view",
    "comparisons.leads": "LeadRow LeadsData draw_leads leads_data leads_figure",
    "comparisons.null_distribution": "NullData curve_null draw_null_distribution null_distribution_figure",
    "comparisons.pairwise_map": "PairCell PairwiseData draw_pairwise pairwise_data pairwise_figure",
    "comparisons.performance_profiles": "ProfilesData profiles_curves profiles_data profiles_figure profiles_view",
    "comparisons.rank_rows": "RankRow RanksData draw_ranks ranks_data ranks_figure",
    "comparisons.score_scatter": "ScatterData draw_scatter scatter_data scatter_figure scatter_view",
    "comparisons.simplex": "SimplexData draw_simplex simplex_data simplex_figure simplex_view",
    "comparisons.verdict_pictures": "figure_for figures_for leads_of nemenyi_figure pictures_of_test",
    "cost_growth": (
        "growth_data growth_figure growth_view pareto_data pareto_figure pareto_view training_gap_data "
        "training_gap_figure training_gap_view "
    ),
    "drawing.boxed_curves": (
        "Curve CurvesData Reference beyond_the_box check_curves curves_figure curves_title draw_curves "
        "draw_in_box figure_of_curves points thinned "
    ),
    "drawing.svg": "to_svg",
    "factors.ablation_waterfall": (
        "AblationSteps RobustPoint RobustPoints Step ablation_figure ablation_steps ablation_view "
        "draw_ablation draw_robust_setting robust_points robust_setting_figure robust_setting_view "
    ),
    "factors.layout_pictures": (
        "AliasMapData LAYOUT_FIGURES LayoutFigure alias_map_data alias_map_figure draw_alias_map "
        "layout_figure prediction_variance_data prediction_variance_figure "
    ),
    "factors.levels": (
        "LevelPanelsData LevelsData level_panels_data level_panels_figure levels_curves levels_data "
        "levels_figure levels_picture levels_view "
    ),
    "factors.main_effects": (
        "interaction_strength interactions_data interactions_figure interactions_view main_effects_data "
        "main_effects_figure main_effects_view "
    ),
    "factors.pareto_effects": (
        "EffectBar HalfNormalData HalfNormalPoint ParetoEffectsData draw_half_normal draw_pareto_effects "
        "half_normal_data half_normal_figure half_normal_view pareto_effects_data pareto_effects_figure "
        "pareto_effects_view "
    ),
    "factors.surface": (
        "ConfirmationData ContourData ContourPanel Slice SlicesData confirmation_data confirmation_figure "
        "contour_data contour_figure contour_view draw_confirmation draw_contour draw_slices grid_of "
        "only_decades slices_data slices_figure slices_view surface_answer surface_figure "
    ),
    "power_curves": "PowerData lines_of_power power_data power_figure power_of_plan power_view",
    "predictions.confusion": (
        "ConfusionData ConfusionsData confusion_data confusion_figure confusion_view confusions_data "
        "confusions_figure draw_confusion draw_confusions draw_matrix "
    ),
    "predictions.cost_curves": (
        "ContextRegion ContextsData contexts_data contexts_figure contexts_view cost_data cost_figure draw_contexts "
    ),
    "predictions.roc": (
        "coverage_data coverage_figure precision_recall_data precision_recall_figure reliability_data "
        "reliability_figure roc_data roc_figure roc_view "
    ),
    "result_views": "View figure_of figure_of_results figures_table options_of_figure place_of view_of_results",
}
__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES, own=("KINDS", "Kind"))
