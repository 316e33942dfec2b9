"""How much an answer depends on single data sets, failed trials and the kind of a difference, in words."""

from __future__ import annotations

import math

from fairtrial.statements import Role, says
from fairtrial.verdict.claims.steadiness import (
    AnswerHinges,
    CannotBeTried,
    ClaimsHinge,
    Hinges,
    Kept,
    MeansDisagree,
    Moves,
    OnlyJust,
    OnPolicy,
    WouldWin,
)
from fairtrial.verdict.words.wording import Scope
from fairtrial.words import listed, plural

MOST_SETS = 2  # data sets that are named where the answer hinges on them


def _any_one_of(sets: tuple[str, ...], to: Scope) -> str:
    return listed(sets, last="or") if len(sets) <= MOST_SETS else f"any one of {len(sets)} {to.units}"


@says(Hinges)
def _(s: Hinges, to: Scope) -> str:
    fate = "there is another winner, or none" if s.another else "no winner is shown"
    if s.role == Role.ANSWER:
        return f"This win is fragile: without any one of {len(s.sets)} of the {s.n} {to.units} {fate}."
    return f"the win hinges on single {to.units}: without {_any_one_of(s.sets, to)} {fate}"


@says(OnlyJust)
def _(s: OnlyJust, to: Scope) -> str:
    state = "in" if s.is_in else "out"
    if s.others:
        others = "one other" if s.others == 1 else f"{s.others} others"
        start = f"{s.method} and {others} are {state} only just: without {_any_one_of(s.sets, to)} {s.method}"
        return f"{start} {'would be out' if s.is_in else 'may be the best'}"
    else_ = "would be out" if s.is_in else "may be the best"
    return f"{s.method} is {state} only just: without {_any_one_of(s.sets, to)} it {else_}"


@says(WouldWin)
def _(s: WouldWin, to: Scope) -> str:
    return f"without {_any_one_of(s.sets, to)} {s.method} would be {'better' if to.count == 2 else 'the best'}"


@says(ClaimsHinge)
def _(s: ClaimsHinge, to: Scope) -> str:
    return f"what is said of {listed(s.methods)} hinges on single {to.units}: without one of them it is not shown"


@says(AnswerHinges)
def _(s: AnswerHinges, to: Scope) -> str:
    return f"the answer hinges on single {to.units}: without {_any_one_of(s.sets, to)} it is another"


@says(MeansDisagree)
def _(s: MeansDisagree, to: Scope) -> str:
    if s.mean.estimate < 0:
        return f"{s.other} has the better mean, though {s.method} is typically ahead."
    size, ends = to.wording.size_and_ends(s.mean)
    if to.wording.ratio:
        return f"The geometric means do not show it: that of {s.method} is {size} times that of {s.other}{ends}."
    return f"The means do not show it: that of {s.method} is {size} {to.wording.ahead_of} that of {s.other}{ends}."


@says(Kept)
def _(s: Kept, to: Scope) -> str:
    if s.what == "differences":
        if s.count == s.total:
            every = "the one difference stays" if s.total == 1 else f"all {s.total} differences stay"
        else:
            every = f"{s.count} of {plural(s.total, 'difference')} stay"
        return f"{every} whichever {s.unit} is left out"
    return f"{s.what} whichever {s.unit} is left out"


@says(Moves)
def _(s: Moves, to: Scope) -> str:
    write = to.wording.difference
    before, after = (write(math.exp(x) if to.wording.ratio else x) for x in (s.before, s.after))
    names = f"{s.method} and {s.other}"
    return f"{s.dataset} moves the typical difference of {names} most: from {before} to {after} without it"


@says(CannotBeTried)
def _(s: CannotBeTried, to: Scope) -> str:
    return f"leaving out single {to.units} can't be tried: with one less there are fewer than {s.fewest}"


@says(OnPolicy)
def _(s: OnPolicy, to: Scope) -> str:
    if not s.others:
        return "no other failure policy can be applied here, so whether the answer depends on it is open"
    names = [policy for policy, _ in s.others]
    same = f"under the other failure policies ({listed(names)})"
    if s.claim:
        changed = listed([f"{c!r}" for c in s.changed], last="or")
        if s.changed:
            return f"the answer to the claim depends on the failure policy: it is another with {changed}"
        return f"the same answer to the claim {same}"
    other = [f"{winner or 'no method'} wins with {policy!r}" for policy, winner in s.others if winner != s.winner]
    if other:
        here = f"{s.winner or 'no method'} wins with {s.policy!r} (used here)"
        return f"the answer depends on the failure policy: {listed([here, *other])}"
    winner = "the same winner" if s.winner else "no winner"
    if s.changed:
        return f"{winner}, but which methods are out depends on the failure policy ({listed(s.changed)})"
    return f"{winner} and the same differences {same}"
