"""From results to the division of an advantage."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from made_effects import crossed, results, row

from fairtrial import stats
from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.statements import Role

PIPELINE = {"model": ["tree", "boosting"], "tuning": ["no", "yes"], "encoding": ["none", "target"]}


def planted(setting):
    """Tuning 0.012 and 0.008 more with encoding, encoding 0.006, the model nothing."""
    tuned, encoded = setting["tuning"] == "yes", setting["encoding"] == "target"
    return 0.012 * tuned + 0.006 * encoded + 0.008 * tuned * encoded


class TestOverDatasets:
    def test_by_hand(self):
        # one data set 0.70, 0.72, 0.74, 0.82: tuning adds 0.02 and 0.08, the model 0.04 and 0.10
        settings = [{"model": m, "tuning": t} for m in ("tree", "boosting") for t in ("no", "yes")]
        rows = [
            row(f"d{i}", "m", s, v) for i in range(6) for s, v in zip(settings, (0.70, 0.72, 0.74, 0.82), strict=True)
        ]
        found = read_scores(pd.DataFrame(rows), measure="accuracy").ablation()
        assert [i.estimate for i in found.found.parts.intervals] == pytest.approx([0.07, 0.05])
        assert found.found.first == pytest.approx((0.04, 0.02))

    def test_planted_truth(self):
        found = results(planted, PIPELINE).ablation()
        assert found.kind == "over data sets"
        assert found.shown() == ("tuning", "encoding")
        assert found.sentence.startswith("Of the 0.02")
        assert (
            "by which boosting + tuning + encoding (target) beats tree on data sets such as these 12: tuning 0.01"
            in (found.sentence)
        )
        assert found.sentence.endswith("(not shown).")
        assert any("tuning and encoding help each other" in text for text in found.sentences)
        assert len(found.to_table().rows) == 4

    def test_the_statistics_are_those_of_the_scores(self):
        table = crossed(planted, PIPELINE, datasets=7, folds=3)
        found = read_scores(table, measure="accuracy").ablation()
        means = table.groupby(["dataset", *PIPELINE], sort=False)["value"].mean().unstack([*PIPELINE])
        design = {
            name: [int(level[i] == PIPELINE[name][1]) for level in means.columns] for i, name in enumerate(PIPELINE)
        }
        other = stats.divide_advantage(means.to_numpy(), design)
        assert found.found.parts.intervals[1].low == pytest.approx(other.parts.intervals[1].low)
        assert found.found.parts.p_adjusted == pytest.approx(other.parts.p_adjusted)

    def test_lower_is_better(self):
        up = results(planted, PIPELINE)
        down = results(lambda s: -planted(s), PIPELINE, measure="error_rate", noise=0.004).ablation()
        assert down.found.parts.intervals[1].estimate > 0
        assert "beats tree" in down.sentence
        assert down.to_table().rows[0][3] < 0  # the change of the measure itself
        assert up.ablation().to_table().rows[0][3] > 0

    def test_ratios_multiply(self):
        table = crossed(planted, PIPELINE, measure="rmse")
        table["value"] = np.where(table["tuning"] == "yes", 0.8, 1.0) * np.exp(-table["value"])
        found = read_scores(table, measure="rmse").ablation()
        assert found.as_ratio
        parts = [np.exp(-i.estimate) for i in found.found.parts.intervals]
        assert np.prod(parts) == pytest.approx(np.exp(-found.found.advantage.estimate))
        assert found.sentence.startswith("Of the factor of 0.7")
        assert "×0.7" in found.to_table().to_text()

    def test_levels_of_methods(self):
        places = itertools.product(range(8), ("tree", "boosting"), (0, 1))
        rows = [
            row(f"d{i}", m, {"tuning": t}, 0.7 + 0.03 * (m != "tree") + 0.01 * t + i * t / 999) for i, m, t in places
        ]
        found = read_scores(pd.DataFrame(rows), measure="accuracy").ablation()
        assert found.components == ("method", "tuning")
        assert "the method itself 0.0" in found.sentence


class TestFewData:
    def test_splits_of_one_data_set(self):
        found = results(planted, PIPELINE, datasets=1, folds=10, resampling="10-fold").ablation()
        assert found.kind == "on splits"
        assert "tuning" in found.shown()
        (alone,) = found.said(Role.DOUBT)
        assert alone.render() == (
            "Only splits carry the error: this holds for d0 alone, and says nothing about other data sets."
        )

    def test_a_few_data_sets_are_one_family(self):
        one, several = (
            results(planted, PIPELINE, datasets=n, folds=10, resampling="10-fold").ablation() for n in (1, 3)
        )
        part = several.parts["d0"]
        assert part.found.values == pytest.approx(one.found.values)
        assert part.found.parts.intervals[0].high > one.found.parts.intervals[0].high
        assert part.found.parts.p_adjusted[0] == pytest.approx(min(1, 3 * one.found.parts.p_adjusted[0]))
        assert "Each of 3 data sets is judged by itself" in " ".join(several.sentences)
        assert len(several.to_table().rows) == 12
        assert np.isnan(several.found.parts.p_adjusted).all()

    def test_one_split(self):
        found = results(planted, PIPELINE, datasets=1).ablation()
        assert not found.shown()
        assert "Nothing is tested: without a second split" in found.sentences[1]

    def test_an_unknown_scheme(self):
        found = results(planted, PIPELINE, datasets=1, folds=10).ablation()
        assert found.kind == "one split"
        assert any("split scheme is unknown" in notice.text for notice in found.notices)

    def test_one_of_several(self):
        whole = results(planted, PIPELINE, datasets=8, folds=10, resampling="10-fold")
        assert whole.ablation(dataset="d3").kind == "on splits"
        with pytest.raises(UnknownName, match="d99"):
            whole.ablation(dataset="d99")


class TestRefused:
    def test_missing_combinations(self):
        table = crossed(planted, PIPELINE)
        gone = (table["model"] == "tree") & (table["tuning"] == "yes") & (table["encoding"] == "none")
        with pytest.raises(InputError, match=r"1 of 8 combinations is missing \(tuning\); run all combinations"):
            read_scores(table[~gone], measure="accuracy").ablation()


class TestShown:
    def test_formats(self):
        found = results(planted, PIPELINE).ablation(smallest_difference=0.013)
        assert json.loads(found.render("json"))["whole"] == "boosting + tuning + encoding (target)"
        for how, sign in (
            ("md", "| tuning"),
            ("html", "<table"),
            ("latex", r"\begin{tabular"),
            ("csv", "tuning,no,yes"),
        ):
            assert sign in found.render(how)
        assert "model and encoding change it by less than the 0.013 that matter" in str(found)
        assert repr(found).startswith("Ablation(over data sets, tree → boosting")
