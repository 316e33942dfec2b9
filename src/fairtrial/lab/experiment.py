"""An experiment of the lab: a world whose truth is known, and the claims that are counted in it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

Counts = dict[str, tuple[int, int]]
"""For each claim how often it was made (or held), and of how many runs."""

Kind = Literal["at most", "at least", "shown"]


@dataclass(frozen=True, slots=True)
class Limit:
    """The share of runs that a claim may reach at most, or must reach at least; or it is only shown.

    >>> Limit("at most", 0.05).holds(0.058, runs=2000), Limit("at most", 0.05).holds(0.058, runs=20000)
    (True, False)
    """

    kind: Kind = "shown"
    share: float = math.nan

    def holds(self, found: float, runs: int) -> bool:
        """Whether the share found keeps the limit, allowing for two Monte Carlo standard errors at the limit."""
        if self.kind == "shown":
            return True
        allowance = 2 * math.sqrt(self.share * (1 - self.share) / runs)
        return found >= self.share - allowance if self.kind == "at least" else found <= self.share + allowance

    def __str__(self) -> str:
        return "" if self.kind == "shown" else f"{'≤' if self.kind == 'at most' else '≥'} {100 * self.share:g} %"


@dataclass(frozen=True, slots=True)
class Experiment:
    """A world and what is counted in it.

    ``simulate(generator, runs)`` makes the runs and counts, for each claim, how often it was made. ``limits`` has the
    allowed share of each claim that a recommended procedure makes; claims without a limit are shown beside them.
    """

    grid: str
    world: str
    simulate: Callable[[np.random.Generator, int], Counts]
    limits: Mapping[str, Limit] = field(default_factory=dict)
    block: int = 100

    @property
    def key(self) -> str:
        """The experiment's name in files of results."""
        return f"{self.grid}: {self.world}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the lab's table: a claim in a world, its share with Monte Carlo error, runs and limit."""

    grid: str
    world: str
    claim: str
    happened: int
    runs: int
    limit: Limit

    @property
    def share(self) -> float:
        """The share of runs in which the claim was made; nan without runs."""
        return self.happened / self.runs if self.runs else math.nan

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the share, never 0: a count of none is not a certainty."""
        if not self.runs:
            return math.nan
        share = min(max(self.share, 1 / (self.runs + 1)), self.runs / (self.runs + 1))
        return math.sqrt(share * (1 - share) / self.runs)

    @property
    def holds(self) -> bool:
        """Whether the share keeps its limit."""
        return not self.runs or self.limit.holds(self.share, self.runs)
