"""Small multiples of a measure against the levels of a factor: a panel for each level of a second factor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fairtrial.design import Level, are_numbers, level_text, write_levels
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.boxed_curves import CurvesData, beyond_the_box, draw_in_box
from fairtrial.figures.inputs import Rows
from fairtrial.figures.levels import LevelsData, levels_curves, levels_data, levels_figure
from fairtrial.figures.paper_sizes import paper
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.figures.style import (
    FONT_SIZE,
    MUTED,
    SMALL,
    fitted_figure,
    legend_above,
    legend_beside,
    short_names,
    wrap,
    write,
)
from fairtrial.results.absentees import DidNotRun
from fairtrial.results.at_levels import choice
from fairtrial.tables import Table
from fairtrial.tables.render_json import plain
from fairtrial.words import listed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results

MOST_PANELS = 12
COLUMNS = 3
WIDTH, HEIGHT = 2.2, 1.8
ABOVE, BETWEEN = 0.3, 0.26  # inches: for the heading of a panel, and between panels
UNORDERED = ("row_order",)


@dataclass(frozen=True, slots=True)
class LevelPanelsData:
    """All that the figure shows: for each level of the factor ``by``, the data of a panel and its heading.

    All panels have the same methods, and share both axes. ``remarks`` hold for the panels that they name, or for all.
    """

    by: str
    headings: tuple[str, ...]
    panels: tuple[LevelsData, ...]
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]

    def together(self) -> LevelsData:
        """The levels of all panels one after the other, for axes that have room for all."""

        def rows(name: str) -> Rows:
            return tuple(row for panel in self.panels for row in getattr(panel, name))

        return replace(
            self.panels[0],
            levels=tuple(level for panel in self.panels for level in panel.levels),
            places=tuple(place for panel in self.panels for place in panel.places),
            estimates=rows("estimates"), low=rows("low"), high=rows("high"),
            failed=tuple(row for panel in self.panels for row in panel.failed),
            remarks=self.remarks,
        )  # fmt: skip

    def to_table(self) -> Table:
        """The means as a table: the levels of both factors in rows, methods in columns."""
        table = self.together().to_table()
        first, *others = table.columns
        own = [heading.removeprefix(f"{self.by} ") for heading in self.headings]
        names = [level for level, panel in zip(own, self.panels, strict=True) for _ in panel.levels]
        shown = ["" if i and names[i - 1] == name else name for i, name in enumerate(names)]
        rows = tuple((name, *row) for name, row in zip(shown, table.rows, strict=True))
        starts = tuple(i for i, name in enumerate(shown) if name and i)
        return replace(table, columns=(replace(first, title=self.by, key=self.by), first, *others), rows=rows,
                       rule_before=starts)  # fmt: skip


@figure_of("levels")
def levels_view(
    results: Results,
    *,
    factor: str | None = None,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """The measure against the levels of a factor, as a figure and as a table; in panels where two factors vary."""
    title = place_of(results, dataset)
    if len(results.factors) == 2:
        panels = level_panels_data(results, factor, measure, dataset=dataset, methods=methods)
        return View(str(panels.to_table()), level_panels_figure(panels), title=title)
    data = levels_data(results, factor, measure, dataset=dataset, methods=methods)
    return View(str(data.to_table()), levels_figure(data), title=title)


def levels_picture(results: Results, measure: str) -> tuple[Figure, str]:
    """The figure of one or two factors, and the factor on its x axis."""
    if len(results.factors) == 2:
        panels = level_panels_data(results, None, measure)
        return level_panels_figure(panels), panels.panels[0].factor
    data = levels_data(results, None, measure)
    return levels_figure(data), data.factor


def level_panels_data(
    results: Results,
    factor: str | None = None,
    measure: str | None = None,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> LevelPanelsData:
    """The data of a figure of two factors: one on the x axis of all panels, a panel for each level of the other.

    ``factor`` is on the x axis. By default it is the one whose levels are numbers in an order; of two, that with more
    levels, and of two with as many, the first. Means and intervals of a panel are those of :func:`levels_data`.
    """
    along, by = _two_factors(results, factor)
    made: dict[str, LevelsData] = {}
    gone: list[str] = []
    for level in _levels_of(results, by):
        heading = write_levels({by: level})
        try:
            made[heading] = levels_data(results.at({by: level}), along, measure, dataset=dataset, methods=methods)
        except DidNotRun as error:
            gone.append(f"{heading}: {error}")
    if not made:
        raise DidNotRun(gone[0])
    wanted = [m for m in results.method_names() if any(m in data.methods for data in made.values())]
    panels = tuple(_with_methods(data, wanted) for data in made.values())
    return LevelPanelsData(by, tuple(made), panels, (*_remarks(made), *gone))


def _two_factors(results: Results, factor: str | None) -> tuple[str, str]:
    """The factor on the x axis, and that of the panels."""
    if len(results.factors) != 2:
        others = {name: levels for name, levels in results.factors.items() if name != factor}
        fix = f"; choose a level, such as results.at({choice(*_first(others))})" if len(results.factors) > 2 else ""
        raise InputError(f"panels are for two factors, got {listed(results.factors) or 'none'}{fix}")
    if factor is not None and factor not in results.factors:
        raise UnknownName.among("factor of these results", factor, results.factors)
    along = factor or max(results.factors, key=lambda name: (_is_ordered(results, name), len(results.factors[name])))
    (by,) = (name for name in results.factors if name != along)
    n = len(results.factors[by])
    if n > MOST_PANELS:
        raise InputError(
            f"a figure has room for {MOST_PANELS} panels, but {by} has {n} levels; choose one, such as "
            f"results.at({choice(by, results.factors[by][0])}) (command line: --at "
            f"{by}={level_text(results.factors[by][0])}), or give factor={by!r}"
        )
    return along, by


def _first(factors: dict[str, tuple[Level, ...]]) -> tuple[str, Level]:
    name, levels = next(iter(factors.items()))
    return name, levels[0]


def _is_ordered(results: Results, factor: str) -> bool:
    return factor not in UNORDERED and are_numbers(results.factors[factor])


def _levels_of(results: Results, factor: str) -> list[Level]:
    there = {level_text(own[factor]) for own in results.levels() if factor in own}
    return [level for level in results.factors[factor] if level_text(level) in there]


def _with_methods(data: LevelsData, methods: Sequence[str]) -> LevelsData:
    """The data with a column for each of these methods; one that is not there has no means."""
    places = [data.methods.index(m) if m in data.methods else -1 for m in methods]

    def grid(rows: Rows) -> Rows:
        return tuple(tuple(math.nan if j < 0 else row[j] for j in places) for row in rows)

    failed = tuple(tuple(-1 if j < 0 else row[j] for j in places) for row in data.failed)
    return replace(
        data, methods=tuple(methods), estimates=grid(data.estimates), low=grid(data.low), high=grid(data.high),
        failed=failed,
    )  # fmt: skip


def _remarks(made: dict[str, LevelsData]) -> tuple[str, ...]:
    """The remarks of all panels; one that does not hold for all names its panels."""
    found: dict[str, list[str]] = {}
    for heading, data in made.items():
        for remark in data.remarks:
            found.setdefault(remark, []).append(heading)
    return tuple(r if len(where) == len(made) else f"{listed(where)}: {r}" for r, where in found.items())


@dataclass(frozen=True, slots=True)
class _Grid:
    """The number of panels, and of columns of panels."""

    n: int
    columns: int

    @property
    def size(self) -> tuple[float, float]:
        rows = math.ceil(self.n / self.columns)
        return self.columns * (WIDTH + BETWEEN) - BETWEEN, rows * (HEIGHT + ABOVE)

    def box(self, i: int) -> tuple[float, float, float, float]:
        """The place of the i-th panel, in shares of the whole."""
        row, column = divmod(i, self.columns)
        width, height = self.size
        bottom = height - (row + 1) * (HEIGHT + ABOVE)
        return column * (WIDTH + BETWEEN) / width, bottom / height, WIDTH / width, HEIGHT / height

    def is_lowest(self, i: int) -> bool:
        """Whether no panel stands below the i-th."""
        return i + self.columns >= self.n


def level_panels_figure(data: LevelPanelsData) -> Figure:
    """The panels as a Figure, which grows with their number; see :func:`level_panels_data`."""
    n, sheet = len(data.panels), paper()
    most = COLUMNS if sheet is None else max(int((sheet.width - 0.6 + BETWEEN) / (WIDTH + BETWEEN)), 1)
    grid = _Grid(n, 2 if n == 4 and most > 1 else min(n, most))
    return fitted_figure(*grid.size, partial(_draw_panels, data, grid))


def _draw_panels(data: LevelPanelsData, grid: _Grid, ax: Axes) -> None:
    """Draw the panels inside the Axes; labels, legend and remarks stand outside."""
    ax.set_axis_off()
    whole = data.together()
    remarks = dict.fromkeys(data.remarks)
    reach, shared = [0.0, 0.0], levels_curves(whole)
    for i, panel in enumerate(data.panels):
        curves = replace(levels_curves(panel, whole), labels=("", ""))
        inner = ax.inset_axes(grid.box(i))
        handles, texts = draw_in_box(curves, inner)
        first, lowest = i % grid.columns == 0, grid.is_lowest(i)
        inner.tick_params(axis="y", labelleft=first, length=3 if first else 0)
        inner.tick_params(axis="x", labelbottom=lowest)
        above: dict[str, Any] = {"ha": "center", "va": "bottom", "at": "axes fraction"}
        room = int(72 * WIDTH / (0.56 * FONT_SIZE))
        write(inner, short_names(data.headings, room)[i], (0.5, 1), offset=(0, 4), **above)
        reach = [max(reach[0], _reach(inner, 0)) if first else reach[0], max(reach[1], _reach(inner, 1))]
        remarks |= dict.fromkeys(beyond_the_box(curves))
    remarks |= dict.fromkeys(remark for remark in shared.remarks if remark not in remarks)
    _draw_around(ax, shared, reach, (handles, texts), list(remarks))


def _draw_around(
    ax: Axes, shared: CurvesData, reach: Sequence[float], legend: tuple[list[Any], list[str]], remarks: Sequence[str]
) -> None:
    """Write the labels of the shared axes, the legend and the remarks."""
    x_label, y_label = shared.labels
    middle: dict[str, Any] = {"at": "axes fraction"}
    write(ax, y_label, (0, 0.5), offset=(-reach[0] - 4, 0), ha="right", **middle).set(rotation=90)
    write(ax, x_label, (0.5, 0), offset=(0, -reach[1] - 2), ha="center", va="top", **middle)
    sheet = paper()
    if sheet is not None and sheet.narrow:
        legend_above(ax, *legend, left=True)
    else:
        legend_beside(ax, *legend)
    box = ax.get_tightbbox()
    width = (ax.get_window_extent().width if box is None else box.width) / ax.figure.dpi
    text = wrap(remarks, int(72 * width / (0.54 * SMALL)))
    below = reach[1] + 6 + 1.4 * FONT_SIZE
    write(ax, text, (0, 0), offset=(-reach[0], -below), va="top", at="axes fraction", size=SMALL, color=MUTED)


def _reach(ax: Axes, axis: int) -> float:
    """How far the numbers of the y (0) or x (1) axis reach outside the Axes, in points."""
    box = (ax.yaxis, ax.xaxis)[axis].get_tightbbox()
    if box is None:
        return 0.0
    own = ax.get_window_extent()
    return float(72 * (own.x0 - box.x0 if axis == 0 else own.y0 - box.y0) / ax.figure.dpi)
