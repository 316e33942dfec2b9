"""Adjusted p-values of many tests, which control the family-wise error or the false discovery rate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.adjust_all_pairs import bergmann_hommel, shaffer
from fairtrial.stats.arguments import is_one_of
from fairtrial.stats.bibliography import (
    BENJAMINI_HOCHBERG_1995,
    BENJAMINI_YEKUTIELI_2001,
    BERGMANN_HOMMEL_1988,
    FINNER_1993,
    GARCIA_HERRERA_2008,
    HOCHBERG_1988,
    HOLLAND_COPENHAVER_1987,
    HOLM_1979,
    HOMMEL_1988,
    LI_2008,
    ROM_1990,
    SHAFFER_1986,
)
from fairtrial.stats.procedures import MANY_P_VALUES, procedure
from fairtrial.stats.score_arrays import FloatArray, numbers

__all__ = ["ADJUSTMENTS", "ALL_PAIRS", "TITLES", "WORKS", "adjust"]

WORKS = {
    "holm": HOLM_1979,
    "sidak": HOLLAND_COPENHAVER_1987,
    "holm_sidak": HOLLAND_COPENHAVER_1987,
    "finner": FINNER_1993,
    "hochberg": HOCHBERG_1988,
    "hommel": HOMMEL_1988,
    "rom": ROM_1990,
    "li": LI_2008,
    "shaffer": SHAFFER_1986,
    "bergmann_hommel": BERGMANN_HOMMEL_1988,
    "bh": BENJAMINI_HOCHBERG_1995,
    "by": BENJAMINI_YEKUTIELI_2001,
}
"""The reference of each adjustment; Bonferroni's inequality needs none."""

ROM_MOST = 200  # p-values: the work of Rom's recursion grows with their number squared


