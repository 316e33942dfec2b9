"""From results with numeric factors to their response surface."""

import numpy as np
import pytest
from made_surfaces import LEVELS, hill, saddle, scores, slope, surface_results

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores


class TestOverDatasets:
    def test_the_planted_maximum_is_found(self):
        found = surface_results(noise=0.0).surface()
        # the mean surface has the mean tilt t besides: its maximum moves by t / 0.16
        tilt = found.surface["C"].estimate - 0.04
        assert found.best.point.tolist() == pytest.approx([0.25 + tilt / 0.16, -0.5], abs=1e-4)
        assert found.setting["gamma"] == pytest.approx(0.001, rel=1e-3)
        assert found.top.nature == "maximum"
        assert found.unit == "data set"
        assert found.surface.df == 7

    def test_levels_are_on_the_log_scale_where_they_are_evenly_spaced_there(self):
        found = surface_results().surface()
        assert [f.scale for f in found.varied] == ["log", "log"]
        assert found.surface.ranges["C"].natural(0) == pytest.approx(10)

    def test_the_worst_data_set_is_told(self):
        found = surface_results().surface()
        worst = found.units[int(np.argmin(found.best.by_row))]
        assert any(f"the worst of them there is {worst} with 0." in text for text in found.sentences)

    def test_few_data_sets_are_a_doubt(self):
        found = surface_results(datasets=3).surface()
        assert any("3 data sets are hardly a sample" in n.text for n in found.notices)
        assert not any("hardly a sample" in n.text for n in surface_results().surface().notices)


class TestOneDataset:
    def test_splits_have_the_corrected_variance(self):
        found = surface_results(datasets=2, folds=5, resampling="5-fold").surface(dataset="d1")
        values = found.surface.by_row
        plain = np.cov(values.T) / 5
        assert found.surface.covariance == pytest.approx(plain * (1 + 5 / 4), rel=1e-6)
        assert (found.unit, len(found.units)) == ("split", 5)
        assert "on d1" in found.sentence
        assert not any("no trial has been run" in n.text for n in found.notices)

    def test_one_split_is_a_doubt(self):
        found = surface_results(datasets=1).surface()
        assert "on one split of d0" in found.sentence
        assert any("there is only one split" in notice.text for notice in found.notices)
        assert found.surface.df == 3

    def test_splits_of_an_unknown_scheme_are_averaged(self):
        found = surface_results(datasets=1, folds=4).surface()
        assert any("of an unknown scheme are averaged" in notice.text for notice in found.notices)
        assert found.scores.shape == (1, 9)


class TestBorders:
    def test_no_maximum_inside(self):
        found = surface_results(slope).surface()
        assert found.best.border == {"C": 1}
        assert found.sentence.startswith("accuracy has no maximum inside of what was run")
        assert "it rises towards large C" in found.sentence
        assert found.way.points[-1][0] > 1
        assert found.next_steps[0].words.render().startswith("move the ranges")

    def test_saddle(self):
        found = surface_results(saddle).surface()
        assert found.top.nature == "saddle"
        assert not found.best.inside

    def test_lower_is_better(self):
        found = surface_results(lambda x, y: 1 - hill(x, y), measure="error_rate", noise=0.0).surface()
        assert found.sentence.startswith("error rate is lowest at C ≈ ")
        assert found.best.goal == "minimum"
        assert found.setting["gamma"] == pytest.approx(0.001, rel=1e-3)

    def test_ratios(self):
        found = surface_results(lambda x, y: 1 + 0.3 * (x - 0.25) ** 2 + 0.2 * y**2, measure="rmse").surface()
        assert found.as_ratio
        assert found.sentence.startswith("rmse is lowest at C ≈ ")
        assert found.value_at(found.best.height.estimate) == pytest.approx(1, abs=0.05)
        assert any(
            "the geometric mean over data sets; the worst of them there is d" in text for text in found.sentences
        )
        assert all("of the logarithm of rmse" in table.caption for table in found.more_tables())


class TestChecks:
    def test_lack_of_fit_is_a_doubt(self):
        found = surface_results(lambda x, y: 0.7 + 0.1 * x * y * y * x, noise=0.001).surface()
        assert any("does not fit all settings" in notice.text for notice in found.notices)
        assert any("show no lack of fit" in n.text for n in surface_results().surface().notices)

    def test_more_than_possible_is_a_doubt(self):
        steep = surface_results(lambda x, y: 0.94 - 0.2 * (x < 0) - 0.3 * (y < 0), noise=0.001)
        found = steep.surface()
        assert any("better there than accuracy can be (1)" in notice.text for notice in found.notices)

    def test_logits(self):
        found = surface_results().surface(scale="logit")
        assert 0.85 < found.best.height.estimate < 0.95
        assert found.surface.scale == "logit"

    def test_planes(self):
        found = surface_results(slope).surface(order=1)
        assert found.top is None
        assert found.best.border == {"C": 1, "gamma": 1}


class TestRefused:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"factors": ["C"]}, "gamma must not vary besides C"),
            ({"factors": ["C", "gama"]}, "no factor that varies in these results is called 'gama'"),
            ({"dataset": "d99"}, "d99"),
            ({"method": "tree"}, "tree"),
        ],
    )
    def test_names(self, options, message):
        with pytest.raises((InputError, UnknownName), match=message):
            surface_results().surface(**options)

    def test_one_factor_is_too_few(self):
        table = scores(hill, levels={"C": LEVELS["C"], "gamma": [0.01]})
        with pytest.raises(InputError, match=r"two or more numeric factors that vary, got C; results.effects\(\)"):
            read_scores(table, measure="accuracy").surface()

    def test_names_as_levels(self):
        table = scores(hill)
        table["gamma"] = table["gamma"].map({0.0001: "narrow", 0.01: "middle", 1: "wide"})
        with pytest.raises(InputError, match="a surface needs numbers, and gamma has none"):
            read_scores(table, measure="accuracy").surface()

    def test_logit_of_an_unbounded_measure(self):
        with pytest.raises(InputError, match="measures from 0 to 1"):
            surface_results(measure="rmse").surface(scale="logit")
