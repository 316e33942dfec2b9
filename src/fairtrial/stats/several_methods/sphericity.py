"""Sphericity of repeated measurements: Mauchly's test, and corrections of the degrees of freedom.

Sphericity means that the differences between any two conditions have the same variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fairtrial.errors import UnknownName
from fairtrial.stats.distributions.chi_square import chi_square_tail
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.words import is_one_of

CORRECTIONS = ("greenhouse-geisser", "huynh-feldt", "lower-bound", "none")


@dataclass(frozen=True, slots=True)
class Sphericity:
    r"""Mauchly's test of sphericity, and the factors by which the degrees of freedom are reduced.

    With the eigenvalues :math:`l_i` of the covariance of p = k − 1 orthonormal contrasts and ν degrees of freedom,

    .. math:: W = \frac{\prod l_i}{(\sum l_i / p)^p}, \quad
              \hat\varepsilon = \frac{(\sum l_i)^2}{p \sum l_i^2}, \quad
              \tilde\varepsilon = \frac{(\nu + 1)\,p\,\hat\varepsilon - 2}{p\,(\nu - p\,\hat\varepsilon)}

    are Mauchly's statistic, Greenhouse and Geisser's estimate and Huynh and Feldt's estimate. The last may exceed 1 and
    then counts as 1. The lower bound of both estimates is 1/p.
    """

    mauchly_w: float
    mauchly_p: float
    greenhouse_geisser: float
    huynh_feldt: float
    lower_bound: float

    def epsilon(self, correction: str) -> float:
        """The factor ε by which a correction multiplies the degrees of freedom."""
        if not is_one_of(correction, CORRECTIONS):
            raise UnknownName.among("correction for sphericity", correction, CORRECTIONS)
        if correction == "none":
            return 1.0
        return min(float(getattr(self, correction.replace("-", "_"))), 1.0)


def contrasts(k: int) -> FloatArray:
    """Helmert's k − 1 orthonormal contrasts of k conditions, as rows.

    >>> contrasts(3).round(4).tolist()
    [[0.7071, -0.7071, 0.0], [0.4082, 0.4082, -0.8165]]
    """
    rows = np.tril(np.ones((k - 1, k)))
    rows[np.arange(k - 1), np.arange(1, k)] = -np.arange(1, k)
    rows[np.triu_indices(k - 1, 2, k)] = 0.0
    scaled: FloatArray = rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return scaled


def sphericity(covariance: FloatArray, df: int) -> Sphericity:
    """Mauchly's test and the corrections, from a covariance matrix of k conditions with ``df`` degrees of freedom.

    The p-value of Mauchly's test is the second-order chi-square approximation (Anderson 1958). R 4.2's
    ``mauchly.test``, and car's copy of it, use the number of conditions where one term of the formula has the number of
    contrasts, so that their p-values differ slightly. Two conditions have only one difference: all factors are 1, and
    Mauchly's p is nan. With fewer degrees of freedom than contrasts W is 0.

    References: Mauchly (1940), doi:10.1214/aoms/1177731915; Greenhouse & Geisser (1959), doi:10.1007/BF02289823;
    Huynh & Feldt (1976), doi:10.3102/10769986001001069.

    >>> found = sphericity(np.diag([1.0, 2.0, 6.0]), df=9)
    >>> found.mauchly_w, found.mauchly_p, found.greenhouse_geisser, found.huynh_feldt
    (0.7407, 0.3011, 0.7941, 0.9365)
    """
    p = len(covariance) - 1
    c = contrasts(p + 1)
    values = np.maximum(np.linalg.eigvalsh(c @ covariance @ c.T), 0.0)
    if p == 1:
        return Sphericity(1.0, math.nan, 1.0, 1.0, 1.0)
    if not values.any():
        return Sphericity(math.nan, math.nan, math.nan, math.nan, 1 / p)
    values /= values.max()  # no statistic has a unit, and squares of variances may overflow
    total, squares = float(values.sum()), float((values**2).sum())
    w = float(np.prod(values / (total / p))) if df >= p else 0.0
    gg = total**2 / (p * squares)
    room = df - p * gg
    hf = ((df + 1) * p * gg - 2) / (p * room) if room > 1e-9 else math.nan
    return Sphericity(w, _mauchly_p(w, p, df), gg, hf, 1 / p)


def _mauchly_p(w: float, p: int, df: int) -> float:
    if df < p or w <= 0:
        return math.nan
    rho = 1 - (2 * p * p + p + 2) / (6 * df * p)
    second = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p * p + 3 * p + 2) / (288 * (df * p * rho) ** 2)
    x, f = -df * rho * math.log(min(w, 1.0)), p * (p + 1) // 2 - 1
    first = chi_square_tail(x, f).value
    return min(max(first + second * (chi_square_tail(x, f + 4).value - first), 0.0), 1.0)
