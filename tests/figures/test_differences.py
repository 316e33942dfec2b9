"""The forest plot of differences as data; then that it draws whatever it is given."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.figures import differences_data, differences_figure

nan = math.nan


class TestDifferencesData:
    def test_by_hand(self):
        # from −0.099 to the band's end 0.01 is 0.109; 4 % of it is 0.00436
        data = differences_data(
            ["forest", "bayes"],
            "boosting",
            [-0.008, -0.063],
            [-0.015, -0.099],
            [-0.002, -0.030],
            quantity="difference of accuracy",
            smallest_difference=0.01,
            marks=["", "*"],
            higher_is_better=True,
        )
        assert (data.null, data.band) == (0.0, (-0.01, 0.01))
        assert data.limits == pytest.approx((-0.10336, 0.01436))
        assert [(row.text, row.mark) for row in data.rows] == [
            ("−0.008 [−0.015, −0.002]", ""),
            ("−0.063 [−0.099, −0.030]", "*"),
        ]
        assert data.remarks == "lines: 95 % intervals · shaded: too small to matter"

    def test_ratios(self):
        data = differences_data(
            ["svm"], "forest", [0.8], [0.5], [1.1], quantity="ratio of times", smallest_difference=0.25, ratio=True
        )
        assert (data.null, data.band) == (1.0, (0.8, 1.25))
        assert data.rows[0].text == "0.80 [0.50, 1.10]"
        assert data.limits[0] < 0.5
        assert data.limits[1] > 1.25

    @pytest.mark.parametrize(
        ("size", "text"), [(0.0012, "+0.0012"), (0.3, "+0.300"), (1.5, "+1.50"), (42.0, "+42.0"), (12345.6, "+12346")]
    )
    def test_decimals_follow_the_size(self, size, text):
        assert differences_data(["a"], "b", [size], [nan], [nan], quantity="q").rows[0].text == text

    @pytest.mark.parametrize(("size", "text"), [(0.00123, "0.00123"), (2500.0, "2500")])
    def test_far_ratios_have_three_digits(self, size, text):
        assert differences_data(["a"], "b", [size], [nan], [nan], quantity="q", ratio=True).rows[0].text == text

    @given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=5))
    def test_no_difference_is_always_on_the_axis(self, estimates):
        data = differences_data([str(e) for e in estimates], "r", estimates, estimates, estimates, quantity="q")
        assert data.limits[0] < 0 < data.limits[1]

    def test_missing_is_a_dash_and_null_in_json(self):
        data = differences_data(["a"], "b", [nan], [nan], [nan], quantity="q")
        assert data.rows[0].text == "–"
        assert json.loads(json.dumps(data.to_dict()))["rows"][0]["estimate"] is None

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"estimates must be 1 numbers, got shape \(2,\)"):
            differences_data(["a"], "b", [1, 2], [1], [1], quantity="q")
        with pytest.raises(InputError, match=r"estimates must be above 0 when they are ratios, got -1\.0"):
            differences_data(["a"], "b", [-1], [nan], [nan], quantity="q", ratio=True)
        with pytest.raises(InputError, match="marks must be 1 texts, one for each name, got 2"):
            differences_data(["a"], "b", [1], [1], [1], quantity="q", marks=["*", ""])
        with pytest.raises(InputError, match="smallest_difference must be above 0, got 0"):
            differences_data(["a"], "b", [1], [1], [1], quantity="q", smallest_difference=0)
        with pytest.raises(InputError, match="low must not lie above high"):
            differences_data(["a"], "b", [1], [2], [1], quantity="q")


class TestDrawing:
    @pytest.mark.slow
    @pytest.mark.parametrize("k", [1, 4, 24])
    @pytest.mark.parametrize("ratio", [False, True])
    def test_all_is_inside(self, k, ratio):
        values = [1 + i / k for i in range(k)]
        data = differences_data(
            [f"a rather long name of method {i}" for i in range(k)],
            "reference",
            values,
            [v - 0.5 for v in values],
            [math.inf, *(v + 0.5 for v in values[1:])],
            quantity="q",
            smallest_difference=0.1,
            marks=["*"] * k,
            ratio=ratio,
            higher_is_better=False,
        )
        figure = differences_figure(data)
        box = figure.axes[0].get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height

    def test_the_sides_say_which_is_better(self):
        data = differences_data(["a"], "b", [0.1], [nan], [nan], quantity="error", higher_is_better=False)
        assert {"← better", "worse →"} <= {text.get_text() for text in differences_figure(data).axes[0].texts}
