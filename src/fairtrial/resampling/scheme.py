"""The protocol of resampling schemes, and how a scheme is written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, ClassVar, Protocol

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling.split import Dependence, Split


class Resampling(Protocol):
    """How a data set is split, and how the splits depend on each other.

    ``name`` is the scheme's name in study files, ``written`` how a person writes it. ``use`` says what it is for,
    ``analysis`` how its scores on one data set are analysed, and ``beware`` when it misleads. The splits of repeat r
    depend only on the seed and on r, so that more repeats extend a study. :meth:`dependence` without a data set leaves
    open what depends on the data.
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

    A field with the metadata ``{"written": False}`` is left out, since other fields determine it.
    """
    if not is_dataclass(scheme):
        raise InputError(f"a resampling must be a dataclass, so that it can be written down, got {scheme!r}")
    written = [f.name for f in fields(scheme) if f.metadata.get("written", True)]
    return {"scheme": scheme.name, **{name: getattr(scheme, name) for name in written}}
