"""Stability over data sets: which claims change when one data set (or family) is left out, and which moves most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairtrial.design import FEWEST_DATASETS
from fairtrial.stats import adjust
from fairtrial.stats.post_hoc.best_left_out import best_without_each, mean_tests_without_each
from fairtrial.stats.post_hoc.left_out import centers_without_each, stars_without_each, winners_without_each
from fairtrial.stats.score_arrays import differences
from fairtrial.verdict.designs.compare_methods import Compared
from fairtrial.verdict.designs.decide import is_within
from fairtrial.verdict.designs.pair_tests import Tests
from fairtrial.verdict.designs.units import Units
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed

__all__ = ["NOT_ASKED", "Stability", "stability"]

MOST_NAMED = 3  # pairs that are told
MANY_PAIRS = 20
MOST_SETS = 2  # data sets that are named where the answer hinges on them
NOTABLE = 0.2  # of itself, by which an estimate must move for a data set to be told


@dataclass(frozen=True, slots=True)
class Stability:
    """What changes without each data set, in words.

    ``doubts`` are sentences that belong to the answer itself, and make it a narrow one; ``only_just`` says who is only
    just among the best, or only just not.
    """

    texts: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    only_just: tuple[str, ...] = ()


NOT_ASKED = Stability(())


def stability(compared: Compared, units: Units, tests: Callable[[Units], Tests]) -> Stability:
    """Which claims change without each data set, and the data set that moves the estimate most."""
    if units.n - 1 < FEWEST_DATASETS:
        return Stability((f"can't be tried: with one {units.each} less there are fewer than {FEWEST_DATASETS}",))
    asks_for_a_winner = compared.question.control is None and compared.tests.side.is_both
    changed: dict[str, int | None] = {}
    lost: dict[int, list[str]] = {}
    texts: list[str] = []
    only_just: tuple[str, ...] = ()
    if asks_for_a_winner:
        winners = zip(units.names, _winners(compared, units), strict=True)
        changed = {name: winner for name, winner in winners if winner != compared.winner}
        only_just = _only_just(compared, units)
        only_just = (*only_just, *_would_win(compared, changed))
        if not changed:  # else the answer says on what the winner hinges
            same = _of_equivalence(compared, units, tests)
            texts.append(same or _of_winner(compared, units, fixed=not only_just))
    if not asks_for_a_winner or len(compared.pairs) > 1:
        stars = _stars(compared, units, tests)
        lost = _lost(compared, units, stars)
        texts += _of_stars(compared, units, lost)
    doubts = [*_hinges(compared, units, changed), *_claims_that_hinge(compared, lost)]
    return Stability((*texts, *_largest_move(compared, units)), tuple(doubts), only_just)


def _of_equivalence(compared: Compared, units: Units, tests: Callable[[Units], Tests]) -> str:
    """Whether two methods that are equivalent stay so; empty where the question is another."""
    if len(compared.pairs) > 1 or compared.pairs[0].decision != "equivalent" or compared.delta is None:
        return ""
    narrow = {name: tests(units.without(i)).narrow[0] for i, name in enumerate(units.names)}
    lost = [name for name, found in narrow.items() if found is None or not is_within(found, compared.delta)]
    if not lost:
        return f"the typical difference stays inside the margin whichever {units.each} is left out"
    return f"the typical difference is not shown to lie inside the margin without {listed(lost, last='or')}"


def _hinges(compared: Compared, units: Units, changed: dict[str, int | None]) -> Iterator[str]:
    """A sentence for the answer, where the winner hinges on single data sets."""
    if compared.winner is None or not changed:
        return
    which = next(iter(changed)) if len(changed) == 1 else (
        f"any one of {len(changed)} of the {units.n} {units.several} ({listed(changed)})"
    )  # fmt: skip
    fate = "there is no winner" if set(changed.values()) == {None} else "there is another winner, or none"
    yield f"The win hinges on single {units.several}: without {which} {fate}."


def _of_winner(compared: Compared, units: Units, *, fixed: bool) -> str:
    """That there is the same winner, or none, and the same methods that may be the best (``fixed``), in words."""
    same = "no winner" if compared.winner is None else "the same winner"
    best = f", and the same {len(compared.best)} methods may be the best," if compared.several_best and fixed else ""
    return f"{same}{best} whichever {units.each} is left out"


def _would_win(compared: Compared, changed: dict[str, int | None]) -> Iterator[str]:
    """A sentence for the answer, where there is no winner, but one without single data sets."""
    if compared.winner is None and changed:
        winners = sorted({compared.evidence.methods[w] for w in changed.values() if w is not None})
        beats = "would win" if len(compared.pairs) == 1 else "would beat every other, each in its own test, and so win"
        yield f"Without {listed(changed, last='or')} {listed(winners, last='or')} {beats}."


def _only_just(compared: Compared, units: Units) -> tuple[str, ...]:
    """Which methods leave the set of those that may be best, or come into it, without some single data sets."""
    found = compared.best_set
    named = any(p.different for p in compared.pairs) or not compared.tests.bounded  # else no answer names the set
    if found is None or not compared.several_best or not named:
        return ()
    scores, measure = units.scores[:, : len(compared.evidence.methods)], compared.evidence.measure
    stays = best_without_each(
        scores, found, higher_is_better=measure.higher_is_better, estimand=compared.question.estimand
    )
    now = np.array([name in found.members for name in found.names])
    turns = {found.names[m]: stays[:, m] != now[m] for m in compared.order if (stays[:, m] != now[m]).any()}
    if len(turns) == 1:
        ((name, single),) = turns.items()
        is_in, sets = name in found.members, [u for u, turned in zip(units.names, single, strict=True) if turned]
        which = f"any one of {len(sets)} of the {units.n:,} {units.several}"
        which = listed(sets, last="or") if len(sets) <= MOST_SETS else which
        turned = (
            f"{name} is only just {'in' if is_in else 'out'}: without {which} it would be {'out' if is_in else 'in'}."
        )
        return (turned,)
    if turns:
        return (_those_only_just(turns, found.members, units),)
    return ()


def _those_only_just(turns: Mapping[str, npt.NDArray[np.bool_]], members: Sequence[str], units: Units) -> str:
    """Methods that are only just in or out, most fragile first, with the number of data sets that would turn them."""
    by_count = sorted(((int(single.sum()), name) for name, single in turns.items()), key=lambda turn: -turn[0])
    inside, outside = ([f"{n} ({c})" for c, n in by_count if (n in members) == is_in] for is_in in (True, False))
    parts = [f"{word}: {listed(some, MOST_NAMED)}" for word, some in (("in", inside), ("out", outside)) if some]
    what = f"in brackets how many single {units.several} of {units.n:,} would change that if left out"
    return f"Only just {', and only just '.join(parts)} ({what})."


def _claims_that_hinge(compared: Compared, lost: dict[int, list[str]]) -> Iterator[str]:
    """A sentence for the answer, where what is said of the control hinges on single data sets."""
    if compared.question.control is None or not lost:
        return
    control = compared.evidence.methods.index(compared.question.control)
    pairs = [compared.pairs[i] for i in lost]
    others = [compared.evidence.methods[p.second if p.first == control else p.first] for p in pairs]
    yield f"What is said of {listed(others)} hinges on single data sets: without one of them it is not shown."


def _lost(compared: Compared, units: Units, stars: npt.NDArray[np.bool_]) -> dict[int, list[str]]:
    """The significant pairs that are not so without some data sets, and which."""
    return {
        i: [name for name, star in zip(units.names, stars[:, i], strict=True) if not star]
        for i, pair in enumerate(compared.pairs)
        if pair.different and not stars[:, i].all()
    }


def _of_stars(compared: Compared, units: Units, lost: dict[int, list[str]]) -> Iterator[str]:
    """Which significant pairs hinge on single data sets, in words."""
    methods, pairs = compared.evidence.methods, compared.pairs
    total = sum(p.different for p in pairs)
    if total and not lost:
        every = {1: "the one", 2: "both"}.get(total, f"all {total}")
        yield f"{every} significant {_differences(compared, total)} whichever {units.each} is left out"
    elif total:
        told = sorted(lost.items(), key=lambda item: -len(item[1]))
        both = {i: f"{methods[pairs[i].first]} and {methods[pairs[i].second]}" for i in lost}
        names = [f"{both[i]} ({_without(sets, units)})" for i, sets in told]
        kept = f"{total - len(lost)} of {total} significant {_differences(compared, total)}"
        kept += f" whichever {units.each} is left out"
        start = (
            f"the one significant difference hinges on single {units.several}" if total == 1 else f"{kept}; lost are"
        )
        yield kept if len(pairs) > MANY_PAIRS else f"{start}: {listed(names, most=MOST_NAMED)}"


def _differences(compared: Compared, total: int) -> str:
    """The significant differences, and how many of them the table shows where it does not show all."""
    if compared.question.alternative == "not worse":
        return "result stays" if total == 1 else "results stay"
    shown = sum(pair.different for pair in compared.against_reference().values())
    part = f" (of {len(compared.pairs):,} pairs)" if shown < total else ""
    return f"difference{part} stays" if total == 1 else f"differences{part} stay"


def _without(sets: list[str], units: Units) -> str:
    """Without which data sets a difference is lost: their names, or how many they are."""
    return f"without {listed(sets)}" if len(sets) <= 2 else f"if one of {len(sets)} {units.several} is left out"


def _winners(compared: Compared, units: Units) -> list[int | None]:
    """The winner without each unit."""
    scores = units.scores[:, : len(compared.evidence.methods)]
    higher, level = compared.evidence.measure.higher_is_better, compared.question.level
    if compared.question.estimand == "typical":
        return list(winners_without_each(scores, higher_is_better=higher, level=level))
    means, p = _mean_tests(compared, units)
    ahead = np.where(compared.evidence.sign * means > 0, *np.array([(q.first, q.second) for q in compared.pairs]).T)
    wins = [np.bincount(own[small], minlength=scores.shape[1]) for own, small in zip(ahead, p < 1 - level, strict=True)]
    return [int(won.argmax()) if won.max() == scores.shape[1] - 1 else None for won in wins]


def _mean_tests(compared: Compared, units: Units) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The mean differences of all pairs (columns) without each unit (row), and the p-values of their t-tests."""
    found = [
        mean_tests_without_each(differences(units.scores[:, p.first], units.scores[:, p.second]).whole)
        for p in compared.pairs
    ]
    return np.array([means for means, _ in found]).T, np.array([p for _, p in found]).T


