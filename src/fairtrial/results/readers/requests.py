"""What the doors for results from elsewhere were asked; every reader is given all of it and heeds what concerns it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from fairtrial.measures import get

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PredictionRequest", "ScoreRequest", "Source"]

Source: TypeAlias = Union[str, Path, "pd.DataFrame"]


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What :func:`~fairtrial.results.read_scores` was asked: names of columns, and what the scores are."""

    measure: str | None = None
    higher_is_better: bool | None = None
    resampling: str | None = None
    dataset: str | None = None
    method: str | None = None
    repeat: str | None = None
    fold: str | None = None
    value: str | None = None
    methods: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class PredictionRequest:
    """What :func:`~fairtrial.results.read_predictions` was asked: names of columns, and what is predicted."""

    truth: str | None = None
    measure: str | None = None
    dataset: str | None = None
    method: str | None = None
    instance: str | None = None
    repeat: str | None = None
    fold: str | None = None
    cluster: str | None = None
    resampling: str | None = None
    positive: object = None

    def task(self) -> str | None:
        """Classes or values, where the measure says which."""
        return None if self.measure is None else get(self.measure).task
