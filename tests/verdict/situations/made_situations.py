"""Situations of known truth: a small generator each, and what the verdict must say.

``SITUATIONS`` maps the name of a situation to a function that makes its verdict, and to texts: the first is the whole
first sentence (a regular expression), the others must occur somewhere in the printed verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
from further_situations import FURTHER

from fairtrial.results import Results, read_predictions, read_scores
from fairtrial.verdict import Verdict

RNG = np.random.default_rng
SKEWED = 105  # a seed under which the typical difference is significant, and that of the means is not
Situation = tuple[Callable[[], Verdict], tuple[str, ...]]


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

SITUATIONS: dict[str, Situation] = {
    "equal": (
        lambda: wide(sets(14, 0.0, 0.0)).verdict(),
        (rf"The data show no difference in accuracy between (a and b|b and a) {OVER} 14\.", "Next"),
    ),
    "three equal": (
        lambda: wide(sets(14, 0.0, 0.0, 0.0)).verdict(),
        (
            rf"The data show no difference in accuracy between these 3 methods {OVER} 14\.",
            "are ruled out for every pair",
        ),
    ),
    "clear": (
        lambda: wide(sets(14, 0.05, 0.0)).verdict(),
        (rf"Of a and b, a has the higher accuracy {OVER} 14\.", "It typically beats b by 0.0"),
    ),
    "clear among three": (
        lambda: wide(sets(14, 0.05, 0.0, 0.02)).verdict(smallest_difference=0.01),
        (rf"a has the highest accuracy of these 3 methods {OVER} 14\.", "larger than the 0.01 that you said matters"),
    ),
    "smaller than matters": (
        lambda: wide(sets(30, 0.004, 0.0, sd=0.002)).verdict(smallest_difference=0.02),
        (r"Of a and b, a has the higher accuracy .*\.", "but typically smaller than the 0.02 that you said matters"),
    ),
    "equivalent": (
        lambda: wide(sets(30, 0.0, 0.0, sd=0.003)).verdict(smallest_difference=0.02),
        (
            rf"(a and b|b and a) are equivalent in accuracy {OVER} 30\.",
            "both typically (a − b: +0.001 [−0.001, +0.002]) and on 30 of 30",
        ),
    ),
    "half and half": (
        lambda: wide(half_and_half()).verdict(smallest_difference=0.01),
        (
            r"Neither of .* typically has the higher accuracy by 0\.01 or more .*",
            "on 20 of 40 data sets",
            "single splits",
        ),
    ),
    "a failing method": (
        lambda: failing().verdict(),
        (
            r"c has no score on 9 of 12 data sets, so nothing is said about it\.",
            "Next bring the scores of c that are missing",
            "a has the highest accuracy of these 3 methods",
        ),
    ),
    "failed trials": (
        lambda: with_holes().verdict(),
        (r"a has the highest accuracy of these 3 methods .*\.", "2 of 36 scores are missing", "b and base ('worst')"),
    ),
    "imbalance": (
        imbalanced,
        (
            r"No method is shown to do better than majority \(which always answers the most frequent class\): .*",
            "a − majority is −0.00050 [−0.00084, −0.00015] in the mean (t).",
            "not clearly beaten by a and b, and its mean is better",
            "look at average_recall",
        ),
    ),
    "ceiling": (
        lambda: wide({"a": np.linspace(0.985, 0.999, 10), "b": np.linspace(0.984, 0.9985, 10)}).verdict(),
        (
            r"Ceiling: on 10 of 10 data sets .* even the weakest method is close to the best possible score.*",
            "even the weakest method is close to the best possible score",
        ),
    ),
    "three data sets": (
        lambda: splits("10-fold", 0.08, 0.0, datasets=3).verdict(),
        (
            r"a has the higher accuracy on each of these 3 data sets\.",
            "Its lead is from 0.085 to 0.100.",
            "Bonferroni over 3 tests",
        ),
    ),
    "three data sets without splits": (
        lambda: wide(sets(3, 0.1, 0.0)).verdict(),
        (r"Whether the methods differ in accuracy is open: 3 data sets are too few .*", "ahead of b by 0.106"),
    ),
    "two hundred data sets": (
        lambda: wide(sets(200, 0.004, 0.0)).verdict(),
        (rf"Of a and b, a has the higher accuracy {OVER} 200\.",),
    ),
    "the same method under two seeds": (
        lambda: wide(dict(zip(("forest seed=1", "forest seed=2"), sets(12, 0.0, 0.0).values(), strict=True))).verdict(),
        (r"No verdict: the same method under two random seeds: .*", "Test none", "run one of them with replicates"),
    ),
    "mixed units": (
        lambda: wide(errors(12, 1.0, 1.05), "my_error", higher_is_better=False).verdict(),
        (r"The data show no difference in my error .*", "methods are therefore compared by ratios"),
    ),
    "errors as ratios": (
        lambda: wide(errors(20, 1.0, 1.5), "rmse").verdict(),
        (rf"Of a and b, a has the lower rmse {OVER} 20\.", "Its rmse is typically 0.6"),
    ),
    "diverged": (
        lambda: wide(diverged(), "rmse").verdict(),
        (
            r"a has the lowest rmse .*",
            "One score seems to have diverged: the rmse of c on set3",
            "17.04 ‡",
            "c ×5.73 ×0.0953, ×345 mean ratio",
        ),
    ),
    "one score each": (
        lambda: splits("holdout", 0.05, 0.0).verdict(),
        (r"Whether the methods differ .*", "one score per method and data set has no spread", "ahead of b by 0.023"),
    ),
    "one method": (
        lambda: wide(sets(12, 0.0)).verdict(),
        (
            r"a has a mean accuracy of 0\.7\d+ \[.*\] over 12 data sets\.",
            "With 95 % confidence the mean on such data sets is in that interval; on a new one expect between",
            "would make it a finding",
        ),
    ),
    "a claim that holds": (
        lambda: wide(sets(12, 0.0)).verdict(claim=0.6),
        (r"Yes: the mean accuracy of a .* is above 0\.6: .*",),
    ),
    "a claim that does not hold": (
        lambda: wide(sets(12, 0.0)).verdict(claim=0.9),
        (r"No: the mean accuracy of a .* is below 0\.9: .*",),
    ),
    "a claim that is open": (
        lambda: wide(sets(12, 0.0)).verdict(claim=0.73),
        (
            r"Open: the mean accuracy of a .*; the interval holds the claimed 0\.73, p = .*",
            "about 48 in all would halve it",
        ),
    ),
    "fixed models": (
        lambda: models(400, 0.9, 0.8).verdict(),
        (r"Of a and b, a has the higher accuracy on instances such as these 400\.", "exact McNemar"),
    ),
    "fixed models in clusters": (
        lambda: models(400, 0.9, 0.7, clusters=40).verdict(),
        (r"Of a and b, a has the higher accuracy .*", "sign flips of whole clusters, 40 clusters of 400 instances"),
    ),
    "10-fold": (
        lambda: splits("10-fold", 0.06, 0.0).verdict(),
        (r"Of a and b, a has the higher accuracy on set0\.", "corrected resampled t over 10 splits (10-fold)"),
    ),
    "10x10-fold": (
        lambda: splits("10x10-fold", 0.02, 0.0).verdict(),
        (r"Of a and b, a has the higher accuracy on set0\.", "test/train × 1.75 for repeats"),
    ),
    "10-fold without a difference": (
        lambda: splits("10-fold", 0.0, 0.0).verdict(),
        (r"The data show no difference in accuracy between .* on set0\.", "10 repeats of the 10 folds would narrow"),
    ),
    "5x2-fold": (
        lambda: splits("5x2-fold", 0.1, 0.0).verdict(),
        (
            r"Of a and b, a has the higher accuracy on set0\.",
            "corrected resampled t over 10 splits",
            "How often this test errs is not known for 5×2-fold.",
            "how often it errs was not measured for this scheme",
            "whether all methods had the same splits is unknown",
        ),
    ),
    "forty methods": (
        lambda: wide(winner_of_forty()).verdict(),
        (
            rf"m7 has the highest accuracy of these 40 methods {OVER} 10\.",
            "so each interval and p is for its pair alone",
        ),
    ),
    "families": (
        families,
        (
            r"Whether the methods differ in accuracy is open: 4 families .*",
            "ahead of b by 0.024",
            "family a b a − b source0 0.656 0.620 +0.036",
        ),
    ),
    "zero differences": (
        lambda: wide({"a": np.linspace(0.6, 0.8, 10), "b": np.linspace(0.6, 0.8, 10)}).verdict(),
        (
            r"No verdict: a and b have the same score on all 10 data sets, so that there is nothing to test\.",
            "Test none",
            "look whether it is one method twice",
        ),
    ),
    "ties": (
        lambda: wide(ties()).verdict(smallest_difference=0.01),
        (
            r"Of a and b, a narrowly has the higher accuracy .*",
            "(t; by signed ranks p = 0.031): a difference, though it may be smaller than the 0.01",
            "and equal on 10",
            "The win hinges on single data sets: without any one of 6 of the 16 data sets (set10, set11,",
            "b 0.729 1.69 2 −0.020 −0.034, −0.006 0.031",
            "the other 6 decide",
        ),
    ),
    "skewed": (
        lambda: wide(skewed()).verdict(),
        (r"Of a and b, a typically has the higher accuracy .*", "Their means do not show it"),
    ),
    "against a control": (
        lambda: wide(sets(14, 0.05, 0.0, -0.05)).verdict(control="b"),
        (rf"In accuracy {OVER} 14, a does better than b; c does worse\.",),
    ),
    "not worse": (
        lambda: wide(sets(20, -0.001, 0.0, sd=0.004)).verdict(
            control="b", alternative="not worse", smallest_difference=0.01
        ),
        (
            rf"In accuracy {OVER} 20, a is typically not worse than b by 0\.01 or more\.",
            "with 95 % confidence not below −0.003.",
            "holds only if it was decided before",
        ),
    ),
    "factors": (
        at_levels,
        (
            rf"Of a and b, a has the higher accuracy {OVER} 10, at label_noise 0 %\.",
            "This is about label_noise 0 %; nothing is said here about label_noise 10 %.",
            "results.verdicts()",
        ),
    ),
    "picked methods": (
        lambda: wide(sets(14, 0.0, 0.0, 0.0, 0.0), methods=["a", "c"]).verdict(),
        (
            r"The data show no difference .*",
            "2 of 4 methods of the file are compared, without b and d: if",
            "compare all methods of the file",
        ),
    ),
}

SITUATIONS |= FURTHER
