"""Fractional factorial layouts: a part of all combinations, in which short effects are mixed only with long ones.

Full factorial layouts: every combination of levels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fairtrial.design.layouts.generators import (
    MINIMUM_ABERRATION,
    MOST_FACTORS,
    Blocks,
    check_blocks,
    divided,
    fraction_from,
    highest_resolution,
    with_centers,
)
from fairtrial.design.layouts.layout import (
    MOST_ROWS,
    Axis,
    CodedRows,
    FloatArray,
    check_axes,
    check_orthogonal,
    check_ranges,
    check_resolution,
    check_two_levels,
    check_whole,
    checked,
    existing,
    from_signs,
    in_order,
    plain_options,
)
from fairtrial.design.layouts.regular_fraction import RegularFraction
from fairtrial.errors import ContractError, InputError
from fairtrial.words import listed, shown

RESOLUTION = 4  # by default: no main effect is mixed with an interaction of two factors


@dataclass(frozen=True, slots=True)
class Fractional:
    """A regular two-level fraction 2^(k−p), of minimum aberration unless its generators are given.

    Give at most one of ``resolution``, ``runs`` and ``generators``. Of resolution III, main effects are mixed with
    interactions of two factors; of IV, such interactions with each other; of V, with interactions of three factors. The
    layout with a given resolution has the smallest number of runs that reaches it (8 to 128), and of those the
    lexicographically smallest word-length pattern: minimum aberration. Without any of the three the resolution is IV.
    ``generators`` say how factors are made from others, by letter or by name: ``{"E": "ABC"}``. ``center`` is the
    number of center points in each block, ``blocks`` a number of blocks or the words that make them.

    References: Box & Hunter (1961), Technometrics 3:311-351, doi:10.1080/00401706.1961.10489951; Fries & Hunter (1980),
    Technometrics 22:601-608; Chen, Sun & Wu (1993), International Statistical Review
    61:131-145, doi:10.2307/1403599.

    >>> quarter = Fractional(runs=8).fraction(["rate", "depth", "trees", "leaf", "bins"])
    >>> quarter.resolution, quarter.generators
    (3, ('leaf = rate × depth', 'bins = rate × trees'))
    >>> print(quarter.alias_sentences()[0])
    rate is mixed with depth × leaf + trees × bins
    """

    resolution: int | None = None
    runs: int | None = None
    generators: Mapping[str, str] = field(default_factory=dict, hash=False)
    center: int = 0
    blocks: Blocks = None

    kind: ClassVar[str] = "fractional factorial"

    def __post_init__(self) -> None:
        given = [name for name in ("resolution", "runs", "generators") if getattr(self, name)]
        if len(given) > 1:
            raise InputError(f"at most one of resolution, runs and generators can be given, got {listed(given)}")
        if self.resolution is not None:
            check_whole("resolution", self.resolution, least=3, most=8)
        if self.runs is not None and self.runs not in MINIMUM_ABERRATION:
            raise InputError(f"runs must be {listed(MINIMUM_ABERRATION, None, last='or')}, got {shown(self.runs)}")
        if not isinstance(self.generators, Mapping):
            raise InputError(
                f"generators must map factors to products, such as {{'E': 'ABC'}}, got {shown(self.generators)}"
            )
        check_whole("center", self.center, least=0)
        check_blocks(self.blocks)

    def fraction(self, names: Sequence[str]) -> RegularFraction:
        """The fraction for factors of these names: its generators, defining words, resolution and alias chains."""
        if self.generators:
            return fraction_from(self.generators, tuple(names))
        if self.runs is not None:
            return minimum_aberration(names, self.runs)
        return _of_resolution(names, self.resolution or RESOLUTION)

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:  # noqa: ARG002
        """The runs in standard order; the notes have the generators and the alias chains of up to two factors."""
        axes = check_axes(axes, self.kind)
        check_two_levels(axes, self.kind)
        if self.center:
            check_ranges(axes, "fractional factorial with center points")
        fraction = self.fraction([axis.name for axis in axes])
        check_orthogonal(fraction.rows, self.kind)
        if fraction.resolution:
            check_resolution(fraction.rows, fraction.resolution, self.kind)
        block, mixed = divided(fraction, self.blocks)
        rows, block = with_centers(from_signs(fraction.rows, axes), block, self.center)
        return checked(CodedRows(axes, rows, block, (*_described(fraction), *mixed)), self.kind)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)


def _of_resolution(names: Sequence[str], wanted: int) -> RegularFraction:
    """The fraction with the smallest number of runs that has at least this resolution."""
    factors = len(names)
    sizes = [runs for runs, table in MINIMUM_ABERRATION.items() if factors in table or runs == 2**factors]
    if factors < 3:
        sizes = [2**factors]
    for runs in sizes:
        found = minimum_aberration(names, runs)
        if (found.resolution or wanted) >= wanted:
            return found
    reached = f"{factors} factors reach resolution {highest_resolution(factors, max(sizes))}" if sizes else "none does"
    raise InputError(
        f"no fractional factorial of {factors} factors in at most {max(MINIMUM_ABERRATION)} runs has resolution "
        f"{wanted} ({reached}); ask for less, or use a D-optimal layout"
    )


def _described(fraction: RegularFraction) -> tuple[str, ...]:
    if fraction.resolution is None:
        return ("it is a full factorial: no effects are mixed",)
    return (
        f"{fraction.runs:,} of {2 ** len(fraction.names):,} runs, resolution {fraction.resolution}: "
        f"{', '.join(fraction.generators)}",
        *fraction.alias_sentences(),
    )


def minimum_aberration(names: Sequence[str], runs: int) -> RegularFraction:
    """The fraction of minimum aberration from the table, or the full factorial if there are runs for it."""
    factors, base = len(names), runs.bit_length() - 1
    if base >= factors:
        if base > factors:
            raise InputError(
                f"runs must be at most {2**factors}, all combinations of {factors} factors, got {shown(runs)}"
            )
        return RegularFraction(tuple(names), base, tuple(1 << bit for bit in range(base)))
    if factors > MOST_FACTORS or factors not in MINIMUM_ABERRATION.get(runs, {}):
        fits = [r for r, table in MINIMUM_ABERRATION.items() if factors in table]
        remedy = f"choose {listed(fits, last='or')} runs" if fits else "a Plackett–Burman layout takes more factors"
        raise InputError(f"no fractional factorial of {factors} factors in {runs} runs is in the table; {remedy}")
    columns = (*(1 << bit for bit in range(base)), *MINIMUM_ABERRATION[runs][factors])
    return _checked_fraction(RegularFraction(tuple(names), base, columns))


def _checked_fraction(fraction: RegularFraction) -> RegularFraction:
    """Refuse a fraction from the table whose columns are too few, or whose defining words are too short."""
    factors, runs = len(fraction.names), fraction.runs
    wanted = highest_resolution(factors, runs)
    if len(fraction.columns) != factors or fraction.resolution != wanted:
        raise ContractError(
            f"fractional factorial: the table of {factors} factors in {runs} runs is wrong: the resolution of its "
            f"{len(fraction.columns)} columns is {fraction.resolution} instead of resolution {wanted}"
        )
    return fraction


@dataclass(frozen=True, slots=True)
class FullFactorial:
    """Every combination of levels: all effects and all interactions can be estimated.

    ``levels`` is the number of equally spaced levels of factors that have a range. ``center`` is the number of runs
    with all factors in the middle of their ranges; repeated, they show the error, and whether a response is curved. A
    nested factor is combined with those rows only in which it exists. ``blocks`` is a number of blocks, or the words
    whose signs divide the runs into blocks; all factors must then have two levels.

    >>> FullFactorial().lay_out([Axis("model", 2), Axis("depth", 2, when={"model": frozenset({1})})], seed=1).rows
    array([[ 0., nan],
           [ 1.,  0.],
           [ 1.,  1.]])
    >>> blocked = FullFactorial(blocks=2).lay_out([Axis("A"), Axis("B"), Axis("C")], seed=1)
    >>> blocked.block   # the sign of ABC: no effect of one or two factors is mixed with blocks
    array([0, 1, 1, 0, 1, 0, 0, 1])
    """

    levels: int = 2
    center: int = 0
    blocks: Blocks = None

    kind: ClassVar[str] = "full factorial"

    def __post_init__(self) -> None:
        check_whole("levels", self.levels, least=2)
        check_whole("center", self.center, least=0)
        check_blocks(self.blocks)

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:  # noqa: ARG002
        """All combinations; the first factor changes fastest."""
        axes = check_axes(axes, self.kind)
        if self.center:
            check_ranges(axes, "full factorial with center points")
        rows, block, notes = every_combination(axes, self.levels), None, ()
        if self.blocks is not None:
            block, notes = self._blocks(axes)
        rows, block = with_centers(rows, block, self.center)
        return checked(CodedRows(axes, rows, block, notes), self.kind)

    def _blocks(self, axes: Sequence[Axis]) -> Any:
        check_two_levels(axes, "full factorial in blocks")
        if self.levels != 2 and any(axis.levels is None for axis in axes):
            raise InputError(f"levels must be 2 for a full factorial in blocks, got {shown(self.levels)}")
        columns = tuple(1 << i for i in range(len(axes)))
        return divided(RegularFraction(tuple(a.name for a in axes), len(axes), columns), self.blocks)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)


def units_of(axis: Axis, levels: int) -> FloatArray:
    """The coded units of an axis: its listed levels, or equally spaced ones from −1 to 1."""
    return np.arange(axis.levels, dtype=float) if axis.levels is not None else np.linspace(-1, 1, levels)


def every_combination(axes: Sequence[Axis], levels: int, most: int = MOST_ROWS) -> FloatArray:
    """All combinations of units in coded rows, nan where a nested axis does not exist."""
    rows = np.full((1, len(axes)), np.nan)
    for i in in_order(axes):
        there = existing(axes[i], axes, rows)
        units = units_of(axes[i], levels)
        if int(there.sum()) * len(units) + int((~there).sum()) > most:
            raise InputError(
                f"a full factorial of these {len(axes)} factors has more than {most:,} rows; fractional factorial, "
                "Latin hypercube and D-optimal layouts have fewer"
            )
        parts = [rows[~there]]
        for unit in units:
            part = rows[there]
            part[:, i] = unit
            parts.append(part)
        rows = np.vstack(parts)
    return rows
