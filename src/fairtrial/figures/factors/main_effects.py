"""Main effects: the mean score at each level of each factor, in small panels that share an axis.

Interactions: the mean score at the levels of one factor, with a line for each level of another.

Means of scores at the levels of factors, from the settings of an experiment.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.design import are_numbers, level_text, write_one
from fairtrial.errors import InputError
from fairtrial.figures.drawing.small_panels import Panel, PanelLine, PanelsData, from_logs, limits_of, panels_figure
from fairtrial.figures.factors.effect_inputs import (
    active_terms,
    experiment_of,
    has_intervals,
    levels_in_order,
    measure_in_words,
    place_of,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.stats import within_intervals
from fairtrial.tables import formats
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results


FloatArray = npt.NDArray[np.float64]
Settings = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class FactorLevels:
    """A factor of an experiment: its levels in order, and the number of its level in each setting.

    Numbers are in ascending order, other levels as they were given. The number is −1 where the factor is absent.
    ``places`` are positions on an axis: 0, 1, 2, … or, for many numbers, the numbers (their logs if they span two
    decades). ``within`` is the condition under which a nested factor exists.
    """

    name: str
    texts: tuple[str, ...]
    places: tuple[float, ...]
    number: tuple[int, ...]
    is_number: bool
    within: str = ""

    @property
    def is_even(self) -> bool:
        """Whether the levels stand at equal distances, in turn."""
        return self.places == tuple(map(float, range(len(self.places))))

    def settings_at(self, level: int) -> npt.NDArray[np.bool_]:
        """Whether each setting has this level."""
        return np.array([number == level for number in self.number], dtype=np.bool_)


FEW = 7
"""The most levels that stand side by side at equal distances."""


def factor_levels(settings: Settings, order: Mapping[str, Sequence[object]] | None = None) -> tuple[FactorLevels, ...]:
    """The factors that vary in these settings; ``order`` gives the order of levels that are not numbers.

    >>> settings = [{"model": "svm", "C": 10}, {"model": "svm", "C": 1}, {"model": "tree"}]
    >>> model, c = factor_levels(settings)
    >>> model.texts, c.texts, c.number, c.within
    (('svm', 'tree'), ('1', '10'), (1, 0, -1), 'model svm')
    """
    if not settings:
        raise InputError("settings must have at least one setting, got none")
    found = []
    for name in dict.fromkeys(name for setting in settings for name in setting):
        levels = _ordered([s[name] for s in settings if name in s], (order or {}).get(name, ()))
        place = {level_text(level): i for i, level in enumerate(levels)}
        number = tuple(place[level_text(s[name])] if name in s else -1 for s in settings)
        if len(levels) > 1:
            numeric = are_numbers(levels)
            write = formats.significant(2) if numeric and len(levels) > FEW else partial(write_one, name)
            texts = tuple(write(level) for level in levels)
            places = _places(levels, numeric=numeric)
            found.append(FactorLevels(name, texts, places, number, numeric, _within(name, settings)))
    return tuple(found)


def _ordered(values: Sequence[Any], given: Sequence[object]) -> list[Any]:
    distinct = list({level_text(value): value for value in values}.values())
    if are_numbers(distinct):
        return sorted(distinct)
    wanted = {level_text(level): i for i, level in enumerate(given)}  # type: ignore[arg-type]
    return sorted(distinct, key=lambda level: wanted.get(level_text(level), len(wanted)))


def _places(levels: Sequence[Any], *, numeric: bool) -> tuple[float, ...]:
    if not numeric or len(levels) <= FEW:
        return tuple(map(float, range(len(levels))))
    if levels[0] > 0 and levels[-1] / levels[0] >= 100:
        return tuple(math.log10(level) for level in levels)
    return tuple(map(float, levels))


def _within(name: str, settings: Settings) -> str:
    """The levels of another factor at which this one exists, and only there; empty if it exists everywhere."""
    there = [s for s in settings if name in s]
    absent = [s for s in settings if name not in s]
    if not absent:
        return ""
    for parent in there[0]:
        if parent != name and all(parent in s for s in settings):
            own = {level_text(s[parent]): write_one(parent, s[parent]) for s in there}
            if not own.keys() & {level_text(s[parent]) for s in absent}:
                return f"{parent} {listed(own.values(), last='or')}"
    return "where it exists"


def checked_scores(scores: npt.ArrayLike, settings: int) -> FloatArray:
    """Scores as a table with a row for each unit and a column for each setting; infinite ones count as missing."""
    table = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    if table.ndim != 2 or table.shape[1] != settings or len(table) == 0:
        raise InputError(
            f"scores must have a column for each of the {settings} settings and a row for each data set or split, got "
            f"shape {table.shape}"
        )
    return np.where(np.isfinite(table), table, np.nan)


def cell_means(scores: FloatArray, *factors: FactorLevels) -> FloatArray:
    """The mean of each unit in each combination of levels: units × levels (× levels); nan where there is no score.

    >>> (a,) = factor_levels([{"a": 1}, {"a": 2}, {"a": 2}])
    >>> cell_means(np.array([[1.0, 2.0, 4.0], [5.0, np.nan, 6.0]]), a)
    array([[1., 3.],
           [5., 6.]])
    """
    shape = tuple(len(f.texts) for f in factors)
    means = np.full((len(scores), math.prod(shape)), np.nan)
    for i, cell in enumerate(itertools.product(*map(range, shape))):
        rows = np.logical_and.reduce([f.settings_at(level) for f, level in zip(factors, cell, strict=True)])
        part = scores[:, rows]
        known = ~np.isnan(part)
        count = known.sum(axis=1)
        with np.errstate(invalid="ignore"):
            means[:, i] = np.where(known, part, 0.0).sum(axis=1) / np.where(count, count, np.nan)
    return means.reshape(len(scores), *shape)


def complete(means: FloatArray) -> FloatArray:
    """The units that have a mean in all cells that exist; all units if none has."""
    flat = means.reshape(len(means), -1)
    exists = ~np.isnan(flat).all(axis=0)
    whole = ~np.isnan(flat[:, exists]).any(axis=1)
    return means[whole] if whole.any() else means


def missing_in_words(scores: FloatArray) -> str:
    """A remark on missing scores; empty if there are none."""
    gone = int(np.isnan(scores).sum())
    return f"{plural(gone, 'score')} of {scores.size} missing: means of the others" if gone else ""


def unbalanced(factors: Sequence[FactorLevels]) -> str:
    """A remark if the levels of two factors do not occur in all combinations equally; empty otherwise."""
    lopsided = next(_lopsided(factors), None)
    if lopsided is None:
        return ""
    return f"levels of {listed(lopsided)} do not occur together equally often: means of one also reflect the other"


def _lopsided(factors: Sequence[FactorLevels]) -> Iterator[tuple[str, str]]:
    """Pairs of factors that are not balanced where both exist; nested ones are compared where they exist."""
    for a, b in itertools.combinations(factors, 2):
        one, other = np.asarray(a.number), np.asarray(b.number)
        both = (one >= 0) & (other >= 0)
        table = np.zeros((len(a.texts), len(b.texts)))
        np.add.at(table, (one[both], other[both]), 1)
        if a.within or b.within:
            table = table[table.any(axis=1)][:, table.any(axis=0)]
        if table.size and not np.allclose(table * table.sum(), np.outer(table.sum(axis=1), table.sum(axis=0))):
            yield a.name, b.name


MOST = 12


def main_effects_data(
    settings: Settings,
    scores: npt.ArrayLike,
    *,
    label: str = "score",
    over: str = "",
    intervals: bool = False,
    level: float = 0.95,
    active: Collection[str] = (),
    levels: Mapping[str, Sequence[object]] | None = None,
    log: bool = False,
) -> PanelsData:
    """The data of a figure of main effects: a panel for each factor, the mean score at each of its levels.

    ``settings`` are mappings from factors to levels, in which nested factors may be absent; ``scores`` has a row for
    each data set or split and a column for each setting. The mean is over the settings at a level on each unit, then
    over units that have all levels. With ``intervals`` (rows are data sets) means have
    :func:`~fairtrial.stats.within_intervals`, for comparing levels of the same factor. ``active`` are terms that get a
    star, ``levels`` the order of levels that are not numbers. With ``log`` scores are logarithms: geometric means are
    drawn, on a log axis. Of more than 12 factors, those with the largest range are
    drawn.

    >>> settings = [{"depth": d, "rate": r} for r in (0.1, 0.3) for d in (3, 6)]
    >>> data = main_effects_data(settings, [[0.70, 0.74, 0.72, 0.82]], active=["depth"])
    >>> [(panel.heading, panel.texts, panel.lines[0].means, panel.star) for panel in data.panels]
    [('depth', ('3', '6'), (0.71, 0.78), True), ('rate', ('0.1', '0.3'), (0.72, 0.77), False)]
    """
    table = checked_scores(scores, len(settings))
    factors = factor_levels(settings, levels)
    if not factors:
        raise InputError("settings must have at least one factor with two levels, but no factor varies")
    panels = [_panel(f, table, intervals=intervals, level=level, star=f.name in active) for f in factors]
    kept = sorted(sorted(range(len(panels)), key=lambda i: -_range(panels[i]))[:MOST])
    shown = tuple(panels[i] for i in kept)
    drawn = any(v == v for p in shown for v in p.lines[0].low)
    bars = f"{100 * level:g} % intervals for comparing levels of a factor (Morey 2008)" if drawn else ""
    more = len(panels) - len(shown)
    made = PanelsData(
        panels=shown,
        label=label,
        limits=limits_of(shown),
        reference=_overall(table),
        remarks=tuple(
            filter(
                None,
                (
                    "; ".join(filter(None, (over, bars))),
                    "dotted: mean of all settings",
                    "* active: the interval of its effect excludes 0" if any(p.star for p in shown) else "",
                    unbalanced(factors),
                    missing_in_words(table),
                    f"not drawn: {plural(more, 'factor')} with smaller ranges" if more else "",
                ),
            )
        ),
    )
    return from_logs(made) if log else made


def _panel(factor: FactorLevels, scores: FloatArray, *, intervals: bool, level: float, star: bool) -> Panel:
    means = complete(cell_means(scores, factor))
    line = PanelLine("", tuple(_mean_of_units(means)))
    if intervals and len(means) > 1 and np.isfinite(means).all():
        found = within_intervals(means, level=level)
        line = PanelLine("", line.means, tuple(i.low for i in found), tuple(i.high for i in found))
    within = f"within {factor.within}" if factor.within and factor.within != "where it exists" else factor.within
    return Panel(
        heading=factor.name,
        texts=factor.texts,
        places=factor.places,
        lines=(line,),
        remark=within,
        joined=len(factor.texts) == 2 or (factor.is_number and factor.is_even),
        star=star,
    )


def _mean_of_units(means: FloatArray) -> list[float]:
    known = ~np.isnan(means)
    with np.errstate(invalid="ignore"):
        found = np.where(known, means, 0.0).sum(axis=0) / np.where(known.any(axis=0), known.sum(axis=0), np.nan)
    return [float(v) for v in found]


def _range(panel: Panel) -> float:
    known = [v for v in panel.lines[0].means if v == v]
    return max(known) - min(known) if known else -1.0


def _overall(scores: FloatArray) -> float:
    """The mean of all settings, over units that have all of them."""
    whole = scores[~np.isnan(scores).any(axis=1)]
    return float(whole.mean()) if len(whole) else math.nan


def main_effects_figure(data: PanelsData) -> Figure:
    """The panels as a Figure; see :func:`main_effects_data`."""
    return panels_figure(data)


@figure_of("main_effects")
def main_effects_view(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """The mean score at each level of each factor, as a figure; the words are the table of effects."""
    found = experiment_of(results, measure, dataset, methods)
    data = main_effects_data(
        found.settings,
        found.scores,
        label=measure_in_words(found),
        over=place_of(found),
        intervals=has_intervals(found),
        level=found.effects.level,
        active=active_terms(found),
        levels=levels_in_order(found),
        log=found.as_ratio,
    )
    return View(str(found.to_table()), main_effects_figure(data))


FEW_FACTORS = 4
STRONGEST = 4
MOST_LINES = 6


def interactions_data(
    settings: Settings,
    scores: npt.ArrayLike,
    *,
    label: str = "score",
    over: str = "",
    active: Collection[str] = (),
    levels: Mapping[str, Sequence[object]] | None = None,
    log: bool = False,
) -> PanelsData:
    """The data of interaction plots: parallel lines mean that two factors do not interact.

    There is a panel for each pair of up to four factors; of more factors, for the four pairs with the strongest
    interactions (:func:`interaction_strength`). The factor with fewer levels makes the lines. Pairs that do not occur
    together at two levels each (nested factors), and factors with so many levels that none repeats, are left out.
    ``active`` are terms ("depth × rate") that get a star; other arguments are those of :func:`main_effects_data`.

    >>> settings = [{"depth": d, "rate": r} for r in (0.1, 0.3) for d in (3, 6)]
    >>> (panel,) = interactions_data(settings, [[0.70, 0.74, 0.72, 0.82]]).panels
    >>> panel.heading, panel.texts, [(line.name, line.means) for line in panel.lines]
    ('depth × rate', ('3', '6'), [('0.1', (0.7, 0.74)), ('0.3', (0.72, 0.82))])
    """
    table = checked_scores(scores, len(settings))
    factors = factor_levels(settings, levels)
    if len(factors) < 2:
        raise InputError(f"interactions need two factors that vary, got {len(factors)}; main_effects draws single ones")
    found = [(a, b, _means(a, b, table)) for a, b in itertools.combinations(factors, 2)]
    drawable = [(a, b, means) for a, b, means in found if _can_be_drawn(means)]
    if not drawable:
        raise InputError("no two factors occur together at two levels each; main_effects draws single factors")
    kept = drawable
    if len(factors) > FEW_FACTORS:
        kept = sorted(drawable, key=lambda pair: -interaction_strength(pair[2]))[:STRONGEST]
    panels = tuple(_crossed_panel(a, b, means, active) for a, b, means in kept)
    weaker, apart = len(drawable) - len(kept), len(found) - len(drawable)
    made = PanelsData(
        panels=panels,
        label=label,
        limits=limits_of(panels),
        remarks=tuple(
            filter(
                None,
                (
                    over,
                    "lines that are not parallel show an interaction",
                    "* active: the interval of its effect excludes 0" if any(p.star for p in panels) else "",
                    f"not drawn: {plural(weaker, 'pair')} with weaker interactions" if weaker else "",
                    f"left out: {plural(apart, 'pair')} of nested factors, or with too many levels" if apart else "",
                    unbalanced(factors),
                    missing_in_words(table),
                ),
            )
        ),
    )
    return from_logs(made) if log else made


def _means(a: FactorLevels, b: FactorLevels, scores: FloatArray) -> FloatArray:
    """The mean over units in each cell: levels of one factor × levels of the other; nan where there is none."""
    if min(len(a.texts), len(b.texts)) > MOST_LINES:
        return np.full((len(a.texts), len(b.texts)), np.nan)
    means = complete(cell_means(scores, a, b))
    known = ~np.isnan(means)
    with np.errstate(invalid="ignore"):
        return np.asarray(
            np.where(known, means, 0.0).sum(axis=0) / np.where(known.any(axis=0), known.sum(axis=0), np.nan)
        )


def _can_be_drawn(means: FloatArray) -> bool:
    """Whether two levels of one factor both occur at two levels of the other."""
    there = (~np.isnan(means)).astype(int)
    shared = there @ there.T
    np.fill_diagonal(shared, 0)
    return bool(shared.max(initial=0) >= 2)


def interaction_strength(means: npt.ArrayLike) -> float:
    """The largest distance of a cell from the sum of both factors' effects, fitted by least squares; nan if no cells.

    >>> interaction_strength([[0.70, 0.72], [0.74, 0.82]])   # (0.82 − 0.74 − 0.72 + 0.70) / 4
    0.015
    >>> interaction_strength([[0.70, 0.72], [0.74, 0.76]]) < 1e-12
    True
    """
    table = np.asarray(means, dtype=np.float64)
    rows, columns = np.nonzero(~np.isnan(table))
    if not len(rows):
        return float("nan")
    design = np.zeros((len(rows), sum(table.shape)))
    design[np.arange(len(rows)), rows] = 1
    design[np.arange(len(rows)), table.shape[0] + columns] = 1
    values = table[rows, columns]
    fitted = design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return float(np.abs(values - fitted).max())


def _crossed_panel(a: FactorLevels, b: FactorLevels, means: FloatArray, active: Collection[str]) -> Panel:
    names = {f"{a.name} × {b.name}", f"{b.name} × {a.name}"}
    across, lines = (a, b) if len(b.texts) <= len(a.texts) else (b, a)
    table = means if across is a else means.T
    kept = np.asarray(~np.isnan(table).all(axis=1))
    places = [p for p, there in zip(across.places, kept, strict=True) if there]
    return Panel(
        heading=f"{a.name} × {b.name}",
        texts=tuple(t for t, there in zip(across.texts, kept, strict=True) if there),
        places=tuple(map(float, range(len(places)))) if across.is_even else tuple(places),
        lines=tuple(
            PanelLine(text, tuple(float(v) for v in table[kept, j]))
            for j, text in enumerate(lines.texts)
            if not np.isnan(table[:, j]).all()
        ),
        x_label=across.name,
        lines_are=lines.name,
        star=bool(names & set(active)),
    )


def interactions_figure(data: PanelsData) -> Figure:
    """The panels as a Figure; see :func:`interactions_data`."""
    return panels_figure(data)


@figure_of("interactions")
def interactions_view(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """Interaction plots of the factors, as a figure; the words are the table of effects."""
    found = experiment_of(results, measure, dataset, methods)
    data = interactions_data(
        found.settings,
        found.scores,
        label=measure_in_words(found),
        over=place_of(found),
        active=active_terms(found),
        levels=levels_in_order(found),
        log=found.as_ratio,
    )
    return View(str(found.to_table()), interactions_figure(data))
