"""The power of tests of counts at a given n and effect, from binomial distributions."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from scipy.special import bdtr, gammaln

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number
from fairtrial.stats.power.designs import Design, Tails, largest_change, no_rejection_note
from fairtrial.stats.score_arrays import FloatArray, IntArray

BLOCK = 1024  # numbers of disagreements whose sign tests are computed at once


class Proportion(Design):
    """The exact binomial test of a proportion."""

    name, unit, fewest, counts = "binomial_test", "instances", 1, True
    needs: ClassVar[tuple[str, ...]] = ("proportion",)
    meaning = "difference between the true proportion and that of the null hypothesis"

    @property
    def null(self) -> float:
        """The proportion of the null hypothesis."""
        return self.proportion

    def tails(self, n: float, effect: float) -> Tails:
        lower, upper = self._rejections(np.array([n]), effect)
        return self.relevant_tails(float(lower[0]), float(upper[0]), effect)

    def powers(self, n: IntArray, effect: float) -> FloatArray:
        return _chosen(self.sides(effect), self._rejections(n, effect))

    def _rejections(self, n: Any, effect: float) -> tuple[FloatArray, FloatArray]:
        return _binomial_tails(n, self.null, min(max(self.null + effect, 0.0), 1.0), self.tail_level)

    def largest_effect(self, sign: float) -> float:
        return largest_change(self.proportion, sign)


class Sign(Proportion):
    """The sign test."""

    name, unit = "sign_test", "data sets without ties"
    needs: ClassVar[tuple[str, ...]] = ()
    meaning = "probability that the first method wins, minus one half"

    @property
    def null(self) -> float:
        return 0.5

    def largest_effect(self, sign: float) -> float:  # noqa: ARG002
        return 0.5

    def notes(self, n: float) -> tuple[str, ...]:
        never = 2.0**-n >= self.tail_level * (1 - 1e-9)
        return (no_rejection_note(n, self.level),) if never else ()


class McNemar(Design):
    """McNemar's exact test."""

    name, unit, needs, fewest, counts = "mcnemar", "instances", ("disagreement",), 1, True
    meaning = "difference of the two accuracies"

    def tails(self, n: float, effect: float) -> Tails:
        """The power averaged over the number of disagreements, which is binomial; given it, the test is a sign test."""
        m = self._disagreements(int(n), int(n))
        below = np.concatenate([[bdtr(m[0] - 1, n, self.disagreement) if m[0] else 0.0], bdtr(m, n, self.disagreement)])
        lower, upper = self._rejections(m, effect)
        weights = np.diff(below)
        return self.relevant_tails(float(weights @ lower), float(weights @ upper), effect)

    def powers(self, n: IntArray, effect: float) -> FloatArray:
        """The power at each n, from logarithms of binomial probabilities, which have fewer digits than their sums."""
        if self.disagreement == 1:
            return super().powers(n, effect)
        m = self._disagreements(int(n.min()), int(n.max()))
        agreements = n[:, None] - m
        ways = gammaln(n + 1)[:, None] - gammaln(m + 1) - gammaln(np.maximum(agreements, 0) + 1)
        logs = ways + m * math.log(self.disagreement) + agreements * math.log1p(-self.disagreement)
        rejected = _chosen(self.sides(effect), self._rejections(m, effect))
        return np.asarray(np.exp(np.where(agreements < 0, -np.inf, logs)) @ rejected)

    def _disagreements(self, least: int, most: int) -> IntArray:
        """The numbers of disagreements that occur for numbers of instances from ``least`` to ``most``."""
        spread = 9 * math.sqrt(most * self.disagreement * (1 - self.disagreement)) + 9
        first, last = math.floor(least * self.disagreement - spread), math.ceil(most * self.disagreement + spread)
        return np.arange(max(0, first), min(most, last) + 1)

    def _rejections(self, m: IntArray, effect: float) -> tuple[FloatArray, FloatArray]:
        """The probabilities that the sign test of m disagreements rejects, for each m: blocks are kept for other n."""
        share = min(max(0.5 + effect / self.disagreement / 2, 0.0), 1.0)
        first, last = int(m[0]) // BLOCK, int(m[-1]) // BLOCK
        parts = [_sign_tails(block, share, self.tail_level) for block in range(first, last + 1)]
        lower, upper = (np.concatenate(side) for side in zip(*parts, strict=True))
        return lower[m - first * BLOCK], upper[m - first * BLOCK]

    def largest_effect(self, sign: float) -> float:  # noqa: ARG002
        if not 0 < number(self.disagreement) <= 1:
            raise InputError(
                "disagreement must be the share of instances on which exactly one is right, above 0 and at most 1, "
                f"got {self.disagreement!r}"
            )
        return self.disagreement


def _chosen(sides: tuple[bool, bool], tails: tuple[FloatArray, FloatArray]) -> FloatArray:
    """The sum of the tails that count."""
    return sides[0] * tails[0] + sides[1] * tails[1]


def _binomial_tails(n: Any, null: float, true: float, allowed: float) -> tuple[FloatArray, FloatArray]:
    """For each n, the probabilities that the exact test rejects because of too few and of too many successes."""
    low, high = _critical_below(n, null, allowed), _critical_below(n, 1 - null, allowed)
    return _at_most(low, n, true), _at_most(high, n, 1 - true)


def _at_most(k: FloatArray, n: Any, p: float) -> FloatArray:
    if p in (0.0, 1.0):
        return np.where(k >= (n if p else 0), 1.0, 0.0)
    return np.where(k < 0, 0.0, bdtr(np.clip(k, 0, n), n, p))


def _critical_below(n: Any, p: float, allowed: float) -> FloatArray:
    """The largest k with P(X ≤ k) below ``allowed``; −1 if there is none."""
    from scipy.stats import binom

    k = binom.ppf(allowed, n, p)  # the smallest k with P(X ≤ k) ≥ allowed
    return np.asarray(np.where(_at_most(k, n, p) < allowed * (1 - 1e-12), k, k - 1))


@lru_cache(maxsize=256)
def _sign_tails(block: int, share: float, allowed: float) -> tuple[FloatArray, FloatArray]:
    """The probabilities that sign tests of a block of sizes reject, below and above."""
    return _binomial_tails(np.arange(block * BLOCK, (block + 1) * BLOCK), 0.5, share, allowed)
