"""Means of scores at the levels of factors, from the settings of an experiment."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.design import are_numbers, level_text, write_one
from fairtrial.errors import InputError
from fairtrial.tables import formats
from fairtrial.words import listed, plural

FloatArray = npt.NDArray[np.float64]
Settings = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class FactorLevels:
    """A factor of an experiment: its levels in order, and the number of its level in each setting.

    Numbers are in ascending order, other levels as they were given. The number is −1 where the factor is absent.
    ``places`` are positions on an axis: 0, 1, 2, … or, for many numbers, the numbers (their logs if they span two
    decades). ``within`` is the condition under which a nested factor exists.
    """

    name: str
    texts: tuple[str, ...]
    places: tuple[float, ...]
    number: tuple[int, ...]
    is_number: bool
    within: str = ""

    @property
    def is_even(self) -> bool:
        """Whether the levels stand at equal distances, in turn."""
        return self.places == tuple(map(float, range(len(self.places))))

    def settings_at(self, level: int) -> npt.NDArray[np.bool_]:
        """Whether each setting has this level."""
        return np.array([number == level for number in self.number], dtype=np.bool_)


FEW = 7
"""The most levels that stand side by side at equal distances."""


def factor_levels(settings: Settings, order: Mapping[str, Sequence[object]] | None = None) -> tuple[FactorLevels, ...]:
    """The factors that vary in these settings; ``order`` gives the order of levels that are not numbers.

    >>> settings = [{"model": "svm", "C": 10}, {"model": "svm", "C": 1}, {"model": "tree"}]
    >>> model, c = factor_levels(settings)
    >>> model.texts, c.texts, c.number, c.within
    (('svm', 'tree'), ('1', '10'), (1, 0, -1), 'model svm')
    """
    if not settings:
        raise InputError("settings must have at least one setting, got none")
    found = []
    for name in dict.fromkeys(name for setting in settings for name in setting):
        levels = _ordered([s[name] for s in settings if name in s], (order or {}).get(name, ()))
        place = {level_text(level): i for i, level in enumerate(levels)}
        number = tuple(place[level_text(s[name])] if name in s else -1 for s in settings)
        if len(levels) > 1:
            numeric = are_numbers(levels)
            write = formats.significant(2) if numeric and len(levels) > FEW else partial(write_one, name)
            texts = tuple(write(level) for level in levels)
            places = _places(levels, numeric=numeric)
            found.append(FactorLevels(name, texts, places, number, numeric, _within(name, settings)))
    return tuple(found)


def _ordered(values: Sequence[Any], given: Sequence[object]) -> list[Any]:
    distinct = list({level_text(value): value for value in values}.values())
    if are_numbers(distinct):
        return sorted(distinct)
    wanted = {level_text(level): i for i, level in enumerate(given)}  # type: ignore[arg-type]
    return sorted(distinct, key=lambda level: wanted.get(level_text(level), len(wanted)))


def _places(levels: Sequence[Any], *, numeric: bool) -> tuple[float, ...]:
    if not numeric or len(levels) <= FEW:
        return tuple(map(float, range(len(levels))))
    if levels[0] > 0 and levels[-1] / levels[0] >= 100:
        return tuple(math.log10(level) for level in levels)
    return tuple(map(float, levels))


def _within(name: str, settings: Settings) -> str:
    """The levels of another factor at which this one exists, and only there; empty if it exists everywhere."""
    there = [s for s in settings if name in s]
    absent = [s for s in settings if name not in s]
    if not absent:
        return ""
    for parent in there[0]:
        if parent != name and all(parent in s for s in settings):
            own = {level_text(s[parent]): write_one(parent, s[parent]) for s in there}
            if not own.keys() & {level_text(s[parent]) for s in absent}:
                return f"{parent} {listed(own.values(), last='or')}"
    return "where it exists"


def checked_scores(scores: npt.ArrayLike, settings: int) -> FloatArray:
    """Scores as a table with a row for each unit and a column for each setting; infinite ones count as missing."""
    table = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    if table.ndim != 2 or table.shape[1] != settings or len(table) == 0:
        raise InputError(
            f"scores must have a column for each of the {settings} settings and a row for each data set or split, got "
            f"shape {table.shape}"
        )
    return np.where(np.isfinite(table), table, np.nan)


def cell_means(scores: FloatArray, *factors: FactorLevels) -> FloatArray:
    """The mean of each unit in each combination of levels: units × levels (× levels); nan where there is no score.

    >>> (a,) = factor_levels([{"a": 1}, {"a": 2}, {"a": 2}])
    >>> cell_means(np.array([[1.0, 2.0, 4.0], [5.0, np.nan, 6.0]]), a)
    array([[1., 3.],
           [5., 6.]])
    """
    shape = tuple(len(f.texts) for f in factors)
    means = np.full((len(scores), math.prod(shape)), np.nan)
    for i, cell in enumerate(itertools.product(*map(range, shape))):
        rows = np.logical_and.reduce([f.settings_at(level) for f, level in zip(factors, cell, strict=True)])
        part = scores[:, rows]
        known = ~np.isnan(part)
        count = known.sum(axis=1)
        with np.errstate(invalid="ignore"):
            means[:, i] = np.where(known, part, 0.0).sum(axis=1) / np.where(count, count, np.nan)
    return means.reshape(len(scores), *shape)


def complete(means: FloatArray) -> FloatArray:
    """The units that have a mean in all cells that exist; all units if none has."""
    flat = means.reshape(len(means), -1)
    exists = ~np.isnan(flat).all(axis=0)
    whole = ~np.isnan(flat[:, exists]).any(axis=1)
    return means[whole] if whole.any() else means


def missing_in_words(scores: FloatArray) -> str:
    """A remark on missing scores; empty if there are none."""
    gone = int(np.isnan(scores).sum())
    return f"{plural(gone, 'score')} of {scores.size} missing: means of the others" if gone else ""


def unbalanced(factors: Sequence[FactorLevels]) -> str:
    """A remark if the levels of two factors do not occur in all combinations equally; empty otherwise."""
    lopsided = next(_lopsided(factors), None)
    if lopsided is None:
        return ""
    return f"levels of {listed(lopsided)} do not occur together equally often: means of one also reflect the other"


def _lopsided(factors: Sequence[FactorLevels]) -> Iterator[tuple[str, str]]:
    """Pairs of factors that are not balanced where both exist; nested ones are compared where they exist."""
    for a, b in itertools.combinations(factors, 2):
        one, other = np.asarray(a.number), np.asarray(b.number)
        both = (one >= 0) & (other >= 0)
        table = np.zeros((len(a.texts), len(b.texts)))
        np.add.at(table, (one[both], other[both]), 1)
        if a.within or b.within:
            table = table[table.any(axis=1)][:, table.any(axis=0)]
        if table.size and not np.allclose(table * table.sum(), np.outer(table.sum(axis=1), table.sum(axis=0))):
            yield a.name, b.name
