"""Performance profiles as data, worked by hand; then that they are drawn."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import profiles_curves, profiles_data, profiles_figure, view_of_results
from fairtrial.results import read_scores

nan = math.nan


def of(scores, **options):
    n, k = np.asarray(scores, dtype=float).shape
    names = [f"m{j}" for j in range(k)]
    return profiles_data(
        [f"d{i}" for i in range(n)], names, scores, **{"measure": "m", "higher_is_better": True} | options
    )


class TestProfilesData:
    def test_ratios_by_hand(self):
        # seconds of two solvers on four problems; the best: 1, 3, 4, 5
        data = of([[1, 2], [9, 3], [4, 4], [5, nan]], higher_is_better=False, ratio=True)
        assert data.behind == (pytest.approx((1, 3, 1, 1)), pytest.approx((2, 1, 1, math.inf)))
        assert [data.share("m0", tau) for tau in (1, 2.9, 3)] == [0.75, 0.75, 1.0]
        assert [data.share("m1", tau) for tau in (1, 2, 1e9)] == [0.5, 0.75, 0.75]  # a failure is never within τ

    def test_distances_by_hand(self):
        data = of([[0.90, 0.95], [0.80, 0.60]])
        assert data.behind == (pytest.approx((0.05, 0)), pytest.approx((0, 0.2)))
        assert data.share("m0", 0.05) == 1.0
        assert data.share("m1", 0.05) == 0.5

    def test_higher_may_be_better_in_ratios_too(self):
        assert of([[2.0, 8.0]], ratio=True).behind == (pytest.approx((4,)), (1.0,))

    def test_equal_scores_are_all_best(self):
        data = of([[0.1 + 0.2, 0.3], [0.5, 0.5]])
        assert data.share("m0", 0) == data.share("m1", 0) == 1.0

    def test_a_data_set_on_which_all_failed_counts(self):
        assert of([[nan, nan], [0.5, 0.4]]).share("m0", 1.0) == 0.5

    @given(st.lists(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), min_size=1, max_size=8), st.floats(0, 1))
    def test_shares_grow_and_somebody_is_best_everywhere(self, scores, tau):
        data = of(scores)
        assert sum(data.share(m, 0.0) for m in data.methods) >= 1 - 1e-9
        assert all(data.share(m, 0.0) <= data.share(m, tau) <= 1.0 == data.share(m, 1.0) for m in data.methods)

    def test_to_dict_and_table(self):
        data = of([[0.9, nan], [0.8, 0.6], [0.7, 0.7]])
        assert json.loads(json.dumps(data.to_dict()))["methods"] == ["m0", "m1"]
        assert data.to_table().rows[1] == ("m1", pytest.approx(1 / 3), pytest.approx(0.2), math.inf)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="scores must be above 0 for ratios, got"):
            of([[0.0, 1.0]], ratio=True)
        with pytest.raises(UnknownName, match="no method of this figure is called 'm7'"):
            of([[1.0]]).share("m7", 1)


class TestCurves:
    def test_steps_end_at_the_edge(self):
        curve = profiles_curves(of([[1, 2], [9, 3], [4, 4], [5, nan]], higher_is_better=False, ratio=True))
        assert curve.curves[1].line == ((1.0, 0.5), (2.0, 0.5), (2.0, 0.75), (pytest.approx(3.15), 0.75))
        assert curve.remarks == ("failed on some data sets, and never within τ there: m1",)
        assert curve.log == (True, False)

    def test_all_equal(self):
        assert profiles_curves(of([[0.5, 0.5]])).limits[0][1] > 0
        assert profiles_curves(of([[2.0, 2.0]], ratio=True)).limits[0] == (1.0, 2.0)

    def test_of_forty_methods_the_best_have_their_own_curve(self, drawn_whole):
        scores = np.random.default_rng(1).uniform(0.5, 0.9, (15, 40))
        scores[:, 7] += 0.5
        data = of(scores)
        names = [curve.name for curve in profiles_curves(data).curves]
        assert len(names) == 13
        assert names[-1] == "28 others"
        assert "m7" in names
        drawn_whole(profiles_figure(data))


class TestOfResults:
    def test_times_are_compared_by_ratios_and_accuracies_by_distance(self):
        table = pd.DataFrame({"dataset": list("abc"), "A": [1.0, 2.0, 4.0], "B": [2.0, 1.0, 4.0]})
        by_time = view_of_results(read_scores(table, measure="fit_time"), "profiles")
        assert by_time.figure.axes[0].get_xscale() == "log"
        assert by_time.words.startswith("performance profiles: fit time, 3 data sets")
        shares = read_scores(table.assign(A=table["A"] / 5, B=table["B"] / 5), measure="accuracy")
        assert shares.figure("profiles").axes[0].get_xscale() == "linear"
        with pytest.raises(UnknownName, match="no method of these results is called 'C'"):
            shares.figure("profiles", methods=["A", "C"])
