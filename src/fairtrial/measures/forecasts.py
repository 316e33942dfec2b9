"""Measures of forecasts: errors in units of a naive forecast, and losses of predicted quantiles and intervals.

Forecasts of single numbers are measured in values.py too (``smape``, ``pinball``), Gaussian ones in distributions.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.fold_axis import FloatArray
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.registry import examples, measure
from fairtrial.measures.values import Residuals, far_numbers, mean_loss, one_number, pinball_losses
from fairtrial.words import listed

NEAR_CONSTANT = 1e-9
"""The naive error relative to the size of a series, up to which the series counts as constant."""

SAME_LEVEL = 1e-9
"""The distance of two quantile levels that are the same: 1 - 0.9 is not exactly 0.1."""


def naive_scale(history: ArrayLike, *, season: int = 1) -> float:
    r"""Mean absolute error of the seasonal naive forecast on the training part of one series.

    .. math:: \frac{1}{n - m} \sum_{t=m+1}^{n} |y_t - y_{t-m}|

    with the ``season`` :math:`m`: 12 for months, 1 without seasons (the last value is the forecast). :func:`mase` is
    the error in units of it. Undefined (nan) for a series that has at most :math:`m` values, and for one that is
    constant but for rounding: if the error is at most 1e-9 of the largest absolute value.

    Reference: Hyndman & Koehler (2006), International Journal of Forecasting 22:679-688,
    doi:10.1016/j.ijforecast.2006.03.001.

    >>> naive_scale([1, 2, 4, 3, 6])  # (1 + 2 + 1 + 3) / 4
    1.75
    >>> naive_scale([1, 2, 4, 3, 6], season=2), naive_scale([0.1, 0.1, 0.1])
    (2.0, nan)
    """
    series = channel_checks.numbers("history", history)
    if series.ndim != 1:
        raise InputError(f"history must be the values of one series in order, got an array of shape {series.shape}")
    if isinstance(season, bool) or not isinstance(season, (int, np.integer)) or season < 1:
        raise InputError(f"season must be a whole number of at least 1 (12 for months), got {season!r}")
    if len(series) <= season:
        return float("nan")
    with far_numbers():
        error = np.abs(series[season:] - series[:-season]).mean()
    return float(error) if error > NEAR_CONSTANT * np.abs(series).max() else float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """Residuals of forecasts, and for each instance the naive error of its series; nan where that is undefined."""

    needs: ClassVar[tuple[str, ...]] = ("value", "naive_scale")
    task: ClassVar[Task] = "values"

    of_values: Residuals
    scale: FloatArray

    @classmethod
    def read(
        cls, truth: ArrayLike, predicted: ArrayLike, naive_scale: ArrayLike, *, weights: ArrayLike | None = None
    ) -> Self:
        """Check numbers, as one fold; ``naive_scale`` is one number, or one for each instance."""
        single = channel_checks.is_number(naive_scale)
        scales = {} if single else {"naive_scale": naive_scale}
        channel_checks.one_length({"truth": truth, "predicted": predicted, **scales, "weights": weights})
        value, scale = np.asarray(predicted), np.asarray(naive_scale)
        channels = {"value": value, "naive_scale": np.repeat(scale, len(value)) if single else scale}
        return Predictions.checked(truth, channels, n_classes=0, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build from checked predictions; a naive error may be nan, and must not be negative."""
        given = predictions.channel("naive_scale")
        missing = np.isnan(given) if given.dtype.kind == "f" else np.zeros(given.shape, dtype=bool)
        filled = {**predictions.channels, "naive_scale": np.where(missing, 0.0, given) if missing.any() else given}
        scale = one_number("naive_scale", predictions.with_channels(filled))
        if (scale < 0).any():
            raise InputError(f"naive_scale must not be negative, but {channel_checks.rows(scale < 0)}")
        constant = scale <= NEAR_CONSTANT * np.abs(predictions.truth)
        return cls(predictions.shared(Residuals), np.where(constant, np.nan, scale))

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: one per fold."""
        return values


@dataclass(frozen=True, slots=True, eq=False)
class Quantiles:
    """Quantiles predicted for each instance, one column for each level, and their levels in the same shape."""

    needs: ClassVar[tuple[str, ...]] = ("quantiles", "levels")
    task: ClassVar[Task] = "values"

    quantiles: FloatArray
    levels: FloatArray
    predictions: Predictions

    @classmethod
    def read(
        cls, truth: ArrayLike, quantiles: ArrayLike, levels: ArrayLike, *, weights: ArrayLike | None = None
    ) -> Self:
        """Check numbers, as one fold: a row of quantiles for each instance, and the level of each column.

        Of one quantile for each instance, the level may be one number, or one for each instance.
        """
        channel_checks.one_length({"truth": truth, "quantiles": quantiles, "weights": weights})
        columns, given = np.asarray(quantiles), channel_checks.numbers("levels", levels)
        if columns.ndim == 1:
            if given.shape == columns.shape:
                channel_checks.same_rows({"truth": truth, "levels": levels})
                given = given[:, np.newaxis]
            columns = columns[:, np.newaxis]
        if columns.ndim != 2 or given.shape not in ((), (columns.shape[1],), columns.shape):
            raise InputError(
                "quantiles must have a row for each instance and a column for each of the levels, got the shapes "
                f"{columns.shape} and {given.shape}"
            )
        channels = {"quantiles": columns, "levels": np.broadcast_to(given, columns.shape)}
        return Predictions.checked(truth, channels, n_classes=0, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build from checked predictions, whose levels must be different numbers between 0 and 1."""
        quantiles, levels = (
            channel_checks.numbers(name, predictions.channel(name)) for name in ("quantiles", "levels")
        )
        if quantiles.ndim != 2 or quantiles.shape != levels.shape or not quantiles.shape[1]:
            raise InputError(
                "quantiles and levels must be a row for each instance with a column for each level, got the shapes "
                f"{quantiles.shape} and {levels.shape}"
            )
        outside = (levels <= 0) | (levels >= 1)
        if outside.any():
            raise InputError(f"levels must lie strictly between 0 and 1 (0.9), got {levels[outside][0]:g}")
        if (np.diff(np.sort(levels, axis=1)) <= SAME_LEVEL).any():
            raise InputError(f"levels must differ, got {listed(f'{level:g}' for level in levels[0])}")
        return cls(quantiles, levels, predictions)

    @property
    def losses(self) -> FloatArray:
        """Twice the pinball loss of each instance, as the mean over its levels."""
        with far_numbers():
            residuals = self.predictions.truth[:, np.newaxis] - self.quantiles
            return np.asarray(2 * pinball_losses(residuals, self.levels).mean(axis=1))

    def at(self, level: float) -> FloatArray:
        """The quantiles of one level, which must be there."""
        found = np.abs(self.levels - level) <= SAME_LEVEL
        if not found.any(axis=1).all():
            there = listed(f"{given:g}" for given in self.levels[0])
            raise InputError(f"the quantile {level:g} is needed, but there are only the levels {there}")
        return np.asarray(self.quantiles[np.arange(len(found)), found.argmax(axis=1)])

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: one per fold."""
        return values


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """Prediction intervals: the lower and the upper bound of each instance, or quantiles that have these bounds."""

    needs: ClassVar[tuple[str, ...]] = ("low", "high")
    task: ClassVar[Task] = "values"

    predictions: Predictions

    @classmethod
    def read(cls, truth: ArrayLike, low: ArrayLike, high: ArrayLike, *, weights: ArrayLike | None = None) -> Self:
        """Check numbers, as one fold."""
        channel_checks.one_length({"truth": truth, "low": low, "high": high, "weights": weights})
        channels = {"low": np.asarray(low), "high": np.asarray(high)}
        return Predictions.checked(truth, channels, n_classes=0, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build from checked predictions; no lower bound may lie above the upper one."""
        if {"low", "high"} <= set(predictions.channels):
            above = one_number("low", predictions) > one_number("high", predictions)
            if above.any():
                raise InputError(f"low must not be above high, but {channel_checks.rows(above)}; exchange them")
        return cls(predictions)

    def at(self, level: float) -> tuple[FloatArray, FloatArray]:
        """The bounds of the central interval of a level: as given, or the two quantiles that bound it."""
        if {"low", "high"} <= set(self.predictions.channels):
            return one_number("low", self.predictions), one_number("high", self.predictions)
        quantiles = self.predictions.shared(Quantiles)
        return quantiles.at((1 - level) / 2), quantiles.at((1 + level) / 2)

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: one per fold."""
        return values


@measure(
    "Mean absolute scaled error",
    of=Scaled,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    compare="log-ratio",
    range="0 upwards, about 1 for the naive forecast",
    undefined="the naive error of a series is 0, or less than 1e-9 of its values (near-constant series)",
    use_when="forecasts of series of different scales are compared, perhaps with zeros among their values",
    beware="a series hardly changes in its training part: its errors are then divided by almost 0",
    aliases=("mean_absolute_scaled_error",),
)
def mase(s: Scaled) -> FloatArray:
    r"""Mean absolute error in units of the training error of the seasonal naive forecast: see :func:`naive_scale`.

    .. math:: \frac1n \sum_i \frac{|y_i - \hat y_i|}{s_i}, \qquad
              s = \frac{1}{T - m} \sum_{t=m+1}^{T} |y_t - y_{t-m}|

    where :math:`s_i` is the naive error of the series of instance :math:`i`, from its training part. Below 1 the
    forecasts are better than naive forecasts of one step were there. Forecasts further ahead are harder: 1 is no strict
    limit for them. Undefined (nan) when a naive error is nan, 0, or at most 1e-9 of the absolute true value: such a
    series is constant but for rounding, and the ratio would mean nothing.

    Reference: Hyndman & Koehler (2006), International Journal of Forecasting 22:679-688,
    doi:10.1016/j.ijforecast.2006.03.001.

    >>> mase([8, 5], [6, 6], naive_scale([1, 2, 4, 3, 6]))  # (2 + 1) / 2 / 1.75
    0.8571
    >>> mase([8, 5], [6, 6], [4, 0.5])  # of two series: (2 / 4 + 1 / 0.5) / 2
    1.25
    """
    residuals = s.of_values
    return residuals.mean(residuals.share(np.abs(residuals.residuals), s.scale))


@measure(
    "Weighted quantile loss",
    of=Quantiles,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    undefined="all targets are 0",
    use_when="forecasts are quantiles, and large series should count more than small ones",
    beware="methods give quantiles of different levels, or targets are near 0: it divides by their mean size",
    aliases=(
        "weighted_quantile_loss",
        "mean_weighted_quantile_loss",
        "mean_weighted_sum_quantile_loss",
        "mean_wquantileloss",
    ),
)
def wql(q: Quantiles) -> FloatArray:
    r"""Twice the pinball loss summed over instances, relative to the sum of targets; the mean over quantile levels.

    .. math:: \frac1K \sum_k \frac{2 \sum_i \rho_{\tau_k}(y_i - \hat q_{ik})}{\sum_i |y_i|}, \qquad
              \rho_\tau(e) = \max(\tau e, (\tau - 1) e)

    It is :func:`quantile_crps` over the mean absolute target. For the median alone it is the sum of absolute errors
    over that of absolute targets. GluonTS calls it ``mean_wQuantileLoss``. Undefined (nan) when all targets are 0.

    Reference: Gneiting & Raftery (2007), Journal of the American Statistical Association 102:359-378,
    doi:10.1198/016214506000001437, for the loss of a quantile.

    >>> wql([10, 6], [[8, 11], [7, 9]], levels=[0.1, 0.5])  # 2 · ((0.2 + 0.9) + (0.5 + 1.5)) / 16 / 2
    0.1938
    """
    size = mean_loss(q.predictions, np.abs(q.predictions.truth))
    with far_numbers():
        return mean_loss(q.predictions, q.losses) / np.where(size == 0, np.nan, size)


@measure(
    "CRPS from quantiles",
    of=Quantiles,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    compare="log-ratio",
    unit="of the target",
    use_when="distributions are given by some of their quantiles, and are to be evaluated in the unit of the target",
    beware="levels are few or uneven, or methods give different ones: it is then not the integral that crps is",
    aliases=("crps_from_quantiles", "weighted_interval_score", "wis"),
)
def quantile_crps(q: Quantiles) -> FloatArray:
    r"""Twice the mean pinball loss of the predicted quantiles: the CRPS as far as these levels show it.

    .. math:: \frac1n \sum_i \frac1K \sum_k 2 \rho_{\tau_k}(y_i - \hat q_{ik}), \qquad
              \rho_\tau(e) = \max(\tau e, (\tau - 1) e)

    For many evenly spaced levels it tends to the continuous ranked probability score, :math:`2 \int_0^1 \rho_\tau
    (y - F^{-1}(\tau)) \, d\tau`. :func:`crps` is the exact value for a Gaussian distribution. For the median and pairs
    of levels around it, it is the weighted interval score. Quantiles that cross are measured as they are.
    Undefined (nan) only for an empty fold.

    Reference: Gneiting & Raftery (2007), Journal of the American Statistical Association 102:359-378,
    doi:10.1198/016214506000001437.

    >>> quantile_crps([10, 6], [[8, 11], [7, 9]], levels=[0.1, 0.5])  # 2 · ((0.2 + 0.9) + (0.5 + 1.5)) / 2 / 2
    1.55
    """
    return mean_loss(q.predictions, q.losses)


@measure(
    "Interval score",
    of=Bounds,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    compare="log-ratio",
    unit="of the target",
    use_when="prediction intervals should be narrow, and should contain the true value as often as they claim",
    beware="the option level is not the level of the intervals: it is valid only for that one",
    aliases=("winkler", "winkler_score", "mean_interval_score"),
)
def interval_score(b: Bounds, *, level: float = 0.9) -> FloatArray:
    r"""Mean width of prediction intervals, and a penalty for each true value that lies outside; Winkler's score.

    .. math:: \frac1n \sum_i \left((u_i - l_i) + \frac2\alpha \max(l_i - y_i, 0) + \frac2\alpha \max(y_i - u_i, 0)
              \right), \qquad \alpha = 1 - \text{level}

    The true quantiles :math:`\alpha/2` and :math:`1 - \alpha/2` have the lowest expected score. It is
    :math:`2 / \alpha` times the sum of their pinball losses. Predictions that have quantiles have these bounds too, if
    both levels are among them. Undefined (nan) only for an empty fold.

    References: Winkler (1972), Journal of the American Statistical Association 67:187-191,
    doi:10.1080/01621459.1972.10481224; Gneiting & Raftery (2007), doi:10.1198/016214506000001437.

    >>> interval_score([5, 12], [2, 3], [8, 9], level=0.8)  # (6 + (6 + 2 / 0.2 · 3)) / 2
    21.0
    """
    if not 0 < level < 1:
        raise InputError(f"level must lie strictly between 0 and 1 (0.9 for nine in ten), got {level!r}")
    low, high = b.at(level)
    truth = b.predictions.truth
    with far_numbers():
        outside = np.maximum(low - truth, 0) + np.maximum(truth - high, 0)
        return mean_loss(b.predictions, high - low + 2 / (1 - level) * outside)


__test__ = examples(__name__)
