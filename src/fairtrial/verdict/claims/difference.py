"""How two methods differ, and how all others differ from a control: better, not shown, equivalent, not worse."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import Interval
from fairtrial.verdict.designs.decide import Decision, Pair, decide

if TYPE_CHECKING:
    from fairtrial.verdict.designs.compare_methods import Compared

EQUAL_ON_AVERAGE = ("equal on average, different on most data sets", "equal on average; on single data sets open")


@dataclass(frozen=True, slots=True)
class Better(Statement):
    """One method is better than another by ``lead``; ``size`` says whether that matters."""

    role = Role.ANSWER
    rank = 1
    method: str
    other: str
    lead: Interval
    p_value: float
    size: Decision
    alone: bool = True


@dataclass(frozen=True, slots=True)
class NotShown(Statement):
    """No difference between two methods is shown; ``lead`` is that of the first.

    ``depends``: the answer before it is that the better one depends on the data set.
    """

    role = Role.ANSWER
    method: str
    other: str
    lead: Interval | None
    equal: int = 0
    depends: bool = False


@dataclass(frozen=True, slots=True)
class Equivalent(Statement):
    """Two methods differ by less than matters, typically and on at least this share of such data sets."""

    role = Role.ANSWER
    method: str
    other: str
    lead: Interval | None
    at_least: float = math.nan


@dataclass(frozen=True, slots=True)
class Alike(Statement):
    """Two methods differ by less than matters on average, but on single data sets one of them is better by more.

    ``better`` and ``worse`` count the data sets on which the first one is; ``differ``: on most one of them is, and
    ``shown``: that is more than noise.
    """

    role = Role.ANSWER
    method: str
    other: str
    better: int
    worse: int
    n: int
    differ: bool
    shown: bool = False


@dataclass(frozen=True, slots=True)
class OnSingle(Statement):
    """On how many data sets one method is better than another by δ or more, and worse."""

    role = Role.ANSWER
    rank = 3
    method: str
    other: str
    better: int
    worse: int
    n: int
    new: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class AgainstControl(Statement):
    """How the other methods stand to the control; ``large`` are those that differ by more than matters."""

    role = Role.ANSWER
    control: str
    better: tuple[str, ...]
    not_worse: tuple[str, ...]
    equivalent: tuple[str, ...]
    worse: tuple[str, ...]
    open: tuple[str, ...]
    alternative: str = "two-sided"
    better_is_small: bool = False
    worse_is_small: bool = False
    large: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AtWorst(Statement):
    """The lead of a method that is not worse than the control, and its lower bound."""

    role = Role.ANSWER
    rank = 1
    method: str
    other: str
    lead: Interval


@dataclass(frozen=True, slots=True)
class Differences(Statement):
    """Which of all pairs differ, the better one first; and the method that is better than every other, if any."""

    role = Role.ANSWER
    different: tuple[tuple[str, str], ...]
    pairs: int
    winner: str = ""
    bounded: bool = True


@dataclass(frozen=True, slots=True)
class EquivalentPairs(Statement):
    """Pairs that differ by less than matters."""

    role = Role.ANSWER
    rank = 2
    pairs: tuple[tuple[str, str], ...]


def of_two(compared: Compared) -> Iterator[Statement]:
    """The answer about the one pair."""
    leads = compared.leads
    assert leads is not None
    a = compared.leader
    b = next(m for m in compared.order if m != a)
    pair, first, second = compared.between(a, b), compared.name(a), compared.name(b)
    spread = pair.spread
    if compared.winner is not None:
        lead = shown_lead(compared, pair)
        p = next(row.p_value for row in leads.leads if row.method == first)
        lead = lead or Interval("difference", math.nan, math.nan, math.nan, compared.question.level)
        yield Better(first, second, lead, p, decide(lead, True, compared.delta))
    elif pair.decision == "equivalent":
        yield Equivalent(first, second, pair.effect, math.nan if spread is None else spread.inside_at_least)
    elif spread is not None and pair.decision in EQUAL_ON_AVERAGE:
        if compared.crosses:
            return  # that it depends on the data set is the answer
        shown = pair.decision == "equal on average, different on most data sets"
        differ = shown or spread.outside_at_least > 0.5
        yield Alike(first, second, spread.above, spread.below, spread.n, differ, shown)
        if math.isnan(spread.noise) or spread.is_noisy:
            noise = "unknown" if math.isnan(spread.noise) else "too large to judge single ones"
            yield Remark(
                Role.DOUBT, Text(f"noise within the data sets is {noise}: part of such counts is chance"), "noise"
            )
        return
    else:
        equal = 0 if spread is None else spread.wins[1]
        yield NotShown(first, second, pair.effect, equal, compared.crosses)
    if (
        spread is not None
        and spread.delta is not None
        and spread.above + spread.below
        and pair.decision != "equivalent"
    ):
        yield OnSingle(first, second, spread.above, spread.below, spread.n)


def shown_lead(compared: Compared, pair: Pair) -> Interval | None:
    """The difference that is shown: the one that decides, or that of the means where nothing is typical."""
    return pair.spread.own_mean if compared.shows_mean and pair.spread is not None else pair.effect


def against_control(compared: Compared) -> Iterator[Statement]:
    """The answer about all others and the control; the size of the first difference where there is only one."""
    control = compared.leader
    seen = compared.against_reference()
    others = [m for m in compared.order if m != control]

    def of(*kinds: Decision) -> tuple[str, ...]:
        return tuple(compared.name(m) for m in others if seen[m].winner is None and seen[m].decision in kinds)

    better = [m for m in others if seen[m].winner == m]
    worse = [m for m in others if seen[m].winner == control]
    decided = {compared.name(m) for m in (*better, *worse)} | {*of("not worse"), *of("equivalent")}
    yield AgainstControl(
        compared.name(control),
        tuple(map(compared.name, better)),
        of("not worse"),
        of("equivalent"),
        tuple(map(compared.name, worse)),
        tuple(n for n in map(compared.name, others) if n not in decided),
        compared.question.alternative,
        bool(better) and all(seen[m].decision == "better but negligible" for m in better),
        bool(worse) and all(seen[m].decision == "better but negligible" for m in worse),
        tuple(compared.name(m) for m in others if seen[m].decision == "better by more than matters"),
    )
    shown = better or worse or others
    if len(others) == 1 and shown:
        m = shown[0]
        pair = seen[m] if m in better or not worse else seen[m].swapped()
        ahead, behind = (m, control) if pair is seen[m] else (control, m)
        lead = shown_lead(compared, pair)
        if lead is not None and pair.decision == "not worse" and math.isfinite(lead.low):
            yield AtWorst(compared.name(m), compared.name(control), lead)
        elif lead is not None and pair.winner is not None:
            yield Better(compared.name(ahead), compared.name(behind), lead, pair.p_adjusted, pair.decision, alone=False)
    for m in others[:1]:
        spread = seen[m].spread
        if spread is not None and spread.delta is not None and len(others) == 1 and spread.above + spread.below:
            yield OnSingle(compared.name(m), compared.name(control), spread.above, spread.below, spread.n)


def all_pairs_compared(compared: Compared) -> Iterator[Statement]:
    """The answer about all pairs."""
    winner = "" if compared.winner is None else compared.name(compared.winner)
    found = sorted((p for p in compared.pairs if p.winner is not None), key=lambda p: p.p_adjusted)
    ordered = [(p.first, p.second) if p.winner == p.first else (p.second, p.first) for p in found]
    different = tuple((compared.name(a), compared.name(b)) for a, b in ordered)
    yield Differences(different, len(compared.pairs), winner, compared.tests.bounded)
    same = [p for p in compared.pairs if p.decision == "equivalent"]
    if same:
        yield EquivalentPairs(tuple((compared.name(p.first), compared.name(p.second)) for p in same))
