"""Small panels with a shared axis of scores: lines of means at the levels of factors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fairtrial.figures.drawing.inputs import FigureData, axis_limits
from fairtrial.figures.drawing.style import (
    FONT_SIZE,
    INK,
    MARKERS,
    MUTED,
    SMALL,
    box_axes,
    fitted_figure,
    line_style,
    named_ticks,
    paper,
    short_names,
    shorten,
    wrap,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = 4
HEIGHT = 1.6
LEFT = 0.5  # inches for the numbers and the label of the shared axis
LONGEST_LEVEL = 16
GAP = 1.2 * SMALL / 72


@dataclass(frozen=True, slots=True)
class PanelLine:
    """A line of means with both ends of their intervals, nan where there is none; ``name`` stands at its right end."""

    name: str
    means: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel: levels on the x axis with their ``places`` and ``texts``, and its lines.

    ``heading`` and ``remark`` stand above it, ``x_label`` below; ``lines_are`` says what the names of its lines are.
    ``joined`` is False where levels have no order. ``star`` marks what is active.
    """

    heading: str
    texts: tuple[str, ...]
    places: tuple[float, ...]
    lines: tuple[PanelLine, ...]
    remark: str = ""
    x_label: str = ""
    lines_are: str = ""
    joined: bool = True
    star: bool = False


@dataclass(frozen=True, slots=True)
class PanelsData(FigureData):
    """All that the figure shows: panels in rows, the label and limits of the shared y axis, remarks below.

    ``reference`` is a horizontal line in all panels; nan for none. ``log`` makes the shared axis logarithmic.
    """

    panels: tuple[Panel, ...]
    label: str
    limits: tuple[float, float]
    remarks: tuple[str, ...] = ()
    reference: float = math.nan
    log: bool = False


def limits_of(panels: Sequence[Panel]) -> tuple[float, float]:
    """The limits of the shared axis: all means and intervals."""
    return axis_limits(v for p in panels for line in p.lines for v in (*line.means, *line.low, *line.high))


def from_logs(data: PanelsData) -> PanelsData:
    """The same panels of means of logarithms, as geometric means on a log axis."""
    panels = tuple(replace(p, lines=tuple(map(_from_logs, p.lines))) for p in data.panels)
    low, high = data.limits
    remarks = (*data.remarks, "geometric means, on a log axis")
    return replace(
        data, panels=panels, limits=(math.exp(low), math.exp(high)), reference=math.exp(data.reference), log=True,
        remarks=remarks,
    )  # fmt: skip


def _from_logs(line: PanelLine) -> PanelLine:
    means, low, high = (tuple(map(math.exp, values)) for values in (line.means, line.low, line.high))
    return replace(line, means=means, low=low, high=high)


@dataclass(frozen=True, slots=True)
class _Grid:
    """Sizes in inches: of a panel, of the room to its right and above it, and of that below each row."""

    columns: int
    width: float
    right: float
    above: float
    below: tuple[float, ...]

    @property
    def size(self) -> tuple[float, float]:
        width = self.columns * (self.width + self.right) - self.right
        return width, len(self.below) * (HEIGHT + self.above) + sum(self.below[:-1])

    def box(self, i: int) -> tuple[float, float, float, float]:
        """The place of the i-th panel, in shares of the whole."""
        row, column = divmod(i, self.columns)
        width, height = self.size
        bottom = height - (row + 1) * (HEIGHT + self.above) - sum(self.below[:row])
        return column * (self.width + self.right) / width, bottom / height, self.width / width, HEIGHT / height


def _grid(data: PanelsData) -> _Grid:
    named = any(len(p.lines) > 1 for p in data.panels)
    width, n = 1.9 if named else 1.35, len(data.panels)
    names = [line.name for p in data.panels for line in p.lines] + [p.lines_are for p in data.panels]
    longest = max(len(shorten(name, LONGEST_LEVEL)) for name in names)
    right = 0.3 + 0.58 * SMALL / 72 * longest if named else 0.14
    columns = 2 if named and n == 4 else min(n, COLUMNS - (1 if named else 0))
    sheet = paper()
    if sheet is not None:
        columns = max(min(columns, int((sheet.width - LEFT + right) / (width + right))), 1)
    rows = [data.panels[i : i + columns] for i in range(0, n, columns)]
    above = 0.2 + (1.3 * SMALL / 72 if any(p.remark for p in data.panels) else 0.0)
    return _Grid(columns, width, right, above, tuple(_room_below(row, width) for row in rows))


