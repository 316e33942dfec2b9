"""read_predictions: per-instance predictions of several models, whoever made them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_predictions

# 10 instances; a is right on 8 of them, b on 6
TRUTH = ["cat"] * 6 + ["dog"] * 4
A = ["cat"] * 5 + ["dog"] * 4 + ["cat"]
B = ["cat", "dog", "cat", "dog", "cat", "dog", "dog", "dog", "dog", "cat"]
LABELS = pd.DataFrame({"truth": TRUTH, "a": A, "b": B})

rng = np.random.default_rng(7)
N = 200
Y = rng.random(N) < 0.6  # the class called 1 is the more frequent one
GOOD = np.clip(0.5 * Y + 0.5 * rng.random(N), 0, 1)
POOR = np.clip(0.2 * Y + 0.8 * rng.random(N), 0, 1)


def score(results, measure, method):
    own = results.with_measures(measure).scores
    return own[(own["measure"] == measure) & (own["method"] == method)]["value"].to_numpy()


class TestLabels:
    def test_by_hand(self):
        results = read_predictions(LABELS)
        assert score(results, "accuracy", "a").item() == 0.8
        assert score(results, "accuracy", "b").item() == 0.6
        assert score(results, "recall", "a").item() == 0.75  # 3 of 4 dogs, the rarer class
        assert any("positive class: 'dog', the rarer" in note for note in results.notes)
        assert score(read_predictions(LABELS, positive="cat"), "recall", "a").item() == pytest.approx(5 / 6)

    def test_a_label_that_is_no_class_is_wrong(self):
        odd = LABELS.assign(a=["bird", *A[1:]])
        results = read_predictions(odd)
        assert score(results, "accuracy", "a").item() == 0.7
        assert any("none of the classes count as wrong (1)" in note for note in results.notes)
        assert results.predictions.query("method == 'a'")["label"].isna().sum() == 1

    def test_whole_numbers_as_labels(self):
        frame = pd.DataFrame({"y": [0, 1, 2, 0, 1, 2], "a": [0, 1, 2, 0, 1, 7], "b": [0, 1, 1, 1, 1, 1]})
        results = read_predictions(frame, truth="y")
        assert score(results, "accuracy", "a").item() == pytest.approx(5 / 6)
        assert any("taken as classes" in note for note in results.notes)

    def test_true_and_false(self, write):
        path = write("y,a,b\nTrue,True,False\nFalse,False,False\nTrue,True,True\nFalse,True,False\n")
        assert score(read_predictions(path), "accuracy", "a").item() == 0.75

    def test_a_column_of_something_else(self):
        with pytest.raises(InputError, match=r"'note' on .* must predict one of the classes cat, dog.*there is 'x'"):
            read_predictions(LABELS.assign(note="x"))

    def test_the_frame_of_predictions(self):
        frame = read_predictions(LABELS).predictions
        assert list(frame.columns) == ["dataset", "method", "repeat", "fold", "instance", "truth", "label"]
        assert frame.query("method == 'b'")["label"].tolist() == B


class TestNumbers:
    def test_probabilities_are_of_the_positive_class(self):
        frame = pd.DataFrame({"y": Y.astype(int), "good": GOOD, "poor": POOR})
        results = read_predictions(frame, measure="auc")
        for name in ("good", "poor"):
            assert score(results, "auc", name).item() == pytest.approx(metrics.roc_auc_score(Y, frame[name]))
            assert score(results, "log_loss", name).item() == pytest.approx(metrics.log_loss(Y, frame[name]))
            assert score(results, "accuracy", name).item() == pytest.approx(((frame[name] > 0.5) == Y).mean())
        assert any("positive class: '1'" in note for note in results.notes)  # not the rarer one: it is coded

    def test_the_other_class_may_be_the_positive_one(self):
        frame = pd.DataFrame({"y": np.where(Y, "in", "out"), "good": 1 - GOOD, "poor": 1 - POOR})
        results = read_predictions(frame, measure="auc", positive="out")
        assert score(results, "auc", "good").item() == pytest.approx(metrics.roc_auc_score(Y, GOOD))

    def test_which_class_is_asked_for(self):
        frame = pd.DataFrame({"y": np.where(Y, "in", "out"), "good": GOOD, "poor": POOR})
        with pytest.raises(InputError, match=r"must be for one class, but nobody said which; say positive='out'"):
            read_predictions(frame)

    def test_scores(self):
        frame = pd.DataFrame({"y": np.where(Y, 1, -1), "good": 8 * GOOD - 4, "poor": 8 * POOR - 4})
        results = read_predictions(frame)
        assert results.question.measure == "auc"
        assert score(results, "auc", "poor").item() == pytest.approx(metrics.roc_auc_score(Y, POOR))
        with pytest.raises(InputError, match=r"accuracy needs label, but 'good' has only score"):
            results.with_measures("accuracy")

    def test_no_such_class(self):
        with pytest.raises(UnknownName, match="positive"):
            read_predictions(LABELS, positive="doge")

    def test_values(self):
        truth = rng.normal(size=50)
        frame = pd.DataFrame({"y": truth, "a": truth + 0.1 * rng.normal(size=50), "b": truth + rng.normal(size=50)})
        results = read_predictions(frame)
        assert results.question.measure == "rmse"
        assert score(results, "rmse", "b").item() == pytest.approx(metrics.root_mean_squared_error(truth, frame["b"]))
        assert score(results, "r2", "a").item() == pytest.approx(metrics.r2_score(truth, frame["a"]))

    def test_ratings_are_values_where_fractions_are_predicted_or_the_measure_says_so(self):
        frame = pd.DataFrame({"y": [1, 2, 3, 4, 5], "a": [1.5, 2, 3, 4, 5], "b": [1, 2, 3, 4, 1]})
        assert read_predictions(frame).question.measure == "rmse"
        whole = read_predictions(frame[["y", "b"]], measure="mae")
        assert score(whole, "mae", "b").item() == pytest.approx(4 / 5)


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


class TestDeviations:
    def frame(self):
        rows = np.arange(40)
        truth = np.sin(rows)
        parts = [
            pd.DataFrame({"instance": rows, "method": m, "truth": truth, "value": truth + shift, "std": std})
            for m, shift, std in (("wide", 0.1, 2.0 + rows), ("narrow", 0.2, 1.0 + rows))
        ]
        return pd.concat(parts, ignore_index=True).sample(frac=1, random_state=3)

    def test_are_kept_besides_the_values(self):
        results = read_predictions(self.frame())
        assert results.question.measure == "rmse"
        own = results.predictions.query("method == 'narrow'")
        np.testing.assert_array_equal(own["std"], 1.0 + np.arange(40))
        np.testing.assert_allclose(own["value"] - own["truth"], 0.2)

    def test_besides_a_column_called_prediction(self):
        results = read_predictions(self.frame().rename(columns={"value": "prediction"}))
        np.testing.assert_array_equal(results.predictions.query("method == 'wide'")["std"], 2.0 + np.arange(40))

    def test_a_method_may_have_none(self):
        frame = self.frame()
        frame.loc[frame["method"] == "wide", "std"] = np.nan
        channels = read_predictions(frame).source.sets[0].channels
        assert set(channels["wide"]) == {"value"}
        assert set(channels["narrow"]) == {"value", "std"}

    @pytest.mark.parametrize(("bad", "shown"), [(np.nan, "nan"), (-1.0, "-1.0"), (np.inf, "inf"), ("much", "much")])
    def test_nonsense_is_refused(self, bad, shown):
        frame = self.frame().astype({"std": object if isinstance(bad, str) else float})
        frame.iloc[3, frame.columns.get_loc("std")] = bad
        with pytest.raises(InputError, match=f"std must be a number of at least 0 .* 1 are not, such as {shown}"):
            read_predictions(frame)


class TestFolds:
    def frame(self):
        fold = np.arange(N) % 5
        return pd.DataFrame(
            {"y": Y.astype(int), "fold": fold, "a": (GOOD > 0.5).astype(int), "b": (POOR > 0.5).astype(int)}
        )

    def test_declared(self):
        results = read_predictions(self.frame(), resampling="5-fold")
        assert results.dependence["a DataFrame"].test_share == 0.2
        assert results.question.about == "algorithm"
        rows = np.arange(N) % 5 == 2
        by_hand = ((POOR[rows] > 0.5) == Y[rows]).mean()
        assert results.scores.query("method == 'b' and fold == 2 and measure == 'accuracy'")["value"].item() == by_hand
        assert "corrected resampled t" in results.verdict().finding.test

    def test_not_declared(self):
        verdict = read_predictions(self.frame()).verdict()
        assert verdict.winner is None
        assert "nobody said how" in verdict.finding.test

    def test_wrong_count(self):
        with pytest.raises(InputError, match=r"means 10 test sets, but .* has 5"):
            read_predictions(self.frame(), resampling="10-fold")


class TestClusters:
    def frame(self):
        patient = np.repeat(np.arange(8), [1, 2, 3, 4, 5, 6, 7, 22])
        right = np.arange(50) % 3 > 0
        return pd.DataFrame(
            {
                "y": np.arange(50) % 2,
                "patient": patient,
                "a": np.where(right, np.arange(50) % 2, 1 - np.arange(50) % 2),
                "b": 1,
            }
        )

    def test_the_mean_stays_that_of_the_instances(self):
        results = read_predictions(self.frame(), cluster="patient")
        losses = results.source.losses("accuracy", "a DataFrame")
        assert len(losses) == 8
        plain = results.scores.query("measure == 'accuracy'").set_index("method")["value"]
        assert losses["a"].mean() == pytest.approx(plain["a"])
        assert losses["b"].mean() == pytest.approx(plain["b"])

    def test_equal_clusters_are_their_means(self):
        frame = self.frame().assign(patient=np.repeat(np.arange(10), 5))
        losses = read_predictions(frame, cluster="patient").source.losses("accuracy", "a DataFrame")
        right = (frame["a"] == frame["y"]).groupby(frame["patient"]).mean()
        np.testing.assert_allclose(losses["a"], right)

    def test_says_so(self):
        verdict = read_predictions(self.frame(), cluster="patient").verdict()
        assert "paired t over clusters, 8 clusters" in verdict.finding.test

    def test_no_such_column(self):
        with pytest.raises(InputError, match="cluster must name a column, got 'ward'"):
            read_predictions(self.frame(), cluster="ward")


class TestErrors:
    def test_no_truth(self):
        with pytest.raises(InputError, match=r"columns found: a, b; try read_predictions\(path, truth="):
            read_predictions(LABELS[["a", "b"]])

    def test_empty_predictions(self):
        with pytest.raises(InputError, match=r"'a' on .* 1 predictions are empty"):
            read_predictions(LABELS.assign(a=[None, *A[1:]]))
        with pytest.raises(InputError, match="truth must be known, but 1 rows"):
            read_predictions(LABELS.assign(truth=[None, *TRUTH[1:]]))

    def test_one_class(self):
        with pytest.raises(InputError, match=r"at least two classes, but all of .* are 'cat'"):
            read_predictions(LABELS.assign(truth="cat"))

    def test_times_are_not_in_predictions(self):
        with pytest.raises(InputError, match="fit_time needs records of the runs"):
            read_predictions(LABELS).verdict("fit_time")

    def test_a_measure_for_the_other_task(self):
        with pytest.raises(InputError):
            read_predictions(LABELS, measure="rmse")
