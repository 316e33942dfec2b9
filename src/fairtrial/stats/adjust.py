"""Many p-values at once: adjusted so that the chance of a false discovery stays below the level."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.scores import FloatArray

__all__ = ["ADJUSTMENTS", "TITLES", "adjust"]


def adjust(p_values: npt.ArrayLike, how: str = "holm") -> FloatArray:
    r"""Adjusted p-values of a family of m tests, in the order given.

    Reject where the adjusted p-value is below :math:`\alpha`. With :math:`p_{(1)} \le \dots \le p_{(m)}`:

    ============== ====================================================== ==================== ================
    ``how``        adjusted :math:`p_{(i)}`                               controls             holds under
    ============== ====================================================== ==================== ================
    ``none``       :math:`p_{(i)}`                                        nothing
    ``bonferroni`` :math:`m\,p_{(i)}`                                     family-wise error    always
    ``sidak``      :math:`1 - (1 - p_{(i)})^m`                            family-wise error    independence [1]
    ``holm``       :math:`\max_{j \le i} (m - j + 1)\,p_{(j)}`            family-wise error    always
    ``hochberg``   :math:`\min_{j \ge i} (m - j + 1)\,p_{(j)}`            family-wise error    independence [1]
    ``bh``         :math:`\min_{j \ge i} m\,p_{(j)} / j`                  false discovery rate independence [1]
    ``by``         the same times :math:`1 + \frac12 + \dots + \frac1m`   false discovery rate always
    ============== ====================================================== ==================== ================

    [1] and under certain kinds of positive dependence. All are capped at 1.
    A p-value that is nan stays nan and still counts in m, as though it were 1: leaving it out would make the
    others smaller because a test failed.

    References: Holm (1979), Scandinavian Journal of Statistics 6:65-70, https://www.jstor.org/stable/4615733;
    Hochberg (1988), doi:10.1093/biomet/75.4.800; Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x;
    Benjamini & Yekutieli (2001), doi:10.1214/aos/1013699998.

    >>> adjust([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> adjust([0.01, 0.04, 0.03], how="hochberg")
    array([0.03, 0.04, 0.04])
    """
    if how not in ADJUSTMENTS:
        raise UnknownName.among("adjustment", how, ADJUSTMENTS)
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or ((p < 0) | (p > 1)).any():
        raise InputError(f"p_values must be a list of numbers from 0 to 1 (or nan), got {p_values!r}")
    if p.size == 0:
        return p
    filled = np.where(np.isnan(p), 1.0, p)
    order = np.argsort(filled, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(ADJUSTMENTS[how](filled[order]), 1.0)
    return np.where(np.isnan(p), np.nan, adjusted)


def _left(p: FloatArray) -> FloatArray:
    """How many hypotheses are left at each step: m, m − 1, …, 1."""
    return np.arange(len(p), 0, -1, dtype=np.float64)


def _step_up(p: FloatArray) -> FloatArray:
    backwards: FloatArray = np.minimum.accumulate(p[::-1])
    return backwards[::-1]


def _none(p: FloatArray) -> FloatArray:
    return p


def _bonferroni(p: FloatArray) -> FloatArray:
    return len(p) * p


def _sidak(p: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):  # p = 1
        any_of_them: FloatArray = -np.expm1(len(p) * np.log1p(-p))
    return any_of_them


def _holm(p: FloatArray) -> FloatArray:
    steps: FloatArray = np.maximum.accumulate(_left(p) * p)
    return steps


def _hochberg(p: FloatArray) -> FloatArray:
    return _step_up(_left(p) * p)


def _bh(p: FloatArray) -> FloatArray:
    return _step_up(len(p) / np.arange(1, len(p) + 1) * p)


def _by(p: FloatArray) -> FloatArray:
    return _bh(p) * float((1.0 / np.arange(1, len(p) + 1)).sum())


ADJUSTMENTS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "none": _none,
    "bonferroni": _bonferroni,
    "sidak": _sidak,
    "holm": _holm,
    "hochberg": _hochberg,
    "bh": _bh,
    "by": _by,
}

TITLES: dict[str, str] = {
    "none": "not adjusted",
    "bonferroni": "Bonferroni",
    "sidak": "Šidák",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
}
