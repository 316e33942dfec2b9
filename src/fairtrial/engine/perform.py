"""One function that performs one trial: clone, fit, predict, in this process."""

from __future__ import annotations

import inspect
import random
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.data.encode import encoder_for
from fairtrial.design import Training, narrowed, varied
from fairtrial.engine.batches import Conditions
from fairtrial.engine.gauges import Gauges
from fairtrial.errors import InputError
from fairtrial.methods import Method
from fairtrial.resampling import Split, derive_seed
from fairtrial.store import Packed, Record

__all__ = ["Bench", "failed", "perform"]

MOST_WARNINGS = 20
LONGEST_WARNING = 500
NOTHING: Mapping[str, Any] = {}
STANDARD = Conditions()


class Bench:
    """What trials of one data set and one method share, prepared once: encoder, frame, names of random states.

    ``source`` identifies the data set with all its features.
    """

    def __init__(self, dataset: Dataset, method: Method, source: str | None = None) -> None:
        self.source = source or dataset.fingerprint
        self.dataset = dataset
        self.method = method
        self.inputs = method.fed_with()
        self.encoder = encoder_for(dataset) if self.inputs == "encoded" else None
        self.features: Any = dataset.frame() if self.inputs == "frame" else dataset.X
        self.classes = np.asarray(dataset.classes) if dataset.task == "classes" else None
        self.random_states = _open_random_states(method.estimator)
        self.gives_std = self.classes is None and _gives_std(method.estimator)
        self._narrow: dict[int, Bench] = {}

    def at(self, levels: Mapping[str, Any], conditions: Conditions) -> Bench:
        """The bench for a trial's levels: this one, unless a factor leaves out features."""
        dataset = narrowed(self.dataset, conditions.factors, levels, conditions.seed)
        if dataset is self.dataset:
            return self
        if dataset.p not in self._narrow:
            self._narrow[dataset.p] = Bench(dataset, self.method, self.source)
        return self._narrow[dataset.p]

    def rows(self, which: NDArray[np.int32]) -> Any:
        return self.features.iloc[which] if self.inputs == "frame" else self.features[which]

    def learned_from(self, training: Training) -> Any:
        """The features of training data."""
        rows, donors = self.rows(training.rows), training.donors
        if donors is None:
            return rows
        if self.inputs != "frame":
            return self.features[donors, np.arange(donors.shape[1])]
        mixed = {c: self.features[c].array.take(donors[:, j]) for j, c in enumerate(self.features.columns)}
        return type(rows)(mixed, index=rows.index)

    def estimator(self, key: bytes) -> Any:
        """A fresh estimator; each random state that was left open gets a seed of the trial's own."""
        from sklearn.base import clone

        made = clone(self.method.estimator, safe=False)
        for name in self.random_states:
            if "__" in name:
                made.set_params(**{name: derive_seed(key, name)})
            else:
                setattr(made, name, derive_seed(key, name))  # the same, without set_params' search through signatures
        return made


def _open_random_states(estimator: Any) -> tuple[str, ...]:
    if not hasattr(estimator, "get_params"):
        return ()
    parameters = estimator.get_params(deep=True)
    return tuple(sorted(n for n, v in parameters.items() if v is None and n.split("__")[-1] == "random_state"))


def _gives_std(estimator: Any) -> bool:
    """Does its ``predict`` know ``return_std``? A pipeline hands that on to its last step."""
    from sklearn.pipeline import Pipeline

    while isinstance(estimator, Pipeline):
        estimator = estimator.steps[-1][1]
    try:
        return "return_std" in inspect.signature(estimator.predict).parameters
    except (AttributeError, TypeError, ValueError):
        return False


def perform(
    key: bytes, bench: Bench, split: Split, levels: Mapping[str, Any] = NOTHING, conditions: Conditions = STANDARD
) -> Record:
    """Fit on the training rows, predict the test rows, and give what became of it; an error is a record too."""
    seen: Counter[str] = Counter()
    gauges = Gauges(conditions.extra)
    begun = time.time()
    try:
        with _collected(seen), np.errstate():
            if levels:
                bench = bench.at(levels, conditions)
            factors = conditions.factors if levels else ()
            training = varied(bench.dataset, split, factors, levels, conditions.seed, bench.source)
            arrays = _fit_and_predict(key, bench, training, split, gauges)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a method raises is a result of the trial
        return replace(failed(key, error), warnings=_most_common(seen), begun=begun)
    packed = {channel: Packed.of(array) for channel, array in arrays.items()}
    n_train = len(training.rows) if levels else None
    return Record(key, "ok", None, _most_common(seen), "", gauges.readings, packed, begun, n_train)


