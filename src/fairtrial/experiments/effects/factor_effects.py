"""Which factors matter, by how much, what interacts, what to set: effects of factors with their evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fairtrial.design import Level, Question
from fairtrial.experiments.effects.effect_factors import VariedFactor
from fairtrial.experiments.effects.effect_rows import EffectRow
from fairtrial.measures import Measure
from fairtrial.notices import Notice
from fairtrial.stats import AnovaTable, Effects, EffectValues, FactorialModel, Lenth, VarianceShares
from fairtrial.stats.outcome import bound_if
from fairtrial.stats.procedures import PROCEDURES
from fairtrial.tables import (
    Answer,
    Block,
    Column,
    Document,
    Facts,
    Paragraph,
    Point,
    Shown,
    Table,
    formats,
    render_result,
)
from fairtrial.verdict.asked_when import AskedWhen
from fairtrial.verdict.evidence import Evidence, FloatArray
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

__all__ = ["EffectsKind", "FactorEffects"]

EffectsKind = Literal["over data sets", "on splits", "one split"]


@dataclass(frozen=True, eq=False)
class FactorEffects(Shown):
    """The effects of factors on a measure; ``print`` shows them, ``figure`` draws them.

    ``kind`` says what the effects were judged over. ``scores`` has a row for each of the ``units`` (data sets, or
    splits of one data set) and a column for each of the ``settings``, on the scale of comparison: the measure itself,
    or its logarithm where ratios are compared (``as_ratio``). ``values`` and ``effects`` are positive where an effect
    *improves* the measure, so that they are those of −scores where lower is better. ``factors`` are the names of the
    factors, in order; ``method`` is one of them if several methods have settings. A nested factor is absent from the
    settings in which it does not exist.

    Two to five data sets are judged one by one: ``parts`` has the effects on each, whose intervals hold for all of them
    together. ``scores`` then are the means on the data sets, and ``effects`` are not tested.
    """

    kind: EffectsKind
    settings: tuple[Mapping[str, Level], ...]
    units: tuple[str, ...]
    scores: FloatArray
    model: FactorialModel
    values: EffectValues
    effects: Effects | Lenth
    anova: AnovaTable | None
    measure: Measure
    varied: tuple[VariedFactor, ...]
    rows: tuple[EffectRow, ...]
    sentences: tuple[str, ...]
    notices: tuple[Notice, ...]
    as_ratio: bool
    question: Question
    evidence: Evidence
    results: Results
    test: str
    why: str
    next_steps: tuple[str, ...] = ()
    shares: VarianceShares | None = None
    parts: Mapping[str, FactorEffects] = field(default_factory=dict)
    asked: AskedWhen = field(default_factory=AskedWhen)
    procedures: tuple[str, ...] = ()

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors, in order."""
        return tuple(f.name for f in self.varied)

    @property
    def sentence(self) -> str:
        """The answer."""
        return self.sentences[0]

    @property
    def failed(self) -> int:
        """The number of failed trials."""
        return len(self.results.failures)

    @property
    def path(self) -> Path | None:
        """The study file, where there is one."""
        return self.results.path

    def active(self) -> tuple[str, ...]:
        """The names of the effects that are shown, the largest first; with data sets where each is judged by itself."""
        if self.parts:
            return tuple(f"{name} on {dataset}" for dataset, part in self.parts.items() for name in part.active())
        return tuple(row.label for row in sorted(self.rows, key=lambda r: -r.size) if row.is_shown)

    def to_table(self) -> Table:
        """A row for each effect, the largest first: from which level to which, size, interval, p, where it helps."""
        words = Wording(self.measure, self.as_ratio)
        several = (Column("data set", align="left"),) if self.parts else ()
        columns = (
            *several,
            Column("effect", align="left"),
            Column("from", align="left"),
            Column("to", align="left"),
            Column("change", words.difference),
            Column(f"{100 * self.question.level:g} % interval", formats.span(words.difference), key="interval"),
            Column("p", formats.p_value),
            Column(self._p_title(), formats.p_value, key="p_adjusted"),
            Column("helps on", align="right", key="helps"),
            Column("sd", formats.significant(3), key="spread"),
            Column("", align="left", key="mark"),
        )
        if self.parts:
            rows = [(name, *row) for name, part in self.parts.items() for row in part.cells()]
        else:
            rows = list(self.cells())
        caption = f"effects on {words.name}, {self._over()}"
        spread = f"sd: the standard deviation of the effect over {self._unit()}s"
        return Table(columns=columns, rows=tuple(rows), caption=caption, notes=(*self._notes(), spread))

    def cells(self) -> Iterator[tuple[object, ...]]:
        """The rows of the table."""
        words = Wording(self.measure, self.as_ratio)
        for row in sorted(self.rows, key=lambda r: -r.size):
            shown = words.as_measured(row.interval)
            helps = f"{row.helps[0]} of {sum(row.helps)}" if row.helps else None
            low, high = row.spans[0] if row.is_main else ("", "")
            floor = row.p_adjusted <= 1e-12
            yield (
                row.label,
                low,
                high,
                shown.estimate,
                span_of(shown),
                row.p_value,
                bound_if(row.p_adjusted, floor),
                helps,
                None if math.isnan(row.spread) else row.spread,
                "*" if row.is_shown else "",
            )

    def _p_title(self) -> str:
        if isinstance(self.effects, Lenth):
            return "p (all effects)"
        return "p (joint flips)" if self.kind == "over data sets" else "p (Bonferroni)"

    def _unit(self) -> str:
        return "data set" if self.kind == "over data sets" else "split"

    def _over(self) -> str:
        if self.parts:
            return f"on each of {plural(len(self.parts), 'data set')}"
        if self.kind == "one split":
            return "on one split"
        return f"over {plural(len(self.units), self._unit())}"

    def _notes(self) -> Iterator[str]:
        """What the columns mean."""
        m = sum(len(part.rows) for part in self.parts.values()) if self.parts else len(self.rows)
        yield f"intervals hold for all {plural(m, 'effect')} together; * 0 lies outside"
        if any(len(row.factors) > 1 for row in self.rows):
            yield "×: an interaction, half the difference between the effects of one factor at two levels of the other"
        if self.as_ratio:
            yield "changes are ratios (×), and the standard deviation is that of their logarithms"
        yield from self.model.notes

    def more_tables(self) -> tuple[Table, ...]:
        """The analysis of variance with strata and the shares of the variance, where there are any."""
        found = [] if self.anova is None else [self.anova.to_table()]
        return (*found, *(() if self.shares is None else (self.shares.to_table(),)))

    def answer_blocks(self) -> tuple[Block, ...]:
        """The sentences, of which the first is the answer."""
        return (Answer(self.sentences[0]), *map(Paragraph, self.sentences[1:]))

    def points(self) -> tuple[Point, ...]:
        """The notices as points of a document."""
        return tuple(Point(notice.is_fine, notice.text) for notice in self.notices)

    def to_document(self) -> Document:
        """The answer, the tables, the test, and what was checked."""
        return Document((*self.answer_blocks(), self.to_table(), *self.more_tables(), Facts(tuple(self._remarks()))))

    def _remarks(self) -> Iterator[tuple[str, str | Point]]:
        works = dict.fromkeys(w.short for name in self.procedures for w in PROCEDURES[name].references)
        cited = f" ({'; '.join(works)})" if works else ""
        yield "Test", f"{self.test} Why: {self.why}.{cited}"
        for point in self.points():
            yield "Checked", point
        for step in self.next_steps:
            yield "Next", step

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "answer": self.sentence,
            "sentences": list(self.sentences),
            "kind": self.kind,
            "measure": self.measure.name,
            "higher_is_better": self.measure.higher_is_better,
            "as_ratio": self.as_ratio,
            "question": self.question.to_dict(),
            "factors": {f.name: list(f.levels) for f in self.varied},
            "uncontrollable": [f.name for f in self.varied if not f.controllable],
            "settings": [dict(setting) for setting in self.settings],
            "units": list(self.units),
            "scores": self.scores.tolist(),
            "active": list(self.active()),
            "effects": self.effects.to_dict(),
            "decisions": {row.label: row.decision for row in self.rows},
            "anova": None if self.anova is None else self.anova.to_dict(),
            "variance_shares": None if self.shares is None else self.shares.to_dict(),
            "table": self.to_table().to_dict(),
            "test": self.test,
            "why": self.why,
            "asked": self.asked.to_dict(),
            "checks": [{"fine": n.is_fine, "text": n.text, **n.to_dict()} for n in self.notices],
            "next": list(self.next_steps),
            "failed_trials": self.failed,
            "parts": {name: part.to_dict() for name, part in self.parts.items()},
        }

    def render(self, how: str) -> str:
        """The effects in one of the output formats: text, md, html; json; csv and latex have the table alone."""
        return render_result(self, how)

    def figure(self, kind: str = "pareto_effects") -> Figure:
        """Draw the effects: ``"pareto_effects"``, ``"half_normal"``, ``"main_effects"`` or ``"interactions"``."""
        return self.results.figure(kind, measure=self.measure.name)

    def __repr__(self) -> str:
        shown = len(self.active())
        return f"FactorEffects({self.kind}, {listed(self.factors)}: {part_of(shown, len(self.rows), 'effect')} shown)"
