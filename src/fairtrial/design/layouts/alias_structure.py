"""Which effects a layout can't tell apart, for layouts of any kind: the alias matrix."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairtrial.design.layouts.layout import CodedRows, FloatArray
from fairtrial.design.layouts.layout_terms import ModelMatrix, model_matrix
from fairtrial.tables import Column, Shown, Table

NEGLIGIBLE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Aliases(Shown):
    """The alias matrix: how much of each left-out effect is in the estimate of each effect of the model.

    If the model without the left-out effects is fitted, the expected estimate of effect i is its true value plus the
    sum of ``matrix[i, j]`` times the left-out effect j. Rows are coefficients of the model, columns those left out.
    """

    effects: tuple[str, ...]
    left_out: tuple[str, ...]
    matrix: FloatArray

    def sentences(self) -> tuple[str, ...]:
        """The effects that are mixed with others, with the shares: "A is mixed with 0.33 BC − 0.33 BD"."""
        lines = []
        for effect, row in zip(self.effects, self.matrix, strict=True):
            parts = [
                _part(share, name) for share, name in zip(row, self.left_out, strict=True) if abs(share) > NEGLIGIBLE
            ]
            if parts:
                lines.append(f"{effect} is mixed with {' + '.join(parts).replace('+ −', '− ')}")
        return tuple(lines)

    def to_table(self) -> Table:
        """A row for each effect that is mixed with a left-out one, with its share."""
        rows = [
            (effect, other, float(share))
            for effect, row in zip(self.effects, self.matrix, strict=True)
            for other, share in zip(self.left_out, row, strict=True)
            if abs(share) > NEGLIGIBLE
        ]
        columns = (Column("effect", align="left"), Column("is mixed with", align="left"), Column("share"))
        return Table(columns=columns, rows=tuple(rows), caption="effects that this layout can't tell apart")


def _part(share: float, name: str) -> str:
    sign = "−" if share < 0 else ""
    size = f"{abs(share):.2g}"
    return f"{sign}{name}" if size == "1" else f"{sign}{size} {name}"


def alias_structure(coded: CodedRows, model: str = "main", beyond: str = "interactions") -> Aliases:
    r"""The alias matrix of a layout of any kind, for a model and the effects of a larger model that are left out.

    .. math:: A = (X_1'X_1)^{-1} X_1'X_2

    X₁ has the columns of the model (and of blocks), X₂ those that the larger model has beyond it. If the model itself
    can't be estimated, the pseudo-inverse is taken.

    Reference: Box & Wilson (1951), Journal of the Royal Statistical Society B 13:1-45.

    >>> from fairtrial.design.layouts import Axis, PlackettBurman
    >>> laid = PlackettBurman(runs=12).lay_out([Axis(name) for name in "ABCD"], seed=1)
    >>> alias_structure(laid).sentences()[0]
    'A is mixed with 0.33 BC − 0.33 BD + 0.33 CD'
    """
    kept, larger = model_matrix(coded, model), model_matrix(coded, beyond)
    names = {term.name for term in kept.terms}
    left = [term for term in larger.terms if term.name not in names]
    beyond_columns = [larger.matrix[:, larger.columns_of(term)] for term in left]
    outside = np.hstack(beyond_columns) if beyond_columns else np.zeros((len(coded.rows), 0))
    matrix = np.linalg.pinv(kept.matrix) @ outside
    width = kept.effects.shape[1]
    return Aliases(
        ("mean", *_columns(kept)), tuple(n for t in left for n in _numbered(t.name, t.width)), matrix[:width]
    )


def _columns(model: ModelMatrix) -> list[str]:
    return [name for term in model.terms for name in _numbered(term.name, term.width)]


def _numbered(name: str, width: int) -> list[str]:
    return [name] if width == 1 else [f"{name}[{i + 1}]" for i in range(width)]
