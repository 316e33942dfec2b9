"""Measures of rankings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk  # 1.9.1

from fairtrial.errors import InputError
from fairtrial.measures import Ranking, auc, compute

scored = st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=25)


def by_pairs(truth, scores, weights=None):
    """The definition, pair by pair."""
    w = np.ones(len(truth)) if weights is None else np.asarray(weights)
    pairs = [(i, j) for i in range(len(truth)) for j in range(len(truth)) if truth[i] == 1 and truth[j] == 0]
    wins = sum(w[i] * w[j] * ((scores[i] > scores[j]) + 0.5 * (scores[i] == scores[j])) for i, j in pairs)
    return wins / sum(w[i] * w[j] for i, j in pairs) if pairs else np.nan


class TestAuc:
    def test_by_hand(self):
        # pROC 1.18.0 [R 4.2.2], known-answers/cases.json auc_tiny
        assert auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]) == 0.75
        # positives 2, 5; negatives 1, 2, 3: pairs won 1 + 3, tied 1, of 6
        assert auc([1, 1, 0, 0, 0], [2, 5, 1, 2, 3]) == pytest.approx(4.5 / 6)
        # the first positive weighs 3: won 3·1 + 3, tied 3, of 4·3
        assert auc([1, 1, 0, 0, 0], [2, 5, 1, 2, 3], weights=[3, 1, 1, 1, 1]) == pytest.approx(7.5 / 12)

    @given(scored)
    def test_is_the_share_of_pairs_in_order(self, rows):
        truth, scores = map(list, zip(*rows, strict=True))
        assert auc(truth, scores) == pytest.approx(by_pairs(truth, scores), nan_ok=True)

    @given(scored)
    def test_turning_the_scores_round_turns_the_area_round(self, rows):
        truth, scores = map(np.array, zip(*rows, strict=True))
        assert auc(truth, -scores) == pytest.approx(1 - auc(truth, scores), nan_ok=True)
        assert auc(truth, -scores, positive=0) == pytest.approx(auc(truth, scores), nan_ok=True)

    @pytest.mark.parametrize("digits", [1, 8])
    @pytest.mark.parametrize("weighted", [False, True])
    def test_against_scikit_learn(self, digits, weighted):
        rng = np.random.default_rng(digits)
        truth = rng.integers(0, 2, 400)
        scores = np.round(rng.normal(size=400) + truth, digits)
        w = rng.exponential(size=400) if weighted else None
        assert auc(truth, scores, weights=w) == pytest.approx(
            sk.roc_auc_score(truth, scores, sample_weight=w), abs=1e-12
        )

    @pytest.mark.parametrize("weighted", [False, True])
    def test_several_classes_against_scikit_learn(self, weighted):
        rng = np.random.default_rng(3)
        truth = rng.integers(0, 4, 400)
        p = np.round(rng.dirichlet(np.ones(4), 400) + np.eye(4)[truth] * 0.3, 2)
        p = np.round(p / p.sum(axis=1, keepdims=True), 3)
        p[:, 3] = 1 - p[:, :3].sum(axis=1)
        w = rng.exponential(size=400) if weighted else None
        expected = sk.roc_auc_score(truth, p, multi_class="ovr", sample_weight=w)
        assert auc(truth, p, weights=w) == pytest.approx(expected, abs=1e-12)
        if not weighted:  # scikit-learn has no weights here
            expected = sk.roc_auc_score(truth, p, multi_class="ovo")
            assert auc(truth, p, multiclass="ovo") == pytest.approx(expected, abs=1e-12)

    def test_hand_and_till_by_hand(self):
        scores = [[0.6, 0.3, 0.1], [0.4, 0.5, 0.1], [0.5, 0.4, 0.1], [0.2, 0.2, 0.6]]  # classes a, a, b, c
        # a by its column against b (0.6 and 0.4 over 0.5) 1/2, against c 1;
        # b against a (0.4 over 0.3 and 0.5) 1/2, against c 1; c 1 and 1
        assert auc(["a", "a", "b", "c"], scores, multiclass="ovo") == pytest.approx((0.5 + 1 + 0.5 + 1 + 1 + 1) / 6)
        # against the rest: a 3 of 4, b 2 of 3, c 3 of 3
        assert auc(["a", "a", "b", "c"], scores) == pytest.approx((3 / 4 + 2 / 3 + 1) / 3)

    def test_two_columns_are_of_the_classes(self):
        p = np.array([[0.9, 0.1], [0.6, 0.4], [0.65, 0.35], [0.2, 0.8]])
        assert auc([0, 0, 1, 1], p) == auc([0, 0, 1, 1], p[:, 1])
        assert auc([0, 0, 1, 1], p, positive=0) == auc([0, 0, 1, 1], p[:, 0], positive=0)

    def test_infinite_scores_rank(self):
        assert auc([0, 1, 1], [-np.inf, 0.0, np.inf]) == 1.0

    def test_undefined_with_one_class(self):
        assert np.isnan(auc([1, 1], [0.2, 0.3]))
        assert np.isnan(auc(["a"], [0.2]))
        assert np.isnan(auc(["a", "b"], [[0.2, 0.8, 0.0], [0.5, 0.5, 0.0]], classes=["a", "b", "c"]))

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: auc([0, 1], [0.1, np.nan]), r"score must be numbers, but row 1 is not"),
            (lambda: auc([0, 1], ["low", "high"]), r"score must be numbers"),
            (lambda: auc([0, 1], [0.1]), r"truth and scores must be of one length, got 2 and 1"),
            (lambda: auc([0, 1, 2], [0.1, 0.2, 0.3]), r"score must have a column for each of the 3 classes"),
            (lambda: auc([0, 1], [[0.1, 0.2, 0.7]] * 2), r"each of the 2 classes, got the shape \(2, 3\)"),
            (lambda: auc([0, 1], [0.1, 0.2], multiclass="all"), r"multiclass must be 'ovr' or 'ovo', got 'all'"),
        ],
    )
    def test_says_what_was_wrong(self, call, message):
        with pytest.raises(InputError, match=message):
            call()


class TestOrder:
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
            assert found[f] == pytest.approx(by_pairs(truth[here], scores[here]), nan_ok=True)

    def test_rounding_does_not_pile_up_over_the_folds(self):
        rng = np.random.default_rng(5)
        n, size = 300_000, 30
        truth, scores, weights = rng.integers(0, 2, n), rng.normal(size=n), rng.exponential(size=n)
        arguments = {"truth": truth, "channels": {"score": scores}, "weights": weights, "classes": 2}
        found = compute(["auc"], **arguments, folds=np.arange(n) // size)["auc"]
        last = slice(n - size, n)
        assert found[-1] == pytest.approx(by_pairs(truth[last], scores[last], weights[last]), abs=1e-13)

    def test_groups_of_ties(self):
        order = Ranking.read([0, 1, 0, 1], [0.5, 0.2, 0.5, 0.9]).orders[0]
        np.testing.assert_array_equal(order.ties, [0, 1, 3])
        np.testing.assert_array_equal(order.below(np.array([1.0, 2.0, 1.0])), [0, 1, 3])


class TestWhichChannelRanks:
    def test_probabilities_before_scores_where_there_are_several_classes(self):
        # one constant added to a row of softmax scores changes no probability, but any order between rows
        from fairtrial.measures import compute

        probability = np.array([[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
        score = np.log(probability) + np.array([[-5.0], [0.0], [3.0], [9.0]])
        both = {"probability": probability, "score": score}
        assert compute(["auc"], truth=[0, 0, 1, 2], channels=both, classes=3)["auc"][0] == 1.0
        assert compute(["auc"], truth=[0, 0, 1, 2], channels={"score": score}, classes=3)["auc"][0] < 1.0

    def test_scores_before_probabilities_where_there_are_two(self):
        from fairtrial.measures import compute

        both = {"probability": np.array([[0.0, 1.0], [0.0, 1.0]]), "score": np.array([40.0, 50.0])}
        assert compute(["auc"], truth=[0, 1], channels=both, classes=2)["auc"][0] == 1.0
