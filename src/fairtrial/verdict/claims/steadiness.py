"""How much the answer depends on single data sets, on failed trials, and on what is meant by a difference."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.statements import Role, Statement
from fairtrial.stats import Interval


class Fragile(Statement):
    """What is said hangs on single data sets: it is close to its limit, which is no doubt that it was found rightly.

    Where nothing is wrong, of ladders with 12 data sets every sixth page has one: as many p are near their limit.
    """

    __slots__ = ()
    role = Role.STABILITY
    rank = 1


@dataclass(frozen=True, slots=True)
class Hinges(Fragile):
    """The winner is not one without any single one of these data sets; ``another``: a different one wins instead.

    Where that are most data sets, it belongs to the answer.
    """

    sets: tuple[str, ...]
    n: int
    another: bool = False

    @property
    def role(self) -> Role:  # type: ignore[override]
        """Part of the answer where these are most data sets."""
        return Role.ANSWER if 2 * len(self.sets) > self.n else Role.STABILITY


@dataclass(frozen=True, slots=True)
class OnlyJust(Fragile):
    """A method is among the best, or out, only just: it is not so without any one of ``sets``, of ``n``."""

    rank = 2
    method: str
    is_in: bool
    sets: tuple[str, ...]
    n: int
    others: int = 0

    @property
    def only_full(self) -> bool:  # type: ignore[override]
        """The page has what was claimed: that a method is out."""
        return self.is_in


@dataclass(frozen=True, slots=True)
class WouldWin(Fragile):
    """Without one of these data sets a method would be the winner."""

    rank = 2
    only_full = True
    method: str
    sets: tuple[str, ...]
    n: int


@dataclass(frozen=True, slots=True)
class ClaimsHinge(Fragile):
    """What is said of these methods against the control is not shown without some single data set."""

    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerHinges(Fragile):
    """The answer to a claim, or that two methods are equivalent, is another without any single one of ``sets``."""

    sets: tuple[str, ...]
    n: int


@dataclass(frozen=True, slots=True)
class MeansDisagree(Statement):
    """The means do not show what is typical of a lead: their own interval holds 0, or they are turned round."""

    role = Role.ANSWER
    rank = 2
    method: str
    other: str
    mean: Interval


@dataclass(frozen=True, slots=True)
class Kept(Statement):
    """What stays the same whichever data set is left out: the winner, those that may be best, or some differences."""

    role = Role.STABILITY
    what: str
    count: int
    total: int
    unit: str


@dataclass(frozen=True, slots=True)
class Moves(Statement):
    """The data set that moves the estimate of a difference most, and the estimate without it."""

    role = Role.STABILITY
    rank = 2
    dataset: str
    method: str
    other: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class CannotBeTried(Statement):
    """Without one data set there are too few to try whether the answer stays."""

    role = Role.STABILITY
    unit: str
    fewest: int


@dataclass(frozen=True, slots=True)
class OnPolicy(Statement):
    """Whether the answer depends on how failed trials are scored: the winner, what differs, or neither.

    ``others`` has for each other policy that can be applied the winner, and the methods that are out or differ.
    """

    role = Role.STABILITY
    rank = 1
    policy: str
    winner: str
    others: tuple[tuple[str, str], ...]
    changed: tuple[str, ...] = ()
    claim: bool = False
