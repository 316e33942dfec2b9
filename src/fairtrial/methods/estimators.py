"""Estimators of our own: codes for labels, decisions by costs, functions as methods, and the rule on one feature.

They are imported only where something is fitted, since they need scikit-learn.
"""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from fairtrial.errors import InputError
from fairtrial.measures.decisions import cheapest_classes, cheapest_cut
from fairtrial.methods.channels import channels_of
from fairtrial.methods.decision_rules import INNER, DecisionRule
from fairtrial.methods.tuning import InnerSplits, Rows, as_inner, inner_splits


def _has(verb: str) -> Any:
    def check(coded: CodedLabels) -> bool:
        return hasattr(coded.estimator, verb)

    return check


class CodedLabels:
    """An estimator around which labels become codes in ``fit`` and labels again in ``predict``.

    The codes are the positions among the sorted labels of the training data, so a class without training rows leaves no
    gap. A ``class_weight`` by label becomes one by code. Parameters are those of the estimator: a search around it
    names them as before.

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> coded = CodedLabels(KNeighborsClassifier(1), np.array(["bad", "fair", "good"])).fit([[1], [2]], ["good", "bad"])
    >>> coded.estimator.classes_.tolist(), coded.classes_.tolist(), coded.predict([[9], [0]]).tolist()
    ([0, 1], ['bad', 'good'], ['bad', 'good'])
    """

    def __init__(self, estimator: Any, classes: NDArray[Any]) -> None:
        self.estimator = estimator
        self.known = classes

    def fit(self, X: Any, y: Any, **options: Any) -> CodedLabels:
        self.labels_, codes = np.unique(np.asarray(y), return_inverse=True)
        weights = self._coded_weights()
        if weights:
            self.fitted_ = clone(self.estimator).set_params(**weights)
        else:
            self.fitted_ = self.estimator
        self.fitted_.fit(X, codes.astype(np.int64), **options)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        codes = np.asarray(self.fitted_.predict(X))
        if codes.ndim == 2 and codes.shape[1] == 1:
            codes = codes[:, 0]
        strange = codes[~np.isin(codes, np.arange(len(self.labels_)))]
        if len(strange):
            given = f"the codes 0 to {len(self.labels_) - 1}, which fit was given"
            raise InputError(
                f"predict must give {given}, got {strange.tolist()[0]!r}; "
                "leave out labels='codes' if the estimator takes labels of any kind"
            )
        labels: NDArray[Any] = self.labels_[codes.astype(np.int64)]
        return labels

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Probabilities, a column for each of ``classes_``."""
        return self.fitted_.predict_proba(X)

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Scores, a column for each of ``classes_``."""
        return self.fitted_.decision_function(X)

    @available_if(_has("score"))  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any, **options: Any) -> float:
        """The estimator's own score; a label without training rows has the code −1, which is never predicted."""
        given = np.asarray(y)
        place = np.minimum(self.labels_.searchsorted(given), len(self.labels_) - 1)
        return float(self.fitted_.score(X, np.where(self.labels_[place] == given, place, -1), **options))

    @property
    def classes_(self) -> NDArray[Any]:
        """The original labels, in the order of the estimator's columns."""
        if not hasattr(self, "labels_"):
            raise AttributeError("classes_ are known after fit")
        codes = np.asarray(getattr(self.fitted_, "classes_", np.arange(len(self.labels_))), dtype=np.int64)
        labels: NDArray[Any] = self.labels_[codes]
        return labels

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the estimator."""
        return dict(self.estimator.get_params(deep=deep))

    def set_params(self, **given: Any) -> CodedLabels:
        """Set parameters of the estimator."""
        self.estimator.set_params(**given)
        return self

    def _coded_weights(self) -> dict[str, Any]:
        """Each ``class_weight`` that is given by label, by code; labels without training rows are left out."""
        given = self.estimator.get_params(deep=True) if hasattr(self.estimator, "get_params") else {}
        tables = {n: v for n, v in given.items() if n.split("__")[-1] == "class_weight" and isinstance(v, Mapping)}
        return {name: self._by_code(table, name) for name, table in tables.items()}

    def _by_code(self, table: Mapping[Any, Any], name: str) -> dict[int, Any]:
        known = self.known.tolist()
        strange = [label for label in table if label not in known]
        if strange:
            raise InputError(
                f"{name} must be given by labels of the data set, such as {known[0]!r}, got {strange[0]!r}"
            )
        codes = {label: code for code, label in enumerate(self.labels_.tolist())}
        return {codes[label]: weight for label, weight in table.items() if label in codes}

    def __sklearn_clone__(self) -> CodedLabels:
        return CodedLabels(clone(self.estimator, safe=False), self.known)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "labels_")

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)

    def __getattr__(self, name: str) -> Any:
        """Anything else that the estimator has, such as ``feature_importances_`` or ``fairtrial_details``."""
        own = vars(self)
        if name in ("estimator", "fitted_", "labels_", "known") or name.startswith("__"):
            raise AttributeError(f"{type(self).__name__} has no {name}")
        return getattr(own.get("fitted_", own["estimator"]), name)


def _model_has(verb: str) -> Any:
    def check(decided: Decided) -> bool:
        return hasattr(decided.estimator, verb)

    return check


class Decided:
    """An estimator that learns as before, and predicts the class that the costs make cheapest.

    By costs, it is the class with the lowest expected cost, given the probabilities. With a tuned threshold, rows whose
    probability of the positive class (or score) is at least ``threshold_`` are predicted positive; it was cheapest for
    predictions of the training rows, each by a model that did not learn from it. If these have too few of one class,
    the costs decide. Parameters are those of the estimator.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[0.0], [1.0], [2.0], [9.0], [10.0], [11.0]], ["no", "no", "no", "yes", "yes", "yes"]
    >>> costly_misses = DecisionRule("costs", np.array(["no", "yes"]), np.array([[0.0, 1.0], [1e9, 0.0]]))
    >>> case = np.array([[4.5]])
    >>> GaussianNB().fit(X, y).predict(case), Decided(GaussianNB(), costly_misses).fit(X, y).predict(case)
    (array(['no'], dtype='<U3'), array(['yes'], dtype='<U3'))
    """

    def __init__(self, estimator: Any, rule: DecisionRule) -> None:
        self.estimator = estimator
        self.rule = rule

    def fit(self, X: Any, y: Any, *, decision_splits: InnerSplits | None = None, **options: Any) -> Decided:
        """Learn from all rows; a threshold is tuned on the splits, which a study passes (else they are made here)."""
        target = np.asarray(y)
        self.matrix_ = self.rule.weighed(target)
        self.threshold_: float | None = None
        fresh = clone(self.estimator, safe=False) if self.rule.by == "tuned" else None
        self.estimator.fit(X, y, **options)
        if self.rule.by == "tuned":
            splits = decision_splits or inner_splits(as_inner(INNER), Rows("the training data", target, "classes"), 0)
            self.threshold_ = self._tuned_on(splits, _without_search(self.estimator, fresh), X, target)
        return self

    def _tuned_on(self, splits: InnerSplits, fresh: Any, X: Any, y: NDArray[Any]) -> float | None:
        """The threshold that is cheapest over all inner test rows, each predicted by a model that did not see it.

        It is None where rows of both classes can't be both learned from and tested.
        """
        known = set(np.unique(y))
        pairs = [(train, test) for train, test in splits.pairs if set(np.unique(y[train])) == known]
        tested = np.concatenate([y[test] for _, test in pairs]) if pairs else y[:0]
        if len(known) < 2 or set(np.unique(tested)) != known:
            self._warn_not_tuned()
            return None
        scores = [
            self._scores(clone(fresh, safe=False).fit(_rows(X, train), y[train]), _rows(X, test))
            for train, test in pairs
        ]
        truth, positive = np.searchsorted(self.rule.classes, tested), self._positive
        return cheapest_cut(np.concatenate(scores), self.matrix_[truth, positive] - self.matrix_[truth, 1 - positive])

    def _warn_not_tuned(self) -> None:
        lacking = "no threshold can be tuned, since the training rows have too few of one class"
        if not hasattr(self.estimator, "predict_proba"):
            raise InputError(f"{lacking}, and there are no probabilities from which the costs could decide")
        warnings.warn(f"{lacking}: the costs decide from the probabilities", stacklevel=2)

    def _scores(self, model: Any, X: Any) -> NDArray[np.float64]:
        """The probability of the positive class, or its score where there is none."""
        if hasattr(model, "predict_proba"):
            return self._probabilities(model, X)[:, self._positive]
        found = channels_of(model, X, None, self.rule.classes, wanted={"score"})["score"]
        towards_second = found if found.ndim == 1 else found[:, 1] - found[:, 0]
        return np.asarray(towards_second if self._positive == 1 else -towards_second)

    def _probabilities(self, model: Any, X: Any) -> NDArray[np.float64]:
        """A column for each class of the data set; a class without training rows has the probability 0."""
        found = channels_of(model, X, None, self.rule.classes, wanted={"probability"})["probability"]
        return found if found.ndim == 2 else np.column_stack([1 - found, found])

    @property
    def _positive(self) -> int:
        return 1 if self.rule.positive is None else self.rule.positive

    def predict(self, X: Any) -> NDArray[Any]:
        """The decisions, as labels."""
        if self.threshold_ is not None:
            flagged = self._scores(self.estimator, X) >= self.threshold_
            chosen = np.where(flagged, self._positive, 1 - self._positive)
        else:
            chosen = cheapest_classes(self._probabilities(self.estimator, X), self.matrix_)
        labels: NDArray[Any] = self.rule.classes[chosen]
        return labels

    @available_if(_model_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the estimator, which decisions do not change."""
        return self.estimator.predict_proba(X)

    @available_if(_model_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Scores of the estimator, which decisions do not change."""
        return self.estimator.decision_function(X)

    def fairtrial_details(self) -> dict[str, Any]:
        """The report of the estimator on itself, with the threshold that was tuned."""
        inner = self.estimator
        while hasattr(inner, "steps") and not hasattr(inner, "fairtrial_details"):
            inner = inner.steps[-1][1]
        own = dict(inner.fairtrial_details()) if hasattr(inner, "fairtrial_details") else {}
        if self.threshold_ is None:
            return own
        extreme = "none" if self.threshold_ > 0 else "all"
        return own | {"decision": {"threshold": self.threshold_ if math.isfinite(self.threshold_) else extreme}}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the estimator."""
        return dict(self.estimator.get_params(deep=deep))

    def set_params(self, **given: Any) -> Decided:
        """Set parameters of the estimator."""
        self.estimator.set_params(**given)
        return self

    def __sklearn_clone__(self) -> Decided:
        return Decided(clone(self.estimator, safe=False), self.rule)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "matrix_")

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)

    def __getattr__(self, name: str) -> Any:
        """Anything else that the estimator has, such as ``classes_`` or ``feature_importances_``."""
        if name in ("estimator", "rule", "matrix_", "threshold_") or name.startswith("__"):
            raise AttributeError(f"{type(self).__name__} has no {name}")
        return getattr(vars(self)["estimator"], name)


