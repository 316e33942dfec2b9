"""Factors of which some are inert by construction, on real learners: how often an effect is called that is not there.

The null is exact. The features are blocks that are exchangeable, given the class, and an inert factor chooses the
block that the learner sees. So its levels have the same expected accuracy, at every level of the other factor: its
main effect and its interactions are zero. The other factor is active (2 or all 5 features of the block), or chooses
between blocks as well, so that no factor matters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.learner_worlds import FEATURES, LEARNERS, QUICK, REPEATS, draw_folds, fold_scores, recommended
from fairtrial.lab.score_worlds import count_claims
from fairtrial.stats import Effects, effects_on_splits, effects_over_datasets, factorial_model
from fairtrial.stats.score_arrays import FloatArray

FOLDS = 10
FEWER = 2  # features of a block that the low level of the active factor takes
SHIFTS = (0.1, 0.6)  # data sets differ: from nearly nothing to learn to much
SETTINGS = tuple(product((0, 1), (0, 1)))  # levels of "block" and of the second factor
MODEL = factorial_model({"block": [2 * a - 1 for a, _ in SETTINGS], "second": [2 * b - 1 for _, b in SETTINGS]})
NAMES = [contrast.name for contrast in MODEL.contrasts]
BLOCK, SECOND, BOTH = (NAMES.index(name) for name in ("block", "second", "block × second"))
ERRORS = Limit("at most", 0.05)
CALLED = "an inert effect is called"


@dataclass(frozen=True, slots=True)
class Factors:
    """A learner on ``n`` instances at four settings of two factors; ``active`` says whether the second one matters."""

    learner: str
    n: int
    active: bool = True

    @property
    def name(self) -> str:
        return f"{self.learner}, n = {self.n:,}, {'one factor of two is inert' if self.active else 'no factor matters'}"

    @property
    def inert(self) -> list[int]:
        """The effects that are zero by construction."""
        return [BLOCK, BOTH] if self.active else [BLOCK, SECOND, BOTH]

    def scores(self, generator: np.random.Generator, repeats: int, shift: float) -> FloatArray:
        """The accuracy in each fold (columns; all repeats) at each setting (rows), on a data set that is drawn anew."""
        y = generator.permutation(np.arange(self.n) % 2)
        folds = draw_folds(generator, y, repeats, FOLDS)
        blocks = generator.normal(size=(len(SETTINGS), self.n, FEATURES)) + shift * (2 * y[:, None] - 1)
        seen = [blocks[a, :, : FEATURES if b else FEWER] if self.active else blocks[2 * a + b] for a, b in SETTINGS]
        return np.stack([fold_scores(LEARNERS[self.learner](x, y, folds), folds).ravel() for x in seen])


def experiments() -> Iterator[Experiment]:
    """All learners over data sets and on one; trees, which take 30 times as long, only in the smaller form."""
    for learner, datasets, active in product(QUICK, (8, 20), (True, False)):
        if learner != "tree" or datasets == 8:
            yield over_datasets(Factors(learner, 100, active), datasets)
    for learner, n, active in product(QUICK, (100, 300), (True, False)):
        if learner != "tree" or n == 100:
            yield on_one(Factors(learner, n, active))


def over_datasets(factors: Factors, datasets: int) -> Experiment:
    """An experiment on effects over data sets, each of which has one mean of 10 folds for each setting."""
    claim = f"effects over data sets: {CALLED}"
    world = f"{factors.name}, {datasets} data sets"
    return Experiment("effects", world, partial(_over_datasets, factors, datasets), {claim: ERRORS}, block=50)


def on_one(factors: Factors) -> Experiment:
    """An experiment on effects on one data set, by 10-fold and by repeated 10-fold cross-validation."""
    limits = {f"{scheme}, factor {factor:g}: {CALLED}": ERRORS for scheme, _, factor in SCHEMES}
    return Experiment("effects", f"{factors.name}, one data set", partial(_on_one, factors), limits, block=50)


SCHEMES = ((f"{FOLDS}-fold", 1, 1.0), (f"{REPEATS}×{FOLDS}-fold", REPEATS, recommended(REPEATS, FOLDS)))
"""Name, repeats and the factor by which test/train is multiplied in the variance of an effect."""


def _over_datasets(factors: Factors, datasets: int, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        shifts = generator.uniform(*SHIFTS, size=datasets)
        scores = np.stack([factors.scores(generator, 1, shift).mean(axis=1) for shift in shifts])
        seed = int(generator.integers(2**31))
        return _claims("effects over data sets", factors, effects_over_datasets(MODEL.values(scores), seed=seed))

    return count_claims(one, runs)


def _on_one(factors: Factors, generator: np.random.Generator, runs: int) -> Counts:
    """The repeats of the shorter scheme are the first ones of the longer. The plain t-test is that over folds."""

    def one() -> dict[str, bool]:
        scores = factors.scores(generator, REPEATS, 0.35)
        claims: dict[str, bool] = {}
        for scheme, repeats, factor in SCHEMES:
            values = MODEL.values(scores[:, : repeats * FOLDS].T)
            corrected = effects_on_splits(values, test_share=1 / FOLDS, overlap=factor)
            claims |= _claims(f"{scheme}, factor {factor:g}", factors, corrected)
            plain = effects_on_splits(values, test_share=None)
            claims[f"{scheme}, plain t-test: {CALLED}"] = bool(plain.active()[factors.inert].any())
        return claims

    return count_claims(one, runs)


def _claims(procedure: str, factors: Factors, effects: Effects) -> dict[str, bool]:
    active = effects.active()
    claims = {f"{procedure}: {CALLED}": bool(active[factors.inert].any())}
    if factors.active:
        claims[f"{procedure}: the active factor is called"] = bool(active[SECOND])
    return claims
