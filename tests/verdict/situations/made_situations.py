"""Situations of known truth: a small generator each, and what the verdict must say.

``SITUATIONS`` maps the name of a situation to a function that makes its verdict, to the whole first line of the page
(a regular expression), and to what must be found as data; what a statement says in words is tested in ``words/``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from expected import Situation, said
from further_situations import FURTHER

from fairtrial.notices import Notice
from fairtrial.results import Results, read_predictions, read_scores
from fairtrial.results.absentees import Absentee
from fairtrial.statements import Remark, Role
from fairtrial.verdict import Verdict
from fairtrial.verdict.claims.best import Choice, MayBeBest, Winner
from fairtrial.verdict.claims.difference import AgainstControl, Alike, AtWorst, Better, Equivalent, NotShown, OnSingle
from fairtrial.verdict.claims.steadiness import Hinges, Kept, MeansDisagree, OnPolicy
from fairtrial.verdict.claims.support import ByTest, DidNotRun, NextStep, Refused

RNG = np.random.default_rng
SKEWED = 105  # a seed under which the typical difference is significant, and that of the means is not


def wide(columns: dict[str, np.ndarray], measure: str = "accuracy", **more: object) -> Results:
    frame = pd.DataFrame(columns)
    frame.insert(0, "dataset", [f"set{i}" for i in range(len(frame))])
    return read_scores(frame, measure=measure, **more)


def sets(n: int, *shifts: float, sd: float = 0.01, seed: int = 1, names: str = "abcdefgh") -> dict[str, np.ndarray]:
    """Methods that differ by shifts on n data sets of different difficulty."""
    base = RNG(seed).uniform(0.6, 0.85, n)
    return {names[i]: base + shift + RNG([seed, i + 1]).normal(0, sd, n) for i, shift in enumerate(shifts)}


def splits(scheme: str, *shifts: float, sd: float = 0.02, seed: int = 2, datasets: int = 1) -> Results:
    """Methods on splits of few data sets."""
    repeats, folds = {"10-fold": (1, 10), "10x10-fold": (10, 10), "5x2-fold": (5, 2), "holdout": (1, 1)}[scheme]
    rows = [
        (f"set{d}", "abcdefgh"[i], r, f, 0.75 + shift + RNG([seed, d, r, f, i]).normal(0, sd))
        for d in range(datasets)
        for i, shift in enumerate(shifts)
        for r in range(repeats)
        for f in range(folds)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "repeat", "fold", "value"])
    return read_scores(frame, measure="accuracy", resampling=None if scheme == "holdout" else scheme)


def models(n: int, *rates: float, seed: int = 3, clusters: int | None = None) -> Results:
    """Fixed models that are right at these rates on n instances."""
    y = RNG(seed).integers(0, 2, n)
    frame = pd.DataFrame({"y": y})
    for i, rate in enumerate(rates):
        right = RNG([seed, i]).uniform(size=n) < rate
        frame["abcdefgh"[i]] = np.where(right, y, 1 - y)
    if clusters:
        frame["text"] = np.arange(n) % clusters
    return read_predictions(frame, truth="y", cluster="text" if clusters else None)


def half_and_half() -> dict[str, np.ndarray]:
    base = RNG(4).uniform(0.6, 0.8, 40)
    return {"a": base + np.repeat([0.05, -0.05], 20) + RNG(5).normal(0, 0.002, 40), "b": base}


def with_holes() -> Results:
    columns = sets(12, 0.05, 0.0)
    columns["base"] = np.full(12, 0.4)
    columns["b"][[2, 5]] = np.nan
    return wide(columns, baseline="base")


def failing() -> Results:
    columns = sets(12, 0.05, 0.0, 0.0)
    columns["c"][:9] = np.nan
    columns["base"] = np.full(12, 0.4)
    return wide(columns, baseline="base")


def errors(n: int, *factors: float, sd: float = 0.1) -> dict[str, np.ndarray]:
    scale = 10 ** RNG(6).uniform(-2, 3, n)
    return {"abcdefgh"[i]: scale * f * np.exp(RNG([7, i]).normal(0, sd, n)) for i, f in enumerate(factors)}


def diverged() -> dict[str, np.ndarray]:
    columns = errors(14, 1.0, 1.3, 1.3)
    columns["c"][3] *= 1e9
    return columns


def winner_of_forty() -> dict[str, np.ndarray]:
    scores = RNG(8).uniform(0.5, 0.7, (10, 40))
    scores[:, 7] = scores.max(axis=1) + RNG(9).uniform(0.01, 0.05, 10)
    return {f"m{i}": scores[:, i] for i in range(40)}


def families() -> Verdict:
    source = np.repeat(RNG(10).normal(0, 0.03, 4), 4)
    base = np.linspace(0.6, 0.8, 16)
    columns = {"a": base + np.abs(source) + RNG(11).normal(0.002, 0.001, 16), "b": base}
    named = {f"source{i}": [f"set{4 * i + j}" for j in range(4)] for i in range(4)}
    return wide(columns).verdict(family=named)


def skewed() -> dict[str, np.ndarray]:
    base = RNG(12).uniform(0.4, 0.5, 100)
    return {"a": base + 0.02 * (1 - RNG(SKEWED).exponential(size=100)), "b": base}


def ties() -> dict[str, np.ndarray]:
    columns = sets(16, 0.0, 0.0, sd=0.0)
    columns["a"] = columns["a"] + np.r_[np.zeros(10), 0.05 + 0.001 * np.arange(6)]
    return columns


def imbalanced() -> Verdict:
    noise = RNG(15).normal(0, 0.0005, (2, 12))
    columns = {"a": 0.99 + noise[0], "b": 0.989 + noise[1], "majority": np.full(12, 0.9905)}
    return replace(wide(columns), yardsticks=("majority",)).verdict()


def at_levels() -> Verdict:
    rows = [
        {"dataset": f"set{i}", "method": m, "label_noise": noise, "value": value}
        for noise in (0.0, 0.1)
        for m, values in sets(10, 0.05 - noise / 2, 0.0).items()
        for i, value in enumerate(values)
    ]
    return read_scores(pd.DataFrame(rows), measure="accuracy").at(label_noise=0.0).verdict()


OVER = "on data sets such as these"
SIZE = r"[\d.]+ \[[\d.]+, [\d.]+\]"  # a lead that is shown: both ends have its sign
OPEN = r"[\d.]+ \[−[\d.]+, \+[\d.]+\]"
PAIR = {"a": "better", "b": "worse"}

SITUATIONS: dict[str, Situation] = {
    "equal": Situation(
        lambda: wide(sets(14, 0.0, 0.0)).verdict(),
        rf"No difference in accuracy between a and b is shown {OVER} 14: the typical lead of a is {OPEN}\.",
        (
            said(NotShown, method="a", other="b", lead=(0.001, -0.004, 0.006)),
            said(NextStep, action="say what matters", methods=("a", "b"), unit="data sets"),
            said(Kept, count=14, total=14),
        ),
        {"a": "", "b": ""},
    ),
    "three equal": Situation(
        lambda: wide(sets(14, 0.0, 0.0, 0.0)).verdict(),
        rf"No method is shown to be the best in accuracy {OVER} 14: any of these 3 may be\.",
        (
            said(MayBeBest, methods=("a", "b", "c"), out=()),
            said(Choice, method="a", loss=0.00795, within_delta=False, cheaper=""),
            said(ByTest, family="comparisons with the best, together", over="14 data sets"),
        ),
        {"a": "", "b": "", "c": ""},
    ),
    "clear": Situation(
        lambda: wide(sets(14, 0.05, 0.0)).verdict(),
        rf"a is typically better than b in accuracy {OVER} 14: ahead by {SIZE}\.",
        (
            said(Better, method="a", other="b", lead=(0.051, 0.046, 0.056), p_value=2**-13, size="better, size open"),
            said(NextStep, action="say what matters", methods=()),
        ),
        PAIR,
    ),
    "clear among three": Situation(
        lambda: wide(sets(14, 0.05, 0.0, 0.02)).verdict(smallest_difference=0.01),
        rf"a is the best of these 3 in accuracy {OVER} 14: 0\.031 ahead of the next best .*more than the 0\.01 .*\.",
        (
            said(
                Winner,
                method="a",
                runner_up="c",
                lead=(0.031, 0.024, 0.040),
                p_value=2**-13,
                size="better by more than matters",
            ),
        ),
        {"a": "best", "c": "out", "b": "out"},
    ),
    "smaller than matters": Situation(
        lambda: wide(sets(30, 0.004, 0.0, sd=0.002)).verdict(smallest_difference=0.02),
        rf"a is typically better than b in accuracy {OVER} 30: ahead by {SIZE}\. That is less than the 0\.02 .*\.",
        (said(Better, lead=(0.0044, 0.0034, 0.0053), size="better but negligible"),),
        PAIR,
    ),
    "equivalent": Situation(
        lambda: wide(sets(30, 0.0, 0.0, sd=0.003)).verdict(smallest_difference=0.02),
        rf"a and b are equivalent in accuracy {OVER} 30: they differ by less than the 0\.02 .* at least 90 % .*\.",
        (said(Equivalent, method="a", other="b", lead=(0.001, -0.001, 0.002), at_least=0.905),),
        {"a": "equivalent", "b": "equivalent"},
    ),
    "half and half": Situation(
        lambda: wide(half_and_half()).verdict(smallest_difference=0.01),
        rf"Which of b and a is better in accuracy may depend on the data set {OVER} 40: .* on 20, a on 20\.",
        (
            said(Alike, better=20, worse=20, n=40, differ=True),
            said(Remark, role=Role.DOUBT, about="noise"),
            said(NextStep),
        ),
        {"a": "", "b": ""},
    ),
    "a failing method": Situation(
        lambda: failing().verdict(),
        r"c has no score on 9 of 12 data sets, so nothing is said about it\.",
        (
            said(DidNotRun, methods=(Absentee("c", 9, 12, unit="data set"),)),
            said(Winner, method="a", runner_up="b", lead=(0.051, 0.045, 0.059)),
            said(NextStep, action="bring", rank=-1),
        ),
        {"a": "best", "b": "out", "base": "out"},
    ),
    "failed trials": Situation(
        lambda: with_holes().verdict(),
        rf"a is the best of these 3 in accuracy {OVER} 12: 0\.055 ahead of the next best .*\.",
        (
            said(Winner, method="a", runner_up="b"),
            said(Notice, guard="changed_scores", severity="doubt", evidence={"failed": 2, "splits": 12}),
            said(OnPolicy, policy="baseline", winner="a", others=(("worst", "a"), ("drop", "a")), changed=()),
            said(NextStep, action="repair"),
        ),
        {"a": "best", "b": "out", "base": "out"},
    ),
    "imbalance": Situation(
        imbalanced,
        r"No method is shown to do better than majority \(which always answers the most frequent class\): "
        r"a − majority is −0\.00050 \[−0\.00084, −0\.00015\] in the mean \(t\)\.",
        (
            said(Notice, guard="no_better_than_trivial", severity="grave", evidence={"trivial": ["majority"]}),
            said(Notice, guard="floor", severity="warning"),
            said(Better, method="a", other="b"),
            said(NextStep, action="repair"),
        ),
        PAIR,
    ),
    "ceiling": Situation(
        lambda: wide({"a": np.linspace(0.985, 0.999, 10), "b": np.linspace(0.984, 0.9985, 10)}).verdict(),
        r"Ceiling: on 10 of 10 data sets .* even the weakest method is close to the best possible score, .*\.",
        (said(Notice, guard="ceiling", severity="grave"), said(Better, method="a", lead=(0.0007, 0.0006, 0.0009))),
        PAIR,
    ),
    "three data sets": Situation(
        lambda: splits("10-fold", 0.08, 0.0, datasets=3).verdict(),
        r"a is better in accuracy on each of these 3 data sets\.",
        (
            said(Remark, about="each data set", rank=1),
            said(ByTest, family="on each data set, all together", test="corrected resampled t", none=False),
            said(NextStep, action="more data"),
        ),
    ),
    "three data sets without splits": Situation(
        lambda: wide(sets(3, 0.1, 0.0)).verdict(),
        r"Whether the methods differ in accuracy is open: 3 data sets are too few .* has no spread\.",
        (said(Remark, about="means"), said(ByTest, none=True), said(NextStep, action="bring")),
    ),
    "two hundred data sets": Situation(
        lambda: wide(sets(200, 0.004, 0.0)).verdict(),
        rf"a is typically better than b in accuracy {OVER} 200: ahead by {SIZE}\.",
        (said(Better, lead=(0.004, 0.0015, 0.0055)), said(Kept, count=200, total=200)),
        PAIR,
    ),
    "the same method under two seeds": Situation(
        lambda: wide(dict(zip(("forest seed=1", "forest seed=2"), sets(12, 0.0, 0.0).values(), strict=True))).verdict(),
        r"No verdict: the same method under two random seeds: forest seed=1 and forest seed=2; .* chance\.",
        (said(Refused, others=0), said(ByTest, none=True), said(NextStep, action="repair")),
    ),
    "mixed units": Situation(
        lambda: wide(errors(12, 1.0, 1.05), "my_error", higher_is_better=False).verdict(),
        rf"No difference in my error between a and b is shown {OVER} 12: a has typically 0\.979 times the my error "
        r"of b \[0\.920, 1\.08\]\.",
        (
            said(NotShown, method="a", lead=(0.0207, -0.0727, 0.0834)),
            said(ByTest, test="Wilcoxon signed ranks of log ratios"),
            said(Notice, guard="scales_apart", severity="warning"),
        ),
        {"a": "", "b": ""},
    ),
    "errors as ratios": Situation(
        lambda: wide(errors(20, 1.0, 1.5), "rmse").verdict(),
        rf"a is typically better than b in rmse {OVER} 20: its rmse is 0\.655 times that of b \[0\.624, 0\.723\]\.",
        (said(Better, method="a", lead=(0.4229, 0.3246, 0.4717)),),
        PAIR,
    ),
    "diverged": Situation(
        lambda: wide(diverged(), "rmse").verdict(),
        rf"a is the best of these 3 in rmse {OVER} 14: its rmse is 0\.784 times that of the next .*\.",
        (
            said(Winner, method="a", runner_up="b", lead=(0.2429, 0.1575, 0.3308)),
            said(Notice, guard="diverged", severity="doubt", about="set3", evidence={"scores": 1}),
        ),
        {"a": "best", "b": "out", "c": "out"},
    ),
    "one score each": Situation(
        lambda: splits("holdout", 0.05, 0.0).verdict(),
        r"Whether the methods differ in accuracy is open: 1 data set is too few .* has no spread\.",
        (said(Remark, about="means"), said(ByTest, none=True), said(NextStep, action="bring")),
    ),
    "one method": Situation(
        lambda: wide(sets(12, 0.0)).verdict(),
        r"a has a mean accuracy of 0\.736 \[0\.688, 0\.784\] over 12 data sets\.",
        (said(Remark, about="estimate", rank=1), said(NextStep, action="ask")),
    ),
    "a claim that holds": Situation(
        lambda: wide(sets(12, 0.0)).verdict(claim=0.6),
        rf"Yes: the mean accuracy of a {OVER} 12 is above 0\.6: 0\.736 \[0\.688, 0\.784\], p = 6\.3e−05\.",
        (said(Remark, about="claim", rank=1), said(ByTest, none=False), said(Kept, count=12, total=12)),
    ),
    "a claim that does not hold": Situation(
        lambda: wide(sets(12, 0.0)).verdict(claim=0.9),
        rf"No: the mean accuracy of a {OVER} 12 is below 0\.9: 0\.736 \[0\.688, 0\.784\], p = 1\.2e−05\.",
        (said(Remark, about="claim", rank=1), said(Kept, count=12, total=12)),
    ),
    "a claim that is open": Situation(
        lambda: wide(sets(12, 0.0)).verdict(claim=0.73),
        rf"Open: whether the mean accuracy of a {OVER} 12 is above 0\.73 is not shown: it is 0\.736 \[.*\], .*\.",
        (said(Remark, about="claim", rank=1), said(NextStep, action="more data")),
    ),
    "fixed models": Situation(
        lambda: models(400, 0.9, 0.8).verdict(),
        rf"a is better than b in accuracy on instances such as these 400: ahead by {SIZE}\.",
        (
            said(Better, lead=(0.095, 0.0487, 0.1404), p_value=5.312e-5),
            said(ByTest, test="McNemar (mid-p)", over="400 instances: only a is right on 64, only b on 26"),
            said(Notice, guard="fixed_models", severity="doubt"),
        ),
        PAIR,
    ),
    "fixed models in clusters": Situation(
        lambda: models(400, 0.9, 0.7, clusters=40).verdict(),
        rf"a is better than b in accuracy on instances such as those of these 40 clusters: ahead by {SIZE}\.",
        (
            said(Better, lead=(0.1875, 0.141, 0.235)),
            said(ByTest, test="sign flips of whole clusters", over="40 clusters"),
        ),
        PAIR,
    ),
    "10-fold": Situation(
        lambda: splits("10-fold", 0.06, 0.0).verdict(),
        rf"a is better than b in accuracy on set0: ahead by {SIZE}\.",
        (
            said(Better, lead=(0.070, 0.0297, 0.1107), p_value=0.00351),
            said(ByTest, test="corrected resampled t", over="10 splits (10-fold)"),
        ),
        PAIR,
    ),
    "10x10-fold": Situation(
        lambda: splits("10x10-fold", 0.02, 0.0).verdict(),
        rf"a is better than b in accuracy on set0: ahead by {SIZE}\.",
        (said(Better, lead=(0.0252, 0.0018, 0.0485)), said(ByTest, over="100 splits (10×10-fold)")),
        PAIR,
    ),
    "10-fold without a difference": Situation(
        lambda: splits("10-fold", 0.0, 0.0).verdict(),
        rf"No difference in accuracy between a and b is shown on set0: the lead of a is {OPEN}\.",
        (said(NotShown, method="a", lead=(0.010, -0.030, 0.0507)), said(NextStep, action="more repeats")),
        {"a": "", "b": ""},
    ),
    "5x2-fold": Situation(
        lambda: splits("5x2-fold", 0.1, 0.0).verdict(),
        rf"a is better than b in accuracy on set0: ahead by {SIZE}\.",
        (
            said(Better, lead=(0.096, 0.0281, 0.1649), p_value=0.01098),
            said(ByTest, over="10 splits (5×2-fold)"),
            said(Notice, guard="shared_splits", severity="doubt"),
        ),
        PAIR,
    ),
    "forty methods": Situation(
        lambda: wide(winner_of_forty()).verdict(),
        rf"m7 is the best of these 40 in accuracy {OVER} 10: 0\.087 ahead of the next best .*\.",
        (said(Winner, method="m7", runner_up="m20", lead=(0.087, 0.058, 0.163), p_value=2**-9),),
        {"m7": "best", "m20": "out"},
    ),
    "families": Situation(
        families,
        r"Whether the methods differ in accuracy is open: 4 families of data sets \(16 in all\) are too few .*\.",
        (said(Remark, about="means"), said(ByTest, none=True), said(NextStep, action="bring")),
    ),
    "zero differences": Situation(
        lambda: wide({"a": np.linspace(0.6, 0.8, 10), "b": np.linspace(0.6, 0.8, 10)}).verdict(),
        r"No verdict: a and b have the same score on all 10 data sets, so that there is nothing to test\.",
        (said(Refused, others=0), said(ByTest, none=True), said(NextStep, action="repair")),
    ),
    "ties": Situation(
        lambda: wide(ties()).verdict(smallest_difference=0.01),
        rf"a is better than b in accuracy {OVER} 16: ahead by {SIZE}\. It may be less than the 0\.01 .*\.",
        (
            said(Better, lead=(0.020, 0.0057, 0.0337), p_value=2**-5, size="better, size open"),
            said(OnSingle, better=6, worse=0, n=16),
            said(Hinges, sets=tuple(f"set{i}" for i in range(10, 16)), n=16, another=False),
            said(Notice, guard="equal_scores", severity="fine"),
        ),
        PAIR,
    ),
    "skewed": Situation(
        lambda: wide(skewed()).verdict(),
        rf"a is typically better than b in accuracy {OVER} 100: ahead by {SIZE}\.",
        (
            said(Better, lead=(0.0046, 0.0009, 0.0079), p_value=0.0173),
            said(MeansDisagree, method="a", other="b", mean=(0.0014, -0.0023, 0.0052)),
        ),
        PAIR,
    ),
    "against a control": Situation(
        lambda: wide(sets(14, 0.05, 0.0, -0.05)).verdict(control="b"),
        rf"In accuracy {OVER} 14, a is typically better than b; c is worse\.",
        (
            said(AgainstControl, control="b", better=("a",), worse=("c",), open=(), not_worse=(), equivalent=()),
            said(ByTest, family="comparisons with b, together"),
        ),
        {"a": "better", "b": "control", "c": "worse"},
    ),
    "not worse": Situation(
        lambda: wide(sets(20, -0.001, 0.0, sd=0.004)).verdict(
            control="b", alternative="not worse", smallest_difference=0.01
        ),
        rf"In accuracy {OVER} 20, a is typically not worse than b by 0\.01 or more\.",
        (
            said(AgainstControl, control="b", not_worse=("a",), better=(), worse=(), open=(), alternative="not worse"),
            said(AtWorst, method="a", other="b"),
            said(OnSingle, better=1, worse=1, n=20),
            said(Notice, guard="one_sided_question", severity="warning"),
        ),
        {"a": "not worse", "b": "control"},
    ),
    "factors": Situation(
        at_levels,
        rf"a is typically better than b in accuracy {OVER} 10, at label_noise 0 %: ahead by {SIZE}\.",
        (
            said(Better, lead=(0.052, 0.0445, 0.0586)),
            said(Notice, guard="at_chosen_levels", severity="doubt", evidence={"label_noise": 0}),
        ),
        PAIR,
    ),
    "picked methods": Situation(
        lambda: wide(sets(14, 0.0, 0.0, 0.0, 0.0), methods=["a", "c"]).verdict(),
        rf"No difference in accuracy between a and c is shown {OVER} 14: the typical lead of a is {OPEN}\.",
        (
            said(NotShown, method="a", other="c"),
            said(Notice, guard="notes_on_results", severity="doubt"),
            said(NextStep, action="repair"),
        ),
        {"a": "", "c": ""},
    ),
}

SITUATIONS |= FURTHER
