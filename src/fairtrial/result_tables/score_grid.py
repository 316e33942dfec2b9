"""The scores of one measure as cells of a table: number, uncertainty, what stands beside it, signs, bold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.choices import TIME_STYLES, Spread, Strongest, TimeStyle
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.resampling import score_unit
from fairtrial.result_tables.chosen_signs import Signs, against_control, chosen_signs
from fairtrial.result_tables.dataset_tests import DatasetTests
from fairtrial.result_tables.score_cells import FloatArray, ScoreCells, fate_in_words, score_cells
from fairtrial.result_tables.strong_cells import strong_cells
from fairtrial.result_tables.uncertainty import uncertainty_of
from fairtrial.results.failure_policy import MARK
from fairtrial.tables import Marked, PlusMinus, formats
from fairtrial.verdict.words.wording import Wording

if TYPE_CHECKING:
    from fairtrial.results import Results

MOST_OF_SECONDS = 3
"""Times of a source that has more decimals are written in the unit that fits each, all others in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOptions:
    """The options of tables about single cells, as :class:`~fairtrial.choices.TableOptions` declares them.

    ``where`` says, in notes, what the best is the best of.
    """

    methods: Sequence[str] | None = None
    control: str | None = None
    level: float | None = None
    adjust: str | None = None
    test: str | None = None
    spread: Spread | None = None
    strong: Strongest | None = None
    marks: Mapping[str, Sequence[str]] | None = None
    beside: str | None = None
    percent: bool | None = None
    decimals: int | None = None
    times: TimeStyle | None = None
    where: str = "on each data set"


@dataclass(frozen=True, eq=False)
class ScoreGrid:
    """The cells of one measure, data sets × methods, and what is said about them.

    ``write`` is the format of cells that are bare numbers. ``scale`` is 100 where shares are shown as percentages.
    ``over`` says what the means are over, and ``spread`` what stands behind ±.
    """

    cells: ScoreCells
    rows: tuple[tuple[object, ...], ...]
    write: formats.Formatter
    decimals: tuple[int | None, ...]
    scale: float = 1.0
    spread: str = ""
    beside: str = ""
    notes: tuple[str, ...] = ()
    explain: tuple[str, ...] = ()
    records: tuple[tuple[int, int, int] | None, ...] = ()

    @property
    def caption(self) -> str:
        """What is estimated, over what, with which uncertainty, and what is better."""
        seconds = " in s" if self.in_seconds else ""
        spread = f" ± {self.spread}" if self.spread else ""
        beside = f"; in brackets the {self.beside}" if self.beside else ""
        direction = direction_of(self.cells.measure)
        end = f"; {direction}" if direction else ""
        return f"{title_of(self.cells.measure, self.scale)}{seconds}{self.over}{spread}{beside}{end}"

    @property
    def in_seconds(self) -> bool:
        """Whether its cells are bare seconds, so that the unit must stand elsewhere."""
        return self.cells.measure.unit == "s" and any(d is not None for d in self.decimals)

    @property
    def over(self) -> str:
        """What the means are over, to follow the name of a measure; nothing where there is one score each."""
        if max(map(len, self.cells.evidence.folds), default=0) < 2:
            return ""
        schemes = {d.scheme for d in self.cells.evidence.dependence}
        scheme = schemes.pop() if len(schemes) == 1 else "unknown"
        splits = f"{score_unit(self.cells.evidence.dependence)}s"
        return f", mean over {splits if scheme == 'unknown' else scheme}"

    def bare(self, number: float, i: int | None = None) -> object:
        """A number without an uncertainty, written as the cells of a data set; None: as those of all data sets."""
        common = self.decimals[0] if len(set(self.decimals)) == 1 and len(self.decimals) > 0 else None
        decimals = common if i is None else self.decimals[i]
        value = self.scale * number
        return value if decimals is None or math.isnan(value) else PlusMinus(value, decimals=decimals)


def score_grid(results: Results, measure: str | None, options: CellOptions) -> ScoreGrid:
    """The cells of a measure (None: the question's)."""
    if options.times is not None and options.times not in TIME_STYLES:
        raise UnknownName.among("style of times", options.times, TIME_STYLES)
    cells = score_cells(results, measure, options.methods)
    level = options.level or results.question.level
    tests = DatasetTests(cells, level, options.adjust, options.test)
    scale = _scale(cells.measure, options.percent)
    uncertainty = uncertainty_of(results, cells, options.spread, level)
    spreads = scale * uncertainty.spreads
    decimals = _decimals(cells, scale * cells.means, spreads, options)
    bold = strong_cells(cells, tests, options.strong, options.where)
    signs, control = _signs(results, cells, tests, options), against_control(cells, tests, options.control)
    beside, called = _beside(results, cells, options)
    parts = _Parts(cells, scale, spreads, decimals, bold.bold, (signs, control), beside)
    return ScoreGrid(
        cells,
        tuple(tuple(parts.cell(i, m) for m in range(len(cells.methods))) for i in range(len(cells.datasets))),
        format_of(cells.measure, scale, options.times),
        decimals,
        scale,
        uncertainty.words,
        called,
        tuple(note for note in (bold.note, *signs.notes, *control.notes, *cells.remarks()) if note),
        tuple(text for text in (bold.explain, signs.explain, control.explain) if text),
        control.records,
    )


def _signs(results: Results, cells: ScoreCells, tests: DatasetTests, options: CellOptions) -> Signs:
    taken = {"v", "*"} & set(options.marks or ())
    if options.control is not None and taken:
        raise InputError(f"marks must not have {' or '.join(sorted(taken))}, the signs of a control; take others")
    return chosen_signs(results, cells, tests, options.marks)


