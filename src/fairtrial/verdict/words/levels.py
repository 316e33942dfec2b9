"""The answer over all levels in a few sentences: who leads where, who is shown to win where, and the means at the ends.

The sentences come first and the numbers after them, so that they can be read once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.design import Level, are_numbers, write_levels, write_one
from fairtrial.stats.score_arrays import differences
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import MOST_NAMED, listed, part_of, verb

Names = tuple[str, ...]
UNORDERED = ("row_order",)
ALL_TOGETHER = "the data sets together"  # where levels are judged over data sets, and others on single ones
"""Factors whose levels are numbers without an order."""


@dataclass(frozen=True, slots=True)
class LevelWords:
    """Sets of levels in words, by the numbers of the levels in ``levels``; ``factors`` are all that are varied.

    >>> words = LevelWords(("train_size",), tuple({"train_size": n} for n in (10, 20, 40, 80)))
    >>> words.where([0, 1]), words.where([1, 2, 3], factor=True), words.where([0, 3])
    ('up to 20', 'from train_size 20 on', 'at 10 and 80')
    """

    factors: Names
    levels: tuple[Mapping[str, Level], ...]

    @property
    def is_ordered(self) -> bool:
        """Whether one factor is varied, whose levels are rising numbers."""
        if len(self.factors) != 1 or self.factors[0] in UNORDERED:
            return False
        values = [own.get(self.factors[0]) for own in self.levels]
        if not are_numbers(values):
            return False
        sizes = [float(v) for v in values if v is not None]
        sizes = [math.inf if v == 1 < max(sizes) else v for v in sizes]  # after numbers of rows, 1 is all rows
        return sizes == sorted(sizes)

    def one(self, i: int) -> str:
        """A combination of levels in words; the name of the only factor is left out."""
        levels = self.levels[i]
        return write_one(self.factors[0], levels[self.factors[0]]) if self._alone(levels) else f"({self.full(i)})"

    def full(self, i: int) -> str:
        """A combination of levels in words, with the names of the factors."""
        return write_levels(self.levels[i])

    def _alone(self, levels: Mapping[str, Level]) -> bool:
        return len(self.factors) == 1 and self.factors[0] in levels

    def where(self, places: Sequence[int], *, factor: bool = False) -> str:
        """The place of something that holds at these levels; ``factor`` says in full what they are levels of."""
        name = f"{self.factors[0]} " if factor and len(self.factors) == 1 else ""
        if len(places) == len(self.levels) > 1:
            return f"at every level of {name}".removesuffix(" of ").strip()
        first, last = places[0], places[-1]
        if self.is_ordered and len(places) > 1 and last - first == len(places) - 1:
            if first == 0:
                return f"up to {name}{self.one(last)}"
            if last == len(self.levels) - 1:
                return f"from {name}{self.one(first)} on"
            return f"from {name}{self.one(first)} to {self.one(last)}"
        if len(self.factors) > 1 and len(places) > 2:
            whole = f"{part_of(len(places), len(self.levels), 'combination')} of levels"
            return f"at {whole}" if factor else f"at {len(places)} of them"
        return f"at {name}{listed(map(self.one, places))}"


def answer_over_levels(words: LevelWords, verdicts: Sequence[Verdict]) -> str:
    """Say which method has the best mean where, which one wins where, and how the means change."""
    names = dict.fromkeys(name for verdict in verdicts for name in findings_of(verdict))
    said: dict[str, list[str]] = {}
    for name in names:
        said.setdefault(_answer_on(name, words, verdicts), []).append(name)
    if len(names) > 1:
        named = {text: [name or ALL_TOGETHER for name in where] for text, where in said.items()}
        return " ".join(f"On {listed(where, most=None)}: {text}" for text, where in named.items())
    return " ".join([*said, *_means_at_ends(words, verdicts)])


def _answer_on(dataset: str, words: LevelWords, verdicts: Sequence[Verdict]) -> str:
    own = [i for i, verdict in enumerate(verdicts) if dataset in findings_of(verdict)]
    leads = _places({i: _leaders(verdicts[i], dataset) for i in own})
    if len(words.factors) > 1:  # combinations have no order: the method with most of them comes first
        leads = dict(sorted(leads.items(), key=lambda lead: -len(lead[1])))
    wins = _places({i: winners_at(verdicts[i], dataset) for i in own})
    measure = Wording(verdicts[0].measure)
    best = f"the {measure.best_word} mean {measure.name}"
    first, *others = (
        f"{listed(who)} {verb(len(who), 'has', 'share')} {best} {words.where(at, factor=True)}" if i == 0
        else f"{listed(who)} {words.where(at)}"
        for i, (who, at) in enumerate(leads.items())
    )  # fmt: skip
    return f"{_joined([first, *others])}. {_wins(wins, words, verdicts[0].question.control or 'all others')}."


def _joined(parts: Sequence[str]) -> str:
    """Parts of a sentence: two with a comma and 'and', more of them one after the other."""
    return ", and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else parts[0]


def _wins(wins: Mapping[Names, list[int]], words: LevelWords, whom: str) -> str:
    """Say which methods win at which levels, and where none does."""
    won = [(who, at) for who, at in wins.items() if who]
    none = wins.get(())
    if not won:
        everywhere = none is not None and len(none) == len(words.levels)
        return f"No method beats {whom} {'at any level' if everywhere else words.where(none or [0], factor=True)}"
    (who, at), *others = won
    parts = [f"{listed(who)} {verb(len(who), 'beats', 'beat')} {whom} {words.where(at)}"]
    parts += [f"{listed(who)} {words.where(at)}" for who, at in others]
    return _joined(parts) + (f"; no method does {_elsewhere(none, words)}" if none else "")


def _elsewhere(places: Sequence[int], words: LevelWords) -> str:
    """The levels that are left: named if they are one or a range."""
    alone = len(places) == 1 or not words.where(places).startswith("at ")
    return words.where(places) if alone else "at the other levels"


def _places(named: Mapping[int, Names]) -> dict[Names, list[int]]:
    """The levels at which the same methods are named."""
    found: dict[Names, list[int]] = {}
    for i, who in named.items():
        found.setdefault(who, []).append(i)
    return found


def _means_at_ends(words: LevelWords, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The means of the compared methods at the lowest and the highest level, the best one at the highest first."""
    first, last = verdicts[0].evidence, verdicts[-1].evidence
    if not words.is_ordered or len(verdicts) < 2 or first.datasets != last.datasets:
        return
    low, high = level_means(first), level_means(last)
    both = [m for m in last.methods if m in low]
    order = sorted(both, key=lambda m: -last.sign * high[m])[:MOST_NAMED]
    write = Wording(verdicts[0].measure).values
    texts = [f"{m} {' to '.join(write(low[m], high[m]))}" for m in order]
    rest = len(both) - len(order)
    if texts:
        more = f" ({rest} others in the table)" if rest else ""
        yield f"Means from {words.one(0)} to {words.one(len(verdicts) - 1)}: {listed(texts)}{more}."


