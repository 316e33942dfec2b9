"""The answer in plain words, made from what the tests found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.design import Question
from fairtrial.verdict.decide import Decision, Pair
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.wording import Wording, and_join

__all__ = ["Answer", "answer", "on_data_sets"]

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


def on_data_sets(question: Question, n: int) -> str:
    """'on data sets such as these 12'."""
    if question.domains == "these":
        return f"on these {n} data sets"
    return f"on data sets such as these {n}"


def answer(evidence: Evidence, question: Question, pairs: Sequence[Pair], order: Sequence[int], where: str) -> Answer:
    """The answer for all pairs, or against the control, where ``order`` has the methods from best to worst."""
    story = _Story(evidence, question, pairs, order, where)
    if question.control is not None:
        return story.against_control()
    return story.of_two() if len(evidence.methods) == 2 else story.of_many()


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

    def between(self, a: int, b: int) -> Pair:
        """The pair, seen from ``a``."""
        pair = next(p for p in self.pairs if {p.first, p.second} == {a, b})
        return pair if pair.first == a else pair.turned()

    def size(self, pair: Pair) -> str:
        """How large the difference is, and whether it matters."""
        if pair.effect is None:
            return ""
        words = self.words
        own = pair.effect if self.evidence.sign > 0 or not words.ratio else pair.effect.negated()
        text = words.by(words.effect(own))
        delta = self.question.smallest_difference
        if delta is None or pair.decision not in SIZES:
            return text
        shown_delta = f"{100 * delta:g} %" if words.ratio else words.value(delta)
        return f"{text}: {SIZES[pair.decision].format(delta=shown_delta)}"

    def of_two(self) -> Answer:
        a, b = self.order
        pair = self.between(a, b)
        w = self.words
        if pair.winner == a:
            text = f"{self.name(a)} has {_article(w.better_word)} {w.name} than {self.name(b)} {self.where}."
            return Answer((text, f"It differs {self.size(pair)}."), self.name(a))
        if pair.decision == "equivalent":
            text = f"{self.name(a)} and {self.name(b)} are equivalent in {w.name} {self.where}."
            delta = self.question.smallest_difference
            return Answer((text, f"The difference is smaller than the {delta:g} that you said matters."), None)
        text = f"No difference in {w.name} between {self.name(a)} and {self.name(b)} can be told {self.where}."
        return Answer((text, f"{self.name(a)} is ahead {self.size(pair)}.") if pair.effect else (text,), None)

    def of_many(self) -> Answer:
        best, *others = self.order
        w, k = self.words, len(self.order)
        beaten = [m for m in others if self.between(best, m).winner == best]
        if len(beaten) == len(others):
            text = f"{self.name(best)} has the {w.best_word} {w.name} of these {k} methods {self.where}."
            nearest = beaten[0]
            return Answer(
                (text, f"It beats {self.name(nearest)} {self.size(self.between(best, nearest))}."), self.name(best)
            )
        if not any(p.different for p in self.pairs):
            text = f"No difference in {w.name} between these {k} methods can be told {self.where}."
            return Answer((text, *self._equivalents()), None)
        rivals = [m for m in others if m not in beaten]
        listed = and_join([self.name(m) for m in rivals])
        text = f"{self.name(best)} comes first in {w.name} {self.where}, but it can't be told from {listed}."
        second = f"It is better than {and_join([self.name(m) for m in beaten])}." if beaten else ""
        return Answer(tuple(t for t in (text, second, *self._equivalents()) if t), None)

    def _equivalents(self) -> list[str]:
        same = [p for p in self.pairs if p.decision == "equivalent"]
        if not same:
            return []
        names = and_join([f"{self.name(p.first)} and {self.name(p.second)}" for p in same[:3]])
        return [
            f"Equivalent, within {self.question.smallest_difference:g}: {names}"
            + (" and others." if len(same) > 3 else ".")
        ]

    def against_control(self) -> Answer:
        control = self.evidence.methods.index(str(self.question.control))
        others = [m for m in self.order if m != control]
        better = [m for m in others if self.between(m, control).winner == m]
        worse = [m for m in others if self.between(m, control).winner == control]
        open_ = [m for m in others if m not in better and m not in worse]
        w, c = self.words, self.name(control)
        parts = []
        if better:
            parts.append(
                f"{and_join([self.name(m) for m in better])} {_have(better)} {w.better_word} {w.name} than {c}"
            )
        if worse:
            parts.append(
                f"{and_join([self.name(m) for m in worse])} {'do' if len(worse) > 1 else 'does'} worse than {c}"
            )
        if open_:
            verb = "can't be told from it" if parts else f"can't be told from {c}"
            parts.append(f"{and_join([self.name(m) for m in open_])} {verb}")
        text = "; ".join(parts) + f", in {w.name} {self.where}."
        winner = c if len(worse) == len(others) else self.name(better[0]) if len(better) == len(others) == 1 else None
        sizes = [f"{self.name(m)} differs {self.size(self.between(m, control))}." for m in better[:1]]
        return Answer((text, *sizes), winner)


def _article(word: str) -> str:
    return f"a {word}"


def _have(names: Sequence[object]) -> str:
    return "have" if len(names) > 1 else "has"
