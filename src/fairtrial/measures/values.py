"""Measures of predicted numbers: formulas over residuals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import checks
from fairtrial.measures.folds import FloatArray, ratio
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.registry import examples, measure

__all__ = ["Residuals", "mae", "r2", "rmse"]


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """Truth minus prediction of each instance, and means of anything over each fold."""

    needs: ClassVar[tuple[str, ...]] = ("value",)
    task: ClassVar[Task] = "values"

    residuals: FloatArray
    predictions: Predictions

    @classmethod
    def read(cls, truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> Self:
        """From numbers, as one fold."""
        checks.one_length({"truth": truth, "predicted": predicted, "weights": weights})
        value = np.asarray(predicted)
        return Predictions.checked(truth, {"value": value}, n_classes=0, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """One number per instance."""
        predicted = checks.numbers("value", predictions.channel("value"))
        if predicted.shape != predictions.truth.shape or predicted.ndim != 1:
            raise InputError(
                f"truth and value must be one number per instance, got the shapes "
                f"{predictions.truth.shape} and {predicted.shape}"
            )
        return cls(predictions.truth - predicted, predictions)

    @property
    def variance(self) -> FloatArray:
        """Of the truth in each fold (population: divided by n); exactly 0 when the truth is constant."""
        p = self.predictions
        shifted = p.truth - p.folds.spread(p.folds.first(p.truth))
        return p.mean((shifted - p.folds.spread(p.mean(shifted))) ** 2)

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean of per-instance losses in each fold."""
        return self.predictions.mean(losses)

    def reduce(self, values: FloatArray) -> FloatArray:
        """One value per fold already."""
        return values


@measure(
    "Root mean squared error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="of the target",
    use_when="large errors cost more than in proportion, or the mean is to be predicted",
    beware="there are outliers, or data sets of different scales are averaged",
    aliases=("root_mean_squared_error",),
)
def rmse(r: Residuals) -> FloatArray:
    r"""Square root of the mean squared residual, in the unit of the target.

    .. math:: \text{RMSE} = \sqrt{\frac1n \sum_i (y_i - \hat y_i)^2}

    Undefined (nan) only for an empty fold. Across data sets it is compared by ratios, having no common scale.

    >>> rmse([1, 2, 3, 4], [1, 2, 3, 8])  # mae would be 1
    2.0
    """
    return np.sqrt(r.mean(r.residuals**2))


@measure(
    "Mean absolute error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    compare="log-ratio",
    unit="of the target",
    use_when="errors cost in proportion to their size, or there are outliers",
    beware="the mean is to be predicted: it rewards the median; or data sets of different scales are averaged",
    aliases=("mean_absolute_error",),
)
def mae(r: Residuals) -> FloatArray:
    r"""Mean size of the residuals, in the unit of the target.

    .. math:: \text{MAE} = \frac1n \sum_i |y_i - \hat y_i|

    Undefined (nan) only for an empty fold. Across data sets it is compared by ratios, having no common scale.

    >>> mae([1, 2, 3, 4], [1, 2, 3, 8])  # rmse would be 2
    1.0
    """
    return r.mean(np.abs(r.residuals))


@measure(
    "Coefficient of determination",
    of=Residuals,
    worst=-np.inf,
    best=1.0,
    range="up to 1, 0 for the mean",
    undefined="the target is constant",
    use_when="data sets of different scales are compared",
    beware="folds are small: the fold's own variance is what it is measured by",
    aliases=("r_squared", "coefficient_of_determination", "r2_score"),
)
def r2(r: Residuals) -> FloatArray:
    r"""How much better than the mean of the test targets, on the scale of their variance.

    .. math:: R^2 = 1 - \frac{\sum_i (y_i - \hat y_i)^2}{\sum_i (y_i - \bar y)^2}

    0 for predicting that mean, negative for worse. Undefined (nan) when the target is constant, as with a single
    instance; scikit-learn then says 1 or 0. The other form, explained over total sum of squares, is the same only
    for least squares on its own training data.

    Reference: Kvålseth (1985), The American Statistician 39:279-285, doi:10.1080/00031305.1985.10479448.

    >>> r2([1, 2, 3, 4], [1, 2, 3, 5])  # 1 − 1 / 5
    0.8
    """
    return 1 - ratio(r.mean(r.residuals**2), r.variance)


__test__ = examples(__name__)
