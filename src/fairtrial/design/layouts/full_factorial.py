"""Full factorial layouts: every combination of levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairtrial.design.layouts.axis_checks import check_axes, check_ranges, check_two_levels, existing, in_order
from fairtrial.design.layouts.blocking import Blocks, check_blocks, divided, with_centers
from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray
from fairtrial.design.layouts.layout_checks import checked
from fairtrial.design.layouts.layout_options import MOST_ROWS, check_whole, plain_options
from fairtrial.design.layouts.regular_fraction import RegularFraction
from fairtrial.errors import InputError
from fairtrial.words import shown


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
