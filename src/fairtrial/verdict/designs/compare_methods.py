"""Methods compared: the tests of a question, the rows of its one family, and the methods in order.

Comparisons with the best from the intervals of all pairs, where no joint procedure is known for the design.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import Estimand
from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.notices import look
from fairtrial.statements import Statement
from fairtrial.stats import Comparisons, Interval, Outcome, WithTheBest
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.multiplicity import TITLES
from fairtrial.stats.post_hoc.with_the_best import Lead, Standing
from fairtrial.tables import Table
from fairtrial.verdict.claims.best import which_is_best
from fairtrial.verdict.claims.difference import EQUAL_ON_AVERAGE, against_control, all_pairs_compared, of_two
from fairtrial.verdict.designs.decide import (
    WITH_THE_BEST,
    Pair,
    Side,
    Tests,
    better_than_all,
    champion,
    own_level,
    pair_up,
)
from fairtrial.verdict.designs.dependence import Leading
from fairtrial.verdict.designs.units import ScoreKind, Spread
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope
from fairtrial.words import plural

Family = Literal["best", "pair", "control", "pairs"]
"""The family of claims of a page: comparisons with the best, the one pair, all and a control, or all pairs."""


OF_MANY: Mapping[Standing, str] = {"winner": "best", "in": "", "out": "out"}
OF_TWO: Mapping[Standing, str] = {"winner": "better", "in": "", "out": "worse"}
"""How a page marks the standing of a method among many, and of one of two."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a page shows of a method: its lead, the interval, p, and how it stands.

    ``effect`` is positive where the method is better: than the best of the others, the control, or the leader.
    ``rival`` is the method that wins, ties and losses are against. ``closed``: the upper end of the interval is 0 by
    decision.
    """

    method: int
    rival: int | None = None
    effect: Interval | None = None
    p_value: float | None = None
    standing: str = ""
    closed: bool = False


@dataclass(frozen=True, eq=False)
class Compared:
    """The comparison of methods that a question asks for, in its one family.

    Methods are numbers, as in the evidence; ``order`` has them from best to worst by their means. ``winner`` is the
    method that beats every other, each in a test of its own. ``leads`` are the comparisons with the best, where these
    are the family. ``made`` makes the tests of pairs, which are all pairs where the family is another, and then made
    only if somebody asks for them. ``delta`` is the smallest difference that matters, on the scale of the tests.
    ``unbeaten`` has for each yardstick the methods that do not clearly beat it, None where that was not tested.
    ``omnibus`` is the test of all methods at once, if there is one. ``switched``: means are compared, though nobody
    asked for it, since no difference is typical. ``kind`` is that of the scores. ``spreads`` tells how differences vary
    over data sets, ``leading`` how that of the two leading methods does.
    """

    evidence: Evidence
    question: Question
    family: Family
    side: Side
    order: Sequence[int]
    made: Callable[[], Tests]
    spread: Callable[[int, int, bool], Spread] | None = None
    winner: int | None = None
    delta: float | None = None
    leads: WithTheBest | None = None
    unbeaten: tuple[list[str] | None, ...] = ()
    omnibus: Outcome | None = None
    switched: bool = False
    kind: ScoreKind = "measured"
    leading: Leading | None = None

    @cached_property
    def tests(self) -> Tests:
        """The tests of pairs."""
        return self.made()

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The decisions about pairs."""
        tests = self.tests
        spreads = None
        if self.spread is not None:
            within = (
                self.delta is not None and narrow is not None and -self.delta < narrow.low <= narrow.high < self.delta
                for narrow in tests.narrow
            )
            spreads = [self.spread(i, j, w) for (i, j), w in zip(tests.comparisons.pairs, within, strict=True)]
        return tuple(pair_up(tests, self.evidence.sign, self.delta, spreads))

    @property
    def says_itself(self) -> bool:
        """Whether the answer about two methods says itself that the better one depends on the data set."""
        return self.family == "pair" and self.pairs[0].decision in EQUAL_ON_AVERAGE and not self.crosses

    @property
    def crosses(self) -> bool:
        """Whether each of the two leading methods is shown to be better somewhere."""
        return self.leading is not None and self.leading.crossing < 1 - self.question.level

    @property
    def comparisons(self) -> Comparisons:
        return self.tests.comparisons

    @property
    def best(self) -> tuple[int, ...]:
        """The methods that may be the best, from the best mean down; empty where that was not tested."""
        if self.leads is None:
            return ()
        return tuple(m for m in self.order if self.evidence.methods[m] in self.leads.best)

    @property
    def shows_mean(self) -> bool:
        """Whether the mean difference of two methods is shown, since of many equal scores nothing is typical."""
        typical = self.question.estimand == "typical" and not self.evidence.as_ratio
        return typical and self.family == "pair" and self.winner is not None and self.pairs[0].mean_is_shown

    @property
    def estimand(self) -> Estimand:
        """What is shown of differences over data sets: typical ones, or means."""
        return "mean" if self.shows_mean else self.question.estimand

    @property
    def leader(self) -> int:
        """The method that the others are shown against: the control, the winner, or the one that leads."""
        if self.question.control is not None:
            return self.evidence.methods.index(self.question.control)
        if self.winner is not None:
            return self.winner
        return self.order[0] if self.leads is None else self.evidence.methods.index(self.leads.leader)

    reference = leader

    @property
    def adjustment(self) -> str:
        """How p-values are adjusted, as a title."""
        return TITLES.get(self.comparisons.adjusted, self.comparisons.adjusted)

    @property
    def tested_together(self) -> str:
        """The number of tests that were made together, in words."""
        n = self.tests.family
        return plural(n, "pair") if n == len(self.pairs) else f"{n} tests (pairs on all data sets)"

    @property
    def family_in_words(self) -> str:
        """The family of claims, as the test line names it; the one pair needs no word."""
        if self.family == "pair":
            return ""
        if self.family == "pairs":
            return f"all {len(wanted_pairs(self.evidence, self.question))} pairs together"
        if self.family == "best":
            return "comparisons with the best, together"
        together = ", together" if len(self.evidence.methods) > 2 else ""
        return f"comparisons with {self.question.control}{together}"

    @property
    def bonferroni(self) -> str:
        """How the tests are adjusted, in words; empty for one test."""
        return f"{self.adjustment} over {self.tested_together}" if self.tests.family > 1 else ""

    def name(self, m: int) -> str:
        """The name of a method."""
        return self.evidence.methods[m]

    def between(self, a: int, b: int) -> Pair:
        """The pair, seen from ``a``."""
        pair = next(p for p in self.pairs if {p.first, p.second} == {a, b})
        return pair if pair.first == a else pair.swapped()

    def against_reference(self) -> dict[int, Pair]:
        """The pairs with the reference, by the other method and seen from it."""
        reference = self.leader
        own = [p for p in self.pairs if reference in (p.first, p.second)]
        seen = [p if p.second == reference else p.swapped() for p in own]
        return {p.first: p for p in seen}

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of the page, from the best to the worst."""
        if self.family in ("best", "pair"):
            return tuple(self._with_the_best())
        against = self.against_reference()
        return tuple(self._against(m, against.get(m)) for m in self.order)

    def _with_the_best(self) -> Iterable[Row]:
        assert self.leads is not None
        names = self.evidence.methods
        place = {name: i for i, name in enumerate(names)}
        found = {lead.method: lead for lead in self.leads.leads}
        last = {"winner": 0, "in": 1, "out": 2}
        first = self.leads.leader
        size = {m: found[names[m]].interval.estimate for m in self.order}
        order = sorted(
            self.order,
            key=lambda m: (last[found[names[m]].standing], names[m] != first, -size[m] if size[m] == size[m] else 0.0),
        )
        alone = len(names) == 2
        same = alone and self.pairs[0].decision == "equivalent"
        for m in order:
            lead = found[names[m]]
            has_p = names[m] != first or (lead.standing == "winner" and not alone)
            yield Row(
                m,
                place[lead.rival],
                lead.interval,
                lead.p_value if has_p and not same else None,
                "equivalent" if same else (OF_TWO if alone else OF_MANY)[lead.standing],
                lead.closed,
            )

    def _against(self, m: int, pair: Pair | None) -> Row:
        """A method against the control, or against the leader where all pairs are asked for."""
        if pair is None:
            return Row(m, standing="control" if self.question.control is not None else "")
        effect = pair.effect
        if effect is not None and not self.tests.bounded:
            effect = unbounded(effect)
        standing = "" if not pair.different else "better" if pair.winner == m else "worse"
        if pair.decision in ("not worse", "equivalent"):
            standing = pair.decision
        return Row(m, self.leader, effect, pair.p_adjusted, standing)

    def finding(
        self,
        scope: Scope,
        statements: Iterable[Statement],
        *,
        table: Table,
        more_tables: tuple[Table, ...] = (),
        why: str = "",
        reference: str = "",
    ) -> Finding:
        """The finding of this comparison, with what guards say of it."""
        names = self.evidence.methods
        winner = self.winner
        if self.family == "control":
            winner = self._won_against_control()
        return Finding(
            statements=(*statements, *look("comparison", self)),
            table=table,
            scope=scope,
            winner=None if winner is None else names[winner],
            best=tuple(names[m] for m in self.best) if len(names) > 2 else (),
            order=tuple(names[m] for m in self.order),
            compared=self,
            omnibus=self.omnibus,
            more_tables=more_tables,
            why=why,
            reference=reference,
        )

    def _won_against_control(self) -> int | None:
        """The control where all others are worse, or the one other where it is better."""
        others = self.against_reference()
        better = [m for m, pair in others.items() if pair.winner == m]
        if sum(pair.winner == self.leader for pair in others.values()) == len(others):
            return self.leader
        return better[0] if len(better) == len(others) == 1 else None


def answers(compared: Compared) -> Iterator[Statement]:
    """The answer to the question, by its family."""
    by = {"best": which_is_best, "pair": of_two, "control": against_control, "pairs": all_pairs_compared}
    return by[compared.family](compared)


def unbounded(effect: Interval) -> Interval:
    """The interval where data sets are too few for ends that hold together."""
    return replace(effect, low=-math.inf, high=math.inf)


def family_of(evidence: Evidence, question: Question, adjust: str) -> Family:
    """The family of claims that a question names."""
    if question.control is not None:
        return "control"
    if len(evidence.methods) == 2:
        return "pair"
    return "best" if adjust == WITH_THE_BEST else "pairs"


def compare(
    evidence: Evidence,
    question: Question,
    tests: Tests,
    adjust: str,
    *,
    means: NDArray[np.float64],
    delta: float | None,
) -> Compared:
    """Decide about each tested pair, name the winner, and put the methods in the order of their ``means``.

    ``delta`` is the smallest difference that matters, on the scale of the tests. The comparisons with the best
    follow from the intervals of all pairs: a method's lead over the best of the others is its smallest one.
    """

    k = len(evidence.methods)
    order = sorted(range(k), key=lambda m: (-evidence.sign * means[m], m))
    family = family_of(evidence, question, adjust)
    found = Compared(evidence, question, family, tests.side, order, lambda: tests, delta=delta)
    asks_for_one = question.control is None and tests.side.is_both
    winner = None
    if asks_for_one:
        level = own_level(question.level, tests.places)
        winner = better_than_all(found.pairs, k) if family == "pairs" else champion(found.pairs, k, level)
    found = replace(found, winner=winner)
    return found if family not in ("best", "pair") else replace(found, leads=leads_of_pairs(found))


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


def leads_of_pairs(compared: Compared) -> WithTheBest:
    """The lead of each method over the best of the others: its smallest lead, by intervals that hold for all pairs.

    A method is out where the interval of some rival's lead over it lies above 0, or where another one is the winner;
    then its lead is at most 0 by decision, if its own interval reaches further. The winner's lower end is that of its
    own tests, which need no adjustment for their number. A pair that can't be tested leaves the lower end open.
    """
    names = compared.evidence.methods
    k = len(names)
    seen = [{b: _as_shown(compared, compared.between(a, b)) for b in range(k) if b != a} for a in range(k)]
    leader = compared.winner if compared.winner is not None else compared.order[0]
    standings = [_standing(compared, m, seen[m]) for m in range(k)]
    best = [m for m in compared.order if standings[m] != "out"]
    leader = leader if leader in best else next(iter(best), leader)
    leads = tuple(_lead(compared, m, leader, seen[m], standings[m]) for m in range(k))
    if compared.winner is not None:
        leads = tuple(_behind(lead, leads[compared.winner].interval.low) for lead in leads)
    return WithTheBest(
        names=names,
        leads=leads,
        leader=names[leader],
        winner=None if compared.winner is None else names[compared.winner],
        circle=() if best else names,
        level=compared.question.level,
        estimand=compared.estimand if len(compared.evidence.datasets) > 1 else "mean",
        exact=False,
    )


def _as_shown(compared: Compared, pair: Pair) -> Pair:
    """The pair with the difference that is shown: that of the means, where nothing is typical."""
    if not compared.shows_mean or pair.spread is None:
        return pair
    return replace(pair, effect=pair.spread.own_mean, own=pair.spread.own_mean)


def _standing(compared: Compared, m: int, pairs: dict[int, Pair]) -> Standing:
    if compared.winner is not None:
        return "winner" if m == compared.winner else "out"
    return "out" if any(p.winner not in (None, m) for p in pairs.values()) else "in"


def _lead(compared: Compared, m: int, leader: int, pairs: dict[int, Pair], standing: Standing) -> Lead:
    names = compared.evidence.methods
    ordered = [o for o in compared.order if o != m]
    rival = leader if m != leader else min(ordered, key=lambda o: (_estimate(pairs[o]), compared.order.index(o)))
    shown = pairs[rival].effect
    worst = max((_own_p(compared, p) for p in pairs.values()), default=math.nan)
    strongest = [p.p_adjusted for p in pairs.values() if p.ahead not in (None, m)]
    tested = [p for p in strongest if not math.isnan(p)]
    p_value = worst if standing == "winner" else min(tested, default=math.nan if strongest else 1.0)
    if standing == "out" and compared.winner is not None:
        p_value = min(p_value, _own_p(compared, pairs[compared.winner]))
    if shown is None:
        nothing = Interval("difference", math.nan, math.nan, math.nan, compared.question.level)
        return Lead(names[m], names[rival], nothing, p_value, standing)
    ends = [p.effect for p in pairs.values() if p.effect is not None]
    known = [e for e in ends if not math.isnan(e.low)]
    low, high = min((e.low for e in known), default=math.nan), min((e.high for e in known), default=math.nan)
    if 0 < len(known) < len(pairs):
        low = -math.inf
    if standing == "winner":
        low = min((p.own or p.effect).low for p in pairs.values() if p.own or p.effect)  # type: ignore[union-attr]
    closed = standing == "out" and high > 0
    interval = replace(shown, low=low, high=0.0 if closed else high)
    return Lead(names[m], names[rival], interval, p_value, standing, closed)


def _behind(lead: Lead, ahead: float) -> Lead:
    """The lead of a method that is not the winner, which is ahead of it by at least this much."""
    own = lead.interval
    if lead.standing == "winner" or math.isnan(own.high) or not own.high > -ahead:
        return lead
    return replace(lead, interval=replace(own, low=min(own.low, -ahead), high=-ahead), closed=ahead == 0)


def _own_p(compared: Compared, pair: Pair) -> float:
    """The p-value of a pair's own test, adjusted for the data sets that are judged singly."""
    places = compared.tests.places
    return pair.p_value if places == 1 else min(1.0, places * pair.p_value)


def _estimate(pair: Pair) -> float:
    return math.inf if pair.effect is None else pair.effect.estimate
