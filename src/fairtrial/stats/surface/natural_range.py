"""The range of a factor in its own units, and how coded units are turned into them and back."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number


@dataclass(frozen=True, slots=True)
class NaturalRange:
    """A range in the units of a parameter: −1 in coded units is the low end, +1 the high end; on a log scale if asked.

    >>> NaturalRange(0.01, 100, log=True).natural(0.5)
    10.0
    >>> NaturalRange(80, 90).coded(86.95)
    0.39
    """

    low: float
    high: float
    log: bool = False

    def __post_init__(self) -> None:
        low, high = number(self.low), number(self.high)
        if not (-math.inf < low < high < math.inf) or (self.log and low <= 0):
            rule = "0 < low < high" if self.log else "low < high"
            raise InputError(f"a range must have two finite ends with {rule}, got {self.low!r} and {self.high!r}")

    def natural(self, coded: float) -> float:
        """The value of the parameter at a place in coded units; places beyond ±1 lie outside of the range."""
        share = (coded + 1) / 2
        if not self.log:
            return self.low + share * (self.high - self.low)
        return math.exp(math.log(self.low) + share * math.log(self.high / self.low))

    def coded(self, value: float) -> float:
        """The place of a value in coded units."""
        if self.log:
            return 2 * math.log(value / self.low) / math.log(self.high / self.low) - 1
        return 2 * (value - self.low) / (self.high - self.low) - 1
