"""Over data sets: signs, ranks, Friedman and his relatives."""

import math
from functools import partial

import numpy as np
import pytest
from answering import SIDES, answers, by_side, direction, matrix_of, number

from fairtrial import stats
from fairtrial.errors import InputError


@answers("wilcoxon_signed_rank")
def signed_rank(case, _):
    given, params = case["inputs"], case["params"]
    d = given.get("d") or [number(x) - number(y) for x, y in zip(given["x"], given["y"], strict=True)]
    if params.get("missing"):
        with pytest.raises(InputError, match="3"):
            stats.wilcoxon(d, [0] * len(d))
        d = [v for v in d if not math.isnan(v)]
    zeros = "pratt" if params.get("zero_method") == "pratt" else "drop"
    test = partial(stats.wilcoxon, d, [0] * len(d), zeros=zeros, interval=False)
    normal = partial(test, method="asymptotic")
    corrected = {side: test(alternative=side).details["continuity_corrected_p"] for side in SIDES}
    found = test()
    return {
        "V": found.details["r_plus"],
        "W_plus": found.details["r_plus"],
        "W_minus": found.details["r_minus"],
        "n_nonzero": len(d) - found.details["zeros"],
        "n_used": found.n,
        "p": found.p_value,
        **by_side(test, ("p_two_sided", "p_greater", "p_less")),
        **by_side(test, ("p_exact_two", "p_exact_greater", "p_exact_less")),
        "p_normal_nocc_two": normal().p_value,
        "p_normal_cc_two": corrected["two-sided"],
        "p_normal_cc_greater": corrected["greater"],
        "p_normal_cc_less": corrected["less"],
        "log10_p_exact": found.log10_p,
        "log_p_normal_one": math.log(corrected["greater"]),
    }


@answers("wilcoxon_demsar_split")
def signed_rank_of_demsar(case, _):
    test = partial(stats.wilcoxon, case["inputs"]["y"], case["inputs"]["x"], zeros="split")
    found = test()
    return {
        "R_plus": found.details["r_plus"],
        "R_minus": found.details["r_minus"],
        "T": found.statistic,
        "z": -found.details["z_without_tie_correction"],  # his is that of the smaller sum
        "p_two_sided": found.details["without_tie_correction_p"],
        "p_one_sided": test(alternative="greater").details["without_tie_correction_p"],
        "critical_value_0.05_two_sided": found.critical_value,
        "reject_0.05": bool(found.statistic <= found.critical_value) and found.p_value < 0.05,
    }


@answers("wilcoxon_demsar_exact_pratt")
def signed_rank_with_zeros(case, _):
    test = partial(stats.wilcoxon, case["inputs"]["y"], case["inputs"]["x"])
    found = {"V": test().details["r_plus"], "p_exact_exactRankTests": test().p_value}
    for zeros, name in (("drop", "Wilcoxon"), ("pratt", "Pratt")):
        normal = test(zeros=zeros, method="asymptotic")
        found |= {
            f"p_exact_{name}": test(zeros=zeros).p_value,
            f"p_asymptotic_{name}": normal.p_value,
            f"Z_{name}": normal.details["z"],
        }
    return found


@answers("wilcoxon_critical_value")
def signed_rank_critical(case, _):
    def critical(n, alpha):
        found = stats.wilcoxon(range(1, n + 1), [0] * n, level=1 - alpha, interval=False).critical_value
        return -1 if math.isnan(found) else found

    sizes = case["inputs"]["n"]
    return {f"alpha_{a}": [critical(n, float(a)) for n in sizes] for a in ("0.10", "0.05", "0.02", "0.01")}


