"""Main effects: the mean score at each level of each factor, in small panels that share an axis."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.effect_inputs import (
    active_terms,
    experiment_of,
    has_intervals,
    levels_in_order,
    measure_in_words,
    place_of,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.figures.setting_means import (
    FactorLevels,
    FloatArray,
    Settings,
    cell_means,
    checked_scores,
    complete,
    factor_levels,
    missing_in_words,
    unbalanced,
)
from fairtrial.figures.small_panels import Panel, PanelLine, PanelsData, from_logs, limits_of, panels_figure
from fairtrial.stats import within_intervals
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

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
