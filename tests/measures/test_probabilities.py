"""Measures of probabilities."""

import numpy as np
import pytest
from sklearn import metrics as sk  # 1.9.1

from fairtrial.errors import InputError
from fairtrial.measures import brier, compute, log_loss


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: brier([0, 1], [[0.5, 0.5], [0.5, 0.6]]), r"must sum to 1 over the classes, but row 1 is off: 1.1"),
        (lambda: brier([0, 1], [0.5, 1.2]), r"probability must lie between 0 and 1, but row 1 is not"),
        (lambda: brier([0, 1], [0.5, np.nan]), r"probability must be finite, but row 1 is not"),
        (lambda: brier([0, 1, 2], [0.5, 0.5, 0.5]), r"single column is for 2 classes, but there are 3"),
        (lambda: brier(["a", "a"], [0.5, 0.5]), r"single column is for 2 classes, but there are 1.*name all classes"),
        (lambda: log_loss(["a", "b"], np.full((2, 3), 1 / 3)), r"a column for each of the 2 classes, got the shape"),
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
