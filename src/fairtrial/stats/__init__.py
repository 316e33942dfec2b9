"""Statistics for comparing methods: plain arrays in, an :class:`Outcome` or an :class:`Interval` out.

Each folder answers one question: ``one_method``, ``two_methods`` and ``several_methods`` are about one data set,
``over_datasets`` is about many; ``post_hoc`` says which of several methods differ, ``effect_sizes`` how large a
difference is, ``bayes`` how probable it is, ``power`` how much evidence a study needs, ``factorial`` which factors of
an experiment matter, ``surface`` which of their settings is best. All of them use ``distributions``. Nothing here knows
about studies or trials.
"""

from typing import TYPE_CHECKING

from fairtrial.stats.adjust import adjust
from fairtrial.stats.bayes import (
    Posterior,
    Strengths,
    bayes_correlated_t,
    bayes_hierarchical,
    bayes_sign,
    bayes_signed_rank,
    beta_posterior,
    bradley_terry,
    plackett_luce,
)
from fairtrial.stats.comparisons import Comparisons
from fairtrial.stats.details_table import details_table
from fairtrial.stats.distributions.critical_values import critical_values
from fairtrial.stats.effect_sizes.dominance import cliffs_delta, rank_biserial, superiority, vargha_delaney
from fairtrial.stats.effect_sizes.mean_effects import cohen_d, eta_squared, kendall_w, mean_difference
from fairtrial.stats.factorial.contrasts import Effects, EffectValues, FactorialModel, factorial_model
from fairtrial.stats.factorial.divide_advantage import AdvantageParts, divide_advantage
from fairtrial.stats.factorial.effect_power import EffectPower, effect_power
from fairtrial.stats.factorial.effects_over_datasets import effects_on_splits, effects_over_datasets
from fairtrial.stats.factorial.factorial_anova import (
    AnovaTable,
    ResidualChecks,
    factorial_anova,
    residual_checks,
    strata_anova,
)
from fairtrial.stats.factorial.lenth import Lenth, lenth
from fairtrial.stats.factorial.robust_choice import RobustChoice, robust_choice
from fairtrial.stats.factorial.variance_shares import VarianceShares, variance_shares
from fairtrial.stats.one_method.auc_interval import auc_interval
from fairtrial.stats.one_method.bootstrap_interval import bootstrap_interval
from fairtrial.stats.one_method.cross_validation import cv_interval, nested_cv_interval
from fairtrial.stats.one_method.growth import Growth, growth
from fairtrial.stats.one_method.mean import mean_interval, one_sample_t
from fairtrial.stats.one_method.measure_interval import measure_interval
from fairtrial.stats.one_method.optimism import BootstrapError, bootstrap_error, no_information_rate, out_of_bag_error
from fairtrial.stats.one_method.proportions import binomial_test, proportion_interval, proportion_z
from fairtrial.stats.outcome import Interval, Outcome
from fairtrial.stats.over_datasets.aligned_quade import aligned_friedman, quade
from fairtrial.stats.over_datasets.few_runs import interquartile_mean, probability_of_improvement
from fairtrial.stats.over_datasets.friedman import friedman, iman_davenport
from fairtrial.stats.over_datasets.heterogeneity import equivalent_over_datasets, new_dataset_range, within_intervals
from fairtrial.stats.over_datasets.sign_test import better_on_how_many, sign_test, win_tie_loss
from fairtrial.stats.over_datasets.wilcoxon import wilcoxon
from fairtrial.stats.post_hoc.best_methods import BestSet, best_set, sole_winner
from fairtrial.stats.post_hoc.joint_intervals import joint_intervals
from fairtrial.stats.post_hoc.mean_ranks import bonferroni_dunn, cliques, critical_difference, letters, nemenyi
from fairtrial.stats.post_hoc.pairwise import compare_pairs, pairwise, versus_control
from fairtrial.stats.post_hoc.rank_intervals import rank_intervals
from fairtrial.stats.post_hoc.wilcoxon_matrix import wilcoxon_matrix
from fairtrial.stats.post_hoc.with_the_best import WithTheBest, comparisons_with_the_best
from fairtrial.stats.power.planning import Power, minimum_detectable, power, sample_size
from fairtrial.stats.power.simulation import design_errors, simulated_power
from fairtrial.stats.procedures import to_table
from fairtrial.stats.several_methods.anova import anova, repeated_anova
from fairtrial.stats.several_methods.cochran import cochran_q
from fairtrial.stats.several_methods.kruskal import dunn, kruskal
from fairtrial.stats.several_methods.manova import manova
from fairtrial.stats.several_methods.tukey_dunnett import dunnett, pairwise_t, tukey
from fairtrial.stats.surface.response_surface import ResponseSurface, response_surface
from fairtrial.stats.surface.stationary_point import (
    BestPoint,
    StationaryPoint,
    SteepestPath,
    best_on_surface,
    stationary_point,
    steepest_path,
)
from fairtrial.stats.surface.surface_anova import curvature_test
from fairtrial.stats.surface.surface_terms import NaturalRange
from fairtrial.stats.two_methods.delong import delong
from fairtrial.stats.two_methods.equivalence import equivalence, non_inferiority
from fairtrial.stats.two_methods.five_by_two import five_by_two_f, five_by_two_t
from fairtrial.stats.two_methods.hotelling import hotelling, hotelling_repeated
from fairtrial.stats.two_methods.mcnemar import mcnemar
from fairtrial.stats.two_methods.paired_bootstrap import paired_bootstrap
from fairtrial.stats.two_methods.paired_t import corrected_t, cv_clt, paired_t
from fairtrial.stats.two_methods.permutation import measure_permutation, paired_permutation
from fairtrial.stats.two_methods.two_proportions import two_proportions
from fairtrial.words import nearest, no_attribute

