"""The best setting of a surface on rows that were held back: what it reaches, and by how much it was over-estimated."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design import Factor, Question, Study
from fairtrial.design.layouts import BestGuess
from fairtrial.errors import InputError
from fairtrial.experiments.effects.effect_evidence import gather_settings
from fairtrial.experiments.effects.effect_factors import Setting, VariedFactor
from fairtrial.experiments.surface.surface_factors import natural_range
from fairtrial.experiments.surface.surface_sentences import as_measured, place_in_words
from fairtrial.measures import Measure
from fairtrial.resampling import HeldBack
from fairtrial.shown import drawn
from fairtrial.stats import Interval
from fairtrial.tables import Answer, Column, Document, Paragraph, Shown, Table, formats, render_result
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.experiments.surface.fitted_surface import FittedSurface


@dataclass(frozen=True, eq=False)
class Confirmation(Shown):
    """What settings reach on rows that were held back, against what was found on the rows that were searched.

    ``searched`` and ``reached`` are the means over data sets of each setting that was run, on both parts of the rows,
    in the unit of the measure. ``predicted`` is the height of the surface at its best setting, ``confirmed`` what this
    setting reaches; ``by_dataset`` has that for each data set.
    """

    setting: dict[str, float | int]
    predicted: Interval
    confirmed: float
    by_dataset: dict[str, float]
    searched: FloatArray
    reached: FloatArray
    measure: Measure
    points: FloatArray
    factors: tuple[VariedFactor, ...]

    @property
    def best(self) -> int:
        """The number of the setting that was best on the rows that were searched."""
        return int(self.searched.argmax() if self.measure.higher_is_better else self.searched.argmin())

    @property
    def optimism(self) -> float:
        """By how much the best of the settings was over-estimated because it was chosen; positive: it looked too good.

        It is the loss of the best setting from the searched to the held-back rows, less the mean loss of all settings:
        that all settings do worse on some rows is no optimism.
        """
        sign = 1.0 if self.measure.higher_is_better else -1.0
        losses = sign * (self.searched - self.reached)
        return float(losses[self.best] - losses.mean())

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the best setting reaches, and by how much the best of all settings was over-estimated."""
        return tuple(self._sentences())

    @property
    def sentence(self) -> str:
        """The answer."""
        return self.sentences[0]

    def _sentences(self) -> Iterator[str]:
        words = Wording(self.measure)
        place = ", ".join(f"{name} {value:g}" for name, value in self.setting.items())
        found = self.predicted
        ends = None if math.isnan(found.low) else (found.low, found.high)
        how = "as predicted" if found.low <= self.confirmed <= found.high else "outside of what was predicted"
        how = "predicted without an interval" if ends is None else how
        over = f" over {plural(len(self.by_dataset), 'data set')}" if len(self.by_dataset) > 1 else ""
        yield (
            f"On rows that were held back, {place} reaches {words.name} {words.value(self.confirmed)}{over}, {how}: "
            f"the surface said {words.level(found.estimate, ends)}."
        )
        yield self._over_estimated(words)

    def _over_estimated(self, words: Wording) -> str:
        best = place_in_words(self.factors, self.points[self.best].tolist())
        was = "over-estimated" if self.optimism >= 0 else "under-estimated"
        size = (formats.enough(3) if words.digits else formats.significant(2))(abs(self.optimism))
        own = words.values(float(self.searched[self.best]), float(self.reached[self.best]))
        every = words.values(float(self.searched.mean()), float(self.reached.mean()))
        return (
            f"The best of {plural(len(self.searched), 'setting')} that were run, {best}, was {was} by {size}: it had "
            f"{own[0]} on the rows that were searched and has {own[1]} on those held back, while the mean of all "
            f"settings went from {every[0]} to {every[1]}."
        )

    def to_table(self) -> Table:
        """A row for each setting: its values, and its means on both parts of the rows; the best of each is marked."""
        words = Wording(self.measure)
        columns = (
            Column("setting", align="left"),
            Column("searched", words.value),
            Column("held back", words.value),
            Column("", align="left", key="mark"),
        )
        rows = [
            (place_in_words(self.factors, point.tolist()), float(a), float(b), "best run" if i == self.best else "")
            for i, (point, a, b) in enumerate(zip(self.points, self.searched, self.reached, strict=True))
        ]
        chosen = ", ".join(f"{name} ≈ {value:.3g}" for name, value in self.setting.items())
        rows.append((chosen, self.predicted.estimate, self.confirmed, "best of the surface"))
        return Table(columns=columns, rows=tuple(rows), caption=f"{words.name} on both parts of the rows")

    def to_document(self) -> Document:
        """The answer and its table."""
        return Document((Answer(self.sentence), *map(Paragraph, self.sentences[1:]), self.to_table()))

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "answer": self.sentence,
            "sentences": list(self.sentences),
            "setting": self.setting,
            "predicted": self.predicted.to_dict(),
            "confirmed": self.confirmed,
            "by_dataset": self.by_dataset,
            "searched": self.searched.tolist(),
            "reached": self.reached.tolist(),
            "optimism": self.optimism,
            "table": self.to_table().to_dict(),
        }

    def render(self, how: str) -> str:
        """The confirmation in one of the output formats."""
        return render_result(self, how)

    def figure(self) -> Figure:
        """Draw held-back against searched means of all settings, with the prediction and its interval."""
        return drawn("confirmation_figure", self)


