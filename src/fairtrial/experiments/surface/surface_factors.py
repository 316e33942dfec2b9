"""The factors of a response surface: numeric ones, on their scale, and what else must not vary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import are_numbers
from fairtrial.errors import InputError, UnknownName
from fairtrial.experiments.effects.effect_factors import METHOD, WIDE, Setting, VariedFactor, varied_factors
from fairtrial.stats import NaturalRange
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.results import Results

FEWEST = 2


def surface_factors(
    results: Results, settings: Sequence[Setting], wanted: Sequence[str] | None
) -> tuple[VariedFactor, ...]:
    """The numeric factors of these settings as ranges; all that vary, or those that are wanted.

    Factors that are not numbers, or that exist in some settings only, are refused: a surface has slopes everywhere.
    """
    found = varied_factors(results, settings)
    if wanted is not None:
        known = {factor.name: factor for factor in found}
        for name in wanted:
            if name not in known:
                raise UnknownName.among("factor that varies in these results", name, known)
        left = [factor.name for factor in found if factor.name not in wanted]
        if left:
            raise InputError(f"{listed(left)} must not vary besides {listed(wanted)}: {_remedy(left)}")
        found = tuple(known[name] for name in wanted)
    numeric = [factor for factor in found if are_numbers(factor.levels)]
    named = [factor.name for factor in found if factor not in numeric]
    if named:
        raise InputError(f"a surface needs numbers, and {listed(named)} has none: {_remedy(named)}")
    absent = [f.name for f in found if any(f.name not in setting for setting in settings)]
    if absent:
        raise InputError(f"{listed(absent)} must exist in every setting of a surface: {_remedy([METHOD])}")
    if len(numeric) < FEWEST:
        there = listed(f.name for f in numeric) or "none"
        raise InputError(
            f"a surface needs two or more numeric factors that vary, got {there}; results.effects() takes any factors"
        )
    return tuple(map(_as_range, numeric))


def _remedy(names: Sequence[str]) -> str:
    if METHOD in names:
        return "take one method, results.surface(method='…')"
    return f"choose one level, such as results.at({{{names[0]!r}: …}}).surface()"


def _as_range(factor: VariedFactor) -> VariedFactor:
    """A factor with listed numbers as a range, on the scale on which these are more evenly spaced."""
    if factor.scale != "listed":
        return factor
    levels = np.array(factor.levels, dtype=np.float64)
    ends = float(levels[0]), float(levels[-1])
    return replace(factor, scale="log" if _is_log(levels) else "linear", ends=ends)


def _is_log(levels: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    """Whether numbers are spaced more evenly on the log scale; of two, whether they lie two decades apart.

    >>> _is_log(np.array([0.01, 0.1, 10.0])), _is_log(np.array([1.0, 2.0, 3.0]))
    (True, False)
    """
    if levels[0] <= 0:
        return False
    if len(levels) == 2:
        return bool(levels[1] / levels[0] >= WIDE)
    plain, logs = np.diff(levels), np.diff(np.log(levels))
    return bool(logs.std() / logs.mean() < plain.std() / plain.mean())


def natural_range(factor: VariedFactor) -> NaturalRange:
    """The range of a factor in its own units."""
    return NaturalRange(*factor.ends, log=factor.scale == "log")


def setting_at(factors: Sequence[VariedFactor], point: Sequence[float], digits: int = 4) -> dict[str, float | int]:
    """A point in coded units as a setting: rounded to some digits, or to a whole number if a factor takes no others.

    >>> depth = VariedFactor("depth", (2, 6, 12), "linear", (2.0, 12.0), whole=True)
    >>> rate = VariedFactor("rate", (0.01, 0.1, 1.0), "log", (0.01, 1.0))
    >>> setting_at([depth, rate], [0.1, 0.5])
    {'depth': 8, 'rate': 0.3162}
    """
    found: dict[str, float | int] = {}
    for factor, x in zip(factors, point, strict=True):
        value = natural_range(factor).natural(float(x)) if math.isfinite(x) else math.nan
        found[factor.name] = round(value) if factor.whole and math.isfinite(value) else float(f"{value:.{digits}g}")
    return found


def is_possible(factors: Sequence[VariedFactor], point: Sequence[float]) -> bool:
    """Whether parameters can have the values of a point outside of what was run, as far as their ranges tell.

    What was above 0 can't be expected to take 0 or less, whole numbers from 1 on none below, and shares none above 1.

    >>> share = VariedFactor("share", (0.3, 0.9), ends=(0.3, 0.9))
    >>> [is_possible([share], [x]) for x in (1.2, 1.5, -1.9, -2.1)]
    [True, False, True, False]
    """
    for factor, x in zip(factors, point, strict=True):
        (low, high), value = factor.ends, natural_range(factor).natural(float(x))
        whole = factor.whole and round(value) < 1 <= low
        if whole or (value < 0 <= low) or (value <= 0 < low) or (low >= 0 and high <= 1 < value):
            return False
    return True
