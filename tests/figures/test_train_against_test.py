"""The figure of training and test scores as data; then that it is drawn."""

import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import training_gap_data, training_gap_figure, view_of_results
from fairtrial.measures import get
from fairtrial.results import read_scores
from fairtrial.results.analyses.training_gap import TrainingGap


def gap(*rows, measure="accuracy"):
    return TrainingGap(get(measure), pd.DataFrame(rows, columns=["dataset", "method", "training", "test", "trials"]))


class TestTrainingGapData:
    def test_by_hand(self):
        data = training_gap_data(
            gap(("a", "tree", 1.0, 0.8, 5), ("b", "tree", 0.9, 0.6, 5), ("a", "net", 0.8, 0.82, 5))
        )
        tree, net = data.curves
        assert tree.marks == ((1.0, 0.8), (0.9, 0.6))
        assert (tree.number, net.number) == ("+0.250", "−0.020")
        assert data.limits[0] == data.limits[1]
        assert data.remarks[0].endswith("below the line: better on training rows than on test rows")

    def test_errors_lie_above_the_line_and_on_log_axes(self):
        data = training_gap_data(gap(("a", "tree", 1.0, 4.0, 5), measure="rmse"))
        assert data.curves[0].number == "+3.000"
        assert data.log == (True, True)
        assert "above the line" in data.remarks[0]

    def test_a_yardstick_far_off_is_not_drawn(self):
        rows = (("a", "tree", 1.0, 0.9, 5), ("b", "tree", 0.98, 0.92, 5), ("a", "majority", 0.3, 0.3, 5))
        data = training_gap_data(gap(*rows), yardsticks=["majority"])
        assert [curve.name for curve in data.curves] == ["tree"]
        assert data.remarks[1] == "not drawn, far off: majority"

    def test_it_is_drawn(self, drawn_whole):
        assert "no gap" in drawn_whole(training_gap_figure(gap(("a", "x" * 80, 1.0, 1.0, 1))))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    methods = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    study = ft.Study(datasets=["iris", "wine"], methods=methods, resampling="2-fold", training_scores=True)
    return study.run(tmp_path_factory.mktemp("gap") / "s.trial", workers=0, progress=False)


@pytest.mark.slow
class TestOfResults:
    def test_a_tree_remembers_its_training_rows(self, results):
        view = view_of_results(results, "training_gap", methods=["tree"], dataset="wine")
        assert view.title == "wine"
        assert "1.000" in view.words
        assert "iris" not in view.words
        assert "bayes" not in view.words

    def test_says_what_was_wrong(self, results):
        with pytest.raises(UnknownName, match="no method with training scores is called 'treee'"):
            results.figure("training_gap", methods=["treee"])
        scores = pd.DataFrame({"dataset": list("ab"), "A": [0.5, 0.6], "B": [0.6, 0.5]})
        with pytest.raises(InputError, match=r"there is no accuracy on training rows .* training_scores=True"):
            read_scores(scores, measure="accuracy").figure("training_gap")
