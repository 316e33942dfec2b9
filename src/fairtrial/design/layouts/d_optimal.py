"""D-optimal layouts: the rows that estimate a given model best, for any mixture of factors.

The exchange of rows that makes a determinant as large as possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.layouts.fractional import every_combination, units_of
from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray, check_axes, check_whole, checked, plain_options
from fairtrial.design.layouts.layout_terms import Model, check_model, expanded, model_terms
from fairtrial.design.layouts.space_filling import from_unit_cube
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling.split import generator
from fairtrial.stats.arguments import number
from fairtrial.words import shown

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


MOST_CANDIDATES = 4000
"""The most rows among which the exchange chooses; of more combinations, so many are drawn."""


@dataclass(frozen=True, slots=True)
class DOptimal:
    r"""The rows whose model matrix X has the largest determinant of X'X, found by exchanging rows.

    It is for spaces that no other layout fits: lists of several levels, nested factors, any number of runs. ``model``
    is what shall be estimated: ``"main"`` effects, also ``"interactions"`` of two factors, also ``"quadratic"`` effects
    of ranges. Effects of a nested factor are those within the rows where it exists. Ranges are tried at their ends, and
    in the middle if the model is quadratic. The best of several random ``starts`` is taken; the search is not complete.

    ``costs`` says what a run costs at the levels of a factor, a number for each listed level or for both ends of a
    range (between them it changes by a constant ratio); the cost of a row is their product. Then
    :math:`|X'X|^{1/p} / \text{total cost}` is made as large as possible: information for each unit of cost.

    References: Fedorov (1972), Theory of Optimal Experiments; Cook & Nachtsheim (1980), Technometrics 22:315-324.

    >>> laid = DOptimal(runs=6).lay_out([Axis("kernel", 3), Axis("rate")], seed=1)
    >>> sorted(map(tuple, laid.rows.tolist()))   # each kernel with both ends of the range
    [(0.0, -1.0), (0.0, 1.0), (1.0, -1.0), (1.0, 1.0), (2.0, -1.0), (2.0, 1.0)]
    """

    runs: int
    model: Model = "main"
    starts: int = 10
    costs: Mapping[str, Sequence[float]] = field(default_factory=dict, hash=False)

    kind: ClassVar[str] = "D-optimal"

    def __post_init__(self) -> None:
        check_whole("runs", self.runs, least=2, most=10_000)
        check_whole("starts", self.starts, least=1, most=1000)
        check_model(self.model)
        if not isinstance(self.costs, Mapping) or not all(_are_costs(some) for some in self.costs.values()):
            raise InputError(f"costs must map factors to lists of numbers above 0, got {shown(self.costs)}")

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:
        """The chosen rows, sorted by factor."""
        axes = check_axes(axes, self.kind)
        rows = self.candidates(axes, seed)
        columns, rank = _orthonormal(expanded(rows, model_terms(axes, self.model)))
        if self.runs < rank:
            raise InputError(
                f"runs must be at least {rank}, the number of coefficients of the model {self.model!r}, "
                f"got {shown(self.runs)}"
            )
        draw = generator(seed, "D-optimal", self.runs, self.model, len(axes))
        chosen = best_rows(columns, self._costs(axes, rows), self.runs, self.starts, draw)
        _, logarithm = np.linalg.slogdet(columns[chosen].T @ columns[chosen] / self.runs)
        note = f"D-efficiency {100 * np.exp(logarithm / rank):.1f} % relative to all candidates taken equally often"
        return checked(CodedRows(axes, rows[np.sort(chosen)], None, (note,)), self.kind, runs=self.runs)

    def candidates(self, axes: Sequence[Axis], seed: int) -> FloatArray:
        """The rows to choose from: all combinations of levels, or a random part of them."""
        levels = 3 if self.model == "quadratic" else 2
        try:
            return every_combination(axes, levels, most=MOST_CANDIDATES)
        except InputError:
            draw = generator(seed, "candidates", len(axes))
            points = draw.random_sample((MOST_CANDIDATES, len(axes)))
            grid = [Axis(a.name, len(units_of(a, levels)), a.when) for a in axes]
            rows = from_unit_cube(points, grid)
            for i, axis in enumerate(axes):
                if axis.levels is None:
                    rows[:, i] = 2 * rows[:, i] / (levels - 1) - 1
            return np.unique(rows, axis=0)

    def _costs(self, axes: Sequence[Axis], rows: FloatArray) -> FloatArray:
        names = [axis.name for axis in axes]
        total = np.ones(len(rows))
        for name, given in self.costs.items():
            if name not in names:
                raise UnknownName.among("factor", name, names)
            axis, column = axes[names.index(name)], rows[:, names.index(name)]
            if len(given) != (axis.levels or 2):
                raise InputError(
                    f"costs of {name!r} must have {axis.levels or 2} numbers, one for each level, got {shown(given)}"
                )
            logs = np.log(np.asarray(given, dtype=float))
            there = ~np.isnan(column)
            if axis.levels is None:
                total[there] *= np.exp(np.interp(column[there], [-1, 1], logs))
            else:
                total[there] *= np.exp(logs[column[there].astype(int)])
        return total

    def to_dict(self) -> dict[str, Any]:
        """The kind and the options."""
        return plain_options(self)


def _are_costs(given: object) -> bool:
    return isinstance(given, (list, tuple)) and all(0 < number(value) < np.inf for value in given)


def _orthonormal(columns: FloatArray) -> tuple[FloatArray, int]:
    """Columns that span the same space, with X'X = N · I over all candidates, and their number.

    The determinant of any choice of rows is only multiplied by a constant, and columns that depend on others are gone.
    """
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    rank = int((sizes > 1e-9 * sizes[0]).sum())
    return left[:, :rank] * np.sqrt(len(columns)), rank
