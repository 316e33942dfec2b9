"""Whole pages in drawn worlds: whether they contradict themselves, and whether they doubt where nothing is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from fairtrial.figures import leads_of
from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import count_claims
from fairtrial.notices import Notice
from fairtrial.results import Results, read_scores
from fairtrial.statements import Role, by_role
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.verdict import Verdict, check_consistency

CONTRADICTS, DOUBTS = "a page contradicts itself", "a page has a false doubt"

Draw = Callable[[np.random.Generator, tuple[int, int]], npt.NDArray[np.floating[Any]]]
NOISES: Mapping[str, Draw] = {
    "normal": lambda g, size: g.normal(0, 0.02, size),
    "rounded to two decimals": lambda g, size: np.round(g.normal(0, 0.02, size), 2),
    "exponential": lambda g, size: g.exponential(0.02, size),
    "heavy tails": lambda g, size: g.standard_t(2, size) * 0.01,
    "three values": lambda g, size: g.integers(0, 3, size) * 0.05,
}
CLEAN = {"all equal": 0.0, "ladder": 0.01, "clear winner": 0.05}


def experiments() -> Iterator[Experiment]:
    """Worlds with ties, skew, tails and all questions; then clean worlds, where every doubt is false."""
    for noise in NOISES:
        yield Experiment("pages", f"any question, {noise}", partial(_any, noise), {CONTRADICTS: Limit("at most", 0.0)})
    for world, k, n in product(CLEAN, (2, 4, 8), (6, 12, 30)):
        limits = {DOUBTS: Limit("at most", 0.05)}
        yield Experiment("pages", f"clean, {world}, {k} × {n}", partial(_clean, world, k, n), limits)


def drawn(generator: np.random.Generator, noise: str = "") -> tuple[Results, dict[str, Any]]:
    """Scores of 2 to 8 methods on 6 to 25 data sets with this noise (none: any), and a question."""
    k, n = int(generator.integers(2, 9)), int(generator.integers(6, 26))
    lead = generator.normal(0, generator.choice([0, 0.005, 0.02, 0.05]), k)
    base = generator.uniform(0.35, 0.65, n)[:, None]
    draw = NOISES[noise or list(NOISES)[generator.integers(len(NOISES))]]
    scores: FloatArray = base + lead + draw(generator, (n, k))
    if generator.random() < 0.3:
        scores = np.round(scores, 2)
    asked: dict[str, Any] = {}
    if generator.random() < 0.4:
        asked["smallest_difference"] = float(generator.choice([0.005, 0.02, 0.05]))
    if (family := generator.random()) < 0.2:
        asked["control"] = "m0"
    elif family < 0.4 and k > 2:
        asked["pairs"] = True
    if generator.random() < 0.2:
        asked["estimand"] = "mean"
    measure = "accuracy"
    if generator.random() < 0.3:
        measure, scores = "rmse", np.abs(scores) + 0.01
        asked.pop("smallest_difference", None)
    return _read(np.clip(scores, 0.001, 0.999), measure), asked


def contradictions(verdict: Verdict) -> tuple[str, ...]:
    """The contradictions of a page, and those between its figure and its table."""
    compared = verdict.finding.compared
    if compared is None:
        return check_consistency(verdict)
    leads = {compared.name(row.method): (row.standing, row.effect) for row in compared.rows}
    wrong = (
        f"the figure's row of {row.name} is not that of the table"
        for row in leads_of(verdict).rows
        for mark, effect in [leads[row.name]]
        if row.mark != mark or math.isnan(row.lead) != (effect is None)
    )
    return (*check_consistency(verdict), *wrong)


def _any(noise: str, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        results, asked = drawn(generator, noise)
        return {CONTRADICTS: bool(contradictions(results.verdict(**asked)))}

    return count_claims(one, runs)


def _clean(world: str, k: int, n: int, generator: np.random.Generator, runs: int) -> Counts:
    """Normal scores with three decimals, in which nothing is planted."""
    lead = -CLEAN[world] * np.arange(k)
    if world == "clear winner":
        lead = np.array([CLEAN[world]] + [0.0] * (k - 1))

    def one() -> dict[str, bool]:
        scores = generator.uniform(0.5, 0.85, n)[:, None] + lead + generator.normal(0, 0.01, (n, k))
        return {DOUBTS: has_false_doubt(_read(scores.round(3), "accuracy").verdict())}

    return count_claims(one, runs)


def has_false_doubt(verdict: Verdict) -> bool:
    """Whether a page whose scores are clean has a doubt; that few data sets bound no interval is a right one."""
    leads = verdict.finding.leads
    bounded = leads is None or any(np.isfinite([x.interval.low, x.interval.high]).all() for x in leads.leads)
    return any(bounded or not isinstance(s, Notice) for s in by_role(verdict.statements)[Role.DOUBT])


def _read(scores: FloatArray, measure: str) -> Results:
    frame = pd.DataFrame(scores, columns=[f"m{i}" for i in range(scores.shape[1])])
    frame.insert(0, "dataset", [f"d{i}" for i in range(len(frame))])
    return read_scores(frame, measure=measure)
