"""Advantages whose parts are known: how often the intervals of all parts hold, and how often an inert part is called.

In made worlds three components add a random amount on each data set, and the first two interact; the true parts follow
from the means of the amounts. Amounts are normal, heavy-tailed, skewed, or zero on most data sets, as they are where a
component matters on a few only. On real learners one of two components chooses between exchangeable blocks of features
(effect_worlds), so that its part and the interaction are zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from fairtrial.lab.effect_worlds import SETTINGS, SHIFTS, Factors
from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import count_claims
from fairtrial.stats import AdvantageParts, Effects, divide_advantage, effects_on_splits
from fairtrial.stats.score_arrays import FloatArray

DRAWS = 1_999
MEANS = np.array([1.0, 0.5, 0.0])
TOGETHER, APART = 0.5, 0.3  # the interaction of the first two: its mean, and its deviation over data sets
SPLIT_NOISE = 0.3
ON = np.array(list(product((0, 1), repeat=3)))
DESIGN = {name: ON[:, i].tolist() for i, name in enumerate("abc")}
TRUTH = MEANS + np.array([TOGETHER / 2, TOGETHER / 2, 0.0])
PAIRS = np.array([TOGETHER, 0.0, 0.0])
HOLD = Limit("at least", 0.93)
CALLED = "an inert component is called"

Amounts = Callable[[np.random.Generator, int], FloatArray]


def _lognormal(random: np.random.Generator, n: int) -> FloatArray:
    return np.asarray(MEANS + np.exp(0.8 * random.normal(size=(n, 3))) - np.exp(0.32))


def _mostly_zero(random: np.random.Generator, n: int) -> FloatArray:
    """Amounts on two of five data sets, none on the others."""
    there = random.random((n, 3)) < 0.4
    return np.asarray(there * (MEANS / 0.4 + 0.5 * random.normal(size=(n, 3))))


AMOUNTS: Mapping[str, Amounts] = {
    "normal amounts": lambda random, n: MEANS + random.normal(size=(n, 3)),
    "heavy tails (t₃)": lambda random, n: MEANS + random.standard_t(3, size=(n, 3)),
    "exponential amounts": lambda random, n: MEANS + random.exponential(size=(n, 3)) - 1,
    "lognormal amounts": _lognormal,
    "amounts on two of five data sets": _mostly_zero,
}
"""What components add on each data set, by name; their means are MEANS."""

KEPT = ("normal amounts", "heavy tails (t₃)", "exponential amounts")


@dataclass(frozen=True, slots=True)
class Components:
    """Three components on ``datasets`` data sets, which add amounts of one kind."""

    amounts: str
    datasets: int

    def scores(self, random: np.random.Generator) -> FloatArray:
        """The scores of all combinations (columns) on each data set."""
        n = self.datasets
        added = AMOUNTS[self.amounts](random, n) @ ON.T
        both = (TOGETHER + APART * random.normal(size=(n, 1))) * (ON[:, 0] * ON[:, 1])
        return np.asarray(random.normal(size=(n, 1)) * 5 + added + both + SPLIT_NOISE * random.normal(size=added.shape))


def experiments() -> Iterator[Experiment]:
    """All kinds of amounts on 8 to 30 data sets, and inert components of quick learners."""
    for amounts, datasets in product(AMOUNTS, (8, 12, 20, 30)):
        world = Components(amounts, datasets)
        limits = {"bootstrap-t: all parts hold": HOLD, "bootstrap-t: all interactions hold": HOLD}
        name = f"{amounts}, 3 components × {datasets} data sets"
        yield Experiment("ablation", name, partial(_made, world), limits if amounts in KEPT else {})
    for learner, datasets in product(("1-NN", "LDA", "naive Bayes"), (8, 20)):
        yield on_learners(Factors(learner, 100), datasets)


def on_learners(factors: Factors, datasets: int) -> Experiment:
    """An experiment on two components of a learner, of which one is inert."""
    limits = {f"bootstrap-t: {CALLED}": Limit("at most", 0.05)}
    name = f"{factors.name}, {datasets} data sets"
    return Experiment("ablation", name, partial(_learned, factors, datasets), limits, block=50)


def _made(world: Components, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        found = divide_advantage(world.scores(generator), DESIGN, draws=DRAWS, seed=int(generator.integers(2**31)))
        plain = effects_on_splits(found.values, test_share=None)
        return {
            "bootstrap-t: all parts hold": _all_hold(found.parts, TRUTH),
            "bootstrap-t: all interactions hold": _all_hold(_pairs(found), PAIRS),
            "bootstrap-t: the whole holds": _all_hold(found.total, np.array([TRUTH.sum()])),
            "t, Bonferroni: all parts hold": _all_hold(plain, TRUTH),
            f"bootstrap-t: {CALLED}": bool(found.parts.active()[2]),
            "bootstrap-t: the largest part is called": bool(found.parts.active()[0]),
        }

    return count_claims(one, runs)


def _learned(factors: Factors, datasets: int, generator: np.random.Generator, runs: int) -> Counts:
    design = {"block": [a for a, _ in SETTINGS], "second": [b for _, b in SETTINGS]}

    def one() -> dict[str, bool]:
        shifts = generator.uniform(*SHIFTS, size=datasets)
        scores = np.stack([factors.scores(generator, 1, shift).mean(axis=1) for shift in shifts])
        found = divide_advantage(scores, design, draws=DRAWS, seed=int(generator.integers(2**31)))
        inert, active = found.parts.active()
        return {
            f"bootstrap-t: {CALLED}": bool(inert),
            "bootstrap-t: an interaction with it is called": bool(_pairs(found).active()[0]),
            "bootstrap-t: the active component is called": bool(active),
        }

    return count_claims(one, runs)


def _pairs(found: AdvantageParts) -> Effects:
    assert found.interactions is not None
    return found.interactions


def _all_hold(effects: Effects, truth: FloatArray) -> bool:
    return all(value in interval for value, interval in zip(truth.tolist(), effects.intervals, strict=True))
