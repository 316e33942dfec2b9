"""One function that performs one trial: clone, fit, predict, in this process."""

from __future__ import annotations

import random
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.data.encode import encoder_for
from fairtrial.errors import InputError
from fairtrial.methods import Method
from fairtrial.resampling import Split, derive_seed
from fairtrial.store import Packed, Record

__all__ = ["Bench", "failed", "perform"]

MOST_WARNINGS = 20
LONGEST_WARNING = 500


class Bench:
    """What trials of one data set and one method share, prepared once: encoder, frame, names of random states."""

    def __init__(self, dataset: Dataset, method: Method) -> None:
        self.dataset = dataset
        self.method = method
        self.inputs = method.fed_with()
        self.encoder = encoder_for(dataset) if self.inputs == "encoded" else None
        self.features: Any = dataset.frame() if self.inputs == "frame" else dataset.X
        self.classes = np.asarray(dataset.classes) if dataset.task == "classes" else None
        self.random_states = _open_random_states(method.estimator)

    def rows(self, which: NDArray[np.int32]) -> Any:
        return self.features.iloc[which] if self.inputs == "frame" else self.features[which]

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


def perform(key: bytes, bench: Bench, split: Split) -> Record:
    """Fit on the training rows, predict the test rows, and give what became of it; an error is a record too."""
    seen: Counter[str] = Counter()
    clock = _Clock()
    try:
        with _collected(seen), np.errstate():
            arrays = _fit_and_predict(key, bench, split, clock)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a method raises is a result of the trial
        return replace(failed(key, error), warnings=_most_common(seen))
    packed = {channel: Packed.of(array) for channel, array in arrays.items()}
    return Record(key, "ok", None, _most_common(seen), resources=clock.resources, arrays=packed)


def _fit_and_predict(key: bytes, bench: Bench, split: Split, clock: _Clock) -> dict[str, NDArray[Any]]:
    dataset, train = bench.dataset, split.train_rows()
    seed = derive_seed(key, "global")
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - for estimators that use the global generator
    estimator = bench.estimator(key)
    X_train, X_test, y_train = bench.rows(train), bench.rows(split.test), dataset.target[train]
    with clock("fit"):
        if bench.encoder is not None:
            encoder = bench.encoder.__class__(**bench.encoder.get_params(deep=False)).fit(X_train)
            X_train = encoder.transform(X_train)
        estimator.fit(X_train, y_train)
    with clock("predict"):
        if bench.encoder is not None:
            X_test = encoder.transform(X_test)
        predicted = estimator.predict(X_test)
    if bench.classes is None:
        return {"value": _values(predicted, split.n_test)}
    channels = _Channels(estimator, bench.classes, split.n_test)
    found: dict[str, NDArray[Any]] = {"label": channels.labels(predicted)}
    for channel, verb in (("probability", "predict_proba"), ("score", "decision_function")):
        if hasattr(estimator, verb):
            given = channels.matrix(verb, getattr(estimator, verb)(X_test))
            if given is not None:
                found[channel] = given
    return found


class _Clock:
    """Wall and CPU time of the named stretches."""

    def __init__(self) -> None:
        self.resources: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.resources[f"{name}_time"] = time.perf_counter() - wall
            self.resources[f"{name}_cpu"] = time.process_time() - cpu


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


def _values(predicted: Any, n: int) -> NDArray[np.float64]:
    values = np.asarray(predicted, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    _same_length("predict", values, n)
    if not np.isfinite(values).all():
        raise InputError(f"predict must give finite numbers, but {(~np.isfinite(values)).sum()} of {n} are not")
    return values


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
