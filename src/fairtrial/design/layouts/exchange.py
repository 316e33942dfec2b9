"""The exchange of rows that makes a determinant as large as possible."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.layouts.layout import FloatArray

LEAST_GAIN = 1e-7  # of the logarithm of the criterion: smaller gains are rounding
MOST_PASSES = 100
RIDGE = 1e-6  # for starts that can't estimate all columns yet


def best_rows(
    columns: FloatArray, costs: FloatArray, runs: int, starts: int, draw: np.random.RandomState
) -> NDArray[np.intp]:
    """The rows of the candidates with the largest log det(X'X) − p log(total cost), the best of several starts.

    Each start is a random choice. Then each row in turn is exchanged for the candidate that gains most, until no
    exchange gains anything (Cook and Nachtsheim's version of Fedorov's algorithm). A candidate can be chosen twice.

    >>> line = np.column_stack([np.ones(5), np.linspace(-1, 1, 5)])
    >>> best_rows(line, np.ones(5), 4, 3, np.random.RandomState(1))   # two runs at each end
    array([0, 0, 4, 4])
    """
    best, best_value = np.zeros(0, dtype=np.intp), -np.inf
    for _ in range(starts):
        chosen = draw.choice(len(columns), runs, replace=runs > len(columns))
        value = _improve(columns, costs, chosen)
        if value > best_value + LEAST_GAIN or not len(best):
            best, best_value = np.sort(chosen), value
    return best


def _improve(columns: FloatArray, costs: FloatArray, chosen: NDArray[np.intp]) -> float:
    """Exchange rows of the choice, in place, until nothing is gained; the value of the criterion."""
    p = columns.shape[1]
    for _ in range(MOST_PASSES):
        inverse: FloatArray = np.asarray(np.linalg.inv(columns[chosen].T @ columns[chosen] + RIDGE * np.eye(p)), float)
        own = np.einsum("ij,ij->i", columns @ inverse, columns)  # x'(X'X)⁻¹x of each candidate
        gained = 0.0
        for i in range(len(chosen)):
            gains = _gains(columns, costs, chosen, i, inverse, own)
            j = int(np.argmax(gains))
            if gains[j] > LEAST_GAIN:
                _update(columns, inverse, own, j, 1)
                _update(columns, inverse, own, int(chosen[i]), -1)
                chosen[i] = j
                gained += float(gains[j])
        if gained == 0:
            break
    sign, logarithm = np.linalg.slogdet(columns[chosen].T @ columns[chosen])
    return float(logarithm - p * np.log(costs[chosen].sum())) if sign > 0 else -np.inf


def _update(columns: FloatArray, inverse: FloatArray, own: FloatArray, row: int, sign: int) -> None:
    """Add a row to the choice or take it away: Sherman and Morrison's formula, in place."""
    moved = inverse @ columns[row]
    scale = sign / (1 + sign * float(columns[row] @ moved))
    own -= scale * (columns @ moved) ** 2
    inverse -= scale * np.outer(moved, moved)


def _gains(
    columns: FloatArray, costs: FloatArray, chosen: NDArray[np.intp], i: int, inverse: FloatArray, own: FloatArray
) -> FloatArray:
    """The gain of the criterion for each candidate in place of row i: log of (1 + d_j)(1 − d_i) + d_ij², less costs."""
    crossed = columns @ (inverse @ columns[chosen[i]])
    ratio = (1 + own) * (1 - own[chosen[i]]) + crossed**2
    total = costs[chosen].sum()
    spent = np.log((total - costs[chosen[i]] + costs) / total)
    return np.asarray(np.log(np.maximum(ratio, 1e-300)) - columns.shape[1] * spent)
