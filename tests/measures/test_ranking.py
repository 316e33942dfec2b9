"""The one sort that all measures of scores share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import auc_by_pairs

from fairtrial.measures import Order, Ranking, Steps, compute
from fairtrial.measures.fold_axis import Folds

NAMES = ["auc", "average_precision", "partial_auc", "split_accuracy"]


class TestOrder:
    @pytest.mark.slow
    @pytest.mark.parametrize("n_folds", [3, 300, 70_000])
    def test_folds_of_any_number_are_kept_apart(self, n_folds):
        rng = np.random.default_rng(n_folds)
        n = 2000
        folds, scores = rng.integers(0, n_folds, n), rng.integers(0, 5, n).astype(float)
        folds[0] = n_folds - 1
        truth = rng.integers(0, 2, n)
        found = compute(["auc"], truth=truth, channels={"score": scores}, folds=folds, classes=2)["auc"]
        assert found.shape == (n_folds,)
        for f in np.unique(folds)[:50]:
            here = folds == f
            assert found[f] == pytest.approx(auc_by_pairs(truth[here], scores[here]), nan_ok=True)

    def test_rounding_does_not_pile_up_over_the_folds(self):
        rng = np.random.default_rng(5)
        n, size = 300_000, 30
        truth, scores, weights = rng.integers(0, 2, n), rng.normal(size=n), rng.exponential(size=n)
        arguments = {"truth": truth, "channels": {"score": scores}, "weights": weights, "classes": 2}
        found = compute(["auc"], **arguments, folds=np.arange(n) // size)["auc"]
        last = slice(n - size, n)
        assert found[-1] == pytest.approx(auc_by_pairs(truth[last], scores[last], weights[last]), abs=1e-13)

    def test_groups_of_ties(self):
        groups = Ranking.read([0, 1, 0, 1], [0.5, 0.2, 0.5, 0.9]).steps[0].groups
        np.testing.assert_array_equal(groups.ends, [0, 2, 3])
        np.testing.assert_array_equal(groups.scores, [0.9, 0.5, 0.2])
        assert Ranking.read([0, 1, 0], [0.5, 0.2, 0.7]).steps[0].groups.ends is None

    @given(st.integers(0, 10**6), st.booleans(), st.integers(1, 12), st.booleans())
    def test_sorting_numbers_is_as_sorting_places(self, seed, tied, n_folds, shuffled):
        """Scores from 0 upwards without weights go one way, others another."""
        rng = np.random.default_rng(seed)
        scores = rng.integers(0, 5, 60) / 3 if tied else rng.exponential(size=60) ** 20
        scores[:4] = 0.0, -0.0, np.inf, 5e-324
        folds = rng.integers(0, n_folds, 60)
        folds = folds if shuffled else np.sort(folds)
        positive = rng.random(60) < 0.4
        numbers = Steps.against_rest(scores, positive, Folds.of(folds, 60))
        places = Order.of(scores, Folds.of(folds, 60)).steps(positive, ~positive, None)
        np.testing.assert_array_equal(numbers.tp, places.tp)
        np.testing.assert_array_equal(numbers.fp, places.fp)
        np.testing.assert_array_equal(numbers.groups.scores, places.groups.scores)
        np.testing.assert_array_equal(numbers.groups.starts, places.groups.starts)

    @pytest.mark.slow
    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("digits", [1, 8])
    @pytest.mark.parametrize("shuffled", [False, True])
    def test_a_fold_has_the_value_that_it_has_alone(self, weighted, digits, shuffled):
        rng = np.random.default_rng(9)
        sizes = np.r_[rng.integers(1, 60, 20), 0, 40_000, rng.integers(1, 60, 20)]  # one empty, one past a stretch
        folds = np.repeat(np.arange(len(sizes)), sizes)
        folds = rng.permutation(folds) if shuffled else folds
        truth, n = rng.integers(0, 2, len(folds)), len(folds)
        scores, w = np.round(rng.normal(size=n), digits), rng.exponential(size=n) if weighted else None
        found = compute(NAMES, truth=truth, channels={"score": scores}, folds=folds, weights=w, classes=2)
        for fold in range(len(sizes)):
            here = folds == fold
            for name in NAMES if here.any() else []:
                part = None if w is None else w[here]
                alone = compute([name], truth=truth[here], channels={"score": scores[here]}, weights=part, classes=2)
                assert found[name][fold] == pytest.approx(alone[name][0], abs=1e-14, nan_ok=True)
        assert all(np.isnan(found[name][20]) for name in NAMES)


class TestWhichChannelRanks:
    def test_probabilities_before_scores_where_there_are_several_classes(self):
        # one constant added to a row of softmax scores changes no probability, but any order between rows
        probability = np.array([[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
        score = np.log(probability) + np.array([[-5.0], [0.0], [3.0], [9.0]])
        both = {"probability": probability, "score": score}
        assert compute(["auc"], truth=[0, 0, 1, 2], channels=both, classes=3)["auc"][0] == 1.0
        assert compute(["auc"], truth=[0, 0, 1, 2], channels={"score": score}, classes=3)["auc"][0] < 1.0

    def test_scores_before_probabilities_where_there_are_two(self):
        both = {"probability": np.array([[0.0, 1.0], [0.0, 1.0]]), "score": np.array([40.0, 50.0])}
        assert compute(["auc"], truth=[0, 1], channels=both, classes=2)["auc"][0] == 1.0
