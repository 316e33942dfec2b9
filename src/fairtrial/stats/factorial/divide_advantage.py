"""Why is it better? The advantage of a whole over its base, divided into the parts of its components.

The result of dividing an advantage: the whole, the parts that add up to it, and their interactions.

Means of several effects over data sets, by a bootstrap of whole data sets, with intervals that hold together.

Shapley values and interaction indices of on/off combinations, as weighted sums of their scores.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import factorial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import EFRON_TIBSHIRANI_1993, GRABISCH_ROUBENS_1999, SHAPLEY_1953
from fairtrial.stats.factorial.contrasts import Effects, spreads, units_better
from fairtrial.stats.factorial.effects_over_datasets import FEWEST_DATASETS, effects_on_splits
from fairtrial.stats.factorial.model_terms import Design, FactorColumn, factor_columns
from fairtrial.stats.multiplicity import TITLES
from fairtrial.stats.outcome import Interval, Outcome, check_level
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import FloatArray, differences, numbers, random_draws, unit_of
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, part_of, plural, verb

WHOLE = "together"


@dataclass(frozen=True, slots=True, eq=False)
class AdvantageParts(Shown):
    """An advantage and its division into components, which are positive where they help.

    ``total`` has the advantage as its only effect, ``parts`` a Shapley value for each of the ``components``, and
    ``interactions`` an index for each pair (None for one component). ``values`` are the parts on each data set or split
    (rows). ``first`` is what each component adds to the base alone, ``last`` what it adds to all the others.
    """

    components: tuple[str, ...]
    total: Effects
    parts: Effects
    interactions: Effects | None
    values: FloatArray
    first: tuple[float, ...]
    last: tuple[float, ...]
    notes: tuple[str, ...] = ()

    @property
    def advantage(self) -> Interval:
        """The whole advantage, with the interval that it has alone."""
        return self.total.intervals[0]

    @property
    def level(self) -> float:
        return self.parts.level

    def order(self) -> list[int]:
        """The components by number, the largest part first."""
        return sorted(range(len(self.components)), key=lambda i: -abs(self.parts.intervals[i].estimate))

    def to_dict(self) -> dict[str, Any]:
        return {
            "components": list(self.components),
            "total": self.total.to_dict(),
            "parts": self.parts.to_dict(),
            "interactions": None if self.interactions is None else self.interactions.to_dict(),
            "values": self.values.tolist(),
            "first": list(self.first),
            "last": list(self.last),
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """The parts, the largest first, then their sum; interactions are a table of their own."""
        write = formats.significant(4)
        columns = (
            Column("component", align="left"),
            Column("part", write),
            Column("low", write),
            Column("high", write),
            Column("p", formats.p_value),
            Column(f"p ({TITLES.get(self.parts.adjusted, self.parts.adjusted)})", formats.p_value, key="p_adjusted"),
            Column("added first", write, key="first"),
            Column("added last", write, key="last"),
            Column("helps on", align="right", key="helps"),
            Column("", align="left", key="shown"),
        )
        rows = [self._row(self.parts, i, (self.first[i], self.last[i])) for i in self.order()]
        whole = self.advantage.estimate
        rows.append(self._row(self.total, 0, (whole, whole), WHOLE))
        notes = dict.fromkeys((*self._marks(), *self.parts.notes, *self.total.notes, *self.notes))
        return Table(columns, tuple(rows), caption=self.parts.outcomes[0].test, notes=tuple(notes))

    def _marks(self) -> tuple[str, ...]:
        if not any(p == p for p in self.parts.p_adjusted):
            return ()
        several = plural(len(self.components), "component")
        return (f"intervals hold for all {several} together, that of the whole by itself; * 0 lies outside",)

    @staticmethod
    def _row(effects: Effects, i: int, beside: tuple[float, float], name: str = "") -> tuple[object, ...]:
        interval, helps = effects.intervals[i], effects.helps[i]
        ends = (interval.estimate, interval.low, interval.high)
        shown = "*" if effects.active()[i] else ""
        p = effects.outcomes[i].p_value, effects.p_adjusted[i]
        return (name or effects.names[i], *ends, *p, *beside, f"{helps[0]} of {sum(helps)}", shown)

    def __str__(self) -> str:
        tables = [self.to_table(), *([] if self.interactions is None else [self.interactions.to_table()])]
        return "\n\n".join(map(str, tables))


DRAWS = 9_999
SMALLEST_ERROR = 0.25  # of a resample, in units of the sample's: a resample of equal values knows nothing of its error
BOOTSTRAP = "joint bootstrap"
NO_VARIANCE = "all values are equal and not zero: no error can be estimated from them"
BLOCK = 1 << 22  # numbers in memory at a time


@dataclass(frozen=True, slots=True, eq=False)
class JointMeans:
    """The mean of each column: the test of each alone, and intervals and p-values that hold for all together."""

    outcomes: tuple[Outcome, ...]
    intervals: tuple[Interval, ...]
    p_adjusted: tuple[float, ...]


def joint_means(
    values: FloatArray, *, test: str, null: str, quantity: str, level: float, draws: int = DRAWS, seed: int = 0
) -> JointMeans:
    r"""The means of columns over rows, with intervals whose half-widths are one multiple of the standard errors.

    Rows are drawn with replacement, each for all columns. The multiple is the quantile of the largest

    .. math:: |\bar x^*_j - \bar x_j| \Big/ \max(s^*_j, s_j / 4) \cdot \sqrt n

    over the columns j (a symmetric bootstrap-t). The lower limit of the resampled standard deviation keeps columns that
    are zero on most rows from having no upper bound. A column of zeros has p = 1; one of equal values has no error.
    """
    random = random_draws(draws, seed)
    n = len(values)
    unit = unit_of(values)
    means = (values / unit).mean(axis=0) * unit
    errors = np.array(spreads(values)) / math.sqrt(n)
    zero = np.array([not differences(column, np.zeros(n)).whole.any() for column in values.T])
    varies = (errors > 0) & ~zero
    with np.errstate(divide="ignore", invalid="ignore"):
        statistics = np.abs(means / errors)
    drawn = _resampled(values[:, varies], random, draws)
    largest = np.sort(drawn.max(axis=1, initial=0.0))
    joint, alone = np.where(zero, 1.0, math.nan), np.where(zero, 1.0, math.nan)
    joint[varies] = [_p(largest, t) for t in statistics[varies]]
    own = {int(j): np.sort(drawn[:, i]) for i, j in enumerate(np.flatnonzero(varies))}
    factor = _critical(largest, level)
    outcomes, intervals = [], []
    for j, mean in enumerate(np.where(zero, 0.0, means).tolist()):
        half, single = 0.0, 0.0
        if j in own:
            alone[j] = _p(own[j], float(statistics[j]))
            half, single = factor * float(errors[j]), _critical(own[j], level) * float(errors[j])
        elif not zero[j]:
            half = single = math.nan
        notes = (NO_VARIANCE,) if not zero[j] and j not in own else ()
        intervals.append(Interval(quantity, mean, mean - half, mean + half, level, BOOTSTRAP, notes))
        outcomes.append(
            Outcome(
                test=test,
                null=null,
                statistic=float(statistics[j]) * math.copysign(1, mean),
                p_value=float(alone[j]),
                n=n,
                method="bootstrap-t",
                effect=Interval(quantity, mean, mean - single, mean + single, level, "bootstrap-t", notes),
                p_floor=1 / (draws + 1) if j in own else 0.0,
                notes=notes,
            )
        )
    return JointMeans(tuple(outcomes), tuple(intervals), tuple(joint.tolist()))


def _resampled(values: FloatArray, random: np.random.Generator, draws: int) -> FloatArray:
    """The studentised distance of each resample's mean (rows) from the sample's, for each column."""
    n, k = values.shape
    if k == 0:
        return np.zeros((draws, 0))
    unit = unit_of(values)
    centred = values / unit - (values / unit).mean(axis=0)
    centred /= centred.std(axis=0, ddof=1)
    found = np.empty((draws, k))
    step = max(BLOCK // n, 1)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        share = random.multinomial(n, np.full(n, 1 / n), size=size) / n
        mean = share @ centred
        spread = np.sqrt(np.maximum((share @ centred**2 - mean**2) * n / (n - 1), 0.0))
        found[start : start + size] = np.abs(mean) * math.sqrt(n) / np.maximum(spread, SMALLEST_ERROR)
    return found


def _p(drawn: FloatArray, statistic: float) -> float:
    """The share of draws (in rising order) that are as large as a statistic; the sample counts as a draw."""
    beyond = len(drawn) - int(np.searchsorted(drawn, statistic, side="left"))
    return (1 + beyond) / (1 + len(drawn))


def _critical(drawn: FloatArray, level: float) -> float:
    """The value that a statistic must exceed for its p-value to lie below 1 − level; infinite with too few draws."""
    rank = math.ceil(round((1 - level) * (1 + len(drawn)), 9)) - 1  # of the largest draws
    return float(drawn[-rank]) if rank >= 1 else math.inf


MOST_COMPONENTS = 12  # 4,096 combinations; more are never run in full

Weights: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Combinations:
    """All combinations of components that are off or on, by the columns of a table of scores.

    ``order`` has, for each combination as a binary number (the first component is its lowest bit), the column of its
    scores. All weights are whole numbers over a common denominator, so that parts add up to the whole.
    """

    components: tuple[str, ...]
    order: tuple[int, ...]

    @property
    def k(self) -> int:
        return len(self.components)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of components by number, in order."""
        return tuple(combinations(range(self.k), 2))

    def total(self, scores: FloatArray) -> FloatArray:
        """The score with all components less that with none, in each row."""
        own = self._sorted(scores)
        return np.asarray(own[:, -1] - own[:, 0])

    def shapley(self, scores: FloatArray) -> FloatArray:
        """The Shapley value of each component (columns) in each row."""
        return self._weighed(scores, [self._shapley_weights(i) for i in range(self.k)], factorial(self.k))

    def interactions(self, scores: FloatArray) -> FloatArray:
        """The Shapley interaction index of each pair of components (columns) in each row."""
        return self._weighed(scores, [self._pair_weights(i, j) for i, j in self.pairs], factorial(max(self.k - 1, 1)))

    def first_added(self, scores: FloatArray) -> FloatArray:
        """What each component alone adds to none."""
        own = self._sorted(scores)
        return np.stack([own[:, 1 << i] - own[:, 0] for i in range(self.k)], axis=1)

    def last_added(self, scores: FloatArray) -> FloatArray:
        """What each component adds to all the others: what is lost without it."""
        own = self._sorted(scores)
        whole = len(self.order) - 1
        return np.stack([own[:, whole] - own[:, whole ^ (1 << i)] for i in range(self.k)], axis=1)

    def _sorted(self, scores: FloatArray) -> FloatArray:
        return scores[:, list(self.order)]

    def _weighed(self, scores: FloatArray, weights: Sequence[Weights], denominator: int) -> FloatArray:
        if not weights:
            return np.empty((len(scores), 0))
        unit = unit_of(scores)
        own = self._sorted(scores) / unit
        centred = own - own[:, :1]  # all weights sum to 0; without the level of the row less is lost to rounding
        shares = np.array(weights, dtype=float).T / denominator
        return np.asarray(centred @ shares * unit)

    def _shapley_weights(self, i: int) -> Weights:
        """k! times the weight of each combination in the Shapley value of a component."""
        k, found = self.k, np.zeros(1 << self.k, dtype=np.int64)
        for without in self._subsets(1 << i):
            size = without.bit_count()
            weight = factorial(size) * factorial(k - size - 1)
            found[without | 1 << i] += weight
            found[without] -= weight
        return found

    def _pair_weights(self, i: int, j: int) -> Weights:
        """(k − 1)! times the weight of each combination in the interaction index of two components."""
        k, found = self.k, np.zeros(1 << self.k, dtype=np.int64)
        for without in self._subsets(1 << i | 1 << j):
            size = without.bit_count()
            weight = factorial(size) * factorial(k - size - 2)
            found[[without | 1 << i | 1 << j, without]] += weight
            found[[without | 1 << i, without | 1 << j]] -= weight
        return found

    def _subsets(self, absent: int) -> Iterator[int]:
        """The combinations in which none of some components is on."""
        return (number for number in range(1 << self.k) if not number & absent)


