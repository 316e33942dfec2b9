"""The predictions of a fitted estimator, as arrays over the data set's classes or as numbers.

Both the engine and an inner search read predictions here, so that they score an estimator alike.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.probabilities import TOLERANCE, check_probabilities
from fairtrial.words import error_line, plural

ALL_CHANNELS = frozenset({"label", "probability", "score", "value", "std"})


def channels_of(
    estimator: Any,
    X: Any,
    predicted: Any,
    classes: NDArray[Any] | None,
    *,
    gives_std: bool = False,
    wanted: Collection[str] = ALL_CHANNELS,
) -> dict[str, NDArray[Any]]:
    """Predict these rows in all wanted ways that an estimator offers.

    ``predicted`` is the result of ``predict``; it is ignored if labels are not wanted. ``classes`` are sorted, and None
    for values.
    """
    n = X.shape[0]
    if classes is None:
        value = {"value": _values("predict", predicted, n)}
        return value | (_std(estimator, X, n) if gives_std and "std" in wanted else {})
    channels = _Channels(estimator, classes, n)
    found: dict[str, NDArray[Any]] = {"label": channels.labels(predicted)} if "label" in wanted else {}
    for channel, verb in (("probability", "predict_proba"), ("score", "decision_function")):
        if channel in wanted and hasattr(estimator, verb):
            given = channels.matrix(verb, getattr(estimator, verb)(X))
            if given is not None:
                found[channel] = given
    return found


def gives_std(estimator: Any) -> bool:
    """Whether the ``predict`` of an estimator knows ``return_std``."""
    try:
        return "return_std" in inspect.signature(_who_predicts(estimator).predict).parameters
    except (AttributeError, TypeError, ValueError):
        return False


def _who_predicts(estimator: Any) -> Any:
    """The estimator that predicts: the last step of a pipeline, the one that a search tunes."""
    from sklearn.pipeline import Pipeline

    while isinstance(estimator, Pipeline) or hasattr(estimator, "fairtrial_tunes"):
        estimator = estimator.fairtrial_tunes if hasattr(estimator, "fairtrial_tunes") else estimator.steps[-1][1]
    return estimator


@dataclass(frozen=True, slots=True)
class _Channels:
    """Predictions as arrays over the data set's classes; nonsense is an error that says what was wrong."""

    estimator: Any
    classes: NDArray[Any]
    n: int

    def labels(self, predicted: Any) -> NDArray[np.int32]:
        """Class numbers; every label must be one of the data set's classes."""
        labels = _array("predict", predicted)
        if labels.ndim == 2 and labels.shape[1] == 1:
            labels = labels[:, 0]
        _same_length("predict", labels, self.n)
        if labels.dtype.kind in "fc" and not np.isfinite(labels).all():
            raise InputError(f"predict must give a class for each instance, but {np.isnan(labels).sum()} are nan")
        if labels.ndim != 1 or labels.dtype.kind == "O":
            labels = channel_checks.labels("predict", labels)
        expected = self.classes[0].item()
        if (labels.dtype.kind in "US") != (self.classes.dtype.kind in "US"):
            raise InputError(f"predict must give labels such as {expected!r}, got {labels[0].item()!r}")
        place = np.minimum(self.classes.searchsorted(labels), len(self.classes) - 1)
        unknown = self.classes[place] != labels
        if unknown.any():
            got = f"{unknown.sum()} of {self.n} are others, such as {labels[unknown][0].item()!r}"
            raise InputError(f"predict must give classes of the data set, such as {expected!r}, but {got}")
        return place.astype(np.int32)

    def matrix(self, verb: str, given: Any) -> NDArray[np.float64] | None:
        """A matrix with a column for each class of the data set; classes without training rows get 0 (scores: -inf).

        The result is None for one-vs-one scores, which have a column for each pair of classes.
        """
        values = _floats(verb, given)
        _same_length(verb, values, self.n)
        if values.ndim > 2:
            raise InputError(f"{verb} must give a row of numbers for each instance, got the shape {values.shape}")
        if np.isnan(values).any():
            rows = int(np.isnan(values).reshape(len(values), -1).any(axis=1).sum())
            raise InputError(f"{verb} must give numbers, but {plural(rows, 'row has', 'rows have')} nan")
        known = np.asarray(getattr(self.estimator, "classes_", self.classes))
        if values.ndim == 1 and len(self.classes) == 2:
            return self._checked(verb, values)
        if values.ndim == 1:  # training rows of two classes only, where the data set has more
            values = np.column_stack([-values, values])
        if verb == "decision_function" and len(known) > 2 and self._one_vs_one():
            return None
        if values.shape[1] != len(known):
            if verb == "decision_function":
                return None
            raise InputError(f"{verb} must give a column for each of {len(known)} classes, got {values.shape[1]}")
        if len(known) == len(self.classes) and (known == self.classes).all():
            return self._checked(verb, values)
        if not np.isin(known, self.classes).all():
            strange = known[~np.isin(known, self.classes)].tolist()[0]
            expected = self.classes[0].item()
            raise InputError(f"classes_ must be classes of the data set, such as {expected!r}, got {strange!r}")
        full = np.full((self.n, len(self.classes)), 0.0 if verb == "predict_proba" else -np.inf)
        full[:, np.searchsorted(self.classes, known)] = values
        return self._checked(verb, full)

    def _checked(self, verb: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Refuse here, for this trial alone, what measures would refuse later for all methods at once."""
        if verb != "predict_proba" or _are_probabilities(values, len(self.classes)):
            return values
        return check_probabilities(values, len(self.classes), verb)

    def _one_vs_one(self) -> bool:
        """Whether scores are one-vs-one; the number of columns does not tell, since three classes have three pairs."""
        return getattr(_who_predicts(self.estimator), "decision_function_shape", None) == "ovo"


def _are_probabilities(values: NDArray[np.float64], n_classes: int) -> bool:
    """Whether values surely are probabilities, in a third of the time of the whole check: trials are short."""
    if values.shape[1:] != (n_classes,) or not len(values):
        return False
    sums = values.sum(axis=1)
    return bool(values.min() >= 0 and sums.min() >= 1 - TOLERANCE and sums.max() <= 1 + TOLERANCE)


def _array(verb: str, given: Any) -> NDArray[Any]:
    """The output of a method as an array; a masked value was not predicted."""
    if np.ma.is_masked(given):
        masked = int(np.ma.getmaskarray(given).sum())
        raise InputError(f"{verb} must give a prediction for each instance, but {masked} are masked")
    return np.asarray(given)


def _floats(verb: str, given: Any) -> NDArray[np.float64]:
    array = _array(verb, given)
    if array.dtype.kind == "c":  # numpy would only warn, and take the real part
        raise InputError(f"{verb} must give real numbers, got complex ones")
    return array.astype(np.float64, copy=False)


def _values(verb: str, given: Any, n: int) -> NDArray[np.float64]:
    values = _floats(verb, given)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    _same_length(verb, values, n)
    if values.ndim > 1:
        raise InputError(f"{verb} must give one number for each instance, got the shape {values.shape}")
    if not np.isfinite(values).all():
        raise InputError(f"{verb} must give finite numbers, but {(~np.isfinite(values)).sum()} of {n} are not")
    channel_checks.check_squares(verb, values)
    return values


def _std(estimator: Any, X: Any, n: int) -> dict[str, NDArray[np.float64]]:
    """Standard deviations of the predictive distributions; None, with a warning, if they fail or are invalid.

    The trial does not fail then, since the predicted values do not depend on them.
    """
    try:
        _, given = estimator.predict(X, return_std=True)
        std = _values("predict(return_std=True)", given, n)
        if (std < 0).any():
            raise InputError(f"predict(return_std=True) must not give negative numbers, but {(std < 0).sum()} are")
    except Exception as error:  # noqa: BLE001 - whatever a method raises
        warnings.warn(f"no standard deviations were kept: {error_line(error)}", stacklevel=2)
        return {}
    return {"std": std}


def _same_length(verb: str, values: NDArray[Any], n: int) -> None:
    if values.ndim == 0 or len(values) != n:
        got = "a single value" if values.ndim == 0 else str(len(values))
        raise InputError(f"{verb} must give one prediction for each of {n} instances, got {got}")
