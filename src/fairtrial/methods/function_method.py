"""A function ``fit_predict(X_train, y_train, X_test)`` as an estimator."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from fairtrial.errors import InputError


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
