"""All pairs of methods, or each against the control: tested, decided by the one rule, and put in order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.notices import look
from fairtrial.stats import BestSet, Comparisons, Outcome
from fairtrial.stats.adjust import TITLES
from fairtrial.stats.comparisons import all_pairs
from fairtrial.tables import Table
from fairtrial.verdict.designs.decide import Pair, champion, pair_up
from fairtrial.verdict.designs.pair_tests import Side, Tests
from fairtrial.verdict.designs.spread import Spread
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.sentences import Story, unbeaten_sentences
from fairtrial.words import plural

__all__ = ["Compared", "compare", "on_scale", "own_delta", "side_of", "wanted_pairs"]


@dataclass(frozen=True, eq=False)
class Compared:
    """The tests of a question, the decision about each pair, and the methods from best to worst by their means.

    Methods are numbers, as in the evidence. ``winner`` is the method that beats every other, each in a test of its own.
    ``delta`` is the smallest difference that matters, on the scale of the tests. ``unbeaten`` has for each yardstick
    the methods that do not clearly beat it, None where that was not tested. ``best`` are the methods that may be
    the best, where that was tested (``best_set``). ``omnibus`` is the test of all methods at once, if there is one.
    ``switched``: means are compared, though nobody asked for it, since no difference is typical.
    """

    evidence: Evidence
    question: Question
    tests: Tests
    pairs: Sequence[Pair]
    order: Sequence[int]
    winner: int | None = None
    delta: float | None = None
    unbeaten: tuple[list[str] | None, ...] = ()
    best_set: BestSet | None = None
    omnibus: Outcome | None = None
    switched: bool = False

    @property
    def best(self) -> tuple[int, ...]:
        """The methods that may be the best, from the best mean down; empty where that was not tested."""
        members = () if self.best_set is None else self.best_set.members
        return tuple(m for m in self.order if self.evidence.methods[m] in members)

    @property
    def several_best(self) -> bool:
        """Whether several methods may be the best, but not all, and none is the winner."""
        return self.winner is None and 1 < len(self.best) < len(self.order)

    @property
    def shows_mean(self) -> bool:
        """Whether the answer and the table give the mean difference of two methods, since nothing is typical."""
        if len(self.pairs) > 1 or self.winner is None or self.evidence.as_ratio or self.question.estimand == "mean":
            return False
        return self.pairs[0].mean_is_shown

    @property
    def comparisons(self) -> Comparisons:
        return self.tests.comparisons

    @property
    def reference(self) -> int:
        """The method that the others are shown against: the control, the winner, or the first of the best.

        Where several may be the best, it is the one of them with the best mean.
        """
        if self.question.control is not None:
            return self.evidence.methods.index(self.question.control)
        if self.winner is not None:
            return self.winner
        return next((m for m in self.order if m in self.best), self.order[0])

    @property
    def adjustment(self) -> str:
        """How p-values are adjusted, as a title."""
        return TITLES.get(self.comparisons.adjusted, self.comparisons.adjusted)

    @property
    def family(self) -> str:
        """The adjustment, such as ', joint flips over 3 pairs', to follow the name of the test; empty for one test."""
        return f", {self.adjustment} over {self.tested_together}" if self.tests.family > 1 else ""

    @property
    def tested_together(self) -> str:
        """The number of tests that were made together, in words."""
        n = self.tests.family
        return plural(n, "pair") if n == len(self.pairs) else f"{n} tests (pairs on all data sets)"

    def against_reference(self) -> dict[int, Pair]:
        """The pairs with the reference, by the other method and seen from it."""
        reference = self.reference
        own = [p for p in self.pairs if reference in (p.first, p.second)]
        seen = [p if p.second == reference else p.swapped() for p in own]
        return {p.first: p for p in seen}

    def finding(
        self,
        where: str,
        *,
        table: Table,
        test: str,
        next_steps: tuple[str, ...],
        more_tables: tuple[Table, ...] = (),
        stable: tuple[str, ...] = (),
        doubts: tuple[str, ...] = (),
        beware: tuple[str, ...] = (),
    ) -> Finding:
        """The finding that answers the question in words, ``where`` being the data that it is about.

        ``doubts`` are sentences that follow the answer and make it a narrow one; ``beware`` are others.
        """
        where += f", at {self.evidence.at}" if self.evidence.at else ""
        answered = Story(
            self.evidence, self.question, self.pairs, self.order, where, self.winner, self.best, self.delta,
            self.tests.bounded, bool(doubts),
        ).answer()  # fmt: skip
        return Finding(
            sentences=(
                *answered.sentences[:2],
                *beware,
                *answered.sentences[2:],
                *unbeaten_sentences(self.evidence, self.unbeaten),
                *doubts,
            ),
            table=table,
            more_tables=more_tables,
            test=test,
            winner=answered.winner,
            best=tuple(self.evidence.methods[m] for m in self.best),
            order=tuple(self.evidence.methods[m] for m in self.order),
            pairs=tuple(self.pairs),
            comparisons=self.comparisons,
            omnibus=self.omnibus,
            notices=tuple(look("comparison", self)),
            stable=stable,
            next_steps=next_steps,
        )


def compare(
    evidence: Evidence,
    question: Question,
    tests: Tests,
    *,
    means: NDArray[np.float64],
    delta: float | None,
    spreads: Sequence[Spread] | None = None,
    winner_level: float | None = None,
) -> Compared:
    """Decide about each tested pair, name the winner, and put the methods in the order of their ``means``.

    ``delta`` is the smallest difference that matters, on the scale of the tests. ``winner_level`` is the level of the
    tests that make a winner, by default the question's.
    """
    k = len(evidence.methods)
    pairs = pair_up(tests, evidence.sign, delta, spreads)
    order = sorted(range(k), key=lambda m: (-evidence.sign * means[m], m))
    asks_for_one = question.control is None and tests.side.is_both
    winner = champion(pairs, k, winner_level or question.level) if asks_for_one else None
    return Compared(evidence, question, tests, pairs, order, winner, delta)


def wanted_pairs(evidence: Evidence, question: Question) -> list[tuple[int, int]]:
    """The pairs that the question is about: all, or each method with the control."""
    k = len(evidence.methods)
    if question.control is None:
        return all_pairs(k)
    control = evidence.methods.index(question.control)
    return [(j, control) for j in range(k) if j != control]


def side_of(evidence: Evidence, question: Question, delta: float | None) -> Side:
    """The side of the question, on the scale of the scores; ``delta`` is the margin on that scale."""
    if question.alternative == "two-sided":
        return Side()
    if question.alternative == "not worse" and delta is None:
        raise InputError(
            "alternative='not worse' needs smallest_difference, which says how much worse would matter in "
            f"{evidence.measure.name}; got none for it"
        )
    shift = evidence.sign * (delta or 0.0) if question.alternative == "not worse" else 0.0
    return Side("greater" if evidence.sign > 0 else "less", shift)


def own_delta(evidence: Evidence, question: Question) -> float | None:
    """The smallest difference that matters on one data set: a share of the mean for what is compared by ratios."""
    delta = question.delta
    if delta is None or evidence.measure.compare != "log-ratio":
        return delta
    return delta * float(evidence.means[0, : len(evidence.methods)].mean())


def on_scale(delta: float | None, as_ratio: bool) -> float | None:
    """The smallest difference that matters, on the log scale where ratios are compared (0.1 means 10 %)."""
    return delta if delta is None or not as_ratio else math.log1p(delta)