def _stars(compared: Compared, units: Units, tests: Callable[[Units], Tests]) -> npt.NDArray[np.bool_]:
    """Which pairs (columns) differ without each unit (row)."""
    level = compared.question.level
    if compared.tests.joint is not None:
        return stars_without_each(compared.tests.joint, level)
    if compared.question.estimand == "mean" and compared.tests.side.is_both:
        how = compared.comparisons.adjusted
        return np.array([adjust(p, how) < 1 - level for p in _mean_tests(compared, units)[1]])
    without = (units.without(i) for i in range(units.n))
    return np.array([np.array(tests(part).comparisons.p_adjusted) < 1 - level for part in without])


def _largest_move(compared: Compared, units: Units) -> Iterator[str]:
    """The data set that moves the estimate of the leading pair most."""
    against = compared.against_reference()
    rival = next((m for m in compared.order if m in against), None)
    pair = against.get(-1 if rival is None else rival)  # as the table shows it: the rival against the reference
    if rival is None or pair is None or pair.effect is None or pair.winner is None:
        return  # a difference that is not shown is not worth a word on what moves it
    if compared.question.estimand == "mean":
        return
    a, b = rival, compared.reference
    d = differences(units.scores[:, a], units.scores[:, b])
    centers = np.array([d.value(c) for c in centers_without_each(d.whole)])
    now = compared.evidence.sign * pair.effect.estimate
    move = np.abs(centers - now)
    if not move.max() > NOTABLE * abs(now):
        return
    words = Wording(compared.evidence.measure, compared.evidence.as_ratio)
    i = int(move.argmax())
    before, after = (words.difference(np.exp(x) if words.ratio else x) for x in (float(now), float(centers[i])))
    if before != after:
        names = f"{compared.evidence.methods[a]} and {compared.evidence.methods[b]}"
        yield f"{units.names[i]} moves the typical difference of {names} most: from {before} to {after} without it"