def combinations_of(components: Design, names: Sequence[str] | None = None) -> Combinations:
    """Check that the columns of a table of settings are all combinations of components that are off or on.

    >>> found = combinations_of({"tuning": [0, 1, 0, 1], "encoding": [0, 0, 1, 1]})
    >>> found.shapley(np.array([[70.0, 75.0, 71.0, 80.0]])).tolist()
    [[7.0, 3.0]]
    """
    columns = factor_columns(components, names, None)
    if len(columns) > MOST_COMPONENTS:
        raise InputError(
            f"at most {MOST_COMPONENTS} components can be told apart by all their combinations, got {len(columns)}; "
            "take several together as one component"
        )
    switched = np.stack([_on(column) for column in columns])
    number = (switched * (1 << np.arange(len(columns)))[:, None]).sum(axis=0).tolist()
    own = tuple(column.name for column in columns)
    _check_complete(own, number)
    return Combinations(own, tuple(number.index(i) for i in range(1 << len(columns))))


def _on(column: FactorColumn) -> npt.NDArray[np.int64]:
    """Whether a component is on in each setting."""
    steps = column.steps(column.present).tolist() if column.levels is None else list(column.levels)
    if not column.present.all() or steps not in ([0, 1], [-1, 1], ["False", "True"], [0], [1], [-1]):
        raise InputError(
            f"component {column.name!r} must be 0 (off) or 1 (on) in each setting, or −1 and 1, or false and true, "
            f"got {listed(steps)}"
        )
    return np.asarray(column.values > 0, dtype=np.int64)


