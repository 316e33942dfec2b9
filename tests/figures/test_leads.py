"""The plot of leads as data; then that it draws whatever it is given."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.figures import leads_data, leads_figure
from fairtrial.tables.formats import ClosedAbove, ClosedBelow

inf, nan = math.inf, math.nan
LEAD = "typical lead over the best of the others in accuracy"


class TestLeadsData:
    def test_by_hand(self):
        # from −15 to 10.7 is 25.7; 4 % of it is 1.028
        ends = [(-6.4, 10.7), ClosedAbove((-15.0, 0.0)), (-inf, -2.3)]
        data = leads_data(["forest", "bayes", "rule"], [0.8, -3.8, -11], ends, quantity=LEAD, marks=["", "out", "out"])
        assert data.limits == pytest.approx((-16.028, 11.728))
        assert [row.closed for row in data.rows] == [False, True, False]
        assert [row.text for row in data.rows] == ["0.800 [−6.40 … 10.7]", "−3.80 [−15.0 … ≤ 0]", "−11.0 [−∞ … −2.30]"]
        assert data.remarks == (
            "Lines are 95 % intervals.",
            "Grey: shown not to be the best.",
            "A bar at 0 ends the line of a method that is not better; by how much is not shown.",
            "Arrow: the interval goes on.",
        )
        assert data.words.startswith(
            "Typical lead over the best of the others in accuracy: forest 0.800 [−6.40 … 10.7]; "
        )

    def test_ratios_of_what_is_better_low(self):
        ends = [(0.5, 1.1), ClosedBelow((1.0, 4.0))]
        options = {"quantity": "ratio of rmse", "ratio": True, "higher_is_better": False, "band": (0.8, 1.25)}
        data = leads_data(["a", "b"], [0.8, 1.25], ends, marks=["best", "out"], **options)
        assert (data.null, data.band) == (1.0, (0.8, 1.25))
        assert data.limits[0] < 0.5 < 4 < data.limits[1]
        assert "bar at 1 ends" in " ".join(data.remarks)
        assert data.remarks[-1] == "Leads in the shaded band are too small to matter."

    def test_a_row_of_its_own_has_only_a_mark(self):
        data = leads_data(["ridge"], [nan], [None], quantity="lead", marks=["control"])
        assert data.remarks == ()
        assert json.loads(json.dumps(data.to_dict()))["rows"][0]["lead"] is None

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="intervals must be 2, one for each name, got 1"):
            leads_data(["a", "b"], [1, 2], [None], quantity="q")
        with pytest.raises(InputError, match="marks must be 1, one for each name, got 2"):
            leads_data(["a"], [1], [None], quantity="q", marks=["", ""])
        with pytest.raises(InputError, match=r"leads must be above 0 when they are ratios, got -1\.0"):
            leads_data(["a"], [-1], [None], quantity="q", ratio=True)
        with pytest.raises(InputError, match="low must not lie above high"):
            leads_data(["a"], [1], [(2, 1)], quantity="q")


class TestDrawing:
    @pytest.mark.slow
    @settings(max_examples=15, deadline=None)
    @given(
        st.lists(
            st.tuples(st.floats(-1e3, 1e3), st.floats(0, 1e6) | st.just(inf), st.booleans()), min_size=1, max_size=6
        )
    )
    def test_any_leads_are_drawn(self, rows):
        leads = [lead for lead, _, _ in rows]
        ends = [ClosedAbove((min(x, 0) - w, 0.0)) if closed else (x - w, x + w) for x, w, closed in rows]
        figure = leads_figure(leads_data([f"$m_{i}$" for i in range(len(rows))], leads, ends, quantity=LEAD))
        assert figure.axes

    @pytest.mark.parametrize("width", [None, 3.4])
    @pytest.mark.parametrize("k", [2, 12, 40])
    def test_all_lies_inside(self, drawn_whole, width, k):
        names, marks = [f"method {i}" for i in range(k)], ["best", *["out"] * (k - 1)]
        ends = [(-0.1 * i - 0.2, 0.1 - 0.1 * i) for i in range(k)]
        data = leads_data(names, [-0.1 * i for i in range(k)], ends, quantity=LEAD, marks=marks, band=(-0.1, 0.1))
        figure = leads_figure(data, width)
        written = drawn_whole(figure)
        assert {"best", "out", "← behind", "ahead →"} <= set(written)
        if width is not None:
            assert figure.get_size_inches()[0] == pytest.approx(width, abs=0.05)

    def test_a_closed_end_is_a_bar_and_an_open_one_an_arrow(self):
        data = leads_data(["a", "b"], [-1, -2], [ClosedAbove((-3, 0.0)), (-inf, 0.5)], quantity="q")
        markers = [line.get_marker() for line in leads_figure(data).axes[0].lines]
        assert markers.count("|") == 1
        assert markers.count("<") == 1
