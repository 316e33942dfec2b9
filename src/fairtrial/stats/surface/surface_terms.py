"""The terms of a response surface of first or second order: their columns, names and derivatives.

What a response surface is fitted to: settings, values, ranges and blocks, checked and brought into arrays.

The range of a factor in its own units, and how coded units are turned into them and back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import list_of
from fairtrial.stats.arguments import number
from fairtrial.stats.factorial.model_terms import BLOCKS, TIMES, Design, factor_columns
from fairtrial.stats.score_arrays import FloatArray, numbers
from fairtrial.words import listed

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


@dataclass(frozen=True, slots=True)
class NaturalRange:
    """A range in the units of a parameter: −1 in coded units is the low end, +1 the high end; on a log scale if asked.

    >>> NaturalRange(0.01, 100, log=True).natural(0.5)
    10.0
    >>> NaturalRange(80, 90).coded(86.95)
    0.39
    """

    low: float
    high: float
    log: bool = False

    def __post_init__(self) -> None:
        low, high = number(self.low), number(self.high)
        if not (-math.inf < low < high < math.inf) or (self.log and low <= 0):
            rule = "0 < low < high" if self.log else "low < high"
            raise InputError(f"a range must have two finite ends with {rule}, got {self.low!r} and {self.high!r}")

    def natural(self, coded: float) -> float:
        """The value of the parameter at a place in coded units; places beyond ±1 lie outside of the range."""
        share = (coded + 1) / 2
        if not self.log:
            return self.low + share * (self.high - self.low)
        return math.exp(math.log(self.low) + share * math.log(self.high / self.low))

    def coded(self, value: float) -> float:
        """The place of a value in coded units."""
        if self.log:
            return 2 * math.log(value / self.low) / math.log(self.high / self.low) - 1
        return 2 * (value - self.low) / (self.high - self.low) - 1


def read_points(design: Design, names: Sequence[str] | None) -> tuple[FloatArray, tuple[str, ...]]:
    factors = factor_columns(design, names, None)
    for factor in factors:
        if factor.levels is not None or not factor.present.all():
            raise InputError(
                f"factor {factor.name!r} must be a number in every setting, since a surface has slopes; leave factors "
                "with names out, or fit a surface at each of their levels"
            )
    return np.column_stack([factor.values for factor in factors]), tuple(factor.name for factor in factors)


def read_values(values: npt.ArrayLike, settings: int, scale: str) -> FloatArray:
    y = numbers(values, "values")
    if y.ndim not in (1, 2) or y.shape[-1] != settings or y.size == 0:
        raise InputError(
            f"values must be one for each of the {settings} rows of the design, or a table with a row for each data "
            f"set and a column for each setting, got an array of shape {y.shape}"
        )
    if not np.isfinite(y).all():
        raise InputError("values must be finite, but some are not; leave settings or data sets without a score out")
    if scale == "measure":
        return y
    if y.min() <= 0 or y.max() >= 1:
        worst = float(y.min() if y.min() <= 0 else y.max())
        raise InputError(
            f"values must lie strictly between 0 and 1 on the logit scale, got {worst:g}; take scale='measure', or a "
            "measure without perfect scores"
        )
    return np.asarray(logit(y))


def read_ranges(given: Mapping[str, NaturalRange] | None, names: Sequence[str]) -> dict[str, NaturalRange]:
    found = dict(given or {})
    for name, own in found.items():
        if name not in names or not isinstance(own, NaturalRange):
            raise InputError(
                f"ranges must map names of factors ({listed(names)}) to NaturalRange(low, high), got {name!r}: {own!r}"
            )
    return found


def block_columns(blocks: Sequence[object] | None, rows: int) -> FloatArray | None:
    if blocks is None:
        return None
    labels = [str(block) for block in list_of("blocks", blocks, f"{rows} blocks, one for each row")]
    if len(labels) != rows:
        raise InputError(f"blocks must have one block for each of the {rows} rows, got {len(labels)}")
    (block,) = factor_columns({BLOCKS: labels}, None, None)
    if len(block.steps(block.present)) < 2:
        return None
    return block.coding(block.present, all_pairs=False).columns
