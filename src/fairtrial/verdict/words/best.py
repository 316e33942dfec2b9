"""Which is best, in words."""

from __future__ import annotations

import math

from fairtrial.statements import says
from fairtrial.stats import Interval
from fairtrial.tables import formats
from fairtrial.verdict.claims.best import Choice, Circle, MayBeBest, Winner
from fairtrial.verdict.designs.decide import Decision
from fairtrial.verdict.words.wording import Scope
from fairtrial.words import listed

MOST_BEST = 7  # up to so many methods that may be the best are all named


@says(Winner)
def _(s: Winner, to: Scope) -> str:
    size = size_of_lead(s.lead, to, "the next best")
    return f"{s.method} is the best of these {to.count} in {to.measure} {to.where}{size}.{matters(s.size, to)}"


def size_of_lead(lead: Interval, to: Scope, whom: str, *, alone: bool = False) -> str:
    """The size of a lead, to follow a claim: ': 0.8 ahead of the next best [0.2, 1.5]'; ``alone``: whom is said."""
    if math.isnan(lead.estimate):
        return ""
    size, ends = to.wording.size_and_ends(lead)
    if to.wording.ratio:
        return f": its {to.measure} is {size} times that of {whom}{ends}"
    if to.wording.is_cost:
        return f": {size} cheaper{'' if alone else f' than {whom}'}{ends}"
    return f": ahead by {size}{ends}" if alone else f": {size} ahead of {whom}{ends}"


def matters(size: Decision, to: Scope) -> str:
    """Whether a difference matters, as a second sentence; empty where nobody said what does."""
    if to.delta is None:
        return ""
    if size == "better by more than matters":
        return f" That is more than the {to.matters} that matters to you."
    if size == "better but negligible":
        return f" That is less than the {to.matters} that matters to you."
    return f" It may be less than the {to.matters} that matters to you."


@says(MayBeBest)
def _(s: MayBeBest, to: Scope) -> str:
    start = f"No method is shown to be the best in {to.measure} {to.where}"
    if not s.out:
        return f"{start}: any of these {to.count} may be."
    if len(s.methods) == 1:
        return f"{start}, but none beats {s.methods[0]}."
    many = len(s.methods) > MOST_BEST
    return f"{start}: the best is among {listed(s.methods, 5 if many else None)} ({to.sure})."


@says(Circle)
def _(s: Circle, to: Scope) -> str:
    which = f"each of {listed(s.methods)} is beaten by another of them"
    return f"There is no best method in {to.measure} {to.where}: {which}."


@says(Choice)
def _(s: Choice, to: Scope) -> str:
    if s.within_delta:
        cost = f"{_times(s.factor)} cheaper to fit, and at worst {loss(s.loss, to)} behind"
        return f"{s.method} is {cost} ({to.sure}), less than the {to.matters} that matters: choose it."
    ahead = "first in the table" if not s.wins else "typically ahead" if to.typical else "on average ahead"
    start = f"If you must choose now: {s.method}, {ahead}"
    if math.isfinite(s.loss):
        start += f"; at worst {loss(s.loss, to)} behind the best ({to.sure})"
        start += f", less than the {to.matters} that matters" if s.is_small else ""
    start += f", on single {to.units} more" if s.varies and math.isfinite(s.loss) else ""
    if not s.cheaper:
        return f"{start}."
    worst = f": at worst {loss(s.cheaper_loss, to)} behind" if math.isfinite(s.cheaper_loss) else ""
    return f"{start}. {s.cheaper} is {_times(s.factor)} cheaper to fit{worst}."


def loss(size: float, to: Scope) -> str:
    """A possible loss with its unit; of ratios in percent."""
    if to.wording.ratio:
        return f"{formats.significant(2)(100 * math.expm1(size))} %"
    return to.wording.amount(size)


def _times(factor: float) -> str:
    return f"{formats.significant(2)(factor)} times"
