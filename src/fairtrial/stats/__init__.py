"""Statistics for comparing methods: plain arrays in, an :class:`Outcome` or an :class:`Interval` out.

Files by question: ``one`` (one method), ``optimism`` (its error from a bootstrap), ``pair`` (two, on one data set),
``domains`` and ``within`` (over several data sets), ``variance``, ``several`` and ``ranks_several`` (several, on one
data set), ``multivariate`` and ``several_measures`` (several measures at once), ``effects`` and ``dominance`` (how
large), ``posthoc`` (which of several differ), ``adjust`` (many p-values), ``scaling`` (growth of a cost),
``bayes`` (probabilities of hypotheses), ``planning`` and ``simulated`` (power, before the run). Knows nothing
of experiments.
"""

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
from fairtrial.stats.effect_sizes.dominance import cliffs_delta, rank_biserial, superiority, vargha_delaney
from fairtrial.stats.effect_sizes.mean_effects import cohen_d, eta_squared, kendall_w, mean_difference
from fairtrial.stats.one_method.auc_interval import auc_interval, delong
from fairtrial.stats.one_method.bootstrap_interval import bootstrap_interval
from fairtrial.stats.one_method.cross_validation import cv_clt, cv_interval, nested_cv_interval
from fairtrial.stats.one_method.growth import Growth, growth
from fairtrial.stats.one_method.mean import mean_interval, one_sample_t
from fairtrial.stats.one_method.optimism import BootstrapError, bootstrap_error, no_information_rate, out_of_bag_error
from fairtrial.stats.one_method.proportions import binomial_test, proportion_interval, proportion_z
from fairtrial.stats.outcome import Interval, Outcome
from fairtrial.stats.over_datasets.aligned_quade import aligned_friedman, quade
from fairtrial.stats.over_datasets.few_runs import interquartile_mean, probability_of_improvement
from fairtrial.stats.over_datasets.friedman import friedman, iman_davenport
from fairtrial.stats.over_datasets.wilcoxon import sign_test, wilcoxon
from fairtrial.stats.over_datasets.win_counts import better_on_how_many, win_tie_loss
from fairtrial.stats.over_datasets.within_intervals import within_intervals
from fairtrial.stats.post_hoc.cliques import cliques, letters
from fairtrial.stats.post_hoc.mean_ranks import bonferroni_dunn, critical_difference, nemenyi
from fairtrial.stats.post_hoc.pairwise import compare_pairs, pairwise, versus_control
from fairtrial.stats.post_hoc.rank_intervals import rank_intervals
from fairtrial.stats.post_hoc.wilcoxon_matrix import wilcoxon_matrix
from fairtrial.stats.power.planning import minimum_detectable, power, sample_size
from fairtrial.stats.power.power_result import Power
from fairtrial.stats.power.simulation import design_errors, simulated_power
from fairtrial.stats.several_methods.anova import anova, repeated_anova
from fairtrial.stats.several_methods.kruskal import cochran_q, dunn, kruskal
from fairtrial.stats.several_methods.manova import manova
from fairtrial.stats.several_methods.tukey_dunnett import dunnett, pairwise_t, tukey
from fairtrial.stats.two_methods.equivalence import equivalence, non_inferiority
from fairtrial.stats.two_methods.hotelling import hotelling, hotelling_repeated
from fairtrial.stats.two_methods.mcnemar import mcnemar, two_proportions
from fairtrial.stats.two_methods.paired_bootstrap import measure_interval, paired_bootstrap
from fairtrial.stats.two_methods.paired_t import corrected_t, five_by_two_f, five_by_two_t, paired_t
from fairtrial.stats.two_methods.permutation import measure_permutation, paired_permutation
from fairtrial.tables import Column, Table

__all__ = [
    "BootstrapError",
    "Comparisons",
    "Growth",
    "Interval",
    "Outcome",
    "Posterior",
    "Power",
    "Strengths",
    "adjust",
    "aligned_friedman",
    "anova",
    "auc_interval",
    "bayes_correlated_t",
    "bayes_hierarchical",
    "bayes_sign",
    "bayes_signed_rank",
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
    "corrected_t",
    "critical_difference",
    "cv_clt",
    "cv_interval",
    "delong",
    "design_errors",
    "details_table",
    "dunn",
    "dunnett",
    "equivalence",
    "eta_squared",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "growth",
    "hotelling",
    "hotelling_repeated",
    "iman_davenport",
    "interquartile_mean",
    "kendall_w",
    "kruskal",
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
    "sample_size",
    "sign_test",
    "simulated_power",
    "superiority",
    "to_table",
    "tukey",
    "two_proportions",
    "vargha_delaney",
    "versus_control",
    "wilcoxon",
    "wilcoxon_matrix",
    "win_tie_loss",
    "within_intervals",
]


QUESTIONS = {  # by file, or by name where a file answers two
    "one": "one method",
    "proportions": "one method",
    "optimism": "one method",
    "pair": "two methods, one data set",
    "counts": "two methods, one data set",
    "areas": "two methods, one data set",
    "auc_interval": "one method",
    "bootstrap": "one method",
    "cross_validation": "one method",
    "cv_clt": "two methods, one data set",
    "equivalence": "two methods, one data set",
    "measure_bootstrap": "two methods, one data set",
    "measure_interval": "one method",
    "permutation": "two methods, one data set",
    "domains": "over data sets",
    "friedman_test": "over data sets",
    "counting": "over data sets",
    "runs": "over data sets",
    "ranking": "which of several differ",
    "signed_rank_pairs": "which of several differ",
    "within_ranks": "over data sets",
    "within": "over data sets",
    "ranks_several": "several methods, one data set",
    "effects": "how large is it",
    "dominance": "how large is it",
    "multivariate": "several measures at once",
    "several_measures": "several measures at once",
    "several": "several methods, one data set",
    "variance": "several methods, one data set",
    "details": "several methods, one data set",
    "posthoc": "which of several differ",
    "mean_ranks": "which of several differ",
    "alike": "which of several differ",
    "adjust": "many p-values",
    "scaling": "how a cost grows",
    "bayes": "how probable is it",
    "planning": "how many does it take",
    "simulated": "how many does it take",
}


def to_table() -> Table:
    """What ``fairtrial list tests`` prints: every procedure, what it is for, and its question."""
    procedures = (globals()[name] for name in __all__ if name[0].islower() and name != "to_table")
    rows = [
        (
            QUESTIONS.get(p.__name__, QUESTIONS.get(p.__module__.split(".")[2], "")),
            p.__name__,
            (p.__doc__ or "").split("\n")[0],
        )
        for p in procedures
    ]
    columns = (Column("question", align="left"), Column("name", align="left"), Column("what it does", align="left"))
    return Table(columns=columns, rows=tuple(sorted(rows)), caption="statistical procedures (fairtrial.stats)")
