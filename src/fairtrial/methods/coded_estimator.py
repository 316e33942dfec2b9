"""An estimator that is given the labels 0 … k−1, and gives the original ones back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from fairtrial.errors import InputError


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
