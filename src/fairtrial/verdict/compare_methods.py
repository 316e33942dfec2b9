"""All pairs of methods, or each against the control: tested, decided by the one rule, and put in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.notices import look
from fairtrial.stats import Comparisons, Outcome, compare_pairs
from fairtrial.stats.adjust import TITLES
from fairtrial.stats.comparisons import all_pairs
from fairtrial.tables import Table
from fairtrial.verdict.decide import Pair, pair_up, sizes_of, standing
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.sentences import answer
from fairtrial.words import plural

__all__ = ["Compared", "compare", "own_delta", "wanted_pairs"]

PairTest = Callable[..., Outcome]


@dataclass(frozen=True, eq=False)
class Compared:
    """The tests that a question asks for, what is decided about each pair, and the methods from best to worst.

    Methods are numbers, as in the evidence. ``reference`` is the one that the others are shown against: the control
    or, where there is none, the best. ``omnibus`` is the test of all methods at once, where there is one.
    """

    evidence: Evidence
    question: Question
    comparisons: Comparisons
    pairs: Sequence[Pair]
    order: Sequence[int]
    omnibus: Outcome | None = None

    @property
    def reference(self) -> int:
        control = self.question.control
        return self.evidence.methods.index(control) if control else self.order[0]

    @property
    def adjustment(self) -> str:
        """How p-values are adjusted, as a title."""
        return TITLES.get(self.comparisons.adjusted, self.comparisons.adjusted)

    @property
    def family(self) -> str:
        """The adjustment, such as ', Holm over 3 pairs', to follow the name of the test; empty for one pair."""
        return f", {self.adjustment} over {plural(len(self.pairs), 'pair')}" if len(self.pairs) > 1 else ""

    def against_reference(self) -> dict[int, Pair]:
        """The pairs with the reference, by the other method and seen from it."""
        own = [p for p in self.pairs if self.reference in (p.first, p.second)]
        seen = [p if p.second == self.reference else p.swapped() for p in own]
        return {p.first: p for p in seen}

    def finding(
        self,
        where: str,
        *,
        table: Table,
        test: str,
        next_steps: tuple[str, ...],
        more_sentences: Iterable[str] = (),
        stable: tuple[str, ...] = (),
    ) -> Finding:
        """The finding that answers the question in words, ``where`` being the data that it is about."""
        answered = answer(self.evidence, self.question, self.pairs, self.order, where)
        return Finding(
            sentences=(*answered.sentences, *more_sentences),
            table=table,
            test=test,
            winner=answered.winner,
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
    adjust: str,
    columns: Sequence[NDArray[Any]],
    *,
    test: PairTest,
    ranks: NDArray[np.float64],
    delta: float | None,
    size_test: PairTest | None = None,
) -> Compared:
    """Test the pairs of ``columns``, one for each method, and put the methods in order; lower ``ranks`` are better.

    ``delta`` is the smallest difference that matters on the columns' scale; the sizes of differences are the
    intervals of ``size_test``, by default the test itself.
    """
    wanted = wanted_pairs(evidence, question)
    comparisons = compare_pairs(columns, wanted, test=test, adjust=adjust, names=evidence.methods, level=question.level)
    sizes = None if delta is None else sizes_of(size_test or test, columns, wanted, question.level, adjust)
    pairs = pair_up(comparisons, evidence.sign, delta, sizes)
    return Compared(evidence, question, comparisons, pairs, standing(pairs, len(evidence.methods), ranks))


def wanted_pairs(evidence: Evidence, question: Question) -> list[tuple[int, int]]:
    """The pairs that the question is about: all, or each method with the control."""
    k = len(evidence.methods)
    if question.control is None:
        return all_pairs(k)
    control = evidence.methods.index(question.control)
    return [(j, control) for j in range(k) if j != control]


def own_delta(evidence: Evidence, question: Question) -> float | None:
    """The smallest difference that matters on one data set: a share of the mean for what is compared by ratios."""
    delta = question.smallest_difference
    if delta is None or evidence.measure.compare != "log-ratio":
        return delta
    return delta * float(evidence.means[0, : len(evidence.methods)].mean())
