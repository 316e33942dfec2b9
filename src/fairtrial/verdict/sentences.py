"""The answer in plain words, made from what the tests found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fairtrial.design import Question
from fairtrial.stats import Interval
from fairtrial.verdict.decide import Decision, Pair, champion
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.wording import Wording
from fairtrial.words import listed, plural

__all__ = ["Answer", "answer", "unbeaten_sentences"]

SIZES: dict[Decision, str] = {
    "better by more than matters": "a real difference, larger than the {delta} that you said matters",
    "better, size open": "a real difference, though it may be smaller than the {delta} that you said matters",
    "better but negligible": "a real difference, but smaller than the {delta} that you said matters",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The sentences, the first of which is the answer; and the method that beats all others, if one does."""

    sentences: tuple[str, ...]
    winner: str | None


def answer(evidence: Evidence, question: Question, pairs: Sequence[Pair], order: Sequence[int], where: str) -> Answer:
    """The answer for all pairs, or against the control, where ``order`` has the methods from best to worst."""
    story = _Story(evidence, question, pairs, order, where)
    if question.control is not None:
        return story.against_control()
    return story.of_two() if len(evidence.methods) == 2 else story.of_many()


def unbeaten_sentences(evidence: Evidence, unbeaten: Callable[[int], list[str] | None]) -> Iterator[str]:
    """A sentence for each yardstick that some methods don't clearly beat."""
    for i, yardstick in enumerate(evidence.yardsticks):
        if fails := unbeaten(i):
            verb = "does" if len(fails) == 1 else "do"
            yield f"Beware: {listed(fails)} {verb} not clearly beat the yardstick '{yardstick}'."


