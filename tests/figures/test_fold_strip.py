"""The strip plot of scores over folds as data; then that it draws whatever it is given."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import folds_data, folds_figure, view_of_results
from fairtrial.results import read_scores
from fairtrial.stats import mean_interval

nan = math.nan


def of(scores, low=None, high=None, **options):
    names = [f"m{j}" for j in range(np.asarray(scores, dtype=float).shape[1])]
    return folds_data("iris", names, scores, low, high, **{"measure": "accuracy", "higher_is_better": True} | options)


class TestFoldsData:
    def test_by_hand(self):
        data = of([[0.5, 0.8], [0.7, 0.8], [0.6, 0.9]], [0.4, 0.7], [0.8, 1.0])
        assert data.scores == ((0.5, 0.7, 0.6), (0.8, 0.8, 0.9))
        assert data.means == pytest.approx((0.6, 2.5 / 3))
        assert data.limits == pytest.approx((0.376, 1.024))
        assert data.aside[0] == (0.0, 0.0, 0.0)
        assert data.aside[1] == pytest.approx((0.05, -0.05, 0.0))  # two equal scores stand side by side

    def test_a_hundred_equal_scores_stay_in_their_row(self):
        assert max(of([[0.5]] * 100).aside[0]) == pytest.approx(0.2475)

    def test_a_fold_without_a_score(self):
        data = of([[0.5, nan], [0.7, nan]])
        assert math.isnan(data.means[1])
        assert data.words.splitlines()[1] == "m0: mean 0.6, from 0.5 to 0.7"

    def test_an_interval_that_goes_on(self):
        data = of([[0.001], [0.003]], [-0.01], [0.02], log=True, higher_is_better=False)
        assert "arrow: the interval goes on" in data.remarks
        assert "arrow: the interval goes on" not in of([[0.5]], [0.4], [0.6]).remarks

    def test_to_dict_is_plain(self):
        assert json.loads(json.dumps(of([[0.5, nan]]).to_dict()))["scores"] == [[0.5], [None]]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="above 0 on a log axis"):
            of([[0.0]], log=True)
        with pytest.raises(InputError, match="low must not lie above high"):
            of([[0.5]], [0.7], [0.6])


def long_table():
    rng = np.random.default_rng(2)
    rows = [(d, m, f, 0.8 + 0.05 * (m == "A") + rng.normal(0, 0.02)) for d in "xy" for m in "AB" for f in range(10)]
    return pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])


class TestOfResults:
    table = long_table()
    results = read_scores(table, measure="accuracy", resampling="10-fold")

    def test_the_interval_is_the_corrected_one(self):
        own = self.table.query("dataset == 'x' and method == 'A'")["accuracy"]
        found = mean_interval(own, test_share=0.1)
        words = view_of_results(self.results, "folds", dataset="x").words
        assert f"A: mean {own.mean():.4g} [{found.low:.4g}, {found.high:.4g}]" in words
        assert "corrected for shared training data" in words

    def test_only_some_methods(self):
        view = view_of_results(self.results, "folds", dataset="x", methods=["B"], joined=True)
        assert [text.get_text() for text in view.figure.axes[0].get_yticklabels()] == ["B"]
        assert view.title == "x, 10-fold"

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"one data set must be named .* since there are 2: x and y"):
            self.results.figure("folds")
        with pytest.raises(UnknownName, match="no method of these results is called 'C'"):
            self.results.figure("folds", dataset="x", methods=["C"])
        with pytest.raises(UnknownName, match="no data set of these results is called 'z'"):
            self.results.figure("folds", dataset="z")


class TestDrawing:
    def test_lines_join_the_same_split(self, drawn_whole):
        scores = [[0.5, 0.6, 0.7], [0.6, 0.7, 0.8]]
        plain, joined = (folds_figure(of(scores, joined=joined)) for joined in (False, True))
        assert len(joined.axes[0].lines) == len(plain.axes[0].lines) + 2
        assert "a point for each split; lines join the same split" in drawn_whole(joined)

    @pytest.mark.slow
    def test_forty_methods_and_a_hundred_splits(self, drawn_whole):
        scores = np.random.default_rng(1).uniform(0.5, 0.9, (100, 40))
        assert "m39" in drawn_whole(folds_figure(of(scores, scores.min(axis=0), scores.max(axis=0))))
