"""Measures of rankings."""

import json
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_predictions import auc_by_pairs, random_input
from sklearn import metrics as sk  # 1.9.1

from fairtrial.errors import InputError
from fairtrial.measures import (
    auc,
    average_precision,
    pairwise_auc,
    partial_auc,
    split_accuracy,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "known_answers.json"
scored = st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=25)


@pytest.fixture
def golden():
    """Cases by id, made with R; sources inside."""
    return {case["id"]: case for case in json.loads(GOLDEN.read_text(encoding="utf-8"))}


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
        assert auc(truth, scores) == pytest.approx(auc_by_pairs(truth, scores), nan_ok=True)

    @pytest.mark.slow
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


class TestPartialAuc:
    def test_by_hand(self):
        # + − + − − −: the curve is at 1/2 up to fpr 1/4, then at 1
        truth, scores = [0, 0, 0, 0, 1, 1], [1, 2, 3, 5, 4, 6]
        assert partial_auc(truth, scores, max_fpr=0.5, standardised=False) == pytest.approx(0.125 + 0.25)
        assert partial_auc(truth, scores, max_fpr=0.3, standardised=False) == pytest.approx(0.125 + 0.05)
        assert partial_auc(truth, scores, max_fpr=0.1) == pytest.approx((1 + (0.05 - 0.005) / (0.1 - 0.005)) / 2)
        # a tie of one positive and two negatives: a slope from (0, 1/2) to (1/2, 1), cut at 1/4, where it is at 3/4
        assert partial_auc([1, 1, 0, 0, 0, 0], [9, 5, 5, 5, 1, 1], max_fpr=0.25, standardised=False) == pytest.approx(
            0.25 * (1 / 2 + 3 / 4) / 2
        )

    def test_values_from_r(self, golden):
        # pROC 1.18.0 [R 4.2.2]: r <- roc(y, score, direction = "<"); auc(r, partial.auc = c(1, 0.9)),
        # the same with partial.auc.correct = TRUE, and with c(1, 0.75)
        truth, scores = golden["auc_delong_ndka"]["inputs"].values()
        assert partial_auc(truth, scores, standardised=False) == pytest.approx(0.0107046070460705, rel=1e-12)
        assert partial_auc(truth, scores) == pytest.approx(0.530024247610897, rel=1e-12)
        assert partial_auc(truth, scores, max_fpr=0.25) == pytest.approx(0.557491289198606, rel=1e-12)

    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("digits", [1, 8])
    @pytest.mark.parametrize("max_fpr", [0.001, 0.1, 0.5, 0.999])
    def test_against_scikit_learn(self, weighted, digits, max_fpr):
        truth, scores, w = random_input(weighted=weighted, digits=digits)
        expected = sk.roc_auc_score(truth, scores, sample_weight=w, max_fpr=max_fpr)
        assert partial_auc(truth, scores, weights=w, max_fpr=max_fpr) == pytest.approx(expected, abs=1e-12)

    @given(scored, st.floats(0.01, 1))
    def test_the_whole_is_the_area_and_more_is_not_less(self, rows, max_fpr):
        truth, scores = map(np.array, zip(*rows, strict=True))
        whole = partial_auc(truth, scores, max_fpr=1)
        part = partial_auc(truth, scores, max_fpr=max_fpr, standardised=False)
        assert whole == pytest.approx(auc(truth, scores), nan_ok=True)
        assert np.isnan(whole) or -1e-12 <= part <= min(whole, max_fpr) + 1e-12

    def test_several_classes_are_averaged(self):
        rng = np.random.default_rng(3)
        truth, p = rng.integers(0, 3, 90), rng.dirichlet(np.ones(3), 90)
        expected = [sk.roc_auc_score(truth == k, p[:, k], max_fpr=0.3) for k in range(3)]
        assert partial_auc(truth, p, max_fpr=0.3) == pytest.approx(np.mean(expected), abs=1e-12)

    def test_undefined_with_one_class(self):
        assert np.isnan(partial_auc([1, 1], [0.2, 0.3]))
        assert np.isnan(partial_auc([0, 1], [0.2, 0.3], weights=[1, 0]))

    @pytest.mark.parametrize("max_fpr", [0, -0.1, 1.5, np.nan])
    def test_says_what_was_wrong(self, max_fpr):
        with pytest.raises(InputError, match=r"max_fpr must lie above 0 and be at most 1 .* got"):
            partial_auc([0, 1], [0.2, 0.3], max_fpr=max_fpr)


