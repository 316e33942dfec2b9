"""The settings of a study: which levels each method is run at, from the factors and the layout.

The settings of a plan as a design: for each method, the rows of its controllable factors in coded units.

The settings of a plan in words: how many there are, the factors, the layout, and what is nested where.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.factors import (
    METHOD,
    AnyFactor,
    Factor,
    Level,
    exists,
    factors_of,
    find_level,
    of_methods,
    write_one,
)
from fairtrial.design.layouts import Axis, CodedRows, Layout
from fairtrial.errors import InputError
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan
    from fairtrial.design.study import Study


Setting = Mapping[str, Level]
ENDS = (-1, 1)  # the coded levels of a range, unless a layout chooses others
MOST_SETTINGS = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class SettingRows:
    """The combinations of levels, and which of them each method is run at.

    ``cells`` has a row for each combination and method: their numbers. ``notes`` are those of the layout. ``merged`` is
    the number of rows of the layout that gave a setting which another row had given already. ``block`` has the block of
    each combination, if the layout has blocks; −1 where a combination is none of the layout's.
    """

    levels: tuple[Setting, ...]
    cells: NDArray[np.int32]
    notes: tuple[str, ...] = ()
    merged: int = 0
    block: NDArray[np.intp] | None = None


def lay_out_settings(study: Study) -> SettingRows:
    """The settings of all methods of a study.

    Without a layout, a method is run at all combinations of the levels of the factors that act on it, and a range is at
    its two ends. A layout is laid out over the controllable factors, and crossed with all combinations of the
    uncontrollable ones. Methods on which fewer factors act than on another take its rows, each setting once.
    """
    acting = [factors_of(study.factors, method) for method in study.methods]
    layouts = [] if study.layout is None else _layouts(study.layout, acting, study.seed)
    found: list[list[Setting]] = []
    merged = 0
    for factors in acting:
        names = {f.name for f in factors}
        own = next((rows for rows in layouts if {a.name for a in rows.axes} >= _names(controllable(factors))), None)
        if own is None:
            made = list(_combinations(factors))
        else:
            chosen = [f for f in controllable(factors) if f.name in names]
            rows = list(_levels_of(own, chosen))
            whole = {a.name for a in own.axes} == _names(chosen)
            merged = max(merged, len(rows) - len(_distinct(rows))) if whole else merged
            made = [_pruned({**a, **b}, factors) for b in _combinations(_blocks(factors)) for a in _distinct(rows)]
        found.append(_distinct(made))
    levels = _distinct(setting for own in found for setting in own)
    place = {frozen_setting(setting): i for i, setting in enumerate(levels)}
    cells = sorted((place[frozen_setting(setting)], m) for m, own in enumerate(found) for setting in own)
    notes = tuple(dict.fromkeys(note for rows in layouts for note in rows.notes))
    numbers = np.asarray(cells, dtype=np.int32).reshape(-1, 2)
    return SettingRows(tuple(levels), numbers, notes, merged, _block_numbers(study.factors, layouts, levels))


def _block_numbers(
    factors: Sequence[AnyFactor], layouts: Sequence[CodedRows], levels: Sequence[Setting]
) -> NDArray[np.intp] | None:
    """The block of each combination of levels; that of the first row of the layout with its setting, else −1."""
    known: dict[frozenset[tuple[str, str, Level]], int] = {}
    names: set[str] = set()
    for coded in layouts:
        if coded.block is not None:
            own = [next(f for f in factors if f.name == axis.name) for axis in coded.axes]
            names |= _names(own)
            for setting, block in zip(_levels_of(coded, own), coded.block.tolist(), strict=True):
                known.setdefault(frozen_setting(_pruned(setting, own)), block)
    if not known:
        return None
    kept = [{name: level for name, level in setting.items() if name in names} for setting in levels]
    return np.array([known.get(frozen_setting(setting), -1) for setting in kept], dtype=np.intp)


def _layouts(layout: Layout, acting: Sequence[Sequence[AnyFactor]], seed: int) -> list[CodedRows]:
    """The layout over the factors of each method, once for each set of factors that is no part of another."""
    groups = {frozenset(_names(controllable(factors))): controllable(factors) for factors in acting}
    largest = [own for own in groups if own and not any(own < other for other in groups)]
    if not largest:
        raise InputError(
            f"plan = {layout.kind!r} needs a controllable factor, got none; add factors, or leave the plan out"
        )
    return [layout.lay_out(axes_of(groups[own]), seed) for own in largest]


def controllable(factors: Iterable[AnyFactor]) -> tuple[AnyFactor, ...]:
    return tuple(f for f in factors if f.role == "controllable")


def _blocks(factors: Iterable[AnyFactor]) -> tuple[AnyFactor, ...]:
    return tuple(f for f in factors if f.role != "controllable")


def _names(factors: Iterable[AnyFactor]) -> set[str]:
    return {f.name for f in factors}


def axes_of(factors: Sequence[AnyFactor]) -> list[Axis]:
    """The factors as a layout sees them; nesting in a block is left out here, and seen to afterwards."""
    known = {f.name: f for f in factors}
    axes = []
    for factor in factors:
        when = factor.when if isinstance(factor, Factor) else {}
        numbers = {
            name: frozenset(
                known[name].levels.index(level) for v in wanted for level in find_level(known[name].levels, v)
            )
            for name, wanted in when.items()
            if name in known and name != METHOD
        }
        axes.append(Axis(factor.name, len(factor.levels) or None, numbers))
    return axes


def _levels_of(coded: CodedRows, factors: Sequence[AnyFactor]) -> Iterator[Setting]:
    """The rows of a layout as levels of some of its factors."""
    places = {axis.name: column for column, axis in enumerate(coded.axes)}
    for row in coded.rows:
        units = {f.name: float(row[places[f.name]]) for f in factors}
        yield {f.name: _level(f, units[f.name]) for f in factors if not np.isnan(units[f.name])}


def _level(factor: AnyFactor, coded: float) -> Level:
    return factor.at(coded) if isinstance(factor, Factor) and factor.ends else factor.levels[int(coded)]


def _combinations(factors: Sequence[AnyFactor]) -> Iterator[Setting]:
    """All combinations of levels in which each factor exists; one, empty, without factors."""
    choices: list[tuple[Level, ...]] = [
        tuple(map(f.at, ENDS)) if isinstance(f, Factor) and f.ends else tuple(f.levels) for f in factors
    ]
    number = float(np.prod([len(own) for own in choices], dtype=float))
    if number > MOST_SETTINGS:
        raise InputError(
            f"all combinations of {listed([f.name for f in factors])} are {number:,.0f} settings, more than "
            f"{MOST_SETTINGS:,}; choose a plan with fewer, such as plan='latin hypercube'"
        )
    names = [f.name for f in factors]
    nested = any(isinstance(f, Factor) and f.when for f in factors)
    for values in itertools.product(*choices):
        setting = dict(zip(names, values, strict=True))
        yield _pruned(setting, factors) if nested else setting


def _pruned(setting: Setting, factors: Sequence[AnyFactor]) -> Setting:
    """A setting in the order of the factors, without the levels of factors that do not exist there."""
    left = dict(setting)
    while gone := [f.name for f in factors if f.name in left and not exists(f, left)]:
        for name in gone:
            del left[name]
    return {f.name: left[f.name] for f in factors if f.name in left}


def _distinct(settings: Iterable[Setting]) -> list[Setting]:
    return list({frozen_setting(setting): setting for setting in settings}.values())


def frozen_setting(setting: Setting) -> frozenset[tuple[str, str, Level]]:
    """A setting as a key; 1, 1.0 and True are not the same level."""
    return frozenset((name, type(level).__name__, level) for name, level in setting.items())


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


MOST_NOTES = 5  # notes of the layout that are printed


def headline_of(plan: Plan) -> str:
    """The size of a plan in one line."""
    study, cells = plan.study, plan.settings.cells
    methods = plural(len(study.methods), "method")
    product = not of_methods(study.factors) and study.layout is None
    several = plural(study.replicates, "replicate")
    parts = (
        plural(len(study.datasets), "data set"),
        methods if product else f"{plural(len(cells), 'setting')} of {methods}",
        study.resampling.dependence().scheme,
        *(f"{plural(len(f.levels), 'level')} of {f.name}" for f in study.factors if product),
        *([several] if study.replicates > 1 else []),
    )
    whole = int(plan.offered[:, cells[:, 0]].sum()) * study.replicates
    if len(plan) < whole:
        return f"{' × '.join(parts)}: {part_of(len(plan), whole, 'trial')}"
    return f"{' × '.join(parts)} = {plural(len(plan), 'trial')}"


def setting_facts(plan: Plan) -> tuple[tuple[str, str], ...]:
    """The settings, the factors and the layout, line by line; nothing where only training data are varied fully."""
    study = plan.study
    if not of_methods(study.factors) and study.layout is None and all(f.role == "controllable" for f in study.factors):
        return ()
    return tuple(_facts(plan))


def _facts(plan: Plan) -> Iterator[tuple[str, str]]:
    study = plan.study
    layout = "all combinations of levels" if study.layout is None else study.layout.kind
    yield "settings", f"{plural(len(plan.settings.cells), 'setting')} of methods, {layout}"
    for factor in study.factors:
        yield "factor", f"{factor.name}: {_described(factor, plan)}"
    notes = plan.settings.notes
    for note in notes[:MOST_NOTES]:
        yield "plan", note
    if len(notes) > MOST_NOTES:
        yield "plan", f"and {plural(len(notes) - MOST_NOTES, 'other line')} like these (settings.notes)"
    if plan.settings.block is not None:
        yield "blocks", _blocks_of_plan(plan.settings.block)


def _blocks_of_plan(blocks: NDArray[np.intp]) -> str:
    number = sum(block >= 0 for block in np.unique(blocks).tolist())
    return (
        f"{plural(number, 'block')}, in random order: on each split the trials of a block follow each other; blocks "
        "are not stored, since scores do not depend on when a trial runs, but times may"
    )


def _described(factor: AnyFactor, plan: Plan) -> str:
    parts = [f"{factor.kind} {factor.in_words()}"]
    parts.append("controllable" if factor.role == "controllable" else "uncontrollable, a block")
    if isinstance(factor, Factor):
        study = plan.study
        acting = [m.name for m in study.methods if factor in factors_of(study.factors, m)]
        parts.append(f"on {listed(acting)}")
        nested = [
            f"{name} is {listed([write_one(name, v) for v in levels], last='or')}"
            for name, levels in factor.when.items()
            if name != METHOD
        ]
        if nested:
            parts.append(f"only where {listed(nested)}")
    return ", ".join(parts)
