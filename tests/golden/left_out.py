"""What of the known answers is left out, by name: a case, one of its keys, or a key of all cases of a method."""

DESIGN = "designs of experiments come with an issue of their own"
ONE_SIDED = "a one-sided test of two independent samples is not offered: results on the same data sets are paired"
MISSING = "R drops what is missing without a word; fairtrial refuses it (PEERS 3)"
FISHER = "Fisher's exact test is not offered: two methods on one test set are paired (mcnemar)"
PRETEST = "tests are chosen by design, not by testing their assumptions first"

# whole cases
CASES = {
    "fisher_tea_greater": FISHER,
    "fisher_tea_two.sided": FISHER,
    "fisher_rational_50_10_20_40": FISHER,
    "fisher_rational_0_30_30_0": FISHER,
    "fisher_rational_2_15_10_3": FISHER,
    "fisher_0_0_5_5": FISHER,
    "fisher_job_4x4": FISHER,
    "t_zero_variance": "R stops; fairtrial has an infinite statistic and no p (test_pair.py)",
    "homoscedasticity_insectsprays": PRETEST,
    "shapiro_uniform20": PRETEST,
    "obrien_kaiser_epsilon": "mixed designs are not offered; test_variance.py checks its epsilons",
    "correlations_iris20": "correlation coefficients are not offered",
    "rsm_montgomery_11_2": DESIGN,
    "jzs_bf_sleep": "Bayes factors are not offered: the Bayesian procedures have a region of practical equivalence",
    "hosmer_lemeshow": "tests of calibration are not offered: measures.calibration_error and its curve say how far off",
    "kohavi_wolpert": "the decomposition into bias and variance is not offered",
    "contrast_estimation_gh2008": "contrast estimation from medians is not offered: wilcoxon has Hodges and Lehmann's",
    "page_trend": "tests of an ordered alternative are not offered",
    "wilcox_ranksum_cdf": ONE_SIDED,
    "bca_levels": "they are inside of bootstrap_interval; test_bootstrap.py checks them",
    "binomial_na": MISSING,
}

# one key of one case, or of all cases of a method
KEYS = {
    "wilcoxon_extreme_tail_n100.z_cc": "the p that belongs to it is compared",
    "mann_whitney.p_greater": ONE_SIDED,
    "mann_whitney.p_less": ONE_SIDED,
    "mann_whitney.p_normal_cc": "kruskal of two groups has no continuity correction",
    "mannwhitney_all_equal.p_R": "R gives nan; p_recommended is compared",
    "mannwhitney_hw_greater.p_exact": ONE_SIDED,
    "mannwhitney_hw_greater.p_normal_nocc": ONE_SIDED,
    "mann_whitney.hodges_lehmann": ONE_SIDED,
    "mann_whitney.ci_low": ONE_SIDED,
    "mann_whitney.ci_high": ONE_SIDED,
    "quade_perfect.F_R": "R gives nan; F is infinite, and the p beside it is exact",
    "critical_difference.cd_scmamp_df145": "the variance of ranks is known, not estimated with k(N − 1) df",
    "conover_friedman.t": "Conover's t after Friedman is not offered: it depends on bystanders as Nemenyi's does",
    "conover_friedman.df": "as its t",
    "conover_friedman.p": "as its t",
    "p_adjust.rom_scmamp": "scmamp's variant is not step-up",
    "p_adjust_pairwise.bergmann_without_monotonicity": "what is printed applies the running maximum",
    "t_welch.t": ONE_SIDED,
    "t_welch.df": ONE_SIDED,
    "t_welch.p": ONE_SIDED,
    "t_welch.ci_low": ONE_SIDED,
    "mcnemar_0_0.p_chi2": "R gives nan; no disagreements are p = 1 (PEERS 7)",
    "mcnemar_0_0.p_chi2_cc": "R gives nan; no disagreements are p = 1 (PEERS 7)",
    "cohen_kappa.var": "the interval of kappa is a bootstrap's (measure_interval)",
    "cohen_kappa.ci_low": "the interval of kappa is a bootstrap's (measure_interval)",
    "cohen_kappa.ci_high": "the interval of kappa is a bootstrap's (measure_interval)",
    "anova_rm.mauchly_p": "R's second-order term has a slip; test_variance.py shows it, and compares with it",
    "auc_perfect.var_delong": "it is 0, and so of no use: a note says that the score method is taken",
    "auc_perfect.ci_low": "[1, 1] is the wrong conclusion of PEERS 11",
    "auc_delong_ci.hanley_mcneil_se": "Hanley and McNeil's error is superseded by DeLong's",
    "bootstrap_exact.se": "an interval has no standard error; test_bootstrap.py looks at the replicates",
    "bootstrap_exact.prob_below_estimate": "test_bootstrap.py looks at the replicates",
    "bootstrap_exact.n": "test_bootstrap.py looks at the replicates",
    "bootstrap_se.se_ideal_boot_t": "test_bootstrap.py looks at the replicates",
    "bootstrap_se.se_ideal_boot_c": "test_bootstrap.py looks at the replicates",
    "permutation_paired_exact.n_perm": "an exact p has no number of draws",
    "information_score.I": "the mean is compared",
    "information_score.prior_entropy": "the ratio to it is compared",
    "beta_cdf.pbeta_tiny": "the case doesn't tell its arguments",
    "rank_conventions.min": "ties share the mean rank",
    "rank_conventions.max": "ties share the mean rank",
}
