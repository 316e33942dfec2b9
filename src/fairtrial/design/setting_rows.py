"""The settings of a study: which levels each method is run at, from the factors and the layout."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.factors import METHOD, AnyFactor, Factor, Level, exists, factors_of, find_level
from fairtrial.design.layouts import Axis, CodedRows, Layout
from fairtrial.errors import InputError
from fairtrial.words import listed

if TYPE_CHECKING:
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
