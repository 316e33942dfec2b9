"""Which setting is best: a response surface of numeric factors with its evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.design import Question, Study
from fairtrial.experiments.effects.effect_factors import Setting, VariedFactor
from fairtrial.experiments.surface.confirm_surface import Confirmation, confirm_surface
from fairtrial.experiments.surface.surface_factors import natural_range, setting_at
from fairtrial.experiments.surface.surface_sentences import as_measured
from fairtrial.measures import Measure
from fairtrial.notices import Notice
from fairtrial.resampling import HeldBack
from fairtrial.stats import BestPoint, ResponseSurface, StationaryPoint, SteepestPath
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
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

__all__ = ["FittedSurface"]


@dataclass(frozen=True, eq=False)
class FittedSurface(Shown):
    """The response surface of a measure over numeric factors; ``print`` shows it, ``figure`` draws it.

    ``surface`` is the fit in coded units, ``top`` its stationary point (None for a plane), ``best`` the best point of
    what was explored, ``path`` the way on from the middle. ``scores`` has a row for each of the ``units`` (data sets,
    or splits of one data set) and a column for each of the ``settings``, on the scale of comparison: the measure
    itself, or its logarithm where ratios are compared (``as_ratio``).
    """

    surface: ResponseSurface
    top: StationaryPoint | None
    best: BestPoint
    path: SteepestPath
    measure: Measure
    varied: tuple[VariedFactor, ...]
    settings: tuple[Setting, ...]
    units: tuple[str, ...]
    unit: str
    scores: FloatArray
    as_ratio: bool
    sentences: tuple[str, ...]
    notices: tuple[Notice, ...]
    next_steps: tuple[str, ...]
    question: Question
    results: Results
    why: str
    asked: AskedWhen = field(default_factory=AskedWhen)

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors, in order."""
        return tuple(f.name for f in self.varied)

    @property
    def sentence(self) -> str:
        """The answer."""
        return self.sentences[0]

    @property
    def setting(self) -> dict[str, float | int]:
        """The best setting in the units of the parameters, rounded to four digits."""
        return setting_at(self.varied, self.best.point.tolist())

    @property
    def failed(self) -> int:
        """The number of failed trials."""
        return len(self.results.failures)

    @property
    def study_file(self) -> Path | None:
        """The study file, where there is one."""
        return self.results.path

    def value_at(self, height: float) -> float:
        """A height of the surface in the unit of the measure."""
        return math.exp(min(height, 700.0)) if self.as_ratio else height

    def to_table(self) -> Table:
        """A row for each factor: its range, the best setting, and the region in which the stationary point may lie."""
        write = formats.significant(3)
        columns = (
            Column("factor", align="left"),
            Column("scale", align="left"),
            Column("from", write),
            Column("to", write),
            Column("best", write),
            Column(f"{100 * self.question.level:g} % region", formats.span(write), key="region"),
            Column("", align="left", key="border"),
        )
        rows = tuple(self._cells())
        words, height = Wording(self.measure), as_measured(self.best.height, self.measure, ratio=self.as_ratio)
        value = words.level(height.estimate, None if math.isnan(height.low) else (height.low, height.high))
        caption = f"{words.best_word} {words.name} of the surface: {value}"
        return Table(columns=columns, rows=rows, caption=caption, notes=tuple(self._table_notes()))

    def _cells(self) -> Iterator[tuple[object, ...]]:
        spans = self.top.spans if self.top is not None and self.best.inside else {}
        for factor in self.varied:
            own = natural_range(factor)
            span = spans.get(factor.name)
            region = None if span is None else tuple(setting_at([factor], [end])[factor.name] for end in span)
            side = self.best.border.get(factor.name)
            mark = "" if side is None else "at the high end" if side > 0 else "at the low end"
            yield factor.name, factor.scale, own.low, own.high, self.setting[factor.name], region, mark

    def _table_notes(self) -> Iterator[str]:
        if self.top is not None:
            yield (
                f"the stationary point of the surface is a {self.top.nature}"
                if self.top.nature != "flat"
                else ("the surface is flat")
            )
            yield from self.top.notes
        yield from self.surface.notes

    def more_tables(self) -> tuple[Table, ...]:
        """The coefficients, the analysis of variance, and the path."""
        found = self.surface.to_table(), self.surface.anova.to_table(), self.path.to_table()
        if not self.as_ratio:
            return found
        note = f"of the logarithm of {Wording(self.measure).name}"
        return tuple(replace(table, caption=f"{table.caption}, {note}") for table in found)

    def answer_blocks(self) -> tuple[Block, ...]:
        """The sentences, of which the first is the answer."""
        return (Answer(self.sentences[0]), *map(Paragraph, self.sentences[1:]))

    def points(self) -> tuple[Point, ...]:
        """The notices as points of a document."""
        return tuple(Point(notice.is_fine, notice.text) for notice in self.notices)

    def to_document(self) -> Document:
        """The answer, the tables, what was checked, and what to do next."""
        return Document((*self.answer_blocks(), self.to_table(), *self.more_tables(), Facts(tuple(self._remarks()))))

    def _remarks(self) -> Iterator[tuple[str, str | Point]]:
        names = ("response_surface", "stationary_point", "steepest_path")
        works = dict.fromkeys(work.short for name in names for work in PROCEDURES[name].references)
        yield "Fit", f"{self.why} ({'; '.join(works)})"
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
            "setting": self.setting,
            "surface": self.surface.to_dict(),
            "stationary": None if self.top is None else self.top.to_dict(),
            "best": self.best.to_dict(),
            "path": self.path.to_dict(),
            "settings": [dict(setting) for setting in self.settings],
            "units": list(self.units),
            "scores": self.scores.tolist(),
            "table": self.to_table().to_dict(),
            "why": self.why,
            "asked": self.asked.to_dict(),
            "checks": [{"fine": n.is_fine, "text": n.text, **n.to_dict()} for n in self.notices],
            "next": list(self.next_steps),
            "failed_trials": self.failed,
        }

    def render(self, how: str) -> str:
        """The surface in one of the output formats: text, md, html; json; csv and latex have the table alone."""
        return render_result(self, how)

    def confirm(self, study: Study, held: HeldBack, *, workers: int | None = 0) -> Confirmation:
        """What the best setting reaches on rows that were held back, and by how much the best run was over-estimated.

        ``held`` is what :func:`fairtrial.hold_back` gave, and ``study`` was run on ``held.searched``. Each method
        learns from all rows that were searched, and is tested on the others.
        """
        return confirm_surface(self, study, held, workers=workers)

    def figure(self, kind: str = "contour") -> Figure:
        """Draw the surface: ``"contour"`` or ``"slices"``."""
        from fairtrial.figures import surface_figure

        return surface_figure(self, kind)

    def __repr__(self) -> str:
        return f"FittedSurface({listed(self.factors)}: {self.sentence})"
