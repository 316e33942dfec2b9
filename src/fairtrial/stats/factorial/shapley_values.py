"""Shapley values and interaction indices of on/off combinations, as weighted sums of their scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.factorial.coded_factors import Design, FactorColumn, factor_columns
from fairtrial.stats.score_arrays import FloatArray, unit_of
from fairtrial.words import listed, part_of, plural, verb

MOST_COMPONENTS = 12  # 4,096 combinations; more are never run in full

Weights: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Combinations:
    """All combinations of components that are off or on, by the columns of a table of scores.

    ``order`` has, for each combination as a binary number (the first component is its lowest bit), the column of its
    scores. All weights are whole numbers over a common denominator, so that parts add up to the whole.
    """

    components: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def k(self) -> int:
        return len(self.components)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of components by number, in order."""
        return tuple(combinations(range(self.k), 2))

    def total(self, scores: FloatArray) -> FloatArray:
        """The score with all components less that with none, in each row."""
        own = self._sorted(scores)
        return np.asarray(own[:, -1] - own[:, 0])

    def shapley(self, scores: FloatArray) -> FloatArray:
        """The Shapley value of each component (columns) in each row."""
        return self._weighed(scores, [self._shapley_weights(i) for i in range(self.k)], factorial(self.k))

    def interactions(self, scores: FloatArray) -> FloatArray:
        """The Shapley interaction index of each pair of components (columns) in each row."""
        return self._weighed(scores, [self._pair_weights(i, j) for i, j in self.pairs], factorial(max(self.k - 1, 1)))

    def first_added(self, scores: FloatArray) -> FloatArray:
        """What each component alone adds to none."""
        own = self._sorted(scores)
        return np.stack([own[:, 1 << i] - own[:, 0] for i in range(self.k)], axis=1)

    def last_added(self, scores: FloatArray) -> FloatArray:
        """What each component adds to all the others: what is lost without it."""
        own = self._sorted(scores)
        whole = len(self.order) - 1
        return np.stack([own[:, whole] - own[:, whole ^ (1 << i)] for i in range(self.k)], axis=1)

    def _sorted(self, scores: FloatArray) -> FloatArray:
        return scores[:, list(self.order)]

    def _weighed(self, scores: FloatArray, weights: Sequence[Weights], denominator: int) -> FloatArray:
        if not weights:
            return np.empty((len(scores), 0))
        unit = unit_of(scores)
        own = self._sorted(scores) / unit
        centred = own - own[:, :1]  # all weights sum to 0; without the level of the row less is lost to rounding
        shares = np.array(weights, dtype=float).T / denominator
        return np.asarray(centred @ shares * unit)

    def _shapley_weights(self, i: int) -> Weights:
        """k! times the weight of each combination in the Shapley value of a component."""
        k, found = self.k, np.zeros(1 << self.k, dtype=np.int64)
        for without in self._subsets(1 << i):
            size = without.bit_count()
            weight = factorial(size) * factorial(k - size - 1)
            found[without | 1 << i] += weight
            found[without] -= weight
        return found

    def _pair_weights(self, i: int, j: int) -> Weights:
        """(k − 1)! times the weight of each combination in the interaction index of two components."""
        k, found = self.k, np.zeros(1 << self.k, dtype=np.int64)
        for without in self._subsets(1 << i | 1 << j):
            size = without.bit_count()
            weight = factorial(size) * factorial(k - size - 2)
            found[[without | 1 << i | 1 << j, without]] += weight
            found[[without | 1 << i, without | 1 << j]] -= weight
        return found

    def _subsets(self, absent: int) -> Iterator[int]:
        """The combinations in which none of some components is on."""
        return (number for number in range(1 << self.k) if not number & absent)


def combinations_of(components: Design, names: Sequence[str] | None = None) -> Combinations:
    """Check that the columns of a table of settings are all combinations of components that are off or on.

    >>> found = combinations_of({"tuning": [0, 1, 0, 1], "encoding": [0, 0, 1, 1]})
    >>> found.shapley(np.array([[70.0, 75.0, 71.0, 80.0]])).tolist()
    [[7.0, 3.0]]
    """
    columns = factor_columns(components, names, None)
    if len(columns) > MOST_COMPONENTS:
        raise InputError(
            f"at most {MOST_COMPONENTS} components can be told apart by all their combinations, got {len(columns)}; "
            "take several together as one component"
        )
    switched = np.stack([_on(column) for column in columns])
    number = (switched * (1 << np.arange(len(columns)))[:, None]).sum(axis=0).tolist()
    own = tuple(column.name for column in columns)
    _check_complete(own, number)
    return Combinations(own, tuple(number.index(i) for i in range(1 << len(columns))))


def _on(column: FactorColumn) -> npt.NDArray[np.int64]:
    """Whether a component is on in each setting."""
    steps = column.steps(column.present).tolist() if column.levels is None else list(column.levels)
    if not column.present.all() or steps not in ([0, 1], [-1, 1], ["False", "True"], [0], [1], [-1]):
        raise InputError(
            f"component {column.name!r} must be 0 (off) or 1 (on) in each setting, or −1 and 1, or false and true, "
            f"got {listed(steps)}"
        )
    return np.asarray(column.values > 0, dtype=np.int64)


def _check_complete(components: Sequence[str], numbers: Sequence[int]) -> None:
    """Refuse settings that are not all combinations, each once."""
    twice = sorted({n for n in numbers if numbers.count(n) > 1})
    if twice:
        raise InputError(
            f"each combination of components must occur once, but {_in_words(components, twice[0])} occurs "
            f"{numbers.count(twice[0])} times; average its scores before"
        )
    every = 1 << len(components)
    missing = [n for n in range(every) if n not in numbers]
    if missing:
        shown = listed([_in_words(components, n) for n in missing])
        raise InputError(
            f"an ablation needs all {plural(every, 'combination')} of {plural(len(components), 'component')}, but "
            f"{part_of(len(missing), every, 'combination')} {verb(len(missing), 'is', 'are')} missing ({shown}); run "
            "all combinations, or take fewer components"
        )


def _in_words(components: Sequence[str], number: int) -> str:
    """A combination in words: the components that are on.

    >>> _in_words(("tuning", "encoding"), 2), _in_words(("tuning", "encoding"), 0)
    ('encoding', 'none')
    """
    return " + ".join(name for i, name in enumerate(components) if number >> i & 1) or "none"
