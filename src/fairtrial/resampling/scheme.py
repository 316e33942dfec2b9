"""What every resampling scheme is, and how it is written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, Protocol

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling.split import Dependence, Split

__all__ = ["Resampling", "describe"]


class Resampling(Protocol):
    """How a data set is split, and how the splits depend on each other.

    ``name`` is what study files call it, ``written`` how a person writes it; ``use`` says what it is for,
    ``analysis`` how its scores on one data set are analysed, and ``beware`` when it misleads. The splits of repeat r
    depend on the seed and on r only, so that more repeats extend a study. :meth:`dependence` without a data set leaves
    open what only the data decide.
    """

    name: str
    written: str
    use: ClassVar[str]
    analysis: str
    beware: ClassVar[str]

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]: ...

    def dependence(self, dataset: Dataset | None = None) -> Dependence: ...


def describe(scheme: Resampling) -> dict[str, Any]:
    """The scheme as plain data, for the study file.

    A field whose metadata say ``{"written": False}`` is left out: others stand for it.
    """
    if not is_dataclass(scheme):
        raise InputError(f"a resampling must be a dataclass, so that it can be written down, got {scheme!r}")
    written = [f.name for f in fields(scheme) if f.metadata.get("written", True)]
    return {"scheme": scheme.name, **{name: getattr(scheme, name) for name in written}}
