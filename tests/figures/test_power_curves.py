"""Power curves as data; then that they are drawn."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import lines_of_power, power_data, power_figure, power_of_plan, view_of_results
from fairtrial.results import read_scores
from fairtrial.stats import power, sample_size

TABLE = pd.DataFrame(
    {
        "dataset": list("abcdefgh"),
        "A": [0.8, 0.9, 0.7, 0.6, 0.85, 0.75, 0.9, 0.5],
        "B": [0.79, 0.86, 0.7, 0.61, 0.8, 0.74, 0.91, 0.4],
    }
)


class TestPowerData:
    def test_it_is_that_of_the_test(self):
        data = power_data(12, effects={"one": 1.0, "half": 0.5})
        assert data.now == (power("wilcoxon", n=12, effect=1.0).power, power("wilcoxon", n=12, effect=0.5).power)
        assert data.needed(0) == sample_size("wilcoxon", effect=1.0).n
        assert data.powers[1][data.sizes.index(20)] == power("wilcoxon", n=20, effect=0.5).power

    def test_several_pairs_need_more_data_sets(self):
        assert power_data(12, pairs=6).now[3] == power("wilcoxon", n=12, effect=1.2, level=1 - 0.05 / 6).power
        assert power_data(12, pairs=6).needed(3) > power_data(12).needed(3)

    def test_powers_grow_with_n_and_with_the_effect(self):
        data = power_data(10)
        rows = np.array(data.powers)
        assert (np.diff(rows, axis=1) >= -1e-12).all()
        assert (np.diff(rows, axis=0) >= -1e-12).all()

    def test_too_few_data_sets_have_no_power(self):
        assert power_data(3).now == (0, 0, 0, 0)

    def test_to_dict_and_table(self):
        data = power_data(12, effects={"tiny": 0.01})
        assert json.loads(json.dumps(data.to_dict()))["present"] == 12
        assert data.to_table().rows[0][3] == f"more than {data.sizes[-1]}"

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="effects must be numbers above 0 with names"):
            power_data(12, effects={"none": 0.0})
        with pytest.raises(InputError, match="present and pairs must be 1 at least, got 0 and 1"):
            power_data(0)


class TestOfResults:
    results = read_scores(TABLE, measure="accuracy")

    def test_effects_are_the_difference_that_matters_over_the_spread(self):
        spread = np.std(TABLE["A"] - TABLE["B"], ddof=1)
        view = view_of_results(self.results, "power", smallest_difference=0.01)
        expected = power("wilcoxon", n=8, effect=0.01 / spread).power
        assert f"one standard deviation of their differences between these 8 data sets is {spread:.2g}" in view.words
        assert f"{expected:.3g}" in view.words
        assert view.title == "accuracy over 8 data sets"

    def test_without_a_difference_that_matters_they_are_in_standard_deviations(self):
        assert "1.2 sd" in view_of_results(self.results, "power").words

    def test_ratios(self):
        words = view_of_results(read_scores(TABLE, measure="fit_time"), "power", smallest_difference=0.1).words
        assert "10 %" in words
        assert "a factor of" in words

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="needs 2 methods and 2 data sets at least, got 2 methods on 1 data set"):
            read_scores(TABLE[:1], measure="accuracy").figure("power")
        with pytest.raises(InputError, match="differences that vary over data sets, but here they are all the same"):
            read_scores(TABLE.assign(B=TABLE["A"]), measure="accuracy").figure("power")
        with pytest.raises(UnknownName, match="no method of these results is called 'C'"):
            self.results.figure("power", methods=["A", "C"])


def test_of_a_plan():
    study = ft.Study(
        datasets=["iris", "wine"], methods={"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.1)}, resampling="5-fold"
    )
    data = power_of_plan(study.plan())
    assert (data.present, data.pairs) == (2, 1)
    assert data.now == (0, 0, 0, 0)


class TestDrawing:
    def test_the_present_number_is_marked(self, drawn_whole):
        curves = lines_of_power(power_data(12))
        assert all(curve.marks[0][0] == 12 for curve in curves.curves)
        assert "these 12 data sets" in drawn_whole(power_figure(power_data(12)))

    def test_more_data_sets_than_are_drawn(self):
        assert lines_of_power(power_data(1000)).curves[0].marks == ()
