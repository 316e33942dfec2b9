"""Replicates: other seeds on the same splits, and never more splits or data sets than there are."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.methods import Method


class Guesses(ClassifierMixin, BaseEstimator):
    """Labels by chance, right with a given probability; fails on some seeds."""

    def __init__(self, fails=False, random_state=None):
        self.fails, self.random_state = fails, random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.fails and self.random_state % 3 == 0:
            raise ValueError("bad seed")
        return self

    def predict(self, X):
        return np.random.default_rng(self.random_state).choice(self.classes_, len(X))


def guesses(**options):
    return Method("guesses", Guesses(**options), version="1")


def toy(seed: int, n: int = 40) -> Dataset:
    random = np.random.default_rng(seed)
    return Dataset.from_arrays(random.normal(size=(n, 3)), np.where(np.arange(n) % 2, "a", "b"), name=f"toy{seed}")


def run(n_datasets=1, methods=None, replicates=5, resampling="3-fold", **options):
    methods = methods or [guesses(), Method("bayes", GaussianNB())]
    study = ft.Study(
        datasets=[toy(i) for i in range(n_datasets)], methods=methods, resampling=resampling, replicates=replicates,
        measures="accuracy", **options,
    )  # fmt: skip
    return study.run(workers=0, progress=False)


class TestReplicates:
    @pytest.mark.slow
    def test_seeds_vary_and_splits_do_not(self):
        scores = run().scores
        own = scores[scores["method"] == "guesses"]
        assert own.groupby("fold")["value"].nunique().min() > 1
        assert own.groupby("fold")["n_test"].nunique().max() == 1
        assert len(own) == 3 * 5
        bayes = scores[scores["method"] == "bayes"]
        assert bayes.groupby("fold")["value"].nunique().max() == 1  # it has no seed

    @pytest.mark.slow
    def test_a_verdict_takes_seeds_neither_for_splits_nor_for_data_sets(self):
        # by chance alone; as 5 × 3 independent splits, or as 40 data sets, the numbers would be other ones
        several = run(8)
        evidence = several.verdict().evidence
        assert len(evidence.datasets) == 8
        assert {f.shape for f in evidence.folds} == {(3, 3)}
        guess = evidence.columns.index("guesses")
        own = several.scores[several.scores["method"] == "guesses"]
        by_hand = own.groupby(["dataset", "fold"])["value"].mean().unstack().loc[list(evidence.datasets)]
        assert np.allclose([f[:, guess] for f in evidence.folds], by_hand)
        assert evidence.dependence[0].scheme == "3-fold"

    @pytest.mark.slow
    def test_the_interval_on_one_data_set_is_that_of_the_means_over_seeds(self):
        several = run()
        averaged = several.scores.groupby(["dataset", "method", "repeat", "fold", "measure"], as_index=False)[
            "value"
        ].mean()
        alone = ft.read_scores(averaged, measure="accuracy", resampling="3-fold")
        one, two = several.cv_intervals(method="corrected-t"), alone.cv_intervals(method="corrected-t")
        mine, theirs = one["toy0", "guesses"], two["toy0", "guesses"]
        assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)

    @pytest.mark.slow
    def test_more_replicates_of_the_same_trial_add_nothing_where_there_is_no_chance(self):
        methods = {"tree": DecisionTreeClassifier(random_state=1), "bayes": GaussianNB()}
        once, often = run(methods=methods, replicates=1), run(methods=methods, replicates=4)
        first, second = (found.verdict(domains="these") for found in (once, often))
        assert np.allclose(first.evidence.folds[0], second.evidence.folds[0])
        assert str(first.to_table()) == str(second.to_table())

    @pytest.mark.slow
    def test_a_verdict_says_where_seeds_did_nothing(self):
        notices = [n.text for n in run().verdict(domains="these").notices if n.guard == "equal_replicates"]
        assert notices == ["all 5 replicates of bayes gave the same numbers: replicates vary the seed only"]
        assert "equal_replicates" not in {n.guard for n in run(replicates=1).verdict(domains="these").notices}

    @pytest.mark.slow
    def test_instances_are_tested_once_however_many_seeds(self):
        found = run()
        assert len(found.source.tested("toy0", "guesses")) == 40
        losses = found.source.losses_of("accuracy", "toy0", "guesses")
        assert len(losses) == 40
        own = found.scores[found.scores["method"] == "guesses"]
        assert losses.mean() == pytest.approx(np.average(own["value"], weights=own["n_test"]))
        one, five = (run(replicates=n).cv_intervals(method="clt")["toy0", "bayes"] for n in (1, 5))
        assert (one.low, one.high) == pytest.approx((five.low, five.high))

    @pytest.mark.slow
    def test_a_failed_replicate_is_scored_by_the_policy(self):
        found = run(methods=[guesses(fails=True), Method("bayes", GaussianNB())], replicates=8)
        failed = found.failures
        assert 0 < len(failed) < 24
        assert "replicate" in failed
        evidence = found.verdict(domains="these").evidence
        scores = found.scores.set_index(["method", "fold", "replicate"])["value"]
        column = evidence.columns.index("guesses")
        for fold in range(3):
            values = scores["guesses"][fold].fillna(scores["majority"][fold])
            assert evidence.folds[0][fold, column] == pytest.approx(values.mean())
        assert "trials failed" in evidence.scored

    @pytest.mark.slow
    def test_one_of_them_can_be_chosen(self):
        found = run()
        one = found.at(replicate=2)
        assert set(one.scores["replicate"]) == {2}
        assert len(one.source.trials) * 5 == len(found.source.trials)
        assert len(one.predictions) * 5 == len(found.predictions)
        with pytest.raises(InputError, match=r"replicate must be one of \[0, 1, 2, 3, 4\] in these results, got 9"):
            found.at(replicate=9)

    @pytest.mark.slow
    def test_tests_of_one_model_are_refused(self):
        found = run(resampling="holdout")
        assert found.verdict(domains="these").evidence.losses is None
        with pytest.raises(InputError, match="is about one model of each method, got several replicates; choose one"):
            found.verdict(test="mcnemar")
        assert found.at(replicate=0).verdict(test="mcnemar").evidence.losses is not None

    @pytest.mark.slow
    def test_more_of_them_resume(self, tmp_path):
        def study(n):
            return ft.Study(datasets=[toy(0)], methods=[guesses()], resampling="3-fold", replicates=n)

        study(1).run(tmp_path / "x.trial", workers=0, progress=False)
        found = study(3).run(tmp_path / "x.trial", workers=0, progress=False)
        assert sorted(set(found.scores["replicate"])) == [0, 1, 2]
        from fairtrial.store import StudyFile

        with StudyFile(tmp_path / "x.trial") as file:
            assert file.query("SELECT MAX(attempts) FROM trial") == [(1,)]
            assert [n for (n,) in file.query("SELECT COUNT(*) FROM trial GROUP BY session")] == [6, 12]

    @pytest.mark.slow
    def test_exported_and_read_back(self, tmp_path):
        found = run(2)
        found.export(scores=tmp_path / "scores.csv")
        back = ft.read_scores(tmp_path / "scores.csv", resampling="3-fold")
        assert sorted(set(back.scores["replicate"])) == [0, 1, 2, 3, 4]
        first, second = (f.verdict("accuracy", domains="these", control="bayes").evidence for f in (found, back))
        column = second.columns.index("guesses")
        assert np.allclose(first.folds[0][:, first.columns.index("guesses")], second.folds[0][:, column])
