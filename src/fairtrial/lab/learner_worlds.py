"""Two equal learners on one data set, cross-validated: how often a difference is called that is not there.

The null is exact. The features are two blocks that are exchangeable, given the class; the same learner sees the first
block, and as the second method the other block. So both have the same expected accuracy, for every training size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
from scipy.special import stdtrit

from fairtrial.lab.experiment import Counts, Experiment, Limit
from fairtrial.lab.learners import LEARNERS, draw_folds, fold_scores
from fairtrial.lab.score_worlds import count_claims
from fairtrial.resampling import Dependence
from fairtrial.stats import five_by_two_f, five_by_two_t
from fairtrial.stats.score_arrays import FloatArray

FEATURES = 5  # in each block
REPEATS = 10
FACTORS = (1.0, 1.5, 1.75, 2.0)
"""What test/train is multiplied by in the variance of a mean over repeated folds."""

RECOMMENDED = Dependence("10x10-fold", repeats=10, folds=10).overlap
FAMILY = 20  # data sets or pairs that are judged together: each at 0.05/20
PLAIN = "plain paired t-test"  # the correction with factor 0
ERRORS = Limit("at most", 0.05)
RARE = Limit("at most", 0.05 / FAMILY)
COVERAGE = Limit("at least", 0.93)


class Pair(Protocol):
    """Two methods of equal expected accuracy, cross-validated on one data set."""

    @property
    def name(self) -> str: ...

    @property
    def folds(self) -> int: ...

    @property
    def level(self) -> float | None:
        """The expected accuracy of the first method, where it is known."""
        ...

    def scores(self, generator: np.random.Generator, repeats: int) -> FloatArray:
        """The accuracy of both methods (first axis) in each fold (last) of each repeat."""
        ...


@dataclass(frozen=True, slots=True)
class Blocks:
    """A learner on ``n`` instances whose classes lie ``2·shift`` standard deviations apart in each feature."""

    learner: str
    n: int
    folds: int
    shift: float = 0.35

    @property
    def name(self) -> str:
        chance = ", near chance" if self.shift < 0.2 else ""
        return f"{self.learner}, n = {self.n:,}, {self.folds}-fold{chance}"

    @property
    def level(self) -> float | None:
        return EXPECTED.get((self.learner, self.n, self.folds, self.shift))

    def scores(self, generator: np.random.Generator, repeats: int) -> FloatArray:
        y = generator.permutation(np.arange(self.n) % 2)
        folds = draw_folds(generator, y, repeats, self.folds)
        blocks = generator.normal(size=(2, self.n, FEATURES)) + self.shift * (2 * y[:, None] - 1)
        return np.stack([fold_scores(LEARNERS[self.learner](x, y, folds), folds) for x in blocks])


def experiments() -> Iterator[Experiment]:
    """All learners, sizes and numbers of folds; last 5×2-fold cross-validation."""
    for learner in LEARNERS:
        for n in (100, 300, 1000):
            for folds in (10, 5):
                yield compared(Blocks(learner, n, folds))
        yield compared(Blocks(learner, 100, 10, shift=0.1))
    for learner in LEARNERS:
        for n in (100, 300):
            yield halved(Blocks(learner, n, 2))


def compared(pair: Pair) -> Experiment:
    """An experiment on the corrected t-test, of a single k-fold and of repeats."""
    limits = {
        _claim("a difference", 1, pair.folds, 1.0): ERRORS,
        _claim("the level is covered", 1, pair.folds, 1.0): COVERAGE,
    }
    for repeats in (3, REPEATS):
        limits[_claim("a difference", repeats, pair.folds, RECOMMENDED)] = ERRORS
        limits[_claim("a difference", repeats, pair.folds, RECOMMENDED, rare=True)] = RARE
        limits[_claim("the level is covered", repeats, pair.folds, RECOMMENDED)] = COVERAGE
    return Experiment("one data set", pair.name, partial(simulate, pair), limits, block=50)


def halved(pair: Pair) -> Experiment:
    """An experiment on the tests of five repeats of 2-fold cross-validation, which no rule recommends."""
    return Experiment("one data set", pair.name, partial(_five_by_two, pair), block=50)


def _claim(what: str, repeats: int, folds: int, factor: float, *, rare: bool = False) -> str:
    scheme = f"{repeats}×{folds}-fold" if repeats > 1 else f"{folds}-fold"
    return f"{scheme}, {f'factor {factor:g}' if factor else PLAIN}: {what}{f' at 0.05/{FAMILY}' if rare else ''}"


def simulate(pair: Pair, generator: np.random.Generator, runs: int) -> Counts:
    """Count the differences that the corrected t-test calls, with each factor, and the levels that it covers.

    The repeats of a shorter scheme are the first ones of the longer. Factor 0 is the plain paired t-test over folds.
    """
    scores = np.stack([pair.scores(generator, REPEATS) for _ in range(runs)])
    counts: Counts = {}
    for repeats in (1, 3, REPEATS):
        part = scores[:, :, :repeats].reshape(runs, 2, -1)
        d = part[:, 0] - part[:, 1]
        for factor in FACTORS:
            for alpha, rare in ((0.05, False), (0.05 / FAMILY, True)):
                found = rejects(d, pair.folds, factor, alpha)
                counts[_claim("a difference", repeats, pair.folds, factor, rare=rare)] = (int(found.sum()), runs)
            if pair.level is not None:
                missed = rejects(part[:, 0] - pair.level, pair.folds, factor, 0.05)
                held = int(runs - missed.sum())
                counts[_claim("the level is covered", repeats, pair.folds, factor)] = (held, runs)
        naive = rejects(d, pair.folds, 0.0, 0.05)
        counts[_claim("a difference", repeats, pair.folds, 0.0)] = (int(naive.sum()), runs)
    means = (scores[:, 0] - scores[:, 1]).mean(axis=2)
    plain = rejects(means, pair.folds, 0.0, 0.05)
    counts[f"{REPEATS}×{pair.folds}-fold, t over the means of repeats: a difference"] = (int(plain.sum()), runs)
    return counts


def rejects(d: FloatArray, folds: int, factor: float, alpha: float) -> FloatArray:
    """Whether the mean of each row differs from 0, by t with the variance (1/J + factor · test/train) · s²."""
    j = d.shape[1]
    error = np.sqrt((1 / j + factor / (folds - 1)) * d.var(axis=1, ddof=1))
    mean = np.abs(d.mean(axis=1))
    t = np.divide(mean, error, out=np.where(mean > 0, math.inf, 0.0), where=error > 0)
    return np.asarray(t > -stdtrit(j - 1, alpha / 2), dtype=np.float64)


def _five_by_two(pair: Pair, generator: np.random.Generator, runs: int) -> Counts:
    """The combined 5×2 cv F-test, which is liberal for 1-NN and near chance, and the 5×2 cv t-test."""

    def one() -> dict[str, bool]:
        a, b = pair.scores(generator, 5)
        return {
            "5×2 cv F: a difference": five_by_two_f(a - b).p_value < 0.05,
            "5×2 cv t: a difference": five_by_two_t(a - b).p_value < 0.05,
        }

    return count_claims(one, runs)


EXPECTED: dict[tuple[str, int, int, float], float] = {
    ("1-NN", 100, 10, 0.35): 0.6755,
    ("1-NN", 100, 5, 0.35): 0.6745,
    ("1-NN", 300, 10, 0.35): 0.6846,
    ("1-NN", 300, 5, 0.35): 0.6830,
    ("1-NN", 1000, 10, 0.35): 0.6906,
    ("1-NN", 1000, 5, 0.35): 0.6902,
    ("1-NN", 100, 10, 0.1): 0.5191,
    ("LDA", 100, 10, 0.35): 0.7693,
    ("LDA", 100, 5, 0.35): 0.7667,
    ("LDA", 300, 10, 0.35): 0.7787,
    ("LDA", 300, 5, 0.35): 0.7776,
    ("LDA", 1000, 10, 0.35): 0.7814,
    ("LDA", 1000, 5, 0.35): 0.7811,
    ("LDA", 100, 10, 0.1): 0.5608,
    ("naive Bayes", 100, 10, 0.35): 0.7647,
    ("naive Bayes", 100, 5, 0.35): 0.7621,
    ("naive Bayes", 300, 10, 0.35): 0.7775,
    ("naive Bayes", 300, 5, 0.35): 0.7762,
    ("naive Bayes", 1000, 10, 0.35): 0.7811,
    ("naive Bayes", 1000, 5, 0.35): 0.7808,
    ("naive Bayes", 100, 10, 0.1): 0.5510,
    ("tree", 100, 10, 0.35): 0.6616,
    ("tree", 100, 5, 0.35): 0.6598,
    ("tree", 300, 10, 0.35): 0.6729,
    ("tree", 300, 5, 0.35): 0.6725,
}
"""The expected accuracy of a learner, by number of instances, folds and shift: the mean of 700 runs or more.

Its Monte Carlo error is about 0.001 at most. The worlds that are not here have no rows on intervals of levels.
"""
