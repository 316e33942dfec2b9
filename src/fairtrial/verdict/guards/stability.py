"""Stability over data sets: which claims change when one data set (or family) is left out, and which moves most."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from fairtrial.design import FEWEST_DATASETS
from fairtrial.statements import Statement
from fairtrial.stats import adjust
from fairtrial.stats.post_hoc.left_out import (
    centers_without_each,
    mean_tests_without_each,
    stars_without_each,
    winners_without_each,
)
from fairtrial.stats.post_hoc.with_the_best import best_without_each_row
from fairtrial.stats.score_arrays import differences
from fairtrial.verdict.claims.steadiness import (
    AnswerHinges,
    CannotBeTried,
    ClaimsHinge,
    Hinges,
    Kept,
    Moves,
    OnlyJust,
    WouldWin,
)
from fairtrial.verdict.designs.compare_methods import Compared
from fairtrial.verdict.designs.decide import Tests, is_within
from fairtrial.verdict.designs.units import Units

NOTABLE = 0.2  # of itself, by which an estimate must move for a data set to be named


def stability(compared: Compared, units: Units, tests: Callable[[Units], Tests]) -> Iterator[Statement]:
    """Which claims change without each data set, and the data set that moves the estimate most."""
    if units.n - 1 < FEWEST_DATASETS:
        yield CannotBeTried(units.each, FEWEST_DATASETS)
        return
    if compared.family == "best":
        yield from _with_the_best(compared, units)
        return
    if compared.family == "pair":
        yield from _of_two(compared, units, tests)
    if compared.family != "pair" or len(compared.pairs) > 1:
        yield from _of_pairs(compared, units, tests)
    yield from _largest_move(compared, units)


def _with_the_best(compared: Compared, units: Units) -> Iterator[Statement]:
    """Whether there is the same winner without each data set, or the same methods may be best."""
    leads = compared.leads
    assert leads is not None
    scores = units.scores[:, : len(compared.evidence.methods)]
    found = best_without_each_row(scores, leads, higher_is_better=compared.evidence.measure.higher_is_better)
    if leads.winner is not None:
        lost = [(name, one.winner) for name, one in zip(units.names, found, strict=True) if one.winner != leads.winner]
        if lost:
            yield Hinges(tuple(name for name, _ in lost), units.n, any(other is not None for _, other in lost))
        else:
            yield Kept("the same winner", units.n, units.n, units.each)
        return
    would = [(name, one.winner) for name, one in zip(units.names, found, strict=True) if one.winner is not None]
    if would:
        yield WouldWin(str(would[0][1]), tuple(name for name, _ in would), units.n)
    turns: dict[str, list[str]] = {}
    for name, one in zip(units.names, found, strict=True):
        for method in leads.names if one.winner is None else ():
            if (method in one.best) != (method in leads.best):
                turns.setdefault(method, []).append(name)
    if turns:
        for is_in in (False, True):
            own = [m for m in turns if (m in leads.best) == is_in]
            if own:
                most = max(own, key=lambda m: len(turns[m]))
                yield OnlyJust(most, is_in, tuple(turns[most]), units.n, len(own) - 1)
    elif not would:
        what = f"no winner and the same {len(leads.best)} that may be the best"
        yield Kept(what, units.n, units.n, units.each)


def _of_two(compared: Compared, units: Units, tests: Callable[[Units], Tests]) -> Iterator[Statement]:
    """Whether the better one of two is so without each data set, or two that are equivalent stay so."""
    pair = compared.pairs[0]
    if pair.decision == "equivalent" and compared.delta is not None:
        narrow = {name: tests(units.without(i)).narrow[0] for i, name in enumerate(units.names)}
        lost = [name for name, found in narrow.items() if found is None or not is_within(found, compared.delta)]
        if lost:
            yield AnswerHinges(tuple(lost), units.n)
        else:
            yield Kept("the typical difference stays inside the margin", units.n, units.n, units.each)
        return
    winners = list(zip(units.names, _winners(compared, units), strict=True))
    changed = [(name, w) for name, w in winners if w != compared.winner]
    if compared.winner is not None and changed:
        yield Hinges(tuple(n for n, _ in changed), units.n, any(w is not None for _, w in changed))
    elif changed:
        yield WouldWin(
            compared.name(next(w for _, w in changed if w is not None)), tuple(n for n, _ in changed), units.n
        )
    else:
        yield Kept("the same answer" if compared.winner is not None else "no difference", units.n, units.n, units.each)


def _of_pairs(compared: Compared, units: Units, tests: Callable[[Units], Tests]) -> Iterator[Statement]:
    """Which differences stay without each data set; nothing is said where none could."""
    stars = _stars(compared, units, tests)
    different = [i for i, pair in enumerate(compared.pairs) if pair.different]
    lost = [i for i in different if not stars[:, i].all()]
    if not different or not stars[:, different].any():
        return  # none of them could be shown with one data set less
    yield Kept("differences", len(different) - len(lost), len(different), units.each)
    if compared.family == "control" and lost:
        control = compared.leader
        pairs = [compared.pairs[i] for i in lost]
        yield ClaimsHinge(tuple(compared.name(p.second if p.first == control else p.first) for p in pairs))


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
    if compared.question.estimand == "mean" and compared.side.is_both:
        how = compared.comparisons.adjusted
        return np.array([adjust(p, how) < 1 - level for p in _mean_tests(compared, units)[1]])
    without = (units.without(i) for i in range(units.n))
    return np.array([np.array(tests(part).comparisons.p_adjusted) < 1 - level for part in without])


def _largest_move(compared: Compared, units: Units) -> Iterator[Statement]:
    """The data set that moves the estimate of the leading pair most."""
    against = compared.against_reference()
    rival = next((m for m in compared.order if m in against), None)
    pair = against.get(-1 if rival is None else rival)
    if rival is None or pair is None or pair.effect is None or pair.winner is None:
        return  # a difference that is not shown is not worth a word on what moves it
    if compared.question.estimand == "mean":
        return
    a, b = rival, compared.leader
    d = differences(units.scores[:, a], units.scores[:, b])
    centers = np.array([d.value(c) for c in centers_without_each(d.whole)])
    now = compared.evidence.sign * pair.effect.estimate
    move = np.abs(centers - now)
    if move.max() > NOTABLE * abs(now):
        i = int(move.argmax())
        yield Moves(units.names[i], compared.name(a), compared.name(b), float(now), float(centers[i]))
