"""The settings of a plan as a design: for each method, the rows of its controllable factors in coded units."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design.factors import AnyFactor, Factor, Level, factors_of, of_methods, write_one
from fairtrial.design.layouts import CodedRows
from fairtrial.design.setting_rows import axes_of, controllable, frozen_setting

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan


@dataclass(frozen=True, slots=True, eq=False)
class MethodDesign:
    """The settings that a plan runs one method at, without the levels of blocks.

    ``coded`` has a row for each different setting of the controllable factors. It has no blocks of the layout: a trial
    gives the same score whenever it runs, and study files do not keep blocks.
    ``levels`` has, for each row, the numbers of the plan's combinations with that setting: several where blocks (such
    as an uncontrollable training size) repeat it.
    """

    method: int
    name: str
    factors: tuple[AnyFactor, ...]
    coded: CodedRows
    levels: tuple[tuple[int, ...], ...]

    @property
    def ranges(self) -> bool:
        """Whether a factor is varied over a range, so that scores between its levels can be predicted."""
        return any(axis.levels is None for axis in self.coded.axes)

    def columns(self) -> dict[str, list[object]]:
        """The design by factors, for :func:`stats.factorial_model`: units of ranges, names of listed levels.

        Factors that exist in no row are left out.
        """
        found: dict[str, list[object]] = {}
        for j, (factor, axis) in enumerate(zip(self.factors, self.coded.axes, strict=True)):
            units = self.coded.rows[:, j].tolist()
            names = _level_names(factor)
            if not all(map(math.isnan, units)):
                found[factor.name] = [
                    None if math.isnan(u) else float(u) if axis.levels is None else names[int(u)] for u in units
                ]
        return found

    def listed_levels(self) -> dict[str, list[str]]:
        """The names of listed levels, in their order, of the factors that :meth:`columns` has."""
        there = self.columns()
        axes = zip(self.factors, self.coded.axes, strict=True)
        return {f.name: _level_names(f) for f, axis in axes if axis.levels is not None and f.name in there}


def designs_of(plan: Plan) -> tuple[MethodDesign, ...]:
    """The designs of the methods whose parameters or steps are varied, or that a layout was made for; no yardsticks."""
    study = plan.study
    if not of_methods(study.factors) and study.layout is None:
        return ()
    cells = np.unique(np.stack([plan.method, plan.level]), axis=1)
    found = []
    for number, method in enumerate(study.methods):
        acting = factors_of(study.factors, method)
        varied = study.layout is not None or any(isinstance(f, Factor) for f in acting)
        factors = controllable(acting)
        if not method.yardstick and varied and factors:
            own = cells[1][cells[0] == number].tolist()
            if own:
                found.append(_design(plan, number, factors, own))
    return tuple(found)


def _design(plan: Plan, number: int, factors: tuple[AnyFactor, ...], own: Sequence[int]) -> MethodDesign:
    names = {f.name for f in factors}
    rows: dict[frozenset[tuple[str, str, Level]], list[int]] = {}
    for level in own:
        setting = {name: value for name, value in plan.levels[level].items() if name in names}
        rows.setdefault(frozen_setting(setting), []).append(level)
    places = tuple(map(tuple, rows.values()))
    units = np.array([[_unit(f, plan.levels[some[0]]) for f in factors] for some in places], dtype=float)
    coded = CodedRows(tuple(axes_of(factors)), units)
    return MethodDesign(number, plan.study.methods[number].name, factors, coded, places)


def _unit(factor: AnyFactor, setting: Mapping[str, Level]) -> float:
    """The coded unit of a level; nan where the factor does not exist."""
    if factor.name not in setting:
        return math.nan
    level = setting[factor.name]
    if isinstance(factor, Factor) and factor.ends:
        return round(factor.coded(level), 9)  # type: ignore[arg-type]
    return float(next(i for i, own in enumerate(factor.levels) if own == level and type(own) is type(level)))


def _level_names(factor: AnyFactor) -> list[str]:
    """The names of the listed levels: as people write them, unless two would be the same."""
    short = [write_one(factor.name, level) for level in factor.levels]
    return short if len(set(short)) == len(short) else [repr(level) for level in factor.levels]
