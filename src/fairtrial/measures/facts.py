"""The facts about a measure, as data that prints, pickles and feeds documentation, tests and program alike."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal

from fairtrial.errors import InputError
from fairtrial.measures.predictions import SUBSTITUTES, Task

__all__ = ["Combine", "Compare", "Measure"]

Combine = Literal["mean", "pooled"]
Compare = Literal["difference", "log-ratio"]


@dataclass(frozen=True, slots=True)
class Measure:
    """What there is to know about a measure without computing it.

    ``needs`` names the channels that it reads (none: it is taken from the records of the trials).
    ``per_instance``: it is the mean of a loss of each instance, so that standard errors and paired tests over
    instances apply. ``combine``: over folds, by the mean of the folds or from all predictions pooled.
    ``compare``: across data sets, by differences or, for errors without a common scale, by the log of the ratio.
    ``worst`` and ``best`` are nan where neither way is better: such a measure describes, it can't decide.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    task: Task
    worst: float
    best: float
    per_instance: bool = False
    combine: Combine = "mean"
    compare: Compare = "difference"
    unit: str = ""
    range: str = ""
    use_when: str = ""
    beware: str = ""
    undefined: str = "the fold is empty"
    aliases: tuple[str, ...] = ()
    doc: str = ""

    def __post_init__(self) -> None:
        if not self.range:
            object.__setattr__(self, "range", _range(min(self.worst, self.best), max(self.worst, self.best)))

    @property
    def directed(self) -> bool:
        """Is there a better and a worse?"""
        return self.best == self.best

    @property
    def higher_is_better(self) -> bool:
        """The direction: does a better method score higher?"""
        if not self.directed:
            raise InputError(f"{self.name} has no better and worse: it describes a method; compare by another measure")
        return self.best > self.worst

    @property
    def from_trials(self) -> bool:
        """Is it taken from the records of the trials (a time, memory) and not from predictions?"""
        return not self.needs

    @property
    def reads(self) -> frozenset[str]:
        """The channels that it may read: those that it needs, and what may stand in for them."""
        return frozenset(c for n in self.needs for c in (n, SUBSTITUTES.get(n, n)))

    def can_use(self, channels: frozenset[str]) -> bool:
        """Do these channels suffice? A probability stands in for a score."""
        return bool(self.needs) and all(n in channels or SUBSTITUTES.get(n) in channels for n in self.needs)

    def to_dict(self) -> dict[str, object]:
        """All facts by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        direction = "neither way" if not self.directed else "higher" if self.higher_is_better else "lower"
        return f"{self.title} ({self.name}): {self.range}, {direction} is better"


def _range(low: float, high: float) -> str:
    """In words.

    >>> _range(0.0, 1.0), _range(0.0, math.inf), _range(-math.inf, 1.0)
    ('0 to 1', '0 upwards', 'up to 1')
    """
    if math.isnan(high):
        return "any number"
    if math.isinf(high):
        return "any number" if math.isinf(low) else f"{low:g} upwards"
    return f"up to {high:g}" if math.isinf(low) else f"{low:g} to {high:g}"
