"""Definitive screening layouts: three levels in 2m + 1 runs; main effects are free of all second-order effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairtrial.design.layouts.axis_checks import check_axes
from fairtrial.design.layouts.box_behnken import check_three_levels, from_three
from fairtrial.design.layouts.layout import Axis, CodedRows
from fairtrial.design.layouts.layout_checks import check_orthogonal, checked
from fairtrial.design.layouts.layout_options import check_whole, plain_options
from fairtrial.design.layouts.paley import conference_matrix, is_conference_order
from fairtrial.errors import InputError

MOST_FACTORS = 50


@dataclass(frozen=True, slots=True)
class DefinitiveScreening:
    """The rows of a conference matrix, the same with all signs changed, and center points.

    With a matrix of order m there are 2m runs and ``center`` more, for up to m factors; m is even, and at least 4. Main
    effects are orthogonal to each other, to all interactions of two factors and to all quadratic effects; interactions
    are mixed with each other in part. Factors must have a range, or three listed levels that are ordered. Matrices of
    Paley's construction are used (4 to 20, 24, 26, 28, 30, 32 and so on; none of order 22 exists, and then a larger
    one is taken).

    References: Jones & Nachtsheim (2011), Journal of Quality Technology 43:1-15; Xiao, Lin & Bai (2012), Journal of
    Quality Technology 44:2-8.

    >>> DefinitiveScreening().lay_out([Axis(name) for name in "ABCDEF"], seed=1).rows.shape
    (13, 6)
    """

    center: int = 1

    kind: ClassVar[str] = "definitive screening"

    def __post_init__(self) -> None:
        check_whole("center", self.center, least=1)

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:  # noqa: ARG002
        """Pairs of runs with opposite signs, then the center points."""
        axes = check_axes(axes, self.kind)
        check_three_levels(axes, self.kind)
        if not 3 <= len(axes) <= MOST_FACTORS:
            raise InputError(f"definitive screening layouts are for 3 to {MOST_FACTORS} factors, got {len(axes)}")
        order = next(m for m in range(4, 2 * MOST_FACTORS, 2) if m >= len(axes) and is_conference_order(m))
        half = conference_matrix(order)[:, : len(axes)]
        pairs = np.stack([half, -half], axis=1).reshape(2 * order, len(axes))
        check_orthogonal(pairs, self.kind)
        rows = np.vstack([pairs, np.zeros((self.center, len(axes)))])
        return checked(CodedRows(axes, from_three(rows, axes)), self.kind, runs=2 * order + self.center)

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)
