"""The confusion matrix as a picture: its data; then that it draws whatever it is given."""

import json
import math
from xml.etree import ElementTree

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import confusion_data, confusion_figure, to_svg
from fairtrial.measures import ConfusionMatrix, confusion_matrix

NASTY = ("$x_1$", "_hidden", "<b>&amp;", "a\nb\x00\ud800", "")


def random_matrix(k, most=100, name="class {}"):
    counts = np.random.default_rng(k).integers(0, most, (k, k)).astype(float)
    return ConfusionMatrix(counts, tuple(name.format(i) for i in range(k)))


class TestConfusionData:
    def test_by_hand(self):
        data = confusion_data(ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=30))
        assert data.texts == (("30\n75 %", "10\n25 %"), ("5\n6 %", "75\n94 %"))
        assert np.square(data.colours) == pytest.approx(np.array([(0.75, 0.25), (0.0625, 0.9375)]))
        assert data.columns == data.classes == ("negative", "positive")

    def test_bare_counts(self):
        data = confusion_data(ConfusionMatrix.of_table(tp=75, fn=5, fp=10, tn=30), share="none")
        assert data.texts == (("30", "10"), ("5", "75"))
        assert np.square(data.colours) == pytest.approx(np.array([(0.4, 10 / 75), (5 / 75, 1)]))

    def test_rows_are_truth(self):
        data = confusion_data(confusion_matrix(["cat", "cat", "dog"], ["dog", "cat", "dog"]))
        assert data.counts == ((1, 1), (0, 1))
        assert data.texts[1] == ("0", "1\n100 %")

    def test_predictions_of_no_class_have_a_column(self):
        data = confusion_data(ConfusionMatrix(np.eye(2), ("a", "b"), elsewhere=np.array([3.0, 0.0])))
        assert data.columns == ("a", "b", "none of them")
        assert data.texts[0] == ("1\n25 %", "0", "3\n75 %")

    def test_a_class_without_instances_has_no_colour(self):
        data = confusion_data(ConfusionMatrix(np.array([[2.0, 1.0], [0.0, 0.0]]), ("a", "b")))
        assert all(math.isnan(colour) for colour in data.colours[1])
        assert data.texts[1] == ("0", "0")
        assert json.loads(json.dumps(data.to_dict()))["colours"][1] == [None, None]

    def test_weights(self):
        data = confusion_data(ConfusionMatrix(np.array([[2.5, 0.0], [1.0, 12000.0]]), ("a", "b")))
        assert [row[i].split("\n")[0] for i, row in enumerate(data.texts)] == ["2.500", "12,000"]

    def test_many_classes_have_less_text(self):
        assert "%" in confusion_data(random_matrix(12)).texts[1][1]
        assert "%" not in confusion_data(random_matrix(13)).texts[1][1]
        assert confusion_data(random_matrix(20)).texts[1][1] != ""
        assert {text for row in confusion_data(random_matrix(21)).texts for text in row} == {""}

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="share must be 'truth' or 'none', got 'predicted'"):
            confusion_data(random_matrix(2), share="predicted")
        with pytest.raises(InputError, match="matrix must be a ConfusionMatrix, see confusion_matrix; got a list"):
            confusion_data([[1, 2], [3, 4]])


class TestDrawing:
    @pytest.mark.slow
    @pytest.mark.parametrize("k", [2, 5, 16, 30])
    @pytest.mark.parametrize("name", ["{}", "a long name of class number {}"])
    def test_all_is_inside(self, k, name):
        figure = confusion_figure(random_matrix(k, 10**6, name))
        box = figure.axes[0].get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height

    @pytest.mark.slow
    @pytest.mark.parametrize("k", [2, 6, 12, 20])
    def test_texts_stay_in_their_cells(self, k):
        figure = confusion_figure(random_matrix(k, 10**6))
        ax = figure.axes[0]
        cell = ax.get_window_extent().width / k
        cells = [text for text in ax.texts if text.get_text() and "blue" not in text.get_text()]
        assert len(cells) == k * k
        for text in cells:
            box = text.get_window_extent()
            assert max(box.width, box.height) <= cell

    def test_right_and_wrong_have_two_hues(self):
        patches = confusion_figure(ConfusionMatrix(np.ones((3, 3)), tuple("abc"))).axes[0].patches
        hues = [patch.get_facecolor()[:3] for patch in patches]
        assert len(set(hues)) == 2
        assert [hue == hues[0] for hue in hues] == np.eye(3, dtype=bool).ravel().tolist()

    def test_truth_in_rows_from_the_top(self):
        ax = confusion_figure(random_matrix(3)).axes[0]
        assert (ax.get_ylabel(), ax.get_xlabel()) == ("truth", "predicted")
        assert ax.yaxis_inverted()
        assert [label.get_text() for label in ax.get_yticklabels()] == ["class 0", "class 1", "class 2"]

    def test_long_names_below_lie_on_their_side(self):
        upright = confusion_figure(random_matrix(2, name="two words {}")).axes[0].get_xticklabels()
        lying = confusion_figure(random_matrix(2, name="unbreakablename{}")).axes[0].get_xticklabels()
        assert {label.get_rotation() for label in upright} == {0}
        assert {label.get_rotation() for label in lying} == {90}

    def test_nothing_counted_still_draws(self):
        assert confusion_figure(ConfusionMatrix(np.zeros((2, 2)), ("a", "b"))).axes
        assert confusion_figure(ConfusionMatrix(np.zeros((2, 2)), ("a", "b")), share="none").axes

    def test_nasty_names_stay_what_they_are(self):
        svg = to_svg(confusion_figure(ConfusionMatrix(np.eye(5), NASTY)))
        texts = {e.text for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
        assert {"$x_1$", "_hidden", "<b>&amp;", "a b\ufffd\ufffd"} <= texts