def _room_below(row: Sequence[Panel], width: float) -> float:
    """The height of the names of levels and of the labels below a row of panels, in inches."""
    label = 1.5 * FONT_SIZE / 72 if any(p.x_label for p in row) else 0.0
    return 0.1 + label + max(_tick_room(p, width) for p in row)


def _is_turned(panel: Panel, width: float) -> bool:
    """Whether the names of levels are too long to stand side by side."""
    if _is_long(panel):
        return False
    longest = max(len(shorten(text, LONGEST_LEVEL)) for text in panel.texts)
    return 0.56 * SMALL * longest + 4 > 72 * width / len(panel.texts)


def _is_long(panel: Panel) -> bool:
    """Whether the axis is one of numbers, of which only some are written."""
    return panel.places != tuple(map(float, range(len(panel.places))))


def _tick_room(panel: Panel, width: float) -> float:
    """The height of the names of levels, in inches."""
    longest = max(len(shorten(text, LONGEST_LEVEL)) for text in panel.texts)
    return (0.6 * SMALL * longest + 6) / 72 if _is_turned(panel, width) else (SMALL + 8) / 72


def panels_figure(data: PanelsData) -> Figure:
    """The panels as a Figure, which grows with their number."""
    return fitted_figure(*_grid(data).size, partial(draw_panels, data))


def draw_panels(data: PanelsData, ax: Axes) -> None:
    """Draw the panels inside the Axes; tick labels, names of lines and remarks may stand outside."""
    ax.set_axis_off()
    grid = _grid(data)
    reach = 0.0
    for i, panel in enumerate(data.panels):
        inner = ax.inset_axes(grid.box(i))
        _draw_panel(panel, data, inner, grid.width)
        first = i % grid.columns == 0
        inner.tick_params(axis="y", labelleft=first, length=3 if first else 0)
        reach = max(reach, _reach_to_left(inner)) if first else reach
    at: dict[str, Any] = {"ha": "right", "va": "center", "at": "axes fraction"}
    label = shorten(data.label, int(grid.size[1] * 72 / (0.54 * FONT_SIZE)) + 10)
    write(ax, label, (0, 0.5), offset=(-reach - 4, 0), **at).set(rotation=90)
    bottom = 72 * grid.below[-1] + 2
    text = wrap(data.remarks, int(max(grid.size[0], 3.0) * 72 / (0.5 * SMALL)))
    write(ax, text, (0, 0), offset=(0, -bottom), va="top", at="axes fraction", size=SMALL, color=MUTED)


def _reach_to_left(ax: Axes) -> float:
    """How far the numbers at the y axis reach to the left of the Axes, in points."""
    box = ax.yaxis.get_tightbbox()
    return 0.0 if box is None else 72 * (ax.get_window_extent().x0 - box.x0) / ax.figure.dpi


def _draw_panel(panel: Panel, data: PanelsData, ax: Axes, width: float) -> None:
    ends = (min(panel.places), max(panel.places))
    margin = 0.1 * (ends[1] - ends[0]) if _is_long(panel) else 0.4
    box_axes(ax, ((ends[0] - margin, ends[1] + margin), data.limits), ("", ""), (False, data.log))
    ax.grid(visible=False, axis="x")
    for side in ("right", "top"):
        ax.spines[side].set_visible(False)
    if data.reference == data.reference:
        ax.axhline(data.reference, color=MUTED, linewidth=0.9, linestyle=(0, (1, 2)), zorder=1.5)
    _draw_ticks(panel, ax, width)
    for i, line in enumerate(panel.lines):
        _draw_line(line, panel, i, ax)
    if len(panel.lines) > 1:
        _draw_names(panel, ax)
    lift = 3 + (1.3 * SMALL if panel.remark else 0)
    centred: dict[str, Any] = {"ha": "center", "va": "bottom", "at": "axes fraction"}
    write(ax, _heading(panel, int(72 * width / (0.58 * FONT_SIZE))), (0.5, 1), offset=(0, lift), **centred)
    if panel.remark:
        room = int(72 * width / (0.52 * SMALL))
        write(ax, shorten(panel.remark, room), (0.5, 1), offset=(0, 3), **centred, size=SMALL, color=MUTED)


