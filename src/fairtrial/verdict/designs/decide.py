"""The one decision rule: what the interval of a difference says about two methods, and who wins.

Tests of pairs of methods, and the intervals that agree with them: jointly over data sets, or by Bonferroni.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.stats import Comparisons, Interval, Outcome, compare_pairs, wilcoxon
from fairtrial.stats.outcome import Alternative, bound_if
from fairtrial.stats.post_hoc.joint_intervals import Joint, joint_tests
from fairtrial.stats.score_arrays import differences
from fairtrial.verdict.designs.units import Spread

WITH_THE_BEST = "best"
"""The default of ``adjust``: comparisons with the best; with a control, or where each data set is judged by itself,
intervals that hold for all these pairs together."""

SIMULTANEOUS = "simultaneous"
"""Intervals that hold for all pairs together. Every other adjustment of all pairs adjusts p-values alone."""

TOGETHER = (WITH_THE_BEST, SIMULTANEOUS)
PairTest = Callable[..., Outcome]
Pairs = Sequence[tuple[int, int]]
Effects = tuple[Interval | None, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """The side of a question: both, or one, with the margin by which the first may be worse.

    ``alternative`` is about the scores as they are. ``shift`` is what the first is given in advance: the margin of
    a question that asks whether the first is *not worse*.
    """

    alternative: Alternative = "two-sided"
    shift: float = 0.0

    @property
    def is_both(self) -> bool:
        return self.alternative == "two-sided"

    def back(self, effect: Interval | None) -> Interval | None:
        """An effect without what the first was given in advance."""
        if effect is None or self.shift == 0:
            return effect
        low, high = effect.low - self.shift, effect.high - self.shift
        return replace(effect, estimate=effect.estimate - self.shift, low=low, high=high)


BOTH = Side()


@dataclass(frozen=True, eq=False)
class Tests:
    """The tests of some pairs of methods.

    ``comparisons`` has p-values and the intervals that are shown. ``wide`` are the intervals that decide about sizes,
    ``narrow`` those at 1 − 2α, which decide about equivalence; both are adjusted for the number of pairs. ``bounded``
    is False where the data sets are too few for intervals that hold together. ``family`` is the number of tests that
    were made together, ``p_floor`` the smallest adjusted p-value that random flips can give. ``places`` is the number
    of data sets that are judged singly: for it each pair's own test, which makes a winner, is adjusted too. ``joint``
    has the joint tests, where these were made.
    """

    comparisons: Comparisons
    wide: Effects
    narrow: Effects
    family: int
    side: Side = BOTH
    bounded: bool = True
    p_floor: float = 0.0
    joint: Joint | None = None
    places: int = 1


def own_level(level: float, places: int) -> float:
    """The level of each pair's own test, where so many data sets are judged singly."""
    return level if places == 1 else 1 - (1 - level) / places


def jointly(
    columns: Sequence[NDArray[np.float64]], pairs: Pairs, *, names: Sequence[str], level: float, side: Side = BOTH
) -> Tests:
    """Joint tests over data sets: simultaneous Hodges–Lehmann intervals from flips of whole rows; one pair by itself.

    Equal scores are ranked and have no sign (Pratt), so that a difference that is there on a few data sets only is not
    taken for a difference in general.
    """
    alone = partial(wilcoxon, zeros="pratt", alternative=side.alternative, level=level)
    first = [columns[i] + side.shift for i, _ in pairs]
    outcomes = tuple(alone(a, columns[j]) for a, (_, j) in zip(first, pairs, strict=True))
    twice = round(2 * level - 1, 12)
    narrow: Effects = (None,) * len(pairs)
    p: tuple[float, ...] = (outcomes[0].p_value,)
    wide: Effects = (outcomes[0].effect,)
    if len(pairs) == 1:
        adjusted, bounded, floor, joint = "none", True, 0.0, None
        if side.is_both and twice > 0:
            narrow = (wilcoxon(first[0], columns[pairs[0][1]], zeros="pratt", level=twice).effect,)
    else:
        found = [differences(a, columns[j]) for a, (_, j) in zip(first, pairs, strict=True)]
        joint = joint_tests(found, alternative=side.alternative, level=level)
        adjusted, p, wide, bounded = "joint flips", joint.p_values, joint.intervals(level), joint.bounded(level)
        floor = joint.maxima.floor
        narrow = joint.intervals(twice) if side.is_both and twice > 0 else narrow
    shown = tuple(map(side.back, wide))
    comparisons = Comparisons(
        names=tuple(names),
        pairs=tuple(pairs),
        outcomes=tuple(replace(o, effect=side.back(o.effect)) for o in outcomes),
        p_adjusted=tuple(p),
        adjusted=adjusted,
        level=level,
        simultaneous=_all_or_none(shown) if bounded and len(pairs) > 1 else (),
    )
    return Tests(comparisons, shown, narrow, len(pairs), side, bounded, floor, joint)


