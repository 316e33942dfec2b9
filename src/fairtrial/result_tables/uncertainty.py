"""What stands behind ±: half the interval of a mean, its standard error, or the standard deviation of the scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.choices import SPREADS, Spread
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import score_unit
from fairtrial.result_tables.score_cells import FloatArray, ScoreCells
from fairtrial.stats.arguments import share_ratio
from fairtrial.verdict.estimates import intervals

if TYPE_CHECKING:
    from fairtrial.results import Results

ROUNDING = 1e-12
"""Scores whose standard deviation is a smaller share of them than this are equal: the rest is rounding."""

CORRECTED = "corrected for shared training data"


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """The uncertainty of each mean, data sets × methods, nan where there is none; ``words`` say what it is."""

    spreads: FloatArray
    words: str = ""


def uncertainty_of(results: Results, cells: ScoreCells, kind: Spread | None, level: float) -> Uncertainty:
    """The uncertainty of each mean.

    By default it is the published one or, where the split scheme is known, half the interval that a verdict uses; of
    seeds on one split it is their standard deviation.
    """
    if kind is not None and kind not in SPREADS:
        raise UnknownName.among("spread", kind, SPREADS)
    published = _published(results, cells)
    asked, kind = kind, kind or _usual(results, cells, published)
    none = Uncertainty(np.full(cells.means.shape, np.nan))
    if kind == "none":
        return none
    if kind == results.published.kind and np.isfinite(published).any():
        return Uncertainty(published, f"{_called(kind, 0.95)}, as published")
    spreads = _half_intervals(cells, level) if kind == "interval" else _deviations(cells, kind)
    if not np.isfinite(spreads).any():
        if asked is None:  # equal scores on all splits have no interval
            return none
        raise InputError(
            f"spread={kind!r} needs several scores of each method on a data set"
            f"{_for_intervals(cells) if kind == 'interval' else ''}; say spread='none' (--spread none)"
        )
    return Uncertainty(spreads, _in_words(kind, cells, level))


def _usual(results: Results, cells: ScoreCells, published: FloatArray) -> Spread:
    """The kind of uncertainty that is shown unless another is asked for; times have none."""
    if np.isfinite(published).any():
        return results.published.kind
    if cells.measure.unit == "s":
        return "none"
    if _of_seeds(cells):
        return "standard deviation"
    return "interval" if any(cells.is_resampled) else "none"


def _of_seeds(cells: ScoreCells) -> bool:
    return score_unit(cells.evidence.dependence) == "seed"


def _published(results: Results, cells: ScoreCells) -> FloatArray:
    given = results.published
    if not given.spreads:
        return np.full(cells.means.shape, np.nan)
    name = cells.measure.name
    return np.array([[given.spread(d, m, name) for m in cells.methods] for d in cells.datasets])


def _half_intervals(cells: ScoreCells, level: float) -> FloatArray:
    """Half the width of each interval; what the bounds of a measure cut off is added again."""
    low, high = intervals(cells.evidence, level)
    half: FloatArray = np.maximum(cells.means - low, high - cells.means)
    return half


def _deviations(cells: ScoreCells, kind: Spread) -> FloatArray:
    """The standard deviation over splits, or the standard error of the mean, corrected where the scheme is known."""
    rows = []
    for folds, dependence in zip(cells.evidence.folds, cells.evidence.dependence, strict=True):
        there = np.isfinite(folds).sum(axis=0)
        enough = there > 1
        spread = np.full(folds.shape[1], np.nan)
        spread[enough] = np.nanstd(folds[:, enough], axis=0, ddof=1)
        spread[spread < ROUNDING * np.fmax.reduce(np.abs(folds), axis=0)] = 0.0
        if kind == "standard error":
            ratio = share_ratio(dependence.test_share, dependence.overlap) if dependence.known else 0.0
            spread[enough] *= np.sqrt(1 / there[enough] + ratio)
        rows.append(spread)
    return np.array(rows)


def _called(kind: Spread, level: float) -> str:
    return f"half the {100 * level:g} % interval" if kind == "interval" else f"the {kind}"


def _for_intervals(cells: ScoreCells) -> str:
    """What an interval needs beyond several scores."""
    return " on several splits, and these are seeds on one" if _of_seeds(cells) else ", whose split scheme is known"


def _in_words(kind: Spread, cells: ScoreCells, level: float) -> str:
    name = _called(kind, level)
    if kind == "standard deviation":
        return f"{name} over {'seeds' if _of_seeds(cells) else 'splits'}"
    resampled = cells.is_resampled
    if kind == "interval":
        return f"{name} of that mean (t, {CORRECTED})"
    if _of_seeds(cells):
        return f"{name} over seeds, on one split"
    if all(resampled):
        return f"{name} ({CORRECTED})"
    return f"{name} (splits taken as independent{', where their scheme is unknown' if any(resampled) else ''})"
