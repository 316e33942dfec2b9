"""1R: the classifier that uses one feature only (Holte 1993)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

__all__ = ["OneRule"]


class OneRule(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """One rule: the single feature that classifies the training data best.

    A nominal feature (category column of a frame) predicts, for each value, the commonest class among the
    training instances that have it. A numeric feature is first cut into intervals: sorted, a cut is allowed only
    between different values and once the running interval holds ``min_bucket`` instances of its commonest class;
    neighbouring intervals with the same class are joined. Missing is a value of its own.
    The feature with the fewest training errors wins; the first of equals.

    A yardstick: on many data sets it comes close to much larger models, which then explain little.

    Reference: Holte (1993), Machine Learning 11:63-90, doi:10.1023/A:1022631118932.

    >>> import numpy as np
    >>> X = np.array([[0, 5], [1, 1], [2, 6], [3, 2], [4, 7], [5, 1]])
    >>> rule = OneRule(min_bucket=1).fit(X, ["b", "a", "b", "a", "b", "a"])
    >>> int(rule.feature_), rule.predict([[9, 0], [0, 9]]).tolist()
    (1, ['a', 'b'])
    """

    fairtrial_inputs = "frame"

    def __init__(self, min_bucket: int = 6) -> None:
        self.min_bucket = min_bucket

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Any, y: Any) -> OneRule:
        nominal = _nominal_columns(X)
        X, y = validate_data(self, _as_numbers(X), y, ensure_all_finite="allow-nan", dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        k = len(self.classes_)
        self.default_ = np.bincount(codes, minlength=k)
        best_errors = len(codes) + 1
        for j in range(X.shape[1]):
            cuts = None if j in nominal else _cuts(X[:, j], codes, k, self.min_bucket)
            counts = _counts(_cells(X[:, j], cuts), codes, k)
            errors = len(codes) - int(counts.max(axis=1).sum())
            if errors < best_errors:
                best_errors, self.feature_, self.cuts_, self.counts_ = errors, j, cuts, counts
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class shares of the training instances in the same cell of the rule."""
        check_is_fitted(self)
        X = validate_data(self, _as_numbers(X), reset=False, ensure_all_finite="allow-nan", dtype=np.float64)
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


def _nominal_columns(X: Any) -> frozenset[int]:
    dtypes = getattr(X, "dtypes", None)
    if dtypes is None or not hasattr(X, "columns"):
        return frozenset()
    return frozenset(j for j, dtype in enumerate(dtypes) if dtype.name == "category")


def _as_numbers(X: Any) -> Any:
    """A frame with category columns as codes, missing as nan; anything else as it is."""
    nominal = _nominal_columns(X)
    if not nominal:
        return X
    X = X.copy()
    for j in nominal:
        codes = X.iloc[:, j].cat.codes.to_numpy(dtype=np.float64)
        X = X.assign(**{X.columns[j]: np.where(codes < 0, np.nan, codes)})
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
    order = np.argsort(values[present], kind="stable")
    x, y = values[present][order], codes[present][order]
    if len(x) == 0:
        return np.empty(0)
    groups = _counts(np.unique(x, return_inverse=True)[1], y, k)
    distinct = np.unique(x)
    cuts: list[float] = []
    majorities: list[int] = []
    running = np.zeros(k, dtype=np.int64)
    for i, group in enumerate(groups):
        full = running.max() >= min_bucket
        if full and group.argmax() != running.argmax():
            _close(cuts, majorities, int(running.argmax()), (distinct[i - 1] + distinct[i]) / 2)
            running = np.zeros(k, dtype=np.int64)
        running = running + group
    if majorities and majorities[-1] == running.argmax():
        cuts.pop()
    return np.asarray(cuts)


def _close(cuts: list[float], majorities: list[int], majority: int, cut: float) -> None:
    """End an interval; if its neighbour has the same majority, the two become one."""
    if majorities and majorities[-1] == majority:
        cuts[-1] = cut
    else:
        majorities.append(majority)
        cuts.append(cut)
