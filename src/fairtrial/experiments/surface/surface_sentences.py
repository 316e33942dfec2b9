"""The sentences about a response surface: where it is best, how sure that is, and where to go on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairtrial.experiments.answer_to import answers
from fairtrial.experiments.effects.effect_factors import Setting, VariedFactor
from fairtrial.experiments.surface.surface_factors import is_possible, setting_at
from fairtrial.measures import Measure
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import BestPoint, Interval, ResponseSurface, StationaryPoint, SteepestPath
from fairtrial.tables import formats
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

SHOWN = 3  # significant digits of a place


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceStory:
    """A fitted surface and all that sentences about it need.

    ``where`` is the data that the answer is about, such as "on data sets such as these 12". ``units`` are the names of
    the rows of values; ``unit`` is the word for one of them.
    """

    measure: Measure
    ratio: bool
    surface: ResponseSurface
    top: StationaryPoint | None
    best: BestPoint
    path: SteepestPath
    factors: tuple[VariedFactor, ...]
    settings: tuple[Setting, ...]
    scores: FloatArray
    units: tuple[str, ...]
    unit: str
    where: str

    @property
    def words(self) -> Wording:
        return Wording(self.measure)

    def statements(self) -> Iterator[Statement]:
        """The answer first, then how sure its place is, the worst case, and the best setting that was run."""
        yield from answers(self._sentences(), most=2)
        yield Remark(Role.CHOICE, Text(self._best_run()), "best run")

    def _sentences(self) -> Iterator[tuple[str, str]]:
        yield "best", self._inside() if self.best.inside else self._at_border()
        yield from (("region", text) for text in self._sureness())
        yield from (("worst", text) for text in self._worst())

    def _height(self) -> str:
        found = as_measured(self.best.height, self.measure, ratio=self.ratio)
        ends = None if math.isnan(found.low) else (found.low, found.high)
        return self.words.level(found.estimate, ends)

    def _inside(self) -> str:
        place = place_in_words(self.factors, self.best.point.tolist())
        return f"{self.words.name} is {self.words.best_word} at {place} {self.where}: {self._height()}."

    def _at_border(self) -> str:
        """At the border: which one, and where to go on."""
        words, place = self.words, place_in_words(self.factors, self.best.point.tolist())
        optimum = self.best.goal
        changes = "rises" if self.best.goal == "maximum" else "falls"
        start = f"{words.name} has no {optimum} inside of what was run {self.where}: it {changes} towards"
        if self.best.border:
            named = [f"{'large' if side > 0 else 'small'} {name}" for name, side in self.best.border.items()]
            start = f"{start} {listed(named)}, and is {words.best_word} at the border, at {place}"
        else:
            start = f"{start} the farthest settings, and is {words.best_word} near {place}"
        beyond = [p.tolist() for p in self.path.points if np.abs(p).max() > 1 and is_possible(self.factors, p.tolist())]
        go_on = f"; go on towards {place_in_words(self.factors, beyond[-1])}" if beyond else ""
        return f"{start}: {self._height()}{go_on}."

    def _sureness(self) -> Iterator[str]:
        """The region of the best point, or why it is not known."""
        top = self.top
        if top is None or not self.best.inside:
            return
        if top.nature == "ridge":
            yield f"Along a ridge it hardly changes: {self._along(top)}."
        if not top.spans:
            return
        level, spans = f"{100 * self.surface.level:g} %", [self._span(factor, top) for factor in self.factors]
        if top.open:
            region = f"its {level} region ({', '.join(spans)})"
            yield f"Where exactly is not sure: {region} reaches the border of what was run."
        else:
            yield f"That point lies within {listed(spans)} ({level} region)."

    def _span(self, factor: VariedFactor, top: StationaryPoint) -> str:
        low, high = (setting_at([factor], [end], SHOWN)[factor.name] for end in top.spans[factor.name])
        return f"{factor.name} {low:g} to {high:g}"

    def _along(self, top: StationaryPoint) -> str:
        """Both ends of the ridge within what was explored."""
        flattest = int(np.argmin([abs(value.estimate) for value in top.eigenvalues]))
        direction, start = top.directions[:, flattest], self.best.point
        low, high, _ = self.surface.reach()
        ends = [start + sign * _room(start, sign * direction, low, high) * direction for sign in (-1.0, 1.0)]
        return "from {} to {}".format(*(place_in_words(self.factors, end.tolist()) for end in ends))

    def _worst(self) -> Iterator[str]:
        """The worst case over data sets, which a mean hides."""
        worst = self.best.worst
        if worst is None or self.unit != "data set" or len(self.units) == 1:
            return
        if self.ratio:
            yield self._worst_ratio()
            return
        shown = self.words.value(float(self.best.by_row[worst]))
        yield f"This is the mean over data sets; the worst of them there is {self.units[worst]} with {shown}."

    def _worst_ratio(self) -> str:
        """Scales differ between data sets: the worst one is that with the smallest gain on its own mean."""
        gains = self.best.by_row - self.scores.mean(axis=1)
        i = int(gains.argmin() if self.measure.higher_is_better else gains.argmax())
        times = formats.significant(3)(math.exp(float(gains[i])))
        return (
            f"This is the geometric mean over data sets; the worst of them there is {self.units[i]}, with {times} "
            "times its own mean over all settings."
        )

    def _best_run(self) -> str:
        means = self.scores.mean(axis=0)
        i = int(means.argmax() if self.measure.higher_is_better else means.argmin())
        value = self.words.value(math.exp(float(means[i])) if self.ratio else float(means[i]))
        place = ", ".join(f"{f.name} {f.text(self.settings[i][f.name])}" for f in self.factors)
        return (
            f"Of the settings that were run, {place} has the {self.words.best_word} mean ({value}); as the best of "
            f"{plural(len(means), 'setting')} it is over-estimated."
        )


def as_measured(height: Interval, measure: Measure, *, ratio: bool) -> Interval:
    """A height of the surface in the unit of the measure, whose interval ends at its best and worst value.

    >>> from fairtrial.measures import get
    >>> as_measured(Interval("height", 0.95, 0.88, 1.02), get("accuracy"), ratio=False).high
    1.0
    """
    ends = [height.low, height.estimate, height.high]
    low, value, high = (math.exp(min(v, 700.0)) for v in ends) if ratio else ends
    bounds = sorted((measure.worst, measure.best))
    if bounds[0] <= value <= bounds[1]:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return replace(height, estimate=value, low=low, high=high)


def _room(start: FloatArray, direction: FloatArray, low: FloatArray, high: FloatArray) -> float:
    """How far a line stays inside the ranges."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.where(direction > 0, (high - start) / direction, (low - start) / direction)
    return float(np.min(ends[np.abs(direction) > 1e-9], initial=np.inf))


def place_in_words(factors: Sequence[VariedFactor], point: Sequence[float]) -> str:
    """A point in coded units in words: 'C ≈ 3.16, gamma ≈ 0.01'."""
    found = setting_at(factors, point, SHOWN)
    return ", ".join(f"{name} ≈ {value:g}" for name, value in found.items())