def _check_complete(components: Sequence[str], numbers: Sequence[int]) -> None:
    """Refuse settings that are not all combinations, each once."""
    twice = sorted({n for n in numbers if numbers.count(n) > 1})
    if twice:
        raise InputError(
            f"each combination of components must occur once, but {_in_words(components, twice[0])} occurs "
            f"{numbers.count(twice[0])} times; average its scores before"
        )
    every = 1 << len(components)
    missing = [n for n in range(every) if n not in numbers]
    if missing:
        shown = listed([_in_words(components, n) for n in missing])
        raise InputError(
            f"an ablation needs all {plural(every, 'combination')} of {plural(len(components), 'component')}, but "
            f"{part_of(len(missing), every, 'combination')} {verb(len(missing), 'is', 'are')} missing ({shown}); run "
            "all combinations, or take fewer components"
        )


def _in_words(components: Sequence[str], number: int) -> str:
    """A combination in words: the components that are on.

    >>> _in_words(("tuning", "encoding"), 2), _in_words(("tuning", "encoding"), 0)
    ('encoding', 'none')
    """
    return " + ".join(name for i, name in enumerate(components) if number >> i & 1) or "none"


TEST = "Shapley parts"
INDICES = "Shapley interaction indices"
NULL = "its mean over data sets is zero"
TOO_FEW = (
    f"fewer than {FEWEST_DATASETS} data sets are no sample of data sets: parts have no intervals; divide the advantage "
    "on each data set, over its splits (test_share)"
)
ONE_SPLIT = "one split has no estimate of error: parts have no intervals; take several splits"
OF_ONE = "only splits carry the error: this holds for this data set alone, and says nothing about others"


