"""What all figures of curves share: which points are kept, and that everything is drawn, readable and inside."""

import json
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.figures import Curve, CurvesData, Reference, curves_figure, to_svg
from fairtrial.figures.drawing.boxed_curves import check_curves, points, thinned
from fairtrial.figures.drawing.style import DASHES, INK, MUTED, PALETTE, line_style

NASTY = ["$x_1$", "_hidden", "<b>&amp;", "\\frac{1}{$", "a\nb\x00\ud800", "]]>", ""]


def simple(names, **options):
    lines = [Curve(name, ((0.0, 0.0), (0.1 * i, 1.0), (1.0, 1.0)), number="0.900") for i, name in enumerate(names)]
    chance = Reference(((0.0, 0.0), (1.0, 1.0)), "chance")
    return CurvesData(tuple(lines), (chance,), ("x", "y"), ((0.0, 1.0), (0.0, 1.0)), **{"heading": "area"} | options)


def distance(point, line):
    """From the nearest piece of the line."""
    a, b = np.array(line[:-1]), np.array(line[1:])
    long = np.square(b - a).sum(axis=1)
    along = np.clip(((point - a) * (b - a)).sum(axis=1) / np.where(long > 0, long, 1), 0, 1)
    return np.sqrt(np.square(a + along[:, None] * (b - a) - point).sum(axis=1)).min()


class TestThinned:
    def test_by_hand(self):
        # straight up, then straight on with a point between, then a bend that is kept
        assert thinned([0, 0, 0, 1, 2, 3], [0, 1, 2, 2, 2, 3]) == ((0, 0), (0, 2), (2, 2), (3, 3))

    def test_a_turn_on_the_spot_is_kept(self):
        assert thinned([0, 1, 0.5], [0, 0, 0]) == ((0, 0), (1, 0), (0.5, 0))

    @given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30))
    def test_no_dropped_point_is_off_the_line(self, steps):
        xy = np.cumsum([(0, 0), *steps], axis=0) / 100
        kept = thinned(xy[:, 0], xy[:, 1])
        assert set(kept) <= set(points(xy[:, 0], xy[:, 1]))
        assert max(distance(point, [*kept, kept[-1]]) for point in xy) < 1e-9

    def test_a_million_points_become_a_few_thousand_that_look_the_same(self):
        x = np.linspace(0, 30, 1_000_000)
        kept = thinned(x, np.sqrt(x), 30, np.sqrt(30))
        assert len(kept) < 5000
        assert kept[0] == (0, 0)
        assert kept[-1] == pytest.approx((30, np.sqrt(30)))
        seen = np.array(kept)
        assert np.abs(np.interp(x, seen[:, 0], seen[:, 1]) - np.sqrt(x)).max() < np.sqrt(30) / 1000


class TestCheckCurves:
    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="curves must have at least 1 entry, got 0"):
            check_curves({}, (int,))
        with pytest.raises(InputError, match="curves must be of the kind int or float, but 'svm' is a str"):
            check_curves({"svm": "0.5"}, (int, float))


class TestDrawing:
    @pytest.mark.parametrize("k", [1, 3, 10])
    def test_all_is_inside(self, k):
        data = simple([f"a rather long name of a method, number {i}" for i in range(k)], remarks=("what " * 30,))
        figure = curves_figure(data)
        box = figure.axes[0].get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height

    def test_the_legend_covers_nothing(self):
        figure = curves_figure(simple(["forest", "bayes"]))
        ax = figure.axes[0]
        assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1 - 1
        assert [text.get_text() for text in ax.get_legend().get_texts()] == ["0.900  forest", "0.900  bayes", "chance"]

    def test_curves_can_be_told_apart_in_grey_and_in_colour(self):
        assert len({line_style(i) for i in range(len(PALETTE) * len(DASHES))}) == 35
        lines = curves_figure(simple([f"m{i}" for i in range(10)])).axes[0].lines[:10]
        assert len({line.get_linestyle() + str(line._unscaled_dash_pattern) for line in lines}) == 5
        assert len({(line.get_color(), str(line._unscaled_dash_pattern)) for line in lines}) == 10

    def test_histograms_stand_below_and_take_the_label(self):
        curve = Curve("forest", ((0.0, 0.0), (1.0, 1.0)), bins=((0.0, 0.5, 0.25), (0.7, 0.7, 0.75)))
        figure = curves_figure(CurvesData((curve, curve), (), ("x", "y"), ((0.0, 1.0), (0.0, 1.0))))
        (below,) = figure.axes[0].child_axes
        assert (figure.axes[0].get_xlabel(), below.get_xlabel()) == ("", "x")
        assert below.get_window_extent().y1 < figure.axes[0].get_window_extent().y0
        tops = [2 - patch.get_xy()[:, 1].min() for patch in below.patches[2:]]  # of the second row, which ends at 2
        assert tops == pytest.approx([0.85 / 3, 0.85])

    def test_to_dict_is_plain(self):
        back = json.loads(json.dumps(simple(["forest"]).to_dict()))
        assert back["curves"][0]["line"] == [[0, 0], [0, 1], [1, 1]]
        assert back["references"][0]["text"] == "chance"

    def test_nasty_names_stay_what_they_are(self):
        svg = to_svg(curves_figure(simple(NASTY)))
        texts = {e.text for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
        wanted = ["$x_1$", "_hidden", "<b>&amp;", "\\frac{1}{$", "a b\ufffd\ufffd", "]]>"]
        assert {f"0.900  {name}" for name in wanted} <= texts

    def test_takes_the_colour_of_the_page(self):
        svg = to_svg(curves_figure(simple(["A", "B"])))
        assert "currentColor" in svg
        assert not any(colour in svg for colour in (INK, MUTED, "#ffffff", "#000000"))

    def test_same_bytes_twice(self):
        assert to_svg(curves_figure(simple(["A", "B"]))) == to_svg(curves_figure(simple(["A", "B"])))


@pytest.mark.slow
def test_data_need_no_matplotlib():
    program = """
import sys
from fairtrial.figures import confusion_data, contexts_data, cost_data, roc_data, roc_figure
from fairtrial.measures import ConfusionMatrix, RocPoint, context_map, cost_curve
point = RocPoint(0.25, 0.5, 8, 8)
confusion_data(ConfusionMatrix.of_table(tp=4, fn=4, fp=2, tn=6))
contexts_data(context_map({"m": point}))
cost_data({"m": cost_curve(point)})
roc_data({"m": point})
assert "matplotlib" not in sys.modules
roc_figure({"m": point})
assert "matplotlib.pyplot" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
