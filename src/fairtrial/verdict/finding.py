"""The finding of a procedure: its statements, its table and the numbers behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from fairtrial.statements import Role, Statement, Text, by_role, say
from fairtrial.stats import Comparisons, Outcome
from fairtrial.tables import Table
from fairtrial.verdict.words.wording import Scope

if TYPE_CHECKING:
    from fairtrial.stats import WithTheBest
    from fairtrial.verdict.claims.level import Claim
    from fairtrial.verdict.designs.compare_methods import Compared
    from fairtrial.verdict.designs.decide import Pair

Kind = TypeVar("Kind", bound=Statement)


@dataclass(frozen=True, eq=False)
class Finding:
    """The answer of one procedure to one question.

    ``statements`` say what was found; ``scope`` is what they are about, and how their numbers are written. ``winner``
    is the method that beats all others, if there is one; ``best`` are those that may be the best, where that was
    tested; ``order`` has the methods from best to worst by their means. ``more_tables`` are for the full page;
    ``summary`` is the table of the page where ``table`` lists data sets. With ``each`` every data set is judged by
    itself; ``parts`` then has the finding of each data set, with its name. ``compared`` has the tests of pairs,
    ``claim`` the test of what the question claims about one method. ``omnibus`` is Friedman's test, which decides
    nothing; ``joint_test`` is a test of all methods, or of all ``measures``, which does. ``why`` and ``reference`` say
    why this test was made, where it is not the usual one of its rule.
    """

    statements: tuple[Statement, ...]
    table: Table
    scope: Scope
    winner: str | None = None
    best: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    compared: Compared | None = None
    omnibus: Outcome | None = None
    each: bool = False
    parts: tuple[tuple[str, Finding], ...] = ()
    more_tables: tuple[Table, ...] = ()
    claim: Claim | None = None
    joint_test: Outcome | None = None
    measures: tuple[str, ...] = ()
    why: str = ""
    reference: str = ""
    summary: Table | None = None

    @property
    def pairs(self) -> Sequence[Pair]:
        """The decisions about pairs of methods; about all pairs they are made when they are asked for."""
        return () if self.compared is None else self.compared.pairs

    @property
    def comparisons(self) -> Comparisons | None:
        """The tests of pairs, as :attr:`pairs`."""
        return None if self.compared is None else self.compared.comparisons

    @property
    def leads(self) -> WithTheBest | None:
        """The comparisons with the best, where these are the family of the finding."""
        return None if self.compared is None else self.compared.leads

    def said(self, role: Role) -> tuple[Text, ...]:
        """The statements of a role, in words."""
        return tuple(say(s, self.scope) for s in by_role(self.statements)[role])

    def of_kind(self, kind: type[Kind]) -> tuple[Kind, ...]:
        """The statements of a kind."""
        return tuple(s for s in self.statements if isinstance(s, kind))

    def adding(self, *more: Statement) -> Finding:
        """The finding with further statements."""
        return replace(self, statements=(*self.statements, *more))

    def without(self, *roles: Role) -> Finding:
        """The finding without the statements of these roles."""
        return replace(self, statements=tuple(s for s in self.statements if s.role not in roles))