@procedure(
    question=MANY_P_VALUES,
    assumes="depends on the adjustment, as its table says",
    references=(*dict.fromkeys(WORKS.values()), GARCIA_HERRERA_2008),
)
def adjust(p_values: npt.ArrayLike, how: str = "holm") -> FloatArray:
    r"""Adjusted p-values of a family of m tests, in the order given, by any of 14 adjustments.

    Reject a null hypothesis where its adjusted p-value is below :math:`\alpha`. With
    :math:`p_{(1)} \le \dots \le p_{(m)}`:

    =================== ==================================================== ==================== ================
    ``how``             adjusted :math:`p_{(i)}`                             controls             holds under
    =================== ==================================================== ==================== ================
    ``none``            :math:`p_{(i)}`                                      nothing
    ``bonferroni``      :math:`m\,p_{(i)}`                                   family-wise error    always
    ``sidak``           :math:`1 - (1 - p_{(i)})^m`                          family-wise error    independence [1]
    ``holm``            :math:`\max_{j \le i} (m - j + 1)\,p_{(j)}`          family-wise error    always
    ``holm_sidak``      :math:`\max_{j \le i} 1 - (1 - p_{(j)})^{m-j+1}`     family-wise error    independence [1]
    ``finner``          :math:`\max_{j \le i} 1 - (1 - p_{(j)})^{m/j}`       family-wise error    independence [1]
    ``hochberg``        :math:`\min_{j \ge i} (m - j + 1)\,p_{(j)}`          family-wise error    independence [1]
    ``hommel``          the closed test with Simes' inequality               family-wise error    independence [1]
    ``rom``             step up with the constants of Rom (1990)             family-wise error    independence
    ``li``              :math:`p_{(i)} / (p_{(i)} + 1 - p_{(m)})`            see below
    ``shaffer``         :math:`\max_{j \le i} t_j\,p_{(j)}`                  family-wise error    transitive nulls
    ``bergmann_hommel`` :math:`\max \{|I| \min_{j \in I} p_j : i \in I\}`   family-wise error    transitive nulls
    ``bh``              :math:`\min_{j \ge i} m\,p_{(j)} / j`                false discovery rate independence [1]
    ``by``              ``bh`` times :math:`1 + \frac12 + \dots + \frac1m`   false discovery rate always
    =================== ==================================================== ==================== ================

    [1] The adjustment also holds under certain kinds of positive dependence. Comparisons with one control are
    positively dependent. All pairs are not: the differences a − b and b − c are negatively correlated.

    Adjusted p-values are at most 1. A p-value that is nan stays nan and still counts in m, as if it were 1: leaving it
    out would make the other adjusted p-values smaller because a test failed.

    ``hommel`` and ``rom`` reject every hypothesis that ``hochberg`` rejects, but gain little over ``holm``.
    **``li`` is offered because textbooks have it; it is not recommended**, since the adjusted value of the smallest
    p-value depends on the largest p-value. If the largest is 1, nothing is rejected; if it is 0.06, hardly anything is
    adjusted.

    ``shaffer`` and ``bergmann_hommel`` take the p-values of all pairs of k methods, in the order (0, 1), (0, 2), …,
    (1, 2), …. They use that some null hypotheses can't be true without others: :math:`t_j` is the largest number of
    hypotheses, at most :math:`m - j + 1`, that can be true at the same time; I runs through all sets of hypotheses
    that can be true while all others are false. That needs **transitive** hypotheses, such as equal expected ranks
    (:func:`nemenyi`, ``pairwise(table, test="friedman")``). Wilcoxon's hypotheses are not transitive: A may tend to
    beat B, B to beat C, and C to beat A. Bergmann and Hommel's procedure has more power than Shaffer's. A running
    maximum makes it monotone, as in printed tables. It takes a second for 16 methods and accepts up to 20.

    References: Holm (1979), Scandinavian Journal of Statistics 6:65-70, https://www.jstor.org/stable/4615733;
    Holland & Copenhaver (1987), Biometrics 43:417-423; Finner (1993), JASA 88:920-923; Hochberg (1988),
    doi:10.1093/biomet/75.4.800; Hommel (1988), doi:10.1093/biomet/75.2.383; Rom (1990),
    doi:10.1093/biomet/77.3.663; Li (2008), Journal of Statistical Planning and Inference 138:1521-1527;
    Shaffer (1986), doi:10.1080/01621459.1986.10478341; Bergmann & Hommel (1988), in Multiple Hypotheses Testing,
    Springer, 100-115; García & Herrera (2008), JMLR 9:2677-2694, https://jmlr.org/papers/v9/garcia08a.html;
    Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x; Benjamini & Yekutieli (2001),
    doi:10.1214/aos/1013699998.

    >>> adjust([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> adjust([0.01, 0.04, 0.03], how="hochberg")
    array([0.03, 0.04, 0.04])
    >>> adjust([0.01, 0.04, 0.03], how="shaffer")   # of 3 null hypotheses 3, 1 or none can be true, never 2
    array([0.03, 0.04, 0.03])
    """
    if not is_one_of(how, (*ADJUSTMENTS, *ALL_PAIRS)):
        raise UnknownName.among("adjustment", how, (*ADJUSTMENTS, *ALL_PAIRS))
    p = numbers(p_values, "p_values")
    if p.ndim != 1 or ((p < 0) | (p > 1)).any():
        raise InputError(f"p_values must be a list of numbers from 0 to 1 (or nan), got {p_values!r}")
    if p.size == 0:
        return p
    filled = np.where(np.isnan(p), 1.0, p)
    if how in ALL_PAIRS:
        return np.where(np.isnan(p), np.nan, ALL_PAIRS[how](filled))
    order = np.argsort(filled, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(ADJUSTMENTS[how](filled[order]), 1.0)
    return np.where(np.isnan(p), np.nan, adjusted)


def _left(p: FloatArray) -> FloatArray:
    """The number of hypotheses that are left at each step of Holm's procedure: m, m − 1, …, 1."""
    return np.arange(len(p), 0, -1, dtype=np.float64)


def _step_up(p: FloatArray) -> FloatArray:
    """The running minimum from the largest p-value down."""
    backwards: FloatArray = np.minimum.accumulate(p[::-1])
    return backwards[::-1]


def _none(p: FloatArray) -> FloatArray:
    return p


def _bonferroni(p: FloatArray) -> FloatArray:
    return len(p) * p


def _any_of(p: FloatArray, m: FloatArray) -> FloatArray:
    """The probability 1 − (1 − p)^m that at least one of m independent tests rejects, accurate for small p."""
    with np.errstate(divide="ignore"):  # p = 1
        chance: FloatArray = -np.expm1(m * np.log1p(-p))
    return chance


def _sidak(p: FloatArray) -> FloatArray:
    return _any_of(p, np.full(len(p), float(len(p))))


def _holm_sidak(p: FloatArray) -> FloatArray:
    steps: FloatArray = np.maximum.accumulate(_any_of(p, _left(p)))
    return steps


def _finner(p: FloatArray) -> FloatArray:
    steps: FloatArray = np.maximum.accumulate(_any_of(p, len(p) / np.arange(1, len(p) + 1)))
    return steps


def _li(p: FloatArray) -> FloatArray:
    rest = p + (1 - p[-1])
    share: FloatArray = np.divide(p, rest, out=np.ones_like(p), where=rest > 0)
    return share


def _holm(p: FloatArray) -> FloatArray:
    steps: FloatArray = np.maximum.accumulate(_left(p) * p)
    return steps


def _hochberg(p: FloatArray) -> FloatArray:
    return _step_up(_left(p) * p)


def _hommel(p: FloatArray) -> FloatArray:
    """Hommel's adjusted p-values: Simes' test of the m largest p-values for every m (Wright 1992, Biometrics 48)."""
    n = len(p)
    adjusted = p.copy()
    for m in range(n, 1, -1):
        simes = float((m * p[n - m :] / np.arange(1, m + 1)).min())
        adjusted[n - m :] = np.maximum(adjusted[n - m :], simes)
        adjusted[: n - m] = np.maximum(adjusted[: n - m], np.minimum(simes, m * p[: n - m]))
    return adjusted


def _rom(p: FloatArray) -> FloatArray:
    """Rom's adjusted p-values: the level at which Rom's constant equals the p-value, found by the Illinois method.

    The level lies between p itself and Hochberg's value, j p for the j-th largest p-value.
    """
    n = len(p)
    if n > ROM_MOST:
        raise InputError(f"adjustment 'rom' can take at most {ROM_MOST} p-values, got {n}; use 'hommel'")
    wanted = np.maximum(p[::-1], 1e-300)
    low, high = wanted.copy(), np.minimum(np.arange(1, n + 1) * wanted, 1.0)
    below, above = (np.log(np.diagonal(_rom_constants(level)) / wanted) for level in (low, high))
    low = np.where(above < 0, high, low)  # where even level 1 does not reach the p-value
    before = np.zeros(n)
    for _ in range(100):
        step = np.divide(below, below - above, out=np.full(n, 0.5), where=below < above)
        middle = np.clip(low + step * (high - low), low, high)
        error = np.log(np.diagonal(_rom_constants(middle)) / wanted)
        done = (np.abs(error) < 1e-14) | (high - low <= 1e-14 * high)
        if done.all():
            break
        over = error > 0
        low, high = np.where(over & ~done, low, middle), np.where(over | done, middle, high)
        again = before == np.sign(error)  # the same end moved twice: halve the weight of the other (Illinois)
        below = np.where(over, np.where(again, below / 2, below), error)
        above = np.where(over, error, np.where(again, above / 2, above))
        before = np.sign(error)
    return np.where(p > 0, _step_up(middle[::-1]), 0.0)


def _rom_constants(level: FloatArray) -> FloatArray:
    """Rom's constants by the recursion of Rom (1990): row i has that of the i-th largest p-value, for each level."""
    n = len(level)
    constants = np.empty((n, n))
    powers = np.zeros(n)
    for i in range(1, n + 1):
        taken, ways = np.zeros(n), float(i)
        for d in range(2, i):
            ways *= (i - d + 1) / d
            term = ways * constants[i - d] ** d
            taken += term
            if (term <= 1e-17 * powers).all():
                break
        constants[i - 1] = level if i == 1 else (powers - taken) / i
        powers = level * (1 + powers)
    return constants


def _bh(p: FloatArray) -> FloatArray:
    return _step_up(len(p) / np.arange(1, len(p) + 1) * p)


def _by(p: FloatArray) -> FloatArray:
    return _bh(p) * float((1.0 / np.arange(1, len(p) + 1)).sum())


ADJUSTMENTS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "none": _none,
    "bonferroni": _bonferroni,
    "sidak": _sidak,
    "holm": _holm,
    "holm_sidak": _holm_sidak,
    "finner": _finner,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "rom": _rom,
    "li": _li,
    "bh": _bh,
    "by": _by,
}
"""Adjustments as functions of ascending p-values."""

ALL_PAIRS: dict[str, Callable[[FloatArray], FloatArray]] = {"shaffer": shaffer, "bergmann_hommel": bergmann_hommel}
"""Adjustments as functions of the p-values of all pairs of methods, in the order (0, 1), (0, 2), …."""

TITLES: dict[str, str] = {
    "none": "not adjusted",
    "bonferroni": "Bonferroni",
    "sidak": "Šidák",
    "holm": "Holm",
    "holm_sidak": "Holm-Šidák",
    "finner": "Finner",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "rom": "Rom",
    "li": "Li",
    "shaffer": "Shaffer",
    "bergmann_hommel": "Bergmann-Hommel",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
}
