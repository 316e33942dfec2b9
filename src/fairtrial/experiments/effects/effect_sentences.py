"""What the effects of factors mean, in plain words: what matters, what interacts, what shows no effect, what to set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fairtrial.design import FACTORS, level_text, write_levels
from fairtrial.experiments.effects.effect_factors import METHOD, Setting, VariedFactor
from fairtrial.experiments.effects.factor_effects import EffectRow, simple_effects
from fairtrial.measures import Measure
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import Interval
from fairtrial.tables import formats
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, part_of, plural, verb

MOST_SENTENCES = 3  # about further factors, and about interactions
HARDLY = 0.1  # an effect at one level, in units of that at the other
AFTER = ("interaction", "factor", "curve", "no effect")
"""What the second sentence of the short page is about: the first of these that there is."""

ONE_SPLIT = "One split says nothing about others: what stands out here may be the luck of this split."
SIZES = {
    "better by more than matters": ", more than the {delta} that you said matters",
    "better, size open": ", though it may be less than the {delta} that you said matters",
    "better but negligible": ", less than the {delta} that you said matters",
}


@dataclass(frozen=True, slots=True, eq=False)
class EffectStory:
    """The effects and all that sentences about them need.

    ``scores`` has units in rows and settings in columns, on the scale of comparison. ``where`` is the data that the
    answer is about, such as "on data sets such as these 12". ``untested`` says why nothing could be decided, if so.
    """

    measure: Measure
    ratio: bool
    factors: tuple[VariedFactor, ...]
    settings: tuple[Setting, ...]
    scores: FloatArray
    rows: tuple[EffectRow, ...]
    where: str
    unit: str
    delta: float | None = None
    untested: str = ""
    one_split: bool = False

    @property
    def words(self) -> Wording:
        return Wording(self.measure, self.ratio)

    def statements(self) -> Iterator[Statement]:
        """What is found, and what to set."""
        yield from self.findings()
        yield from self.advice()

    def findings(self) -> Iterator[Statement]:
        """Which factors matter and by how much, what interacts, and what shows no effect; two of them in short."""
        found = list(self._findings())
        second = min(found[1:], key=lambda one: AFTER.index(one[0]), default=None)
        for one in found:
            about, text = one
            yield Remark(Role.ANSWER, Text(text), about, only_full=one is not found[0] and one is not second)
        if self.one_split:
            yield Remark(Role.DOUBT, Text(ONE_SPLIT), "one split")

    def _findings(self) -> Iterator[tuple[str, str]]:
        """The sentences, and what each is about."""
        if self.untested:
            yield "untested", self._nothing_tested()
            return
        largest = self._largest()
        if largest:
            yield "largest", self._first(largest[0], len(largest))
            yield from (("factor", f"{self._about(row, 'matters too')}.") for row in largest[1 : 1 + MOST_SENTENCES])
            if left := [row.factors[0] for row in largest[1 + MOST_SENTENCES :]]:
                yield "factor", f"So {verb(len(left), 'does', 'do')} {listed(left)}, by less."
        else:
            yield "none", self._none_shown()
        yield from (("curve", text) for text in self._curves())
        yield from (("interaction", text) for text in self._interactions())
        yield from (("no effect", text) for text in self._without_effect())

    def _largest(self) -> list[EffectRow]:
        """The largest shown main effect of each factor, in the direction in which it helps; the largest first."""
        found: dict[tuple[str, str], EffectRow] = {}
        for row in sorted((r for r in self.rows if r.is_main and r.is_shown), key=lambda r: -r.size):
            found.setdefault((row.factors[0], row.within), row.improving())
        return list(found.values())

    def _first(self, row: EffectRow, several: int) -> str:
        name = self.words.name
        if len(self.factors) == 1:
            start = f"{row.factors[0]} matters for {name} {self.where}"
        else:
            most = "matters most" if several > 1 else "matters"
            start = f"Of {plural(len(self.factors), 'factor')}, {row.factors[0]} {most} for {name} {self.where}"
        return f"{start}{self._condition(row)}: {self._size(row)}."

    def _about(self, row: EffectRow, what: str) -> str:
        return f"{row.factors[0]} {what}{self._condition(row)}: {self._size(row)}"

    @staticmethod
    def _condition(row: EffectRow) -> str:
        return f" where {row.within}" if row.within else ""

    def _size(self, row: EffectRow) -> str:
        """From which level to which, by how much, and on how many data sets."""
        low, high = row.spans[0]
        span = f"{high} instead of {low}" if row.factors[0] == METHOD else f"from {low} to {high} it"
        text = f"{span} {self._change(row.interval)}{self._matters(row)}"
        if row.helps and not self.one_split:
            text += f", and helps on {part_of(row.helps[0], sum(row.helps), self.unit)}"
        if row.aliases:
            text += f" (this plan can't tell it from {listed(alias[2:] for alias in row.aliases)})"
        return text

    def _change(self, interval: Interval) -> str:
        """What an effect that helps does to the measure, in words."""
        words = self.words
        if words.ratio:
            return f"multiplies {words.name} by {words.sized(words.as_measured(interval))}"
        does = "adds" if self.measure.higher_is_better else "takes off"
        return f"{does} {words.sized(interval)}"

    def _matters(self, row: EffectRow) -> str:
        if self.delta is None or row.decision not in SIZES:
            return ""
        return SIZES[row.decision].format(delta=self.words.delta(self.delta))

    def _none_shown(self) -> str:
        names = plural(len(self.factors), "factor")
        some = any(row.is_shown for row in self.rows)
        if some:
            return f"None of {names} shows an effect on {self.words.name} by itself {self.where}."
        which = f"of {self.factors[0].name}" if len(self.factors) == 1 else f"of any of {names}"
        return f"The data show no effect {which} on {self.words.name} {self.where}."

    def _nothing_tested(self) -> str:
        best = max(self.rows, key=lambda row: row.size if row.is_main else -1.0)
        row = best.improving()
        low, high = row.spans[0]
        size = self._change(Interval("effect", row.interval.estimate, math.nan, math.nan))
        about = "" if len(self.factors) == 1 else f" about {plural(len(self.factors), 'factor')}"
        return (
            f"Nothing is decided{about} {self.where}: {self.untested}; the largest effect seen is that of "
            f"{row.factors[0]}, which {size} from {low} to {high}."
        )

    def _curves(self) -> Iterator[str]:
        for row in [r for r in self.rows if r.is_curved and r.is_shown][:MOST_SENTENCES]:
            place = "better" if row.interval.estimate > 0 else "worse"
            size = (
                self.words.sized(_improved(row.interval)) if not self.ratio else self._change(_improved(row.interval))
            )
            how = f"by {size}" if not self.ratio else f"({size})"
            yield f"The effect of {row.factors[0]} is curved: its ends are {place} than its middle {how}."

    def _interactions(self) -> Iterator[str]:
        shown = sorted((r for r in self.rows if len(r.factors) > 1 and r.is_shown), key=lambda r: -r.size)
        seen: dict[tuple[str, ...], EffectRow] = {}
        for row in shown:
            seen.setdefault(row.factors, row)
        for row in list(seen.values())[:MOST_SENTENCES]:
            yield self._two(row) if len(row.factors) == 2 else f"{listed(row.factors)} interact."
        if left := list(seen)[MOST_SENTENCES:]:
            yield f"{plural(len(left), 'more interaction')} {verb(len(left), 'is', 'are')} in the table."

    def _two(self, row: EffectRow) -> str:
        """Which level is better at which level of the other factor."""
        a, b = row.factors
        mains = (r for r in self.rows if r.is_main and (r.factors, r.spans) == (row.factors[:1], row.spans[:1]))
        main = next((r.interval.estimate for r in mains), 0.0)
        sign = 1.0 if self.measure.higher_is_better else -1.0
        known = {f.name: f for f in self.factors}
        at_low, at_high = simple_effects(row, known, self.settings, sign * self.scores, main)
        (low, high), (first, second) = row.spans
        places = [(second, at_high), (first, at_low)]
        (most, large), (other, small) = sorted(places, key=lambda place: -abs(place[1]))
        mixed = f" (this plan can't tell it from {listed(alias[2:] for alias in row.aliases)})" if row.aliases else ""
        start = (
            f"{a} and {b} interact{self._condition(row)}{mixed}: at {b} {most}, {a} {self._better(large, low, high)}"
        )
        if abs(small) < HARDLY * abs(large):
            return f"{start}, but at {b} {other} there is hardly a difference ({self._plain(abs(small))})."
        if large * small > 0:
            return f"{start}, and at {b} {other} by {self._plain(abs(small))}."
        return f"{start}, but at {b} {other}, {a} {self._better(small, low, high)}."

    def _better(self, effect: float, low: str, high: str) -> str:
        better, worse = (high, low) if effect >= 0 else (low, high)
        return f"{better} is better than {worse} by {self._plain(abs(effect))}"

    def _plain(self, size: float) -> str:
        """The size of an effect without an interval, such as 0.02 or, for ratios, 8 % or a factor of 2.5."""
        if self.ratio:
            more = math.expm1(min(size, 700.0))
            return formats.percent(more) if more < 1 else f"a factor of {formats.significant(2)(more + 1)}"
        return self.words.sized(Interval("", size, math.nan, math.nan))

    def _without_effect(self) -> Iterator[str]:
        """The factors of which no effect is shown: too small to matter, or undecided."""
        active = {name for row in self.rows if row.is_shown for name in row.factors}
        left = [f.name for f in self.factors if f.name not in active]
        if not left:
            return
        small = [name for name in left if self.delta is not None and self._is_small(name)]
        open_ = [name for name in left if name not in small]
        if small:
            delta = self.words.delta(self.delta or 0.0)
            yield f"{listed(small)} {verb(len(small), 'changes', 'change')} it by less than the {delta} that matter."
        if open_ and (active or len(open_) < len(left)):
            yield f"The data show no effect of {listed(open_)}; {self._ruled_out(open_)}."
        elif open_:
            yield f"This does not mean that there is none: {self._ruled_out(open_)}."

    def _is_small(self, name: str) -> bool:
        own = [row for row in self.rows if name in row.factors]
        return bool(own) and all(row.decision == "equivalent" for row in own)

    def _ruled_out(self, names: Sequence[str]) -> str:
        """How large the main effects of some factors may still be."""
        own = [r.interval for r in self.rows if r.is_main and r.factors[0] in names]
        ends = [abs(end) for interval in own for end in (interval.low, interval.high)]
        if not ends or not np.isfinite(ends).all():
            return "no size of it is ruled out"
        return f"effects of up to {self._plain(max(ends))} are not ruled out"

    def advice(self) -> Iterator[Statement]:
        """What to set: the setting with the best mean, and what can be chosen by cost."""
        for about, text in self._advice():
            yield Remark(Role.CHOICE, Text(text), about, only_full=about != "best mean")

    def _advice(self) -> Iterator[tuple[str, str]]:
        free = [f.name for f in self.factors if f.controllable]
        fixed = [f.name for f in self.factors if not f.controllable]
        if fixed:
            its = verb(len(fixed), "its effect says", "their effects say")
            yield (
                "conditions",
                f"{listed(fixed)} {verb(len(fixed), 'is', 'are')} uncontrollable and can't be set; {its} how much the "
                "conditions of use change the scores.",
            )
        if not free:
            return
        groups: dict[tuple[tuple[str, str], ...], list[int]] = {}
        for i, setting in enumerate(self.settings):
            key = tuple((name, level_text(setting[name])) for name in free if name in setting)
            groups.setdefault(key, []).append(i)
        means = {key: float(self.scores[:, own].mean()) for key, own in groups.items()}
        best = (max if self.measure.higher_is_better else min)(means, key=means.__getitem__)
        first = self.settings[groups[best][0]]
        mean = math.exp(means[best]) if self.ratio else means[best]
        value, over = self.words.value(mean), f" over {plural(len(self.scores), self.unit)}" * (len(self.scores) > 1)
        yield (
            "best mean",
            f"The setting with the {self.words.best_word} mean is {setting_in_words(first, free)} ({value}{over}); "
            f"as the best of {plural(len(groups), 'setting')} it is over-estimated.",
        )
        active = {name for row in self.rows if row.is_shown for name in row.factors}
        idle = [name for name in free if name not in active and name not in FACTORS]
        if not self.untested and idle and active:
            text = f"{listed(idle)}, which {verb(len(idle), 'shows', 'show')} no effect, may be chosen by cost."
            yield "cost", text


def _improved(interval: Interval) -> Interval:
    return interval if interval.estimate >= 0 else interval.negated()


def setting_in_words(setting: Setting, names: Sequence[str]) -> str:
    """The levels of some factors in a setting: 'forest, max_depth 3'.

    >>> setting_in_words({"method": "forest", "max_depth": 3}, ["method", "max_depth"])
    'forest, max_depth 3'
    """
    own = {name: setting[name] for name in names if name in setting and name != METHOD}
    parts = [str(setting[METHOD])] if METHOD in setting and METHOD in names else []
    return ", ".join([*parts, *([write_levels(own)] if own else [])])