@dataclass(frozen=True, eq=False)
class _Parts:
    """The parts of cells, of which each cell is put together."""

    cells: ScoreCells
    scale: float
    spreads: FloatArray
    decimals: tuple[int | None, ...]
    bold: np.typing.NDArray[np.bool_]
    signs: tuple[Signs, ...]
    beside: Mapping[tuple[int, int], str]

    def cell(self, i: int, m: int) -> object:
        cells = self.cells
        absent = cells.absent.get((cells.datasets[i], cells.methods[m]))
        if absent is not None:
            return Marked(math.nan, note=str(absent), text=fate_in_words(absent))
        failed = int(cells.failed[i, m])
        sign = "".join(signs.texts.get((i, m), "") for signs in self.signs)
        mark = (MARK if failed else "") + (f" {sign}" if sign else "")
        value, strong = self._value(i, m), bool(self.bold[i, m])
        if not (mark or strong):
            return value
        note = f"{failed} of {len(cells.evidence.folds[i])} scores are not its own" if failed else ""
        return Marked(value, mark, ", ".join(filter(None, (note, sign, "bold" * strong))), strong=strong)

    def _value(self, i: int, m: int) -> object:
        center, spread = float(self.scale * self.cells.means[i, m]), float(self.spreads[i, m])
        beside = self.beside.get((i, m), "")
        plain = math.isnan(center) or (self.decimals[i] is None and not beside)
        return center if plain else PlusMinus(center, spread, beside, self.decimals[i])


def _scale(measure: Measure, percent: bool | None) -> float:
    is_share = math.isfinite(measure.best - measure.worst) and abs(measure.best - measure.worst) <= 2
    return 100.0 if percent and is_share else 1.0


def _decimals(
    cells: ScoreCells, means: FloatArray, spreads: FloatArray, options: CellOptions
) -> tuple[int | None, ...]:
    """The decimals on each data set: as many as the uncertainties allow; on a common scale, the same on all.

    Single scores have the decimals of their source, and so have published uncertainties, unless these are many.
    """
    n, is_time = len(cells.datasets), cells.measure.unit == "s"
    if options.decimals is not None:
        return (options.decimals,) * n
    if is_time and options.times is not None:
        return (None,) * n
    single = all(len(folds) < 2 for folds in cells.evidence.folds)
    usual = MOST_OF_SECONDS if is_time else Wording(cells.measure).digits

    def fitting(rows: slice) -> int | None:
        of_source = _of_source(np.concatenate((means[rows], spreads[rows])), usual) if single else None
        return formats.decimals_for(spreads[rows].ravel(), means[rows].ravel()) if of_source is None else of_source

    if math.isfinite(cells.measure.best - cells.measure.worst) or is_time:
        return (fitting(slice(None)),) * n
    return tuple(fitting(slice(i, i + 1)) for i in range(n))


def _of_source(numbers: FloatArray, usual: int | None) -> int | None:
    """The decimals with which all numbers were given; None if these are many more than usual.

    >>> [_of_source(np.array(numbers), 3) for numbers in ([0.7, 0.53, np.nan], [23.0], [1 / 3])]
    [2, 0, None]
    """
    known = numbers[np.isfinite(numbers)]
    most = usual + 1 if usual is not None else max(0, 4 - len(f"{np.abs(known).max(initial=0.0):.0f}"))
    return next((d for d in range(most + 1) if np.allclose(known, known.round(d), rtol=0, atol=1e-9)), None)


def format_of(measure: Measure, scale: float, times: TimeStyle | None) -> formats.Formatter:
    """How bare numbers of a measure are written."""
    if measure.unit == "s":
        return formats.signed_duration if times == "signs" else formats.duration
    return formats.enough(1) if scale != 1 else Wording(measure).value


def _beside(results: Results, cells: ScoreCells, options: CellOptions) -> tuple[dict[tuple[int, int], str], str]:
    """The mean of a further measure for each cell, as text, and the name of that measure."""
    if options.beside is None:
        return {}, ""
    other = score_cells(results, options.beside, cells.methods)
    write = format_of(other.measure, 1.0, options.times)
    found = {
        (i, m): write(float(other.means[other.datasets.index(d), m]))
        for i, d in enumerate(cells.datasets)
        if d in other.datasets
        for m in range(len(cells.methods))
        if not math.isnan(other.means[other.datasets.index(d), m])
    }
    return found, f"mean {title_of(other.measure)}" if found else ""


def title_of(measure: Measure, scale: float = 1.0) -> str:
    """The name of a measure, 'in %' where it is a percentage; units of other measures stand in brackets."""
    unit = _unit(measure, scale)
    return Wording(measure).name + (" in %" if unit == "%" else f" ({unit})" if unit else "")


def heading(measure: Measure, scale: float = 1.0, *, in_seconds: bool = False) -> str:
    """The name of a measure above a column, with its unit, and an arrow in the direction that is better."""
    unit = "s" if in_seconds else _unit(measure, scale)
    arrow = "" if not measure.directed else " ↑" if measure.higher_is_better else " ↓"
    return Wording(measure).name + (f" ({unit})" if unit else "") + arrow


def _unit(measure: Measure, scale: float) -> str:
    shown = measure.unit != "s" and not measure.unit.startswith("of ")
    return "%" if scale != 1 else measure.unit * shown


def direction_of(measure: Measure) -> str:
    """The direction that is better, in words; empty for a measure that has none."""
    return f"{'higher' if measure.higher_is_better else 'lower'} is better" if measure.directed else ""