@procedure(
    question=FACTORIAL,
    null="for each component: its mean part over data sets is zero",
    assumes="independent data sets, a score of every combination on each; all scores on the same scale",
    references=(SHAPLEY_1953, GRABISCH_ROUBENS_1999, EFRON_TIBSHIRANI_1993),
    test=TEST,
)
def divide_advantage(
    scores: npt.ArrayLike,
    components: Design,
    *,
    higher_is_better: bool = True,
    names: Sequence[str] | None = None,
    test_share: float | None = None,
    overlap: float = 1.0,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> AdvantageParts:
    r"""Divide the advantage of a whole over its base into parts of its components, with intervals.

    Null hypothesis for each component: its mean part over data sets is zero.

    ``scores`` has a row for each data set and a column for each combination of components. ``components`` says which
    of them are on in each column: a mapping of names to 0 and 1. All :math:`2^k` combinations are needed. With
    :math:`v(S)` the score with the components :math:`S`, the part of component i is its Shapley value

    .. math:: \phi_i = \sum_{S \not\ni i} \frac{|S|!\,(k - |S| - 1)!}{k!} \big(v(S \cup i) - v(S)\big),

    what it adds to those before it, averaged over all orders in which components can be added. On every data set the
    parts sum to the advantage, :math:`v(\text{all}) - v(\text{none})`. They are means over data sets, since only means
    add up. Two components have the interaction index

    .. math:: I_{ij} = \sum_{S \not\ni i, j} \frac{|S|!\,(k - |S| - 2)!}{(k - 1)!}
              \big(v(S \cup ij) - v(S \cup i) - v(S \cup j) + v(S)\big),

    positive where they help each other, negative where one replaces the other. Each of the two has half of it in its
    part. ``higher_is_better=False`` turns the signs, so that parts are positive where a component helps.

    Intervals are those of a symmetric bootstrap-t over data sets, for all parts together, and for all interactions
    together: parts are often skewed, since a component helps much on a few data sets, and t intervals of skewed parts
    miss too often (docs/lab.md). With fewer than 6 data sets there are none.

    With ``test_share`` rows are splits of one data set, and intervals have the corrected variance and Bonferroni's
    adjustment (:func:`effects_on_splits`). They are about this data set alone.

    A component that changes nothing has part 0 and p = 1. A part that is the same on all data sets has no interval.

    References: Shapley (1953), doi:10.1515/9781400881970-018; Grabisch & Roubens (1999), doi:10.1007/s001820050125;
    Efron & Tibshirani (1993), An Introduction to the Bootstrap.

    >>> components = {"tuning": [0, 1, 0, 1], "encoding": [0, 0, 1, 1]}
    >>> scores = [[70, 75, 71, 80], [61, 64, 61, 66], [80, 88, 79, 90], [55, 56, 57, 61], [90, 92, 90, 92],
    ...           [66, 71, 67, 76], [72, 73, 75, 80], [84, 90, 83, 91]]
    >>> print(divide_advantage(scores, components).to_table())
    Shapley parts
    component   part      low   high      p  p (joint bootstrap)  added first  added last  helps on
    tuning     5.250    2.123  8.377  0.008                0.014        3.875       6.625    8 of 8  *
    encoding   2.000  −0.1461  4.146  0.030                0.064       0.6250       3.375    6 of 8
    together   7.250    4.643  9.857  0.002                0.002        7.250       7.250    8 of 8  *
    intervals hold for all 2 components together, that of the whole by itself; * 0 lies outside
    """
    check_level(level)
    found = combinations_of(components, names)
    table = _checked(scores, len(found.order))
    signed = table if higher_is_better else -table
    pairs = [f"{found.components[i]} × {found.components[j]}" for i, j in found.pairs]

    def judged(values: FloatArray, labels: Sequence[str]) -> Effects:
        if test_share is not None and len(values) > 1:
            return _over_splits(values, labels, test_share, overlap, level)
        if test_share is None and len(values) >= FEWEST_DATASETS:
            return _over_datasets(values, labels, level, draws, seed)
        return _without_error(values, labels, "data set" if test_share is None else "split", level)

    parts = found.shapley(signed)
    return AdvantageParts(
        components=found.components,
        total=judged(found.total(signed)[:, None], ("advantage",)),
        parts=judged(parts, found.components),
        interactions=_named(judged(found.interactions(signed), pairs), INDICES) if pairs else None,
        values=parts,
        first=tuple(found.first_added(signed).mean(axis=0).tolist()),
        last=tuple(found.last_added(signed).mean(axis=0).tolist()),
        notes=() if test_share is None else (OF_ONE,),
    )


def _checked(scores: npt.ArrayLike, combinations: int) -> FloatArray:
    table = numbers(scores, "scores")
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] != combinations:
        raise InputError(
            f"scores must be a table with a row for each data set and {plural(combinations, 'column')}, one for each "
            f"combination of components, got an array of shape {table.shape}"
        )
    missing = ~np.isfinite(table)
    if missing.any():
        rows = np.flatnonzero(missing.any(axis=1)).tolist()
        raise InputError(
            f"scores must be finite, but {part_of(int(missing.sum()), missing.size, 'score')} "
            f"{verb(int(missing.sum()), 'is', 'are')} not ({verb(len(rows), 'row', 'rows')} {listed(rows)}); choose a "
            "failure policy, or leave out those rows"
        )
    return table