def confirm_surface(found: FittedSurface, study: Study, held: HeldBack, *, workers: int | None = 0) -> Confirmation:
    """Run the best setting of a surface, and all settings that were run, on rows that were held back.

    Each method learns from all rows that were searched, and is tested on the others. ``study`` is the one that was run
    on ``held.searched``.
    """
    _check(found, study, held)
    low, high, _ = found.surface.reach()
    points = 2 * (np.vstack([found.surface.points, found.best.point]) - low) / (high - low) - 1
    again = Study(
        Question(measure=found.measure.name),
        datasets=[data for data in held.whole if data.name in found.results.dataset_names()],
        methods=[method for method in study.methods if not method.yardstick],
        resampling=held.resampling,
        factors=[_explored(found, study, i) for i in range(len(found.varied))],
        plan=BestGuess(rows=np.unique(np.clip(points, -1, 1).round(12), axis=0).tolist()),
        measures=[found.measure.name],
        seed=study.seed,
        failures=study.failures,
    )
    gathered = gather_settings(again.run(workers=workers, progress=False))
    means = gathered.evidence.comparable[:, _places(gathered.settings, found)]
    ratio = found.as_ratio
    return Confirmation(
        setting=found.setting,
        predicted=as_measured(found.best.height, found.measure, ratio=ratio),
        confirmed=float(_back(means[:, -1].mean(), ratio)),
        by_dataset=dict(zip(gathered.evidence.datasets, _back(means[:, -1], ratio).tolist(), strict=True)),
        searched=_back(found.scores.mean(axis=0), ratio),
        reached=_back(means[:, :-1].mean(axis=0), ratio),
        measure=found.measure,
        points=found.surface.points,
        factors=found.varied,
    )


def _back(values: Any, ratio: bool) -> FloatArray:
    """Means in the unit of the measure, from the scale of comparison."""
    return np.asarray(np.exp(values) if ratio else values, dtype=np.float64)


def _check(found: FittedSurface, study: Study, held: HeldBack) -> None:
    """Refuse a study or rows that the surface does not come from."""
    if not isinstance(study, Study) or not isinstance(held, HeldBack):
        raise InputError("confirm takes the study that was run, and what ft.hold_back gave before it was planned")
    searched = {data.name: data.fingerprint for data in held.searched}
    own = {data.name: data.fingerprint for data in study.datasets}
    apart = [name for name in found.results.dataset_names() if own.get(name) != searched.get(name, "")]
    if apart:
        raise InputError(
            f"the study must have been run on the searched rows (held.searched), but {listed(apart)} had other rows"
        )
    names = {factor.name for factor in study.factors}
    if names != set(found.factors):
        raise InputError(
            f"confirm takes a study that varies the factors of the surface alone ({listed(found.factors)}), got "
            f"{listed(sorted(names))}"
        )


def _explored(found: FittedSurface, study: Study, i: int) -> Factor:
    """The i-th factor as a range from its smallest to its largest value that was run."""
    factor = found.varied[i]
    given: Any = next(own for own in study.factors if own.name == factor.name)
    low, high, _ = found.surface.reach()
    own = natural_range(factor)
    ends: tuple[float, float] = own.natural(float(low[i])), own.natural(float(high[i]))
    if factor.whole:
        ends = round(ends[0]), round(ends[1])
    scale = {"log": ends} if own.log else {"linear": ends}
    return Factor(factor.name, **scale, of=given.of)  # type: ignore[arg-type]


def _places(settings: Sequence[Setting], found: FittedSurface) -> list[int]:
    """The number of the setting at each point of the surface, and at its best point."""
    there = np.array([[float(f.coded(s[f.name])) for f in found.varied] for s in settings])
    points = np.vstack([found.surface.points, found.best.point])
    return [int(np.abs(there - point).max(axis=1).argmin()) for point in points]
