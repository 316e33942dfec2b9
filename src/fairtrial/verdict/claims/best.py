"""Which is best: the winner, those that may be it, wins that go in a circle, and what to choose where none is shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fairtrial.statements import Role, Statement
from fairtrial.stats import Interval
from fairtrial.verdict.designs.decide import Decision, decide

if TYPE_CHECKING:
    from fairtrial.verdict.designs.compare_methods import Compared

CHEAPER = 1.5  # times, from which on a cheaper method is worth a sentence


@dataclass(frozen=True, slots=True)
class Winner(Statement):
    """One method is better than every other; ``lead`` is over the best of the others, ``size`` whether it matters."""

    role = Role.ANSWER
    method: str
    runner_up: str
    lead: Interval
    p_value: float
    size: Decision


@dataclass(frozen=True, slots=True)
class MayBeBest(Statement):
    """No method is shown to be the best; these may be, of so many, from the leader on."""

    role = Role.ANSWER
    methods: tuple[str, ...]
    out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Circle(Statement):
    """There is no best method: each is beaten by another one."""

    role = Role.ANSWER
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice(Statement):
    """What to choose where no best is shown, or where a cheaper one is good enough; ``loss`` is the largest likely one.

    ``cheaper`` is a method that costs less, by that factor, and its own possible loss. ``within_delta``: the choice is
    the cheapest whose possible loss does not matter. ``wins``: it wins more often against the next than it loses.
    ``is_small``: the loss is below δ. ``varies``: on single data sets it may be larger.
    """

    role = Role.CHOICE
    method: str
    loss: float
    within_delta: bool = False
    wins: bool = True
    is_small: bool = False
    factor: float = math.nan
    cheaper: str = ""
    cheaper_loss: float = math.nan
    varies: bool = False


def which_is_best(compared: Compared) -> Iterator[Statement]:
    """The answer of the comparisons with the best."""
    leads = compared.leads
    assert leads is not None
    found = {lead.method: lead for lead in leads.leads}
    if leads.circle:
        yield Circle(leads.circle)
    elif leads.winner is not None:
        won = found[leads.winner]
        yield Winner(won.method, won.rival, won.interval, won.p_value, decide(won.interval, True, compared.delta))
    else:
        named = [row.method for row in compared.rows]
        names = [compared.name(m) for m in named]
        yield MayBeBest(
            tuple(n for n in names if found[n].standing == "in"), tuple(n for n in names if found[n].standing == "out")
        )


def choice(compared: Compared, costs: Mapping[str, float], *, wins: bool = True) -> Iterator[Statement]:
    """What to choose: with δ the cheapest whose largest likely loss is below it, else the leader.

    ``costs`` are those of the methods, where they are known. The largest likely loss by choosing a method is the lower
    end of its lead over the best of the others.
    """
    leads = compared.leads
    if leads is None or leads.circle or len(leads.names) < 3:
        return
    loss = {lead.method: max(0.0, -lead.interval.low) for lead in leads.leads}
    leader = leads.leader
    known = {m: costs[m] for m in leads.names if m in costs and math.isfinite(loss[m])}
    known = known if leader in known else {}
    delta = compared.delta
    good = [m for m in known if delta is not None and loss[m] < delta]
    if good and (best := min(good, key=known.__getitem__)) != leader and known[leader] > CHEAPER * known[best]:
        yield Choice(best, loss[best], within_delta=True, is_small=True, factor=known[leader] / known[best])
    elif leads.winner is None:
        among = {m: c for m, c in known.items() if m in leads.best}
        cheapest = min(among, key=among.__getitem__, default="")
        worth = bool(cheapest) and cheapest != leader and known[leader] > CHEAPER * known[cheapest]
        small = delta is not None and loss[leader] < delta
        chosen = Choice(leader, loss[leader], wins=wins, is_small=small)
        if worth:
            factor = known[leader] / known[cheapest]
            chosen = replace(chosen, factor=factor, cheaper=cheapest, cheaper_loss=loss[cheapest])
        yield chosen
