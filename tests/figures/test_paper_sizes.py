"""Sizes of figures in a paper."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from fairtrial.errors import UnknownName
from fairtrial.figures import dots_data, dots_figure, main_effects_data, main_effects_figure
from fairtrial.figures.drawing.style import has_caption, on_paper, paper, short_names, shorten, without_caption
from fairtrial.results import read_scores

rng = np.random.default_rng(1)
NAMES = ["logistic regression", "a gradient boosting machine", "forest", "bayes"]
TABLE = pd.DataFrame(rng.uniform(0.6, 0.9, (9, 4)), columns=NAMES).assign(dataset=[f"data {i}" for i in range(9)])
RESULTS = read_scores(TABLE, measure="accuracy")


def dots():
    grid = rng.uniform(0.5, 0.9, (6, 4))
    data = dots_data(list("abcdef"), NAMES, grid, grid - 0.1, grid + 0.1, measure="accuracy", higher_is_better=True)
    return dots_figure(data)


def panels():
    runs = [{f"factor {j}": ("low", "high")[i >> j & 1] for j in range(4)} for i in range(16)]
    return main_effects_figure(main_effects_data(runs, [list(range(16))], label="yield"))


FIGURES = {
    "profiles": lambda: RESULTS.figure("profiles"),
    "power": lambda: RESULTS.figure("power"),
    "scatter": lambda: RESULTS.figure("scatter", methods=NAMES[:2]),
    "simplex": lambda: RESULTS.figure("simplex", methods=NAMES[:2], smallest_difference=0.01),
    "dots": dots,
    "panels": panels,
}


def sized(kind, size):
    """Makers of results set the size themselves; the others are drawn inside on_paper."""
    if kind in ("dots", "panels"):
        with on_paper(size):
            return FIGURES[kind]()
    options = {"methods": NAMES[:2]} if kind in ("scatter", "simplex") else {}
    options |= {"smallest_difference": 0.01} if kind == "simplex" else {}
    return RESULTS.figure(kind, size=size, **options)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize(("size", "width"), [("column", 3.4), ("page", 7.0)])
def test_every_figure_is_as_wide_as_the_paper_and_readable(kind, size, width, drawn_whole):
    figure = sized(kind, size)
    assert figure.get_size_inches()[0] == pytest.approx(width, abs=0.03)
    assert min(text.get_fontsize() for text in figure.findobj(Text) if text.get_text()) >= 7
    drawn_whole(figure)


def test_a_size_holds_only_inside():
    with on_paper("column"):
        assert shorten("x" * 40) == "x" * 19 + "…"
        assert short_names(["y" * 40], 35) == ["y" * 19 + "…"]
        with on_paper(None):
            assert paper() is None
    assert paper() is None
    assert shorten("x" * 40) == "x" * 29 + "…"


def test_says_what_was_wrong():
    with pytest.raises(UnknownName, match="no size of figures is called 'colum'; did you mean 'column'"):
        RESULTS.figure("power", size="colum")


class TestCaption:
    def test_is_left_out_of_a_figure_of_results(self, made_results):
        """Title above, remarks below: both are in the figure by default, and neither without a caption."""
        results = made_results(lambda _, m, __, f: {"accuracy": 0.7 + (m == "a") * 0.1 + f / 100, "fit_time": 1.0})
        plain = results.figure("differences", caption=False)
        whole = results.figure("differences")
        assert not plain.texts
        assert whole.texts
        assert plain.get_size_inches()[1] < whole.get_size_inches()[1]

    def test_of_an_inner_figure_stays_left_out(self):
        with without_caption(), without_caption(left_out=False):
            assert not has_caption()
        assert has_caption()
