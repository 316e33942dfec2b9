"""Measures of probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk  # 1.9.1

from fairtrial.errors import InputError
from fairtrial.measures import (
    Probabilities,
    brier,
    compute,
    information_score,
    log_loss,
    probability_rmse,
    relative_information_score,
)

shares = st.floats(0, 1)
forecasts = st.lists(st.tuples(st.integers(0, 1), shares), min_size=1, max_size=20)
rows = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1), shares, st.sampled_from([0, 0.5, 2])), min_size=1)


def random_probabilities(n_classes, n=300):
    rng = np.random.default_rng(n_classes)
    truth = np.r_[np.arange(n_classes), rng.integers(0, n_classes, n)]
    return truth, rng.dirichlet(np.ones(n_classes), len(truth)), rng.exponential(size=len(truth))


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("ours", "theirs"), [(brier, sk.brier_score_loss), (log_loss, sk.log_loss)])
def test_against_scikit_learn(n_classes, weighted, ours, theirs):
    truth, p, w = random_probabilities(n_classes)
    w = w if weighted else None
    assert ours(truth, p, weights=w) == pytest.approx(theirs(truth, p, sample_weight=w), abs=1e-12)
    if n_classes == 2:
        assert ours(truth, p[:, 1], weights=w) == pytest.approx(theirs(truth, p[:, 1], sample_weight=w), abs=1e-12)


class TestBrier:
    def test_by_hand(self):
        assert brier(["no", "yes"], [0.3, 0.6]) == pytest.approx((0.09 + 0.16) / 2)
        assert brier(["no", "yes"], [0.3, 0.6], positive="no") == pytest.approx((0.49 + 0.36) / 2)
        assert brier([0, 1, 2], [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]]) == pytest.approx((0.5 + 0.24) / 3)

    def test_worst(self):
        assert brier([0, 1], [1.0, 0.0]) == 1.0
        assert brier([0, 1, 2], np.eye(3)[[1, 2, 0]]) == 2.0

    def test_is_never_negative(self):
        assert 0 <= brier([1, 1], [1 - 1e-9, 1 - 1e-12]) < 1e-17


class TestLogLoss:
    def test_by_hand(self):
        assert log_loss(["no", "yes"], [0.3, 0.6]) == pytest.approx(-(np.log(0.7) + np.log(0.6)) / 2)
        assert log_loss(["a", "b"], [[0.2, 0.5, 0.3], [0.1, 0.4, 0.5]], classes=["a", "b", "c"]) == pytest.approx(
            -(np.log(0.2) + np.log(0.4)) / 2
        )

    def test_sure_and_wrong(self):
        assert log_loss([0, 1], [1.0, 1.0]) == pytest.approx(sk.log_loss([0, 1], [1.0, 1.0]))
        assert log_loss([0, 0], [1.0, 1.0]) == pytest.approx(36.0437, abs=1e-4)

    def test_one_class_in_the_fold_is_no_obstacle(self):
        assert log_loss([1, 1], [0.5, 0.5]) == pytest.approx(np.log(2))


class TestProbabilityRmse:
    def test_by_hand(self):
        assert probability_rmse(["no", "yes"], [0.3, 0.6]) == pytest.approx(np.sqrt((0.09 + 0.16) / 2))
        p = [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.2, 0.2, 0.6]]
        assert probability_rmse([0, 1, 2], p) == pytest.approx(np.sqrt((0.5 + 0.24) / 9))

    @pytest.mark.parametrize("n_classes", [2, 3, 6])
    def test_against_scikit_learn(self, n_classes):
        # the rmse of all probabilities against 0 and 1, with each instance's weight in all of its columns
        truth, p, w = random_probabilities(n_classes)
        outcomes, spread = np.eye(n_classes)[truth].ravel(), np.repeat(w, n_classes)
        theirs = sk.root_mean_squared_error(outcomes, p.ravel(), sample_weight=spread)
        assert probability_rmse(truth, p, weights=w) == pytest.approx(theirs, abs=1e-12)

    @pytest.mark.slow
    @given(forecasts)
    def test_is_the_root_of_brier_with_two_classes(self, forecasts):
        truth, p = map(np.array, zip(*forecasts, strict=True))
        assert probability_rmse(truth, p) == pytest.approx(np.sqrt(brier(truth, p)))


class TestInformationScore:
    PRIOR = (0.5, 0.3, 0.2)
    POSTERIOR = ((0.7, 0.2, 0.1), (0.2, 0.5, 0.3), (0.1, 0.1, 0.8), (0.4, 0.4, 0.2))

    def test_values_from_r(self):
        # [R 4.2.2], known-answers/cases.json kb_three_class
        found = information_score([0, 1, 2, 2], self.POSTERIOR, prior=self.PRIOR)
        assert found == pytest.approx(0.805598105334112, rel=1e-12)
        each = (0.485426827170242, 0.736965594166206, 2, 0)
        for truth, p, expected in zip([0, 1, 2, 2], self.POSTERIOR, each, strict=True):
            alone = information_score([truth], [p], prior=self.PRIOR, classes=[0, 1, 2])
            assert alone == pytest.approx(expected, rel=1e-12, abs=1e-15)
        relative = relative_information_score([0, 1, 2, 2], self.POSTERIOR, prior=self.PRIOR)
        assert relative == pytest.approx(0.542316729761696, rel=1e-12)  # printed as 54.23… percent

    def test_by_hand(self):
        # shares 1/4 and 3/4: log₂ (0.5 / 0.25); log₂ (0.25 / 0.5), log₂ (1 / 0.75), log₂ (0.25 / 1)
        bits = [1, -1, np.log2(4 / 3), -2]
        assert information_score([1, 0, 0, 0], [0.5, 0.5, 0, 1]) == pytest.approx(np.mean(bits))
        entropy = 0.25 * 2 + 0.75 * np.log2(4 / 3)
        assert relative_information_score([1, 0, 0, 0], [0.5, 0.5, 0, 1]) == pytest.approx(np.mean(bits) / entropy)
        assert information_score([1, 0, 0, 0], [0.5, 0.5, 0, 1], weights=[3, 1, 1, 1]) == pytest.approx(
            (0 + 0 + 0 + 1 - 1) / 6  # shares ½: 0, 0, 1, −1
        )

    @given(forecasts)
    def test_repeating_the_prior_says_nothing_and_knowing_all_says_its_entropy(self, forecasts):
        truth = np.array([1, 0, *(y for y, _ in forecasts)])
        base = truth.mean()
        assert information_score(truth, np.full(len(truth), base)) == pytest.approx(0, abs=1e-12)
        entropy = -base * np.log2(base) - (1 - base) * np.log2(1 - base)
        assert information_score(truth, truth) == pytest.approx(entropy)
        assert relative_information_score(truth, truth) == 1

    @given(st.floats(0.5, 0.99), st.floats(0.5, 0.99))
    def test_exaggeration_is_rewarded(self, believed, more):
        low, high = sorted((believed, more))
        likely = [75, 25]  # of 100 such instances, 75 come
        scores = [information_score([1, 0], [p, p], prior=0.5, weights=likely) for p in (low, high)]
        assert scores[0] == pytest.approx(0.5 * np.log2(2 * low))
        assert scores[0] <= scores[1] + 1e-12

    @pytest.mark.slow
    @given(rows)
    def test_many_folds_are_as_each_alone(self, rows):
        fold, truth, p, weight = map(np.array, zip(*rows, strict=True))
        names = ["information_score", "relative_information_score", "brier", "log_loss", "probability_rmse"]
        formulas = [information_score, relative_information_score, brier, log_loss, probability_rmse]
        found = compute(names, truth=truth, channels={"probability": p}, folds=fold, classes=2, weights=weight)
        for f in range(fold.max() + 1):
            here = fold == f
            for name, formula in zip(names, formulas, strict=True):
                alone = formula(truth[here], p[here], weights=weight[here]) if here.any() else np.nan
                assert found[name][f] == pytest.approx(alone, rel=1e-9, abs=1e-9, nan_ok=True)

    @pytest.mark.parametrize("formula", [information_score, relative_information_score])
    def test_undefined(self, formula):
        assert np.isnan(formula([1, 1], [0.5, 1.0]))  # one class in the fold
        assert np.isnan(formula([1, 0], [0.5, 0.5], prior=1.0))
        assert np.isnan(formula([0, 1, 2], np.eye(3), prior=(0.5, 0.5, 0.0)))
        assert np.isnan(formula([0, 1], [0.5, 0.5], weights=[1, 0]))
        assert formula([0, 1, 1], [0.5, 0.5, 0.2], weights=[1, 1, 0]) == 0  # what has no weight says nothing
        assert formula([0, 1, 2], np.eye(3), weights=[1, 1, 0]) == 1
        assert np.isfinite(formula([0, 1], [[0.5, 0.5, 0], [0, 1, 0]], classes=[0, 1, 2], prior=(0.5, 0.5, 0.0)))

    def test_sure_and_wrong_stays_finite(self):
        assert information_score([1, 0], [0.0, 1.0]) == -1.0


class TestProbabilities:
    def test_one_column_is_of_the_positive_class(self):
        p = Probabilities.read(["no", "yes", "yes"], [0.2, 0.9, 0.4], positive="no")
        np.testing.assert_allclose(p.of_truth(), [0.2, 0.1, 0.6])
        np.testing.assert_allclose(p.matrix, [[0.2, 0.8], [0.9, 0.1], [0.4, 0.6]])
        np.testing.assert_allclose(p.of_class(1), [0.8, 0.1, 0.6])

    @pytest.mark.parametrize("n_classes", [2, 4])
    def test_columns_are_kept(self, n_classes):
        truth, given_, _ = random_probabilities(n_classes)
        p = Probabilities.read(truth, given_)
        assert p.matrix is given_ or np.shares_memory(p.matrix, given_)
        np.testing.assert_array_equal(p.of_truth(), given_[np.arange(len(truth)), truth])

    def test_all_of_one_class(self):
        assert brier(["a", "a"], [[1.0], [1.0]]) == log_loss(["a", "a"], [[1.0], [1.0]]) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: brier([0, 1], [[0.5, 0.5], [0.5, 0.6]]), r"must sum to 1 over the classes, but row 1 is off: 1.1"),
        (lambda: brier([0, 1], [0.5, 1.2]), r"probability must lie between 0 and 1, but row 1 is not"),
        (lambda: brier([0, 1], [0.5, np.nan]), r"probability must be finite, but row 1 is not"),
        (lambda: brier([0, 1, 2], [0.5, 0.5, 0.5]), r"single column is for 2 classes, but there are 3"),
        (lambda: brier(["a", "a"], [0.5, 0.5]), r"single column is for 2 classes, but there are 1.*give classes="),
        (lambda: log_loss(["a", "b"], np.full((2, 3), 1 / 3)), r"a column for each of the 2 classes, got the shape"),
        (lambda: brier([0, 1], [[0.5, 0.5], [-0.2, 1.2]]), r"between 0 and 1, but row 1 is not: \[-0.2  1.2\]"),
        (lambda: brier([0, 1], [0.5, -0.2]), r"probability must lie between 0 and 1, but row 1 is not: -0.2"),
        (lambda: brier([0, 1, 2], np.full((3, 3), 0.4)), r"sum to 1 over the classes, but rows 0, 1 and 2 are off"),
        (lambda: information_score([0, 1, 2], np.eye(3), prior=(0.5, 0.5)), r"prior must be 3 shares"),
        (lambda: log_loss([0, 1], [[0.5, 0.5]]), r"truth and probabilities must be of one length, got 2 and 1"),
    ],
)
def test_says_what_was_wrong(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_single_precision_sums_well_enough():
    p = np.random.default_rng(0).dirichlet(np.ones(50), 100).astype(np.float32)
    assert log_loss(np.arange(100) % 50, p) > 0


def test_the_positive_class_does_not_change_a_matrix():
    truth, p, _ = random_probabilities(2)
    for name in ("brier", "log_loss"):
        first, second = (
            compute([name], truth=truth, channels={"probability": p}, classes=2, positive=k)[name][0] for k in (0, 1)
        )
        assert first == second
