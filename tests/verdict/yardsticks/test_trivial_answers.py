"""Predictions from elsewhere have the yardstick that a study has."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.results import read_predictions
from fairtrial.verdict.guards.trivial_policies import NOT_BETTER

RARE = np.repeat([0, 1], [94, 6])


def wide(**columns):
    return pd.DataFrame({"y": RARE, **columns})


def last_row(verdict):
    return verdict.to_table().rows[-1]


class TestWithTrivialAnswer:
    def test_always_the_most_frequent_class(self):
        # by hand: always 0 is right on 94 of 100, and so is the first model; the second on 92
        verdict = read_predictions(wide(a=np.repeat([0, 0], [99, 1]), b=np.repeat([1, 0], [2, 98]))).verdict("accuracy")
        assert last_row(verdict)[:2] == ("majority", pytest.approx(0.94))
        assert last_row(verdict)[-1] == "yardstick: not clearly beaten by a and b"
        (notice,) = (n for n in verdict.notices if n.guard == NOT_BETTER)
        assert (notice.severity, notice.evidence["trivial"]) == ("grave", ["majority"])
        assert str(verdict).startswith("No method is shown to do better than majority")  # before the answer

    def test_a_model_that_beats_it(self):
        truth = np.repeat([0, 1], 50)
        frame = pd.DataFrame({"y": truth, "good": truth, "bad": 1 - truth})
        verdict = read_predictions(frame).verdict("average_recall")
        assert last_row(verdict)[1] == pytest.approx(0.5)
        assert last_row(verdict)[-1] == "yardstick: not clearly beaten by bad"

    def test_the_mean_of_numbers(self):
        truth = np.random.default_rng(1).normal(size=60)
        noise = np.random.default_rng(2).normal(size=(2, 60))
        frame = pd.DataFrame({"y": truth, "a": truth + noise[0] / 2, "b": truth + noise[1]})
        verdict = read_predictions(frame).verdict("mae")
        assert last_row(verdict)[:2] == ("mean", pytest.approx(np.abs(truth - truth.mean()).mean()))

    def test_the_spread_of_numbers(self):
        truth = np.random.default_rng(1).normal(size=60)
        rows = [
            pd.DataFrame({"instance": range(60), "method": m, "truth": truth, "value": truth + s, "std": s})
            for m, s in (("a", 0.5), ("b", 1.0))
        ]
        verdict = read_predictions(pd.concat(rows), measure="nlpd").verdict()
        expected = np.log(2 * np.pi * truth.var()) / 2 + 0.5  # of the normal distribution that fits best
        assert last_row(verdict)[:2] == ("mean", pytest.approx(expected))

    def test_the_quantiles_of_numbers(self):
        truth = np.random.default_rng(1).normal(10, 2, size=60)
        frame = pd.DataFrame({"y": truth, "naive_scale": 2.0})
        for m, s in (("a", 0.5), ("b", 1.0)):
            frame = frame.assign(**{f"{m}:{q}": truth + s * (q - 0.4) for q in (0.1, 0.5)})
        low, middle = np.quantile(truth, [0.1, 0.5])
        losses = [np.where(truth > x, q, q - 1) * (truth - x) for q, x in ((0.1, low), (0.5, middle))]
        verdict = read_predictions(frame, truth="y", measure="quantile_crps").verdict()
        assert last_row(verdict)[:2] == ("mean", pytest.approx(np.mean(losses) * 2))
        scaled = read_predictions(frame, truth="y", measure="mase").verdict()
        assert last_row(scaled)[:2] == ("mean", pytest.approx(np.abs(truth - truth.mean()).mean() / 2))

    def test_of_clusters_it_is_shown_untested(self):
        frame = wide(a=RARE, b=np.zeros(100, dtype=int), text=np.arange(100) // 5)
        verdict = read_predictions(frame, cluster="text").verdict("accuracy")
        assert last_row(verdict)[-1] == "yardstick"

    @pytest.mark.parametrize("asked", [{"claim": 0.85}, {}])
    def test_beside_one_method(self, asked):
        rows = read_predictions(wide(a=np.repeat([0, 0], [99, 1]))).verdict("accuracy", **asked).to_table().rows
        assert rows[1] == ("majority (yardstick)", pytest.approx(0.94), None)
        assert len(rows) == 2 + len(asked)

    def test_it_is_no_control(self):
        results = read_predictions(wide(a=RARE, b=np.zeros(100, dtype=int)))
        with pytest.raises(InputError, match="'majority' is the yardstick that is made of the tested instances"):
            results.verdict("accuracy", control="majority")
        listed = read_predictions(wide(a=RARE, majority=np.zeros(100, dtype=int)))
        assert listed.verdict("accuracy", control="majority").question.control == "majority"

    def test_not_beside_a_trivial_method(self):
        verdict = read_predictions(wide(a=RARE, majority=np.zeros(100, dtype=int))).verdict("accuracy")
        assert verdict.evidence.yardsticks == ()


class TestRankings:
    def verdict(self, shift, measure="average_recall", **more):
        rng = np.random.default_rng(3)
        truth = np.repeat([0, 1], [940, 60])
        scores = {m: 1 / (1 + np.exp(4 - rng.normal(size=1000) - shift * truth)) for m in "ab"}
        return " ".join(
            str(read_predictions(pd.DataFrame({"y": truth, **scores, **more})).verdict(measure).full).split()
        )

    def test_labels_at_a_wrong_threshold_are_no_sign_of_bad_features(self):
        text = self.verdict(1.0)
        assert "though methods rank the classes well (auc up to 0." in text
        assert "decision_cost(costs=(1, 10))" in text
        assert "learned next to nothing" not in text
        assert "better features" not in text

    @pytest.mark.parametrize("hits", [8, 1])
    def test_labels_without_scores_have_no_ranking(self, hits):
        # 14 of 400 are rare: 8 found at 10 false alarms is far from chance, but less accurate than 'always 0'
        found = np.repeat([0, 1, 0, 1], [376, 10, 14 - hits, hits])
        frame = pd.DataFrame(
            {"y": np.repeat([0, 1], [386, 14]), "a": found, "b": np.r_[np.roll(found[:386], 9), found[386:]]}
        )
        text = " ".join(str(read_predictions(frame).verdict().full).split())
        learned = hits == 8
        assert ("though methods tell the classes apart (average_recall up to 0.773)" in text) == learned
        assert ("compare by average_recall; another threshold needs scores" in text) == learned
        assert ("try better features" in text) == (not learned)
        assert ("learned next to nothing" in text) == (not learned)
        assert "auc" not in text

    def test_scores_are_looked_at_beside_a_method_with_labels_only(self):
        assert "methods rank the classes well (auc" in self.verdict(1.0, labels=np.zeros(1000, dtype=int))

    def test_a_ranking_by_chance_is_one(self):
        text = self.verdict(0.0)
        assert "learned next to nothing" in text
        assert "better features" in text