@dataclass(frozen=True)
class _Story:
    evidence: Evidence
    question: Question
    pairs: Sequence[Pair]
    order: Sequence[int]
    where: str

    @property
    def words(self) -> Wording:
        return Wording(self.evidence.measure, self.evidence.as_ratio and len(self.evidence.datasets) > 1)

    def name(self, m: int) -> str:
        return self.evidence.methods[m]

    def names(self, methods: Sequence[int]) -> str:
        return listed([self.name(m) for m in methods])

    def between(self, a: int, b: int) -> Pair:
        """The pair, seen from ``a``."""
        pair = next(p for p in self.pairs if {p.first, p.second} == {a, b})
        return pair if pair.first == a else pair.swapped()

    def lead(self, a: int, b: int, subject: str, owner: str) -> str:
        """By how much ``a`` beats ``b``, and whether that matters: 'It beats forest by 0.008 [0.002, 0.015].'"""
        pair, words = self.between(a, b), self.words
        if pair.effect is None:
            return f"{subject} beats {self.name(b)}."
        if words.ratio:
            text = f"{owner} {words.name} is {words.sized(self.ratio(pair))} times that of {self.name(b)}"
        else:
            text = f"{subject} beats {self.name(b)} by {words.sized(pair.effect)}"
        delta = self.question.smallest_difference
        if delta is not None and pair.decision in SIZES:
            text += f": {SIZES[pair.decision].format(delta=words.delta(delta))}"
        return f"{text}."

    def ratio(self, pair: Pair) -> Interval:
        """The effect as the ratio of the first to the second, in the measure's own direction."""
        assert pair.effect is not None
        return self.words.effect(pair.effect if self.evidence.sign > 0 else pair.effect.negated())

    def of_two(self) -> Answer:
        a, b = self.order
        pair, w = self.between(a, b), self.words
        if pair.winner is not None:
            first, second = (a, b) if pair.winner == a else (b, a)
            text = f"Of {self.names((a, b))}, {self.name(first)} has the {w.better_word} {w.name} {self.where}."
            return Answer((text, self.lead(first, second, "It", "Its")), self.name(first))
        if pair.decision == "equivalent":
            text = f"{self.names((a, b))} are equivalent in {w.name} {self.where}."
            delta = w.delta(self.question.smallest_difference or 0.0)
            return Answer((text, f"Their difference is smaller than the {delta} that you said matters."), None)
        text = f"No difference in {w.name} between {self.names((a, b))} can be told {self.where}."
        return Answer((text, *self._open(a, b)), None)

    def _open(self, a: int, b: int) -> list[str]:
        """What was seen between two that can't be told apart."""
        pair, words = self.between(a, b), self.words
        if pair.effect is None:
            return []
        if pair.effect.estimate == pair.effect.low == pair.effect.high == 0:
            return ["Their scores are equal."]
        if pair.effect.estimate < 0:
            a, b, pair = b, a, pair.swapped()
        assert pair.effect is not None
        if words.ratio:
            return [
                f"The {words.name} of {self.name(a)} is {words.sized(self.ratio(pair))} times that of {self.name(b)}."
            ]
        if math.isnan(pair.effect.low):
            return [f"{self.name(a)} is ahead by {words.value(pair.effect.estimate)}, which can't be tested."]
        lead, inside = words.lead(pair.effect)
        return [f"{self.name(a)} is ahead by {lead}, but the interval is {inside}."]

    def of_many(self) -> Answer:
        best, *others = self.order
        w, k = self.words, len(self.order)
        if (winner := champion(self.pairs, k)) is not None:
            nearest = next(m for m in self.order if m != winner)
            text = f"{self.name(winner)} has the {w.best_word} {w.name} of these {k} methods {self.where}."
            return Answer((text, self.lead(winner, nearest, "It", "Its")), self.name(winner))
        if not any(p.different for p in self.pairs):
            text = f"No difference in {w.name} between these {k} methods can be told {self.where}."
            return Answer((text, *self._equivalents()), None)
        found = {m: self.between(best, m).winner for m in others}
        rivals = [m for m in others if found[m] is None]
        beaten = [m for m in others if found[m] == best]
        above = [m for m in others if found[m] == m]
        text = f"No single method can be called the best in {w.name} {self.where}."
        parts = [f"can't be told from {self.names(rivals)}"] if rivals else []
        parts += [f"is beaten by {self.names(above)}"] if above else []
        parts += [f"is better than {self.names(beaten)}"] if beaten else []
        second = f"{self.name(best)} comes first; it {listed(parts, most=None)}."
        return Answer((text, second, *self._equivalents()), None)

    def _equivalents(self) -> list[str]:
        same = [p for p in self.pairs if p.decision == "equivalent"]
        if not same:
            return []
        names = ", ".join(self.names((p.first, p.second)) for p in same[:3])
        more = f", and {plural(len(same) - 3, 'more pair')}" if len(same) > 3 else ""
        return [f"Equivalent, within {self.words.delta(self.question.smallest_difference or 0.0)}: {names}{more}."]

    def against_control(self) -> Answer:
        control = self.evidence.methods.index(str(self.question.control))
        others = [m for m in self.order if m != control]
        found = {m: self.between(m, control).winner for m in others}
        better = [m for m in others if found[m] == m]
        worse = [m for m in others if found[m] == control]
        open_ = [m for m in others if found[m] is None]
        w, c = self.words, self.name(control)
        parts = [f"{self.names(better)} {_do(better)} better than {c}"] if better else []
        if worse:
            parts.append(f"{self.names(worse)} {_do(worse)} worse{'' if parts else f' than {c}'}")
        if open_:
            parts.append(f"{self.names(open_)} can't be told from {'it' if parts else c}")
        direction = "" if self.evidence.measure.higher_is_better else " (lower is better)"
        text = f"In {w.name}{direction} {self.where}, {'; '.join(parts)}."
        winner = c if len(worse) == len(others) else self.name(better[0]) if len(better) == len(others) == 1 else None
        sizes = [self.lead(m, control, self.name(m), f"{self.name(m)}'s") for m in better[:1]]
        return Answer((text, *sizes, *self._equivalents()), winner)


def _do(methods: Sequence[int]) -> str:
    return "do" if len(methods) > 1 else "does"
