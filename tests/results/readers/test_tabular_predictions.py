"""Tables of predictions, wide and long."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from reader_examples import GOOD, POOR, N, Y, score
from sklearn import metrics

from fairtrial.errors import InputError
from fairtrial.results import read_predictions


class TestRareClasses:
    @pytest.mark.parametrize("reversed_scores", [False, True])
    def test_few_positives_among_very_many_rows_are_all_looked_at(self, reversed_scores):
        random, n = np.random.default_rng(1), 150_001
        truth = np.zeros(n, dtype=int)
        truth[1:60:3] = 1  # none on every third row from the first
        scores = random.normal(size=n) + (-3 if reversed_scores else 3) * truth
        frame = pd.DataFrame({"y": truth, "a": scores, "b": scores + random.normal(0, 0.1, n)})
        if reversed_scores:
            with pytest.raises(InputError, match="rank the class '1' last"):
                read_predictions(frame, truth="y", measure="auc")
        else:
            assert (read_predictions(frame, truth="y", measure="auc").scores["value"] > 0.9).all()


class TestLong:
    def frame(self):
        parts = []
        for name, p in (("good", GOOD), ("poor", POOR)):
            for dataset, rows in (("north", slice(0, 120)), ("south", slice(120, N))):
                share = p[rows]
                own = pd.DataFrame({"dataset": dataset, "instance": np.arange(len(share)), "method": name})
                truth = np.where(Y[rows], "yes", "no")
                parts.append(own.assign(truth=truth, p_no=1 - share, p_yes=share))
        return pd.concat(parts).sample(frac=1, random_state=3)  # in any order

    def test_equals_scikit_learn(self):
        results = read_predictions(self.frame(), positive="yes")
        south = results.with_measures("auc", "brier").scores.query("dataset == 'south' and method == 'poor'")
        found = dict(zip(south["measure"], south["value"], strict=True))
        y, p = Y[120:], POOR[120:]
        assert found["auc"] == pytest.approx(metrics.roc_auc_score(y, p))
        assert found["average_recall"] == pytest.approx(metrics.balanced_accuracy_score(y, p > 0.5))
        assert found["log_loss"] == pytest.approx(metrics.log_loss(y, p))
        assert found["brier"] in (
            pytest.approx(metrics.brier_score_loss(y, p)),
            pytest.approx(2 * metrics.brier_score_loss(y, p)),
        )

    @pytest.mark.slow
    def test_other_instances_are_refused(self):
        frame = self.frame().reset_index(drop=True)
        gone = frame.query("method == 'poor' and instance == 5 and dataset == 'south'").index
        with pytest.raises(InputError, match=r"must have predicted the same instances, but .* differ on 'south'"):
            read_predictions(frame.drop(index=gone))

    def test_another_truth_is_refused(self):
        frame = self.frame().reset_index(drop=True)
        where = frame.query("method == 'poor'").index[0]
        frame.loc[where, "truth"] = "no" if frame.loc[where, "truth"] == "yes" else "yes"
        with pytest.raises(InputError, match="same instances"):
            read_predictions(frame)

    def test_instances_twice(self):
        frame = self.frame()
        with pytest.raises(InputError, match=r"predicted once, but .* again; name the columns"):
            read_predictions(pd.concat([frame, frame]))

    def test_missing_shares_are_refused(self):
        frame = self.frame().reset_index(drop=True)
        frame.loc[3, "p_yes"] = np.nan
        with pytest.raises(InputError, match="1 predictions are empty"):
            read_predictions(frame)

    def test_without_instances(self):
        with pytest.raises(InputError, match="a column that numbers the instances"):
            read_predictions(self.frame().drop(columns="instance"))


class TestTask:
    def test_ratings_are_values_where_fractions_are_predicted_or_the_measure_says_so(self):
        frame = pd.DataFrame({"y": [1, 2, 3, 4, 5], "a": [1.5, 2, 3, 4, 5], "b": [1, 2, 3, 4, 1]})
        assert read_predictions(frame).question.measure == "rmse"
        whole = read_predictions(frame[["y", "b"]], measure="mae")
        assert score(whole, "mae", "b").item() == pytest.approx(4 / 5)
