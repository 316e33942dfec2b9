"""The scores of one measure as cells of a table: number, uncertainty, what stands beside it, signs, bold.

Which scores of a table are bold: the best, all that are not distinguishable from it, or a winner.

Signs behind scores: for chosen comparisons, for better and worse than a control, and as published.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import STRONGEST, TIME_STYLES, Spread, Strongest, TimeStyle
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.resampling import score_unit
from fairtrial.result_tables.dataset_tests import DatasetTests
from fairtrial.result_tables.score_cells import FloatArray, ScoreCells, fate_in_words, score_cells, uncertainty_of
from fairtrial.results.failure_policy import MARK
from fairtrial.stats.comparisons import all_pairs
from fairtrial.tables import Marked, PlusMinus, formats
from fairtrial.verdict.designs.decide import SIMULTANEOUS
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural, quoted

if TYPE_CHECKING:
    from fairtrial.results import Results


SAME = 12
"""Means that agree to this many decimals are ties: the rest is rounding."""


@dataclass(frozen=True, eq=False)
class StrongCells:
    """Whether each score is bold, data sets × methods, and the note that says what that means."""

    bold: NDArray[np.bool_]
    note: str = ""
    explain: str = ""


def best_of(means: FloatArray, *, higher: bool) -> NDArray[np.bool_]:
    """Whether each mean is the best of its row; tied means all are, and a method alone is not.

    >>> best_of(np.array([[0.9, 0.9, 0.8], [0.2, np.nan, 0.1]]), higher=True).tolist()
    [[True, True, False], [True, False, False]]
    """
    rounded = np.round(means, SAME)
    extreme = np.fmax.reduce if higher else np.fmin.reduce
    found: NDArray[np.bool_] = rounded == extreme(rounded, axis=1, initial=np.nan)[:, None]
    return np.asarray(found & (np.isfinite(means).sum(axis=1) > 1)[:, None])


def strong_cells(
    cells: ScoreCells, tests: DatasetTests, strong: Strongest | None, where: str = "on each data set"
) -> StrongCells:
    """The bold scores: by default those that are not distinguishable from the best, where that can be tested.

    ``where`` says in the note what the best is the best of. Unless another adjustment is asked for, each row is a
    family of its own: Bonferroni over the comparisons with its best. The truly best method is left plain only if one of
    its rivals beats it, and these are as many: so that happens with a probability of at most 1 − level.
    """
    if strong is not None and strong not in STRONGEST:
        raise UnknownName.among("choice of bold scores", strong, STRONGEST)
    none = StrongCells(np.zeros(cells.means.shape, dtype=np.bool_))
    if not cells.measure.directed or cells.compared.sum() < 2 or strong == "none":
        return none
    means = np.where(cells.compared, cells.means, np.nan)
    best = best_of(means, higher=cells.measure.higher_is_better)
    if not best.any():
        return none
    strong = strong or ("indistinguishable" if any(tests.possible) else "best")
    if strong == "best":
        return StrongCells(best, f"bold: the best {where}; nothing is tested", BEST)
    tests.require(f"strong={strong!r}")
    own = where if tests.adjust is None else ""
    if strong == "winner":
        wins = f"significantly better than every other method {where.replace('each', 'that')}"
        rows = [_winner(i, row, means[i], tests) for i, row in enumerate(best)]
        return StrongCells(np.array(rows), f"bold: {wins} ({_winner_test(tests, own)})", WINNER)
    family = None if own else _pairs_on_all(means, tests)
    rows = [_not_worse(i, row, means[i], tests, family) for i, row in enumerate(best)]
    untested = "" if all(tests.possible) else "; only the best where the split scheme is unknown"
    test = tests.in_words(family or int(cells.compared.sum()) - 1, own)
    note = f"bold: the best {where}, and all that are not distinguishable from it ({test})"
    return StrongCells(np.array(rows), note + untested, OPEN)


BEST = "Bold numbers are the best; whether they are significantly better than the others was not tested."
WINNER = "A bold number is significantly better than those of all other methods; there need not be one."
OPEN = "Bold numbers are not distinguishable from the best; plain numbers are significantly worse than it."


def _others(best: int, means: FloatArray) -> list[int]:
    return [m for m in np.flatnonzero(np.isfinite(means)).tolist() if m != best]


def _winner(i: int, best: NDArray[np.bool_], means: FloatArray, tests: DatasetTests) -> NDArray[np.bool_]:
    """The best of a data set, if it beats every other; a tie has no winner."""
    first = int(best.argmax())
    won = best.sum() == 1 and tests.beats_all(i, first, _others(first, means))
    return best if won else np.zeros_like(best)


def _not_worse(
    i: int, best: NDArray[np.bool_], means: FloatArray, tests: DatasetTests, family: int | None
) -> NDArray[np.bool_]:
    """The best of a data set, and all that are not distinguishable from it; a winner stands alone."""
    if not best.any() or not tests.possible[i] or _winner(i, best, means, tests).any():
        return best
    first = int(best.argmax())
    others = _others(first, means)
    signs = tests.signs(i, [(first, other) for other in others], family or len(others))
    found = best.copy()
    found[[other for other, sign in zip(others, signs, strict=True) if sign <= 0]] = True
    return found


def _pairs_on_all(means: FloatArray, tests: DatasetTests) -> int:
    """The number of pairs on all data sets that can be tested on: which one is the best is not known beforehand."""
    there = np.isfinite(means).sum(axis=1)
    return sum(len(all_pairs(int(k))) for k, possible in zip(there, tests.possible, strict=True) if possible)


def _winner_test(tests: DatasetTests, own: str) -> str:
    """The tests behind a winner: each against one other method, adjusted for the number of data sets at most."""
    if tests.adjust != SIMULTANEOUS:
        return tests.in_words(1 if own else sum(tests.possible), own).replace(" on each data set,", ",")
    n = sum(tests.possible)
    return tests.in_words(n).replace(f"over {plural(n, 'test')}", f"over {plural(n, 'data set')}")


BETTER, WORSE = "v", "*"
Comparison = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Signs:
    """The signs behind scores, by the numbers of data set and method; ``records`` are wins, ties, losses of methods."""

    texts: Mapping[tuple[int, int], str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    records: tuple[tuple[int, int, int] | None, ...] = ()
    explain: str = ""


def read_comparisons(
    marks: Mapping[str, Sequence[str]], methods: Sequence[str]
) -> dict[str, tuple[list[Comparison], str]]:
    """The comparisons of each sign or, where it has none, what a published sign means.

    >>> read_comparisons({"•": ["SGP:GP", "XGP:GP"], "*": ["normalised"]}, ["GP", "SGP", "XGP"])
    {'•': ([('SGP', 'GP'), ('XGP', 'GP')], ''), '*': ([], 'normalised')}
    """
    found = {}
    for sign, texts in marks.items():
        given = [texts] if isinstance(texts, str) else list(texts)
        pairs = [pair for text in given if (pair := _comparison(text, methods)) is not None]
        if pairs and len(pairs) < len(given):
            raise InputError(f"marks[{sign!r}] must be comparisons such as 'new:old', or a meaning, got {given!r}")
        found[sign] = (pairs, "" if pairs else ", ".join(given))
    return found


def _comparison(text: str, methods: Sequence[str]) -> Comparison | None:
    """The two methods of a comparison; None for a text that is none. Names may have colons of their own."""
    parts = text.split(":")
    cuts = [(":".join(parts[:i]).strip(), ":".join(parts[i:]).strip()) for i in range(1, len(parts))]
    found = next((cut for cut in cuts if set(cut) <= set(methods)), None)
    if found is None and len(cuts) == 1:
        raise UnknownName.among("method of these results", next(c for c in cuts[0] if c not in methods), methods)
    return found


def legend_in_words(marks: Mapping[str, Sequence[str]], methods: Sequence[str]) -> str:
    """The legend of chosen comparisons.

    >>> legend_in_words({"◊": ["GP:kNN"], "•": ["SGP:GP", "XGP:GP"]}, ["kNN", "GP", "SGP", "XGP"])
    '◊ GP improves kNN; • SGP / XGP improve GP'
    """
    parts = [f"{sign} {_meant(pairs) or text}" for sign, (pairs, text) in read_comparisons(marks, methods).items()]
    return "; ".join(part.strip() for part in parts)


def _meant(pairs: Iterable[Comparison]) -> str:
    better: dict[str, list[str]] = {}
    for first, second in pairs:
        better.setdefault(second, []).append(first)
    return ", ".join(f"{' / '.join(a)} {'improves' if len(a) == 1 else 'improve'} {b}" for b, a in better.items())


def chosen_signs(
    results: Results, cells: ScoreCells, tests: DatasetTests, marks: Mapping[str, Sequence[str]] | None
) -> Signs:
    """The signs of chosen comparisons, where the first is significantly better than the second, and published ones.

    On published scores nothing can be tested: their own signs are shown, and ``marks`` say what these mean.
    """
    published = _published(results, cells)
    if not marks:
        return Signs(published, ("signs as published",) if published else ())
    legend, pairs = legend_in_words(marks, cells.methods), _numbered(marks, cells.methods)
    tested = {sign: own for sign, own in pairs.items() if own}
    of_file = set(results.published.signs.values())
    unknown = [sign for sign in marks if sign not in tested and sign not in of_file]
    if of_file and not unknown and (not tested or not any(tests.possible)):
        return Signs(published, (f"{legend} (as published, not tested here)" if tested else legend,), explain=PUBLISHED)
    if unknown:
        text = f"marks[{unknown[0]!r}] must name comparisons, such as 'new:old', or a sign of the file"
        raise InputError(f"{text}; got {quoted(marks[unknown[0]])}")
    tests.require("marks")
    family = sum(map(len, tested.values())) * sum(tests.possible)
    found = dict(published)
    for i in range(len(cells.datasets)):
        for sign, own in tested.items():
            for (first, _), won in zip(own, tests.signs(i, own, family), strict=True):
                if won > 0:
                    found[i, first] = found.get((i, first), "") + sign
    return Signs(found, (f"{legend} ({tests.in_words(family)})",), explain=CHOSEN)


PUBLISHED = "Signs are those of the source; the legend says what they mean."
CHOSEN = "A sign stands behind a method where it is significantly better than the one that the legend names."


def _numbered(marks: Mapping[str, Sequence[str]], methods: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    found = read_comparisons(marks, methods)
    return {sign: [(methods.index(a), methods.index(b)) for a, b in pairs] for sign, (pairs, _) in found.items()}


def _published(results: Results, cells: ScoreCells) -> dict[tuple[int, int], str]:
    given, name = results.published, cells.measure.name
    if not given.signs or given.title:
        return {}
    signs = {(i, j): given.sign(d, m, name) for i, d in enumerate(cells.datasets) for j, m in enumerate(cells.methods)}
    return {place: sign for place, sign in signs.items() if sign}


def against_control(cells: ScoreCells, tests: DatasetTests, control: str | None) -> Signs:
    """WEKA's signs: v where a method is better than the control, * where it is worse; and the record of each method."""
    if control is None:
        return Signs()
    if control not in cells.methods:
        raise UnknownName.among("method of these results", control, cells.methods)
    tests.require("control")
    last, compared = cells.methods.index(control), cells.compared
    others = [m for m in range(len(cells.methods)) if m != last and compared[m]]
    family = len(others) * sum(tests.possible)
    found = {}
    counts = np.zeros((len(cells.methods), 3), dtype=np.int64)
    for i in (i for i, possible in enumerate(tests.possible) if possible):
        there = [m for m in others if np.isfinite(cells.means[i, [m, last]]).all()]
        for m, sign in zip(there, tests.signs(i, [(m, last) for m in there], family), strict=True):
            counts[m, 1 - sign] += 1
            if sign:
                found[i, m] = BETTER if sign > 0 else WORSE
    note = (
        f"{BETTER} better, {WORSE} worse than {control} ({tests.in_words(family)}); (v/ /*): better / neither / worse"
    )
    records = tuple((int(a), int(b), int(c)) if m in others else None for m, (a, b, c) in enumerate(counts))
    return Signs(found, (note,), records, explain=f"Signs compare each method with {control} on each data set alone.")


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
