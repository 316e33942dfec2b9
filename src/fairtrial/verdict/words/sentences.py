"""The answer in plain words, made from what the tests found."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fairtrial.design import Question
from fairtrial.stats import Interval
from fairtrial.tables import formats
from fairtrial.verdict.designs.decide import Decision, Pair, decide
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Answer
from fairtrial.verdict.words.best_sentences import leaders
from fairtrial.verdict.words.control_sentences import MOST_SIZES, against_control
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.words import listed, part_of, plural, verb

__all__ = ["Story", "unbeaten_sentences"]

SIZES: dict[Decision, str] = {
    "better by more than matters": "a real difference, larger than the {delta} that you said matters",
    "better, size open": "a real difference, though it may be smaller than the {delta} that you said matters",
    "better but negligible": "a real difference, but {typically}smaller than the {delta} that you said matters",
}
AVERAGE: tuple[Decision, ...] = (
    "equal on average, different on most data sets",
    "equal on average; on single data sets open",
)


def unbeaten_sentences(evidence: Evidence, unbeaten: Sequence[list[str] | None]) -> Iterator[str]:
    """A sentence for each yardstick that some methods don't clearly beat; if none does, a guard says so first."""
    for yardstick, fails in zip(evidence.yardsticks, unbeaten, strict=False):
        if fails and len(fails) < len(evidence.methods):
            does = verb(len(fails), "does", "do")
            yield f"Beware: {listed(fails)} {does} not clearly beat the yardstick '{yardstick}'."


