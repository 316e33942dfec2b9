"""Tests of pairs of methods, and the intervals that agree with them: jointly over data sets, or by Bonferroni."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.stats import Comparisons, Interval, Outcome, compare_pairs, wilcoxon
from fairtrial.stats.outcome import Alternative
from fairtrial.stats.post_hoc.joint_intervals import Joint, joint_tests
from fairtrial.stats.score_arrays import differences

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
