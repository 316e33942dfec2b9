"""1R: the classifier that uses one feature only (Holte 1993)."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from fairtrial.errors import InputError


class OneRule(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """One rule: the single feature that classifies the training data best.

    A nominal feature (a column of categories or texts in a frame) predicts, for each of its values, the most frequent
    class of the training instances with that value. A numeric feature is first cut into intervals: in sorted order, a
    cut is allowed only between different values, and only if the current interval has ``min_bucket`` instances of its
    most frequent class; neighbouring intervals with the same class are joined. A missing value counts as a value. A
    value that did not occur in training gets the most frequent class of all. The feature with the fewest training
    errors is chosen, and the first one of equals.

    It is a good yardstick: on many data sets it comes close to much larger models.

    Reference: Holte (1993), Machine Learning 11:63-90, doi:10.1023/A:1022631118932.

    >>> import numpy as np
    >>> X = np.array([[0, 5], [1, 1], [2, 6], [3, 2], [4, 7], [5, 1]])
    >>> rule = OneRule(min_bucket=2).fit(X, ["b", "a", "b", "a", "b", "a"])
    >>> int(rule.feature_), rule.predict([[9, 0], [0, 9]]).tolist()
    (1, ['a', 'b'])
    """

    fairtrial_inputs = "frame"

    classes_: NDArray[Any]
    categories_: dict[int, Any]
    feature_: int
    cuts_: NDArray[np.float64] | None
    counts_: NDArray[np.int64]
    default_: NDArray[np.int64]

    def __init__(self, min_bucket: int = 6) -> None:
        self.min_bucket = min_bucket

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.classifier_tags.poor_score = True  # one feature is not enough for scikit-learn's sample problems
        return tags

    def fit(self, X: Any, y: Any) -> OneRule:
        if not isinstance(self.min_bucket, Integral) or self.min_bucket < 1:
            raise InputError(f"min_bucket must be a whole number of at least 1, got {self.min_bucket!r}")
        self.categories_ = _categories(X)
        X, y = validate_data(self, _as_numbers(X, self.categories_), y, ensure_all_finite="allow-nan", dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        k = len(self.classes_)
        self.default_ = np.bincount(codes, minlength=k)
        best_errors = len(codes) + 1
        for j in range(X.shape[1]):
            cuts = None if j in self.categories_ else _cuts(X[:, j], codes, k, self.min_bucket)
            counts = _counts(_cells(X[:, j], cuts), codes, k)
            errors = len(codes) - int(counts.max(axis=1).sum())
            if errors < best_errors:
                best_errors, self.feature_, self.cuts_, self.counts_ = errors, j, cuts, counts
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class shares of the training instances in the same cell of the rule."""
        check_is_fitted(self)
        X = _as_numbers(X, self.categories_)
        X = validate_data(self, X, reset=False, ensure_all_finite="allow-nan", dtype=np.float64)
        cells = _cells(X[:, self.feature_], self.cuts_)
        known = np.where((cells < len(self.counts_)) & (cells >= 0), cells, -1)
        counts = np.vstack([self.counts_, self.default_])[known]
        counts = np.where(counts.sum(axis=1, keepdims=True) > 0, counts, self.default_)
        shares: NDArray[np.float64] = counts / counts.sum(axis=1, keepdims=True)
        return shares

    def predict(self, X: Any) -> NDArray[Any]:
        shares = self.predict_proba(X)
        labels: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels


def _categories(X: Any) -> dict[int, Any]:
    """The values of each nominal column of a frame, by its position."""
    if not hasattr(X, "iloc") or not hasattr(X, "columns"):
        return {}
    return {j: X.iloc[:, j].astype("category").cat.categories for j, t in enumerate(X.dtypes) if t.kind == "O"}


def _as_numbers(X: Any, categories: dict[int, Any]) -> Any:
    """A frame with positions in ``categories`` for nominal columns (one past the last for a value that is not among
    them), missing as nan; anything else as it is."""
    if not categories or not hasattr(X, "iloc") or X.shape[1] <= max(categories):
        return X
    X = X.copy()
    for j, known in categories.items():
        column = X.iloc[:, j]
        found = known.get_indexer(column.astype(object)).astype(np.float64)
        X.isetitem(j, np.where(column.isna(), np.nan, np.where(found < 0, len(known), found)))
    return X


def _cells(values: NDArray[np.float64], cuts: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """Cell numbers: 0 is missing, then the values of a nominal or the intervals of a numeric feature."""
    filled = np.nan_to_num(values, nan=-1.0)
    cells = filled.astype(np.int64) if cuts is None else np.searchsorted(cuts, filled, side="right")
    return np.where(np.isnan(values), 0, cells + 1)


def _counts(cells: NDArray[np.int64], codes: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    return np.bincount(cells * k + codes, minlength=(int(cells.max()) + 1) * k).reshape(-1, k)


def _cuts(values: NDArray[np.float64], codes: NDArray[np.int64], k: int, min_bucket: int) -> NDArray[np.float64]:
    """Holte's intervals: cut where the class changes, once the running interval is large enough; join equals."""
    present = ~np.isnan(values)
    x, y = values[present], codes[present]
    if len(x) == 0:
        return np.empty(0)
    distinct, position = np.unique(x, return_inverse=True)
    groups = _counts(position, y, k)
    cuts: list[float] = []
    majorities: list[int] = []
    running = np.zeros(k, dtype=np.int64)
    for i, group in enumerate(groups):
        full = running.max() >= min_bucket
        if full and group.argmax() != running.argmax():
            _close(cuts, majorities, int(running.argmax()), _between(distinct[i - 1], distinct[i]))
            running = np.zeros(k, dtype=np.int64)
        running = running + group
    if majorities and majorities[-1] == running.argmax():
        cuts.pop()
    return np.asarray(cuts)


def _between(low: float, high: float) -> float:
    """The middle, but always above ``low``: what reaches a cut belongs to its right."""
    middle = low / 2 + high / 2
    return middle if middle > low else high


def _close(cuts: list[float], majorities: list[int], majority: int, cut: float) -> None:
    """End an interval; if its neighbour has the same majority, the two become one."""
    if majorities and majorities[-1] == majority:
        cuts[-1] = cut
    else:
        majorities.append(majority)
        cuts.append(cut)
