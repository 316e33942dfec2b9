"""Several methods on one data set, several measures at once."""

import csv
from functools import partial
from pathlib import Path

from answering import answers, of_pairs

from fairtrial import stats


@answers("mann_whitney")
def mann_whitney(case, _):
    x, y = case["inputs"]["x"], case["inputs"]["y"]
    found = stats.kruskal([x, y], method="exact")
    wins = len(x) * (found.details["mean_ranks"][0] - (len(x) + 1) / 2)
    return {
        "W": wins,
        "U": wins,
        "p_exact": found.p_value,
        "p_two_sided_minabs": found.p_value,
        "p_recommended": found.p_value,
        "p_normal_nocc": stats.kruskal([x, y], method="chi-square").p_value,
        "A12": stats.vargha_delaney(x, y).estimate,
        "cliffs_delta": stats.cliffs_delta(x, y).estimate,
    }


@answers("cochran_q")
def cochran(case, _):
    found = stats.cochran_q(case["inputs"]["matrix"], method="chi-square")
    return {"Q": found.statistic, "df": found.df, "p": found.p_value, "p_recommended": found.p_value}


@answers("anova_oneway")
def anova(case, _):
    groups = case["inputs"]["groups"]
    found = stats.anova(groups)
    rows = found.details["table"][:2]
    return {
        "df": list(found.df),
        "SS": [row["sum of squares"] for row in rows],
        "MS": [row["mean square"] for row in rows],
        "F": found.statistic,
        "p": found.p_value,
        "eta2": stats.eta_squared(groups).estimate,
        "omega2": stats.eta_squared(groups, kind="omega").estimate,
        "epsilon2": stats.eta_squared(groups, kind="epsilon").estimate,
    }


@answers("anova_rm")
def repeated_anova(case, _):
    found = stats.repeated_anova(case["inputs"]["matrix"])
    details = found.details
    treatment, _, error = details["table"][:3]
    return {
        "SS_treat": treatment["sum of squares"],
        "SS_err": error["sum of squares"],
        "df1": treatment["df"],
        "df2": error["df"],
        "F": found.statistic,
        "p": stats.repeated_anova(case["inputs"]["matrix"], correction="none").p_value,
        "mauchly_W": details["mauchly_w"],
        "GG_eps": details["greenhouse_geisser"],
        "GG_p": found.p_value,
        "HF_eps": details["huynh_feldt"],
        "HF_p": stats.repeated_anova(case["inputs"]["matrix"], correction="huynh-feldt").p_value,
        "lower_bound_eps": details["lower_bound"],
    }


@answers("tukey_hsd")
def tukey(case, _):
    found = stats.tukey(case["inputs"]["groups"])
    values = {}
    for (i, j), p, interval in zip(found.pairs, found.p_adjusted, found.simultaneous, strict=True):
        name = f"{found.names[j]}-{found.names[i]}"  # R has second minus first
        values |= {f"{name}.diff": -interval.estimate, f"{name}.lwr": -interval.high, f"{name}.upr": -interval.low}
        values[f"{name}.p"] = p
    return values


@answers("dunnett")
def dunnett(case, _):
    found = stats.dunnett(case["inputs"]["groups"], case["inputs"]["control"])
    return {
        "t": [o.statistic for o in found.outcomes],
        "estimate": [o.effect.estimate for o in found.outcomes],
        "p": found.p_adjusted,
    }


@answers("kruskal_wallis")
def kruskal(case, _):
    found = stats.kruskal(case["inputs"]["groups"])
    return {"H": found.statistic, "df": found.df, "p": found.p_value}


@answers("dunn")
def dunn(case, _):
    test = partial(stats.dunn, case["inputs"]["groups"])
    return {
        **of_pairs(test()),
        "z": [o.statistic for o in test().outcomes],
        "holm": test().p_adjusted,
        "bonferroni": test(adjust="bonferroni").p_adjusted,
    }


def of_hotelling(found):
    squared = found.statistic, found.details["f"], found.p_value
    return {**dict(zip(("T2", "F", "p"), squared, strict=True)), "df1": found.df[0], "df2": found.df[1]}


@answers("hotelling_t2")
def hotelling(case, _):
    return of_hotelling(stats.hotelling(case["inputs"]["X"], case["inputs"]["Y"]))


@answers("hotelling_two_sample_iris")
def hotelling_of_iris(case, _):
    with (Path(__file__).parent / "iris.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = case["inputs"]["rows_a"], case["inputs"]["rows_b"]
    a, b = ([[float(v) for v in list(r.values())[:4]] for r in rows if r["Species"] == kind] for kind in kinds)
    found = stats.hotelling(a, b, paired=False)
    return {**of_hotelling(found), "mahalanobis_D2": found.details["distance_squared"]}


@answers("hotelling_t2_repeated")
def hotelling_repeated(case, _):
    return of_hotelling(stats.hotelling_repeated(case["inputs"]["matrix"]))
