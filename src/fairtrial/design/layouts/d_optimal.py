"""D-optimal layouts: the rows that estimate a given model best, for any mixture of factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fairtrial.design.layouts.axis_checks import check_axes
from fairtrial.design.layouts.exchange import best_rows
from fairtrial.design.layouts.full_factorial import every_combination, units_of
from fairtrial.design.layouts.layout import Axis, CodedRows, FloatArray
from fairtrial.design.layouts.layout_checks import checked
from fairtrial.design.layouts.layout_options import check_whole, plain_options
from fairtrial.design.layouts.layout_terms import Model, check_model, expanded, model_terms
from fairtrial.design.layouts.space_filling import from_unit_cube
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling.split import generator
from fairtrial.stats.arguments import number
from fairtrial.words import shown

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
