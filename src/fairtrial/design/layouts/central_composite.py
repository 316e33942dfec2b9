"""Central composite layouts: a cube, a star and center points, for a quadratic response."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from fairtrial.design.layouts.axis_checks import check_axes, check_ranges
from fairtrial.design.layouts.fractional import Fractional
from fairtrial.design.layouts.full_factorial import every_combination
from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray
from fairtrial.design.layouts.layout_checks import check_orthogonal, checked
from fairtrial.design.layouts.layout_options import check_whole, plain_options
from fairtrial.errors import InputError
from fairtrial.stats.arguments import number
from fairtrial.words import shown

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
