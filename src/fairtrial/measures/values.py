"""Measures of predicted numbers: formulas over residuals. Predicted distributions are in distributions.py.

The intermediate of measures of predicted numbers: residuals, and statistics over each fold.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.fold_axis import FloatArray, Folds, IntArray, ratio
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.ranking import Order, running_totals
from fairtrial.measures.registry import examples, measure

TIE = 1e-12
"""The relative distance from half of the weight that still counts as half: sums of weights are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """Residuals (truth minus prediction) of all instances, and statistics over each fold.

    Instances without weight are left out of all statistics.
    """

    needs: ClassVar[tuple[str, ...]] = ("value",)
    task: ClassVar[Task] = "values"

    residuals: FloatArray
    predicted: FloatArray
    predictions: Predictions

    @classmethod
    def read(cls, truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> Self:
        """Check numbers, as one fold."""
        channel_checks.one_length({"truth": truth, "predicted": predicted, "weights": weights})
        value = np.asarray(predicted)
        return Predictions.checked(truth, {"value": value}, n_classes=0, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build from checked predictions, with one number per instance."""
        predicted = one_number("value", predictions)
        with far_numbers():
            return cls(predictions.truth - predicted, predicted, predictions)

    @property
    def truth(self) -> FloatArray:
        """The true values."""
        return self.predictions.truth

    @property
    def squares(self) -> FloatArray:
        """The squared residuals."""
        with far_numbers():
            return np.square(self.residuals)

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean in each fold of one loss per instance."""
        return mean_loss(self.predictions, losses)

    def deviations(self, values: FloatArray) -> FloatArray:
        """The deviation of each value from the mean of its fold; exactly 0 if all values of a fold are equal."""
        folds = self.predictions.folds
        with far_numbers():
            shifted = values - folds.spread(self._first(values))
            return np.asarray(shifted - folds.spread(self.mean(shifted)))

    def variance(self, values: FloatArray) -> FloatArray:
        """The population variance (divided by n) in each fold."""
        with far_numbers():
            return self.mean(np.square(self.deviations(values)))

    def share(self, part: FloatArray, whole: FloatArray) -> FloatArray:
        """Divide part by whole, element by element; nan where the whole is 0."""
        with far_numbers():
            return ratio(part, whole)

    def largest(self, losses: FloatArray) -> FloatArray:
        """The largest loss in each fold; losses must not be negative."""
        rows, folds = self._counted()
        found = np.full(folds.count, -1.0)
        if folds.index is None:
            found[0] = losses[rows].max(initial=-1.0)
        else:
            np.maximum.at(found, folds.index, losses[rows])
        return np.where(found < 0, np.nan, found)

    def median(self, losses: FloatArray) -> FloatArray:
        """The weighted median in each fold; the mean of two losses where half of the weight is reached exactly."""
        weights = self.predictions.weights
        order = Order.of(-losses, self.predictions.folds)
        ranked = losses.take(order.rows)
        amounts = np.ones(len(losses)) if weights is None else weights.take(order.rows)
        first = np.cumsum(order.groups.sizes) - order.groups.sizes
        total, reached = np.add.reduceat(amounts, first), running_totals(amounts, order.groups.sizes)
        below, above = (reached < np.repeat(total / 2 * (1 + tie), order.groups.sizes) for tie in (-TIE, TIE))
        found = np.full(order.groups.count, np.nan)
        with far_numbers():
            pair = _next(ranked, below, first, order.groups.sizes) + _next(ranked, above, first, order.groups.sizes)
            found[order.groups.filled] = np.where(total > 0, pair / 2, np.nan)
        return found

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: one per fold."""
        return values

    def _counted(self) -> tuple[IntArray | slice, Folds]:
        """The instances that have weight, and their folds."""
        folds, weights = self.predictions.folds, self.predictions.weights
        if weights is None:
            return slice(None), folds
        rows = np.flatnonzero(weights > 0)
        return rows, Folds(None if folds.index is None else folds.index[rows], folds.count, len(rows))

    def _first(self, values: FloatArray) -> FloatArray:
        """The first value with weight in each fold."""
        rows, folds = self._counted()
        return folds.first(values[rows]) if folds.n else np.full(folds.count, np.nan)


def far_numbers() -> AbstractContextManager[object]:
    """Silence numpy's warnings where a difference or a square exceeds the range of double precision (1.8e308).

    The error is then infinite, and the ratio of two such errors nan: these values need no warning.
    """
    return np.errstate(over="ignore", invalid="ignore")


def mean_loss(predictions: Predictions, losses: FloatArray) -> FloatArray:
    """The weighted mean in each fold of one loss per instance; those without weight are left out."""
    weights = predictions.weights
    counted = losses if weights is None else np.where(weights > 0, losses, 0.0)
    with far_numbers():
        return predictions.mean(counted)


def pinball_losses(residuals: FloatArray, level: float | FloatArray) -> FloatArray:
    """The loss of each residual of a predicted quantile of this level."""
    return np.maximum(level * residuals, (level - 1) * residuals)


def one_number(channel: str, predictions: Predictions) -> FloatArray:
    """Check a channel that has one number per instance."""
    values = channel_checks.numbers(channel, predictions.channel(channel))
    if values.shape != predictions.truth.shape or values.ndim != 1:
        raise InputError(
            f"truth and {channel} must be one number per instance, got the shapes "
            f"{predictions.truth.shape} and {values.shape}"
        )
    return values


def _next(ranked: FloatArray, passed: NDArray[np.bool_], first: IntArray, sizes: IntArray) -> FloatArray:
    """The first value in each fold that is not ``passed``, or else the last value; folds begin at ``first``."""
    return ranked[first + np.minimum(np.add.reduceat(passed, first, dtype=np.intp), sizes - 1)]


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

    Undefined (nan) only for an empty fold. Across data sets it is compared by ratios, since it has no common scale.

    >>> rmse([1, 2, 3, 4], [1, 2, 3, 8])  # mae would be 1
    2.0
    """
    return np.sqrt(r.mean(r.squares))


@measure(
    "Mean squared error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    compare="log-ratio",
    unit="of the target, squared",
    use_when="the mean is to be predicted, and tests over instances need a mean of losses",
    beware="there are outliers, or readers must understand its size: its unit is squared",
    aliases=("mean_squared_error",),
)
def mse(r: Residuals) -> FloatArray:
    r"""Mean squared residual.

    .. math:: \text{MSE} = \frac1n \sum_i (y_i - \hat y_i)^2

    Undefined (nan) only for an empty fold. Across data sets it is compared by ratios, since it has no common scale.

    >>> mse([1, 2, 3, 4], [1, 2, 3, 8])  # mae would be 1
    4.0
    """
    return r.mean(r.squares)


@measure(
    "Mean absolute error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    compare="log-ratio",
    unit="of the target",
    use_when="errors cost in proportion to their size, or there are outliers",
    beware="the mean is to be predicted (it rewards the median), or data sets of different scales are averaged",
    aliases=("mean_absolute_error",),
)
def mae(r: Residuals) -> FloatArray:
    r"""Mean absolute residual, in the unit of the target.

    .. math:: \text{MAE} = \frac1n \sum_i |y_i - \hat y_i|

    Undefined (nan) only for an empty fold. Across data sets it is compared by ratios, since it has no common scale.

    >>> mae([1, 2, 3, 4], [1, 2, 3, 8])  # rmse would be 2
    1.0
    """
    return r.mean(np.abs(r.residuals))


@measure(
    "Median absolute error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="of the target",
    use_when="the typical error matters, not the errors of the worst half",
    beware="large errors matter: it ignores them",
)
def median_absolute_error(r: Residuals) -> FloatArray:
    r"""Median absolute residual, in the unit of the target: half of the instances have no larger error.

    .. math:: \operatorname{median}_i |y_i - \hat y_i|

    For an even number of instances it is the mean of the two middle errors. With weights it is the error at which the
    sorted errors reach half of the weight; if they reach it exactly, the mean of that error and the next, as in
    scikit-learn.
    Undefined (nan) only for an empty fold.

    >>> median_absolute_error([1, 2, 3, 4], [1, 3, 5, 14])  # of 0, 1, 2, 10
    1.5
    >>> median_absolute_error([1, 2, 3, 4], [1, 3, 5, 14], weights=[1, 1, 1, 4])
    10.0
    """
    return r.median(np.abs(r.residuals))


@measure(
    "Largest error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="of the target",
    use_when="no single prediction may be far off",
    beware="test sets differ in size: it grows with them, and one instance determines it",
    aliases=("maximum_error",),
)
def max_error(r: Residuals) -> FloatArray:
    r"""Largest absolute residual, in the unit of the target.

    .. math:: \max_i |y_i - \hat y_i|

    Instances of weight 0 are left out; other weights don't matter. Undefined (nan) only for an empty fold.

    >>> max_error([1, 2, 3, 4], [1, 3, 5, -1])
    5.0
    """
    return r.largest(np.abs(r.residuals))


@measure(
    "Mean absolute percentage error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    undefined="a target is 0",
    use_when="errors matter in proportion to a positive target, or data sets of different scales are compared",
    beware="targets are close to 0, or predictions are too low: it rewards low predictions",
    aliases=("mean_absolute_percentage_error",),
)
def mape(r: Residuals) -> FloatArray:
    r"""Mean absolute residual relative to the target, as a share: 0.1 means ten percent.

    .. math:: \text{MAPE} = \frac1n \sum_i \frac{|y_i - \hat y_i|}{|y_i|}

    For positive targets and predictions, one that is too low costs at most 1, one that is too high any amount.
    Undefined (nan) when a target is 0; scikit-learn then divides by 2.2e-16, which gives a huge number.

    >>> mape([2, 4, 10], [1, 5, 10])  # (1/2 + 1/4 + 0) / 3
    0.25
    """
    return r.mean(r.share(np.abs(r.residuals), np.abs(r.truth)))


@measure(
    "Symmetric mean absolute percentage error",
    of=Residuals,
    worst=2.0,
    best=0.0,
    per_instance=True,
    undefined="a target and its prediction are both 0",
    use_when="forecasts of positive series of different scales are compared, as in the M3 and M4 competitions",
    beware="targets are near 0 or change their sign, or too high must cost as much as too low: too low costs more",
    aliases=("symmetric_mean_absolute_percentage_error", "symmetric_mape"),
)
def smape(r: Residuals) -> FloatArray:
    r"""Mean absolute residual relative to the mean size of target and prediction, as a share: 2 is the worst.

    .. math:: \text{sMAPE} = \frac1n \sum_i \frac{2 \, |y_i - \hat y_i|}{|y_i| + |\hat y_i|}

    It reaches from 0 to 2, which is 0 to 200 in percent, as in the M3 and M4 competitions. Some programs leave the 2
    out: their values are half of these. A prediction that is too low costs more than one that is too high by the same
    amount. A target of 0 costs 2 whatever is predicted, and so does a prediction with the wrong sign: near 0 it means
    little (Hyndman & Koehler 2006). Undefined (nan) when a target and its prediction are both 0: 0/0 has no value,
    though some programs count it as 0.

    References: Makridakis (1993), International Journal of Forecasting 9:527-529, doi:10.1016/0169-2070(93)90079-3;
    Hyndman & Koehler (2006), International Journal of Forecasting 22:679-688, doi:10.1016/j.ijforecast.2006.03.001.

    >>> smape([2, 4, 10], [1, 6, 10])  # 2 · (1 / 3 + 2 / 10 + 0) / 3
    0.3556
    """
    with far_numbers():
        size = np.abs(r.truth) / 2 + np.abs(r.predicted) / 2
    return r.mean(r.share(np.abs(r.residuals), size))


@measure(
    "Pinball loss",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    compare="log-ratio",
    unit="of the target",
    use_when="a quantile is predicted, or predicting too low costs more or less than predicting too high",
    beware="the option quantile is not the quantile that was predicted: it is valid only for that one",
    aliases=("pinball_loss", "quantile_loss", "mean_pinball_loss"),
)
def pinball(r: Residuals, *, quantile: float = 0.5) -> FloatArray:
    r"""Mean loss of a predicted :math:`q`-quantile: a unit too low costs :math:`q`, a unit too high :math:`1 - q`.

    .. math:: \frac1n \sum_i \max\bigl(q (y_i - \hat y_i),\; (q - 1)(y_i - \hat y_i)\bigr)

    The true quantile has the lowest expected loss. For the median (``quantile=0.5``) it is half of :func:`mae`.
    Undefined (nan) only for an empty fold.

    References: Koenker & Bassett (1978), Econometrica 46:33-50, doi:10.2307/1913643; Gneiting & Raftery (2007), Journal
    of the American Statistical Association 102:359-378, doi:10.1198/016214506000001437.

    >>> pinball([1, 2, 3, 4], [3, 2, 3, 0], quantile=0.9)  # (0.1 · 2 + 0 + 0 + 0.9 · 4) / 4
    0.95
    """
    if not 0 < quantile < 1:
        raise InputError(f"quantile must lie strictly between 0 and 1 (0.9 for the upper tenth), got {quantile!r}")
    return r.mean(pinball_losses(r.residuals, quantile))


@measure(
    "Root mean squared logarithmic error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    undefined="a target or a prediction is −1 or less",
    use_when="targets are counts or amounts over several orders of magnitude, and ratios matter",
    beware="most targets are much smaller than 1 (then it is just the rmse), or predictions can be negative",
    aliases=("root_mean_squared_log_error",),
)
def rmsle(r: Residuals) -> FloatArray:
    r"""Root mean squared difference of the logarithms of target + 1 and prediction + 1.

    .. math:: \sqrt{\frac1n \sum_i \bigl(\ln(1 + y_i) - \ln(1 + \hat y_i)\bigr)^2}

    For large targets, 0.1 is an error of about ten percent. Undefined (nan) when a target or a prediction is
    −1 or less; scikit-learn refuses that.

    >>> import math
    >>> rmsle([math.e - 1, 0], [0, 0])  # √((1² + 0²) / 2)
    0.7071
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = np.log1p(r.truth) - np.log1p(r.predicted)
    outside = (r.truth <= -1) | (r.predicted <= -1)
    return np.sqrt(r.mean(np.where(outside, np.nan, np.square(difference))))


@measure(
    "Coefficient of determination",
    of=Residuals,
    worst=-np.inf,
    best=1.0,
    range="up to 1, 0 for the mean",
    undefined="the target is constant",
    use_when="data sets of different scales are compared",
    beware="folds are small: it is relative to the variance of the fold's own targets",
    aliases=("r_squared", "coefficient_of_determination", "r2_score"),
)
def r2(r: Residuals) -> FloatArray:
    r"""One minus the mean squared error relative to the variance of the test targets.

    .. math:: R^2 = 1 - \frac{\sum_i (y_i - \hat y_i)^2}{\sum_i (y_i - \bar y)^2}

    It is 0 for predicting the mean of the test targets, and negative for worse predictions. Undefined (nan) when the
    target is constant, as with a single instance; scikit-learn then returns 1 or 0. The other definition, explained
    over total sum of squares, agrees only for least squares on its own training data.

    Reference: Kvålseth (1985), The American Statistician 39:279-285, doi:10.1080/00031305.1985.10479448.

    >>> r2([1, 2, 3, 4], [1, 2, 3, 5])  # 1 − 1 / 5
    0.8
    """
    return 1 - r.share(r.mean(r.squares), r.variance(r.truth))


@measure(
    "Explained variance",
    of=Residuals,
    worst=-np.inf,
    best=1.0,
    range="up to 1, 0 for any constant",
    undefined="the target is constant",
    use_when="a constant offset of all predictions does not matter, or is corrected later",
    beware="predictions are used as they are: it ignores that all may be too high",
    aliases=("explained_variance_score",),
)
def explained_variance(r: Residuals) -> FloatArray:
    r"""Share of the variance of the target that is not in the residuals; a constant offset does not matter.

    .. math:: 1 - \frac{\operatorname{Var}(y - \hat y)}{\operatorname{Var}(y)}

    It is :func:`r2` after the mean residual has been subtracted, so it is never less. Undefined (nan) when the target
    is constant; scikit-learn then returns 1 or 0.

    >>> explained_variance([1, 2, 3, 4], [3, 4, 5, 10])  # residuals −2, −2, −2, −6: 1 − 3 / 1.25
    -1.4
    """
    return 1 - r.share(r.variance(r.residuals), r.variance(r.truth))


@measure(
    "Normalised root mean squared error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    range="0 upwards, 1 for the mean",
    undefined="the target is constant",
    use_when="data sets of different scales are compared",
    beware="folds are small: it is relative to the standard deviation of the fold's own targets",
    aliases=("root_relative_squared_error", "rrse"),
)
def nrmse(r: Residuals) -> FloatArray:
    r"""Root mean squared error in standard deviations of the test targets.

    .. math:: \text{NRMSE} = \frac{\text{RMSE}}{\sqrt{\frac1n \sum_i (y_i - \bar y)^2}} = \sqrt{1 - R^2}

    It is 1 for predicting their mean, because the standard deviation is that of the population (divided by n). WEKA's
    root relative squared error is the same in percent, but relative to predicting the mean of the *training* targets.
    Other definitions divide by the mean or the range of the targets: don't compare with them. Undefined (nan) when the
    target is constant.

    >>> nrmse([1, 2, 3, 4], [1, 2, 3, 5])  # √(0.25 / 1.25)
    0.4472
    """
    return np.sqrt(r.share(r.mean(r.squares), r.variance(r.truth)))


@measure(
    "Relative absolute error",
    of=Residuals,
    worst=np.inf,
    best=0.0,
    range="0 upwards, 1 for the mean",
    undefined="the target is constant",
    use_when="data sets of different scales are compared, and there are outliers",
    beware="the target is skewed: predicting its median then gives less than 1",
    aliases=("relative_absolute_error",),
)
def rae(r: Residuals) -> FloatArray:
    r"""Mean absolute error relative to that of predicting the mean of the test targets.

    .. math:: \text{RAE} = \frac{\sum_i |y_i - \hat y_i|}{\sum_i |y_i - \bar y|}

    It is 1 for predicting that mean. WEKA prints it in percent, relative to the mean of the *training* targets.
    Undefined (nan) when the target is constant.

    >>> rae([1, 2, 3, 6], [1, 2, 3, 4])  # 2 / (2 + 1 + 0 + 3)
    0.3333
    """
    return r.share(r.mean(np.abs(r.residuals)), r.mean(np.abs(r.deviations(r.truth))))


__test__ = examples(__name__)
