"""Amounts and their units: what '0.5pp', '0.5%' and a bare 0.5 mean beside the scores of a measure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.words import shown

Scale = Literal["share", "percent", "ratio", "own"]
"""The scale of a measure: shares (at most 1), percentages, ratios of methods, or a unit of its own."""

WRITTEN = re.compile(
    r"([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?)\s*(pp|(?:percentage\s)?points?|%|percent)?", re.IGNORECASE
)
UNCLEAR = 0.1
"""From here on a bare difference of shares may be meant in points, and below it one of percentages as a share."""

TWO_WAYS = "must have a unit where it can be read in two ways"


class Settled(float):
    """A number in the units of its measure that had a unit when it was given, or is on record: it is not unclear."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with a unit: percentage points (a difference), or percent.

    ``shares`` and ``percentages`` are the amount on these two scales.
    """

    number: Decimal
    unit: Literal["pp", "%"]

    @property
    def shares(self) -> Settled:
        return Settled(self.number / 100)

    @property
    def percentages(self) -> Settled:
        return Settled(self.number)


def parse(text: str) -> Amount | None:
    """The amount of a text with a unit: 0.5pp, 0.5 points, 5% or 5 percent; None for other texts.

    >>> parse("0.5pp"), parse("95 %"), parse("0.5"), parse("published.csv")
    (Amount(number=Decimal('0.5'), unit='pp'), Amount(number=Decimal('95'), unit='%'), None, None)
    """
    found = WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    number, unit = found.groups()
    if "," in number:
        point = text.strip().replace(",", ".")
        raise InputError(f"a number must have a decimal point, got {shown(text)}; write {point}")
    if unit is None:
        return None
    return Amount(Decimal(number), "%" if unit.lower() in ("%", "percent") else "pp")


def scale_of(facts: Measure) -> Scale:
    """The scale of a measure, by its facts; r² and others that are at most 1 are shares, too."""
    if facts.unit == "%":
        return "percent"
    if facts.compare == "log-ratio":
        return "ratio"
    return "share" if not facts.unit and 0 < max(facts.worst, facts.best) <= 1 else "own"


def difference(given: float | str, facts: Measure, scale: Scale | None = None) -> float:
    """A smallest difference in the units of its measure, or as a share where methods are compared by ratios.

    A bare number that could be meant on another scale is refused: 0.1 or more of shares, less of percentages.
    ``scale`` is that of the scores, where the facts don't say it.

    >>> from fairtrial.measures import get
    >>> difference("0.5pp", get("accuracy")), difference(0.01, get("accuracy")), difference("5%", get("rmse"))
    (0.005, 0.01, 0.05)
    """
    if isinstance(given, Settled):
        return given
    scale = scale or scale_of(facts)
    found = _in_units(given, facts, scale) if isinstance(given, str) else given
    if not 0 < found < math.inf:
        raise InputError(
            f"smallest_difference must be above 0, got {shown(given)}; leave it out if all differences matter"
        )
    if found is given and ((scale == "share" and found >= UNCLEAR) or (scale == "percent" and found < UNCLEAR)):
        must, large = ("must be below 1", "") if found >= 1 else (TWO_WAYS, f", or '{_short(100 * found)}pp'")
        raise InputError(
            f"smallest_difference {must}, got {_short(found)} for {_named(facts, scale)}; write '{_short(found)}pp' "
            f"for {_short(found)} percentage points{large}"
        )
    if scale == "ratio":
        _check_ratio(found, facts)
    elif found >= abs(facts.best - facts.worst):
        raise InputError(
            f"smallest_difference must be smaller than the range of {facts.name} ({facts.range}), got {shown(given)}: "
            "no two methods differ by so much"
        )
    return found


def level(given: float | str, facts: Measure, argument: str, scale: Scale | None = None) -> float:
    """A level of a measure in its units: '95%' is 0.95 of a share, and 95 of a percentage.

    A bare level of at most 1 beside percentages is refused, since it could be a share.
    """
    if isinstance(given, Settled):
        return given
    scale = scale or scale_of(facts)
    if isinstance(given, str):
        if (amount := parse(given)) is not None and amount.unit == "pp":
            raise InputError(
                f"{argument} must be a level, got {shown(given)}, which is a difference; write '{amount.number}%' for "
                "a level in percent"
            )
        if scale == "ratio":
            scale = "own"  # only differences are compared by ratios
        return _in_units(given, facts, scale, argument)
    if scale == "percent" and 0 < abs(given) <= 1:
        raise InputError(
            f"{argument} {TWO_WAYS}, got {_short(given)} for {_named(facts, scale)}; write '{_short(100 * given)}%' or "
            f"'{_short(given)}%'"
        )
    return given


def share_hint(given: float, facts: Measure) -> str:
    """How to write a level of shares that was given as a percentage; empty for others."""
    return f"; write '{_short(given)}%'" if scale_of(facts) == "share" and 1 < given <= 100 else ""


def settled_numbers(given: Any) -> Any:
    """A stored amount, or a mapping of these: its numbers are in the units of their measures."""
    if isinstance(given, Mapping):
        return {name: settled_numbers(one) for name, one in given.items()}
    return Settled(given) if isinstance(given, (int, float)) and not isinstance(given, bool) else given


def _in_units(given: str, facts: Measure, scale: Scale, argument: str = "smallest_difference") -> float:
    """A text with a unit in the units of a measure."""
    amount = parse(given)
    if amount is None:
        raise InputError(f"{argument} must be a number, or have a unit such as '0.5pp' or '5%', got {shown(given)}")
    if scale == "percent":
        return amount.percentages
    if scale == "share" or (scale == "ratio" and amount.unit == "%"):
        return amount.shares
    why = "is compared by ratios: write '5%' or 0.05" if scale == "ratio" else "has other units: write a bare number"
    raise InputError(f"{argument} can't be {shown(given)} for {facts.name}, which {why}")


def _check_ratio(delta: float, facts: Measure) -> None:
    """Refuse what is no share, for an error; of times and sizes it may be 1 or more: twice as long."""
    if delta >= 1 and not facts.from_trials:
        meant = delta - 1 if 1 < delta < 2 else delta / 100 if 1 < delta < 100 else 0.05
        raise InputError(
            f"smallest_difference must be a share below 1 for {facts.name}, which is compared by ratios, got "
            f"{shown(delta)}; say {meant:.4g} for {100 * meant:.4g} %"
        )


def _named(facts: Measure, scale: Scale) -> str:
    return f"{facts.name} in percent" if scale == "percent" else f"{facts.name}, where 1 is 100 %"


def _short(number: float) -> str:
    return f"{number:.10g}"
