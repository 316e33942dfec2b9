"""Layouts of our own, for tests that need one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairtrial.design.layouts import Axis, CodedRows


@dataclass(frozen=True)
class Rows:
    """The rows that are given, whatever the axes."""

    rows: tuple[tuple[float, ...], ...]
    kind: ClassVar[str] = "given rows"

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:
        return CodedRows(tuple(axes), np.asarray(self.rows, dtype=float)[:, : len(axes)], notes=("A is mixed with BC",))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True)
class Asked:
    """One row of low levels, and a memory of the axes that were asked for."""

    seen: list[list[Axis]]
    kind: ClassVar[str] = "asked"

    def lay_out(self, axes: Sequence[Axis], seed: int) -> CodedRows:
        self.seen.append(list(axes))
        return CodedRows(tuple(axes), np.array([[0.0 if a.levels else -1.0 for a in axes]]))

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind}
