"""Which of several differ, and many p-values."""

from functools import partial

import numpy as np
import pytest
from answering import answers, direction, matrix_of, of_pairs

from fairtrial import stats
from fairtrial.stats.distributions.tail import normal_tail


@answers("critical_difference")
def critical_difference(case, table):
    n, k = matrix_of(case, table).shape
    return {"cd_demsar_dfInf": stats.critical_difference(k, n, level=1 - case["params"]["alpha"])}


@answers("friedman_posthoc_pairwise")
def nemenyi(case, table):
    test = partial(stats.nemenyi, matrix_of(case, table), **direction(case))
    found = of_pairs(test())
    return {
        **found,
        "p_unadjusted": found["p"],
        "p_nemenyi_studentized_range": test().p_adjusted,
        "p_nemenyi_bonferroni": test(adjust="bonferroni").p_adjusted,
    }


@answers("conover_friedman")
def conover(case, _):
    return {"T1": stats.friedman(case["inputs"]["matrix"]).statistic}


HOW = {
    **{name: name for name in ("bonferroni", "holm", "hochberg", "hommel", "finner", "li", "sidak", "holm_sidak")},
    "holland": "holm_sidak",
    "BH": "bh",
    "BY": "by",
    "nemenyi": "bonferroni",
    "shaffer": "shaffer",
    "bergmann": "bergmann_hommel",
    "rom_exact": "rom",
}


def decides_as(found, alpha=0.05):
    """Rom's p at one level is for that level: only whether it is reached can be compared."""
    return lambda expected: [p <= alpha for p in found] == [p <= alpha for p in expected]


@answers("p_adjust")
def adjusted(case, _):
    p = case["inputs"]["p"]
    all_pairs = {"shaffer", "bergmann"}  # of k methods: these p-values are of a control or of nothing in particular
    found = {key: stats.adjust(p, how) for key, how in HOW.items() if key not in all_pairs}
    rom = decides_as(stats.adjust(p, "rom"))
    return {**found, "rom_0.05": rom, "rom_at_0.05": rom}


@answers("rom_alpha")
def rom(case, _):
    def constants_of(alpha):
        def inverted(expected):
            # the smallest of i p-values, the others 1, is adjusted to α where it is α's i-th constant
            found = [stats.adjust([c] + [1.0] * i, "rom")[0] for i, c in enumerate(expected)]
            return found == pytest.approx([alpha] * case["inputs"]["m"], rel=1e-9)

        return inverted

    return {f"alpha_{alpha}": constants_of(alpha) for alpha in case["params"]["alpha"]}


@answers("friedman_posthoc_control")
def versus_control(case, _):
    test = partial(stats.versus_control, case["inputs"]["matrix"], case["inputs"]["control"])
    by_ranks = test(test="friedman")
    found = {f"friedman.{key}": value for key, value in of_pairs(by_ranks).items() if key != "pairs"}
    for key, how in HOW.items():
        if key not in ("shaffer", "bergmann", "nemenyi", "rom_exact"):
            found[f"friedman.{key}"] = test(test="friedman", adjust=how).p_adjusted
    found["friedman.rom_0.05"] = decides_as(test(test="friedman", adjust="rom").p_adjusted)
    for ranks in ("aligned", "quade"):
        z = [abs(o.details["published_z"]) for o in test(test=ranks).outcomes]
        found |= {f"{ranks}.z": z, f"{ranks}.p": [normal_tail(value, "two-sided").value for value in z]}
    return found


@answers("p_adjust_pairwise")
def all_pairs(case, table):
    scores = matrix_of(case, table)
    test = partial(stats.pairwise, scores, test="friedman")
    found = of_pairs(test())
    hows = {key: how for key, how in HOW.items() if key in case["expected"]}
    return {
        **found,
        **{key: test(adjust=how).p_adjusted for key, how in hows.items()},
        "mean_ranks": stats.friedman(scores).details["average_ranks"],
        "z_sorted": sorted(found["z"], reverse=True),
    }


@answers("pairwise_wilcoxon")
def pairwise_wilcoxon(case, table):
    scores = np.round(matrix_of(case, table), 10)
    found = stats.pairwise(scores, test=partial(stats.wilcoxon, method="asymptotic", interval=False))
    return {
        **of_pairs(found),
        "holm": found.p_adjusted,
        "mean_ranks": stats.friedman(scores, method="chi-square").details["average_ranks"],
    }


@answers("aligned_posthoc_pairwise")
def aligned_pairs(case, table):
    found = stats.pairwise(matrix_of(case, table), test="aligned")
    theirs = case["expected"]["p"]  # noise breaks ties in scmamp, so that the adjustments start from its p
    return {
        "pairs": [list(pair) for pair in found.pairs],
        "p": [normal_tail(o.details["published_z"], "two-sided").value for o in found.outcomes],
        "shaffer": stats.adjust(theirs, "shaffer"),
        "bergmann": stats.adjust(theirs, "bergmann_hommel"),
    }
