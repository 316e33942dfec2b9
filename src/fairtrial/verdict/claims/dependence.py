"""How a difference varies over data sets: a winner that depends, what separates them, far ones, unequal spreads."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fairtrial.statements import Role, Statement
from fairtrial.stats import Interval


@dataclass(frozen=True, slots=True)
class WinnerDepends(Statement):
    """Which of two methods is better depends on the data set: one leads on ``ahead`` of ``n``, the other on ``behind``.

    ``by`` and ``behind_by`` are the median leads there. ``p_value`` is that of Gail and Simon's test, where the noise
    within data sets is known; nan where only two clear groups, or differences that matter on both sides, are seen.
    ``wins``: the first method is the winner all the same. ``first``: of two methods this is the answer.
    """

    role = Role.ANSWER
    method: str
    other: str
    ahead: int
    by: float
    behind: int
    behind_by: float
    n: int
    p_value: float = math.nan
    wins: bool = False
    first: bool = False

    @property
    def rank(self) -> int:  # type: ignore[override]
        """Before what is shown on average, where it is the answer."""
        return -1 if self.first else 3

    @property
    def is_shown(self) -> bool:
        """Whether noise within data sets does not explain it."""
        return not math.isnan(self.p_value)


@dataclass(frozen=True, slots=True)
class FirstSomewhere(Statement):
    """Methods that are out, since others are typically better, but first on many data sets, with their number."""

    role = Role.ANSWER
    rank = 3
    methods: tuple[str, ...]
    counts: tuple[int, ...]
    n: int


@dataclass(frozen=True, slots=True)
class Separates(Statement):
    """A property of data sets that separates the differences of two methods: a hypothesis, found by a search.

    ``what`` is the property; ``method`` leads ``other`` by ``inside`` (median) on the ``count`` data sets above
    ``cut``, or with the ``label``, and by ``outside`` on the others. ``p_value`` holds for all properties, cuts and
    pairs. ``depends``: there is no winner, or the answer says that it depends.
    """

    title = "Varies"
    method: str
    other: str
    what: str
    cut: float | None
    label: str | None
    count: int
    n: int
    inside: float
    outside: float
    p_value: float
    properties: int
    depends: bool = False

    @property
    def role(self) -> Role:  # type: ignore[override]
        """Part of the answer where there is no winner, or it depends on the data set."""
        return Role.ANSWER if self.depends else Role.STABILITY

    @property
    def rank(self) -> int:  # type: ignore[override]
        """After what depends on it."""
        return 4


@dataclass(frozen=True, slots=True)
class NothingSeparates(Statement):
    """The winner depends on the data set, but no recorded property separates the data sets."""

    title = "Varies"
    role = Role.STABILITY
    rank = 3
    properties: int
    n: int


@dataclass(frozen=True, slots=True)
class FarAway(Statement):
    """Data sets whose differences are far from all others, with the lead on each, and the mean lead without them.

    ``decides``: whether the interval of the mean holds 0 depends on them; then it is a doubt.
    """

    title = "Varies"
    sets: tuple[str, ...]
    method: str
    other: str
    there: tuple[float, ...]
    mean: float
    without: float
    decides: bool = False

    @property
    def role(self) -> Role:  # type: ignore[override]
        """A doubt where these data sets decide about the mean."""
        return Role.DOUBT if self.decides else Role.STABILITY

    @property
    def rank(self) -> int:  # type: ignore[override]
        """After what stays."""
        return 2


@dataclass(frozen=True, slots=True)
class SpreadsDiffer(Statement):
    """The scores of one method vary more over data sets than those of another, by this factor."""

    title = "Varies"
    role = Role.STABILITY
    rank = 3
    method: str
    other: str
    ratio: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class BetterThere(Statement):
    """Whether a method is better on data sets with a property than elsewhere, as the question claims beforehand.

    ``more`` is how much larger the lead is on the ``count`` data sets ``where`` it holds than on the ``others``
    (Hodges–Lehmann), ``p_value`` that of rank sums. ``shown``: it is better there, and better there than elsewhere.
    """

    role = Role.ANSWER
    rank = 2
    method: str
    other: str
    where: str
    count: int
    others: int
    more: Interval
    p_value: float
    shown: bool
    better: bool
