"""What a layout is: the rule by which the settings of an experiment are chosen, before factors have values.

A layout knows nothing of methods and data. It is given :class:`Axis` objects, one for each controllable factor, and
lays out :class:`CodedRows`: one row for each setting, in coded units. A factor turns its coded unit into a level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Axis:
    """What a layout knows of a factor.

    ``levels`` is the number of listed levels; None means any number of a range. ``when`` makes an axis nested: it
    exists only in rows where each named axis is at one of these of its levels (counted from 0).
    """

    name: str
    levels: int | None = None
    when: Mapping[str, frozenset[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class CodedRows:
    """The settings of an experiment in coded units: a row for each setting, a column for each axis.

    The unit of an axis with listed levels is the number of the level, from 0. The unit of a range is −1 at its low end,
    0 in its middle and +1 at its high end (a central composite layout may go beyond). nan: the axis does not exist in
    that row. ``block`` has the number of the block of each row, if the layout has blocks. ``notes`` are sentences
    about the layout for people, such as its alias chains.
    """

    axes: tuple[Axis, ...]
    rows: FloatArray
    block: NDArray[np.intp] | None = None
    notes: tuple[str, ...] = ()


class Layout(Protocol):
    """A rule that lays out settings: a frozen dataclass whose fields are the options that people give."""

    kind: ClassVar[str]  # as people write it in [plan]: "full factorial"

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:
        """The settings for these axes; random choices depend on the seed only."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options as plain data, as a study file keeps them."""
        ...
