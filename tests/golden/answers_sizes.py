"""How probable, how large, how many; the tails of distributions; measures."""

import csv
import math
from functools import partial

import numpy as np
import pytest
from answering import answers, columns

from fairtrial import measures, stats
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.simultaneous import tukey_tail
from fairtrial.stats.distributions.student_t import t_tail
from fairtrial.stats.distributions.tail import normal_tail


@answers("bayes_corr_t_scmamp_CD")
def correlated_t(case, _):
    d = np.array(case["inputs"]["d"])
    found = stats.bayes_correlated_t(d, 0 * d, test_share=case["params"]["rho"], rope=case["params"]["rope"])
    return {
        **dict(zip(("left", "rope", "right"), found.probabilities, strict=True)),
        "mean": found.interval.estimate,
        "scale": found.details["scale"],
        "df": found.details["df"],
    }


@answers("bayes_corr_t_baycomp_doc")
def correlated_t_of_baycomp(case, _):
    d = np.array(case["inputs"]["d_j48_minus_nbc"])
    none, some = (stats.bayes_correlated_t(d, 0 * d, test_share=0.1, rope=r) for r in case["params"]["rope"])
    return {
        "p_left": none.left,
        "p_right": none.right,
        **dict(zip(("p_left_rope", "p_rope", "p_right_rope"), some.probabilities, strict=True)),
    }


def two_columns(case, table):
    """Theirs is second minus first, and left where the first is better."""
    names, values = columns(table(case["inputs"]["csv"].removeprefix("tables/")))
    return values[:, names.index(case["inputs"]["y"])], values[:, names.index(case["inputs"]["x"])]


@answers("bayes_sign_test")
def bayes_sign(case, table):
    prior = (1e-4, 1 + 1e-4, 1e-4)  # theirs: one pseudo-difference in the region, and a little everywhere
    found = stats.bayes_sign(*two_columns(case, table), rope=case["params"]["rope"], prior=prior)
    left, right = found.details["n_left"], found.details["n_right"]
    return {
        "n_left": left,
        "n_rope": found.details["n_equivalent"],
        "n_right": right,
        **dict(zip(("p_left", "p_rope", "p_right"), found.probabilities, strict=True)),
        "p_left_norope": stats.beta_posterior(left, left + right, prior=1e-4).right,
        "theta_mean": found.shares,
    }


@answers("bayes_signed_rank")
def bayes_signed_rank(case, table):
    found = stats.bayes_signed_rank(*two_columns(case, table), rope=case["params"]["rope"])
    names = ("left", "rope", "right")
    return {
        **{f"mc_p_{k}": p for k, p in zip(names, found.probabilities, strict=True)},
        **{f"exact_mean_{k}": p for k, p in zip(names, found.shares, strict=True)},
    }


@answers("bayes_hierarchical")
def bayes_hierarchical(case, table):
    with table("baycomp_accuracies_10x10cv.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    y, x = (
        np.array([[float(v) for v in r[2:12]] for r in rows if r[0] == case["inputs"][side]]) for side in ("y", "x")
    )  # the first run only, as in the documentation
    found = stats.bayes_hierarchical(y, x, test_share=0.1, rope=case["params"]["rope"])
    return dict(zip(("p_left", "p_rope", "p_right"), found.probabilities, strict=True))


@answers("cohen_d_two_sample")
def cohen_d(case, _):
    d = partial(stats.cohen_d, case["inputs"]["x"], case["inputs"]["y"], by="pooled")
    return {
        "d": d().estimate,
        "d_ci": [d().low, d().high],
        "d_avg_sd": d(by="average").estimate,
        "hedges_g": d(hedges=True).estimate,
        "hedges_J_exact": d(hedges=True).estimate / d().estimate,
        "glass_delta": d(by="second").estimate,
        "rank_biserial": stats.cliffs_delta(case["inputs"]["x"], case["inputs"]["y"]).estimate,
    }


@answers("anova_effect_sizes")
def explained(case, _):
    groups = case["inputs"]["groups"]
    kinds = {"eta2": "eta", "omega2": "omega", "epsilon2": "epsilon", "cohen_f": "f"}
    return {
        **{key: stats.eta_squared(groups, kind=kind).estimate for key, kind in kinds.items()},
        "rank_epsilon2": stats.kruskal(groups).effect.estimate,
        "kendall_W": stats.kendall_w(case["inputs"]["friedman_matrix"]).estimate,
    }


@answers("vargha_delaney")
def vargha_delaney(case, _):
    x, y = case["inputs"]["x"], case["inputs"]["y"]
    return {"A12": stats.vargha_delaney(x, y).estimate, "cliff_delta": stats.cliffs_delta(x, y).estimate}


@answers("power_t_two_n20", "power_t_two_strict")
def power_of_t(case, _):
    params = case["params"]
    power = partial(stats.power, "two_sample_t", n=params["n"], effect=params["delta"] / params["sd"])
    strict, loose = power().power, power(strict=False).power
    return {"power": loose, "power_strict": strict, "power_nonstrict": loose}


@answers("power_t_two_n_for_90")
def size_of_t(case, _):
    size = partial(stats.sample_size, "two_sample_t", effect=case["params"]["delta"], power=case["params"]["power"])
    return {
        "n": size(strict=False).details["fractional_n"],
        "n_one_sided": size(alternative="greater").details["fractional_n"],
    }


