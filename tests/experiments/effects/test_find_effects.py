"""From results with factors to effects."""

import json

import numpy as np
import pandas as pd
import pytest
from made_effects import THREE, TWO, crossed, nothing, planted, results, row, two_by_two

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.stats import Effects, Lenth


class TestByHand:
    def test_a_contrast_is_the_mean_at_the_high_level_less_that_at_the_low_one(self):
        # depth is half of 0.74 + 0.82 - 0.70 - 0.72, rate half of 0.72 + 0.82 - 0.70 - 0.74, both half of 0.10 - 0.04
        found = two_by_two(7).effects()
        assert found.values.names == ("depth", "rate", "depth × rate")
        assert found.values.values == pytest.approx(np.tile([0.07, 0.05, 0.03], (7, 1)))
        assert found.scores[2] == pytest.approx([0.702, 0.722, 0.742, 0.822])
        assert [dict(s) for s in found.settings][1] == {"depth": 3, "rate": 1}

    def test_folds_are_averaged_before_data_sets_are(self):
        table = crossed(planted, TWO, datasets=6, folds=4)
        found = read_scores(table, measure="accuracy").effects()
        means = table.groupby(["dataset", "depth"], sort=False)["value"].mean().unstack()
        assert found.values.values[:, 0] == pytest.approx((means[12] - means[3]).to_numpy())
        assert found.units == tuple(f"d{i}" for i in range(6))

    def test_lower_is_better_turns_the_sign(self):
        table = crossed(planted, TWO, measure="error_rate")
        found = read_scores(table, measure="error_rate").effects()
        means = table.groupby(["dataset", "depth"], sort=False)["value"].mean().unstack()
        assert found.values.values[:, 0] == pytest.approx((means[3] - means[12]).to_numpy())
        assert "from 12 to 3 it takes off 0.0" in found.sentence


class TestOverDatasets:
    def test_planted_truth(self):
        found = results(planted, THREE).effects()
        assert found.kind == "over data sets"
        assert set(found.active()) == {"depth", "depth × rate"}
        assert found.sentence.startswith(
            "Of 3 factors, depth matters for accuracy on data sets such as these 12: from 3 to 12 it adds 0.0"
        )
        assert found.sentence.endswith("and helps on 12 of 12 data sets.")
        assert found.anova is not None
        assert found.anova["depth"].p_value < 1e-6

    @pytest.mark.slow
    def test_inert_factors_are_rarely_called(self):
        # with all effects inert, 60 experiments at 5 % for all effects together: more than 9 have probability 0.003
        called = sum(
            bool(results(nothing, TWO, datasets=10, seed=seed, noise=0.01).effects().active()) for seed in range(60)
        )
        assert called <= 9

    def test_too_few_data_sets_for_so_many_effects(self):
        found = results(planted, THREE, datasets=6).effects()
        assert not found.active()
        assert "6 data sets are too few for 6 effects together, which need about 8" in found.sentence
        assert results(planted, {"depth": [3, 12], "rate": [1]}, datasets=6).effects().active() == ("depth",)

    def test_ratios(self):
        table = crossed(planted, TWO, measure="rmse")
        table["value"] = np.where(table["depth"] == 12, 0.8, 1.0) * np.exp(table["value"])
        found = read_scores(table, measure="rmse").effects()
        assert found.as_ratio
        assert found.scores.max() == pytest.approx(np.log(table["value"].max()))
        assert found.values.values[:, 0].mean() == pytest.approx(-np.log(0.8) - 0.03, abs=0.005)
        assert "from 3 to 12 it multiplies rmse by 0.8" in found.sentence
        assert "×0.8" in found.to_table().to_text()


