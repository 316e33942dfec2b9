"""Statistics for comparing methods: plain arrays in, an :class:`Outcome` or an :class:`Interval` out.

Each folder answers one question: ``one_method``, ``two_methods`` and ``several_methods`` are about one data set,
``over_datasets`` is about many; ``post_hoc`` says which of several methods differ, ``effect_sizes`` how large a
difference is, ``bayes`` how probable it is, ``planning`` how much evidence a study needs, ``factorial`` which factors
of an experiment matter, ``surface`` which of their settings is best. All of them use ``distributions``. Nothing here
knows about studies or trials.
"""

from fairtrial.rooms import lazy_names

_HOMES = {
    "multiplicity": "adjust",
    "bayes.hierarchical": "bayes_hierarchical",
    "bayes.posterior": "Posterior bayes_correlated_t beta_posterior",
    "bayes.signs": "bayes_sign bayes_signed_rank",
    "bayes.strengths": "Strengths bradley_terry plackett_luce",
    "comparisons": "Comparisons",
    "outcome_tables": "details_table",
    "distributions.critical_values": "critical_values",
    "effect_sizes.dominance": "cliffs_delta rank_biserial superiority vargha_delaney",
    "effect_sizes.mean_effects": "cohen_d eta_squared kendall_w mean_difference",
    "factorial.contrasts": "EffectValues Effects FactorialModel factorial_model",
    "factorial.divide_advantage": "AdvantageParts divide_advantage",
    "factorial.effect_power": "EffectPower effect_power",
    "factorial.effects_over_datasets": "effects_on_splits effects_over_datasets",
    "factorial.factorial_anova": "AnovaTable ResidualChecks factorial_anova residual_checks strata_anova",
    "factorial.lenth": "Lenth lenth",
    "factorial.robust_choice": "RobustChoice robust_choice",
    "factorial.variance_shares": "VarianceShares variance_shares",
    "one_method.auc_interval": "auc_interval",
    "one_method.bootstrap_interval": "bootstrap_interval",
    "one_method.cross_validation": "cv_interval nested_cv_interval",
    "one_method.growth": "Growth growth",
    "one_method.mean": "mean_interval one_sample_t",
    "one_method.measure_interval": "measure_interval",
    "one_method.optimism": "BootstrapError bootstrap_error no_information_rate out_of_bag_error",
    "one_method.proportions": "binomial_test proportion_interval proportion_z",
    "outcome": "Interval Outcome",
    "over_datasets.aligned_quade": "aligned_friedman quade",
    "over_datasets.dependence": "outliers qualitative_interaction",
    "over_datasets.few_runs": "interquartile_mean probability_of_improvement",
    "over_datasets.friedman": "friedman iman_davenport",
    "over_datasets.heterogeneity": "equivalent_over_datasets new_dataset_range within_intervals",
    "over_datasets.paired_spread": "spread_ratio",
    "over_datasets.sign_test": "better_on_how_many sign_test win_tie_loss",
    "over_datasets.structure": "Clustering Separation clustering separating_property",
    "over_datasets.wilcoxon": "wilcoxon",
    "post_hoc.best_methods": "BestSet best_set sole_winner",
    "post_hoc.joint_intervals": "joint_intervals",
    "post_hoc.mean_ranks": "bonferroni_dunn cliques critical_difference letters nemenyi",
    "post_hoc.pairwise": "compare_pairs pairwise versus_control",
    "post_hoc.rank_intervals": "rank_intervals",
    "post_hoc.wilcoxon_matrix": "wilcoxon_matrix",
    "post_hoc.with_the_best": "WithTheBest comparisons_with_the_best",
    "planning.sizes": "Power minimum_detectable power sample_size",
    "planning.simulation": "design_errors simulated_power",
    "procedures": "to_table",
    "several_methods.anova": "anova repeated_anova",
    "several_methods.cochran": "cochran_q",
    "several_methods.kruskal": "dunn kruskal",
    "several_methods.manova": "manova",
    "several_methods.tukey_dunnett": "dunnett pairwise_t tukey",
    "surface.response_surface": "ResponseSurface response_surface",
    "surface.stationary_point": (
        "BestPoint StationaryPoint SteepestPath best_on_surface stationary_point steepest_path "
    ),
    "surface.surface_anova": "curvature_test",
    "surface.surface_terms": "NaturalRange",
    "two_methods.delong": "delong",
    "two_methods.equivalence": "equivalence non_inferiority",
    "two_methods.five_by_two": "five_by_two_f five_by_two_t",
    "two_methods.hotelling": "hotelling hotelling_repeated",
    "two_methods.mcnemar": "mcnemar",
    "two_methods.paired_bootstrap": "paired_bootstrap",
    "two_methods.paired_t": "corrected_t cv_clt paired_t",
    "two_methods.permutation": "measure_permutation paired_permutation",
    "two_methods.two_proportions": "two_proportions",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES)
