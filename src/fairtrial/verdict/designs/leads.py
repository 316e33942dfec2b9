"""Comparisons with the best from the intervals of all pairs, where no joint procedure is known for the design."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.stats import Interval, WithTheBest
from fairtrial.stats.post_hoc.with_the_best import Lead, Standing

if TYPE_CHECKING:
    from fairtrial.verdict.designs.compare_methods import Compared
    from fairtrial.verdict.designs.decide import Pair


def leads_of_pairs(compared: Compared) -> WithTheBest:
    """The lead of each method over the best of the others: its smallest lead, by intervals that hold for all pairs.

    A method is out where the interval of some rival's lead over it lies above 0, or where another one is the winner;
    then its lead is at most 0 by decision, if its own interval reaches further. The winner's lower end is that of its
    own tests, which need no adjustment for their number. A pair that can't be tested leaves the lower end open.
    """
    names = compared.evidence.methods
    k = len(names)
    seen = [{b: _as_shown(compared, compared.between(a, b)) for b in range(k) if b != a} for a in range(k)]
    leader = compared.winner if compared.winner is not None else compared.order[0]
    standings = [_standing(compared, m, seen[m]) for m in range(k)]
    best = [m for m in compared.order if standings[m] != "out"]
    leader = leader if leader in best else next(iter(best), leader)
    leads = tuple(_lead(compared, m, leader, seen[m], standings[m]) for m in range(k))
    if compared.winner is not None:
        leads = tuple(_behind(lead, leads[compared.winner].interval.low) for lead in leads)
    return WithTheBest(
        names=names,
        leads=leads,
        leader=names[leader],
        winner=None if compared.winner is None else names[compared.winner],
        circle=() if best else names,
        level=compared.question.level,
        estimand=compared.estimand if len(compared.evidence.datasets) > 1 else "mean",
        exact=False,
    )


def _as_shown(compared: Compared, pair: Pair) -> Pair:
    """The pair with the difference that is shown: that of the means, where nothing is typical."""
    if not compared.shows_mean or pair.spread is None:
        return pair
    return replace(pair, effect=pair.spread.own_mean, own=pair.spread.own_mean)


def _standing(compared: Compared, m: int, pairs: dict[int, Pair]) -> Standing:
    if compared.winner is not None:
        return "winner" if m == compared.winner else "out"
    return "out" if any(p.winner not in (None, m) for p in pairs.values()) else "in"


def _lead(compared: Compared, m: int, leader: int, pairs: dict[int, Pair], standing: Standing) -> Lead:
    names = compared.evidence.methods
    ordered = [o for o in compared.order if o != m]
    rival = leader if m != leader else min(ordered, key=lambda o: (_estimate(pairs[o]), compared.order.index(o)))
    shown = pairs[rival].effect
    worst = max((_own_p(compared, p) for p in pairs.values()), default=math.nan)
    strongest = [p.p_adjusted for p in pairs.values() if p.ahead not in (None, m)]
    tested = [p for p in strongest if not math.isnan(p)]
    p_value = worst if standing == "winner" else min(tested, default=math.nan if strongest else 1.0)
    if standing == "out" and compared.winner is not None:
        p_value = min(p_value, _own_p(compared, pairs[compared.winner]))
    if shown is None:
        nothing = Interval("difference", math.nan, math.nan, math.nan, compared.question.level)
        return Lead(names[m], names[rival], nothing, p_value, standing)
    ends = [p.effect for p in pairs.values() if p.effect is not None]
    known = [e for e in ends if not math.isnan(e.low)]
    low, high = min((e.low for e in known), default=math.nan), min((e.high for e in known), default=math.nan)
    if 0 < len(known) < len(pairs):
        low = -math.inf
    if standing == "winner":
        low = min((p.own or p.effect).low for p in pairs.values() if p.own or p.effect)  # type: ignore[union-attr]
    closed = standing == "out" and high > 0
    interval = replace(shown, low=low, high=0.0 if closed else high)
    return Lead(names[m], names[rival], interval, p_value, standing, closed)


def _behind(lead: Lead, ahead: float) -> Lead:
    """The lead of a method that is not the winner, which is ahead of it by at least this much."""
    own = lead.interval
    if lead.standing == "winner" or math.isnan(own.high) or not own.high > -ahead:
        return lead
    return replace(lead, interval=replace(own, low=min(own.low, -ahead), high=-ahead), closed=ahead == 0)


def _own_p(compared: Compared, pair: Pair) -> float:
    """The p-value of a pair's own test, adjusted for the data sets that are judged singly."""
    places = compared.tests.places
    return pair.p_value if places == 1 else min(1.0, places * pair.p_value)


def _estimate(pair: Pair) -> float:
    return math.inf if pair.effect is None else pair.effect.estimate