def _heading(panel: Panel, room: int) -> str:
    """The heading in so many characters; of two factors both are shortened, and the star is kept.

    >>> _heading(Panel("learning_rate × depth", (), (), (), star=True), 18)
    'learnin… × depth *'
    """
    star = " *" if panel.star else ""
    parts, room = panel.heading.split(" × "), room - len(star)
    room -= 3 * (len(parts) - 1)
    for left, i in zip(range(len(parts), 0, -1), sorted(range(len(parts)), key=lambda i: len(parts[i])), strict=True):
        parts[i] = shorten(parts[i], max(room // left, 4))
        room -= len(parts[i])
    return " × ".join(parts) + star


def _draw_ticks(panel: Panel, ax: Axes, width: float) -> None:
    if _is_long(panel):
        middle = min(
            range(len(panel.places)), key=lambda i: abs(2 * panel.places[i] - panel.places[0] - panel.places[-1])
        )
        named_ticks(ax, [(panel.places[i], panel.texts[i]) for i in (0, middle, len(panel.places) - 1)])
    else:
        texts = short_names(panel.texts, LONGEST_LEVEL)
        turned = 90 if _is_turned(panel, width) else 0
        ax.set_xticks(panel.places, texts, rotation=turned, parse_math=False, usetex=False)
    if panel.x_label:
        shown = shorten(panel.x_label, int(72 * width / (0.54 * FONT_SIZE)))
        ax.set_xlabel(shown, fontsize=FONT_SIZE, color=INK, labelpad=2, parse_math=False, usetex=False)


def _draw_line(line: PanelLine, panel: Panel, i: int, ax: Axes) -> None:
    color, dashes = line_style(i)
    shift = 0.03 * i * (max(panel.places) - min(panel.places)) if line.low else 0.0
    xs = [place + shift for place in panel.places]
    for x, low, high in zip(xs, line.low, line.high, strict=False):
        if low == low and high == high:
            ax.plot([x, x], [low, high], color=color, linewidth=1.1, solid_capstyle="butt", zorder=2.4)
    style = dashes if panel.joined else "none"
    ax.plot(
        xs, line.means, color=color, linestyle=style, linewidth=1.5, marker=MARKERS[i % len(MARKERS)], markersize=4.5,
        markeredgewidth=0, zorder=2.6, clip_on=False,
    )  # fmt: skip


def _draw_names(panel: Panel, ax: Axes) -> None:
    """Write the names of the lines to the right, in the order of their ends and none over another."""
    ends = [_last(line.means) for line in panel.lines]
    shares = [float(ax.transAxes.inverted().transform(ax.transData.transform((0.0, v)))[1]) for v in ends]
    wanted = [min(max(HEIGHT * share, 0.0), HEIGHT - 0.6 * GAP) if share == share else 0.0 for share in shares]
    texts = short_names([line.name for line in panel.lines], LONGEST_LEVEL)
    for i, y in enumerate(_apart(wanted, GAP)):
        write(
            ax, shorten(texts[i], LONGEST_LEVEL), (1, y / HEIGHT), offset=(6, 0), at="axes fraction", size=SMALL,
            color=line_style(i)[0],
        )  # fmt: skip
    top = max(*_apart(wanted, GAP), HEIGHT - 0.6 * GAP) if wanted else HEIGHT
    above: dict[str, Any] = {"va": "bottom", "at": "axes fraction", "size": SMALL, "color": MUTED}
    write(ax, shorten(panel.lines_are, LONGEST_LEVEL), (1, top / HEIGHT), offset=(6, 7), **above)


def _last(means: Sequence[float]) -> float:
    return next((v for v in reversed(means) if v == v), math.nan)


def _apart(wanted: Sequence[float], gap: float) -> list[float]:
    """Heights close to the wanted ones, at least a gap apart.

    >>> [round(y, 2) for y in _apart([0.5, 0.52, 0.1], 0.1)]
    [0.46, 0.56, 0.1]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[list[int]] = []
    centres: list[float] = []
    for i in order:
        groups.append([i])
        centres.append(wanted[i])
        while len(groups) > 1 and centres[-1] - centres[-2] < gap * (len(groups[-1]) + len(groups[-2])) / 2:
            last, _ = groups.pop(), centres.pop()
            groups[-1] += last
            centres[-1] = sum(wanted[j] for j in groups[-1]) / len(groups[-1])
    placed = [0.0] * len(wanted)
    for members, centre in zip(groups, centres, strict=True):
        for k, i in enumerate(members):
            placed[i] = centre + gap * (k - (len(members) - 1) / 2)
    return placed