def _without_search(fitted: Any, fresh: Any) -> Any:
    """What is fitted on inner splits: the estimator as it was, and of a search the configuration that it chose."""
    if hasattr(fitted, "best_estimator_") and hasattr(fitted, "fairtrial_tunes"):
        return fitted.best_estimator_
    if type(fitted) is Pipeline:
        last = _without_search(fitted.steps[-1][1], fresh.steps[-1][1])
        return Pipeline([*fresh.steps[:-1], (fitted.steps[-1][0], last)])
    return fresh


def _rows(X: Any, which: NDArray[Any]) -> Any:
    return X.iloc[which] if hasattr(X, "iloc") else X[which]


class FitPredict(BaseEstimator):  # type: ignore[misc]
    """An estimator that keeps the training data, and calls a function with them when it predicts.

    Learning and predicting are one call, so a trial records all of its time as time to fit, and none to predict.

    >>> def first(X_train, y_train, X_test):
    ...     return [y_train[0]] * len(X_test)
    >>> FitPredict(first).fit([[1], [2]], ["b", "a"]).predict([[3], [4]])
    ['b', 'b']
    """

    fairtrial_in_one = True

    def __init__(self, function: Callable[[Any, Any, Any], Any]) -> None:
        self.function = function

    def fit(self, X: Any, y: Any) -> FitPredict:
        self.training_ = X, y
        return self

    def predict(self, X: Any) -> Any:
        check_is_fitted(self)
        return self.function(*self.training_, X)

    @property
    def fairtrial_name(self) -> str:
        """The name of the function, which is used where the user gave none."""
        return str(getattr(getattr(self.function, "func", self.function), "__name__", type(self.function).__name__))


def as_estimator(function: Callable[..., Any]) -> FitPredict:
    """A function as an estimator; refused if it does not take three arguments."""
    made = FitPredict(function)
    if not takes_rows(function):
        raise InputError(
            f"a function that is a method must take X_train, y_train and X_test, but {made.fairtrial_name} takes "
            f"{inspect.signature(function)}; write one that takes these three, or give an object with fit and predict"
        )
    return made


def takes_rows(function: Callable[..., Any]) -> bool:
    """Whether a function can be called with three arguments; True where nobody knows.

    >>> takes_rows(lambda X_train, y_train, X_test, k=3: X_test), takes_rows(lambda X: X)
    (True, False)
    """
    try:
        inspect.signature(function).bind(None, None, None)
    except TypeError:
        return False
    except ValueError:  # written in C, without a signature
        return True
    return True


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
