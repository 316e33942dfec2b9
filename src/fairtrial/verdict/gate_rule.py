"""What a verdict shows of one method against the control, as a gate asks it: refused, passed or open, in words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from fairtrial.choices import FailIf
from fairtrial.tables import formats
from fairtrial.verdict.designs.decide import Pair
from fairtrial.verdict.words.wording import Wording

GateState = Literal["passed", "failed", "undecided"]

SMALL = ("better but negligible", "equivalent", "equal on average; on single data sets open")
DIFFERENT_ON_MOST = "equal on average, different on most data sets"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a gate finds about a method and the control: the state, and a sentence without its full stop.

    ``of_margin``: the sentence is about δ, so that a p-value of no difference says nothing about it.
    """

    state: GateState
    sentence: str
    of_margin: bool = False


def rule_on(pair: Pair, fail_if: FailIf, method: str, control: str, delta: str | None) -> Ruling:
    """The ruling on a method, from the decision of the verdict; nothing is tested again.

    The first of the pair is the method, the second is the control. ``delta`` is δ in words, None where there is none.
    """
    if fail_if == "not-equivalent":
        return _on_equivalence(pair, f"{method} and {control}", method, control, str(delta))
    if fail_if == "worse":
        return _on_worse(pair, method, control, delta)
    return _on_better(pair, method, control, delta)


def is_better(pair: Pair, delta: str | None) -> bool | None:
    """Whether the first is shown to be better, by more than δ where there is one; None where that is open."""
    if pair.winner == pair.first and (delta is None or pair.decision == "better by more than matters"):
        return True
    ruled_out = pair.no_better or pair.decision in (*SMALL, DIFFERENT_ON_MOST)
    return False if pair.winner == pair.second or ruled_out else None


def _on_worse(pair: Pair, method: str, control: str, delta: str | None) -> Ruling:
    by_more, or_more = _by(delta)
    worse = is_better(pair.swapped(), delta)
    if worse:
        return Ruling("failed", f"{method} is worse than {control}{by_more}", delta is not None)
    if worse is False and pair.winner == pair.first:
        return Ruling("passed", f"{method} is better than {control}")
    if worse is False and pair.winner == pair.second:
        return Ruling("passed", f"{method} is worse than {control}, but by less than the {delta} that matters", True)
    if worse is False:
        return Ruling("passed", f"{method} is not worse than {control}{or_more}", True)
    if pair.winner == pair.second:
        return Ruling("undecided", f"{method} is worse than {control}, but whether{by_more} is open")
    return Ruling("undecided", f"whether {method} is worse than {control}{by_more} is open")


def _on_better(pair: Pair, method: str, control: str, delta: str | None) -> Ruling:
    by_more, or_more = _by(delta)
    better = is_better(pair, delta)
    if better:
        return Ruling("passed", f"{method} is better than {control}{by_more}", delta is not None)
    if better is False and pair.winner == pair.second:
        return Ruling("failed", f"{method} is worse than {control}")
    if better is False and pair.winner == pair.first:
        return Ruling("failed", f"{method} is better than {control}, but by less than the {delta} that matters", True)
    if better is False:
        return Ruling("failed", f"{method} is not better than {control}{or_more}", True)
    if pair.winner == pair.first:
        return Ruling("undecided", f"{method} is better than {control}, but whether{by_more} is open")
    return Ruling("undecided", f"whether {method} is better than {control}{by_more} is open")


def _on_equivalence(pair: Pair, both: str, method: str, control: str, delta: str) -> Ruling:
    """Equivalence is about single data sets, too: where these were looked at, they must agree."""
    if pair.decision == "better by more than matters":
        side = "better" if pair.winner == pair.first else "worse"
        return Ruling("failed", f"{method} is {side} than {control} by more than {delta}", True)
    single = pair.spread.conclusion if pair.decision in SMALL and pair.spread is not None else pair.decision
    if single == DIFFERENT_ON_MOST:
        return Ruling("failed", f"{both} differ by {delta} or more on most data sets", True)
    if single in ("equivalent", "better but negligible"):
        return Ruling("passed", f"{both} are equivalent, within {delta}", True)
    if pair.decision in SMALL:
        return Ruling("undecided", f"{both} typically differ by less than {delta}, but on single data sets it is open")
    return Ruling("undecided", f"whether {both} are equivalent, within {delta}, is open")


def _by(delta: str | None) -> tuple[str, str]:
    return ("", "") if delta is None else (f" by more than {delta}", f" by {delta} or more")


def size_in_words(pair: Pair, words: Wording, *, with_p: bool = True) -> str:
    """The difference of a method and the control with its interval, method minus control; p where they differ.

    Beside a ruling about δ, the p-value of no difference would be read as that of the margin: there it is left out.
    """
    p = formats.p_equals(pair.p_adjusted)
    if pair.effect is None or math.isnan(pair.effect.low):
        return p
    found = words.as_measured(pair.effect)
    write = words.differences([found])
    direction = "" if words.measure.higher_is_better else ", lower is better"
    kind = "ratio" if words.ratio else "difference"
    low, high = (_end(x, write) for x in (found.low, found.high))
    told = f", {p}" if pair.different and with_p else ""
    return f"{kind} in {words.name} {write(found.estimate)} [{low}, {high}]{told}{direction}"


def _end(value: float, write: formats.Formatter) -> str:
    return write(value) if math.isfinite(value) else "∞" if value > 0 else "−∞"