class TestAveragePrecision:
    def test_by_hand(self):
        # − + − + +: precision 1/2, 2/4, 3/5 where recall grows by a third each
        assert average_precision([0, 1, 0, 1, 1], [5, 4, 3, 2, 1]) == pytest.approx((1 / 2 + 2 / 4 + 3 / 5) / 3)
        # the two in the middle are tied: both enter at once, 2 of 3
        assert average_precision([1, 1, 0, 0], [4, 2, 2, 1]) == pytest.approx((1 + 2 / 3) / 2)
        assert average_precision([1, 1, 0, 0], [4, 2, 2, 1], weights=[3, 1, 2, 1]) == pytest.approx(0.75 + 0.25 * 4 / 6)

    @pytest.mark.parametrize("weighted", [False, True])
    @pytest.mark.parametrize("digits", [1, 8])
    def test_against_scikit_learn(self, weighted, digits):
        truth, scores, w = random_input(weighted=weighted, digits=digits)
        expected = sk.average_precision_score(truth, scores, sample_weight=w)
        assert average_precision(truth, scores, weights=w) == pytest.approx(expected, abs=1e-12)

    @pytest.mark.parametrize("weighted", [False, True])
    def test_several_classes_against_scikit_learn(self, weighted):
        rng = np.random.default_rng(5)
        truth, p = rng.integers(0, 4, 300), np.round(rng.dirichlet(np.ones(4), 300), 2)
        w = rng.exponential(size=300) if weighted else None
        expected = sk.average_precision_score(truth, p, average="macro", sample_weight=w)
        assert average_precision(truth, p, weights=w) == pytest.approx(expected, abs=1e-12)

    @given(scored)
    def test_all_tied_it_is_the_share_of_positives(self, rows):
        truth, scores = map(np.array, zip(*rows, strict=True))
        found, share = average_precision(truth, scores), truth.mean()
        assert np.isnan(found) == (share in (0, 1))
        all_tied = average_precision(truth, np.zeros(len(truth)))
        assert np.isnan(found) or (0 < found <= 1 and all_tied == pytest.approx(share))

    def test_undefined_with_one_class(self):
        assert np.isnan(average_precision([1, 1], [0.2, 0.3]))  # scikit-learn: 1
        assert np.isnan(average_precision([0, 0], [0.2, 0.3]))  # scikit-learn: 0
        assert np.isnan(average_precision([1], [0.2]))

    def test_weights_of_zero_at_the_top_do_no_harm(self):
        assert average_precision([0, 1, 0], [3, 2, 1], weights=[0, 1, 1]) == 1.0


def over_all_splits(truth, scores):
    """The definition: accuracy over all places to split, over all orders of ties."""
    n, found = len(truth), []
    for order in permutations(range(n)):
        if all(scores[i] >= scores[j] for i, j in pairwise(order)):
            actual = np.array(truth)[list(order)]
            found += [np.mean(np.r_[actual[:k] == 1, actual[k:] == 0]) for k in range(n + 1)]
    return np.mean(found)


class TestSplitAccuracy:
    def test_by_hand(self):
        # 003 section 12.1 prints the balanced case; 10:90 with AUC 0.72 is 0.540, not 0.610 (for large n)
        assert split_accuracy([0, 1, 0, 0], [1, 4, 3, 2]) == pytest.approx((3 + 4 + 3 + 2 + 1) / 20)
        assert split_accuracy([1, 1, 0], [3, 1, 2]) == pytest.approx(0.5)  # area 1/2
        balanced = split_accuracy([0, 0, 1, 1], [1, 3, 2, 4])
        assert balanced == pytest.approx(4 / 5 * (2 * 0.75 - 1) / 4 + 1 / 2)

    @given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=6))
    def test_is_the_mean_over_all_splits(self, rows):
        truth, scores = zip(*rows, strict=True)
        found = split_accuracy(truth, scores)
        assert np.isnan(found) if len(set(truth)) == 1 else found == pytest.approx(over_all_splits(truth, scores))

    def test_weights(self):
        truth, scores = [1, 0, 1, 0], [4, 3, 2, 1]
        assert split_accuracy(truth, scores, weights=[0.3] * 4) == pytest.approx(split_accuracy(truth, scores))
        without = split_accuracy(truth[:3], scores[:3], weights=[2, 1, 1])
        assert split_accuracy(truth, scores, weights=[2, 1, 1, 0]) == pytest.approx(without)

    def test_for_two_classes(self):
        p = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6], [0.3, 0.4, 0.3]])
        assert np.isnan(split_accuracy(["a", "b", "c", "a"], p))
        assert split_accuracy(["a", "b", "c", "a"], p, positive="b") == split_accuracy([0, 1, 0, 0], p[:, 1])


class TestPairwiseAuc:
    def test_by_hand(self):
        # low 1, 3; mid 2, 5; top 4: 3 of 4, 2 of 2, 1 of 2; and upside down the same
        truth, scores = ["low", "low", "mid", "mid", "top"], np.array([1, 3, 2, 5, 4])
        assert pairwise_auc(truth, scores) == pytest.approx((3 / 4 + 1 + 1 / 2) / 3)
        assert pairwise_auc(truth, -scores) == pytest.approx((3 / 4 + 1 + 1 / 2) / 3)

    @given(scored)
    def test_two_classes_are_one_pair(self, rows):
        truth, scores = map(np.array, zip(*rows, strict=True))
        area = auc(truth, scores)
        assert pairwise_auc(truth, scores) == pytest.approx(max(area, 1 - area), nan_ok=True)

    def test_undefined(self):
        assert np.isnan(pairwise_auc(["a", "a"], [1, 2]))
        assert np.isnan(pairwise_auc(["a", "b"], [1, 2], classes=["a", "b", "c"]))
        with pytest.raises(InputError, match=r"one number per instance, got the shape \(2, 2\)"):
            pairwise_auc(["a", "b"], [[1, 2], [2, 1]])
