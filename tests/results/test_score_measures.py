"""What scores measure: which way is better, and on which scale."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.measures import get
from fairtrial.results import read_scores
from fairtrial.results.score_measures import registered

WIDE = "dataset,a,b\niris,0.95,0.90\nwine,0.97,0.98\nglass,0.75,0.50\n"


class TestDirection:
    def test_the_direction_is_never_assumed(self, write):
        results = read_scores(write(WIDE))
        for ask in (results.verdict, results.measure, results.cv_intervals, lambda: results.verdict("score")):
            with pytest.raises(
                InputError, match=r"say measure='accuracy', higher_is_better=True or higher_is_better=False"
            ):
                ask()
        assert "glass" in str(results)  # looking at it needs no direction
        with pytest.raises(InputError, match=r"say measure='accuracy', higher_is_better=True or"):
            read_scores(write("dataset,method,measure,value\niris,a,quality,0.9\niris,b,quality,0.8\n"))
        with pytest.raises(InputError, match=r"did you mean 'accuracy'.*[?] Or say which way is better"):
            read_scores(write(WIDE), measure="acuracy")
        assert read_scores(write(WIDE), measure="quality", higher_is_better=True).question.measure == "quality"

    def test_the_measure_may_be_named_when_the_verdict_is_asked_for(self):
        # it said "say measure='accuracy'" to someone who had
        random = np.random.default_rng(2)
        table = pd.DataFrame(random.uniform(60, 99, (12, 3)).round(1), columns=list("abc"))
        table.insert(0, "dataset", [f"d{i}" for i in range(12)])
        later, at_once = (
            read_scores(table).verdict(measure="error_rate"),
            read_scores(table, measure="error_rate").verdict(),
        )
        assert str(later) == str(at_once)
        assert "Read      12 data sets × 3 methods, error_rate in percent" in str(later)
        assert not later.measure.higher_is_better
        assert read_scores(table).measure("accuracy").best == 100
        with pytest.raises(InputError, match="did you mean 'accuracy'"):
            read_scores(table).verdict(measure="acuracy")
        with pytest.raises(InputError, match="mcc lies between -1 and 1, but the scores go from"):
            read_scores(table.assign(a=-200)).verdict(measure="mcc")

    def test_the_measure_may_be_named_for_all_levels(self, write):
        rows = "".join(
            f"d{i},{m},{noise},{50 + 5 * i + (m == 'a') - 100 * noise / 4}\n"
            for i in range(6)
            for m in "ab"
            for noise in (0, 0.2)
        )
        path = write("dataset,method,label_noise,value\n" + rows)
        later, at_once = (
            read_scores(path).verdicts(measure="accuracy"),
            read_scores(path, measure="accuracy").verdicts(),
        )
        assert str(later) == str(at_once)

    def test_a_direction_that_contradicts(self, write):
        with pytest.raises(InputError, match="accuracy is known to be better when higher"):
            read_scores(write(WIDE), measure="accuracy", higher_is_better=False)


class TestForecasts:
    @pytest.mark.parametrize(
        ("title", "name"),
        [
            ("MASE", "mase"),
            ("sMAPE", "smape"),
            ("WQL", "wql"),
            ("wQL", "wql"),
            ("mean_weighted_sum_quantile_loss", "wql"),
            ("mean_wQuantileLoss", "wql"),
            ("CRPS", "crps"),
            ("mean CRPS", "crps"),
            ("WIS", "quantile_crps"),
            ("Pinball loss", "pinball"),
            ("quantile_loss", "pinball"),
            ("Interval score", "interval_score"),
            ("winkler", "interval_score"),
            ("Winkler score", "interval_score"),
        ],
    )
    def test_are_known_with_direction_and_scale(self, write, title, name):
        results = read_scores(write("dataset,a,b\nx,0.8,1.1\ny,120,150\n"), measure=title) if name != "smape" else (
            read_scores(write("dataset,a,b\nx,0.8,1.1\ny,12,15\n"), measure=title)
        )  # fmt: skip
        facts = results.measures[title]
        assert get(registered(title)).name == name
        assert (facts.best, facts.higher_is_better) == (0, False)
        assert facts.compare == ("difference" if name == "smape" else "log-ratio")


class TestScale:
    def test_percentages(self, write):
        results = read_scores(write("dataset,a,b\niris,95,90\nwine,97,91\nglass,75.5,61\n"), measure="accuracy")
        facts = results.measures["accuracy"]
        assert (facts.worst, facts.best, facts.unit) == (0, 100, "%")
        assert results.reading.sentence(facts) == "3 data sets × 2 methods, accuracy in percent"

    @pytest.mark.parametrize(("rows", "told"), [
        ("iris,95,90\nwine,97,0.9\nglass,75.5,61\n", r"1 score \(b on wine\) is about 100 times smaller .*90 for 0.9"),
        ("iris,95,0.90\nwine,97,0.91\nglass,75.5,0.61\n", "those of the method 'a' are about 100 times larger"),
        ("iris,.95,.90\nwine,97,91\nglass,.75,.61\n", "those of the data set 'wine' are about 100 times larger"),
    ])  # fmt: skip
    def test_two_scales_are_refused(self, write, rows, told):
        with pytest.raises(InputError, match=told):
            read_scores(write("dataset,a,b\n" + rows), measure="accuracy")

    def test_small_error_rates_in_percent_are_a_note(self, write):
        rows = "iris,4.1,3.9\nmushroom,0.4,0.7\nwine,2.5,1.9\nglass,30,28\n"
        results = read_scores(write("dataset,a,b\n" + rows), measure="error_rate")
        assert results.measures["error_rate"].unit == "%"
        assert any("at most 1 %" in note for note in results.notes)

    @pytest.mark.parametrize(
        ("factor", "unit", "span", "note"),
        [
            (0.01, "", "0 to 2", None),  # shares
            (0.05, "", "0 to 2", "none is above 2: 1.65 is 165 %; if it is 1.65 %, divide all scores by 100"),
            (1, "%", "0 to 200", "2 scores of sMAPE are at most 2 %, such as 1.8 of a on electricity"),
            (5, "%", "0 to 200", None),  # above 100, so half of the values is no percentage to 100
            (0.1, "%", "0 to 200", "of sMAPE are at most 2 %"),  # most of them: accurate forecasts
        ],
    )
    def test_smape_on_each_of_its_scales(self, write, factor, unit, span, note):
        rows = [("electricity", 1.8, 2.0), ("tourism", 12, 14), ("m4", 13, 12.5), ("m3", 15, 16), ("nn5", 33, 30)]
        text = "".join(f"{d},{a * factor:.6g},{b * factor:.6g}\n" for d, a, b in rows)
        results = read_scores(write("dataset,a,b\n" + text), measure="sMAPE")
        facts = results.measures["sMAPE"]
        assert (facts.unit, facts.range, facts.higher_is_better, facts.compare) == (unit, span, False, "difference")
        assert [note in n for n in results.notes] == [True] if note else results.notes == ()

    def test_smape_whose_title_says_percent(self, write):
        text = "dataset,a,b\nx,0.8,1.1\ny,1.2,1.5\n"
        assert read_scores(write(text), measure="sMAPE (%)").measures["sMAPE (%)"].unit == "%"
        assert read_scores(write(text), measure="sMAPE").measures["sMAPE"].unit == ""

    def test_two_scales_of_smape_are_refused(self, write):
        with pytest.raises(InputError, match=r"1 score \(b on x\) is about 100 times smaller .*14 for 0\.14"):
            read_scores(write("dataset,a,b\nx,12,0.14\ny,130,125\nz,15,16\n"), measure="sMAPE")

    def test_smape_above_its_range(self, write):
        with pytest.raises(InputError, match="smape lies between 0 and 2, but the scores go from 12 to 250"):
            read_scores(write("dataset,a,b\nx,12,14\ny,250,125\n"), measure="smape")

    def test_float_noise_above_one_is_no_percentage(self, write):
        results = read_scores(write("dataset,a,b\niris,1.0000000000000002,0.9\nwine,1,0.8\n"), measure="accuracy")
        assert results.measures["accuracy"].best == 1.0

    def test_some_numbers_above_one_are_no_percentages(self, write):
        with pytest.raises(InputError, match=r"auc lies between 0 and 1, but the scores go from 0\.7 to 2\.5"):
            read_scores(write("dataset,a,b\niris,0.9,0.8\nwine,0.7,2.5\n"), measure="auc")
