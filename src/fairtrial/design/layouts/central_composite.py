"""Central composite layouts: a cube, a star and center points, for a quadratic response.

Box and Behnken's layouts: three levels, no run in a corner, for a quadratic response.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from fairtrial.design.layouts.fractional import Fractional, every_combination
from fairtrial.design.layouts.layout import (
    Axis,
    CodedRows,
    FloatArray,
    check_axes,
    check_orthogonal,
    check_ranges,
    check_unnested,
    check_whole,
    checked,
    plain_options,
)
from fairtrial.errors import ContractError, InputError
from fairtrial.stats.arguments import number
from fairtrial.words import listed, shown

Alpha = Literal["rotatable", "orthogonal", "spherical", "face"]
ALPHAS: tuple[Alpha, ...] = ("rotatable", "orthogonal", "spherical", "face")


@dataclass(frozen=True, slots=True)
class CentralComposite:
    r"""A two-level cube of F runs, 2k runs on the axes at distance ``alpha`` from the center, and center points.

    ``alpha`` is a number, or

    - ``"rotatable"``: :math:`F^{1/4}`; the variance of a prediction depends on the distance from the center only;
    - ``"spherical"``: :math:`\sqrt k`; cube and star lie on one sphere;
    - ``"face"``: 1; no run leaves the ranges, and each factor has three levels;
    - ``"orthogonal"``: :math:`\sqrt{(\sqrt{F N} - F)/2}` with N runs in all; the quadratic effects are orthogonal. In
      blocks it is :math:`\sqrt{F (2k + c) / (2 (F + c))}` instead; then blocks are orthogonal to all effects.

    Beyond 1 the runs of the star leave the ranges: a factor must allow that, or take ``"face"``. With ``blocks`` the
    cube and the star are a block each, with ``center`` = c center points in either. ``resolution=5`` takes the smallest
    fraction of resolution V for the cube; by default it is whole.

    Reference: Box & Wilson (1951), Journal of the Royal Statistical Society B 13:1-45; Box & Hunter (1957), Annals of
    Mathematical Statistics 28:195-241, doi:10.1214/aoms/1177707047.

    >>> CentralComposite(center=1).lay_out([Axis("rate"), Axis("depth")], seed=1).rows[4:].round(4).tolist()
    [[-1.4142, 0.0], [1.4142, 0.0], [0.0, -1.4142], [0.0, 1.4142], [0.0, 0.0]]
    """

    alpha: Alpha | float = "rotatable"
    center: int = 5
    blocks: bool = False
    resolution: int | None = None

    kind: ClassVar[str] = "central composite"

    def __post_init__(self) -> None:
        check_whole("center", self.center, least=0)
        if self.alpha not in ALPHAS and (isinstance(self.alpha, bool) or not 0 < number(self.alpha) < math.inf):
            raise InputError(f"alpha must be a number above 0, or one of {', '.join(ALPHAS)}, got {shown(self.alpha)}")
        if not isinstance(self.blocks, bool):
            raise InputError(f"blocks must be true (cube and star are a block each) or false, got {shown(self.blocks)}")
        if self.resolution is not None:
            check_whole("resolution", self.resolution, least=5, most=8)

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:
        """Cube, star and center points, in this order; in blocks, each part with its center points."""
        axes = check_axes(axes, self.kind)
        check_ranges(axes, self.kind)
        if len(axes) < 2:
            raise InputError("a central composite layout needs at least 2 factors, got 1; use a full factorial")
        cube = Fractional(self.resolution).lay_out(axes, seed).rows if self.resolution else every_combination(axes, 2)
        check_orthogonal(cube, self.kind)
        star: FloatArray = np.kron(np.eye(len(axes)), np.array([[-1.0], [1.0]])).astype(float)
        star *= self.distance(len(axes), len(cube))
        middle: FloatArray = np.zeros((self.center, len(axes)))
        parts: list[FloatArray] = [cube, middle, star, middle] if self.blocks else [cube, star, middle]
        block = None
        if self.blocks:
            block = np.repeat([0, 1], [len(cube) + self.center, len(star) + self.center])
        return checked(CodedRows(axes, np.vstack(parts), block), self.kind)

    def distance(self, factors: int, cube: int) -> float:
        """The distance of the runs of the star from the center, for this number of factors and of runs of the cube.

        >>> CentralComposite("orthogonal", center=5).distance(4, 16)
        1.6644
        """
        star = 2 * factors
        if self.alpha == "rotatable":
            return float(cube**0.25)
        if self.alpha == "spherical":
            return math.sqrt(factors)
        if self.alpha == "face":
            return 1.0
        if self.alpha == "orthogonal" and self.blocks:
            return math.sqrt(cube * (star + self.center) / (2 * (cube + self.center)))
        if self.alpha == "orthogonal":
            return math.sqrt((math.sqrt(cube * (cube + star + self.center)) - cube) / 2)
        return float(self.alpha)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)


GROUPS: dict[int, tuple[tuple[int, ...], ...]] = {
    **{k: tuple(itertools.combinations(range(k), 2)) for k in (3, 4, 5)},
    6: tuple(tuple(sorted((i, (i + 1) % 6, (i + 3) % 6))) for i in range(6)),
    7: ((3, 4, 5), (0, 5, 6), (1, 4, 6), (0, 1, 3), (2, 3, 6), (0, 2, 4), (1, 2, 5)),
}
"""The factors that are varied together, while all others are in the middle: Box & Behnken (1960), table 2."""

CENTERS = {3: 3, 4: 3, 5: 6, 6: 6, 7: 6}
"""The number of center points that Box and Behnken advise."""


@dataclass(frozen=True, slots=True)
class BoxBehnken:
    """Groups of two or three factors at the ends of their ranges, all others in the middle; for 3 to 7 factors.

    There are 12, 24, 40, 48 and 56 runs for 3, 4, 5, 6 and 7 factors, and center points (by default 3, 3, 6, 6, 6). No
    run has all factors at an end, which matters where such runs fail. The effects of a quadratic response can all be
    estimated. Factors must have a range, or three listed levels that are ordered. (For 6 and 7 factors some programs
    vary pairs of factors in 60 and 84 runs: that is not Box and Behnken's.)

    Reference: Box & Behnken (1960), Technometrics 2:455-475, doi:10.1080/00401706.1960.10489912.

    >>> BoxBehnken(center=1).lay_out([Axis("A"), Axis("B"), Axis("C")], seed=1).rows[:4]
    array([[-1., -1.,  0.],
           [ 1., -1.,  0.],
           [-1.,  1.,  0.],
           [ 1.,  1.,  0.]])
    """

    center: int | None = None

    kind: ClassVar[str] = "Box–Behnken"

    def __post_init__(self) -> None:
        if self.center is not None:
            check_whole("center", self.center, least=0)

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:  # noqa: ARG002
        """Group by group, then the center points."""
        axes = check_axes(axes, self.kind)
        check_three_levels(axes, self.kind)
        k = len(axes)
        if k not in GROUPS:
            raise InputError(
                f"Box–Behnken layouts are for 3 to 7 factors, got {k}; use a central composite or D-optimal one"
            )
        _check_groups(GROUPS[k], k)
        center = CENTERS[k] if self.center is None else self.center
        rows = np.vstack([*(_group(group, k) for group in GROUPS[k]), np.zeros((center, k))])
        return checked(CodedRows(axes, from_three(rows, axes)), self.kind)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)


def _group(group: tuple[int, ...], k: int) -> FloatArray:
    signs = np.array([s[::-1] for s in itertools.product((-1.0, 1.0), repeat=len(group))])
    rows = np.zeros((len(signs), k))
    rows[:, list(group)] = signs
    return rows


def _check_groups(groups: Sequence[tuple[int, ...]], k: int) -> None:
    """Refuse groups in which factors do not come equally often, or pairs of factors are missing."""
    single = Counter(i for group in groups for i in group)
    pairs = {pair for group in groups for pair in itertools.combinations(group, 2)}
    if len(set(single.values())) != 1 or len(single) != k or len(pairs) != k * (k - 1) // 2:
        raise ContractError(f"Box–Behnken: the groups for {k} factors are not balanced: the table is wrong")


def check_three_levels(axes: Sequence[Axis], kind: str) -> None:
    """Refuse axes that are neither ranges nor have exactly three listed levels, and name layouts for them."""
    check_unnested(axes, kind)
    wrong = [f"{axis.name!r} has {axis.levels}" for axis in axes if axis.levels not in (None, 3)]
    if wrong:
        raise InputError(
            f"a {kind} layout needs ranges or factors with exactly 3 ordered levels, but {listed(wrong)}; "
            "full factorial and D-optimal layouts take any number of levels"
        )


def from_three(rows: FloatArray, axes: Sequence[Axis]) -> FloatArray:
    """Units −1, 0 and +1 as coded units: the same for ranges, 0, 1 and 2 for three listed levels."""
    are_listed = np.array([axis.levels is not None for axis in axes])
    return np.where(are_listed, rows + 1, rows).astype(float)
