"""The terms of a linear model of settings: main effects, quadratic parts and interactions, each with its columns.

The factors of an experiment: their columns in the table of settings, checked and coded for a linear model.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.score_arrays import BoolArray, FloatArray, numbers
from fairtrial.words import listed, quoted, shown

Design: TypeAlias = Mapping[str, Sequence[object]] | npt.ArrayLike | Any

FARTHEST = 5.0  # coded units: axial points of a central composite layout lie at most so far out


@dataclass(frozen=True, slots=True)
class Coding:
    """The columns of a factor in a linear model, and the coefficients of its effects on these columns.

    ``columns`` has a row for each setting; each effect is a name and a vector. The columns of levels add up to zero
    over the levels, so that the effect of a factor is an average over the levels of the others.
    """

    columns: FloatArray
    effects: tuple[tuple[str, FloatArray], ...]


@dataclass(frozen=True, slots=True, eq=False)
class FactorColumn:
    """A factor: its value in each setting, nan where it is absent (nested factors).

    With ``levels`` (the names of listed levels) values are the numbers of levels; without, they are coded numbers.
    """

    name: str
    values: FloatArray
    levels: tuple[str, ...] | None = None

    @property
    def present(self) -> BoolArray:
        """Whether the factor exists in each setting."""
        return ~np.isnan(self.values)

    def steps(self, rows: BoolArray) -> FloatArray:
        """The different values of the factor in these settings, in ascending order."""
        return np.unique(self.values[rows & self.present])

    def is_curved(self) -> bool:
        """Whether a quadratic part can be told from a linear one: three or more numbers."""
        return self.levels is None and len(self.steps(self.present)) > 2

    def coding(self, rows: BoolArray, *, all_pairs: bool) -> Coding:
        """The coding of the factor in these settings: of levels, of two numbers as low and high, or of a range."""
        steps = self.steps(rows)
        if self.levels is None and len(steps) > 2:
            return Coding(np.where(rows, self.values, 0.0)[:, None], ((self.name, np.array([2.0])),))
        place = np.searchsorted(steps, np.where(rows, self.values, steps[0]))
        sums = np.vstack([np.eye(len(steps) - 1), -np.ones(len(steps) - 1)])
        columns = np.where(rows[:, None], sums[place], 0.0)
        q = len(steps)
        pairs = [(j, i) for i in range(q if all_pairs else 1) for j in range(i + 1, q)]
        return Coding(columns, tuple((self._between(steps, j, i), sums[j] - sums[i]) for j, i in pairs))

    def _between(self, steps: FloatArray, high: int, low: int) -> str:
        if len(steps) == 2:
            return self.name
        return f"{self.name} ({self.label(steps[high])} − {self.label(steps[low])})"

    def label(self, value: float) -> str:
        """A value as people write it: the name of the level, or the number."""
        return f"{value:g}" if self.levels is None else self.levels[int(value)]


def factor_columns(
    design: Design, names: Sequence[str] | None, levels: Mapping[str, Sequence[object]] | None
) -> tuple[FactorColumn, ...]:
    """Check the table of settings, and return its factors.

    >>> design = {"kernel": ["rbf", "linear"], "depth": [-1, 1]}
    >>> kernel, depth = factor_columns(design, None, {"kernel": ["linear", "rbf"]})
    >>> kernel.values.tolist(), kernel.levels, depth.levels
    ([1.0, 0.0], ('linear', 'rbf'), None)
    """
    found = _named_columns(design, names)
    given = dict(levels or {})
    unknown = [name for name in given if name not in found]
    if unknown:
        raise InputError(f"levels must name factors of the design ({listed(found)}), got {quoted(unknown)}")
    if len({len(column) for column in found.values()}) != 1:
        sizes = {name: len(column) for name, column in found.items()}
        raise InputError(f"design must have one value of each factor for each setting, got columns of lengths {sizes}")
    return tuple(_factor(name, column, given.get(name)) for name, column in found.items())


def _named_columns(design: Design, names: Sequence[str] | None) -> dict[str, list[Any]]:
    table: Any = design
    if isinstance(design, Mapping) or hasattr(design, "columns"):
        single = next((name for name in table if not isinstance(table[name], Iterable)), None)
        if single is not None:
            raise InputError(
                f"design must have one value of each factor for each setting, got {shown(table[single])} for {single!r}"
            )
        columns = {str(name): list(table[name]) for name in table}
    else:
        try:
            array = np.asarray(table)
        except ValueError as error:
            raise InputError(
                "design must be a table with a row for each setting and a column for each factor, but its rows have "
                "several lengths; give each setting a value of each factor"
            ) from error
        if array.ndim != 2:
            raise InputError(
                f"design must be a table with a row for each setting and a column for each factor, got {array.ndim} "
                "dimensions; give a mapping from names to columns, a DataFrame or a 2-D array"
            )
        own = names if names is not None else [f"x{j + 1}" for j in range(array.shape[1])]
        if len(own) != array.shape[1] or len(set(own)) != len(own):
            raise InputError(f"names must be {array.shape[1]} different names, one for each column, got {list(own)!r}")
        columns = {str(name): array[:, j].tolist() for j, name in enumerate(own)}
    if not columns or not all(columns.values()):
        raise InputError("design must have at least one factor and one setting, got an empty table")
    return columns


def _factor(name: str, column: list[Any], levels: Sequence[object] | None) -> FactorColumn:
    absent = np.array([_is_absent(value) for value in column])
    if absent.all():
        raise InputError(f"factor {name!r} must have a value in some setting, but it is absent in all")
    if levels is not None:
        return _listed(name, column, list(levels), absent)
    if any(isinstance(v, str | bool | np.bool_) for v, a in zip(column, absent, strict=True) if not a):
        return _listed(name, column, _sorted({v for v, a in zip(column, absent, strict=True) if not a}), absent)
    values = numbers(column, f"factor {name!r}")
    if len(np.unique(values[~absent])) > 2 and np.abs(values[~absent]).max() > FARTHEST:
        raise InputError(
            f"factor {name!r} must be in coded units (−1 low, +1 high), got {np.abs(values[~absent]).max():g}; "
            "code it, or name its levels in levels"
        )
    if not np.isfinite(values[~absent]).all():
        raise InputError(f"factor {name!r} must be finite, or nan where it is absent, got an infinite value")
    return FactorColumn(name, values)


def _listed(name: str, column: list[Any], levels: list[Any], absent: BoolArray) -> FactorColumn:
    unknown = [v for v, a in zip(column, absent, strict=True) if not a and v not in levels]
    if unknown or len(set(map(str, levels))) != len(levels):
        raise InputError(
            f"levels of factor {name!r} must be all its levels, each once, got {quoted(levels)}"
            + (f", but the design has {unknown[0]!r}" if unknown else "")
        )
    values = [np.nan if a else float(levels.index(v)) for v, a in zip(column, absent, strict=True)]
    return FactorColumn(name, np.array(values), tuple(map(_level_name, levels)))


def _level_name(level: object) -> str:
    return f"{level:g}" if isinstance(level, float) else str(level)


def _sorted(levels: Iterable[Any]) -> list[Any]:
    try:
        return sorted(levels)
    except TypeError:
        return sorted(levels, key=str)


def _is_absent(value: object) -> bool:
    return value is None or (isinstance(value, float | np.floating) and bool(np.isnan(value)))


TIMES = " × "
BLOCKS = "blocks"
COLUMN_NOISE = 1e-9  # times the length of a column: what is left of a column that others explain


@dataclass(frozen=True, slots=True, eq=False)
class ModelTerm:
    """A term: its columns, with a row for each setting, and its effects as vectors of coefficients on them.

    ``aliases`` are terms whose columns are the same but for their sign and size, each with that sign: the data can't
    tell them apart. ``within`` names the condition of a nested factor.
    """

    name: str
    factors: tuple[str, ...]
    columns: FloatArray
    effects: tuple[tuple[str, FloatArray], ...]
    within: str = ""
    aliases: tuple[str, ...] = field(default=())

    @property
    def is_single(self) -> bool:
        """Whether the term has one degree of freedom."""
        return int(self.columns.shape[1]) == 1


def model_terms(factors: Sequence[FactorColumn], order: int, *, all_pairs: bool) -> Iterator[ModelTerm]:
    """Main effects, then quadratic parts, then interactions of up to ``order`` factors.

    A term exists in the settings in which all its factors do. There is no interaction of factors that do not meet, or
    of which one is always at the same level where the others exist (the parent of a nested factor).
    """
    yield from _interactions(factors, 1, all_pairs=all_pairs)
    for factor in factors:
        if factor.is_curved():
            squares = np.where(factor.present, factor.values**2, 0.0)[:, None]
            name = f"{factor.name}²"
            yield ModelTerm(name, (factor.name,), squares, ((name, np.ones(1)),), condition(factor.present, factors))
    for size in range(2, order + 1):
        yield from _interactions(factors, size, all_pairs=all_pairs)


def _interactions(factors: Sequence[FactorColumn], size: int, *, all_pairs: bool) -> Iterator[ModelTerm]:
    for group in itertools.combinations(factors, size):
        rows = np.logical_and.reduce([factor.present for factor in group])
        if not rows.any() or any(len(factor.steps(rows)) < 2 for factor in group):
            continue
        codings = [factor.coding(rows, all_pairs=all_pairs) for factor in group]
        columns = codings[0].columns
        for coding in codings[1:]:
            columns = np.einsum("ni,nj->nij", columns, coding.columns).reshape(len(rows), -1)
        effects = []
        for parts in itertools.product(*(coding.effects for coding in codings)):
            vector = parts[0][1]
            for _, other in parts[1:]:
                vector = np.kron(vector, other) / 2
            effects.append((TIMES.join(name for name, _ in parts), vector))
        names = tuple(factor.name for factor in group)
        yield ModelTerm(TIMES.join(names), names, columns, tuple(effects), condition(rows, factors))


def condition(rows: BoolArray, factors: Sequence[FactorColumn]) -> str:
    """The levels of another factor to which these settings are limited, in words; empty for all settings.

    >>> model = FactorColumn("model", np.array([0.0, 0.0, 1.0]), ("svm", "tree"))
    >>> condition(np.array([True, True, False]), [model])
    'model = svm'
    """
    if rows.all():
        return ""
    for parent in factors:
        steps = parent.steps(rows)
        some = len(steps) < len(parent.steps(parent.present))  # else it is a sibling, with the same condition
        if some and np.array_equal(np.isin(parent.values, steps), rows):
            return f"{parent.name} = {listed((parent.label(s) for s in steps), last='or')}"
    return "the settings in which it exists"


def merged(terms: Sequence[ModelTerm]) -> tuple[list[ModelTerm], dict[str, str]]:
    """The terms that can be told apart, with the names of those that can't as aliases; and terms mixed with the mean.

    A later term with the same column as an earlier one, but for sign and size, becomes its alias.
    """
    kept: list[ModelTerm] = []
    lost: dict[str, str] = {}
    for term in terms:
        if not term.is_single:
            kept.append(term)
            continue
        column = term.columns[:, 0]
        if np.ptp(column) == 0:
            lost[term.name] = f"{term.name} is mixed with the mean: its column is constant in this design"
            continue
        twin = next((i for i, t in enumerate(kept) if t.is_single and _same_line(t.columns[:, 0], column)), None)
        if twin is None:
            kept.append(term)
        elif not kept[twin].effects:
            lost[term.name] = f"{term.name} is mixed with {BLOCKS}: it can't be estimated"
        else:
            kept[twin] = _with_alias(kept[twin], term)
    return kept, lost


def _same_line(a: FloatArray, b: FloatArray) -> bool:
    return bool(abs(abs(a @ b) - np.sqrt((a @ a) * (b @ b))) < COLUMN_NOISE * np.sqrt((a @ a) * (b @ b)))


def _with_alias(term: ModelTerm, other: ModelTerm) -> ModelTerm:
    """The term with another one as its alias; a minus where a positive effect of the other makes this one smaller."""
    here, there = term.columns[:, 0], other.columns[:, 0]
    sign = (here @ there) * term.effects[0][1][0] * other.effects[0][1][0]
    alias = f"{'+' if sign > 0 else '−'} {other.name}"
    return ModelTerm(term.name, term.factors, term.columns, term.effects, term.within, (*term.aliases, alias))


def sequential_bases(columns: Sequence[FloatArray], start: FloatArray) -> list[FloatArray]:
    """Orthonormal columns for what each group of columns adds to ``start`` and to the groups before it.

    Groups that add nothing have no columns. Sums of squares on these bases add up to the total.
    """
    known, found = start, []
    for group in columns:
        size = np.sqrt((group**2).sum(axis=0).max(initial=0.0))
        rest = group - known @ (known.T @ group)
        rest -= known @ (known.T @ rest)
        left, values, _ = np.linalg.svd(rest, full_matrices=False)
        basis = left[:, values > COLUMN_NOISE * max(size, 1e-300)]
        found.append(basis)
        known = np.hstack([known, basis])
    return found
