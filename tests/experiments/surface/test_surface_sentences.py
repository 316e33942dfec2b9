"""The sentences about a response surface."""

import math

import pytest
from made_surfaces import LEVELS, hill, scores, slope, surface_results

from fairtrial.experiments.surface.surface_sentences import as_measured
from fairtrial.measures import get
from fairtrial.results import read_scores
from fairtrial.stats import Interval


class TestSentences:
    def test_inside_and_sure(self):
        first, region, worst, best = surface_results(noise=0.0005).surface().sentences
        assert first.startswith("accuracy is highest at C ≈ ")
        assert " on data sets such as these 8: 0.9" in first
        assert region.startswith("That point lies within C ")
        assert region.endswith("(95 % region).")
        assert worst.startswith("This is the mean over data sets; the worst of them there is d")
        assert best.startswith("Of the settings that were run, C 10, gamma 0.0")
        assert best.endswith("as the best of 9 settings it is over-estimated.")

    def test_an_open_region_is_not_sure(self):
        found = surface_results(lambda x, y: hill(x, y) + 0.07 * (x - 0.25) ** 2, noise=0.02).surface()
        if found.best.inside:
            assert any("is not sure: its 95 % region" in text for text in found.sentences)

    def test_a_ridge_is_named(self):
        found = surface_results(lambda x, y: 0.9 - 0.05 * (x + y) ** 2 - 0.0005 * (x - y) ** 2, noise=0.002).surface()
        assert found.top.nature == "ridge"
        if found.best.inside:
            assert any(text.startswith("Along a ridge it hardly changes: from C ≈ ") for text in found.sentences)

    @pytest.mark.parametrize(("levels", "impossible"), [([1, 2, 3], "C ≈ 0"), ([0.01, 0.02, 0.03], "C ≈ -")])
    def test_what_parameters_can_not_be_is_not_advised(self, levels, impossible):
        long = scores(lambda x, y: slope(-x, y))  # it rises towards the small end
        long["C"] = long["C"].map(dict(zip(LEVELS["C"], levels, strict=True)))
        found = read_scores(long, measure="accuracy").surface()
        assert "small C" in found.sentence
        assert impossible not in found.sentence
        assert found.setting["C"] == levels[0]

    def test_on_one_data_set_there_is_no_worst_one(self):
        found = surface_results(datasets=1, folds=5, resampling="5-fold").surface()
        assert not any("worst of them" in text for text in found.sentences)


class TestAsMeasured:
    def test_ends_stop_at_the_bounds_of_the_measure(self):
        found = as_measured(Interval("height", 0.9, 0.5, 1.2), get("accuracy"), ratio=False)
        assert (found.low, found.high) == (0.5, 1.0)

    def test_an_impossible_height_is_left_as_it_is(self):
        found = as_measured(Interval("height", 1.1, 0.9, 1.3), get("accuracy"), ratio=False)
        assert (found.estimate, found.high) == (1.1, 1.3)

    def test_ratios_are_turned_back(self):
        found = as_measured(Interval("height", 0.0, -1.0, 1.0), get("rmse"), ratio=True)
        assert (found.estimate, found.high) == (1.0, pytest.approx(math.e))
