"""The units of evidence over data sets: single data sets, or families of data sets that belong together.

How a difference between two methods varies over data sets: on how many it matters, and what a new one may bring.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError, UnknownName
from fairtrial.results.provenance import A_DATASET
from fairtrial.stats import Interval, mean_interval, new_dataset_range, proportion_interval
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.over_datasets.heterogeneity import INSIDE, split_by_margin
from fairtrial.verdict.evidence import Evidence, FloatArray
from fairtrial.words import plural


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Scores on the scale of the comparison: units in rows, methods and then yardsticks in columns.

    A unit is a data set, or a family of data sets that are versions of one source: these are one piece of evidence, and
    their scores are averaged. ``members`` has the numbers of the data sets of each unit; ``noun`` is the word for one;
    ``dropped`` data sets were left out, since they lack scores.
    """

    names: tuple[str, ...]
    scores: FloatArray
    members: tuple[tuple[int, ...], ...]
    noun: str = A_DATASET
    dropped: int = 0

    @property
    def n(self) -> int:
        return len(self.names)

    @property
    def datasets(self) -> int:
        return sum(map(len, self.members))

    def without(self, i: int) -> Units:
        """All units but one."""
        names, members = ((*all_[:i], *all_[i + 1 :]) for all_ in (self.names, self.members))
        return replace(self, names=names, members=members, scores=np.delete(self.scores, i, axis=0))

    def averaged(self, values: FloatArray) -> FloatArray:
        """Values of the data sets (rows), averaged over the members of each unit."""
        return values if self.n == self.datasets else np.stack([values[list(own)].mean(axis=0) for own in self.members])

    @property
    def each(self) -> str:
        """The word for one unit."""
        return self.noun if self.n == self.datasets else "family"

    @property
    def several(self) -> str:
        """The word for several units."""
        return f"{self.noun}s" if self.n == self.datasets else "families"

    @property
    def counted(self) -> str:
        """The number of units in few words, after :attr:`in_words` has said it in full: '10 families'."""
        return plural(self.n, self.each, self.several)

    @property
    def in_words(self) -> str:
        """The number of units: '12 data sets', or '10 families of data sets (30 in all)'."""
        if self.n == self.datasets:
            return plural(self.n, self.noun)
        return f"{plural(self.n, 'family', 'families')} of {self.noun}s ({self.datasets} in all)"

    @property
    def such(self) -> str:
        """The data that an answer is about: 'on data sets such as these 12'."""
        dropped = f" (of {self.datasets + self.dropped}: the others lack scores)" if self.dropped else ""
        many = f"{self.n:,}" if self.n == self.datasets else self.in_words
        return f"on {self.noun}s such as these {many}{dropped}"


def units_of(evidence: Evidence, family: Mapping[str, Sequence[str]]) -> Units:
    """The units of the evidence: each family is one, and so is each data set that is in none."""
    home: dict[str, str] = {}
    for name, members in family.items():
        for dataset in members:
            if dataset not in evidence.datasets:
                raise UnknownName.among(f"data set for the family {name!r}", dataset, evidence.datasets)
            if dataset in home:
                raise InputError(
                    f"a data set can be in one family only, but {dataset!r} is in {home[dataset]!r} and {name!r}; "
                    "take it out of one of them"
                )
            home[dataset] = name
    if alone := [d for d in evidence.datasets if d not in home and d in family]:
        raise InputError(f"family {alone[0]!r} has the name of a data set that is not in it; give it another name")
    of = [home.get(d, d) for d in evidence.datasets]
    names = tuple(dict.fromkeys(of))
    rows = tuple(tuple(i for i, name in enumerate(of) if name == unit) for unit in names)
    single = Units(names, evidence.comparable, rows, evidence.unit, evidence.dropped)
    return replace(single, scores=single.averaged(evidence.comparable))


ScoreKind = Literal["answers", "grades", "measured"]
"""What single scores can be: right or wrong (0 and 1), one of a few grades, or any number."""

MOST_GRADES = 11  # of 0 to 10
WIDEST = 12  # steps of grades in the range of a measure: shares of 12 answers, and of fewer
ENOUGH = 3  # scores for each grade, or they may be few by chance


def kind_of_scores(evidence: Evidence, units: Units) -> ScoreKind:
    """The kind of the scores, by the numbers that occur: it does not depend on how methods differ.

    Of answers and grades half of the differences and more are 0, so that no difference is typical; their mean is what
    people ask about. Means of the answers in a family are grades.
    """
    values = np.unique(evidence.means[:, : len(evidence.methods)])
    span = abs(evidence.measure.best - evidence.measure.worst)
    whole = span if math.isfinite(span) else 1.0
    if evidence.as_ratio or evidence.is_resource or len(values) < 2 or np.isnan(values).any():
        return "measured"
    if len(values) == 2 and values[0] == 0 and values[1] == whole:
        return "answers" if units.n == units.datasets else "grades"
    step = whole / WIDEST if math.isfinite(span) else 0.5
    smallest = float(np.diff(values).min())
    places = (values - values[0]) / smallest
    several = len(evidence.datasets) * len(evidence.methods) >= ENOUGH * len(values)
    even = smallest >= step * (1 - 1e-9) and bool(np.allclose(places, places.round(), atol=1e-6))
    known = math.isfinite(span) or bool((2 * values == np.round(2 * values)).all())
    return "grades" if len(values) <= MOST_GRADES and several and even and known else "measured"


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
        new=new_dataset_range(d),
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
    errors = [error_on(evidence, i, first, second) for i in range(len(evidence.datasets))]
    return float(np.median(errors)) if errors and not np.isnan(errors).any() else math.nan


def error_on(evidence: Evidence, i: int, first: int, second: int) -> float:
    """The standard error of a difference on one data set, corrected for shared training data; nan if unknown."""
    folds, dependence = evidence.folds[i], evidence.dependence[i]
    if not dependence.known or len(folds) < 2:
        return math.nan
    a, b = folds[:, first], folds[:, second]
    if evidence.as_ratio:
        a, b = a / a.mean(), b / b.mean()
    ratio = share_ratio(dependence.test_share, dependence.overlap)
    return math.sqrt((1 / len(folds) + ratio) * float((a - b).var(ddof=1)))
