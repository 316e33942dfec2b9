"""Scores of scikit-learn's searches: the best candidate of each, with a note, or all of them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName

FOLDS = KFold(5, shuffle=True, random_state=1)


def table(*candidates: list[float], scorer: str = "score", **more: object) -> dict[str, object]:
    """What a search keeps: a column for each split, with the scores of all candidates."""
    scores = np.array(candidates)
    ranks = np.argsort(np.argsort(-scores.mean(axis=1))) + 1
    columns = {f"split{i}_test_{scorer}": column for i, column in enumerate(scores.T)}
    return {"params": [{"C": i} for i in range(len(scores))], **columns, f"rank_test_{scorer}": ranks} | more


ONE = table([0.7, 0.6], [0.9, 0.8], [0.8, 0.7])
OTHER = table([0.75, 0.5])


class TestFromCvResults:
    def test_by_hand(self):
        results = ft.from_cv_results({"svm": ONE, "tree": OTHER}, scoring="accuracy", resampling="2-fold")
        values = results.scores.pivot_table(index="fold", columns="method", values="value")
        assert values.to_dict("list") == {"svm": [0.9, 0.8], "tree": [0.75, 0.5]}
        assert results.question.measure == "accuracy"
        (note,) = results.notes
        assert note.startswith(
            "each score is that of the best of the candidates that its search tried, chosen on these"
        )
        assert "(svm: 3 and tree: 1)" in note

    @pytest.mark.slow
    def test_real_searches(self):
        X, y = load_iris(return_X_y=True)
        grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 15]}, cv=FOLDS).fit(X, y)
        drawn = RandomizedSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, n_iter=2, cv=FOLDS, random_state=1)
        found = {"knn": grid.cv_results_, "bayes": drawn.fit(X, y).cv_results_}
        results = ft.from_cv_results(found, scoring="accuracy", resampling="5-fold", dataset="iris")
        best = cross_val_score(grid.best_estimator_, X, y, cv=FOLDS)
        assert results.scores.query("method == 'knn'")["value"].tolist() == pytest.approx(best.tolist())
        verdict = results.verdict()
        assert [d.scheme for d in verdict.evidence.dependence] == ["5-fold"]
        (optimistic,) = (n for n in verdict.notices if n.guard == "notes_on_results")
        assert "too optimistic" in optimistic.sentence

    def test_all_candidates(self):
        results = ft.from_cv_results({"svm": ONE}, scoring="accuracy", candidates="all")
        assert results.scores["method"].unique().tolist() == ["svm (C=0)", "svm (C=1)", "svm (C=2)"]
        assert results.notes == ()

    @pytest.mark.parametrize(
        ("scoring", "higher", "measure", "value", "better"),
        [
            (None, None, "score", -0.5, "higher"),
            (None, False, "score", -0.5, "lower"),
            ("neg_root_mean_squared_error", None, "rmse", 0.5, "lower"),
            ("neg_my_loss", None, "my_loss", 0.5, "lower"),
            ("my_gain", None, "my_gain", -0.5, "higher"),
        ],
    )
    def test_measure_and_direction(self, scoring, higher, measure, value, better):
        results = ft.from_cv_results({"m": table([-0.5, -0.25])}, scoring=scoring, higher_is_better=higher)
        assert results.question.measure == measure
        assert results.scores["value"].iloc[0] == value
        assert results.measures[measure].higher_is_better == (better == "higher")

    def test_names_of_scorers_are_found_among_our_measures(self):
        assert ft.from_cv_results({"m": ONE}, scoring="roc_auc").question.measure == "auc"
        assert ft.from_cv_results({"m": ONE}, scoring="f1").question.measure == "f_measure"

    def test_several_scores(self):
        both = table([0.5, 0.6], [0.9, 0.8], scorer="accuracy") | table(
            [-0.1, -0.1], [-0.9, -0.7], scorer="neg_log_loss"
        )
        assert ft.from_cv_results({"m": both}, scoring="accuracy").scores["value"].tolist() == [0.9, 0.8]
        assert ft.from_cv_results({"m": both}, scoring="neg_log_loss").scores["value"].tolist() == [0.1, 0.1]
        with pytest.raises(InputError, match="'m' was scored in several ways: accuracy and neg_log_loss; say which"):
            ft.from_cv_results({"m": both})
        with pytest.raises(UnknownName, match="no score of 'm' is called 'auc'"):
            ft.from_cv_results({"m": both}, scoring="auc")
        alone = ft.from_cv_results({"m": table([0.5, 0.6], scorer="accuracy")})
        assert alone.question.measure == "accuracy"

    def test_repeats_come_one_after_the_other(self):
        results = ft.from_cv_results({"m": table([0.1, 0.2, 0.3, 0.4])}, scoring="accuracy", resampling="2x2-fold")
        assert results.scores[["repeat", "fold"]].to_numpy().tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
        with pytest.raises(InputError, match="means 5 scores for each method on each data set, but 'data' has 4"):
            ft.from_cv_results({"m": table([0.1, 0.2, 0.3, 0.4])}, scoring="accuracy", resampling="5-fold")

    def test_a_split_that_failed_is_a_failure(self):
        results = ft.from_cv_results({"m": table([0.5, np.nan]), "n": OTHER}, scoring="accuracy")
        assert results.failures[["method", "fold"]].to_numpy().tolist() == [["m", 1]]

    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ({"a": ONE, "b": table([0.5, 0.6, 0.7])}, "the same splits, but 'a' has 2 splits and 'b' has 3 splits"),
            ({"a": {"params": []}}, r"'a' must have the scores of each split \(split0_test_score …\)"),
            ({"a": ONE, "b": table([0.5, 0.6], scorer="f1")}, "must be scored alike, but they have f1 and score"),
            ({"a": table([0.5, 0.6], n_resources=[9])}, "'a' is a search by halving"),
            ({}, "searches must map names to cv_results_"),
            ({"a": GaussianNB()}, "searches must map names to cv_results_"),
            (ONE, "searches must map names to cv_results_"),
        ],
    )
    def test_what_can_not_be_used(self, given, why):
        with pytest.raises(InputError, match=why):
            ft.from_cv_results(given)

    def test_unknown_candidates(self):
        with pytest.raises(UnknownName, match="no choice of candidates is called 'first'"):
            ft.from_cv_results({"a": ONE}, candidates="first")
