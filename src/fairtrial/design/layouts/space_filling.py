"""Layouts that fill the whole space evenly: Latin hypercubes and Halton's sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairtrial.design.layouts.layout import (
    Axis,
    CodedRows,
    FloatArray,
    check_axes,
    check_whole,
    checked,
    plain_options,
    without_absent,
)
from fairtrial.resampling.split import derive_seed, generator


def from_unit_cube(points: FloatArray, axes: Sequence[Axis]) -> FloatArray:
    """Points from 0 to 1 as coded units: −1 to 1 for a range, equal shares of the levels of a list; nan if absent."""
    columns = [
        2 * column - 1 if axis.levels is None else np.minimum(np.floor(column * axis.levels), axis.levels - 1)
        for axis, column in zip(axes, points.T, strict=True)
    ]
    return without_absent(np.column_stack(columns), axes)


@dataclass(frozen=True, slots=True)
class LatinHypercube:
    """A Latin hypercube: each factor is in each of n equal parts of its range exactly once.

    Within its part a value is random. Levels of a list come up equally often, as far as possible. Columns are permuted
    independently, so a small hypercube can have correlated columns. A nested factor is left out of the rows where it
    does not exist; what remains of it is spread evenly, but no longer exactly one value in each part.

    Reference: McKay, Beckman & Conover (1979), Technometrics 21:239-245, doi:10.1080/00401706.1979.10489755.

    >>> LatinHypercube(runs=4).lay_out([Axis("rate"), Axis("kernel", 2)], seed=1).rows[:, 1]
    array([1., 0., 0., 1.])
    """

    runs: int

    kind: ClassVar[str] = "Latin hypercube"

    def __post_init__(self) -> None:
        check_whole("runs", self.runs, least=1)

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:
        """The rows, drawn with the seed."""
        axes = check_axes(axes, self.kind)
        draw = generator(seed, "Latin hypercube", self.runs, len(axes))
        points = np.column_stack(
            [(draw.permutation(self.runs) + draw.random_sample(self.runs)) / self.runs for _ in axes]
        )
        return checked(CodedRows(axes, from_unit_cube(points, axes)), self.kind, runs=self.runs)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)


@dataclass(frozen=True, slots=True)
class Halton:
    """Points of Halton's sequence, scrambled: they fill the space evenly, and more rows can be added later.

    The first rows of a longer layout with the same seed are those of a shorter one. scipy makes the sequence.

    Reference: Halton (1960), Numerische Mathematik 2:84-90, doi:10.1007/BF01386213.

    >>> short, long = (Halton(n).lay_out([Axis("rate"), Axis("depth")], seed=1).rows for n in (4, 9))
    >>> bool((long[:4] == short).all())
    True
    """

    runs: int

    kind: ClassVar[str] = "Halton"

    def __post_init__(self) -> None:
        check_whole("runs", self.runs, least=1)

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:
        """The first points of the sequence that belongs to the seed."""
        from scipy.stats import qmc

        axes = check_axes(axes, self.kind)
        draw = qmc.Halton(len(axes), scramble=True, seed=np.random.default_rng(derive_seed(seed, "Halton layout")))
        points = np.asarray(draw.random(self.runs))
        return checked(CodedRows(axes, from_unit_cube(points, axes)), self.kind, runs=self.runs)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)
