"""The finding of a procedure: its sentences, its table and the numbers behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairtrial.notices import Notice
from fairtrial.stats import Comparisons, Outcome
from fairtrial.tables import Table
from fairtrial.verdict.designs.decide import Pair

if TYPE_CHECKING:
    from fairtrial.verdict.claims.claims import Claim

__all__ = ["Answer", "Finding"]


@dataclass(frozen=True, slots=True)
class Answer:
    """The sentences, the first of which is the answer; and the method that beats all others, if one does."""

    sentences: tuple[str, ...]
    winner: str | None


@dataclass(frozen=True, eq=False)
class Finding:
    """The answer of one procedure to one question.

    ``winner`` is the method that beats all others, if there is one; ``best`` are those that may be the best, where that
    was tested; ``order`` has the methods from best to worst by their means. ``more_tables`` follow the table. With
    ``each`` every data set is judged by itself; ``parts`` then has the finding of each data set, with its name.
    ``claim`` is the test of what the question claims about one method. ``omnibus`` is
    Friedman's test, which decides nothing; ``joint_test`` is a test of all methods, or of all ``measures``, which does.
    ``why`` and ``reference`` say why this test was made, where it is not the usual one of its rule.
    """

    sentences: tuple[str, ...]
    table: Table
    test: str
    winner: str | None = None
    best: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    pairs: tuple[Pair, ...] = ()
    comparisons: Comparisons | None = None
    omnibus: Outcome | None = None
    each: bool = False
    parts: tuple[tuple[str, Finding], ...] = ()
    notices: tuple[Notice, ...] = ()
    stable: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    more_tables: tuple[Table, ...] = ()
    claim: Claim | None = None
    joint_test: Outcome | None = None
    measures: tuple[str, ...] = ()
    why: str = ""
    reference: str = ""
