"""The most robust setting, beside the one that the mean would have chosen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.choices import CRITERIA
from fairtrial.design import Level, Question
from fairtrial.experiments.effects.factor_effects import EffectsKind
from fairtrial.measures import Measure
from fairtrial.notices import Notice
from fairtrial.stats import Interval, RobustChoice
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
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

__all__ = ["RobustSetting"]

MOST_ROWS = 10


@dataclass(frozen=True, eq=False)
class RobustSetting(Shown):
    """A recommended setting and its rivals; ``print`` shows them, ``figure`` draws them.

    ``found`` has the values of all criteria for each of the ``settings`` (levels of controllable factors), as
    differences from the mean over settings, positive where better; logarithms where ratios are compared (``as_ratio``).
    ``means`` are the mean scores. ``conditions`` are the combinations of uncontrollable levels that every setting was
    tried under.
    """

    found: RobustChoice
    settings: tuple[Mapping[str, Level], ...]
    factors: tuple[str, ...]
    conditions: tuple[Mapping[str, Level], ...]
    units: tuple[str, ...]
    means: FloatArray
    measure: Measure
    as_ratio: bool
    question: Question
    evidence: Evidence
    results: Results
    sentences: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    next_steps: tuple[str, ...] = ()
    asked: AskedWhen = field(default_factory=AskedWhen)
    test: str = "none: a choice, not a test."
    why: str = "a setting that is chosen by its scores looks better than it is, and no interval around it holds"
    kind: EffectsKind = "over data sets"
    procedures: tuple[str, ...] = ("robust_choice",)

    @property
    def setting(self) -> Mapping[str, Level]:
        """The recommended setting."""
        return self.settings[self.found.chosen]

    @property
    def best_mean(self) -> Mapping[str, Level]:
        """The setting that the mean recommends."""
        return self.settings[self.found.best_by("mean")]

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

    @property
    def words(self) -> Wording:
        return Wording(self.measure, self.as_ratio)

    def measured(self, value: float) -> float:
        """A difference that is positive where better, as a difference or ratio of the measure itself."""
        return self.words.as_measured(Interval("difference", value, value, value)).estimate

    def to_table(self) -> Table:
        """The best settings by the criterion, and the one with the best mean."""
        differ = self.words.difference
        columns = (
            Column("setting", align="left"),
            Column("mean", self.words.value, key="score"),
            *(Column(_title(name), differ, key=name.replace(" ", "_")) for name in CRITERIA),
            Column("lower decile", differ, key="decile"),
            Column("chosen in", formats.percent, key="share"),
            Column("", align="left", key="mark"),
        )
        order = self.found.order()
        best = self.found.best_by("mean")
        shown = order[:MOST_ROWS] if best in order[:MOST_ROWS] else [*order[: MOST_ROWS - 1], best]
        return Table(columns, tuple(self._row(j) for j in shown), caption=self._caption(), notes=tuple(self._notes()))

    def _row(self, j: int) -> tuple[object, ...]:
        found = self.found
        mean = float(self.means[j])
        score = math.exp(mean) if self.as_ratio else mean
        values = (self.measured(float(found.values[name][j])) for name in CRITERIA)
        marks = ["recommended"] if j == found.chosen else []
        marks += ["best mean"] if j == found.best_by("mean") else []
        decile = self.measured(float(found.decile[j]))
        return (found.names[j], score, *values, decile, float(found.share[j]), ", ".join(marks))

    def _caption(self) -> str:
        several = plural(len(self.settings), "setting")
        over = plural(len(self.units), "data set")
        if len(self.conditions) > 1:
            over = f"{over} × {plural(len(self.conditions), 'condition')}"
        return f"{self.words.name}: {several} by their {self.found.criterion}, {over}"

    def _notes(self) -> Iterator[str]:
        kind = "ratios to" if self.as_ratio else "differences from"
        yield f"worst quarter, mean difference and lower decile: {kind} the mean of all settings on the same data set"
        yield "worst quarter: the mean of the quarter of the data sets on which the setting does worst"
        distance = "ratio" if self.as_ratio else "distance"
        yield f"largest regret: the largest {distance} to the best setting of a data set"
        if not self.measure.higher_is_better:
            yield f"of {self.words.name} lower is better"
        if not any(math.isnan(share) for share in self.found.share):
            yield "chosen in: the share of resamples of the data sets in which a setting is recommended"
        yield "all values of a setting that was chosen by them are too good; they have no intervals, since none holds"
        yield from self.found.notes
        if (left := len(self.settings) - MOST_ROWS) > 0:
            yield f"{plural(left, 'further setting')} not shown"

    def more_tables(self) -> tuple[Table, ...]:
        """What each criterion gives on data sets that took no part in the choice."""
        if self.found.left_out is None:
            return ()
        columns = (
            Column("chosen by", align="left"),
            Column("worst quarter", self.words.difference, key="worst_quarter"),
            Column("mean difference", self.words.difference, key="mean"),
        )
        rows = tuple(
            (
                name,
                self.measured(self.found.expected("worst quarter", of=name)),
                self.measured(self.found.expected("mean", of=name)),
            )
            for name in CRITERIA
        )
        note = "each data set in turn is left out, and the others choose the setting"
        return (Table(columns, rows, caption="what the choice gives on a data set that took no part", notes=(note,)),)

    def answer_blocks(self) -> tuple[Block, ...]:
        """The sentences, of which the first is the answer."""
        return (Answer(self.sentences[0]), *map(Paragraph, self.sentences[1:]))

    def points(self) -> tuple[Point, ...]:
        """The notices as points of a document."""
        return tuple(Point(notice.is_fine, notice.text) for notice in self.notices)

    def to_document(self) -> Document:
        """The answer, the tables, and what was checked."""
        return Document((*self.answer_blocks(), self.to_table(), *self.more_tables(), Facts(tuple(self._remarks()))))

    def _remarks(self) -> Iterator[tuple[str, str | Point]]:
        works = dict.fromkeys(w.short for name in self.procedures for w in PROCEDURES[name].references)
        yield "Test", f"{self.test} Why: {self.why}. ({'; '.join(works)})"
        for point in self.points():
            yield "Checked", point
        for step in self.next_steps:
            yield "Next", step

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "answer": self.sentence,
            "sentences": list(self.sentences),
            "measure": self.measure.name,
            "higher_is_better": self.measure.higher_is_better,
            "as_ratio": self.as_ratio,
            "question": self.question.to_dict(),
            "criterion": self.found.criterion,
            "setting": dict(self.setting),
            "best_mean": dict(self.best_mean),
            "settings": [dict(setting) for setting in self.settings],
            "conditions": [dict(condition) for condition in self.conditions],
            "units": list(self.units),
            "means": self.means.tolist(),
            "choice": self.found.to_dict(),
            "table": self.to_table().to_dict(),
            "asked": self.asked.to_dict(),
            "checks": [{"fine": n.is_fine, "text": n.text, **n.to_dict()} for n in self.notices],
            "next": list(self.next_steps),
            "failed_trials": self.failed,
        }

    def render(self, how: str) -> str:
        """The choice in one of the output formats: text, md, html; json; csv and latex have the table alone."""
        return render_result(self, how)

    def figure(self) -> Figure:
        """The mean against the worst quarter, a point for each setting."""
        from fairtrial.figures import robust_points, robust_setting_figure

        return robust_setting_figure(robust_points(self))

    def __repr__(self) -> str:
        return f"RobustSetting({self.found.names[self.found.chosen]!r}, by {self.found.criterion})"


def _title(criterion: str) -> str:
    return {"mean": "mean difference", "regret": "largest regret"}.get(criterion, criterion)