__all__ = [
    "AdvantageParts",
    "AnovaTable",
    "BestPoint",
    "BestSet",
    "BootstrapError",
    "Comparisons",
    "EffectPower",
    "EffectValues",
    "Effects",
    "FactorialModel",
    "Growth",
    "Interval",
    "Lenth",
    "NaturalRange",
    "Outcome",
    "Posterior",
    "Power",
    "ResidualChecks",
    "ResponseSurface",
    "RobustChoice",
    "StationaryPoint",
    "SteepestPath",
    "Strengths",
    "VarianceShares",
    "WithTheBest",
    "adjust",
    "aligned_friedman",
    "anova",
    "auc_interval",
    "bayes_correlated_t",
    "bayes_hierarchical",
    "bayes_sign",
    "bayes_signed_rank",
    "best_on_surface",
    "best_set",
    "beta_posterior",
    "better_on_how_many",
    "binomial_test",
    "bonferroni_dunn",
    "bootstrap_error",
    "bootstrap_interval",
    "bradley_terry",
    "cliffs_delta",
    "cliques",
    "cochran_q",
    "cohen_d",
    "compare_pairs",
    "comparisons_with_the_best",
    "corrected_t",
    "critical_difference",
    "critical_values",
    "curvature_test",
    "cv_clt",
    "cv_interval",
    "delong",
    "design_errors",
    "details_table",
    "divide_advantage",
    "dunn",
    "dunnett",
    "effect_power",
    "effects_on_splits",
    "effects_over_datasets",
    "equivalence",
    "equivalent_over_datasets",
    "eta_squared",
    "factorial_anova",
    "factorial_model",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "growth",
    "hotelling",
    "hotelling_repeated",
    "iman_davenport",
    "interquartile_mean",
    "joint_intervals",
    "kendall_w",
    "kruskal",
    "lenth",
    "letters",
    "manova",
    "mcnemar",
    "mean_difference",
    "mean_interval",
    "measure_interval",
    "measure_permutation",
    "minimum_detectable",
    "nemenyi",
    "nested_cv_interval",
    "new_dataset_range",
    "no_information_rate",
    "non_inferiority",
    "one_sample_t",
    "out_of_bag_error",
    "paired_bootstrap",
    "paired_permutation",
    "paired_t",
    "pairwise",
    "pairwise_t",
    "plackett_luce",
    "power",
    "probability_of_improvement",
    "proportion_interval",
    "proportion_z",
    "quade",
    "rank_biserial",
    "rank_intervals",
    "repeated_anova",
    "residual_checks",
    "response_surface",
    "robust_choice",
    "sample_size",
    "sign_test",
    "simulated_power",
    "sole_winner",
    "stationary_point",
    "steepest_path",
    "strata_anova",
    "superiority",
    "to_table",
    "tukey",
    "two_proportions",
    "vargha_delaney",
    "variance_shares",
    "versus_control",
    "wilcoxon",
    "wilcoxon_matrix",
    "win_tie_loss",
    "within_intervals",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        raise no_attribute("module 'fairtrial.stats'", name, "stats", nearest(name, __all__))
