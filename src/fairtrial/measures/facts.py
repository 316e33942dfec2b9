"""The facts about a measure as data, from which documentation, tests and program are fed."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Literal

from fairtrial.errors import InputError
from fairtrial.measures.predictions import SUBSTITUTES, Task
from fairtrial.shown import ShownAsText

Combine = Literal["mean", "pooled"]
Compare = Literal["difference", "log-ratio"]


@dataclass(frozen=True, slots=True)
class Measure(ShownAsText):
    """The facts about a measure.

    ``needs`` are the channels that it reads; none if it is read from the records of trials. ``per_instance``: it is the
    mean of one loss per instance, so that standard errors and paired tests over instances apply. ``combine``: how the
    folds of a repeat are combined, by the mean over folds or by pooling all predictions. ``compare``: how methods are
    compared across data sets, by differences or, for errors without a common scale, by the logarithm of the ratio.
    ``worst`` and ``best`` are nan if neither direction is better: such a measure describes a method, but can't rank
    methods.
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
        """Whether higher or lower values are better at all."""
        return self.best == self.best

    @property
    def higher_is_better(self) -> bool:
        """Whether better methods have higher values."""
        if not self.directed:
            raise InputError(
                f"{self.name} describes a method, and neither higher nor lower is better; compare by another measure"
            )
        return self.best > self.worst

    @property
    def from_trials(self) -> bool:
        """Whether it is read from the records of trials (time, memory) and not computed from predictions."""
        return not self.needs

    @property
    def reads(self) -> frozenset[str]:
        """The channels that it may read: those that it needs, and their substitutes."""
        return frozenset(c for n in self.needs for c in (n, SUBSTITUTES.get(n, n)))

    def can_use(self, channels: frozenset[str]) -> bool:
        """Whether it can be computed from these channels; a probability replaces a missing score."""
        return bool(self.needs) and all(n in channels or SUBSTITUTES.get(n) in channels for n in self.needs)

    def to_dict(self) -> dict[str, object]:
        """All facts by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        direction = "neither way" if not self.directed else "higher" if self.higher_is_better else "lower"
        return f"{self.title} ({self.name}): {self.range}, {direction} is better"


def _range(low: float, high: float) -> str:
    """Describe a range in words.

    >>> _range(0.0, 1.0), _range(0.0, math.inf), _range(-math.inf, 1.0)
    ('0 to 1', '0 upwards', 'up to 1')
    """
    if math.isnan(high):
        return "any number"
    if math.isinf(high):
        return "any number" if math.isinf(low) else f"{low:g} upwards"
    return f"up to {high:g}" if math.isinf(low) else f"{low:g} to {high:g}"
