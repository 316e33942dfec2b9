"""The request to a reader of results from elsewhere; each reader uses the parts that concern it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from fairtrial.choices import ROWS, Rows
from fairtrial.errors import InputError
from fairtrial.measures import get
from fairtrial.words import is_one_of

if TYPE_CHECKING:
    import pandas as pd

Source: TypeAlias = Union[str, Path, "pd.DataFrame"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of a reader: names of columns with unusual titles, and facts about the scores or predictions.

    ``higher_is_better``, ``value``, ``sign`` and ``rows`` are only for :func:`~fairtrial.results.read_scores`;
    ``truth``, ``instance``, ``cluster`` and ``positive`` only for :func:`~fairtrial.results.read_predictions`.
    """

    measure: str | None = None
    resampling: str | None = None
    dataset: str | None = None
    method: str | None = None
    repeat: str | None = None
    fold: str | None = None
    higher_is_better: bool | None = None
    value: str | None = None
    sign: str | None = None
    methods: Sequence[str] | None = None
    rows: Rows | None = None
    truth: str | None = None
    instance: str | None = None
    cluster: str | None = None
    positive: object = None

    def __post_init__(self) -> None:
        if self.rows is not None and not is_one_of(self.rows, ROWS):
            raise InputError(f"rows must be 'datasets' or 'methods', or be left out, got {self.rows!r}")

        if self.methods is None:
            return
        object.__setattr__(self, "methods", self.methods if isinstance(self.methods, str) else list(self.methods))
        if isinstance(self.methods, str) or not self.methods:
            raise InputError(f"methods must be a list of names such as ['svm', 'knn'], got {self.methods!r}")

    def given(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def task(self) -> str | None:
        """The task, classes or values, where the measure says which."""
        return None if self.measure is None else get(self.measure).task
