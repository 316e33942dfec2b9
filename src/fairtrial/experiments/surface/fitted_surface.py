"""Which setting is best: a response surface of numeric factors with its evidence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairtrial.design import Study
from fairtrial.experiments.answer_to import FactorAnswer
from fairtrial.experiments.effects.effect_factors import Setting, VariedFactor
from fairtrial.experiments.surface.confirm_surface import Confirmation, confirm_surface
from fairtrial.experiments.surface.surface_factors import natural_range, setting_at
from fairtrial.experiments.surface.surface_sentences import as_measured
from fairtrial.resampling import HeldBack
from fairtrial.shown import drawn
from fairtrial.stats import BestPoint, ResponseSurface, StationaryPoint, SteepestPath
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, kw_only=True)
class FittedSurface(FactorAnswer):
    """The response surface of a measure over numeric factors; ``print`` shows it, ``figure`` draws it.

    ``surface`` is the fit in coded units, ``top`` its stationary point (None for a plane), ``best`` the best point of
    what was explored, ``way`` the path on from the middle. ``scores`` has a row for each of the ``units`` (data sets,
    or splits of one data set) and a column for each of the ``settings``, on the scale of comparison: the measure
    itself, or its logarithm where ratios are compared (``as_ratio``).
    """

    name = "surface"

    surface: ResponseSurface
    top: StationaryPoint | None
    best: BestPoint
    way: SteepestPath
    varied: tuple[VariedFactor, ...]
    settings: tuple[Setting, ...]
    scores: FloatArray

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors, in order."""
        return tuple(f.name for f in self.varied)

    @property
    def setting(self) -> dict[str, float | int]:
        """The best setting in the units of the parameters, rounded to four digits."""
        return setting_at(self.varied, self.best.point.tolist())

    @property
    def words(self) -> Wording:
        """How heights are written: in the unit of the measure, also where ratios are compared."""
        return Wording(self.measure)

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
        words, height = self.words, as_measured(self.best.height, self.measure, ratio=self.as_ratio)
        value = words.level(height.estimate, None if math.isnan(height.low) else (height.low, height.high))
        caption = f"{words.best_word} {words.name} of the surface: {value}"
        return Table(columns=columns, rows=rows, caption=caption)

    def _cells(self) -> Iterator[tuple[object, ...]]:
        spans = self.top.spans if self.top is not None and self.best.inside else {}
        for factor in self.varied:
            own = natural_range(factor)
            span = spans.get(factor.name)
            region = None if span is None else tuple(setting_at([factor], [end])[factor.name] for end in span)
            side = self.best.border.get(factor.name)
            mark = "" if side is None else "at the high end" if side > 0 else "at the low end"
            yield factor.name, factor.scale, own.low, own.high, self.setting[factor.name], region, mark

    def explanations(self) -> tuple[tuple[str, str], ...]:
        """What the columns of the table mean, by their titles."""
        nature = [] if self.top is None else ["a flat surface" if self.top.nature == "flat" else f"a {self.top.nature}"]
        region = [f"that of the stationary point, {text}" for text in nature] + list(self.top.notes if self.top else ())
        best = "; ".join(("the best point of what was explored", *self.surface.notes))
        sure = self.to_table().columns[5].title
        return (("best", best), *(((sure, "; ".join(region)),) if region else ()))

    def more_tables(self) -> tuple[Table, ...]:
        """The coefficients, the analysis of variance, and the path."""
        found = self.surface.to_table(), self.surface.anova.to_table(), self.way.to_table()
        if not self.as_ratio:
            return found
        note = f"of the logarithm of {self.words.name}"
        return tuple(replace(table, caption=f"{table.caption}, {note}") for table in found)

    def found_data(self) -> dict[str, Any]:
        """The fit, its best point, and the settings."""
        return {
            "setting": self.setting,
            "surface": self.surface.to_dict(),
            "stationary": None if self.top is None else self.top.to_dict(),
            "best": self.best.to_dict(),
            "path": self.way.to_dict(),
            "settings": [dict(setting) for setting in self.settings],
            "scores": self.scores.tolist(),
        }

    def confirm(self, study: Study, held: HeldBack, *, workers: int | None = 0) -> Confirmation:
        """What the best setting reaches on rows that were held back, and by how much the best run was over-estimated.

        ``held`` is what :func:`fairtrial.hold_back` gave, and ``study`` was run on ``held.searched``. Each method
        learns from all rows that were searched, and is tested on the others.
        """
        return confirm_surface(self, study, held, workers=workers)

    def figure(self, kind: str = "contour") -> Figure:
        """Draw the surface: ``"contour"`` or ``"slices"``."""
        return drawn("surface_figure", self, kind)

    def __repr__(self) -> str:
        return f"FittedSurface({listed(self.factors)}: {self.sentence})"