def _over_datasets(values: FloatArray, labels: Sequence[str], level: float, draws: int, seed: int) -> Effects:
    means = joint_means(values, test=TEST, null=NULL, quantity="mean", level=level, draws=draws, seed=seed)
    notes = [f"{name}: {n}" for name, o in zip(labels, means.outcomes, strict=True) for n in o.notes]
    return _effects(values, labels, means.outcomes, means.p_adjusted, means.intervals, BOOTSTRAP, level, notes)


def _over_splits(values: FloatArray, labels: Sequence[str], test_share: float, overlap: float, level: float) -> Effects:
    found = effects_on_splits(values, test_share=test_share, overlap=overlap, names=labels, level=level)
    outcomes = tuple(replace(o, test=TEST, null=NULL.replace("data sets", "splits")) for o in found.outcomes)
    return replace(found, outcomes=outcomes, notes=found.notes[:-1])  # the last one is about one data set: OF_ONE


def _named(effects: Effects, test: str) -> Effects:
    return replace(effects, outcomes=tuple(replace(outcome, test=test) for outcome in effects.outcomes))


def _without_error(values: FloatArray, labels: Sequence[str], unit: str, level: float) -> Effects:
    note = TOO_FEW if unit == "data set" else ONE_SPLIT
    means = values.mean(axis=0).tolist()
    intervals = tuple(Interval("mean", mean, math.nan, math.nan, level, "", (note,)) for mean in means)
    outcomes = tuple(Outcome(TEST, NULL, math.nan, math.nan, len(values), effect=i, notes=(note,)) for i in intervals)
    unknown = (math.nan,) * len(labels)
    return replace(_effects(values, labels, outcomes, unknown, intervals, "none", level, (note,)), unit=unit)


def _effects(
    values: FloatArray, labels: Sequence[str], outcomes: tuple[Outcome, ...], p: tuple[float, ...],
    intervals: tuple[Interval, ...], adjusted: str, level: float, notes: Sequence[str],
) -> Effects:  # fmt: skip
    return Effects(
        names=tuple(labels),
        outcomes=outcomes,
        p_adjusted=p,
        intervals=intervals,
        adjusted=adjusted,
        unit="data set",
        helps=units_better(values, higher_is_better=True),
        spread=spreads(values),
        level=level,
        notes=tuple(notes),
    )
