"""Plackett and Burman's layouts: up to n − 1 factors in n runs, for screening many factors with few runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from fairtrial.design.layouts.axis_checks import check_axes, check_ranges, check_two_levels, from_signs
from fairtrial.design.layouts.blocking import with_centers
from fairtrial.design.layouts.layout import Axis, CodedRows
from fairtrial.design.layouts.layout_checks import check_orthogonal, checked
from fairtrial.design.layouts.layout_options import check_whole, plain_options
from fairtrial.design.layouts.paley import hadamard_matrix, is_hadamard_order
from fairtrial.errors import InputError
from fairtrial.words import shown

MOST_RUNS = 200
FEWEST_RUNS = 8


@dataclass(frozen=True, slots=True)
class PlackettBurman:
    """Orthogonal main effects of up to n − 1 factors in n runs, n a multiple of 4 (12, 20, 24, 28 and so on).

    Each main effect is mixed with all interactions of two other factors: in part if n is not a power of 2 (in 12 runs
    by a third each), in whole if it is. Use it where interactions are small, or to find the few factors worth a second
    experiment. Without ``runs`` the smallest possible number is taken. ``center`` is the number of center points.

    The columns come from Paley's matrices, which for 12, 20 and 24 runs are those of Plackett and Burman up to the
    order and signs of runs and factors; for other sizes they can be different matrices with the same properties.

    Reference: Plackett & Burman (1946), Biometrika 33:305-325, doi:10.1093/biomet/33.4.305.

    >>> PlackettBurman().lay_out([Axis(name) for name in "ABCDEFGHJKL"], seed=1).rows.shape   # 11 factors
    (12, 11)
    """

    runs: int | None = None
    center: int = 0

    kind: ClassVar[str] = "Plackett–Burman"

    def __post_init__(self) -> None:
        check_whole("center", self.center, least=0)
        if self.runs is not None:
            check_whole("runs", self.runs, least=4, most=MOST_RUNS)
            if not is_hadamard_order(self.runs):
                raise InputError(
                    "runs must be a multiple of 4 for which a matrix is constructed here, such as 12, 20, 24 or 28, "
                    f"got {shown(self.runs)}"
                )

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:  # noqa: ARG002
        """The runs of the first columns of a Hadamard matrix."""
        axes = check_axes(axes, self.kind)
        check_two_levels(axes, self.kind)
        if self.center:
            check_ranges(axes, "Plackett–Burman with center points")
        runs = self.runs or next(
            (n for n in range(FEWEST_RUNS, MOST_RUNS + 1, 4) if n > len(axes) and is_hadamard_order(n)), 0
        )
        if runs <= len(axes):
            raise InputError(
                f"a Plackett–Burman layout of {len(axes)} factors needs more runs than factors (at most {MOST_RUNS}), "
                f"got runs={self.runs!r}"
            )
        signs = hadamard_matrix(runs)[:, 1 : len(axes) + 1]
        check_orthogonal(signs, self.kind)
        how = "in whole" if runs & (runs - 1) == 0 else "in part"
        note = f"each main effect is mixed with interactions of two other factors, {how}"
        rows, _ = with_centers(from_signs(signs, axes), None, self.center)
        return checked(
            CodedRows(axes, rows, None, (note,) if len(axes) > 2 else ()), self.kind, runs=runs + self.center
        )

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)
