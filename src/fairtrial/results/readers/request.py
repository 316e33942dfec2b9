"""The request to a reader of results from elsewhere; each reader uses the parts that concern it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from fairtrial.measures import get

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Request", "Source"]

Source: TypeAlias = Union[str, Path, "pd.DataFrame"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Names of columns, where their titles are unusual, and what the caller knows of the scores or predictions.

    ``higher_is_better``, ``value`` and ``methods`` are of :func:`~fairtrial.results.read_scores` alone; ``truth``,
    ``instance``, ``cluster`` and ``positive`` of :func:`~fairtrial.results.read_predictions`.
    """

    measure: str | None = None
    resampling: str | None = None
    dataset: str | None = None
    method: str | None = None
    repeat: str | None = None
    fold: str | None = None
    higher_is_better: bool | None = None
    value: str | None = None
    methods: Sequence[str] | None = None
    truth: str | None = None
    instance: str | None = None
    cluster: str | None = None
    positive: object = None

    def task(self) -> str | None:
        """The task, classes or values, where the measure says which."""
        return None if self.measure is None else get(self.measure).task
