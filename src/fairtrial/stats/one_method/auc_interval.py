"""Confidence intervals for the area under the ROC curve of one model."""

from __future__ import annotations

import math
from typing import Literal

import numpy.typing as npt
from scipy.special import expit, logit, ndtri

from fairtrial.errors import UnknownName
from fairtrial.measures import channel_checks as channel
from fairtrial.stats.bibliography import DELONG_1988, NEWCOMBE_2006, QIN_HOTILOVAC_2008, SUN_XU_2014
from fairtrial.stats.distributions.rank_sums import Placements, instance_scores, placements, positives
from fairtrial.stats.distributions.tail import tail_share
from fairtrial.stats.outcome import Alternative, Interval, check_alternative, check_level
from fairtrial.stats.procedures import INSTANCES, ONE_METHOD, procedure
from fairtrial.words import is_one_of

AUC_METHODS = {"logit": "DeLong, logit", "delong": "DeLong", "score": "Newcombe"}


@procedure(
    question=ONE_METHOD, assumes=INSTANCES, references=(DELONG_1988, NEWCOMBE_2006, QIN_HOTILOVAC_2008, SUN_XU_2014)
)
def auc_interval(
    truth: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    method: Literal["logit", "delong", "score"] = "logit",
    positive: object = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Interval:
    r"""Confidence interval for the area under the ROC curve (AUC) of one fitted model.

    The placement :math:`V_i` of a positive is the share of negatives that score lower, ties counting half; the
    placement :math:`W_j` of a negative is the share of positives that score higher. With m positives and n negatives,
    DeLong's variance of the area A is

    .. math:: \widehat{\operatorname{var}} = \frac{s_V^2}{m} + \frac{s_W^2}{n}.

    ``method`` is one of:

    - ``logit`` (default): the normal interval of :math:`\log\frac{A}{1-A}`, transformed back. It always lies between 0
      and 1, and its coverage is nearer to the level than that of ``delong`` for areas near 1.
    - ``delong``: :math:`A \pm z \sqrt{\widehat{\operatorname{var}}}`, cut at 0 and 1.
    - ``score``: Newcombe's fifth method, the areas θ with :math:`|A - \theta| \le z\sqrt{v(\theta)}`, where v is Hanley
      and McNeil's variance *at θ*. It is also defined for perfect rankings.

    DeLong's variance of a perfect (or perfectly wrong) ranking is zero, and other programs then print [1, 1]. Here the
    score interval is given instead, with a note; likewise for a single positive or a single negative. The answer is
    about this model and instances from the same population.

    References: DeLong, DeLong & Clarke-Pearson (1988), doi:10.2307/2531595; Sun & Xu (2014, the fast way),
    doi:10.1109/LSP.2014.2337313; Qin & Hotilovac (2008), Statistical Methods in Medical Research 17:207-221 (logit);
    Newcombe (2006), Statistics in Medicine 25:559-573, doi:10.1002/sim.2324.

    >>> print(auc_interval([0, 0, 0, 1, 1, 1, 1], [0.1, 0.4, 0.6, 0.3, 0.5, 0.8, 0.9]))
    AUC 0.7500, 95 % interval [0.2404, 0.9660] (DeLong, logit)
    >>> perfect = auc_interval([0, 0, 1, 1], [1, 2, 3, 4])
    >>> perfect.estimate, perfect.low, perfect.high
    (1.0, 0.3856, 1.0)
    """
    if not is_one_of(method, AUC_METHODS):
        raise UnknownName.among("interval for an AUC", method, AUC_METHODS)
    check_alternative(alternative)
    check_level(level)
    channel.same_rows({"truth": truth, "scores": scores})
    is_positive = positives(truth, positive)
    found = placements(is_positive, instance_scores("scores", scores, len(is_positive)))
    variance, m = found.variance(), len(found.of_positives)
    notes: tuple[str, ...] = ()
    if method != "score" and not variance > 0:
        method, notes = "score", ("DeLong's variance is zero or undefined here: this is Newcombe's interval instead",)
    low, high = _area_bounds(found, variance, method, 2 * tail_share(level, alternative), m, len(is_positive) - m)
    low, high = (0.0 if alternative == "less" else low), (1.0 if alternative == "greater" else high)
    return Interval("AUC", found.area, low, high, level, AUC_METHODS[method], notes)


def _area_bounds(found: Placements, variance: float, method: str, alpha: float, m: int, n: int) -> tuple[float, float]:
    area, z = found.area, -float(ndtri(alpha / 2))
    if method == "delong":
        return max(area - z * math.sqrt(variance), 0.0), min(area + z * math.sqrt(variance), 1.0)
    if method == "logit" and 0 < area < 1:
        reach = z * math.sqrt(variance) / (area * (1 - area))
        return float(expit(logit(area) - reach)), float(expit(logit(area) + reach))
    return newcombe(area, z, m, n)


def newcombe(area: float, z: float, m: int, n: int) -> tuple[float, float]:
    """Newcombe's bounds for an AUC, or for the probability that one of m values is larger than one of n others."""
    return 1 - _newcombe_high(1 - area, z, m, n), _newcombe_high(area, z, m, n)


def _newcombe_high(area: float, z: float, m: int, n: int) -> float:
    """The largest area whose distance from the observed area is at most z of its own standard errors.

    A negative z, which a one-sided level below ½ gives, finds an area below the observed one.
    """
    if area == (1 if z > 0 else 0):
        return area
    from scipy.optimize import brentq

    more = (m + n) / 2 - 1

    def excess(a: float) -> float:
        variance = a * (1 - a) * (1 + more * (1 - a) / (2 - a) + more * a / (1 + a)) / (m * n)
        return a - area - z * math.sqrt(variance)

    if z > 0:
        return float(brentq(excess, area if area > 0 else 1e-300, 1.0, xtol=1e-14))
    return float(brentq(excess, 0.0, min(area, 1 - 1e-15), xtol=1e-14)) if z < 0 else area