class TestOnSplits:
    def test_planted_truth_on_one_data_set(self):
        found = results(planted, THREE, datasets=1, folds=10, resampling="10-fold").effects()
        assert found.kind == "on splits"
        assert set(found.active()) == {"depth", "depth × rate"}
        assert len(found.units) == len(found.scores) == 10

    def test_several_data_sets_are_one_family(self):
        one, several = (
            results(planted, TWO, datasets=n, folds=10, resampling="10-fold", noise=0.03).effects() for n in (1, 3)
        )
        part = several.parts["d0"]
        assert part.values.values == pytest.approx(one.values.values)
        assert isinstance(part.effects, Effects)
        assert isinstance(one.effects, Effects)
        # three data sets: p-values three times as large, and wider intervals
        assert part.effects.p_adjusted[0] == pytest.approx(min(1, 3 * one.effects.p_adjusted[0]))
        assert part.effects.intervals[0].high > one.effects.intervals[0].high
        assert several.units == ("d0", "d1", "d2")
        assert np.isnan(several.effects.p_adjusted).all()

    def test_an_unknown_scheme_allows_no_test_of_splits(self):
        found = results(planted, THREE, datasets=1, folds=10).effects()
        assert found.kind == "one split"
        assert any("the split scheme is unknown" in notice.text for notice in found.notices)

    def test_one_data_set_of_several(self):
        whole = results(planted, TWO, datasets=8, folds=10, resampling="10-fold")
        assert whole.effects(dataset="d3").kind == "on splits"
        with pytest.raises(UnknownName, match="d99"):
            whole.effects(dataset="d99")


class TestOneSplit:
    def test_lenth(self):
        found = results(planted, THREE, datasets=1).effects()
        assert isinstance(found.effects, Lenth)
        assert set(found.active()) == {"depth", "depth × rate"}
        assert "One split says nothing about others" in str(found)

    def test_a_plan_that_lenth_does_not_take(self):
        found = results(planted, {"depth": [3, 12], "rate": [0.1, 0.5, 1]}, datasets=1).effects()
        assert not found.active()
        assert found.sentence.startswith("Nothing is decided about 2 factors on one split of d0")


class TestFactors:
    def test_nested_factors_and_methods(self):
        rows = []
        for d in range(12):
            base, random = 0.5 + d / 50, np.random.default_rng(d)
            svm = [row(f"d{d}", "svm", {"C": c, "depth": np.nan}, base + 0.02 * (c == 10)) for c in (0.1, 10)]
            values = base + 0.05 + random.normal(0, 0.001, 2)
            tree = [row(f"d{d}", "tree", {"C": np.nan, "depth": x}, v) for x, v in zip((2, 8), values, strict=True)]
            rows += [*svm, *tree]
        found = read_scores(pd.DataFrame(rows), measure="accuracy").effects()
        assert found.factors == ("method", "C", "depth")
        assert [set(s) for s in found.settings] == [{"method", "C"}] * 2 + [{"method", "depth"}] * 2
        assert found.active() == ("method", "C within method = svm")
        assert "tree instead of svm adds 0.04" in found.sentence
        only = read_scores(pd.DataFrame(rows), measure="accuracy").effects(method="svm")
        assert only.factors == ("C",)

    def test_text_levels(self):
        found = results(lambda s: 0.05 * (s["kernel"] == "rbf"), {"kernel": ["linear", "poly", "rbf"]}).effects()
        assert set(found.active()) == {"kernel (rbf − linear)", "kernel (rbf − poly)"}
        assert "to rbf it adds 0.05" in found.sentence
        assert found.sentence.startswith("kernel matters for accuracy on data sets such as these 12")

    def test_a_fraction_names_what_it_mixes(self):
        half = crossed(planted, THREE)
        signs = np.where(half["depth"] == 12, 1, -1) * np.where(half["rate"] == 1, 1, -1)
        half = half[signs * np.where(half["kind"] == "b", 1, -1) > 0]
        found = read_scores(half, measure="accuracy").effects()
        assert found.model.contrasts[0].label == "depth − rate × kind"  # the first level of kind in the table is b
        # kind is inert, but it stands for the interaction that is mixed with it
        assert found.sentence.startswith("Of 3 factors, kind matters most")
        assert "(this plan can't tell it from depth × rate)" in found.sentence
        assert any("can't be told from others" in n.text for n in found.notices)

    def test_no_factor(self):
        with pytest.raises(InputError, match="effects need factors with several levels"):
            results(nothing, {"depth": [3]}).effects()


class TestAsFiles:
    def test_csv_in_json_out(self, tmp_path):
        path = tmp_path / "scores.csv"
        crossed(planted, THREE).to_csv(path, index=False)
        found = read_scores(path, measure="accuracy").effects()
        back = json.loads(found.render("json"))
        assert back["active"] == list(found.active())
        assert back["scores"] == found.scores.tolist()
        assert back["settings"] == [dict(s) for s in found.settings]
        assert back["effects"]["names"] == list(found.effects.names)
        for how in ("text", "csv", "md", "latex", "html"):
            assert "depth" in found.render(how)
