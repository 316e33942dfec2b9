"""Context maps: the cheapest method for each class balance and cost ratio."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.confusion_matrix import ConfusionMatrix
from fairtrial.measures.fold_axis import FloatArray, IntArray
from fairtrial.tables import Column, Shown, Table

ROUND_RATIOS = (0.01, 0.1, 1.0, 10.0, 100.0)
ROUND_SHARES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)

ALWAYS_NEGATIVE, ALWAYS_POSITIVE = "always negative", "always positive"


class RocSpace(Protocol):
    """Any object with points in ROC space: a confusion matrix, a point, a curve."""

    @property
    def fpr(self) -> float | FloatArray: ...

    @property
    def tpr(self) -> float | FloatArray: ...


@dataclass(frozen=True, slots=True, eq=False)
class ContextMap(Shown):
    """The cheapest method, and the costs of all, for each share of positives (columns) and cost ratio (rows).

    ``ratios`` are costs of a false negative over costs of a false positive. ``best[i, j]`` is the position in ``names``
    of the cheapest method at ``ratios[i]`` and ``shares[j]``. ``costs[i, j, m]`` is the cost of method m per instance,
    scaled so that the more expensive of the two mistakes costs 1. The last two names are constant predictions: always
    negative, and always positive. ``notes`` say what is left out.
    """

    names: tuple[str, ...]
    shares: FloatArray
    ratios: FloatArray
    best: IntArray
    costs: FloatArray
    notes: tuple[str, ...] = ()

    @property
    def parts(self) -> dict[str, float]:
        """The share of all contexts of the map in which each method is the cheapest."""
        counts = np.bincount(self.best.ravel(), minlength=len(self.names))
        return {name: float(n / self.best.size) for name, n in zip(self.names, counts, strict=True)}

    def to_table(self) -> Table:
        """The cheapest method at a few shares and ratios, as a table."""
        rows, columns = _nearest(self.ratios, ROUND_RATIOS), _nearest(self.shares, ROUND_SHARES)
        titles = (
            Column("a miss costs", lambda r: f"{r:.3g} false alarms", align="left", key="ratio"),
            *(Column(f"{100 * self.shares[j]:.3g} % positive", align="left") for j in columns),
        )
        cells = tuple((float(self.ratios[i]), *(self.names[self.best[i, j]] for j in columns)) for i in rows[::-1])
        return Table(titles, cells, caption="what costs least, by class balance and cost ratio", notes=self.notes)

    def to_dict(self) -> dict[str, object]:
        """The map as plain data, without the costs."""
        return {
            "names": list(self.names),
            "shares": self.shares.tolist(),
            "ratios": self.ratios.tolist(),
            "best": self.best.tolist(),
            "parts": self.parts,
        }

    def __str__(self) -> str:
        largest_first = sorted(self.parts.items(), key=lambda item: -item[1])
        first = ", ".join(f"{name} in {100 * part:.0f} %" for name, part in largest_first if part > 0)
        return f"Cheapest, by share of contexts: {first}.\n{self.to_table()}"


def context_map(
    methods: Mapping[str, RocSpace],
    *,
    shares: ArrayLike | None = None,
    ratios: ArrayLike | None = None,
) -> ContextMap:
    r"""Compare methods in all operating contexts of two classes.

    The cost per instance at share :math:`\pi` of positives and costs :math:`c_+` of a false positive and :math:`c_-`
    of a false negative is :math:`\pi\,(1 - \text{tpr})\,c_- + (1 - \pi)\,\text{fpr}\,c_+`. A method with a curve uses
    its best threshold in each context; one with a single point (its predicted labels) has no choice. The two constant
    predictions take part: where one of them wins, no method is useful.

    Reference: Drummond & Holte (2006), Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5.

    >>> from fairtrial.measures import ConfusionMatrix
    >>> first = ConfusionMatrix.of_table(tp=60, fn=20, fp=0, tn=20)
    >>> second = ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=10)
    >>> print(context_map({"first": first, "second": second}, shares=[0.1, 0.5, 0.8], ratios=[0.5, 1, 2]))
    Cheapest, by share of contexts: first in 78 %, second in 11 %, always positive in 11 %.
    what costs least, by class balance and cost ratio
    a miss costs      10 % positive  50 % positive  80 % positive
    2 false alarms    first          first          always positive
    1 false alarms    first          first          second
    0.5 false alarms  first          first          first
    """
    channel_checks.check_kind("methods", methods, Mapping, "a mapping from names to ROC curves, points or matrices")
    if not methods:
        raise InputError("methods must have at least one method with its points in ROC space, got none")
    for name in (ALWAYS_NEGATIVE, ALWAYS_POSITIVE):
        if name in methods:
            raise InputError(f"a method must not be called {name!r}, the name of a constant prediction; rename it")
    x = channel_checks.numbers("shares", np.linspace(0.01, 0.99, 99) if shares is None else shares)
    y = channel_checks.numbers("ratios", np.logspace(-2, 2, 101) if ratios is None else ratios)
    if x.ndim != 1 or y.ndim != 1 or not len(x) or not len(y) or ((x < 0) | (x > 1)).any() or (y <= 0).any():
        raise InputError(
            f"shares must be numbers from 0 to 1 and ratios numbers above 0, got {shares!r} and {ratios!r}"
        )
    false_negative = np.minimum(y, 1)[:, None] * x[None, :]
    false_positive = np.minimum(1 / y, 1)[:, None] * (1 - x)[None, :]
    points = {name: _points(name, where) for name, where in methods.items()}
    points |= {ALWAYS_NEGATIVE: np.zeros((1, 2)), ALWAYS_POSITIVE: np.ones((1, 2))}
    costs = np.stack(
        [
            np.min([(1 - tpr) * false_negative + fpr * false_positive for fpr, tpr in p], axis=0)
            for p in points.values()
        ],
        axis=-1,
    )
    return ContextMap(tuple(points), x, y, _cheapest(costs.round(15)), costs)


def _nearest(values: FloatArray, wished: tuple[float, ...]) -> IntArray:
    """The positions of the values to show: all if there are few, else those nearest to round numbers."""
    if len(values) <= len(wished):
        return np.arange(len(values))
    return np.unique([int(np.abs(values - w).argmin()) for w in wished])


def _cheapest(costs: FloatArray) -> IntArray:
    """The first of the cheapest methods; a constant prediction wins if it is equally cheap."""
    n_methods = costs.shape[-1] - 2
    trivial = costs[..., n_methods:].min(axis=-1) <= costs[..., :n_methods].min(axis=-1)
    best = (costs[..., n_methods:].argmin(axis=-1) + n_methods, costs[..., :n_methods].argmin(axis=-1))
    return np.asarray(np.where(trivial, *best))


def _points(name: str, where: RocSpace) -> FloatArray:
    """Rows of fpr and tpr. Of a curve only the corners of its upper hull are used: no other point can be cheapest."""
    if isinstance(where, ConfusionMatrix) and len(where.classes) != 2:
        raise InputError(f"context_map is for two classes, but the matrix of {name!r} has {len(where.classes)}")
    if not (hasattr(where, "fpr") and hasattr(where, "tpr")):
        raise InputError(f"{name!r} must have a ROC curve, a ROC point or a confusion matrix, got {where!r}")
    corners = where.hull() if hasattr(where, "hull") else where
    points = np.column_stack([np.atleast_1d(corners.fpr), np.atleast_1d(corners.tpr)]).astype(float)
    if np.isnan(points).any():
        raise InputError(f"{name!r} has no point in ROC space, because its test data have only one class; leave it out")
    return points