def _fit_and_predict(
    key: bytes, bench: Bench, training: Training, split: Split, gauges: Gauges
) -> dict[str, NDArray[Any]]:
    seed = derive_seed(key, "global")
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - for estimators that use the global generator
    estimator = bench.estimator(key)
    X_train, X_test, y_train = bench.learned_from(training), bench.rows(split.test), training.target
    with gauges.memory():
        with gauges.clock("fit"):
            if bench.encoder is not None:
                encoder = bench.encoder.__class__(**bench.encoder.get_params(deep=False)).fit(X_train)
                X_train = encoder.transform(X_train)
            estimator.fit(X_train, y_train)
        with gauges.clock("predict"):
            if bench.encoder is not None:
                X_test = encoder.transform(X_test)
            predicted = estimator.predict(X_test)
    gauges.model(estimator)
    if bench.classes is None:
        value = {"value": _values("predict", predicted, split.n_test)}
        return value | (_std(estimator, X_test, split.n_test) if bench.gives_std else {})
    channels = _Channels(estimator, bench.classes, split.n_test)
    found: dict[str, NDArray[Any]] = {"label": channels.labels(predicted)}
    for channel, verb in (("probability", "predict_proba"), ("score", "decision_function")):
        if hasattr(estimator, verb):
            given = channels.matrix(verb, getattr(estimator, verb)(X_test))
            if given is not None:
                found[channel] = given
    return found


@dataclass(frozen=True, slots=True)
class _Channels:
    """Predictions as arrays over the data set's classes; nonsense is an error that says what was wrong."""

    estimator: Any
    classes: NDArray[Any]
    n: int

    def labels(self, predicted: Any) -> NDArray[np.int32]:
        """Class numbers; -1 for a label that the data set does not have."""
        labels = np.asarray(predicted).reshape(-1)
        _same_length("predict", labels, self.n)
        if labels.dtype.kind == "O":
            labels = labels.astype(str) if self.classes.dtype.kind == "U" else labels.astype(self.classes.dtype)
        if labels.dtype.kind in "fc" and not np.isfinite(labels).all():
            raise InputError(f"predict must give a class for each instance, but {np.isnan(labels).sum()} are nan")
        if (labels.dtype.kind in "US") != (self.classes.dtype.kind in "US"):
            expected, got = self.classes[0].item(), labels[0].item()
            raise InputError(f"predict must give labels such as {expected!r}, got {got!r}")
        place = np.minimum(np.searchsorted(self.classes, labels), len(self.classes) - 1)
        return np.where(self.classes[place] == labels, place, -1).astype(np.int32)

    def matrix(self, verb: str, given: Any) -> NDArray[np.float64] | None:
        """One column per class of the data set; classes that the training rows lacked get 0 (scores: -inf).

        None for one-vs-one scores, which have a column per pair of classes.
        """
        values = np.asarray(given, dtype=np.float64)
        _same_length(verb, values, self.n)
        if np.isnan(values).any():
            raise InputError(f"{verb} must give numbers, but {np.isnan(values).any(axis=-1).sum()} rows have nan")
        known = np.asarray(getattr(self.estimator, "classes_", self.classes))
        if values.ndim == 1 and len(self.classes) == 2:
            return values
        if values.ndim == 1:  # training rows of two classes only, where the data set has more
            values = np.column_stack([-values, values])
        if values.shape[1] != len(known):
            if verb == "decision_function":
                return None
            raise InputError(f"{verb} must give a column for each of {len(known)} classes, got {values.shape[1]}")
        if len(known) == len(self.classes) and (known == self.classes).all():
            return values
        full = np.full((self.n, len(self.classes)), 0.0 if verb == "predict_proba" else -np.inf)
        full[:, np.searchsorted(self.classes, known)] = values
        return full


def _values(verb: str, given: Any, n: int) -> NDArray[np.float64]:
    values = np.asarray(given, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    _same_length(verb, values, n)
    if not np.isfinite(values).all():
        raise InputError(f"{verb} must give finite numbers, but {(~np.isfinite(values)).sum()} of {n} are not")
    return values


def _std(estimator: Any, X: Any, n: int) -> dict[str, NDArray[np.float64]]:
    """Standard deviations of the predictive distributions; none, and a warning, where they fail or are nonsense.

    They are an addition: the predicted values, which were made without them, are as good as ever.
    """
    try:
        _, given = estimator.predict(X, return_std=True)
        std = _values("predict(return_std=True)", given, n)
        if (std < 0).any():
            raise InputError(f"predict(return_std=True) must not give negative numbers, but {(std < 0).sum()} are")
    except Exception as error:  # noqa: BLE001 - whatever a method raises
        warnings.warn(f"no standard deviations were kept: {type(error).__name__}: {error}", stacklevel=2)
        return {}
    return {"std": std}


def _same_length(verb: str, values: NDArray[Any], n: int) -> None:
    if values.ndim == 0 or len(values) != n:
        got = "a single value" if values.ndim == 0 else str(len(values))
        raise InputError(f"{verb} must give one prediction for each of {n} instances, got {got}")


@contextmanager
def _collected(seen: Counter[str]) -> Iterator[None]:
    """Count warnings instead of showing them."""

    def note(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
        text = f"{category.__name__}: {message}"
        seen[text if len(text) <= LONGEST_WARNING else text[:LONGEST_WARNING] + "…"] += 1

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = note
        yield


def _most_common(seen: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(seen.most_common(MOST_WARNINGS))


def failed(key: bytes, error: BaseException) -> Record:
    """The record of a trial that raised: one line that says what happened, then the traceback."""
    first = str(error).strip().split("\n")[0]
    trace = "".join(traceback.format_exception(error))
    return Record(key, "failed", f"{type(error).__name__}: {first}\n{trace}")
