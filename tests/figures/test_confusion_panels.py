"""The confusion matrices of several methods side by side."""

import json
from dataclasses import replace

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import confusions_data, confusions_figure
from fairtrial.figures.predictions.confusion import MOST_MATRICES
from fairtrial.figures.result_views import view_of_results
from fairtrial.measures import ConfusionMatrix
from fairtrial.resampling import Dependence
from fairtrial.results import read_predictions


def matrix(right=8, k=2):
    counts = np.eye(k) * right + (1 - np.eye(k)) * (10 - right) / (k - 1)
    return ConfusionMatrix(counts, tuple(f"class {i}" for i in range(k)))


def predictions(n_methods):
    """Predictions of a data set of 20 instances: the method with number i is wrong on the first i of them."""
    import pandas as pd

    truth = ["no", "yes"] * 10
    other = {"no": "yes", "yes": "no"}
    wrong = {f"m{i:02d}": [other[t] if j < i else t for j, t in enumerate(truth)] for i in range(n_methods)}
    return read_predictions(pd.DataFrame({"y": truth, **wrong}), truth="y")


class TestConfusionsData:
    def test_by_hand(self):
        data = confusions_data({"a": matrix(8), "b": matrix(6)})
        assert data.methods == ("a", "b")
        assert data.right == (0.8, 0.6)
        assert data.panels[1].texts == (("6\n60 %", "4\n40 %"), ("4\n40 %", "6\n60 %"))
        assert json.loads(json.dumps(data.to_dict()))["right"] == [0.8, 0.6]

    def test_counts_share_one_scale(self):
        small, large = confusions_data({"a": matrix(8), "b": matrix(10)}, share="none").panels
        assert large.colours[0][0] == 1.0
        assert small.colours[0][0] == pytest.approx(np.sqrt(0.8))

    def test_a_column_of_one_is_a_column_of_all(self):
        odd = ConfusionMatrix(np.eye(2), ("class 0", "class 1"), elsewhere=np.array([3.0, 0.0]))
        plain, other = confusions_data({"a": matrix(8), "b": odd}).panels
        assert plain.columns == other.columns == ("class 0", "class 1", "none of them")
        assert (plain.texts[0][2], other.texts[0][2]) == ("0", "3\n75 %")
        assert len(plain.colours[0]) == len(plain.counts[0]) == 3

    def test_many_classes_have_counts_only(self):
        (panel,) = confusions_data({"a": matrix(8, k=7)}).panels
        assert panel.texts[0][0] == "8"

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="at most 12, got 13; name fewer methods"):
            confusions_data({str(i): matrix() for i in range(MOST_MATRICES + 1)})
        with pytest.raises(InputError, match="the same classes in the same order"):
            confusions_data({"a": matrix(), "b": matrix(k=3)})
        with pytest.raises(InputError, match="matrices must have at least 1 entry"):
            confusions_data({})


class TestDrawing:
    @pytest.mark.slow
    @pytest.mark.parametrize(("n", "k"), [(2, 2), (12, 6), (5, 15)])
    def test_all_is_inside(self, n, k):
        figure = confusions_figure({f"a method number {i}": matrix(k=k) for i in range(n)})
        assert len(figure.axes[0].child_axes) == n
        box = figure.axes[0].get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height

    def test_names_of_classes_stand_at_the_edges_only(self):
        panels = confusions_figure({str(i): matrix() for i in range(12)}).axes[0].child_axes
        with_names = [any(label.get_visible() for label in ax.get_yticklabels()) for ax in panels]
        assert sum(with_names) == 3  # rows of four
        assert [ax.get_ylabel() for ax in panels[:2]] == ["truth", ""]
        assert [ax.get_xlabel() for ax in panels[-4:]] == ["predicted"] * 4


class TestView:
    def test_all_methods_best_first(self):
        view = view_of_results(predictions(3), "confusion")
        assert view.title.startswith("3 methods on ")
        headings = [ax.texts[-2].get_text() for ax in view.figure.axes[0].child_axes]
        assert headings == ["m00", "m01", "m02"]
        assert "m02: 18 of 20 predicted right (accuracy 0.900)" in view.words

    def test_repeats_are_said(self):
        results = predictions(2)
        (name,) = results.dataset_names()
        twice = replace(results, dependence={name: Dependence("2×5-fold", repeats=2, folds=5, test_share=0.2)})
        assert view_of_results(twice, "confusion").notes == ("over 2 repeats: each instance is counted 2 times",)
        assert view_of_results(results, "confusion").notes == ()

    def test_named_methods_keep_their_order(self):
        view = view_of_results(predictions(3), "confusion", methods=["m02", "m00"])
        assert [ax.texts[-2].get_text() for ax in view.figure.axes[0].child_axes] == ["m02", "m00"]

    @pytest.mark.slow
    def test_of_many_the_best_are_drawn(self):
        results = predictions(14)
        view = view_of_results(results, "confusion")
        assert len(view.figure.axes[0].child_axes) == MOST_MATRICES
        assert view.notes == ("2 methods with a lower accuracy not drawn; name methods to choose others",)
        with pytest.raises(InputError, match="at most 12, got 14"):
            view_of_results(results, "confusion", methods=list(results.method_names()))
