"""How a difference varies over data sets, in words."""

from __future__ import annotations

import math

from fairtrial.statements import says
from fairtrial.stats import Interval
from fairtrial.tables import formats
from fairtrial.verdict.claims.dependence import (
    BetterThere,
    FarAway,
    FirstSomewhere,
    NothingSeparates,
    Separates,
    SpreadsDiffer,
    WinnerDepends,
)
from fairtrial.verdict.words.wording import Scope
from fairtrial.words import listed, plural, verb

TINY = 0.001  # tail probabilities beyond it say nothing of so few splits


def _size(lead: float, to: Scope) -> str:
    """The size of a lead, whichever method has it: '0.05', or a factor for ratios."""
    if to.wording.ratio:
        return f"a factor of {formats.significant(3)(math.exp(abs(lead)))}"
    none = Interval("lead", abs(lead), math.nan, math.nan)
    return to.wording.size_and_ends(none)[0]


def _lead(lead: float, to: Scope) -> str:
    """A lead with its sign: 'ahead by 0.05'."""
    return f"{'ahead' if lead >= 0 else 'behind'} by {_size(lead, to)}"


@says(WinnerDepends)
def _(s: WinnerDepends, to: Scope) -> str:
    p = "p < 0.001" if s.p_value < TINY else formats.p_equals(s.p_value)
    noise = f"more than noise within the {to.units} (Gail–Simon, {p})"
    if s.wins:
        where = f"on {s.behind} of the {s.n} {to.units} {s.other} is ahead, typically by {_size(s.behind_by, to)}"
        return f"{s.method} is not better everywhere: {where}, somewhere by {noise}."
    leads = f"{s.method} leads on {s.ahead} of {s.n}, typically by {_size(s.by, to)}, and {s.other} on {s.behind}, by "
    leads += _size(s.behind_by, to)
    what = f" in {to.measure} {to.where}" if s.first else ""
    if s.is_shown:
        start = f"Which of {s.method} and {s.other} is better{what} depends on the {to.unit}"
        return f"{start}: {leads}, each somewhere by {noise}."
    by = "" if to.delta is None else f" by {to.matters} or more"
    leads = f"{s.method} leads{by} on {s.ahead} of {s.n}, typically by {_size(s.by, to)}, and {s.other} on {s.behind}"
    unknown = f"how much of it is noise within the {to.units} is unknown"
    return f"An average may mislead here: {leads}, by {_size(s.behind_by, to)}; {unknown}."


@says(FirstSomewhere)
def _(s: FirstSomewhere, to: Scope) -> str:
    verbs = ("is first on", *["on"] * (len(s.methods) - 1))
    first = [f"{name} {how} {count}" for name, how, count in zip(s.methods, verbs, s.counts, strict=True)]
    return f"Out means typically: {listed(first)} of these {s.n} {to.units}."


@says(Separates)
def _(s: Separates, to: Scope) -> str:
    side = f"{s.what} is {s.label!r}" if s.cut is None else f"{s.what} is above {formats.significant(3)(s.cut)}"
    way = "ahead of" if s.inside >= 0 else "behind"
    found = f"{s.method} is {way} {s.other} by {_size(s.inside, to)} where {side} (on {s.count} of {s.n})"
    tried = plural(s.properties, "property", "properties")
    sure = f"{formats.p_equals(s.p_value)} for {tried} together"
    search = f"found by a search ({sure}), to be tested on new {to.units}"
    return f"Perhaps why: {found}, and {_lead(s.outside, to)} elsewhere; {search}."


@says(NothingSeparates)
def _(s: NothingSeparates, to: Scope) -> str:
    tried = plural(s.properties, "recorded property", "recorded properties")
    return f"none of {tried} separates these {s.n} {to.units}, though with so few one that does is often missed"


@says(FarAway)
def _(s: FarAway, to: Scope) -> str:
    many = len(s.sets)
    far = listed(f"{name} ({_lead(lead, to)})" for name, lead in zip(s.sets, s.there, strict=True))
    mean = f"the mean lead is {_signed(s.without, to)} without {verb(many, 'it', 'them')}, {_signed(s.mean, to)} with"
    leads = f"by the lead of {s.method} over {s.other}"
    return f"{far} {verb(many, 'is', 'are')} far from the other {to.units} {leads}; {mean}"


def _signed(lead: float, to: Scope) -> str:
    return to.wording.difference(math.exp(lead) if to.wording.ratio else lead)


@says(SpreadsDiffer)
def _(s: SpreadsDiffer, to: Scope) -> str:
    write = formats.significant(2)
    factor = f"{write(s.ratio)} times as much [{write(s.low)}, {write(s.high)}]"
    return (
        f"over {to.units}, scores of {s.method} vary {factor} as those of {s.other}: the lead depends on how hard a "
        f"{to.unit} is"
    )


@says(BetterThere)
def _(s: BetterThere, to: Scope) -> str:
    size, ends = to.wording.size_and_ends(s.more)
    more = f"its lead is {size}{ends} larger there than on the {s.others} others"
    if to.wording.ratio:
        more = f"its ratio is {size} times{ends} that on the {s.others} others"
    p = f"{formats.p_equals(s.p_value)}, rank sums"
    beforehand = "if it was decided before the scores were seen"
    if s.shown:
        return f"The claim holds: {more} ({p}), {beforehand}."
    if s.better:
        return f"That it is better there than elsewhere is not shown: {more} ({p})."
    return f"The claim does not hold: {s.method} is not shown to be better where {s.where}; {more} ({p})."
