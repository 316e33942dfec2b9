"""The finding of a procedure: its statements, its table and the numbers behind them.

The basis of a verdict: the results and options that it was made from, as data from which it can be made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

from fairtrial.results.prediction_source import digest_of_results
from fairtrial.statements import Role, Statement, Text, by_role, say
from fairtrial.stats import Comparisons, Outcome
from fairtrial.store import versions
from fairtrial.tables import Table
from fairtrial.verdict.words.wording import Scope

if TYPE_CHECKING:
    from fairtrial.results import Results
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


@dataclass(frozen=True, eq=False)
class Basis:
    """The results, with the question that was asked of them, and the options that are not part of the question."""

    results: Results
    adjust: str
    per_dataset: str | None
    test: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """What :func:`made_from` gives, with the options of a verdict."""
        own = {"adjust": self.adjust, "per_dataset": self.per_dataset, "test": self.test}
        return made_from(self.results, {name: value for name, value in own.items() if value is not None})


def made_from(results: Results, options: Mapping[str, Any]) -> dict[str, Any]:
    """All that is needed to make an answer again, and to know whether it is made from the same content.

    ``stated`` is the question of the results before options replaced parts of it; ``options`` are those that the
    question has not. ``content`` is a hash of trials or scores, not of the bytes of the file. Of the file only its base
    name is kept.
    """
    stated = results.question if results.asked is None else results.asked.question
    asked = {} if results.asked is None else dict(results.asked.options)
    baseline = {} if results.baseline is None else {"baseline": results.baseline}
    return {
        "stated": stated.to_dict(),
        "options": {**asked, "failures": results.policy, **baseline, **options},
        "at_levels": dict(results.chosen),
        "source": _source(results),
        "content": digest_of_results(results),
        "versions": versions(),
    }


def _source(results: Results) -> dict[str, Any]:
    known = results.provenance
    settings: dict[str, Any] = {"by_setting": True} if results.named_by_setting else {}
    if known.part:
        settings["part"] = {name: list(chosen) for name, chosen in known.part.items()}
    if results.definition is not None:
        return {"kind": "study", "name": "" if results.path is None else results.path.name, **settings}
    return {"kind": known.reader, "name": PurePath(known.source).name, "read": dict(known.reading), **settings}
