"""Paley's matrices of −1, 0 and +1 from the squares of finite fields: Hadamard and conference matrices.

Reference: Paley (1933), Journal of Mathematics and Physics 12:311-320, doi:10.1002/sapm1933121311.
"""

from __future__ import annotations

import itertools

import numpy as np

from fairtrial.design.layouts.layout import FloatArray
from fairtrial.errors import ContractError


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
