"""The map of contexts as data; then that it draws whatever it is given."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.figures import contexts_data, contexts_figure, to_svg
from fairtrial.figures.predictions.cost_curves import _roomy, _Surface
from fairtrial.measures import RocPoint, context_map


def point(fpr, tpr):
    return RocPoint(fpr, tpr, 50, 50)


TWO = context_map({"first": point(0, 0.75), "second": point(0.5, 0.9375), "third": point(0.5, 0.5)})
points = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(lambda xy: point(xy[0] / 10, xy[1] / 10))


class TestContextsData:
    def test_by_hand(self):
        # odds × ratio below 8/3: first; up to 8: second; above: all positive, which never misses
        data = contexts_data(TWO, here=(0.3, 1))
        assert [(region.name, region.trivial) for region in data.regions] == [
            ("first", False),
            ("second", False),
            ("always positive", True),
        ]
        odds = TWO.shares / (1 - TWO.shares) * TWO.ratios[:, None]
        wanted = [odds < 8 / 3, (odds > 8 / 3) & (odds < 8), odds > 8]
        assert [region.part for region in data.regions] == pytest.approx([w.mean() for w in wanted], abs=2e-3)
        assert data.never == ("third",)
        assert data.remarks == "never cheapest: third"

    def test_predicting_always_one_class_takes_no_learning(self):
        regions = contexts_data(context_map({"m": point(0.3, 0.8)})).regions
        assert [region.name for region in regions if region.trivial] == ["always negative", "always positive"]

    @given(st.lists(points, min_size=1, max_size=4))
    @settings(max_examples=30, deadline=None)
    def test_the_surface_has_the_same_winner_at_every_context_of_the_map(self, found):
        contexts = context_map(
            {f"m{i}": p for i, p in enumerate(found)}, shares=[0.1, 0.3, 0.5, 0.9], ratios=[0.1, 0.5, 1, 7]
        )
        data = contexts_data(contexts)
        surface = _Surface.of(data)
        columns, rows = (
            np.searchsorted(fine, np.array(coarse) - 1e-9)
            for fine, coarse in ((surface.shares, data.shares), (surface.ratios, data.ratios))
        )
        for m, region in enumerate(data.regions):
            won = contexts.best == contexts.names.index(region.name)
            assert ((surface.lead(m)[np.ix_(rows, columns)] > 0) == won).all()

    def test_to_dict_is_plain(self):
        back = json.loads(json.dumps(contexts_data(TWO, here=(0.3, 1)).to_dict()))
        assert back["here"] == [0.3, 1]
        assert np.shape(back["regions"][0]["costs"]) == TWO.best.shape

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"2 shares and 2 ratios at least, got \(1, 3\)"):
            contexts_data(context_map({"m": point(0, 1)}, shares=[0.5], ratios=[0.5, 1, 2]))
        with pytest.raises(InputError, match=r"here must be a share .* above 0, got \(37, 1\)"):
            contexts_data(TWO, here=(37, 1))
        with pytest.raises(InputError, match="contexts must be a ContextMap, see context_map; got a dict"):
            contexts_data({})


class TestRoomy:
    def test_by_hand(self):
        # an L: seven cells of a label only fit into its foot, in the third row from the end
        inside = np.zeros((10, 12), bool)
        inside[:, :4] = True
        inside[-5:, :] = True
        row, column = _roomy(inside, 3, 7)
        assert row == 7
        assert 3 <= column <= 8

    def test_no_room(self):
        assert _roomy(np.eye(20, dtype=bool), 3, 7) is None
        assert _roomy(np.ones((2, 2), bool), 3, 7) is None


class TestDrawing:
    def names(self, figure):
        return {text.get_text() for text in figure.axes[0].texts}

    def test_larger_regions_are_named_inside(self):
        shown = self.names(contexts_figure(TWO))
        assert {"first", "always positive"} <= shown

    def test_all_regions_are_in_the_legend(self):
        figure = contexts_figure(TWO, here=(0.3, 1))
        texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        assert [text.split("  ")[-1] for text in texts] == [
            "first",
            "second",
            "always positive",
            "30 % positive, ratio 1",
        ]

    def test_ratios_below_one_are_fractions(self):
        figure = contexts_figure(TWO)
        figure.canvas.draw()
        labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
        assert {"1/100", "1/10", "1", "10", "100"} <= set(labels)

    @pytest.mark.slow
    @pytest.mark.parametrize("k", [1, 3, 14])
    def test_all_is_inside(self, k):
        methods = {f"a long name of the method number {i}": point(x, x**0.3) for i, x in enumerate(np.arange(k) / k)}
        figure = contexts_figure(context_map(methods), here=(0.5, 2))
        box = figure.axes[0].get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height

    def test_one_winner_everywhere(self):
        assert "perfect" in self.names(contexts_figure(context_map({"perfect": point(0, 1)})))

    def test_nasty_names_stay_what_they_are(self):
        svg = to_svg(contexts_figure(context_map({"$x_1$": point(0, 0.75), "_a\x00<b>": point(0.5, 0.9375)})))
        texts = {e.text for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
        assert "$x_1$" in texts
        assert any((text or "").endswith("  _a\ufffd<b>") for text in texts)
