"""What the division of an advantage means, in plain words: the parts first, then what belongs together, then checks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fairtrial.experiments.ablation.ablation import Chosen
from fairtrial.measures import Measure
from fairtrial.notices import Notice
from fairtrial.statements import Text
from fairtrial.stats import AdvantageParts, Interval
from fairtrial.verdict.claims.support import NextStep
from fairtrial.verdict.designs.compare_methods import on_scale
from fairtrial.verdict.designs.decide import is_within
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural, verb

MOST_PAIRS = 2  # interactions that have a sentence
MOST_UNITS = 2000  # data sets: nobody runs more to tell a part from 0


@dataclass(frozen=True, slots=True, eq=False)
class AblationStory:
    """The division and all that sentences about it need.

    ``scores`` has a row for each unit and a column for each combination, on the scale of comparison. ``where`` is the
    data that the answer is about. ``untested`` says why nothing could be tested, if so.
    """

    measure: Measure
    ratio: bool
    chosen: Chosen
    found: AdvantageParts
    scores: FloatArray
    where: str
    delta: float | None = None
    untested: str = ""

    @property
    def words(self) -> Wording:
        return Wording(self.measure, self.ratio)

    def sentences(self) -> Iterator[tuple[str, str]]:
        """The answer first, then components that hurt or hardly matter, and what interacts; what each is about."""
        yield "parts", f"{self._start()}: {self._parts()}."
        if self.untested:
            yield "untested", f"Nothing is tested: {self.untested}."
        yield from (("hurts", text) for text in self._hurting())
        yield from (("small", text) for text in self._small())
        yield from (("interaction", text) for text in self._interactions())

    def _start(self) -> str:
        """The advantage that is divided, or that there is none."""
        total, name = self.found.advantage, self.words.name
        whole, base = self.chosen.whole, self.chosen.base
        known = self.found.total.active()[0] or bool(self.untested)
        size = self._sized(total)
        if not known:
            return (
                f"No advantage of {whole} over {base} in {name} is shown {self.where} ({size}); it divides as follows"
            )
        beats = "beats" if total.estimate >= 0 else "falls behind"
        if self.ratio:
            return f"Of the factor of {size} in {name} by which {whole} {beats} {base} {self.where}"
        size = size if total.estimate >= 0 else self._sized(total.negated())
        return f"Of the {size} in {name} by which {whole} {beats} {base} {self.where}"

    def _parts(self) -> str:
        """The parts, the largest first; those whose interval includes 0 are marked."""
        falls = self.found.advantage.estimate < 0 and (self.found.total.active()[0] or bool(self.untested))
        texts, active = [], self.found.parts.active()
        for i in self.found.order():
            part = self.found.parts.intervals[i]
            part = part.negated() if falls and not self.ratio else part
            doubt = "" if active[i] or self.untested else " (not shown)"
            texts.append(f"{self.chosen.components[i].title} {self._sized(part)}{doubt}")
        return ", ".join(texts)

    def _sized(self, interval: Interval) -> str:
        """A part with its interval: positive where it helps, or a ratio of the measure."""
        return self.words.sized(self.words.as_measured(interval) if self.ratio else interval)

    def _hurting(self) -> Iterator[str]:
        """Components that are shown to make it worse, beside an advantage."""
        active = self.found.parts.active()
        worse = [
            c.title
            for c, i, a in zip(self.chosen.components, self.found.parts.intervals, active, strict=True)
            if a and i.estimate < 0
        ]
        if worse and self.found.advantage.estimate > 0:
            yield f"{listed(worse)} {verb(len(worse), 'takes', 'take')} away from the advantage."

    def _small(self) -> Iterator[str]:
        """Components whose part is smaller than what matters."""
        limit = on_scale(self.delta, self.ratio)
        if self.delta is None or limit is None:
            return
        parts = zip(self.chosen.components, self.found.parts.intervals, strict=True)
        small = [c.title for c, i in parts if not math.isnan(i.low) and is_within(i, limit)]
        if small:
            said = self.words.delta(self.delta)
            yield f"{listed(small)} {verb(len(small), 'changes', 'change')} it by less than the {said} that matter."

    def _interactions(self) -> Iterator[str]:
        """The largest interactions that are shown."""
        pairs = self.found.interactions
        if pairs is None:
            return
        shown = [i for i, active in enumerate(pairs.active()) if active]
        order = sorted(shown, key=lambda i: -abs(pairs.intervals[i].estimate))
        for i in order[:MOST_PAIRS]:
            names, interval = listed(self._pairs()[i]), pairs.intervals[i]
            if self.ratio:
                helps = "help each other" if interval.estimate > 0 else "partly replace each other"
                yield f"{names} {helps}: together by a factor of {self._sized(interval)} beyond one by one."
            elif interval.estimate > 0:
                yield f"{names} help each other: together they add {self._sized(interval)} more than one by one."
            else:
                size = self._sized(interval.negated())
                yield f"{names} partly replace each other: together they add {size} less than one by one."
        if (left := len(order) - MOST_PAIRS) > 0:
            yield f"{plural(left, 'more interaction')} {verb(left, 'is', 'are')} in the table."

    def _pairs(self) -> list[tuple[str, str]]:
        """The two components of each interaction."""
        return list(combinations(self.found.components, 2))

    def notices(self) -> Iterator[Notice]:
        """What was checked: the sum, parts that may be 0, interactions, and whether all components are best."""
        yield self._sum()
        yield from self._open()
        yield from self._larger_than_parts()
        yield from self._not_the_best()

    def _sum(self) -> Notice:
        total = self.found.advantage.estimate
        parts = sum(i.estimate for i in self.found.parts.intervals)
        if not math.isclose(parts, total, rel_tol=1e-9, abs_tol=1e-12 * (1 + float(np.abs(self.scores).max()))):
            text = f"the parts sum to {parts!r}, but the advantage is {total!r}: please report this"
            return Notice(text, "grave", stage="verdict")
        how = "multiply to the whole" if self.ratio else "sum to the whole"
        return Notice(f"the parts {how}", "fine", stage="verdict")

    def _open(self) -> Iterator[Notice]:
        if self.untested:
            return
        active = self.found.parts.active()
        open_ = [c.title for c, a in zip(self.chosen.components, active, strict=True) if not a]
        if open_:
            many = f"{plural(len(open_), 'part')} may be 0"
            those = verb(len(open_), "the interval of {} includes it", "the intervals of {} include it")
            yield Notice(f"{many}: {those.format(listed(open_))}", stage="verdict")

    def _larger_than_parts(self) -> Iterator[Notice]:
        """Interactions that are larger than the part of one of their components: orders of adding differ much."""
        pairs = self.found.interactions
        if pairs is None:
            return
        parts = {
            c.name: abs(i.estimate) for c, i in zip(self.chosen.components, self.found.parts.intervals, strict=True)
        }
        large = [
            name
            for name, interval, pair in zip(pairs.names, pairs.intervals, self._pairs(), strict=True)
            if abs(interval.estimate) > min(parts[c] for c in pair) and abs(interval.estimate) > 0
        ]
        if large:
            several = f"{plural(len(large), 'interaction')} ({listed(large)}) {verb(len(large), 'is', 'are')}"
            why = "what a component adds depends much on the others"
            text = f"{several} larger than the part of one of the two: {why}"
            yield Notice(text, stage="verdict", remedy="read the columns added first and added last")

    def _not_the_best(self) -> Iterator[Notice]:
        """The combination with the best mean, where it is not the one with all components."""
        sign = 1.0 if self.measure.higher_is_better else -1.0
        means = sign * self.scores.mean(axis=0)
        best = int(means.argmax())
        on = [bool(column[best]) for column in self.chosen.design.values()]
        lead = float(means[best] - means[self.chosen.columns[1]])
        if all(on) or not any(on) or lead <= 0:
            return
        out = [c.title for c, each in zip(self.chosen.components, on, strict=True) if not each]
        size = self._sized(Interval("", lead, math.nan, math.nan))
        by = f"by a factor of {size}" if self.ratio else f"by {size}"
        text = f"without {listed(out)} the mean is better than with all components, {by}"
        several = plural(len(means), "combination")
        yield Notice(f"{text}; as the best of {several} it is over-estimated", stage="verdict")

    def next_steps(self) -> Iterator[NextStep]:
        """How many data sets would tell the largest part that is not shown from 0, by the spread that was seen."""
        if self.untested or self.found.parts.unit != "data set":
            return
        active = self.found.parts.active()
        for i in self.found.order():
            part = self.found.parts.intervals[i]
            half = (part.high - part.low) / 2
            if active[i] or not math.isfinite(half) or half == 0 or part.estimate == 0:
                continue
            need = len(self.scores) * (half / abs(part.estimate)) ** 2
            title = self.chosen.components[i].title
            if need <= MOST_UNITS:
                amount = _rounded(need)
                words = (
                    f"about {amount:,} data sets would tell the part of {title} from 0, if it is as large as it seems"
                )
                yield NextStep("more data", amount, "data sets", (title,), words=Text(words))
            return


def _rounded(number: float) -> int:
    """A number of data sets with two digits, rounded up.

    >>> _rounded(31.2), _rounded(412.0)
    (32, 420)
    """
    unit = 10 ** max(len(str(math.ceil(number))) - 2, 0)
    return int(math.ceil(number / unit) * unit)
