"""Small panels with a shared axis."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.figures.drawing.small_panels import (
    Panel,
    PanelLine,
    PanelsData,
    _apart,
    from_logs,
    limits_of,
    panels_figure,
)

LONG = "an extraordinarily long name of a parameter & <b> of_a_step 100% $x$ " + "m" * 11


def panel(n_levels=2, n_lines=1, name="depth", text="level {}"):
    lines = tuple(
        PanelLine(text.format(j), tuple(0.7 + 0.01 * (i + j) for i in range(n_levels))) for j in range(n_lines)
    )
    places = tuple(map(float, range(n_levels)))
    texts = tuple(text.format(i) for i in range(n_levels))
    return Panel(name, texts, places, lines, x_label=name, lines_are=name if n_lines > 1 else "")


@pytest.mark.parametrize("n", [1, 4, 5, 12])
@pytest.mark.parametrize("n_lines", [1, 6])
@pytest.mark.parametrize("name", ["depth", LONG])
def test_all_is_inside(n, n_lines, name, drawn_whole):
    panels = tuple(panel(2 + i % 3, n_lines, name, name + " {}") for i in range(n))
    data = PanelsData(panels, "accuracy", limits_of(panels), ("a remark",), 0.71)
    figure = panels_figure(data)
    assert {"accuracy", "a remark"} <= set(drawn_whole(figure))
    assert len(figure.axes[0].child_axes) == n


def test_panels_share_the_axis():
    panels = (panel(), panel(3))
    figure = panels_figure(PanelsData(panels, "score", limits_of(panels)))
    assert len({inner.get_ylim() for inner in figure.axes[0].child_axes}) == 1
    assert limits_of(panels) == pytest.approx((0.7 - 0.0008, 0.72 + 0.0008))


def test_two_rows_do_not_overlap():
    panels = tuple(panel(3, 1, "model", "a long name of a level {}") for _ in range(5))
    figure = panels_figure(PanelsData(panels, "score", limits_of(panels)))
    figure.draw_without_rendering()
    boxes = [inner.get_tightbbox() for inner in figure.axes[0].child_axes]
    assert not boxes[0].overlaps(boxes[4])
    assert not boxes[0].overlaps(boxes[1])


def test_geometric_means(drawn_whole):
    line = PanelLine("", (0.0, math.log(100)), (math.nan, 0.0), (math.nan, math.log(1000)))
    one = Panel("depth", ("2", "8"), (0.0, 1.0), (line,))
    data = from_logs(PanelsData((one,), "fit time, s", limits_of([one]), reference=math.log(10)))
    shown = data.panels[0].lines[0]
    assert shown.means == pytest.approx((1, 100))
    assert shown.high[1] == pytest.approx(1000)
    assert (data.log, data.reference) == (True, pytest.approx(10))
    assert "geometric means, on a log axis" in drawn_whole(panels_figure(data))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_names_are_apart_and_in_order(wanted):
    placed = _apart(wanted, 0.1)
    ordered = [placed[i] for i in sorted(range(len(wanted)), key=lambda i: wanted[i])]
    assert all(b - a > 0.1 - 1e-9 for a, b in itertools.pairwise(ordered))
    assert sum(placed) == pytest.approx(sum(wanted))
