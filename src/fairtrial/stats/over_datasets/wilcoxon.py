"""Wilcoxon's signed-rank test of two methods over data sets, where each data set is one independent observation.

The null distribution and the interval that inverts the test are in ``distributions/signed_rank.py``.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Literal

import numpy.typing as npt

from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import BENAVOLI_2016, DEMSAR_2006, HODGES_LEHMANN_1963, WILCOXON_1945
from fairtrial.stats.distributions.signed_rank import (
    SignedRanks,
    agree_at_zero,
    pairs_used,
    pseudo_median,
    rank_bounds,
    signed_ranks,
    subset_chances,
)
from fairtrial.stats.distributions.tail import normal_tail
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import COMPARABLE, OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import Differences, IntArray, differences, paired_scores
from fairtrial.words import part_of, verb

WORKS = (WILCOXON_1945, HODGES_LEHMANN_1963, DEMSAR_2006, BENAVOLI_2016)
NULL = "the differences between the two methods are symmetric about zero"
SUM = "sum of the ranks of data sets on which {first} is ahead"

EXACT_PAIRS = 300  # pairs up to which method 'auto' is exact


@procedure(question=OVER_DATASETS, null=NULL, assumes=COMPARABLE, references=WORKS, test="Wilcoxon signed ranks")
def wilcoxon(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    zeros: Literal["drop", "split", "pratt"] = "drop",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    interval: bool = True,
) -> Outcome:
    r"""Wilcoxon's signed-rank test of two methods over data sets.

    Null hypothesis: the differences between the two methods, :math:`d_i = a_i - b_i`, are symmetric about zero.

    Give one score per method and data set, such as the mean over its folds. The :math:`|d_i|` are rounded (see
    docs/statistics.md, "Rounding before ranking") and ranked, with tied ones sharing the mean of their ranks. The ranks
    of the positive and of the negative differences are added up,

    .. math:: R^+ = \sum_{d_i > 0} \operatorname{rank} |d_i|, \qquad R^- = \sum_{d_i < 0} \operatorname{rank} |d_i|.

    The statistic is the sum that is small under the alternative: :math:`T = \min(R^+, R^-)`, or :math:`R^-` for
    ``greater`` and :math:`R^+` for ``less``. The null hypothesis is rejected if the statistic is at most
    ``critical_value`` (which is nan if there are too few data sets to reject at this level).

    ``method``: ``exact`` counts the :math:`2^n` ways to assign signs to the observed ranks, tied ranks included;
    ``asymptotic`` is the normal approximation with the variance :math:`\sum \operatorname{rank}_i^2 / 4` (corrected
    for ties, without continuity correction); ``auto`` is exact up to 300 pairs. ``details`` has the normal p-values of
    other conventions: ``continuity_corrected_p``, which R's ``wilcox.test`` gives if there are ties or zero
    differences, and ``without_tie_correction_p``, as in Demšar (2006).

    ``zeros`` says what happens to zero differences: ``drop`` leaves them out, also out of the effect; ``pratt`` ranks
    them but gives them no sign; ``split`` gives half of their ranks to each side (an odd one is left out) and uses the
    null distribution over all ranks, as in Demšar (2006). A note has the number of zero differences and the p-value
    under ``split``, or under ``drop`` if ``zeros`` is one of the other two. If all differences are zero, p is 1.

    The effect is the Hodges-Lehmann pseudo-median, the median of all means of two differences. Its interval contains
    the shifts that the same test does not reject: it excludes 0 exactly when p < 1 − level. With fewer than 6 pairs it
    is unbounded at 95 %. ``interval=False`` leaves the effect out, which is faster.

    References: Wilcoxon (1945), doi:10.2307/3001968; Pratt (1959), doi:10.1080/01621459.1959.10501526;
    Hodges & Lehmann (1963), doi:10.1214/aoms/1177704172; Demšar (2006), JMLR 7:1-30,
    https://jmlr.org/papers/v7/demsar06a.html; Benavoli, Corani & Mangili (2016), JMLR 17(5):1-10,
    https://jmlr.org/papers/v17/benavoli16a.html.

    >>> forest = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74]
    >>> bayes = [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]
    >>> print(wilcoxon(forest, bayes))
    Wilcoxon signed ranks (exact)
      p = 0.031, statistic 1.0000, n = 7
      pseudo-median difference 0.04000, 95 % interval [0.01000, 0.06500] (Hodges-Lehmann)
      null hypothesis: the differences between the two methods are symmetric about zero
    """
    check_option("zeros", zeros, ("drop", "split", "pratt"))
    check_option("method", method, ("auto", "exact", "asymptotic"))
    check_alternative(alternative)
    check_level(level)
    d = differences(*paired_scores(a, b))
    used = pairs_used(d.whole, zeros)
    ranks = signed_ranks(used, zeros)
    exact = method == "exact" or (method == "auto" and len(used) <= EXACT_PAIRS)
    tail = ranks.p(alternative, exact=exact)
    critical = ranks.critical((1 - level) / (2 if alternative == "two-sided" else 1), exact=exact)
    effect = None
    if interval:
        rejected = tail.value < 1 - level
        effect = _pseudo_median(d, used, ranks, level, alternative, exact=exact, rejected=rejected)
    return Outcome(
        test="Wilcoxon signed ranks",
        null=NULL,
        statistic=ranks.sum_for(alternative) / 2 if len(ranks.ranks) else math.nan,
        critical_value=critical / 2 if critical >= 0 else math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=len(used),
        alternative=alternative,
        method="exact" if exact else "asymptotic",
        null_distribution=(
            Null(SUM, observed=ranks.plus / 2, chances=partial(subset_chances, ranks.ranks, 0.5))
            if exact
            else Null("normal", observed=ranks.z)
        ),
        effect=effect,
        notes=_zero_notes(d.whole, zeros, alternative, exact=exact),
        details=_signed_rank_details(d.whole, used, ranks, alternative),
    )


def _pseudo_median(
    d: Differences,
    used: IntArray,
    ranks: SignedRanks,
    level: float,
    alternative: Alternative,
    *,
    exact: bool,
    rejected: bool,
) -> Interval:
    data = used if len(used) else d.whole
    low, high = rank_bounds(data, level, alternative, exact=exact)
    bounds = agree_at_zero(
        (d.value(low), d.value(high)), rejected=rejected, positive=ranks.plus > ranks.minus, least=d.value(0.25)
    )
    notes = ("too few pairs for a bounded interval at this level",) if bounds == (-math.inf, math.inf) else ()
    return Interval("pseudo-median difference", d.value(pseudo_median(data)), *bounds, level, "Hodges-Lehmann", notes)


def _zero_notes(d: IntArray, zeros: str, alternative: Alternative, *, exact: bool) -> tuple[str, ...]:
    """A note on zero differences: their number, their treatment, and the p-value under another treatment."""
    count = int((d == 0).sum())
    if count == 0:
        return ()
    if count == len(d):
        return ("all differences are zero",)
    treated = {"drop": "left out", "split": "split between both signs", "pratt": "ranked without a sign"}[zeros]
    other = "split" if zeros == "drop" else "drop"
    p = signed_ranks(pairs_used(d, other), other).p(alternative, exact=exact).value
    which = f"{part_of(count, len(d), 'difference')} {verb(count, 'is zero and was', 'are zero and were')}"
    return (f"{which} {treated}; with zeros={other!r}, p = {p:.4g}",)


def _signed_rank_details(d: IntArray, used: IntArray, ranks: SignedRanks, alternative: Alternative) -> dict[str, Any]:
    n = len(used)
    spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    plain = (ranks.plus - ranks.minus) / 4 / spread if n else math.nan
    return {
        "r_plus": ranks.plus / 2,
        "r_minus": ranks.minus / 2,
        "zeros": int((d == 0).sum()),
        "z": ranks.z,
        "z_without_tie_correction": plain,
        "without_tie_correction_p": normal_tail(plain, alternative).value,
        "continuity_corrected_p": ranks.continuity_corrected(alternative).value,
    }
