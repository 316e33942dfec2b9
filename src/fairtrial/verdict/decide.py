"""The one decision rule: what an interval and an adjusted p-value say about two methods."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.stats import Comparisons, Interval, Outcome
from fairtrial.stats.outcome import bound_if

__all__ = ["Decision", "Pair", "Sizes", "champion", "decide", "pair_up", "rank_sets", "sizes_of", "standing"]

Decision = Literal[
    "better by more than matters", "better, size open", "better but negligible", "equivalent", "undecided"
]


def decide(
    effect: Interval | None, different: bool, smallest_difference: float | None, narrow: Interval | None = None
) -> Decision:
    """The decision about two methods, for an effect that is positive where the first is better.

    ``narrow`` is the interval at level 1 − 2α: inside ±δ the two are equivalent (two one-sided tests).

    >>> decide(Interval("d", 0.03, 0.02, 0.04), True, 0.01)
    'better by more than matters'
    >>> decide(Interval("d", 0.001, -0.004, 0.006), False, 0.01, Interval("d", 0.001, -0.003, 0.005, 0.9))
    'equivalent'
    """
    if effect is None or math.isnan(effect.low):
        return "better, size open" if different else "undecided"
    delta = smallest_difference
    if different:
        size = sorted((abs(effect.low), abs(effect.high))) if effect.low * effect.high > 0 else (0.0, math.inf)
        if delta is not None and size[0] > delta:
            return "better by more than matters"
        if delta is not None and size[1] < delta:
            return "better but negligible"
        return "better, size open"
    if delta is not None and narrow is not None and -delta < narrow.low < narrow.high < delta:
        return "equivalent"
    return "undecided"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two methods by number; the effect is positive where the first is better."""

    first: int
    second: int
    effect: Interval | None
    p_value: float
    p_adjusted: float
    different: bool
    decision: Decision = "undecided"

    def swapped(self) -> Pair:
        """This pair, seen from the other method."""
        effect = None if self.effect is None else self.effect.negated()
        return replace(self, first=self.second, second=self.first, effect=effect)

    @property
    def winner(self) -> int | None:
        """The better method, where the tests find one."""
        if not self.different or self.effect is None or not abs(self.effect.estimate) > 0:
            return None
        return self.first if self.effect.estimate > 0 else self.second


Sizes = Sequence[tuple[Interval | None, Interval | None]]


def sizes_of(
    test: Callable[..., Outcome],
    columns: Sequence[NDArray[np.float64]],
    pairs: Sequence[tuple[int, int]],
    level: float,
    adjust: str,
) -> Sizes:
    """Intervals for how large the difference of each pair is, adjusted for the number of pairs (Bonferroni).

    The first, at level 1 − α/m, must lie beyond or inside ±δ for "more than matters" or "negligible"; the second, at
    1 − 2α/m, inside ±δ for "equivalent" (two one-sided tests).
    """
    alpha = (1 - level) / (1 if adjust == "none" else len(pairs))
    return [
        (
            test(columns[i], columns[j], level=1 - alpha).effect,
            test(columns[i], columns[j], level=1 - 2 * alpha).effect if alpha < 0.5 else None,
        )
        for i, j in pairs
    ]


def pair_up(
    comparisons: Comparisons, sign: float, delta: float | None = None, sizes: Sizes | None = None
) -> list[Pair]:
    """Comparisons as pairs oriented by the measure's direction, with what is decided about each."""
    pairs = []
    for n, ((i, j), outcome, p) in enumerate(
        zip(comparisons.pairs, comparisons.outcomes, comparisons.p_adjusted, strict=True)
    ):
        effect = _oriented(outcome.effect, sign)
        different = p < 1 - comparisons.level
        wide, narrow = (effect, None) if sizes is None else (_oriented(size, sign) for size in sizes[n])
        decision = decide(wide, different, delta, narrow)
        own, adjusted = (bound_if(value, outcome.at_floor) for value in (outcome.p_value, p))
        pairs.append(Pair(i, j, effect, own, adjusted, different, decision))
    return pairs


def _oriented(effect: Interval | None, sign: float) -> Interval | None:
    return effect if effect is None or sign > 0 else effect.negated()


def champion(pairs: Sequence[Pair], k: int) -> int | None:
    """The method that beats all others, if one does."""
    wins = [p.winner for p in pairs]
    return next((m for m in range(k) if wins.count(m) == k - 1 > 0), None)


def standing(pairs: Sequence[Pair], k: int, average_ranks: NDArray[np.float64]) -> list[int]:
    """Methods from best to worst: the one that beats all others, if one does, then by average rank."""
    first = champion(pairs, k)
    return sorted(range(k), key=lambda m: (m != first, average_ranks[m], m))


def rank_sets(pairs: Sequence[Pair], k: int) -> list[tuple[int, int]]:
    """The ranks of each method that the tests do not rule out: after all that beat it, before all that it beats."""
    better, worse = np.zeros(k, dtype=int), np.zeros(k, dtype=int)
    for pair in pairs:
        if (winner := pair.winner) is not None:
            loser = pair.second if winner == pair.first else pair.first
            better[loser] += 1
            worse[winner] += 1
    return [(int(1 + b), int(k - w)) for b, w in zip(better, worse, strict=True)]
