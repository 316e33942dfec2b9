"""Cost against size as data; then that it draws."""

from __future__ import annotations

import pytest
from matplotlib.text import Text

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import growth_data, growth_figure

SIZES = (50, 100, 200, 400)


def seconds(dataset, method, level, fold):
    power = {"a": 1, "b": 2}[method]
    off = {50: 1.1, 100: 0.95, 200: 0.95, 400: 1.0}[level]
    return {"accuracy": 0.9, "fit_time": 0.001 * off * level**power * (1 + fold % 3)}


@pytest.fixture
def scaling(made_results):
    return made_results(seconds, factor="train_size", levels=SIZES).growth()


class TestGrowthData:
    def test_marks_are_medians_and_the_line_is_the_fit(self, scaling):
        first, second = growth_data(scaling).curves
        assert first.marks[0] == (50, pytest.approx(0.001 * 1.1 * 50 * 2))
        fit = scaling.fits["wine"]["b"]
        assert second.line == ((50, fit.at(50).estimate), (400, fit.at(400).estimate))
        assert second.number == f"{fit.exponent.estimate:.2f} [{fit.exponent.low:.2f}, {fit.exponent.high:.2f}]"

    def test_axes(self, scaling):
        data = growth_data(scaling)
        assert data.labels == ("training rows", "fit time (s)")
        assert data.log == (True, True)
        assert data.ticks == ((50, "50"), (100, "100"), (200, "200"), (400, "400"))

    def test_nothing_to_fit_is_told(self, made_results):
        def some(dataset, method, level, fold):
            return {"accuracy": 0.9, "peak_memory": 0.0 if method == "b" else 2.0 if level == 400 else 0.0}

        results = made_results(some, factor="train_size", levels=SIZES, measures=("accuracy", "peak_memory"))
        data = growth_data(results.growth("peak_memory"))
        assert [(curve.name, curve.line, curve.number) for curve in data.curves] == [("a", (), "–")]
        assert data.remarks[-1] == "0 at all sizes: b"
        none = made_results(
            lambda *_: {"accuracy": 1, "peak_memory": 0}, factor="train_size", levels=SIZES,
            measures=("accuracy", "peak_memory"),
        )  # fmt: skip
        with pytest.raises(InputError, match=r"peak_memory must be above 0 .*, but it is 0 at all sizes"):
            growth_data(none.growth("peak_memory"))

    def test_one_data_set_is_drawn(self, made_results):
        both = made_results(seconds, datasets=("wine", "iris"), factor="train_size", levels=SIZES).growth()
        with pytest.raises(InputError, match=r"dataset must name one data set .*, since there are 2: wine and iris"):
            growth_data(both)
        with pytest.raises(UnknownName, match="no data set of these results is called 'vine'"):
            growth_data(both, "vine")
        assert growth_data(both, "iris").curves

    def test_draws(self, scaling):
        figure = growth_figure(scaling)
        assert figure.axes[0].get_yscale() == "log"
        shown = [text.get_text() for text in figure.findobj(Text)]
        assert any(text.endswith("  a") and text.startswith("0.9") for text in shown)
