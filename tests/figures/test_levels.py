"""A measure against the levels of a factor, as data; then that it draws."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from matplotlib.text import Text
from sklearn.tree import DecisionTreeClassifier

from fairtrial.design import Factor, Study
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import levels_data, levels_figure
from fairtrial.figures.factors.levels import levels_curves
from fairtrial.stats import mean_interval, within_intervals

SIZES = (50, 100, 200)


def score(dataset, method, level, fold):
    base = {"a": 0.8, "b": 0.7, "yard": 0.75}[method]
    gain = 0.0 if method == "yard" else 0.02 * math.log2((level or 50) / 50) if (level or 50) >= 2 else 0.1 * level
    shift = 0.0 if dataset == "wine" else 0.04
    return {"accuracy": base + gain + shift + 0.01 * (fold - 2), "fit_time": 0.01 * (level + 1) * (fold + 1)}


class TestLevelsData:
    def test_by_hand(self, made_results):
        data = levels_data(made_results(score, factor="train_size", levels=SIZES))
        assert data.levels == ("50", "100", "200")
        assert data.places == SIZES
        assert [row[0] for row in data.estimates] == pytest.approx([0.80, 0.82, 0.84])
        expected = mean_interval([0.78, 0.79, 0.80, 0.81, 0.82], test_share=0.2)
        assert (data.low[0][0], data.high[0][0]) == pytest.approx((expected.low, expected.high))
        assert data.labels == ("training rows", "accuracy (higher is better)")
        assert data.log == (True, False)
        assert data.remarks == (
            "on wine: mean over 5-fold; 95 % intervals of each mean by itself (t, corrected for shared training data)",
        )

    def test_factors_on_methods(self):
        study = Study(
            datasets=["iris"], methods={"tree": DecisionTreeClassifier()}, resampling="2-fold", measures=["accuracy"],
            factors=[Factor("ccp_alpha", log=(0.001, 0.1)), Factor("criterion", ["gini", "entropy"])],
        )  # fmt: skip
        results = study.run(workers=0, progress=False)
        numbers = levels_data(results.at(criterion="gini"))
        assert (numbers.levels, numbers.places) == (("0.001", "0.1"), (0.001, 0.1))
        assert numbers.log[0]
        assert numbers.joined
        names = levels_data(results.at(ccp_alpha=0.1))
        assert (names.levels, names.places, names.labels[0]) == (("gini", "entropy"), (0.0, 1.0), "criterion")
        assert not names.joined
        with pytest.raises(InputError, match=r"results\.at\(criterion='gini'\) \(command line: --at criterion=gini"):
            levels_data(results, "ccp_alpha")

    def test_over_data_sets(self, made_results):
        results = made_results(score, datasets=("wine", "iris"), factor="train_size", levels=SIZES)
        data = levels_data(results)
        assert [row[0] for row in data.estimates] == pytest.approx([0.82, 0.84, 0.86])
        assert all(math.isnan(v) for row in data.low for v in row)
        assert data.remarks[0].startswith("mean over 2 data sets of the mean over 5-fold on each; no intervals over 2")
        assert levels_data(results, dataset="iris").estimates[0][0] == pytest.approx(0.84)

    def test_six_data_sets_have_intervals_without_what_they_differ_by(self, made_results):
        names = ("wine", *"uvxyz")

        def own(dataset, method, level, fold):
            found = score(dataset, method, level, fold)
            return found | {"accuracy": found["accuracy"] + 0.01 * (dataset == "u") * (method == "a")}

        methods = ("a", "b", "yard")
        results = made_results(
            own, datasets=names, methods=methods, yardsticks=("yard",), factor="train_size", levels=SIZES
        )
        data = levels_data(results)
        table = [[own(d, m, n, 2)["accuracy"] for n in SIZES for m in ("a", "b")] for d in names]
        expected = within_intervals(table)
        assert data.low[0][:2] == pytest.approx([i.low for i in expected[:2]])
        assert data.high[2][:2] == pytest.approx([i.high for i in expected[4:]])
        assert math.isnan(data.low[0][2])
        assert data.remarks[0].endswith("95 % intervals without what the data sets differ by on the whole (Morey 2008)")

    def test_times_on_a_log_axis_by_geometric_means(self, made_results):
        def time(dataset, method, level, fold):
            return {"accuracy": 0.9, "fit_time": {"wine": 1.0, "iris": 4.0}[dataset] * level}

        results = made_results(time, datasets=("wine", "iris"), factor="train_size", levels=SIZES)
        data = levels_data(results, measure="fit_time")
        assert data.estimates[0][0] == pytest.approx(100)
        assert data.log == (True, True)
        assert data.labels[1] == "fit time, s (lower is better)"
        assert "geometric mean over 2 data sets" in data.remarks[0]

    def test_data_sets_that_lack_levels_do_not_come_and_go(self, made_results):
        results = made_results(score, datasets=("wine", "iris"), factor="train_size", levels=SIZES)
        short = results.scores[~((results.scores["dataset"] == "wine") & (results.scores["train_size"] == 200))]
        results = replace(results, scores=short)
        data = levels_data(results)
        assert [row[0] for row in data.estimates] == pytest.approx([0.84, 0.86, 0.88])
        assert data.remarks[1] == "without wine: not all levels are there"
        assert levels_data(results, dataset="wine").levels == ("50", "100")

    def test_shares_over_data_sets(self, made_results):
        results = made_results(score, datasets=("wine", "iris"), factor="train_size", levels=(1, 0.25, 0.5))
        data = levels_data(results)
        assert (data.levels, data.places) == (("25 %", "50 %", "all"), (0.25, 0.5, 1.0))
        assert data.labels[0] == "share of training rows"
        mixed = levels_data(made_results(score, datasets=("wine", "iris"), factor="train_size", levels=(50, 1)))
        assert (mixed.levels, mixed.places, mixed.log[0]) == (("50", "all"), (0.0, 1.0), False)

    def test_shares_of_one_data_set_are_rows(self, made_results):
        results = made_results(score, factor="train_size", levels=(0.25, 1))
        results.scores["n_train"] = (1000 * results.scores["train_size"]).astype(int)
        assert levels_data(results).levels == ("250", "1,000")

    def test_other_factors(self, made_results):
        noise = levels_data(made_results(score, factor="label_noise", levels=(0, 0.05, 0.2)))
        assert (noise.levels, noise.places, noise.log) == (("0 %", "5 %", "20 %"), (0, 0.05, 0.2), (False, False))
        assert noise.labels[0] == "share of training rows with a wrong target"
        order = levels_data(made_results(score, factor="row_order", levels=(0, 1)))
        assert not order.joined

    def test_failed_trials_are_told(self, made_results):
        def troubled(dataset, method, level, fold):
            return None if (method, level, fold) == ("a", 100, 0) else score(dataset, method, level, fold)

        results = made_results(
            troubled, methods=("a", "b", "yard"), yardsticks=("yard",), factor="train_size", levels=SIZES
        )
        data = levels_data(results)
        assert data.estimates[1][0] == pytest.approx((4 * 0.825 + 0.73) / 5)
        assert data.remarks[1].startswith("100: 1 of 15 trials failed: a on wine (1); scored as the baseline 'yard'")

    def test_says_what_was_wrong(self, made_results):
        results = made_results(score, factor="train_size", levels=SIZES)
        with pytest.raises(UnknownName, match="no factor of these results is called 'train_sise'; did you mean"):
            levels_data(results, "train_sise")
        with pytest.raises(UnknownName, match="no method of these results is called 'c'"):
            levels_data(results, methods=["c"])
        with pytest.raises(UnknownName, match="no data set of these results is called 'vine'"):
            levels_data(results, dataset="vine")
        with pytest.raises(InputError, match="these results have no factor whose levels can be drawn"):
            levels_data(results.at(train_size=50))
        both = replace(results, factors={**results.factors, "label_noise": (0, 0.1)})
        with pytest.raises(InputError, match=r"factor must name the factor .*: train_size or label_noise"):
            levels_data(both)
        with pytest.raises(InputError, match=r"at one level of label_noise only; .*results.at\(label_noise=0\)"):
            levels_data(both, "train_size")

    def test_as_data(self, made_results):
        data = levels_data(made_results(score, factor="train_size", levels=SIZES))
        assert json.loads(json.dumps(data.to_dict()))["levels"] == ["50", "100", "200"]
        assert data.to_table().rows[0] == ("50", *data.estimates[0])


class TestLevelsCurves:
    def test_methods_stand_a_little_apart(self, made_results):
        data = levels_data(made_results(score, factor="train_size", levels=SIZES))
        first, second = levels_curves(data).curves
        assert 45 < first.marks[0][0] < second.marks[0][0] < 55
        assert first.line == first.marks
        assert len(first.bars) == 3

    def test_a_yardstick_is_muted(self, made_results):
        methods = ("a", "b", "yard")
        results = made_results(score, methods=methods, yardsticks=("yard",), factor="train_size", levels=SIZES)
        assert [curve.muted for curve in levels_curves(levels_data(results)).curves] == [False, False, True]

    def test_a_yardstick_far_off_is_told_instead(self, made_results):
        def far(dataset, method, level, fold):
            found = score(dataset, method, level, fold)
            return found | {"accuracy": 0.1} if method == "yard" else found

        methods = ("a", "b", "yard")
        data = levels_curves(
            levels_data(made_results(far, methods=methods, yardsticks=("yard",), factor="train_size", levels=SIZES))
        )
        assert [curve.name for curve in data.curves] == ["a", "b"]
        assert data.remarks[-1] == "not drawn, far off: yard, 0.100"
        assert data.limits[1][0] > 0.5

    def test_orders_are_not_joined(self, made_results):
        data = levels_curves(levels_data(made_results(score, factor="row_order", levels=(0, 1))))
        assert data.curves[0].line == ()
        assert len(data.curves[0].marks) == 2


class TestLevelsFigure:
    def test_draws_names_as_they_are(self, made_results):
        def named(dataset, method, level, fold):
            return score("wine", "a", level, fold)

        results = made_results(named, datasets=("$x_1$",), methods=("a$b$", "_c"), factor="train_size", levels=SIZES)
        figure = levels_figure(levels_data(results))
        texts = [text.get_text() for text in figure.findobj(Text)]
        assert "a$b$" in texts
        assert "_c" in texts
        assert [t.get_text() for t in figure.axes[0].get_xticklabels()] == ["200", "100", "50"]
        assert figure.axes[0].get_xscale() == "log"

    def test_ticks_that_would_cover_each_other_are_left_out(self, made_results):
        results = made_results(score, factor="train_size", levels=(100, 5000, 10_000, 10_100))
        labels = [t.get_text() for t in levels_figure(levels_data(results)).axes[0].get_xticklabels()]
        assert labels == ["10,100", "5,000", "100"]
