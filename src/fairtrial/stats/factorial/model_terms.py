"""The terms of a linear model of settings: main effects, quadratic parts and interactions, each with its columns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from fairtrial.stats.factorial.coded_factors import FactorColumn
from fairtrial.stats.score_arrays import BoolArray, FloatArray
from fairtrial.words import listed

TIMES = " × "
BLOCKS = "blocks"
NOISE = 1e-9  # times the length of a column: what is left of a column that others explain


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
    return bool(abs(abs(a @ b) - np.sqrt((a @ a) * (b @ b))) < NOISE * np.sqrt((a @ a) * (b @ b)))


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
        basis = left[:, values > NOISE * max(size, 1e-300)]
        found.append(basis)
        known = np.hstack([known, basis])
    return found
