"""Where scores come from: the columns of tidy scores, and stored predictions, from which they can be computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from fairtrial.design import Level
from fairtrial.errors import InputError
from fairtrial.measures import Predictions

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.export import LongTable
    from fairtrial.results.results import Results

__all__ = ["COLUMNS", "PredictionSource", "stored_predictions"]

COLUMNS = (
    "dataset", "method", "replicate", "repeat", "fold", "measure", "value", "n_train", "n_test", "status",
)  # fmt: skip
"""The columns of tidy scores; those of factors stand after the method."""


class PredictionSource(Protocol):
    """Stored predictions, from which any measure can be computed after the fact."""

    def scores(self, measures: Sequence[str]) -> pd.DataFrame: ...

    def frame(self) -> pd.DataFrame: ...

    def table(self) -> LongTable:
        """The same in parts, to be written."""
        ...

    def losses(self, measure: str, dataset: str) -> pd.DataFrame: ...

    def predictions(self, dataset: str, method: str, repeat: int | None = None) -> Predictions:
        """All that a method predicted on a data set, or in one repeat of it; folds are the test sets."""
        ...

    def at(self, levels: Mapping[str, Level]) -> PredictionSource:
        """Those of trials at some levels of the factors."""
        ...

    def datasets(self) -> set[str]:
        """The data sets that there are, or will be, predictions on."""
        ...

    def told(self) -> dict[str, Any]:
        """What results have of the trials themselves: ``warnings``, ``outputs`` and ``notes``."""
        ...


def stored_predictions(results: Results) -> PredictionSource:
    """The predictions of some results; refused where there are none."""
    if results.source is None:
        raise InputError("these results are scores without predictions, so nothing new can be computed from them")
    return results.source
