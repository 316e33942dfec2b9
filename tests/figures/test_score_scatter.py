"""The scatter plot of two methods as data; then that it draws whatever it is given."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import scatter_data, scatter_figure, to_svg, view_of_results
from fairtrial.results import read_scores

TABLE = pd.DataFrame(
    {
        "dataset": list("abcdef"),
        "tree": [0.90, 0.80, 0.70, 0.60, 0.95, 0.50],
        "net": [0.905, 0.70, 0.70, 0.75, 0.90, 0.52],
        "rule": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
    }
)


def of(first, second, **options):
    names = [f"d{i}" for i in range(len(first))]
    return scatter_data(names, ("A", "B"), first, second, **{"measure": "accuracy", "higher_is_better": True} | options)


class TestScatterData:
    def test_by_hand(self):
        # differences A − B: +0.2, −0.1, 0, +0.01: A better on two, B on one, equal on one
        data = of([0.8, 0.5, 0.7, 0.61], [0.6, 0.6, 0.7, 0.60])
        assert data.sides == (1, -1, 0, 1)
        assert data.counts == (2, 1, 1)
        assert data.named == (0, 1, 3)
        assert (data.x[0], data.y[0]) == (0.6, 0.8)
        assert data.limits == pytest.approx((0.5 - 0.04 * 0.3, 0.8 + 0.04 * 0.3))

    def test_a_difference_of_just_what_matters_does_not_count(self):
        data = of([0.8, 0.5, 0.61, 0.3], [0.6, 0.6, 0.60, 0.31], smallest_difference=0.01)
        assert data.sides == (1, -1, 0, 0)
        assert "A is better by more than 0.01 on 1, B on 1; on 2 they differ by at most 0.01" in data.words

    def test_lower_is_better(self):
        assert of([3.0, 1.0], [2.0, 5.0], higher_is_better=False).sides == (-1, 1)

    def test_ratios(self):
        # 12 against 10 is 20 % more, 10.5 against 10 is 5 % more
        data = of([12.0, 10.5, 1.0], [10.0, 10.0, 2.0], higher_is_better=False, smallest_difference=0.1, log=True)
        assert data.sides == (-1, 0, 1)
        assert data.named[0] == 2
        assert data.matters == "10 %"

    @given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12))
    def test_swapping_the_methods_turns_the_sides(self, pairs):
        a, b = zip(*pairs, strict=True)
        assert of(a, b).counts == of(b, a).counts[::-1]

    def test_to_dict_is_plain(self):
        assert json.loads(json.dumps(of([0.5], [0.4]).to_dict()))["sides"] == [1]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="scores must be above 0 on log axes, got 0"):
            of([0.0], [1.0], log=True)
        with pytest.raises(InputError, match="smallest_difference must be above 0, got -1"):
            of([0.5], [0.5], smallest_difference=-1)
        with pytest.raises(InputError, match=r"second must be 2 numbers, got shape \(1,\)"):
            of([0.5, 0.6], [0.5])


class TestOfResults:
    results = read_scores(TABLE, measure="accuracy")

    def test_words(self):
        view = view_of_results(self.results, "scatter", methods=["tree", "net"], smallest_difference=0.02)
        assert view.title == "tree against net on 6 data sets"
        assert view.words.splitlines()[1] == (
            "tree is better by more than 0.02 on 2, net on 1; on 3 they differ by at most 0.02"
        )

    def test_two_methods_must_be_named(self):
        with pytest.raises(InputError, match=r"a scatter plot compares two methods, which must be named .*, got 3 of"):
            self.results.figure("scatter")
        with pytest.raises(InputError, match="got 2 of tree, net and rule"):
            self.results.figure("scatter", methods=["tree", "tree"])
        with pytest.raises(UnknownName, match="no method of these results is called 'nett'"):
            self.results.figure("scatter", methods=["tree", "nett"])


class TestDrawing:
    def test_the_difference_that_does_not_matter_is_a_band(self, drawn_whole):
        figure = scatter_figure(of([0.8, 0.5], [0.6, 0.6], smallest_difference=0.05))
        assert len(figure.axes[0].collections) == 1
        assert {"A better", "B better", "d0", "d1"} <= set(drawn_whole(figure))

    def test_one_data_set(self, drawn_whole):
        assert "d0" in drawn_whole(scatter_figure(of([0.8], [0.6])))

    @pytest.mark.slow
    @pytest.mark.parametrize("size", ["column", "page", None])
    def test_any_names(self, size, drawn_whole):
        names = ["p&q <i>_%$x$ \"q\" 'r'", "יער אקראי", "x" * 80, "🌲 forest"]
        rng = np.random.default_rng(1)
        table = pd.DataFrame(rng.uniform(0.5, 0.9, (30, 4)), columns=names).assign(dataset=names * 7 + ["a", "b"])
        table["dataset"] = [f"{name} {i}" for i, name in enumerate(table["dataset"])]
        results = read_scores(table, measure="accuracy")
        for pair in (names[:2], names[2:]):
            figure = results.figure("scatter", methods=pair, size=size)
            drawn_whole(figure)
            assert pair[0][:5] in to_svg(figure) or "&amp;" in to_svg(figure)
