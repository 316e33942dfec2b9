"""Quality against cost: who is on the front, and who beats whom."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import get
from fairtrial.stats import Interval, mean_interval
from fairtrial.verdict.pareto_front import Standing, _beaten_by, front_of

QUALITY = {"a": 0.80, "b": 0.90, "c": 0.85, "d": 0.70, "yard": 0.50}
SECONDS = {"a": 0.1, "b": 1.0, "c": 2.0, "d": 0.2, "yard": 0.01}


def score(dataset, method, level, fold):
    return {
        "accuracy": QUALITY[method] + 0.01 * (fold - 2),
        "error_rate": 1 - QUALITY[method] + 0.01 * (fold - 2),
        "fit_time": SECONDS[method] * (1 + 0.1 * (fold - 2)),
    }


class TestFrontOf:
    def test_by_hand(self, made_results):
        # b is best, a is cheapest; c costs more than b and is worse; d costs more than a and is worse
        front = front_of(made_results(score, methods=tuple("abcd")))
        assert front.methods() == ("a", "b")
        assert {s.method: s.beaten_by for s in front.standings} == {"a": (), "d": ("a",), "b": (), "c": ("b",)}
        assert str(front).startswith(
            "On the front of accuracy and fit time on wine: a (0.800, 100 ms) and b (0.900, 1.0 s)."
        )

    def test_lower_is_better(self, made_results):
        results = made_results(score, methods=tuple("abcd"), measures=("error_rate", "fit_time"))
        assert results.pareto().methods() == ("a", "b")

    def test_the_intervals_are_those_of_each_mean(self, made_results):
        front = made_results(score).pareto()
        folds = [QUALITY["a"] + 0.01 * (fold - 2) for fold in range(5)]
        expected = mean_interval(folds, test_share=0.2)
        assert front.standings[0].quality.low == pytest.approx(expected.low)
        assert "corrected for shared training data" in front.notes[0]

    def test_over_data_sets(self, made_results):
        # geometric means of the cost: √(0.1 · 10) = 1 and √(1 · 4) = 2
        def differing(dataset, method, level, fold):
            cost = {("iris", "a"): 0.1, ("wine", "a"): 10, ("iris", "b"): 1, ("wine", "b"): 4}[dataset, method]
            return {"accuracy": 0.8 if dataset == "iris" else 0.9, "fit_time": cost}

        front = made_results(differing, datasets=("iris", "wine")).pareto()
        assert [s.cost.estimate for s in front.standings] == pytest.approx([1, 2])
        assert front.standings[0].quality.estimate == pytest.approx(0.85)
        assert math.isnan(front.standings[0].quality.low)
        assert front.notes[0].startswith("no intervals over 2 data sets, which takes 6; name one data set")
        assert front.methods() == ("a",)
        alone = made_results(differing, datasets=("iris", "wine")).pareto(dataset="wine")
        assert alone.methods() == ("b",)

    def test_six_data_sets_have_intervals(self, made_results):
        names = tuple("uvwxyz")

        def differing(dataset, method, level, fold):
            return {"accuracy": 0.7 + 0.02 * names.index(dataset), "fit_time": 2.0 ** names.index(dataset)}

        (first, _) = made_results(differing, datasets=names).pareto().standings
        assert first.quality.low == pytest.approx(mean_interval([0.7 + 0.02 * i for i in range(6)]).low)
        logs = mean_interval([i * math.log(2) for i in range(6)])
        assert first.cost.high == pytest.approx(math.exp(logs.high))

    def test_a_yardstick_beats_but_is_not_on_the_front(self, made_results):
        methods = ("a", "b", "yard")
        front = made_results(score, methods=methods, yardsticks=("yard",)).pareto()
        assert front.methods() == ("a", "b")
        assert front.to_table().rows[0][-1] == "yardstick"

        def poor(dataset, method, level, fold):
            return {"accuracy": 0.4 if method == "b" else 0.6, "fit_time": SECONDS[method]}

        nobody = made_results(poor, methods=methods, yardsticks=("yard",)).pareto()
        assert nobody.methods() == ()
        assert str(nobody).startswith(
            "No method is on the front of accuracy and fit time on wine: the yardstick is as good and as cheap or b"
        )

    def test_failed_trials_are_scored_as_the_policy_says(self, made_results):
        def troubled(dataset, method, level, fold):
            return None if (method, fold) == ("b", 0) else score(dataset, method, level, fold)

        front = made_results(troubled, methods=("a", "b", "yard"), yardsticks=("yard",)).pareto()
        quality = {s.method: s.quality.estimate for s in front.standings}
        assert quality["b"] == pytest.approx((4 * 0.905 + 0.48) / 5)
        assert any("trials failed: b on wine (1)" in note for note in front.notes)

    def test_only_some_methods(self, made_results):
        front = made_results(score, methods=tuple("abcd")).pareto(methods=["c", "d"])
        assert front.methods() == ("d", "c")

    def test_as_data(self, made_results):
        data = json.loads(json.dumps(made_results(score).pareto().to_dict()))
        assert data["rows"][0]["front"] == "on it"
        assert data["cost"] == "fit_time"

    def test_levels_must_be_chosen(self, made_results):
        results = made_results(score, factor="train_size", levels=(50, 100))
        with pytest.raises(InputError, match="at several levels of train_size"):
            results.pareto()
        assert results.at(train_size=50).pareto().methods() == ("a", "b")

    def test_says_what_was_wrong(self, made_results):
        results = made_results(score)
        with pytest.raises(InputError, match=r"cost must be a cost measure .* got 'accuracy'"):
            results.pareto("accuracy")
        with pytest.raises(InputError, match="quality and cost must be two measures"):
            results.pareto("fit_time", "fit_time")
        with pytest.raises(UnknownName, match="no data set of these results is called 'vine'; did you mean 'wine'"):
            results.pareto(dataset="vine")
        with pytest.raises(UnknownName, match="no method of these results is called 'e'"):
            results.pareto(methods=["e"])


places = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8)


class TestBeatenBy:
    @staticmethod
    def standings(places):
        return [
            Standing(str(i), Interval("q", q, math.nan, math.nan), Interval("c", c, math.nan, math.nan))
            for i, (q, c) in enumerate(places)
        ]

    @given(places)
    def test_somebody_is_always_on_the_front_and_all_others_are_beaten_by_it(self, places):
        made = self.standings(places)
        beaten = {s.method: _beaten_by(s, made, 1.0) for s in made}
        front = {name for name, by in beaten.items() if not by}
        assert front
        assert all(set(by) & front for name, by in beaten.items() if name not in front)

    @given(places)
    def test_quality_turned_round(self, places):
        made, turned = self.standings(places), self.standings([(-q, c) for q, c in places])
        assert [_beaten_by(s, made, 1.0) for s in made] == [_beaten_by(s, turned, -1.0) for s in turned]

    def test_equals_do_not_beat_each_other(self):
        made = self.standings([(1, 1), (1, 1), (1, 2)])
        assert [_beaten_by(s, made, 1.0) for s in made] == [[], [], ["0", "1"]]


def test_measures_are_facts(made_results):
    front = made_results(score).pareto()
    assert (front.measure, front.cost) == (get("accuracy"), get("fit_time"))