def one_by_one(
    columns: Sequence[NDArray[Any]],
    pairs: Pairs,
    *,
    test: PairTest,
    names: Sequence[str],
    level: float,
    adjust: str = WITH_THE_BEST,
    family: int | None = None,
    side: Side = BOTH,
    places: int = 1,
) -> Tests:
    """Tests of one pair after another, by Bonferroni's intervals and p-values, or by another adjustment of p-values.

    ``family`` is the number of tests that are made together, by default that of the pairs, and ``places`` the number of
    data sets that they are made on.
    """
    m = family or len(pairs)
    together = adjust in TOGETHER
    run = test if side.is_both else partial(test, alternative=side.alternative)
    given = columns if side.shift == 0 else [*(c + side.shift for c in columns), *columns]
    asked = pairs if side.shift == 0 else [(i, j + len(columns)) for i, j in pairs]
    labels = list(names) if side.shift == 0 else [*names, *(f"{name} " for name in names)]
    how = "bonferroni" if together else adjust
    found = compare_pairs(
        given, asked, test=partial(run, level=own_level(level, places)), adjust=how, names=labels, level=level
    )
    alpha = (1 - level) / (1 if adjust == "none" else m)
    wide, narrow = (_effects(run, given, asked, 1 - share * alpha, side) for share in (1, 2))
    p = found.p_adjusted
    if together:
        p = tuple(float(np.minimum(m * o.p_value, 1)) for o in found.outcomes)  # nan stays nan
    comparisons = replace(
        found,
        names=tuple(names),
        pairs=tuple(pairs),
        outcomes=tuple(replace(o, effect=side.back(o.effect)) for o in found.outcomes),
        p_adjusted=p,
        simultaneous=_all_or_none(wide) if together and m > 1 else (),
    )
    return Tests(comparisons, wide, narrow if side.is_both else (None,) * len(pairs), m, side, places=places)


def _effects(test: PairTest, columns: Sequence[NDArray[Any]], pairs: Pairs, level: float, side: Side) -> Effects:
    if not 0 < level < 1:
        return (None,) * len(pairs)
    return tuple(side.back(test(columns[i], columns[j], level=level).effect) for i, j in pairs)


def _all_or_none(effects: Effects) -> tuple[Interval, ...]:
    found = tuple(e for e in effects if e is not None)
    return found if len(found) == len(effects) else ()


Decision = Literal[
    "better by more than matters",
    "better, size open",
    "better but negligible",
    "not worse",
    "equivalent",
    "equal on average, different on most data sets",
    "equal on average; on single data sets open",
    "undecided",
]


def decide(
    effect: Interval | None,
    different: bool,
    smallest_difference: float | None,
    narrow: Interval | None = None,
    spread: Spread | None = None,
) -> Decision:
    """The decision about two methods; the effect is positive if the first method is better.

    ``narrow`` is the interval at level 1 − 2α: if it lies inside ±δ, the two are equal on average (two one-sided
    tests). Over data sets ``spread`` then says whether they also are on most single data sets, which is what
    *equivalent* means.

    >>> decide(Interval("d", 0.03, 0.02, 0.04), True, 0.01)
    'better by more than matters'
    >>> decide(Interval("d", 0.001, -0.004, 0.006), False, 0.01, Interval("d", 0.001, -0.003, 0.005, 0.9))
    'equivalent'
    """
    if effect is None or math.isnan(effect.low):
        return "better, size open" if different else "undecided"
    delta = smallest_difference
    if different:
        size = sorted((abs(effect.low), abs(effect.high))) if effect.low * effect.high > 0 else (0.0, math.inf)
        if delta is not None and size[0] > delta:
            return "better by more than matters"
        if delta is not None and size[1] < delta:
            return "better but negligible"
        return "better, size open"
    if delta is None or narrow is None or not is_within(narrow, delta):
        return "undecided"
    return "equivalent" if spread is None else spread.conclusion


def is_within(interval: Interval, delta: float) -> bool:
    """Whether the interval lies inside ±δ, its ends included."""
    return -delta < interval.low <= interval.high < delta