def findings_of(verdict: Verdict) -> dict[str, Finding]:
    """The findings by data set; under an empty name, where one finding is about all data sets."""
    names = verdict.evidence.datasets
    return verdict.parts or {names[0] if len(names) == 1 else "": verdict.finding}


def level_means(evidence: Evidence) -> dict[str, float]:
    """The mean of each method over data sets; the geometric mean where methods are compared by ratios."""
    means = evidence.comparable.mean(axis=0)
    means = np.exp(means) if evidence.as_ratio else means
    return dict(zip(evidence.columns, means.tolist(), strict=True))


def _leaders(verdict: Verdict, dataset: str) -> Names:
    """The compared methods with the best mean on a data set, or over all data sets where the name is empty."""
    evidence = verdict.evidence
    own = evidence.on(evidence.datasets.index(dataset)) if dataset else evidence
    means = {name: value for name, value in level_means(own).items() if name in own.methods}
    if not means:
        return ()
    values = np.array(list(means.values()))
    best = values.max() if evidence.measure.higher_is_better else values.min()
    equal = differences(values, np.full_like(values, best)).whole == 0  # float noise breaks no tie
    return tuple(name for name, leads in zip(means, equal.tolist(), strict=True) if leads)


def winners_at(verdict: Verdict, dataset: str) -> Names:
    """The method that beats all others or, where there is a control, the methods that beat the control."""
    finding, control = findings_of(verdict)[dataset], verdict.question.control
    if control is None or finding.comparisons is None:
        return () if finding.winner is None else (finding.winner,)
    methods = finding.comparisons.names
    names = (methods[p.winner] for p in finding.pairs if p.winner is not None)
    return tuple(name for name in names if name != control)
