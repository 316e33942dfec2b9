"""Plackett and Burman's layouts: up to n − 1 factors in n runs, for screening many factors with few runs.

Paley's matrices of −1, 0 and +1 from the squares of finite fields: Hadamard and conference matrices.

Reference: Paley (1933), Journal of Mathematics and Physics 12:311-320, doi:10.1002/sapm1933121311.

Definitive screening layouts: three levels in 2m + 1 runs; main effects are free of all second-order effects.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairtrial.design.layouts.central_composite import check_three_levels, from_three
from fairtrial.design.layouts.generators import with_centers
from fairtrial.design.layouts.layout import (
    Axis,
    CodedRows,
    FloatArray,
    check_axes,
    check_orthogonal,
    check_ranges,
    check_two_levels,
    check_whole,
    checked,
    from_signs,
    plain_options,
)
from fairtrial.errors import ContractError, InputError
from fairtrial.words import shown


def _prime_power(q: int) -> tuple[int, int] | None:
    """The prime and the exponent, if q is an odd prime to the power of 1, 2 or 3."""
    for prime in range(3, q + 1, 2):
        if q % prime == 0:
            exponent = next((e for e in (1, 2, 3) if prime**e == q), 0)
            return (prime, exponent) if exponent else None
    return None


def _jacobsthal(q: int) -> FloatArray:
    """The matrix of +1 where the difference of two elements of the field is a square, −1 where not, 0 if it is 0."""
    found = _prime_power(q)
    if found is None:
        raise ContractError(f"{q} is not a power of an odd prime, so there is no field of that size here")
    prime, exponent = found
    elements = list(itertools.product(range(prime), repeat=exponent))
    modulus = _irreducible(prime, exponent)
    squares = {_product(a, a, modulus, prime) for a in elements if any(a)}
    sign = {a: (1.0 if a in squares else -1.0) if any(a) else 0.0 for a in elements}
    return np.array(
        [[sign[tuple((x - y) % prime for x, y in zip(a, b, strict=True))] for b in elements] for a in elements]
    )


def _irreducible(prime: int, exponent: int) -> tuple[int, ...]:
    """What x to the exponent is replaced by: a polynomial of degree 2 or 3 without a root has no factors."""
    for rest in itertools.product(range(prime), repeat=exponent):
        values = [(x**exponent - sum(c * x**i for i, c in enumerate(rest))) % prime for x in range(prime)]
        if exponent == 1 or all(values):
            return rest
    raise ContractError(f"no irreducible polynomial of degree {exponent} was found over {prime} elements")


def _product(a: tuple[int, ...], b: tuple[int, ...], modulus: tuple[int, ...], prime: int) -> tuple[int, ...]:
    degree = len(a)
    if degree == 1:
        return (a[0] * b[0] % prime,)
    long = [0] * (2 * degree - 1)
    for (i, x), (j, y) in itertools.product(enumerate(a), enumerate(b)):
        long[i + j] += x * y
    for power in range(2 * degree - 2, degree - 1, -1):
        for i, c in enumerate(modulus):
            long[power - degree + i] += long[power] * c
    return tuple(x % prime for x in long[:degree])


def _conference_from_field(q: int) -> FloatArray:
    """Paley's conference matrix of order q + 1: symmetric if q leaves 1 when divided by 4, else skew."""
    matrix = np.zeros((q + 1, q + 1))
    matrix[0, 1:], matrix[1:, 0] = 1, 1 if q % 4 == 1 else -1
    matrix[1:, 1:] = _jacobsthal(q)
    return matrix


def is_conference_order(order: int) -> bool:
    """Whether a conference matrix of this order is constructed here."""
    return _prime_power(order - 1) is not None or (order % 8 == 0 and _is_skew_order(order // 2))


def _is_skew_order(order: int) -> bool:
    return order % 4 == 0 and (_prime_power(order - 1) is not None or (order % 8 == 0 and _is_skew_order(order // 2)))


def conference_matrix(order: int) -> FloatArray:
    """A matrix C with zeros on the diagonal, −1 and +1 elsewhere, and C'C = (order − 1) I; checked.

    >>> conference_matrix(4)
    array([[ 0.,  1.,  1.,  1.],
           [-1.,  0., -1.,  1.],
           [-1.,  1.,  0., -1.],
           [-1., -1.,  1.,  0.]])
    """
    if _prime_power(order - 1) is not None:
        matrix = _conference_from_field(order - 1)
    elif is_conference_order(order):
        half, one = conference_matrix(order // 2), np.eye(order // 2)  # skew, so that its doubling is one, too
        matrix = np.block([[half, half + one], [half - one, -half]])
    else:
        raise ContractError(f"no conference matrix of order {order} is constructed here")
    if not np.array_equal(matrix.T @ matrix, (order - 1) * np.eye(order)) or np.diag(matrix).any():
        raise ContractError(f"the matrix of order {order} is not a conference matrix: its construction is wrong")
    return matrix


def is_hadamard_order(order: int) -> bool:
    """Whether a Hadamard matrix of this order is constructed here."""
    if order in (1, 2):
        return True
    if order < 4 or order % 4:
        return False
    from_field = _prime_power(order - 1) is not None or (order % 8 == 4 and _prime_power(order // 2 - 1) is not None)
    return from_field or is_hadamard_order(order // 2)


def hadamard_matrix(order: int) -> FloatArray:
    """A matrix H of −1 and +1 with H'H = order · I and a first column of +1; checked.

    >>> hadamard_matrix(4)
    array([[ 1.,  1.,  1.,  1.],
           [ 1., -1.,  1., -1.],
           [ 1., -1., -1.,  1.],
           [ 1.,  1., -1., -1.]])
    """
    if not is_hadamard_order(order):
        raise ContractError(f"no Hadamard matrix of order {order} is constructed here")
    matrix = _hadamard(order)
    matrix = matrix * matrix[:, :1]
    if not np.array_equal(matrix.T @ matrix, order * np.eye(order)):
        raise ContractError(f"the matrix of order {order} is not a Hadamard matrix: its construction is wrong")
    return matrix


def _hadamard(order: int) -> FloatArray:
    if order == 1:
        return np.ones((1, 1))
    if order > 2 and _prime_power(order - 1) is not None:
        return _conference_from_field(order - 1) + np.eye(order)
    if order % 8 == 4 and _prime_power(order // 2 - 1) is not None:
        core, one = _conference_from_field(order // 2 - 1), np.eye(order // 2)
        return np.block([[core + one, core - one], [core - one, -core - one]])
    half = _hadamard(order // 2)
    return np.block([[half, half], [half, -half]])


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
