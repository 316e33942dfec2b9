"""An estimator whose predictions are decisions by costs, made from its probabilities or scores."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from fairtrial.errors import InputError
from fairtrial.measures.decisions import cheapest_classes, cheapest_cut
from fairtrial.methods.channels import channels_of
from fairtrial.methods.decision_rules import INNER, DecisionRule
from fairtrial.methods.tuning import InnerSplits, Rows, as_inner, inner_splits


def _has(verb: str) -> Any:
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

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the estimator, which decisions do not change."""
        return self.estimator.predict_proba(X)

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
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
