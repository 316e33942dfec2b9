"""Measures of predicted Gaussian distributions, given by mean and standard deviation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.fold_axis import FloatArray
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.registry import examples, measure
from fairtrial.measures.values import Residuals, far_numbers, one_number


@dataclass(frozen=True, slots=True, eq=False)
class Gaussian:
    """A Gaussian distribution predicted for each instance: truth minus mean, and the standard deviation.

    scikit-learn's models with ``predict(X, return_std=True)`` predict both. The standard deviation must be that of a
    new observation, noise included, not that of the mean. It may be 0: all probability is at one point.
    """

    needs: ClassVar[tuple[str, ...]] = ("value", "std")
    task: ClassVar[Task] = "values"

    residuals: FloatArray
    std: FloatArray
    of_means: Residuals

    @classmethod
    def read(cls, truth: ArrayLike, predicted: ArrayLike, std: ArrayLike, *, weights: ArrayLike | None = None) -> Self:
        """Check numbers, as one fold: ``predicted`` are the means, ``std`` the standard deviations."""
        channel_checks.one_length({"truth": truth, "predicted": predicted, "std": std, "weights": weights})
        channels = {"value": np.asarray(predicted), "std": np.asarray(std)}
        return Predictions.checked(truth, channels, n_classes=0, weights=weights).shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build from checked predictions, whose standard deviations must not be negative."""
        of_means, std = predictions.shared(Residuals), one_number("std", predictions)
        if (std < 0).any():
            raise InputError(f"std must not be negative, but {channel_checks.rows(std < 0)}; give standard deviations")
        return cls(of_means.residuals, std, of_means)

    @property
    def standardised(self) -> FloatArray:
        """Residuals in standard deviations; nan where the standard deviation is 0."""
        return self.of_means.share(self.residuals, self.std)

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean in each fold of one loss per instance."""
        return self.of_means.mean(losses)

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: one per fold."""
        return values


@measure(
    "Negative log predictive density",
    of=Gaussian,
    worst=np.inf,
    best=-np.inf,
    per_instance=True,
    unit="nats",
    undefined="a predicted standard deviation is 0",
    use_when="the predicted uncertainty is used as such, and confident mistakes are costly",
    beware="an instance lies far outside its predicted distribution: its loss grows with the square of the distance",
    aliases=("negative_log_predictive_density",),
)
def nlpd(g: Gaussian) -> FloatArray:
    r"""Mean negative logarithm of the predicted density at the true value.

    .. math:: \frac1n \sum_i \left(\tfrac12 \ln 2\pi\sigma_i^2 + \frac{(y_i - \mu_i)^2}{2\sigma_i^2}\right)

    A proper scoring rule: honest means and standard deviations score best. Lower is better, without a lower bound,
    because a density can be arbitrarily high. Multiplying target and predictions by a factor adds its logarithm to all
    methods alike, so that differences between methods can be compared across data sets. Undefined (nan) when a
    predicted standard deviation is 0.

    Reference: Good (1952), Journal of the Royal Statistical Society B 14:107-114,
    doi:10.1111/j.2517-6161.1952.tb00104.x.

    >>> nlpd([1, 5], [1, 3], [1, 2])  # ½ ln 2π + (0 + ln 2 + ½) / 2
    1.5155
    """
    spread = np.log(g.std, where=g.std > 0, out=np.full(len(g.std), np.nan))
    with far_numbers():
        return g.mean(math.log(2 * math.pi) / 2 + spread + np.square(g.standardised) / 2)


@measure(
    "Continuous ranked probability score",
    of=Gaussian,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    compare="log-ratio",
    unit="of the target",
    use_when="distributions are to be evaluated in the unit of the target, or compared with single predictions",
    beware="the tails of the distribution matter: nlpd punishes outliers much more",
    aliases=("continuous_ranked_probability_score",),
)
def crps(g: Gaussian) -> FloatArray:
    r"""Mean distance between the predicted distribution and the true value, in the unit of the target.

    .. math:: \int (F(x) - [y \le x])^2 \, dx
              = \sigma \left(z \, (2\Phi(z) - 1) + 2\varphi(z) - \tfrac{1}{\sqrt\pi}\right)

    with :math:`z = (y - \mu) / \sigma`, averaged over the instances. A proper scoring rule. For a
    standard deviation of 0 it is the absolute error, so that methods with and without uncertainty can be compared.
    Undefined (nan) only for an empty fold.

    Reference: Gneiting & Raftery (2007), Journal of the American Statistical Association 102:359-378,
    doi:10.1198/016214506000001437.

    >>> crps([1, 5], [1, 3], [1, 2])  # (0.2337 + 2 · 0.6024) / 2
    0.7193
    >>> crps([1, 5], [1, 3], [0, 0])  # the mean absolute error
    1.0
    """
    from scipy.special import erf

    z = np.nan_to_num(g.standardised, posinf=np.inf, neginf=-np.inf)
    with far_numbers():
        density = np.exp(-np.square(z) / 2) / math.sqrt(2 * math.pi)
        spread = g.residuals * erf(z / math.sqrt(2)) + g.std * (2 * density - 1 / math.sqrt(math.pi))
    return g.mean(np.where(g.std > 0, spread, np.abs(g.residuals)))


__test__ = examples(__name__)
