"""How two methods differ, and all others from a control, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from fairtrial.statements import says
from fairtrial.tables import formats
from fairtrial.verdict.claims.difference import (
    AgainstControl,
    Alike,
    AtWorst,
    Better,
    Differences,
    Equivalent,
    EquivalentPairs,
    NotShown,
    OnSingle,
)
from fairtrial.verdict.words.best import matters, size_of_lead
from fairtrial.verdict.words.wording import Scope
from fairtrial.words import listed, part_of, plural, verb

MOST_PAIRS = 3


@says(Better)
def _(s: Better, to: Scope) -> str:
    if s.alone:
        typically = "typically " if to.typical else ""
        start = f"{s.method} is {typically}better than {s.other} in {to.measure} {to.where}"
        return f"{start}{size_of_lead(s.lead, to, s.other, alone=True)}.{matters(s.size, to)}"
    size, ends = to.wording.size_and_ends(s.lead)
    if to.wording.ratio:
        return f"{s.method} has {size} times the {to.measure} of {s.other}{ends}.{matters(s.size, to)}"
    return f"{s.method} is {size} {to.wording.ahead_of} {s.other}{ends}.{matters(s.size, to)}"


@says(NotShown)
def _(s: NotShown, to: Scope) -> str:
    start = f"No difference in {to.measure} between {s.method} and {s.other} is shown {to.where}"
    if s.depends:
        start = "On average neither is shown to be ahead"
    if s.lead is None or math.isnan(s.lead.estimate):
        return f"{start}."
    if s.equal == to.n and to.n > 1:
        return f"{start}: their scores are equal."
    size, ends = to.wording.size_and_ends(s.lead)
    kind = "typical " if to.typical else "mean " if to.n > 1 else ""
    if to.wording.ratio:
        typically = "typically " if to.typical else ""
        return f"{start}: {s.method} has {typically}{size} times the {to.measure} of {s.other}{ends}."
    if s.lead.estimate == 0:
        return f"{start}: their {kind}difference is {size}{ends}."
    return f"{start}: the {kind}lead of {s.method} is {size}{ends}."


@says(Equivalent)
def _(s: Equivalent, to: Scope) -> str:
    size = ""
    if s.lead is not None and not to.wording.ratio and not math.isnan(s.lead.estimate):
        shown, ends = to.wording.size_and_ends(s.lead)
        size = f" ({shown}{ends})"
    start = f"{s.method} and {s.other} are equivalent in {to.measure} {to.where}"
    by = f"they differ by less than the {to.matters} that matters to you"
    if math.isnan(s.at_least):
        return f"{start}: {by}{size}."
    share = formats.percent(math.floor(100 * s.at_least) / 100)
    return f"{start}: {by}, typically{size} and on at least {share} of such {to.units} ({to.sure})."


@says(Alike)
def _(s: Alike, to: Scope) -> str:
    counts = f"{s.method} is better by {to.matters} or more on {s.better or 'none'}, {s.other} on {s.worse or 'none'}"
    if s.differ and not s.shown:
        start = f"Which of {s.method} and {s.other} is better in {to.measure} may depend on the {to.unit}"
        return f"{start} {to.where}: {counts}."
    if s.differ:
        start = f"Which of {s.method} and {s.other} is better in {to.measure} depends on the {to.unit}"
        return f"{start}: of these {s.n}, {counts}."
    start = f"{s.method} and {s.other} differ typically by less than the {to.matters} that matters in {to.measure}"
    return f"{start} {to.where}, but perhaps not on single ones: {counts}."


@says(OnSingle)
def _(s: OnSingle, to: Scope) -> str:
    on = f"on {part_of(s.better, s.n, to.unit, to.units)}" if s.better else f"on none of {to.counted}"
    return f"{s.method} is better by {to.matters} or more {on}, and worse on {s.worse or 'none'}."


@says(AgainstControl)
def _(s: AgainstControl, to: Scope) -> str:
    c, parts = s.control, []
    if s.better:
        small = f", by less than the {to.matters} that matters" if s.better_is_small else ""
        typically = "typically " if to.typical else ""
        parts.append(f"{listed(s.better)} {_is(s.better)} {typically}better than {c}{small}")
    if s.not_worse:
        it = "it" if parts else c
        typically = "typically " if to.typical else ""
        parts.append(f"{listed(s.not_worse)} {_is(s.not_worse)} {typically}not worse than {it} by {to.matters} or more")
    if s.equivalent:
        it = "it" if parts else c
        parts.append(f"{listed(s.equivalent)} {_is(s.equivalent)} equivalent to {it}, within {to.matters}")
    if s.worse:
        small = f", by less than the {to.matters} that matters" if s.worse_is_small else ""
        parts.append(f"{listed(s.worse)} {_is(s.worse)} worse{'' if parts else f' than {c}'}{small}")
    if s.open:
        it = "it" if parts else c
        if s.alternative == "better":
            parts.append(f"{listed(s.open)} {_is(s.open)} not shown to be better than {it}")
        elif s.alternative == "not worse":
            parts.append(f"{listed(s.open)} may be worse than {it} by {to.matters} or more")
        else:
            parts.append(f"{listed(s.open)} {_is(s.open)} not shown to differ from {it}")
    return f"In {to.measure} {to.where}, {'; '.join(parts)}.{_large(s, to)}"


def _large(s: AgainstControl, to: Scope) -> str:
    """For which methods the difference is larger than what matters, where several differ; one says so itself."""
    shown = [*s.better, *s.worse]
    several = len(shown) + len(s.not_worse) + len(s.equivalent) + len(s.open) > 1
    if to.delta is None or not shown or not several or s.better_is_small or s.worse_is_small:
        return ""
    if not s.large:
        return f" These differences may be less than the {to.matters} that matters to you."
    rest = "" if len(s.large) == len(shown) else "; else it may be less"
    return f" For {listed(s.large)} that is more than the {to.matters} that matters to you{rest}."


def _is(methods: Sequence[str]) -> str:
    return verb(len(methods), "is", "are")


@says(AtWorst)
def _(s: AtWorst, to: Scope) -> str:
    size, _ = to.wording.size_and_ends(replace(s.lead, low=math.nan, high=math.nan))
    low = to.wording.size_and_ends(replace(s.lead, estimate=s.lead.low, low=math.nan, high=math.nan))[0]
    kind = "typical " if to.typical else ""
    if to.wording.ratio:
        return f"The {kind}ratio of {s.method} to {s.other} is {size}, at worst {low} ({to.sure})."
    return f"The {kind}lead of {s.method} is {size}, at worst {low} ({to.sure})."


@says(Differences)
def _(s: Differences, to: Scope) -> str:
    n = len(s.different)
    many = f"{part_of(n, s.pairs, 'pair')} {verb(n, 'differs', 'differ')}"
    names = [f"{better} over {worse}" for better, worse in s.different[:MOST_PAIRS]]
    more = f", and {n - len(names)} more" if n > len(names) else ""
    which = f" ({'; '.join(names)}{more})" if names else ""
    if s.winner:
        start = f"{s.winner} is better than every other of these {to.count} in {to.measure} {to.where}"
        return f"{start}; {many}{which}."
    if not s.bounded:
        few = f"{to.counted} are too few to show which of these {to.count} methods differ in {to.measure}"
        return f"{few}, for all {s.pairs} pairs together."
    if not n:
        return f"No difference in {to.measure} between any two of these {to.count} methods is shown {to.where}."
    return f"In {to.measure} {to.where}, {many}{which}."


@says(EquivalentPairs)
def _(s: EquivalentPairs, to: Scope) -> str:
    names = "; ".join(" and ".join(pair) for pair in s.pairs[:MOST_PAIRS])
    rest = len(s.pairs) - MOST_PAIRS
    more = f"; and {plural(rest, 'more pair')}" if rest > 0 else ""
    return f"Equivalent, within {to.matters}: {names}{more}."
