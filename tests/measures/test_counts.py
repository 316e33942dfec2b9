"""Counts that measures of labels are made from."""

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.measures import Confusion, Margins, PerClass, compute
from fairtrial.measures.confusion_matrix import MANY_CLASSES, class_shares
from fairtrial.measures.predictions import Predictions


class TestConfusion:
    def test_by_hand(self):
        c = Confusion.read(["a", "a", "b", "c"], ["a", "b", "b", "a"])
        np.testing.assert_array_equal(c.counts[0], [[1, 1, 0], [0, 1, 0], [1, 0, 0]])
        np.testing.assert_array_equal(c.actual, [[2, 1, 1]])

    def test_true_negatives_of_three_classes(self):
        c = PerClass.read(["a", "a", "b", "c"], ["a", "b", "b", "a"])
        np.testing.assert_array_equal(
            [c.tp[0], c.fp[0], c.fn[0], c.tn[0]], [[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 2, 3]]
        )

    def test_no_cell_holds_rounding_noise(self):
        weights = [0.1, 0.2, 0.3, 0.7]
        c = PerClass.read([1, 1, 1, 1], [1, 0, 1, 1], weights=weights)
        assert c.fp[0, 0] == 0.0
        assert c.tn[0, 0] == 0.0

    def test_an_unseen_label_is_wrong(self):
        found = compute(
            ["accuracy", "recall", "precision"], truth=[0, 1, 1, 1], channels={"label": [0, 1, -1, 0]}, classes=2
        )
        assert found["accuracy"][0] == 0.5
        assert found["recall"][0] == pytest.approx(1 / 3)
        assert found["precision"][0] == 1.0


class TestMargins:
    def test_by_hand(self):
        m = Margins.read(["a", "a", "b", "c"], ["a", "b", "b", "a"])
        np.testing.assert_array_equal([m.hits[0], m.actual[0], m.predicted[0]], [[1, 1, 0], [2, 1, 1], [2, 2, 0]])

    def test_of_many_classes_they_are_those_of_the_matrix(self):
        random, k, n = np.random.default_rng(3), MANY_CLASSES + 5, 400
        truth, folds = random.integers(0, k, n), random.integers(0, 3, n)
        label = np.where(random.random(n) < 0.5, truth, random.integers(-1, k, n))  # −1: none of the classes
        own = Predictions.checked(truth, {"label": label}, n_classes=k, folds=folds)
        matrix = own.shared(Confusion)
        for shared, of in ((Margins, Margins.of(matrix)), (PerClass, PerClass.of(matrix, None, None))):
            for name in shared.__slots__:
                if name != "average":
                    np.testing.assert_array_equal(getattr(own.shared(shared), name), getattr(of, name), name)


class TestReweighed:
    def test_by_hand(self):
        # recalls 3/4 and 1/2 stay, the total of 6 stays, positives become half of it
        c = Confusion.read([1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 1]).reweighed(0.5)
        np.testing.assert_allclose(c.counts[0], [[1.5, 1.5], [0.75, 2.25]])
        np.testing.assert_allclose(c.recalls[0], [0.5, 0.75])

    def test_a_class_that_is_to_occur_but_does_not(self):
        c = Confusion.read([1, 1], [1, 0], classes=[0, 1]).reweighed(0.5)
        assert np.isnan(c.counts[0, 0]).all()


class TestClassShares:
    def test_of_the_positive_class_whichever_it_is(self):
        np.testing.assert_allclose(class_shares(0.3, 2, positive=0), [0.3, 0.7])
        np.testing.assert_allclose(class_shares(0.3, 2, positive=1), [0.7, 0.3])

    @pytest.mark.parametrize(("prior", "n"), [(0.3, 3), ((0.5, 0.6), 2), ((-0.1, 1.1), 2), (1.5, 2)])
    def test_says_what_was_wrong(self, prior, n):
        with pytest.raises(InputError, match=f"{n} shares of the classes that sum to 1"):
            class_shares(prior, n, positive=n - 1)
