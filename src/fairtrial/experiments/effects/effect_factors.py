"""The factors whose effects are asked for: their levels, how these enter a linear model, and the model of settings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np

from fairtrial.design import Level, are_numbers, level_text, write_one
from fairtrial.errors import InputError
from fairtrial.stats import FactorialModel, factorial_model

if TYPE_CHECKING:
    from fairtrial.results import Results

METHOD = "method"
"""The name of the factor whose levels are methods."""

MOST_LISTED = 5  # numbers without a declaration: more of them are points of a range, not a list
WIDE = 100.0  # the largest in units of the smallest: such points are spread over the log scale

Setting = Mapping[str, Level]


@dataclass(frozen=True, slots=True)
class VariedFactor:
    """A factor with several levels: listed ones in their order, or numbers of a range on a linear or log scale.

    ``ends`` are those of the range. An uncontrollable factor can't be set where the methods are used. ``whole``: it
    takes whole numbers only.
    """

    name: str
    levels: tuple[Level, ...]
    scale: Literal["listed", "linear", "log"] = "listed"
    ends: tuple[float, float] = (math.nan, math.nan)
    controllable: bool = True
    whole: bool = False

    def text(self, level: Level) -> str:
        """A level in words."""
        return str(level) if self.name == METHOD else write_one(self.name, level)

    def coded(self, level: Level) -> str | float:
        """A level as a linear model takes it: a name, or a number from −1 to +1.

        >>> VariedFactor("C", (0.01, 1, 100), "log", (0.01, 100)).coded(1)
        0.0
        """
        if self.scale == "listed":
            return self.text(level)
        low, high, x = (float(v) for v in (*self.ends, level))  # type: ignore[arg-type]
        if self.scale == "log":
            low, high, x = math.log(low), math.log(high), math.log(x)
        return round(2 * (x - low) / (high - low) - 1, 9)

    def spans(self) -> dict[str, tuple[str, str]]:
        """The effects of this factor by name, each with the level that it goes from and the one that it goes to."""
        if self.scale != "listed":
            return {self.name: (self.text(self.ends[0]), self.text(self.ends[1]))}
        texts = [self.text(level) for level in self.levels]
        pairs = {f"{self.name} ({b} − {a})": (a, b) for a, b in combinations(texts, 2)}
        return pairs | {self.name: (texts[0], texts[-1])}


def varied_factors(results: Results, settings: Iterable[Setting]) -> tuple[VariedFactor, ...]:
    """The factors that have several levels in these settings, methods first; numbers are in rising order."""
    there: dict[str, dict[str, Level]] = {}
    for setting in settings:
        for name, level in setting.items():
            there.setdefault(name, {})[level_text(level)] = level
    options = {f.name: f.options for f in results.definition.factors} if results.definition else {}
    order = [METHOD, *results.factors]
    found = []
    for name in sorted(there, key=order.index):
        known = [level for level in results.factors.get(name, ()) if level_text(level) in there[name]]
        levels = tuple(known or there[name].values())
        if len(levels) > 1:
            found.append(_factor(name, levels, options.get(name, {}), declared=results.definition is not None))
    return tuple(found)


def _factor(name: str, levels: tuple[Level, ...], options: Mapping[str, object], *, declared: bool) -> VariedFactor:
    free = options.get("role", "controllable") == "controllable"
    if not are_numbers(levels):
        return VariedFactor(name, levels, controllable=free)
    numbers = tuple(sorted(levels, key=float))  # type: ignore[arg-type]
    for scale in ("linear", "log"):
        ends = options.get(scale)
        if isinstance(ends, Sequence):
            whole = all(isinstance(end, int) for end in ends)
            return VariedFactor(name, numbers, scale, (float(ends[0]), float(ends[1])), free, whole)
    whole = all(isinstance(level, int) for level in numbers)
    if declared or len(numbers) <= MOST_LISTED:
        return VariedFactor(name, numbers, controllable=free, whole=whole)
    low, high = float(numbers[0]), float(numbers[-1])  # type: ignore[arg-type]
    wide = low > 0 and high / low >= WIDE
    return VariedFactor(name, numbers, "log" if wide else "linear", (low, high), free, whole)


def fits(setting: Setting, levels: Setting) -> bool:
    """Whether a setting has these levels."""
    return all(name in setting and level_text(setting[name]) == level_text(levels[name]) for name in levels)


def model_of(
    factors: Sequence[VariedFactor], settings: Sequence[Setting], *, interactions: int | None, against: str
) -> FactorialModel:
    """The linear model of the settings, with as large interactions as the settings allow to tell from main effects."""
    if not factors:
        raise InputError("effects need a factor with two levels or more in these results, got none")
    design = {
        f.name: [f.coded(setting[f.name]) if f.name in setting else None for setting in settings] for f in factors
    }
    design = {name: _numbers(column) for name, column in design.items()}
    levels = {f.name: [f.text(level) for level in f.levels] for f in factors if f.scale == "listed"}
    orders = range(len(factors) if interactions is None else interactions, 0, -1)
    tried = []
    for order in orders or [interactions]:
        model = factorial_model(design, interactions=order, levels=levels, against=against)
        if all(c.is_estimable for c in model.contrasts if c.term in design):
            return model
        tried.append(model)
    return max(tried, key=lambda model: sum(c.is_estimable for c in model.contrasts))


def _numbers(column: list[str | float | None]) -> list[str | float | None]:
    """Coded numbers with nan where the factor is absent; names as they are."""
    if any(isinstance(value, str) for value in column):
        return column
    return [float(np.nan) if value is None else value for value in column]
