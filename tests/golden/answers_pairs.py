"""One method or two, on one data set."""

import math
from functools import partial

import numpy as np
from answering import answers, by_side, interval_and_p

from fairtrial import stats


@answers("t_paired")
def t_paired(case, _):
    return interval_and_p(stats.paired_t(case["inputs"]["x"], case["inputs"]["y"]))


@answers("t_welch")
def t_welch(case, _):
    found = stats.mean_difference(case["inputs"]["x"], case["inputs"]["y"], paired=False, level=0.9)
    return {"estimate": found.estimate, "ci_high": found.high}  # theirs is one-sided at 95 %


@answers("t_pooled")
def t_pooled(case, _):
    given = case["inputs"]
    found = stats.dunnett([given["x"], given["y"]], 1, alternative=case["params"]["alternative"])
    return interval_and_p(found.outcomes[0])


@answers("corrected_resampled_t", "corrected_repeated_kfold_cv")
def corrected(case, _):
    d, q = np.array(case["inputs"]["d"]), case["params"]["ratio"]
    test = partial(stats.corrected_t, d, 0 * d, test_share=q / (1 + q))
    found = test()
    return {
        **interval_and_p(found),
        **by_side(test),
        "p_recommended": found.p_value,
        "mean": found.effect.estimate,
        "se": found.details["standard_error"],
        "ci95_low": found.effect.low,
        "ci95_high": found.effect.high,
        "naive_t": stats.paired_t(d, 0 * d).statistic,
    }


@answers("cv5x2")
def five_by_two(case, _):
    d = case["inputs"].get("D", [[0.1, 0.2]] * 4 + [[0.3, 0.1]])  # critical values don't depend on it
    t, f = stats.five_by_two_t(d), stats.five_by_two_f(d)
    return {
        "s2": t.details["variances"],
        "t": t.statistic,
        "p_t_two": t.p_value,
        "p_t_greater": stats.five_by_two_t(d, alternative="greater").p_value,
        "F": f.statistic,
        "p_F": f.p_value,
        "t_crit_two_0.05": t.critical_value,
        "F_crit_0.05": f.critical_value,
    }


@answers("mcnemar")
def mcnemar(case, _):
    test = partial(stats.mcnemar, [[10, case["inputs"]["b"]], [case["inputs"]["c"], 10]])
    plain, corrected = test(method="chi-square"), test(method="chi-square-corrected")
    return {
        "chi2": plain.statistic,
        "p_chi2": plain.p_value,
        "chi2_cc": corrected.statistic,
        "p_chi2_cc": corrected.p_value,
        "p_exact": test().p_value,
        "p_midp": test(method="mid-p").p_value,
        "p_exact_greater": test(alternative="greater").p_value,
    }


@answers("permutation_paired_exact")
def sign_flips(case, _):
    d = np.array(case["inputs"]["d"])
    test = partial(stats.paired_permutation, d, 0 * d)
    return {"stat": test().statistic, **by_side(test)}


@answers("auc_delong_ci", "auc")
def area(case, _):
    found = stats.auc_interval(case["inputs"]["y"], case["inputs"]["score"], method="delong")
    return {
        "auc": found.estimate,
        "ci_low": found.low,
        "ci_high": found.high,
        "var_delong": ((found.high - found.low) / (2 * 1.959963984540054)) ** 2,
    }


@answers("delong_test")
def delong(case, _):
    test = partial(stats.delong, *case["inputs"].values())
    found = test()
    return {
        "auc_a": found.details["areas"][0],
        "auc_b": found.details["areas"][1],
        "z": found.statistic,
        "p": found.p_value,
        "p_greater": test(alternative="greater").p_value,
        "cov": found.details["covariance"],
    }


@answers("delong_test_unpaired")
def delong_unpaired(case, _):
    given = case["inputs"]
    found = stats.delong(given["y1"], given["s1"], given["s2"], truth_b=given["y2"])
    auc1, auc2 = found.details["areas"]
    return {"auc1": auc1, "auc2": auc2, "D": found.statistic, "df": found.df, "p": found.p_value}


@answers("binomial_ci")
def proportion(case, _):
    def ends(method):
        found = stats.proportion_interval(case["inputs"]["x"], case["inputs"]["n"], method=method)
        return [found.low, found.high]

    return {
        "clopper_pearson": ends("exact"),
        "wilson": ends("wilson"),
        "wilson_cc_R_prop_test": ends("wilson-corrected"),
        "wilson_cc_newcombe": ends("wilson-corrected"),
        "agresti_coull": ends("agresti-coull"),
        "wald": ends("normal"),
        "jeffreys": ends("jeffreys"),
        "midp": ends("mid-p"),
    }


@answers("binomial_test")
def binomial(case, _):
    found = by_side(partial(stats.binomial_test, *case["inputs"].values()))
    return {**found, "p_two_minlike": found["p_two"]}


@answers("bootstrap_exact")
def bootstrap(case, _):
    found = stats.bootstrap_interval(case["inputs"]["x"], method="percentile")
    return {"mean": found.estimate, "q025": found.low, "q975": found.high}


@answers("bootstrap_se")
def mouse(case, _):
    given = case["inputs"]
    found = {"diff": stats.mean_difference(given["treated"], given["control"], paired=False).estimate}
    for group, quantile in (("treated", 2.44691185114497), ("control", 2.30600413520417)):  # R: qt(0.975, n - 1)
        interval = stats.mean_interval(given[group])
        found[f"mean_{group[0]}"] = interval.estimate
        found[f"se_formula_{group[0]}"] = (interval.high - interval.estimate) / quantile
    return found


@answers("bootstrap_632plus")
def error_632(case, _):
    given = case["inputs"]["train_err"], case["inputs"]["loo_boot_err"], case["inputs"]["gamma"]
    printed, exact = stats.bootstrap_error(*given), stats.bootstrap_error(*given, weight=1 - math.exp(-1))
    return {
        "e632": printed.plain,
        "R": printed.overfitting,
        "w": printed.weight,
        "e632plus": printed.plus,
        "e632_exact": exact.plain,
        "e632plus_exact": exact.plus,
    }


@answers("no_information_rate")
def no_information(case, _):
    found = stats.no_information_rate(case["inputs"]["y"], case["inputs"]["pred"])
    return {"gamma": found, "gamma_pairs": found}
