"""The quick learners predict what scikit-learn's do."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from fairtrial.lab.learner_worlds import LEARNERS, draw_folds, fold_scores

PEERS = {  # scikit-learn 1.6 or newer
    "1-NN": KNeighborsClassifier(1),
    "LDA": LinearDiscriminantAnalysis(),
    "naive Bayes": GaussianNB(),
}


def data(n=150):
    generator = np.random.default_rng(5)
    y = generator.permutation(np.arange(n) % 2)
    return generator.normal(size=(n, 4)) + 0.4 * y[:, None], y, draw_folds(generator, y, 2, 10)


@pytest.mark.parametrize("name", PEERS)
def test_against_scikit_learn(name):
    x, y, folds = data()
    found = LEARNERS[name](x, y, folds)
    for f, own in zip(folds, found, strict=True):
        for k in range(10):
            test = f == k
            predicted = PEERS[name].fit(x[~test], y[~test]).predict(x[test])
            assert np.array_equal(own[test], predicted == y[test])


def test_a_tree_learns():
    x, y, folds = data()
    assert LEARNERS["tree"](x, y, folds).mean() > 0.5


def test_folds_are_even_and_stratified():
    _, y, folds = data()
    for f in folds:
        assert set(np.bincount(f)) == {15}
        assert all(abs(np.bincount(f[y == c], minlength=10) - 7.5).max() <= 1 for c in (0, 1))


def test_scores_by_hand():
    right = np.array([[True, False, True, True]])
    assert fold_scores(right, np.array([[0, 0, 1, 1]])).tolist() == [[0.5, 1.0]]
