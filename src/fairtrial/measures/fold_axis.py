"""Sums and means in each fold, for all folds at once, along the leading axis of every measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> FloatArray:
    """Divide element by element; a division by 0 gives nan (undefined), without a warning.

    >>> ratio([1.0, 0.0], [4.0, 0.0])
    array([0.25,  nan])
    """
    try:
        if np.iscomplexobj(numerator) or np.iscomplexobj(denominator):
            raise TypeError("complex numbers have no order")
        top, bottom = np.asarray(numerator, float), np.asarray(denominator, float)
        out = np.full(np.broadcast_shapes(top.shape, bottom.shape), np.nan)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise InputError(f"numerator and denominator must be numbers of one shape, but numpy says: {error}") from None
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # of infinite numbers, and beyond 1.8e308
        np.divide(top, bottom, out=out, where=bottom != 0)
    return out


def numbered_kinds(numbers: NDArray[np.integer[Any]]) -> tuple[NDArray[np.int64], IntArray]:
    """The different whole numbers from 0, ascending, and which of them each is; counted where they are small.

    >>> [found.tolist() for found in numbered_kinds(np.array([4, 0, 4]))]
    [[0, 4], [1, 0, 1]]
    """
    if numbers.max(initial=0) > 4 * len(numbers):
        kinds, which = np.unique(numbers, return_inverse=True)
        return kinds.astype(np.int64), which.reshape(-1)
    there = np.bincount(numbers) > 0
    return np.flatnonzero(there), (np.cumsum(there) - 1)[numbers]


STRETCH = 2**15
"""Number of instances that are processed at a time: few enough for the processor's cache."""


def stretches(n: int) -> Iterator[slice]:
    """Cut ``n`` instances into stretches: new memory for all of them at once costs more time than the arithmetic."""
    return (slice(first, first + STRETCH) for first in range(0, n, STRETCH))


@dataclass(frozen=True, slots=True, eq=False)
class Folds:
    """The fold of each instance; ``index`` is None if there is only one fold.

    >>> Folds.of([0, 2, 2], n=3).sum(np.array([5.0, 1.0, 2.0]))  # fold 1 is empty
    array([5., 0., 3.])
    """

    index: IntArray | None
    count: int
    n: int

    @classmethod
    def of(cls, folds: ArrayLike | None, n: int) -> Folds:
        """Check the fold numbers 0, 1, … of ``n`` instances; None means one fold."""
        if folds is None:
            return cls(None, 1, n)
        index = np.asarray(folds)
        if index.shape != (n,) or index.dtype.kind not in "iu" or index.min() < 0:
            raise InputError(f"folds must be {n} whole numbers from 0, one per instance, got {index!r}")
        count = int(index.max()) + 1
        return cls(index.astype(np.intp, copy=False) if count > 1 else None, count, n)

    def spread(self, per_fold: FloatArray) -> FloatArray:
        """The value of its fold for each instance; with one fold a single value, which broadcasts."""
        return per_fold if self.index is None else per_fold[self.index]

    def sum(self, values: FloatArray) -> FloatArray:
        """The sum in each fold; 0 for an empty fold."""
        if self.index is None:
            return np.array([values.sum()])
        return np.asarray(np.bincount(self.index, weights=values, minlength=self.count), float)

    def mean(self, values: FloatArray, weights: FloatArray | None) -> FloatArray:
        """The mean in each fold, perhaps weighted; nan for a fold without weight."""
        return self.mean_parts(values.__getitem__, weights)

    def mean_parts(self, values: Callable[[slice], FloatArray], weights: FloatArray | None) -> FloatArray:
        """The mean in each fold of values that a function makes for a slice of the instances at a time."""
        sums = np.zeros(self.count)
        for part in stretches(self.n) if self.count < STRETCH else (slice(0, self.n),):
            own = values(part) if weights is None else values(part) * weights[part]
            sums += own.sum() if self.index is None else np.bincount(self.index[part], own, self.count)
        return ratio(sums, self.sizes() if weights is None else self.sum(weights))

    def sizes(self) -> IntArray:
        """Number of instances in each fold."""
        return np.array([self.n]) if self.index is None else np.bincount(self.index, minlength=self.count)

    def tally(self, codes: IntArray, size: int, weights: FloatArray | None) -> FloatArray:
        """Count (or sum the weights of) each code 0 … size − 1 in each fold: shape (folds, size)."""
        return self.tally_parts(codes.__getitem__, size, weights)

    def tally_parts(self, codes: Callable[[slice], IntArray], size: int, weights: FloatArray | None) -> FloatArray:
        """Count codes that a function makes for a slice of the instances at a time: shape (folds, size)."""
        few = self.count * size < STRETCH
        counts = np.zeros(self.count * size)
        for part in stretches(self.n) if few else (slice(0, self.n),):
            cells = codes(part) if self.index is None else self.index[part] * size + codes(part)
            counts += np.bincount(cells, weights=None if weights is None else weights[part], minlength=len(counts))
        return counts.reshape(self.count, size)

    def first(self, values: FloatArray) -> FloatArray:
        """The first value of each fold; nan for an empty fold."""
        if self.index is None:
            return values[:1]
        out = np.full(self.count, np.nan)
        out[self.index[::-1]] = values[::-1]  # with repeated indices, the last assignment wins
        return out