@dataclass(frozen=True, slots=True)
class Pair:
    """Two methods by number; effects are positive where the first is better.

    ``effect`` is the interval that decides, which holds for all pairs together; ``own`` is the interval of this pair
    alone, which agrees with ``p_value``. ``spread`` is how the difference varies over data sets. ``no_better`` and
    ``no_worse``: the first is shown not to be better, or not to be worse, by δ or more (one-sided tests at α).
    """

    first: int
    second: int
    effect: Interval | None
    p_value: float
    p_adjusted: float
    different: bool
    decision: Decision = "undecided"
    own: Interval | None = None
    spread: Spread | None = None
    no_better: bool = False
    no_worse: bool = False

    def swapped(self) -> Pair:
        """This pair, seen from the other method."""
        effect, own = (None if i is None else i.negated() for i in (self.effect, self.own))
        spread = None if self.spread is None else self.spread.negated()
        return replace(
            self, first=self.second, second=self.first, effect=effect, own=own, spread=spread,
            no_better=self.no_worse, no_worse=self.no_better,
        )  # fmt: skip

    @property
    def mean_is_shown(self) -> bool:
        """Whether the mean is shown of a difference of which nothing is typical, where it shows a difference, too."""
        if self.spread is None or self.spread.own_mean.has_no_width or 0 in self.spread.own_mean:
            return False
        return self.spread.mostly_equal or (self.own is not None and self.own.has_no_width)

    @property
    def ahead(self) -> int | None:
        """The method with the better scores, whether or not that is significant."""
        if self.effect is None:
            return None
        side = self.effect.estimate or self.effect.low + self.effect.high  # many ties: the interval lies just beside 0
        return None if not abs(side) > 0 else self.first if side > 0 else self.second

    @property
    def winner(self) -> int | None:
        """The better method, where the tests of all pairs together find one."""
        return self.ahead if self.different and self.decision != "not worse" else None


def pair_up(
    tests: Tests, sign: float, delta: float | None = None, spreads: Sequence[Spread] | None = None
) -> list[Pair]:
    """The tests as pairs oriented by the measure's direction, with what is decided about each."""
    pairs = []
    comparisons = tests.comparisons
    for n, ((i, j), outcome, p) in enumerate(
        zip(comparisons.pairs, comparisons.outcomes, comparisons.p_adjusted, strict=True)
    ):
        own, wide, narrow = (_oriented(e, sign) for e in (outcome.effect, tests.wide[n], tests.narrow[n]))
        effect = _oriented(comparisons.simultaneous[n], sign) if comparisons.simultaneous else own
        different = p < 1 - comparisons.level
        spread = None if spreads is None else spreads[n]
        decision = decide(wide, different, delta, narrow, spread)
        if tests.side.shift and different and effect is not None and effect.low <= 0:
            decision = "not worse"
        alone = bound_if(outcome.p_value, outcome.at_floor)
        adjusted = bound_if(p, outcome.at_floor or p <= tests.p_floor)
        no_better, no_worse = _ruled_out(narrow if tests.side.is_both else wide, delta)
        no_worse = no_worse or decision == "not worse"
        pairs.append(Pair(i, j, effect, alone, adjusted, different, decision, own, spread, no_better, no_worse))
    return pairs


def _ruled_out(bounds: Interval | None, delta: float | None) -> tuple[bool, bool]:
    """Whether the first is shown not to be better, and not to be worse, by δ or more.

    ``bounds`` is an interval whose ends each hold at level 1 − α: two-sided at 1 − 2α, or one-sided.
    """
    if bounds is None or delta is None:
        return False, False
    return bounds.high < delta, bounds.low > -delta


def _oriented(effect: Interval | None, sign: float) -> Interval | None:
    return effect if effect is None or sign > 0 else effect.negated()


def champion(pairs: Sequence[Pair], k: int, level: float) -> int | None:
    """The method that beats every other, each in a test of its own at 1 − level, if there is one.

    This needs no adjustment for the number of tests: to name a wrong winner, the one test against a method that truly
    is as good must err (an intersection–union test).
    """
    wins = [p.ahead for p in pairs if p.p_value < 1 - level]
    return next((m for m in range(k) if wins.count(m) == k - 1 > 0), None)


def better_than_all(pairs: Sequence[Pair], k: int) -> int | None:
    """The method that is better than every other by the tests of all pairs together, if there is one."""
    wins = [p.winner for p in pairs]
    return next((m for m in range(k) if wins.count(m) == k - 1 > 0), None)


def rank_sets(pairs: Sequence[Pair], k: int, winner: int | None = None) -> list[tuple[int, int]]:
    """The ranks of each method that the tests do not rule out: after all that beat it, before all that it beats.

    The winner has rank 1, and no other method has.
    """
    better, worse = [0] * k, [0] * k
    for pair in pairs:
        if (ahead := pair.winner) is not None:
            better[pair.second if ahead == pair.first else pair.first] += 1
            worse[ahead] += 1
    if winner is None:
        return [(1 + b, k - w) for b, w in zip(better, worse, strict=True)]
    return [(1, 1) if m == winner else (max(2, 1 + better[m]), k - worse[m]) for m in range(k)]
