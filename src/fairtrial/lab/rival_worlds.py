"""Dietterich's null: two different learners of equal expected accuracy, on the same instances.

The nearest neighbour sees the features. Linear discriminants see the same features with noise, so much of it that both
have the same expected accuracy at this number of training instances.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fairtrial.lab.experiment import Experiment
from fairtrial.lab.learner_worlds import EXPECTED, FEATURES, compared, halved
from fairtrial.lab.learners import draw_folds, fold_scores, linear_discriminant, one_nearest
from fairtrial.stats.score_arrays import FloatArray

SHIFT = 0.35


@dataclass(frozen=True, slots=True)
class Rivals:
    """1-nearest-neighbour against linear discriminants on ``n`` instances."""

    n: int
    folds: int

    @property
    def name(self) -> str:
        return f"1-NN against LDA, n = {self.n:,}, {self.folds}-fold"

    @property
    def level(self) -> float | None:
        return EXPECTED.get(("1-NN", self.n, self.folds, SHIFT))

    @property
    def noise(self) -> float:
        """The standard deviation of the noise that linear discriminants see."""
        return math.sqrt((SHIFT / SHIFT_LEFT[self.n, self.folds]) ** 2 - 1)

    def scores(self, generator: np.random.Generator, repeats: int) -> FloatArray:
        y = generator.permutation(np.arange(self.n) % 2)
        folds = draw_folds(generator, y, repeats, self.folds)
        clear = generator.normal(size=(self.n, FEATURES)) + SHIFT * (2 * y[:, None] - 1)
        noisy = clear + self.noise * generator.normal(size=clear.shape)
        right = one_nearest(clear, y, folds), linear_discriminant(noisy, y, folds)
        return np.stack([fold_scores(r, folds) for r in right])


def experiments() -> Iterator[Experiment]:
    """Two sizes, each cross-validated and halved five times."""
    for n in (100, 300):
        yield compared(Rivals(n, 10))
        yield halved(Rivals(n, 2))


SHIFT_LEFT: dict[tuple[int, int], float] = {
    (100, 10): 0.2285,
    (300, 10): 0.2230,
    (100, 2): 0.2375,
    (300, 2): 0.2242,
}
"""The distance between the classes (in standard deviations with noise, halved) that makes both equally accurate.

By number of instances and folds. They were found by simulation: the expected accuracies differ by about 0.001 at most.
"""