@dataclass(frozen=True)
class Story:
    """The findings about the methods, from which sentences are made; methods are numbers, as in the evidence.

    ``order`` is that of their means. ``winner`` beats every other method, each in a test of its own. ``best`` are the
    methods that may be the best. ``where`` is the data that the answer is about, ``delta`` the smallest difference that
    matters on the scale of the effects. ``bounded`` is False where no difference of two methods could be shown for all
    pairs together; ``hinges`` where the winner is not one without some single data set.
    """

    evidence: Evidence
    question: Question
    pairs: Sequence[Pair]
    order: Sequence[int]
    where: str
    winner: int | None = None
    best: tuple[int, ...] = ()
    delta: float | None = None
    bounded: bool = True
    hinges: bool = False

    def answer(self) -> Answer:
        """The answer for all pairs, or against the control."""
        if self.question.control is not None:
            return against_control(self)
        return self._of_two() if len(self.evidence.methods) == 2 else self._of_many()

    @property
    def words(self) -> Wording:
        return Wording(self.evidence.measure, self.evidence.as_ratio and self._over_datasets)

    @property
    def _over_datasets(self) -> bool:
        return len(self.evidence.datasets) > 1

    @property
    def typically(self) -> str:
        """How a difference over data sets is meant."""
        if not self._over_datasets:
            return ""
        return "typically " if self.question.estimand == "typical" else "on average "

    def name(self, m: int) -> str:
        return self.evidence.methods[m]

    def names(self, methods: Sequence[int]) -> str:
        return listed([self.name(m) for m in methods])

    def between(self, a: int, b: int) -> Pair:
        """The pair, seen from ``a``."""
        pair = next(p for p in self.pairs if {p.first, p.second} == {a, b})
        return pair if pair.first == a else pair.swapped()

    def delta_text(self) -> str:
        return self.words.delta(self.question.delta or 0.0)

    def _own_p(self, pair: Pair) -> str:
        """The p-value that decides about a winner, and that it is one of this pair alone."""
        alone = ", for this pair alone" if len(self.pairs) > 1 else ""
        return f"{formats.p_equals(pair.p_value)}{alone}"

    def lead(
        self,
        b: int,
        effect: Interval | None,
        decision: Decision,
        subject: str,
        owner: str,
        p: str = "",
        typically: str | None = None,
        role: str = "",
    ) -> str:
        """By how much the subject beats ``b``, and whether that matters: 'It typically beats forest by 0.008 […].'"""
        words = self.words
        typically = self.typically if typically is None else typically
        if effect is None:
            return f"{subject} beats {self.name(b)}."
        if words.ratio:
            text = f"{owner} {words.name} is {typically}{words.sized(self._ratio(effect))} times that of"
            text = f"{text} {self.name(b)}{role}{p}"
        else:
            text = f"{subject} {typically}beats {self.name(b)}{role}{',' * bool(role)} by {words.sized(effect)}{p}"
        if self.question.delta is not None and decision in SIZES:
            size = SIZES[decision].format(delta=self.delta_text(), typically=typically)
            text += f": {size.replace('a real difference', 'a difference') if self.hinges else size}"
        return f"{text}."

    def _ratio(self, effect: Interval) -> Interval:
        """The effect as the ratio of the first to the second, in the measure's own direction."""
        return self.words.as_measured(effect)

    def _hedge(self, winner: int, other: int) -> str:
        """The adverb of a claim that hinges on single data sets, or that holds typically but not in the means."""
        typical = bool(list(self.of_means(winner, other)))
        words = [*["narrowly"] * self.hinges, *["typically"] * typical]
        return f"{', '.join(words)} " if words else ""

    def _of_winner(self, winner: int, other: int) -> Iterator[str]:
        """The size of the winner's lead over its nearest rival, by the interval of that pair alone."""
        pair = self.between(winner, other)
        decision = decide(pair.own, True, self.delta)
        p = f" ({self._own_p(pair)})"
        typical = self.question.estimand == "typical" and not self.words.ratio
        if pair.spread is not None and pair.mean_is_shown and typical:
            mean = pair.spread.own_mean
            p = f" (t; by signed ranks {self._own_p(pair)})"
            yield self.lead(other, mean, decide(mean, True, self.delta), "On average it", "Its", p, typically="")
            yield from self.on_single(winner, other)
            return
        next_best = next(m for m in self.order if m != winner)
        role = "" if other == next_best else ", the rival that is hardest to rule out"
        yield self.lead(other, pair.own, decision, "It", "Its", p, role=role)
        yield from self.on_single(winner, other)
        yield from self.of_means(winner, other)

    def on_single(self, a: int, b: int) -> Iterator[str]:
        """On how many data sets ``a`` is better than ``b``, and what to expect on a new one."""
        spread = self.between(a, b).spread
        if spread is None or spread.wins[1] == spread.n:
            return
        by = "" if spread.delta is None else f" by {self.delta_text()} or more"
        better = part_of(spread.above, spread.n, self._unit, self._units)
        if not spread.above:
            better = f"none of {plural(spread.n, self._unit, self._units)}"
        text = f"{self.name(a)} is better than {self.name(b)}{by} on {better}{self._of_which_failed(a, b)}"
        if spread.mostly_equal:
            text += f", worse{by} on {spread.below or 'none'}, and equal on {spread.wins[1]}"
        else:
            text += f", and worse{by} on {spread.below or 'none'}"
        if span_of(spread.new) is not None and not spread.new.notes:  # a range that needs normality is for the table
            interval = self.words.as_measured(spread.new) if self.words.ratio else spread.new  # positive is better
            write = formats.over(self.words.difference, (interval.low, interval.high))
            kind = "ratio" if self.words.ratio else "lead"
            ends = f"{write(interval.low)} and {write(interval.high)}"
            text += f"; on a new {self._unit} expect a {kind} between {ends} ({formats.percent(spread.new.level)})"
        yield f"{text}."

    def _of_which_failed(self, a: int, b: int) -> str:
        """On how many of the data sets one of the two lacks scores, which the failure policy replaced."""
        failed = self.evidence.failed
        if failed is None or self.question.family:
            return ""
        counts = {self.name(m): int((failed[:, m] > 0).sum()) for m in (a, b)}
        told = [f"{name} lacks scores on {n} of them" for name, n in counts.items() if n]
        return f" ({listed(told)})" if told else ""

    @property
    def _unit(self) -> str:
        return "family" if self.question.family else self.evidence.unit

    @property
    def _units(self) -> str:
        return "families" if self.question.family else f"{self.evidence.unit}s"

    def of_means(self, a: int, b: int) -> Iterator[str]:
        """A sentence where the means of two methods do not show the difference that is typical, or the other way."""
        spread = self.between(a, b).spread
        if spread is None or self.question.estimand == "mean" or math.isnan(spread.mean.low) or spread.mostly_equal:
            return
        same_family = spread.own_mean if self.winner is not None else spread.mean
        if 0 not in same_family:
            return
        mean = self.words.as_measured(same_family)
        what = "ratio of their geometric means" if self.words.ratio else "difference of their means"
        size = self.words.sized(mean) if self.words.ratio else _signed(self.words, mean)
        yield f"Their means do not show it: the {what} is {size}."

    def _of_two(self) -> Answer:
        a, b = self.order
        pair, w = self.between(a, b), self.words
        if self.winner is not None:
            first, second = (a, b) if self.winner == a else (b, a)
            has = f"{self._hedge(first, second)}has the {w.better_word} {w.name} {self.where}"
            text = f"Of {self.names((a, b))}, {self.name(first)} {has}."
            return Answer((text, *self._of_winner(first, second)), self.name(first))
        if pair.decision == "equivalent":
            text = f"{self.names((a, b))} are equivalent in {w.name} {self.where}."
            return Answer((text, self._equivalent(a, b)), None)
        if pair.decision in AVERAGE:
            said = tuple(self._equal_on_average(a, b))
            single = (s for s in self.on_single(a, b) if s not in said)
            return Answer((*said, *single), None)
        text = f"The data show no difference in {w.name} between {self.names((a, b))} {self.where}."
        return Answer((text, *self.still_open(a, b), *self.on_single(a, b)), None)

    def _equivalent(self, a: int, b: int) -> str:
        pair = self.between(a, b)
        spread, size = pair.spread, ""
        if pair.effect is not None and not self.words.ratio:
            size = f" ({self.name(a)} − {self.name(b)}: {_signed(self.words, pair.effect)})"
        if spread is None:
            return f"Their difference{size} is smaller than the {self.delta_text()} that you said matters."
        inside = part_of(spread.inside, spread.n, self._unit, self._units)
        sure, share = formats.percent(self.question.level), formats.percent(spread.inside_at_least)
        return (
            f"They differ by less than the {self.delta_text()} that you said matters, both typically{size} and "
            f"on {inside}: with {sure} confidence on at least {share} of such data sets."
        )

    def _equal_on_average(self, a: int, b: int) -> Iterator[str]:
        """Two methods whose typical difference is too small to matter, though single data sets may differ."""
        pair = self.between(a, b)
        spread = pair.spread
        assert spread is not None
        outside = part_of(spread.n - spread.inside, spread.n, self._unit, self._units)
        reason = "Single data sets are too noisy to judge that." if spread.is_noisy else ""
        if math.isnan(spread.noise):
            reason = "How much of that is noise within the data sets is unknown."
        w, names = self.words, self.names((a, b))
        if pair.decision == "equal on average, different on most data sets":
            yield f"Which of {names} has the {w.better_word} {w.name} depends on the data set, {self.where}."
            small = f"Their typical difference is below {self.delta_text()}"
            yield f"{small}, but they differ by {self.delta_text()} or more on {outside}."
            return
        if spread.outside_at_least > 0.5:
            ahead = f"Neither of {names} typically has the {w.better_word} {w.name} by {self.delta_text()} or more"
            on = f"all of these {spread.n}" if not spread.inside else f"most {self._units}"
            yield f"{ahead} {self.where}, but on {on} one of them has: which one depends on the {self._unit}."
            yield from self.on_single(a, b)
            yield reason
            return
        small = f"The typical difference in {w.name} between {names} is below {self.delta_text()}"
        yield f"{small} {self.where}; on single data sets it may be larger."
        yield f"They differ by {self.delta_text()} or more on {outside}. {reason}".rstrip()

    def still_open(self, a: int, b: int) -> Iterator[str]:
        """The observed difference between two methods that do not differ significantly."""
        pair, words = self.between(a, b), self.words
        if pair.effect is None:
            return
        if pair.effect.estimate == 0 and not math.isnan(pair.effect.low):
            yield from self._tied(a, b)
            return
        if pair.effect.estimate < 0:
            a, b, pair = b, a, pair.swapped()
        if pair.different:
            yield self.lead(b, pair.effect, pair.decision, self.name(a), f"{self.name(a)}'s")
            return
        effect = pair.effect
        assert effect is not None
        if words.ratio:
            size = words.sized(self._ratio(effect))
            yield f"The {words.name} of {self.name(a)} is {self.typically}{size} times that of {self.name(b)}."
        elif math.isnan(effect.low):
            yield f"{self.name(a)} is ahead by {words.value(effect.estimate)}, which can't be tested."
        elif math.isinf(effect.low):
            ahead = f"{self.name(a)} is {self.typically}{words.ahead_of} {self.name(b)}"
            yield f"{ahead} by {words.value(effect.estimate)}."
        else:
            lead, inside = words.lead(effect)
            ahead = f"{self.name(a)} is {self.typically}{words.ahead_of} {self.name(b)} by {lead}"
            yield f"{ahead}, but the interval is {inside}."

    def _tied(self, a: int, b: int) -> Iterator[str]:
        """Two methods whose typical difference is 0: their scores are equal on all data sets, or on most."""
        spread = self.between(a, b).spread
        if spread is None or spread.wins[1] == spread.n:
            yield "Their scores are equal." if len(self.order) == 2 else f"{self.names((a, b))} have equal scores."
            return
        equal = part_of(spread.wins[1], spread.n, self._unit, self._units)
        yield f"{self.names((a, b))} have equal scores on {equal}."
        if spread.mean.estimate < 0:
            a, b, spread = b, a, spread.negated()
        lead, inside = self.words.lead(spread.mean)
        ahead = f"On average {self.name(a)} is {self.words.ahead_of} {self.name(b)} by {lead}"
        yield f"{ahead}, but the interval is {inside}."

    def _of_many(self) -> Answer:
        first, *others = self.order
        w, k = self.words, len(self.order)
        if self.winner is not None:
            nearest = self._nearest(self.winner)
            has = f"{self._hedge(self.winner, nearest)}has the {w.best_word} {w.name} of these {k} methods {self.where}"
            text = f"{self.name(self.winner)} {has}."
            return Answer((text, *self._of_winner(self.winner, nearest)), self.name(self.winner))
        if not any(p.different for p in self.pairs) and not self.bounded:
            few = f"These data are too few to show which of these {k} methods differ in {w.name}"
            return Answer((f"{few}, for all pairs together.", *leaders(self), *self.still_open(first, others[0])), None)
        if not any(p.different for p in self.pairs):
            text = f"The data show no difference in {w.name} between these {k} methods {self.where}."
            return Answer((text, *self.equivalents(), *self.still_open(first, others[0]), *self._largest()), None)
        text = f"No single method can be called the best in {w.name} {self.where}."
        leading = [m for m in self.order if m in self.best] if len(self.best) > 1 else [first, *others]
        rival = max(leading[1:], key=lambda m: self.between(leading[0], m).p_adjusted)  # the first of equal ones
        size = (*self.still_open(leading[0], rival), *self._on_a_new_one(leading[0], rival))
        return Answer((text, *leaders(self), *self.equivalents(), *size), None)

    def _on_a_new_one(self, a: int, b: int) -> Iterator[str]:
        """How two candidates differ on single data sets, where a range on a new one needs no assumption."""
        spread = self.between(a, b).spread
        if self.best and spread is not None and span_of(spread.new) is not None and not spread.new.notes:
            yield from self.on_single(a, b)

    def _nearest(self, winner: int) -> int:
        """The rival that decides whether the winner wins: the one with the largest p, then with the smallest lead."""
        pairs = {m: self.between(winner, m) for m in self.order if m != winner}
        lead = {m: math.inf if p.own is None else p.own.estimate for m, p in pairs.items()}
        return min(pairs, key=lambda m: (-pairs[m].p_value, lead[m]))

    def _largest(self) -> Iterator[str]:
        """The largest difference that is not ruled out, where no pair differs."""
        ends = [abs(end) for p in self.pairs if p.effect is not None for end in (p.effect.low, p.effect.high)]
        together = len(self.pairs) > 1 and all(p.effect is not p.own for p in self.pairs)
        if len(ends) < 2 * len(self.pairs) or not all(map(math.isfinite, ends)) or not together:
            return
        if self.words.ratio:
            of = "Typical ratios" if self.typically == "typically " else "Ratios of the geometric means"
            yield f"{of} above {formats.significant(3)(math.exp(max(ends)))} are ruled out for every pair."
        else:
            of = "Typical differences" if self.typically == "typically " else "Differences of the means"
            yield f"{of} above {self.words.value(max(ends))} are ruled out for every pair."

    def equivalents(self) -> Iterator[str]:
        kinds: dict[Decision, str] = {"equivalent": f"Equivalent, within {self.delta_text()}"}
        average = f"Typical difference below {self.delta_text()}, but not shown to be so on most data sets"
        kinds |= dict.fromkeys(AVERAGE, average)
        for title in dict.fromkeys(kinds.values()):
            same = [p for p in self.pairs if kinds.get(p.decision) == title]
            if not same:
                continue
            names = ", ".join(self.names((p.first, p.second)) for p in same[:MOST_SIZES])
            rest = len(same) - MOST_SIZES
            more = f", and {plural(rest, 'more pair')}" if rest > 0 else ""
            yield f"{title}: {names}{more}."


def _signed(words: Wording, interval: Interval) -> str:
    numbers = (interval.estimate, interval.low, interval.high)
    write = formats.over(words.difference, numbers)
    return f"{write(interval.estimate)} [{formats.span(write)((interval.low, interval.high))}]"
