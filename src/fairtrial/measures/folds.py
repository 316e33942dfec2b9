"""Sums and means per fold, for all folds at once: what gives every measure its leading axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError

__all__ = ["FloatArray", "Folds", "IntArray", "ratio"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> FloatArray:
    """Element by element; 0 / 0 and anything else over 0 is undefined: nan, without a warning.

    >>> ratio([1.0, 0.0], [4.0, 0.0])
    array([0.25,  nan])
    """
    top, bottom = np.asarray(numerator, float), np.asarray(denominator, float)
    out = np.full(np.broadcast_shapes(top.shape, bottom.shape), np.nan)
    np.divide(top, bottom, out=out, where=bottom != 0)
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Folds:
    """Which instance belongs to which fold. ``index`` is None when there is just one.

    >>> Folds.of([0, 2, 2], n=3).sum(np.array([5.0, 1.0, 2.0]))  # fold 1 is empty
    array([5., 0., 3.])
    """

    index: IntArray | None
    count: int
    n: int

    @classmethod
    def of(cls, folds: ArrayLike | None, n: int) -> Folds:
        """From fold numbers 0, 1, … of the ``n`` instances; None is one fold."""
        if folds is None:
            return cls(None, 1, n)
        index = np.asarray(folds)
        if index.shape != (n,) or index.dtype.kind not in "iu" or index.min() < 0:
            raise InputError(f"folds must be {n} whole numbers from 0, one per instance, got {index!r}")
        count = int(index.max()) + 1
        return cls(index.astype(np.intp, copy=False) if count > 1 else None, count, n)

    def spread(self, per_fold: FloatArray) -> FloatArray:
        """Each instance gets the value of its fold (one fold: one value, which broadcasts)."""
        return per_fold if self.index is None else per_fold[self.index]

    def sum(self, values: FloatArray) -> FloatArray:
        """One sum per fold; an empty fold has 0."""
        if self.index is None:
            return np.array([values.sum()])
        return np.asarray(np.bincount(self.index, weights=values, minlength=self.count), float)

    def mean(self, values: FloatArray, weights: FloatArray | None) -> FloatArray:
        """One mean per fold, weighted if asked; undefined for a fold without weight."""
        if weights is None:
            return ratio(self.sum(values), self.sizes())
        return ratio(self.sum(values * weights), self.sum(weights))

    def sizes(self) -> IntArray:
        """Instances per fold."""
        return np.array([self.n]) if self.index is None else np.bincount(self.index, minlength=self.count)

    def tally(self, codes: IntArray, size: int, weights: FloatArray | None) -> FloatArray:
        """How often (or with which weight) each code 0 … size − 1 occurs: shape (folds, size)."""
        cells = codes if self.index is None else self.index * size + codes
        counts = np.bincount(cells, weights=weights, minlength=self.count * size)
        return counts.astype(float, copy=False).reshape(self.count, size)

    def first(self, values: FloatArray) -> FloatArray:
        """The first value of each fold; nan for an empty one."""
        if self.index is None:
            return values[:1]
        out = np.full(self.count, np.nan)
        out[self.index[::-1]] = values[::-1]  # of repeated indices, the last assignment stays
        return out
