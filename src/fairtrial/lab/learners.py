"""Quick learners for the lab: all folds of all repeats of a cross-validation at once.

Each takes features, classes 0 and 1, and the fold of each instance in each repeat (rows), and gives whether each
instance was predicted right when its fold was tested. They are the textbook methods, written so that thousands of
cross-validations take a minute; scikit-learn's give the same predictions, one fold after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray

Learner = Callable[[FloatArray, IntArray, IntArray], BoolArray]

NEIGHBOURS = 120  # of which one is nearly surely in another fold; all are looked at where there are fewer
LEAST_VARIANCE = 1e-9


def draw_folds(generator: np.random.Generator, y: IntArray, repeats: int, k: int) -> IntArray:
    """The fold of each instance in each repeat (rows), stratified by class."""
    folds = np.empty((repeats, len(y)), dtype=np.int64)
    for r in range(repeats):
        dealt = 0
        for c in (0, 1):
            own = generator.permutation(np.flatnonzero(y == c))
            folds[r, own] = (dealt + np.arange(len(own))) % k
            dealt += len(own)
    return folds


def fold_scores(right: BoolArray, folds: IntArray) -> FloatArray:
    """The accuracy in each fold (columns) of each repeat (rows)."""
    k = int(folds.max()) + 1
    counted = [np.bincount(f, r, k) / np.bincount(f, minlength=k) for f, r in zip(folds, right, strict=True)]
    return np.stack(counted)


def one_nearest(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """1-nearest-neighbour: the class of the nearest instance in another fold."""
    squares = (x**2).sum(axis=1)
    distance = squares[:, None] + squares - 2 * x @ x.T
    np.fill_diagonal(distance, np.inf)
    most = min(len(x) - 1, NEIGHBOURS)
    near = np.argpartition(distance, most - 1, axis=1)[:, :most]
    order = np.take_along_axis(near, np.take_along_axis(distance, near, axis=1).argsort(axis=1), axis=1)
    rows = np.arange(len(y))
    return np.stack([y[order[rows, (f[order] != f[:, None]).argmax(axis=1)]] == y for f in folds])


def linear_discriminant(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """Linear discriminant analysis, from sums over the training rows of each fold."""
    right = np.empty(folds.shape, dtype=np.bool_)
    for r, f in enumerate(folds):
        count, sums, products = _training_sums(x, y, f)
        mean = sums / count[..., None]
        within = products - count[..., None, None] * mean[..., :, None] * mean[..., None, :]
        pooled = within.sum(axis=1) / (count.sum(axis=1) - 2)[:, None, None]
        weights = np.linalg.solve(pooled, (mean[:, 1] - mean[:, 0])[..., None])[..., 0]
        offset = -0.5 * ((mean[:, 1] + mean[:, 0]) * weights).sum(axis=1) + np.log(count[:, 1] / count[:, 0])
        right[r] = ((x * weights[f]).sum(axis=1) + offset[f] > 0) == y
    return right


def naive_bayes(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """Gaussian naive Bayes, from sums over the training rows of each fold."""
    right = np.empty(folds.shape, dtype=np.bool_)
    for r, f in enumerate(folds):
        count, sums, products = _training_sums(x, y, f)
        mean = sums / count[..., None]
        variance = np.diagonal(products, axis1=2, axis2=3) / count[..., None] - mean**2 + LEAST_VARIANCE
        score = [
            np.log(count[f, c]) - 0.5 * ((x - mean[f, c]) ** 2 / variance[f, c] + np.log(variance[f, c])).sum(axis=1)
            for c in (0, 1)
        ]
        right[r] = (score[1] > score[0]) == y
    return right


def tree(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """scikit-learn's decision tree, fold after fold."""
    from sklearn.tree import DecisionTreeClassifier

    right = np.empty(folds.shape, dtype=np.bool_)
    for r, f in enumerate(folds):
        for k in range(int(f.max()) + 1):
            test = f == k
            model = DecisionTreeClassifier(random_state=0).fit(x[~test], y[~test])
            right[r, test] = model.predict(x[test]) == y[test]
    return right


def _training_sums(x: FloatArray, y: IntArray, f: IntArray) -> tuple[FloatArray, FloatArray, npt.NDArray[np.float64]]:
    """Counts, sums and sums of products of the training rows of each fold (first axis) and class (second)."""
    k, p = int(f.max()) + 1, x.shape[1]
    count, sums, products = np.zeros((k, 2)), np.zeros((k, 2, p)), np.zeros((k, 2, p, p))
    for fold in range(k):
        for c in (0, 1):
            rows = x[(f == fold) & (y == c)]
            count[fold, c], sums[fold, c], products[fold, c] = len(rows), rows.sum(axis=0), rows.T @ rows
    return count.sum(axis=0) - count, sums.sum(axis=0) - sums, products.sum(axis=0) - products


LEARNERS: Mapping[str, Learner] = {
    "1-NN": one_nearest,
    "LDA": linear_discriminant,
    "naive Bayes": naive_bayes,
    "tree": tree,
}
