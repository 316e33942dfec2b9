"""What a trial costs: taken from its record, not from its predictions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import checks
from fairtrial.measures.folds import FloatArray
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.registry import examples, measure

__all__ = ["Records", "fit_time", "predict_time"]


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """What was recorded of each trial, for one resource."""

    needs: ClassVar[tuple[str, ...]] = ()
    task: ClassVar[Task] = "any"

    amounts: FloatArray

    @classmethod
    def read(cls, recorded: ArrayLike) -> Self:
        """From one amount per trial, not negative."""
        checks.one_length({"recorded": recorded})
        amounts = checks.numbers("recorded", recorded)
        if (amounts < 0).any():
            raise InputError(f"recorded must not be negative, but {checks.rows(amounts < 0)}")
        return cls(amounts)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Not from predictions."""
        raise InputError(
            "a resource is recorded with its trial and can't be computed from predictions "
            f"(here {sorted(predictions.channels)}); leave it out here and read the records of the trials"
        )

    def reduce(self, values: FloatArray) -> FloatArray:
        """One value already."""
        return values


@measure(
    "Time to fit",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="s",
    undefined="no trial was recorded",
    use_when="training is repeated often, or must fit a budget",
    beware="the machine was busy, or trials ran side by side",
)
def fit_time(r: Records) -> FloatArray:
    r"""Mean wall-clock seconds to fit, over trials.

    .. math:: \bar t = \frac1m \sum_{j=1}^m t_j

    Across data sets times are compared by ratios. At least one trial must have been recorded.

    >>> fit_time([1.0, 2.0, 6.0])
    3.0
    """
    return np.asarray(r.amounts.mean(keepdims=True))


@measure(
    "Time to predict",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="s",
    undefined="no trial was recorded",
    use_when="predictions are made often, or someone waits for them",
    beware="test sets differ in size, or are so small that the call itself is what is timed",
)
def predict_time(r: Records) -> FloatArray:
    r"""Mean wall-clock seconds to predict the test set, over trials.

    .. math:: \bar t = \frac1m \sum_{j=1}^m t_j

    Across data sets times are compared by ratios. At least one trial must have been recorded.

    >>> predict_time([0.01, 0.02, 0.06])
    0.03
    """
    return np.asarray(r.amounts.mean(keepdims=True))


__test__ = examples(__name__)
