"""The cost of a plan, in words."""

from dataclasses import replace

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from fairtrial import Factor, Study, tuned


def plan(**changes):
    methods = {"forest": RandomForestClassifier(), "bayes": GaussianNB()}
    given = {"datasets": ["iris"], "methods": methods, "resampling": "2-fold"}
    return Study(**{**given, **changes}).plan()


class TestCost:
    def test_without_a_pilot(self):
        assert plan().cost() == "6 fits; a pilot (--pilot, plan(pilot=True)) estimates how long they take"

    def test_settings_differ_and_the_dearest_is_named(self):
        made = plan(factors={"n_estimators": [10, 1000]})
        seconds = {(0, m, v): 0.5 for v, m in made.settings.cells.tolist()}
        dear = next(v for v, levels in enumerate(made.levels) if levels.get("n_estimators") == 1000)
        timed = replace(made, seconds={**seconds, (0, 0, dear): 3600.0})
        # 2 splits × (3600 + 3 × 0.5) s, and 3600 / 0.5, by hand
        assert timed.cost() == (
            "about 2 h 0 min of computing, divided by the number of workers; most of it for forest; the dearest trials "
            "are those of forest (n_estimators 1000) on iris, 1 h 0 min each, the cheapest those of forest "
            "(n_estimators 10): costs differ by a factor of 7,200 between settings"
        )

    @pytest.mark.parametrize(("dear", "words"), [(20.0, "a factor of 40 between"), (3.5, "a factor of 7 between")])
    def test_by_which_factor_settings_differ(self, dear, words):
        made = plan(factors={"n_estimators": [10, 1000]})
        seconds = {(0, m, v): 0.5 for v, m in made.settings.cells.tolist()}
        high = next(v for v, levels in enumerate(made.levels) if levels.get("n_estimators") == 1000)
        assert words in replace(made, seconds={**seconds, (0, 0, high): dear}).cost()

    def test_nothing_where_they_hardly_differ_or_took_no_time(self):
        made = plan(factors={"n_estimators": [10, 1000]})
        for seconds in (0.5, 0.0):
            timed = replace(made, seconds={(0, m, v): seconds for v, m in made.settings.cells.tolist()})
            assert "differ by" not in timed.cost()

    def test_without_settings_no_setting_is_named(self):
        made = plan()
        timed = replace(made, seconds={(0, m, 0): 1.0 + m for m in range(3)})
        assert timed.cost() == "about 12 s of computing, divided by the number of workers; most of it for majority"


class TestFits:
    def test_tuning_adds_to_them_at_each_setting(self):
        search = tuned(SVC(), {"C": [1, 10]}, inner="3-fold")
        assert plan(methods={"svm": search}).fits().startswith("4 fits, and up to 12 more")  # 2 × 2 × 3
        made = plan(methods={"svm": search}, factors=[Factor("estimator__gamma", [0.1, 1])])
        assert made.fits().startswith("6 fits, and up to 24 more")