@answers("sign_test")
def signs(case, _):
    given = case["inputs"]
    if "x" in given:
        test = partial(stats.sign_test, given["y"], given["x"])
        drop, split = test(), test(ties="split")
        return {
            "wins_strict": drop.details["wins"],
            "losses_strict": drop.details["losses"],
            "ties": drop.details["ties"],
            "wins_split": split.details["wins"],
            "losses_split": split.details["losses"],
            "p_two_drop": drop.p_value,
            "p_two_split": split.p_value,
            "p_greater_drop": test(alternative="greater").p_value,
            "p_greater_split": test(ties="split", alternative="greater").p_value,
        }
    d = [1] * given["wins"] + [-1] * given["losses"] or [0]
    test = partial(stats.sign_test, d, [0] * len(d))
    return {
        **by_side(test, ("p_two_sided", "p_greater", "p_less")),
        "log10": test().log10_p,
        "z_demsar": test().details["z"],
    }


@answers("friedman")
def friedman(case, _):
    table = np.array([[number(v) for v in row] for row in case["inputs"]["matrix"]])
    if case["params"].get("missing"):
        with pytest.raises(InputError, match="1 of 56 scores is not"):
            stats.friedman(table)
        kept = stats.friedman(table[~np.isnan(table).any(axis=1)], method="chi-square")
        return {"chi2": kept.statistic, "p": kept.p_value, "n_used": kept.n}
    found = stats.friedman(table, method="chi-square", **direction(case))
    f = stats.iman_davenport(table, **direction(case))
    details = found.details
    return {
        "ranks": [stats.friedman([row, row], **direction(case)).details["average_ranks"] for row in table],
        "mean_ranks": details["average_ranks"],
        "chi2_tie_corrected": found.statistic,
        "p_chi2_tie_corrected": found.p_value,
        "chi2_no_tie_correction": details["without_tie_correction"],
        "p_chi2_no_tie": details["without_tie_correction_p"],
        "F_ID_tie": f.statistic,
        "p_F_ID_tie": f.p_value,
        "F_ID": details["iman_davenport_without_tie_correction"],
        "p_F_ID": details["iman_davenport_without_tie_correction_p"],
        "df1": f.df[0],
        "df2": f.df[1],
        "kendall_W": stats.kendall_w(table).estimate,
    }


@answers("friedman_exact")
def friedman_exact(case, _):
    given = case["inputs"]
    if "N" in given:
        tables = [np.tile(np.arange(k), (n, 1)) for n, k in zip(given["N"], given["k"], strict=True)]
        return {
            f"crit_{a}": [stats.friedman(t, level=1 - float(a)).critical_value for t in tables]
            for a in ("0.10", "0.05", "0.01")
        }
    found = stats.friedman(given["matrix"], **direction(case))
    return {"p_exact": found.p_value, "sum_sq_rank_sums": sum(s * s for s in found.details["rank_sums"])}


@answers("quade")
def quade(case, table):
    scores = matrix_of(case, table)
    exact = case["id"] == "quade_perfect"
    found = stats.quade(scores, method="exact" if exact else "f", **direction(case))
    plain = found.details["without_tie_correction"], found.details["without_tie_correction_p"]
    return {
        "quade_ranks": found.details["average_ranks"],
        "F_R": found.statistic,
        "p_R": found.p_value,
        "p_conover": found.p_value,
        "F_no_tie_formula": plain[0],
        "p_no_tie_formula": plain[1],
        "F": plain[0],
        "p": plain[1],
    }


@answers("friedman_aligned")
def aligned(case, _):
    found = stats.aligned_friedman(case["inputs"]["matrix"], **direction(case)).details
    return {
        "mean_aligned_ranks": found["average_ranks"],
        "T": found["without_tie_correction"],
        "p": found["without_tie_correction_p"],
    }


@answers("ranking")
def ranking(case, _):
    return {"average": stats.friedman([case["inputs"]["x"]] * 2).details["average_ranks"]}


@answers("win_tie_loss")
def win_tie_loss(case, _):
    found = stats.win_tie_loss(case["inputs"]["y"], case["inputs"]["x"]).details
    return {"y_wins": found["wins"], "ties": found["ties"], "y_losses": found["losses"]}


@answers("geometric_mean_ratio")
def ratio(case, _):
    x, y = np.log(case["inputs"]["x"]), np.log(case["inputs"]["y"])
    return {"ratio": math.exp(stats.mean_difference(y, x).estimate)}