@answers("power_anova")
def power_of_anova(case, _):
    params, k = case["params"], case["params"]["groups"]
    f = math.sqrt((k - 1) / k * params["between.var"] / params["within.var"])
    return {
        "power_n5": stats.power("anova", n=5, effect=f, groups=k).power,
        "n_for_80": stats.sample_size("anova", effect=f, groups=k).details["fractional_n"],
    }


@answers("pwr_norm_one_sample")
def power_of_z(case, _):
    # the call in R is: pwr.norm.test(d = 1/3, n = 20, alternative = "greater")
    return {"power": stats.power("z", n=20, effect=1 / 3, alternative="greater").power}


@answers("pwr_2p")
def power_of_proportions(case, _):
    return {
        "h_0.5_0.75": stats.power("two_proportions", n=80, effect=0.25, proportion=0.5).details["h"],
        "power_h0.3_n80": stats.power("two_sample_z", n=80, effect=0.3, alternative="greater").power,
        "n_h0.3_80": stats.sample_size("two_sample_z", effect=0.3).details["fractional_n"],
    }


@answers("crit_values")
def critical_values(case, _):
    rng = np.random.default_rng(1)
    f = {(n, k): stats.iman_davenport(rng.normal(size=(n, k))).critical_value for n, k in ((14, 4), (30, 5))}
    return {
        "t_975_9": stats.paired_t(rng.normal(size=10), np.zeros(10)).critical_value,
        "t_975_99": stats.paired_t(rng.normal(size=100), np.zeros(100)).critical_value,
        "F_95_3_39": f[14, 4],
        "F_95_4_116": f[30, 5],
        "F_95_10_5": stats.five_by_two_f(rng.normal(size=(5, 2))).critical_value,
        "chi2_95_3": stats.friedman(rng.normal(size=(9, 4)), method="chi-square").critical_value,
        "chi2_95_4": stats.friedman(rng.normal(size=(9, 5)), method="chi-square").critical_value,
    }


@answers("f_sf")
def tail_of_f(case, _):
    return {"sf": [f_tail(*args).value for args in zip(*case["inputs"].values(), strict=True)]}


@answers("studentized_range_sf_inf")
def tail_of_range(case, _):
    return {"sf": [tukey_tail(*args, math.inf).value for args in zip(*case["inputs"].values(), strict=True)]}


@answers("t_sf_df1", "t_sf_df2")
def tail_of_t(case, _):
    return {"sf": [t_tail(t, case["inputs"]["df"], "greater").value for t in case["inputs"]["t"]]}


@answers("norm_ppf")
def tail_of_normal(case, _):
    def inverted(expected):
        found = [normal_tail(q, "less").value for q in expected]
        return found == pytest.approx(case["inputs"]["p"], rel=1e-9, abs=0)

    return {"q": inverted}


@answers("beta_cdf")
def beta(case, _):
    return {
        "pbeta_.5_22.0001_19.0001": stats.beta_posterior(0, 0, prior=(22.0001, 19.0001)).left,
        "qbeta_025_82_182": stats.beta_posterior(81, 262, prior=1.0).interval.low,
    }


@answers("confusion_metrics")
def confusion(case, _):
    tp, fp, fn, tn = (case["inputs"][key] for key in ("tp", "fp", "fn", "tn"))
    labels = [1] * (tp + fn) + [0] * (fp + tn), [1] * tp + [0] * fn + [1] * fp + [0] * tn
    names = {"gmean": "g_mean", "lr_plus": "positive_likelihood_ratio", "lr_minus": "negative_likelihood_ratio"}
    names |= {"diag_odds_ratio": "diagnostic_odds_ratio", "balanced_accuracy": "average_recall"}
    same = ("accuracy", "precision", "recall", "specificity", "mcc", "informedness", "kappa")
    return {
        **{key: getattr(measures, name)(*labels) for key, name in (names | dict(zip(same, same, strict=True))).items()},
        "f1": measures.f_measure(*labels),
        "f2": measures.f_measure(*labels, beta=2),
    }


@answers("cohen_kappa")
def kappa(case, _):
    table = case["inputs"]["table"]
    truth, predicted = zip(*[(i, j) for i in (0, 1) for j in (0, 1) for _ in range(table[i][j])], strict=True)
    found = measures.kappa(truth, predicted)
    return {"kappa": found, "kappa_psych": found}


@answers("regression_metrics")
def regression(case, _):
    given = case["inputs"]["y"], case["inputs"]["pred"]
    return {name: getattr(measures, name)(*given) for name in ("mse", "rmse", "mae", "r2", "mape")}


@answers("information_score")
def information(case, _):
    given = case["inputs"]
    how = {"prior": given["prior"], "classes": [0, 1, 2]}
    return {
        "average": measures.information_score(given["true"], given["posterior"], **how),
        "relative_percent": 100 * measures.relative_information_score(given["true"], given["posterior"], **how),
    }


@answers("auc_multiclass")
def pairwise_auc(case, _):
    return {"auc": measures.pairwise_auc(*case["inputs"].values())}
