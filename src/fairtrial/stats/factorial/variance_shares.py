"""Shares of the variance of scores: how much is due to the data set, to the split, and to the seed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri, fdtri

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.bibliography import BURDICK_GRAYBILL_1992, SEARLE_1992
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import FloatArray, numbers, unit_of
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, part_of, plural, verb

NAMES = {3: ("data set", "split", "seed"), 2: ("data set", "split (with its seed)")}
OVERLAP = (
    "splits of one data set share training data: their mean over k splits has more variance than that of the splits "
    "over k (corrected_t)"
)
ROUNDING = 1e-24  # times the mean square of all scores: variances below this are rounding errors


@dataclass(frozen=True, slots=True)
class VarianceShares(Shown):
    """The variance of scores by source, from the outermost (data set) to the innermost (seed).

    ``components`` are the variances, each with an interval where the design is balanced; ``estimates`` are the unbiased
    estimates, which may be negative; ``shares`` are the components over their sum. ``df`` and ``mean_squares`` are
    those of the analysis of variance.
    """

    names: tuple[str, ...]
    components: tuple[Interval, ...]
    shares: tuple[float, ...]
    estimates: tuple[float, ...]
    mean_squares: tuple[float, ...]
    df: tuple[int, ...]
    notes: tuple[str, ...] = ()

    def share(self, name: str) -> float:
        """The share of one source."""
        if name not in self.names:
            raise UnknownName.among("source", name, self.names)
        return self.shares[self.names.index(name)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "components": [interval.to_dict() for interval in self.components],
            "shares": list(self.shares),
            "estimates": list(self.estimates),
            "mean_squares": list(self.mean_squares),
            "df": list(self.df),
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """A table with a row for each source: share, standard deviation, variance and its interval."""
        write = formats.significant(4)
        columns = (
            Column("source", align="left"),
            Column("share", formats.percent),
            Column("sd", write),
            Column("variance", write),
            Column("low", write),
            Column("high", write),
            Column("df", formats.count),
        )
        rows = tuple(
            (name, share, math.sqrt(part.estimate), part.estimate, part.low, part.high, df)
            for name, share, part, df in zip(self.names, self.shares, self.components, self.df, strict=True)
        )
        return Table(columns=columns, rows=rows, caption="shares of the variance of scores", notes=self.notes)


@procedure(
    question=FACTORIAL,
    assumes="data sets, splits within them and seeds within splits drawn at random; intervals: normal, balanced",
    references=(SEARLE_1992, BURDICK_GRAYBILL_1992),
)
def variance_shares(scores: npt.ArrayLike, *, level: float = 0.95) -> VarianceShares:
    r"""Shares of the variance of scores that are due to the data set, the split and the seed.

    ``scores`` has the axes data set × split × seed, or data set × split × seed × method, or data set × split where
    there is one seed. Seeds are nested in splits and splits in data sets,

    .. math:: y_{dsr} = \mu + D_d + S_{ds} + e_{dsr}.

    The variances are those that make the mean squares of the nested analysis of variance equal to their expectations;
    with N data sets, K splits and R seeds

    .. math:: \hat\sigma^2_e = MS_e, \qquad \hat\sigma^2_S = \frac{MS_S - MS_e}{R}, \qquad
              \hat\sigma^2_D = \frac{MS_D - MS_S}{KR}.

    Where cells are missing (nan) or numbers differ, the coefficients are those of Searle, Casella and McCulloch (method
    of moments); no row is dropped. With several methods the components are means over methods. A negative estimate
    counts as 0, and a note says so.

    Intervals are there for balanced tables of one method: chi-square for the innermost variance, and the modified
    large-sample method (Burdick and Graybill 1992) for the others. They need normal scores. Variances of scores are not
    variances of differences: give differences between two methods to learn what matters for their comparison.

    References: Searle, Casella & McCulloch (1992), Variance Components, chapter 4; Burdick & Graybill (1992),
    Confidence Intervals on Variance Components, chapter 3.

    >>> print(variance_shares([[[81, 83], [86, 84]], [[70, 71], [66, 65]], [[90, 94], [92, 91]]]))
    shares of the variance of scores
    source    share     sd  variance     low   high  df
    data set   95 %  11.94     142.5   39.59   5739   2
    split     3.1 %  2.141     4.583       0  78.08   3
    seed      1.5 %  1.500     2.250  0.9343  10.91   6
    splits of one data set share training data: their mean over k splits has more variance than that of the splits over
    k (corrected_t)
    """
    check_level(level)
    table = _table(scores)
    methods = [table[..., m] for m in range(table.shape[-1])]
    unit = unit_of(table[np.isfinite(table)])
    nested = [_nested(method / unit) for method in methods]
    seeds = table.shape[2] > 1 and nested[0].df[2] > 0
    names = NAMES[3] if seeds else NAMES[2]
    stages = len(names)
    floor = ROUNDING * float(np.nanmean((table / unit) ** 2))
    estimates = np.mean([one.estimates(stages) for one in nested], axis=0)
    estimates[np.abs(estimates) < floor] = 0.0
    kept = np.maximum(estimates, 0.0)
    total = float(kept.sum())
    bounds = [(math.nan, math.nan)] * stages
    plain = len(methods) == 1 and nested[0].balanced
    if plain and total > 0:
        ends = nested[0].bounds(stages, level)
        bounds = [(low if low >= floor else 0.0, high if high >= floor else 0.0) for low, high in ends]
    how = "modified large sample" if plain else "method of moments"
    parts = tuple(
        Interval(f"variance due to {name}", value, max(low, 0.0) if low == low else low, high, level, how)
        for name, value, (low, high) in zip(names, kept.tolist(), bounds, strict=True)
    )
    mean_squares = np.mean([one.mean_squares[:stages] for one in nested], axis=0)
    return VarianceShares(
        names=names,
        components=tuple(part.scaled(unit).scaled(unit) for part in parts),
        shares=tuple((kept / total).tolist()) if total > 0 else (math.nan,) * stages,
        estimates=tuple(value * unit * unit for value in estimates.tolist()),
        mean_squares=tuple(value * unit * unit for value in mean_squares.tolist()),
        df=tuple(nested[0].df[:stages]),
        notes=_notes(table, names, estimates, plain=plain),
    )


@dataclass(frozen=True, slots=True)
class _Nested:
    """The nested analysis of variance of one method: counts of seeds in splits in data sets, and mean squares."""

    df: tuple[int, int, int]
    mean_squares: tuple[float, float, float]
    k1: float  # the weight of the splits' variance in their own mean square
    k2: float  # in that of the data sets
    k3: float  # the weight of the data sets' variance in their mean square
    balanced: bool

    def estimates(self, stages: int) -> FloatArray:
        """The variances that make the mean squares equal to their expectations, from the outermost on."""
        sets, splits, seeds = self.mean_squares
        if stages == 2:
            return np.array([(sets - splits) / self.k3, splits])
        of_splits = (splits - seeds) / self.k1
        return np.array([(sets - seeds - self.k2 * of_splits) / self.k3, of_splits, seeds])

    def bounds(self, stages: int, level: float) -> list[tuple[float, float]]:
        """The bounds of each variance, in a balanced table."""
        tail = (1 - level) / 2
        squares, df = self.mean_squares[:stages], self.df[:stages]
        weights = (self.k3, self.k1)[: stages - 1]
        inner = squares[-1] * df[-1] / _chi(df[-1], tail), squares[-1] * df[-1] / _chi(df[-1], 1 - tail)
        pairs = zip(squares, squares[1:], df, df[1:], weights, strict=False)
        return [*(_difference(a, b, n, m, c, tail) for a, b, n, m, c in pairs), inner]


def _chi(df: int, above: float) -> float:
    """The chi-square value that is exceeded with probability ``above``."""
    return float(chdtri(df, above))


def _difference(a: float, b: float, n: int, m: int, c: float, tail: float) -> tuple[float, float]:
    """Bounds of (E a − E b) / c for two mean squares with n and m degrees of freedom (modified large sample)."""
    upper, lower = float(fdtri(n, m, 1 - tail)), float(fdtri(n, m, tail))
    g1, g2 = 1 - n / _chi(n, tail), 1 - m / _chi(m, tail)
    h1, h2 = n / _chi(n, 1 - tail) - 1, m / _chi(m, 1 - tail) - 1
    g12 = ((upper - 1) ** 2 - (g1 * upper) ** 2 - h2**2) / upper
    h12 = ((1 - lower) ** 2 - (h1 * lower) ** 2 - g2**2) / lower
    down = (g1 * a) ** 2 + (h2 * b) ** 2 + g12 * a * b
    up = (h1 * a) ** 2 + (g2 * b) ** 2 + h12 * a * b
    middle = a - b
    return (middle - math.sqrt(max(down, 0.0))) / c, max(middle + math.sqrt(max(up, 0.0)), 0.0) / c


def _nested(y: FloatArray) -> _Nested:
    """The nested analysis of variance of data set × split × seed, with nan where a cell is missing."""
    there = ~np.isnan(y)
    y = np.where(there, y, 0.0)
    counts = there.sum(axis=2).astype(np.float64)  # data set × split
    sizes = counts.sum(axis=1)
    n = float(sizes.sum())
    of_splits = np.divide(y.sum(axis=2), counts, out=np.zeros_like(counts), where=counts > 0)
    of_sets = y.sum(axis=(1, 2)) / sizes
    overall = float(y.sum() / n)
    squares = (
        float(sizes @ (of_sets - overall) ** 2),
        float((counts * (of_splits - of_sets[:, None]) ** 2).sum()),
        float(((y - of_splits[:, :, None]) ** 2 * there).sum()),
    )
    df = (len(sizes) - 1, int((counts > 0).sum()) - len(sizes), int(n) - int((counts > 0).sum()))
    inside = (counts**2).sum(axis=1)
    k1 = (n - float((inside / sizes).sum())) / df[1]
    k2 = (float((inside / sizes).sum()) - float(inside.sum()) / n) / df[0]
    k3 = (n - float(sizes @ sizes) / n) / df[0]
    filled = counts[counts > 0]
    balanced = bool(np.ptp(filled) == 0 and np.ptp((counts > 0).sum(axis=1)) == 0)
    mean_squares = tuple(s / d if d else math.nan for s, d in zip(squares, df, strict=True))
    return _Nested(df, (mean_squares[0], mean_squares[1], mean_squares[2]), k1, k2, k3, balanced)


def _table(scores: npt.ArrayLike) -> FloatArray:
    """The scores as data set × split × seed × method, checked."""
    y = numbers(scores, "scores")
    shape = y.shape
    if y.ndim == 2:
        y = y[:, :, None]
    if y.ndim == 3:
        y = y[:, :, :, None]
    if y.ndim != 4 or 0 in y.shape:
        raise InputError(
            f"scores must have the axes data set × split (× seed (× method)), got an array of shape {shape}"
        )
    if np.isinf(y).any():
        raise InputError("scores must be finite, or nan where a score is missing, got an infinite one")
    splits = np.asarray((~np.isnan(y)).any(axis=2).sum(axis=1))  # data set × method
    empty = np.flatnonzero((splits == 0).any(axis=1)).tolist()
    if empty or len(y) < 2 or (splits.sum(axis=0) <= len(y)).any():
        raise InputError(
            "scores must have at least two data sets, each with a score, and two splits in one of them, got an array "
            f"of shape {shape}" + (f" without scores of data sets {listed(empty)}" if empty else "")
        )
    return y


def _notes(table: FloatArray, names: tuple[str, ...], estimates: FloatArray, *, plain: bool) -> tuple[str, ...]:
    notes = []
    missing = int(np.isnan(table).sum())
    if missing:
        notes.append(f"{part_of(missing, table.size, 'score')} {verb(missing, 'is', 'are')} missing")
    negative = [name for name, value in zip(names, estimates.tolist(), strict=True) if value < 0]
    if negative:
        notes.append(f"the estimate of the variance due to {listed(negative)} is negative and counts as 0")
    if not (estimates > 0).any():
        notes.append("all scores are equal: there is no variance to share")
    if not plain:
        many = table.shape[-1] > 1
        means = f"the components are means over {plural(table.shape[-1], 'method')}"
        notes.append(f"no intervals, since {means if many else 'the table is not balanced'}")
    return (*notes, OVERLAP)
