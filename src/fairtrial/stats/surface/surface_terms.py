"""The terms of a response surface of first or second order: their columns, names and derivatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fairtrial.stats.factorial.model_terms import TIMES
from fairtrial.stats.score_arrays import FloatArray

MEAN, FIRST, TWO_WAY, QUADRATIC = "middle", "first order", "two-way", "pure quadratic"


@dataclass(frozen=True, slots=True)
class SurfaceTerms:
    """The terms of a surface over some factors: the height in the middle, slopes and, of order 2, curvature.

    >>> SurfaceTerms(("C", "gamma"), 2).labels
    ('middle', 'C', 'gamma', 'C × gamma', 'C²', 'gamma²')
    """

    names: tuple[str, ...]
    order: int = 2

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs of factors, by number."""
        return list(combinations(range(len(self.names)), 2)) if self.order == 2 else []

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the coefficients, in order."""
        crossed = (f"{self.names[i]}{TIMES}{self.names[j]}" for i, j in self.pairs)
        return (MEAN, *self.names, *crossed, *(f"{name}²" for name in self.names if self.order == 2))

    def groups(self) -> Iterator[tuple[str, slice]]:
        """The groups of coefficients after the middle: first order, two-way, pure quadratic."""
        k, m = len(self.names), len(self.pairs)
        yield FIRST, slice(1, 1 + k)
        if m:
            yield TWO_WAY, slice(1 + k, 1 + k + m)
        if self.order == 2:
            yield QUADRATIC, slice(1 + k + m, 1 + 2 * k + m)

    def columns(self, points: FloatArray) -> FloatArray:
        """The columns of the terms at points (rows) in coded units."""
        x = np.atleast_2d(points)
        parts = [np.ones((len(x), 1)), x, *(x[:, [i]] * x[:, [j]] for i, j in self.pairs)]
        return np.hstack([*parts, x**2] if self.order == 2 else parts)

    def slopes(self, point: FloatArray) -> FloatArray:
        """The matrix that turns coefficients into the slopes at a point: a row for each factor."""
        k = len(self.names)
        found = np.zeros((k, len(self.labels)))
        found[:, 1 : 1 + k] = np.eye(k)
        for place, (i, j) in enumerate(self.pairs, start=1 + k):
            found[i, place], found[j, place] = point[j], point[i]
        if self.order == 2:
            found[:, -k:] = 2 * np.diag(point)
        return found

    def first(self, coefficients: FloatArray) -> FloatArray:
        """The coefficients of first order."""
        return coefficients[1 : 1 + len(self.names)]

    def second(self, coefficients: FloatArray) -> FloatArray:
        """The symmetric matrix B of the second order, so that the height is b₀ + x'b + x'Bx; zero for order 1."""
        k = len(self.names)
        if self.order == 1:
            return np.zeros((k, k))
        found = np.diag(coefficients[-k:])
        for place, (i, j) in enumerate(self.pairs, start=1 + k):
            found[i, j] = found[j, i] = coefficients[place] / 2
        return found
