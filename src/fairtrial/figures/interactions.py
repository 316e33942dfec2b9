"""Interactions: the mean score at the levels of one factor, with a line for each level of another."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.effect_inputs import active_terms, experiment_of, levels_in_order, measure_in_words, place_of
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
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

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
    panels = tuple(_panel(a, b, means, active) for a, b, means in kept)
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


def _panel(a: FactorLevels, b: FactorLevels, means: FloatArray, active: Collection[str]) -> Panel:
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
