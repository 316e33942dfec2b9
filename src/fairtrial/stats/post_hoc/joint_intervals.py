"""Simultaneous intervals for the typical differences between methods, all of which hold together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from fairtrial.stats.bibliography import HODGES_LEHMANN_1963, ROMANO_WOLF_2005, WILCOXON_1945
from fairtrial.stats.comparisons import Comparisons, all_pairs
from fairtrial.stats.distributions.signed_rank import agree_at_zero
from fairtrial.stats.outcome import Alternative, Interval, check_alternative, check_level
from fairtrial.stats.over_datasets.wilcoxon import wilcoxon
from fairtrial.stats.post_hoc.joint_flips import DRAWS, Family, Maxima, joint_flips, signed_sum, walsh_sums
from fairtrial.stats.procedures import COMPARABLE, POST_HOC, procedure
from fairtrial.stats.score_arrays import Differences, IntArray, differences, score_table, which_column

NULL = "for each pair: the differences are symmetric about zero"


@procedure(
    question=POST_HOC,
    null=NULL,
    assumes=COMPARABLE,
    references=(HODGES_LEHMANN_1963, ROMANO_WOLF_2005, WILCOXON_1945),
)
def joint_intervals(
    table: npt.ArrayLike,
    *,
    control: str | int | None = None,
    alternative: Alternative = "two-sided",
    names: Sequence[str] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Comparisons:
    r"""Simultaneous intervals for the typical difference of all pairs of methods, or of all and a control.

    Null hypothesis for each pair: the differences over data sets (rows) are symmetric about zero.

    For the differences :math:`d` of a pair the typical difference is the Hodges-Lehmann pseudo-median
    :math:`\hat\theta`, the median of all means of two differences. The residuals :math:`d_i - \hat\theta` are ranked by
    size and get their signs. The signs of whole rows are then flipped, for all pairs jointly, and the largest absolute
    signed-rank sum of all pairs is noted,

    .. math:: \max_{\text{pairs}} \Big| \sum_i s_i \operatorname{sign}(d_i - \hat\theta)
              \operatorname{rank} |d_i - \hat\theta| \Big|, \qquad s \in \{-1, 1\}^N.

    Its upper quantile is one critical value for all pairs. The interval of a pair holds the shifts whose signed-rank
    sum does not exceed it; its ends are means of two differences. All intervals hold together with the given level, in
    a single step: an interval excludes 0 exactly when the adjusted p-value (``p_adjusted``) is below 1 − level. A
    pair's dependence on the others is taken from the data, so that nothing is lost to pairs that say the same.

    All :math:`2^N` flips are counted up to 13 data sets. Beyond, ``draws`` random flips and the observed signs are
    used, ten times as many where a p-value lies within three Monte Carlo errors of 1 − level. With two methods and at
    most 13 data sets without ties and zeros, the result is that of :func:`wilcoxon`. Equal scores are ranked and have
    no sign. Ties share their ranks. The intervals are unbounded where the data sets are too few: 8 or fewer with
    5 methods, 10 or fewer with 10. All scores equal: p = 1 and the interval [0, 0].

    ``alternative="greater"`` (or ``"less"``) tests only whether the first of each pair has the larger (smaller) scores,
    and bounds each difference on that side alone: for a question that was one-sided before the scores were seen.

    The flips need symmetric differences. Where these are skewed, an interval holds for the pseudo-median of the
    symmetric part only, and a difference between the means is another matter.

    References: Hodges & Lehmann (1963), doi:10.1214/aoms/1177704172; Romano & Wolf (2005), on joint resampling of the
    largest statistic, doi:10.1198/016214504000000539; Wilcoxon (1945), doi:10.2307/3001968.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> print(joint_intervals(scores, names=["A", "B", "C"]))
    Wilcoxon signed ranks: pseudo-median difference, first minus second
    first  second  effect     low   high      p  p (joint flips)
    A      B        4.500   2.000  7.500  0.008            0.023  *
    A      C        5.000   2.000  8.000  0.008            0.023  *
    B      C       0.2500  −4.500  5.000  0.836            0.977
    intervals hold for all pairs together; * p (joint flips, 3 comparisons) < 0.05
    """
    check_level(level)
    scores = score_table(table, names)
    if control is None:
        pairs = all_pairs(scores.k)
    else:
        where = which_column(control, scores.names)
        pairs = [(j, where) for j in range(scores.k) if j != where]
    columns = scores.scores.T
    found = [differences(columns[i], columns[j]) for i, j in pairs]
    joint = joint_tests(found, alternative=alternative, level=level, draws=draws, seed=seed)
    alone = partial(wilcoxon, zeros="pratt", alternative=alternative, level=level)
    return Comparisons(
        names=scores.names,
        pairs=tuple(pairs),
        outcomes=tuple(alone(columns[i], columns[j]) for i, j in pairs),
        p_adjusted=joint.p_values,
        adjusted="joint flips",
        level=level,
        simultaneous=joint.intervals(level),
        details={
            "flips": len(joint.maxima.values) + (not joint.maxima.exact),
            "exact": joint.maxima.exact,
            "critical_signed_rank_sum": joint.maxima.critical(1 - level) / 2,
        },
    )


@dataclass(frozen=True, slots=True)
class Joint:
    """The joint tests of some pairs: differences, doubled signed-rank sums, and the distribution of the largest."""

    pairs: tuple[Differences, ...]
    sums: IntArray
    alternative: Alternative
    maxima: Maxima

    @property
    def p_values(self) -> tuple[float, ...]:
        """The adjusted p-value of each pair."""
        statistics = _family(len(self.pairs), self.alternative).statistics(self.sums.astype(np.float64))
        return tuple(self.maxima.p(size) for size in statistics.tolist())

    def intervals(self, level: float) -> tuple[Interval, ...]:
        """The intervals that hold together at this level, one for each pair."""
        critical = self.maxima.critical(1 - level)
        found = zip(self.pairs, self.sums.tolist(), self.p_values, strict=True)
        return tuple(
            _interval(d, total, critical, self.alternative, level, rejected=p < 1 - level) for d, total, p in found
        )

    def bounded(self, level: float) -> bool:
        """Whether the data sets are enough for intervals with ends at this level."""
        n = len(self.pairs[0].whole)
        return self.maxima.critical(1 - level) < n * (n + 1)


def joint_tests(
    pairs: Sequence[Differences],
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Joint:
    """Test all pairs jointly, with enough flips to decide each at this level."""
    return joint_families(pairs, (), alternative=alternative, level=level, draws=draws, seed=seed)[0]


def joint_families(
    columns: Sequence[Differences],
    families: Sequence[Family],
    *,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> tuple[Joint, tuple[float, ...]]:
    """Test all columns jointly, and with the same flips the null hypothesis that no column of a family has an effect.

    A column is any quantity with a value on each data set: a difference between two methods, or an effect of a factor.
    The second part of the result has the p-value of each family.
    """
    check_alternative(alternative)
    sums = np.array([signed_sum(d.whole) for d in columns])
    every = [_family(len(columns), alternative), *families]
    maxima = joint_flips(columns, seed=seed, draws=draws).decided(every, sums, 1 - level)
    largest = [float(family.statistics(sums.astype(np.float64)).max()) for family in families]
    p_values = tuple(found.p(size) for found, size in zip(maxima[1:], largest, strict=True))
    return Joint(tuple(columns), sums, alternative, maxima[0]), p_values


def _family(m: int, alternative: Alternative) -> Family:
    """All pairs as one family, which is tested on both sides or on one."""
    side = {"two-sided": None, "greater": np.ones(m, dtype=np.int64), "less": -np.ones(m, dtype=np.int64)}
    return Family(np.arange(m), side[alternative])


def _interval(
    d: Differences, total: int, critical: float, alternative: Alternative, level: float, *, rejected: bool
) -> Interval:
    """The shifts whose doubled signed-rank sum does not exceed the critical value."""
    count = len(d.whole) * (len(d.whole) + 1) // 2
    first = math.ceil((count - critical / 2) / 2) if math.isfinite(critical) else 0
    ends = (first, count - first + 1) if first > 0 else ()
    lower, upper, *found = walsh_sums(d.whole, (count + 1) // 2, count // 2 + 1, *ends)
    low, high = (d.value(end / 2) for end in found) if ends else (-math.inf, math.inf)
    low, high = -math.inf if alternative == "less" else low, math.inf if alternative == "greater" else high
    low, high = agree_at_zero((low, high), rejected=rejected, positive=total > 0, least=d.value(0.25))
    notes = () if ends else ("too few data sets for a bounded interval at this level",)
    estimate = d.value((lower + upper) / 4)
    return Interval("pseudo-median difference", estimate, low, high, level, "Hodges-Lehmann, simultaneous", notes)
