"""How a difference between two methods varies over data sets: on how many it matters, and what a new one may bring."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.stats import Interval, mean_interval, new_dataset_range, proportion_interval
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.over_datasets.heterogeneity import INSIDE, split_by_margin
from fairtrial.verdict.evidence import Evidence

Average = Literal[
    "equivalent",
    "equal on average, different on most data sets",
    "equal on average; on single data sets open",
]


@dataclass(frozen=True, slots=True)
class Spread:
    """The variation of a difference over data sets; positive where the first method is better.

    ``wins`` are the numbers of wins, ties and losses. On ``above`` data sets the first is better by δ or more, on
    ``below`` worse by δ or more, on ``inside`` neither; without δ these are wins, losses and ties, too.

    ``mean`` is the mean difference with an interval (t, Bonferroni over the pairs), ``own_mean`` the same for this
    pair alone, ``new`` the range on a new data set. ``inside_at_least`` and ``outside_at_least`` are lower confidence
    bounds of the shares of such data sets, nan without δ. ``noise`` is the median standard error of the difference on
    a single data set, nan where it is unknown.
    """

    wins: tuple[int, int, int]
    above: int
    inside: int
    below: int
    mean: Interval
    own_mean: Interval
    new: Interval
    delta: float | None = None
    inside_at_least: float = math.nan
    outside_at_least: float = math.nan
    noise: float = math.nan

    @property
    def n(self) -> int:
        return self.above + self.inside + self.below

    @property
    def mostly_equal(self) -> bool:
        """Whether the two have equal scores on half of the data sets or more, so that nothing is typical of both."""
        return 2 * self.wins[1] >= self.n

    @property
    def is_noisy(self) -> bool:
        """Whether single data sets can't be judged, since their differences are too uncertain, or of unknown error."""
        return self.delta is None or not self.noise <= self.delta / 2

    @property
    def conclusion(self) -> Average:
        """What is shown of single data sets, if the two methods are equal on average.

        Noise makes differences larger, so that it may not count as a difference; it can't make methods equivalent.
        """
        if self.inside_at_least > INSIDE:
            return "equivalent"
        if self.outside_at_least > 0.5 and not self.is_noisy:
            return "equal on average, different on most data sets"
        return "equal on average; on single data sets open"

    def negated(self) -> Spread:
        """This spread, seen from the other method."""
        turned = {name: getattr(self, name).negated() for name in ("mean", "own_mean", "new")}
        return replace(self, wins=self.wins[::-1], above=self.below, below=self.above, **turned)


def spread_of(
    d: NDArray[np.float64],
    *,
    delta: float | None,
    level: float,
    pairs: int,
    bounds: tuple[float, float],
    noise: float = math.nan,
) -> Spread:
    """The spread of the differences ``d``, one for each data set, of one of so many pairs."""
    wins = int((d > 0).sum()), int((d == 0).sum()), int((d < 0).sum())
    inside, above, below = split_by_margin(d, delta) if delta is not None else (wins[1], wins[0], wins[2])
    each = 1 - (1 - level) / pairs
    shares = (math.nan, math.nan) if delta is None else (_at_least(c, len(d), each) for c in (inside, above + below))
    inside_at_least, outside_at_least = shares
    return Spread(
        wins=wins,
        above=above,
        inside=inside,
        below=below,
        mean=mean_interval(d, level=each),
        own_mean=mean_interval(d, level=level),
        new=new_dataset_range(d, bounds=bounds),
        delta=delta,
        inside_at_least=inside_at_least,
        outside_at_least=outside_at_least,
        noise=noise,
    )


def _at_least(count: int, n: int, level: float) -> float:
    """The lower confidence bound (Clopper–Pearson) of a share."""
    return proportion_interval(count, n, method="exact", alternative="greater", level=level).low


def noise_within(evidence: Evidence, first: int, second: int) -> float:
    """The median over data sets of the standard error of a difference on one data set; nan where it is unknown.

    The error is that of the mean over splits, corrected for shared training data. Of ratios it is that of the logarithm
    of the ratio, to first order.
    """
    errors = [_error(evidence, i, first, second) for i in range(len(evidence.datasets))]
    return float(np.median(errors)) if errors and not np.isnan(errors).any() else math.nan


def _error(evidence: Evidence, i: int, first: int, second: int) -> float:
    folds, dependence = evidence.folds[i], evidence.dependence[i]
    if not dependence.known or len(folds) < 2:
        return math.nan
    a, b = folds[:, first], folds[:, second]
    if evidence.as_ratio:
        a, b = a / a.mean(), b / b.mean()
    ratio = share_ratio(dependence.test_share, dependence.overlap)
    return math.sqrt((1 / len(folds) + ratio) * float((a - b).var(ddof=1)))


def difference_bounds(evidence: Evidence) -> tuple[float, float]:
    """The largest differences that the measure allows; none for ratios."""
    span = abs(evidence.measure.best - evidence.measure.worst)
    return (-math.inf, math.inf) if evidence.as_ratio or not math.isfinite(span) else (-span, span)
