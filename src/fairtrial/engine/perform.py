"""One function that performs one trial: clone, fit, predict, in this process.

Inner splits, which the engine makes for a method that tunes itself, or its threshold.

Details that a fitted method reports about itself, such as tuned parameters, checked before they are stored.

Scores of a trial on the rows that it learned from, taken when all else of the trial is done.
"""

from __future__ import annotations

import copy
import functools
import json
import math
import pickle
import random
import re
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.data.encode import encoder_for
from fairtrial.design import FACTORS, Training, method_at, narrowed, of_methods, varied
from fairtrial.engine.gauges import Gauges, threads_for
from fairtrial.engine.isolation.library_patches import classes_of
from fairtrial.engine.supplies import Conditions
from fairtrial.errors import FairtrialError
from fairtrial.measures import Predictions, computable, compute_on, get, is_known
from fairtrial.methods import Method
from fairtrial.methods.channels import channels_of, gives_std
from fairtrial.methods.decision_rules import INNER, rule_of, with_decisions
from fairtrial.methods.label_codes import code_labels
from fairtrial.methods.tuning import InnerSplits, Rows, as_inner, inner_splits, reachable
from fairtrial.resampling import Split, derive_seed, generator
from fairtrial.store import Packed, Record
from fairtrial.store.checks.json import depth_of
from fairtrial.store.records import ADVICE
from fairtrial.words import error_line

if TYPE_CHECKING:
    from fairtrial.methods.tuning.estimator import Tuned


MOST_ROWS = 1000
"""The number of training rows that are predicted at most: their score has a standard error of about 0.01."""

WAYS = 3  # labels, probabilities and scores: predicting in all ways takes about as often as long as the labels alone
SAFE = 0.8  # of the time limit, which a trial with training scores is expected to keep


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A fitted estimator with its encoder, its predictions of the test rows, and what it reports of itself."""

    estimator: Any
    encoder: Any
    arrays: dict[str, NDArray[Any]]
    details: Mapping[str, Any]


def training_scores(
    key: bytes,
    bench: Bench,
    training: Training,
    fitted: Fitted,
    spent: Mapping[str, float],
    conditions: Conditions,
) -> dict[str, float]:
    """The measures of a study on at most 1,000 of the rows that a trial learned from, with the target it was given.

    They are taken after the predictions of the test rows and after all times, so that these are the same without them.
    A measure that can't be computed, or is not finite, is left out. A method that can't predict its training rows, or
    would exceed the time limit by it, has none: its trial does not fail.
    """
    names = [name for name in conditions.training_measures if is_known(name) and not get(name).from_trials]
    if not names or _takes_too_long(len(training.rows), len(next(iter(fitted.arrays.values()))), spent, conditions):
        return {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return dict(_scores(names, _predicted(key, names, bench, training, fitted)))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - whatever a method raises here, its trial has been done
        return {}


def _takes_too_long(rows: int, tested: int, spent: Mapping[str, float], conditions: Conditions) -> bool:
    """Whether predicting training rows is expected to bring a trial near its time limit."""
    if conditions.seconds is None:
        return False
    each = spent.get("predict_time", spent["fit_time"]) / max(1, tested)
    expected = spent["fit_time"] + WAYS * each * (tested + min(rows, MOST_ROWS))
    return expected > SAFE * conditions.seconds


def _predicted(key: bytes, names: list[str], bench: Bench, training: Training, fitted: Fitted) -> Predictions:
    """The predictions of some training rows, with the target that was learned from."""
    some = _sample(key, training)
    X = bench.learned_from(some)
    if fitted.encoder is not None:
        X = fitted.encoder.transform(X)
    wanted = frozenset[str]().union(*(get(name).reads for name in names))
    labels = fitted.estimator.predict(X) if bench.classes is None or "label" in wanted else None
    channels = channels_of(fitted.estimator, X, labels, bench.classes, gives_std=bench.gives_std, wanted=wanted)
    if bench.classes is None:
        return Predictions.checked(some.target, channels, n_classes=0)
    data = bench.dataset
    positive = None if data.positive is None else data.classes.index(data.positive)
    if "score" in channels and channels["score"].ndim == 1 and positive == 0:
        channels["score"] = -channels["score"]  # a single column is for the second class
    return Predictions.checked(some.codes, channels, n_classes=len(bench.classes), positive=positive)


def _sample(key: bytes, training: Training) -> Training:
    if len(training.rows) <= MOST_ROWS:
        return training
    drawn = generator(key, "training rows").permutation(len(training.rows))[:MOST_ROWS]
    return training.kept(np.sort(drawn))


def _scores(names: list[str], predictions: Predictions) -> Iterator[tuple[str, float]]:
    for name in computable(names, predictions.channels):
        try:
            value = float(compute_on(predictions, [name])[name][0])
        except Exception:  # noqa: BLE001 - a measure that refuses these predictions, or one of the user's own
            continue
        if math.isfinite(value):
            yield name, value


def goes_forward(training: Training, split: Split) -> bool:
    """Whether all training rows are earlier than the test rows, so that inner splits go forward in time too."""
    order = training.dataset.order
    return order is not None and bool(order[training.rows].max() < order[split.test].min())


def fit_options(found: tuple[str, Tuned], training: Training, *seeds: object, forward: bool) -> dict[str, Any]:
    """Inner splits for a method that tunes itself, found by :func:`~fairtrial.methods.tuning.reachable`."""
    prefix, tuned = found
    return {f"{prefix}splits": _splits(tuned.inner, training, *seeds, forward=forward)}


def decision_options(
    found: tuple[str, Tuned] | None, training: Training, *seeds: object, forward: bool
) -> dict[str, Any]:
    """Inner splits for a method that tunes its threshold: those of a search inside it, if there is one."""
    scheme = INNER if found is None else found[1].inner
    return {"decision_splits": _splits(scheme, training, *seeds, forward=forward)}


def _splits(scheme: Any, training: Training, *seeds: object, forward: bool) -> InnerSplits:
    """Inner splits, which depend on the data set and the seeds, never on the method; they keep groups whole."""
    dataset = training.dataset
    rows = Rows.of(dataset, training.rows, training.target)
    made = inner_splits(as_inner(scheme), rows, derive_seed(*seeds, "inner"), forward=forward)
    return replace(made, classes=dataset.classes, positive=dataset.positive)


MOST_DETAILS = 2**20
"""The largest number of bytes, as JSON, that a trial keeps of these details."""
DEEPEST = 100  # nested mappings and lists: a worker can't send deeper ones
HALF_A_PAIR = re.compile("[\ud800-\udfff]")  # half a surrogate pair, which no database takes


def details_of(estimator: Any) -> Mapping[str, Any]:
    """The mapping that ``fairtrial_details()`` of a fitted method, or of the last step of a pipeline, returns.

    JSON must be able to hold it, in at most 1 MiB; keys become text. A mapping that breaks these rules, or an error, is
    left out with a warning of the trial: the predictions are good all the same.
    """
    while hasattr(estimator, "steps") and not hasattr(estimator, "fairtrial_details"):
        estimator = estimator.steps[-1][1]
    if not hasattr(estimator, "fairtrial_details"):
        return {}
    try:
        given = estimator.fairtrial_details()
        if not isinstance(given, Mapping):
            raise TypeError(f"it must be a mapping, got {type(given).__name__}")
        text = HALF_A_PAIR.sub("\ufffd", json.dumps(dict(given), allow_nan=False, ensure_ascii=False))
        if (size := len(text.encode())) > MOST_DETAILS:
            raise ValueError(f"it must have at most {MOST_DETAILS} bytes as JSON, got {size}")
        plain: Mapping[str, Any] = json.loads(text, object_pairs_hook=_each_key_once)
        if depth_of(plain) > DEEPEST:
            raise ValueError(f"it must not be nested deeper than {DEEPEST}")
    except Exception as error:  # noqa: BLE001 - the method's own code may raise anything
        warnings.warn(f"what fairtrial_details() tells is left out: {error_line(error)}", stacklevel=2)
        return {}
    return plain


def _each_key_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse keys that are the same as text: JSON would keep only one of 1 and "1"."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"its keys must differ as text, but {twice!r} is there twice")
    return found


MOST_SETTINGS = 500  # of a method whose benches are kept at a time
LARGEST_PICKLE = 100_000  # bytes of an estimator that is copied by pickling
MOST_WARNINGS = 20
LONGEST_WARNING = 500
OF_LABELS = ("label", "classes", "string to float", "str_", "dtype('<U")  # what errors about labels speak of
NOTHING: Mapping[str, Any] = {}
STANDARD = Conditions()
_warm: set[frozenset[type]] = set()  # classes that were fitted here once, so that first imports are not traced


class Bench:
    """The things that trials of one data set and one method share: encoder, frame, names of random states.

    ``source`` identifies the data set with all its features.
    """

    def __init__(self, dataset: Dataset, method: Method, source: str | None = None) -> None:
        self.source = source or dataset.fingerprint
        self.dataset = dataset
        self.inputs = method.fed_with()
        encoder = encoder_for(dataset) if self.inputs == "encoded" else None
        self.encoder = None if encoder is None else _copier(encoder)
        self.features: Any = dataset.frame() if self.inputs == "frame" else dataset.X
        self.classes = np.asarray(dataset.classes) if dataset.task == "classes" else None
        self._narrow: dict[int, Bench] = {}
        self._settings: dict[tuple[object, ...], Bench] = {}
        self._take(method)

    def _take(self, method: Method, *, jobs: bool = False) -> None:
        """Prepare what depends on the estimator. It uses one job, unless ``jobs`` or the method's threads ask for more.

        Forests add up the probabilities of their trees in the order in which threads end.
        """
        jobs = jobs or method.threads
        self.method = method
        self.random_states = _open_random_states(method.estimator)
        self.tuned = reachable(method.estimator)
        self.decides = rule_of(method, self.dataset)
        self._fresh = _copier(method.estimator if jobs else _with_one_job(method.estimator))
        self.codes = self.classes is not None and method.given_codes()
        self.gives_std = self.classes is None and gives_std(method.estimator)

    def at(self, levels: Mapping[str, Any], conditions: Conditions) -> Bench:
        """The bench for a trial's levels: another one if a factor leaves out features or sets parameters."""
        dataset, bench = narrowed(self.dataset, conditions.factors, levels, conditions.seed), self
        if dataset is not self.dataset:
            if dataset.p not in self._narrow:
                self._narrow[dataset.p] = Bench(dataset, self.method, self.source)
            bench = self._narrow[dataset.p]
        return bench._set_to(levels, conditions)

    def _set_to(self, levels: Mapping[str, Any], conditions: Conditions) -> Bench:
        """The bench of the method with its parameters at the levels of a trial."""
        own = tuple((f.name, levels[f.name]) for f in of_methods(conditions.factors) if f.name in levels)
        if not own:
            return self
        place = tuple((name, type(level), level) for name, level in own)
        if place not in self._settings:
            while len(self._settings) >= MOST_SETTINGS:
                del self._settings[next(iter(self._settings))]
            method = method_at(self.method, conditions.factors, dict(own))
            same = method.fed_with() == self.inputs  # and so are features and encoder
            made = copy.copy(self) if same else Bench(self.dataset, method, self.source)
            made._take(method, jobs=any(f.of.endswith("n_jobs") for f in of_methods(conditions.factors)))
            self._settings[place] = made
        return self._settings[place]

    def fit_options(self, training: Training, *seeds: object, forward: bool) -> Mapping[str, Any]:
        """What ``fit`` is given beside the rows: inner splits, if parameters or a threshold are tuned."""
        found, tunes_threshold = self.tuned, self.decides is not None and self.decides.by == "tuned"
        options = fit_options(found, training, *seeds, forward=forward) if found else {}
        return options | (decision_options(found, training, *seeds, forward=forward) if tunes_threshold else {})

    def rows(self, which: NDArray[np.int32]) -> Any:
        return self.features.iloc[which] if self.inputs == "frame" else self.features[which]

    def learned_from(self, training: Training) -> Any:
        """The features of the training data."""
        rows, donors = self.rows(training.rows), training.donors
        if donors is None:
            return rows
        if self.inputs != "frame":
            return self.features[donors, np.arange(donors.shape[1])]
        mixed = {c: self.features[c].array.take(donors[:, j]) for j, c in enumerate(self.features.columns)}
        return type(rows)(mixed, index=rows.index)

    def estimator(self, key: bytes) -> Any:
        """A fresh estimator, in which each random state that was left open has a seed of this trial."""
        made = self._fresh()
        for name in self.random_states:
            if "__" in name:
                made.set_params(**{name: derive_seed(key, name)})
            else:
                setattr(made, name, derive_seed(key, name))  # set_params would search through signatures
        if self.codes and self.classes is not None:
            made = code_labels(made, self.classes)
        return made if self.decides is None else with_decisions(made, self.decides)


def _copier(estimator: Any) -> Callable[[], Any]:
    """A function that makes fresh copies of an estimator.

    A small estimator is cloned once and pickled, and each copy is unpickled: that is several times as quick as
    ``clone``, which reads the signatures of all parts each time. A large one is cloned, since clones may share parts.
    """
    from sklearn.base import clone

    try:
        pickled = pickle.dumps(clone(estimator, safe=False), protocol=5)
        pickle.loads(pickled)
    except Exception:  # noqa: BLE001 - the estimator's own code; cloning it in a trial shows the error
        pickled = b""
    if 0 < len(pickled) <= LARGEST_PICKLE:
        return functools.partial(pickle.loads, pickled)
    return functools.partial(clone, estimator, safe=False)


def _parameters(estimator: Any, named: str) -> dict[str, Any]:
    """The parameters of that name, of the estimator and all its parts, with their values."""
    if not hasattr(estimator, "get_params"):
        return {}
    return {n: v for n, v in sorted(estimator.get_params(deep=True).items()) if n.split("__")[-1] == named}


def _open_random_states(estimator: Any) -> tuple[str, ...]:
    return tuple(n for n, v in _parameters(estimator, "random_state").items() if v is None)


def _with_one_job(estimator: Any) -> Any:
    """The estimator, or one like it in which each ``n_jobs`` that was set is 1."""
    from sklearn.base import clone

    several = {name: 1 for name, n in _parameters(estimator, "n_jobs").items() if n is not None and n != 1}
    return clone(estimator, safe=False).set_params(**several) if several else estimator


def perform(
    key: bytes, bench: Bench, split: Split, levels: Mapping[str, Any] = NOTHING, conditions: Conditions = STANDARD
) -> Record:
    """Fit on the training rows, predict the test rows and return the record; an error makes a failed record."""
    seen: Counter[str] = Counter()
    gauges = Gauges(conditions.extra, exact=conditions.exact_memory)
    begun = time.time()
    try:
        with _collected(seen), np.errstate(), threads_for(bench.method.threads):
            if levels:
                bench = bench.at(levels, conditions)
            factors = conditions.factors if levels else ()
            training = varied(bench.dataset, split, factors, levels, conditions.seed, bench.source)
            seeds, forward = (conditions.seed, bench.source, split.digest()), goes_forward(training, split)
            options = bench.fit_options(training, *seeds, forward=forward)
            fitted = _fit_and_predict(key, bench, training, split, options, gauges)
            scores = training_scores(key, bench, training, fitted, gauges.readings, conditions)
    except KeyboardInterrupt:
        raise  # by the user in this process; in a worker it counts as the method's
    except BaseException as error:  # noqa: BLE001 - whatever a method raises is a result of the trial
        return replace(failed(key, error, bench), warnings=_most_common(seen), begun=begun)
    packed = {channel: Packed.of(array) for channel, array in fitted.arrays.items()}
    n_train = len(training.rows) if any(name in FACTORS for name in levels) else None
    return Record(
        key,
        "ok",
        warnings=_most_common(seen),
        resources=gauges.readings,
        arrays=packed,
        begun=begun,
        n_train=n_train,
        details=fitted.details,
        training_scores=scores,
    )


def _fit_and_predict(
    key: bytes, bench: Bench, training: Training, split: Split, options: Mapping[str, Any], gauges: Gauges
) -> Fitted:
    if gauges.exact and (kinds := frozenset(classes_of(bench.method.estimator))) not in _warm:
        _warm.add(kinds)
        with suppress(Exception):  # the trial itself shows the error
            _fit_and_predict(key, bench, training, split, options, Gauges())
    seed = derive_seed(key, "global")
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - for estimators that use the global generator
    estimator = bench.estimator(key)
    encoder = None
    X_train, X_test, y_train = bench.learned_from(training), bench.rows(split.test), training.target
    with gauges.memory():
        gauges.start()
        if bench.encoder is not None:
            encoder = bench.encoder().fit(X_train)
            X_train = encoder.transform(X_train)
        estimator.fit(X_train, y_train, **options)
        in_one = getattr(estimator, "fairtrial_in_one", False)  # a function, which learns and predicts in one call
        if not in_one:
            gauges.lap("fit")
        if encoder is not None:
            X_test = encoder.transform(X_test)
        predicted = estimator.predict(X_test)
        gauges.lap("fit" if in_one else "predict")
    gauges.model(estimator)
    arrays = channels_of(estimator, X_test, predicted, bench.classes, gives_std=bench.gives_std)
    return Fitted(estimator, encoder, arrays, details_of(estimator))


@contextmanager
def _collected(seen: Counter[str]) -> Iterator[None]:
    """Count warnings instead of printing them."""

    def note(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
        text = f"{category.__name__}: {message}"
        seen[text if len(text) <= LONGEST_WARNING else text[:LONGEST_WARNING] + "…"] += 1

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = note
        yield


def _most_common(seen: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(seen.most_common(MOST_WARNINGS)) if seen else ()


def failed(key: bytes, error: BaseException, bench: Bench | None = None) -> Record:
    """The record of a trial that raised: the error in one line, advice on it if there is any, and the traceback."""
    try:
        trace = "".join(traceback.format_exception(error))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - the error's own code may raise anything
        trace = "(no traceback can be had)"
    line = error_line(error)
    advice = "" if bench is None or isinstance(error, FairtrialError) else _advice(line, bench)
    return Record(key, "failed", f"{line}\n{advice}{trace}")


def _advice(line: str, bench: Bench) -> str:
    """A remedy for code of one's own whose error speaks of labels: it may not take these as they are."""
    classes = [] if bench.classes is None else bench.classes.tolist()
    taken = bench.codes or classes == list(range(len(classes)))
    known = type(bench.method.estimator).__module__.startswith("sklearn.")
    words = (*OF_LABELS, *(repr(label) for label in classes if isinstance(label, str)))
    if taken or known or not any(word in line for word in words):
        return ""
    return f'{ADVICE}if {bench.method.name} takes the labels 0 … k−1 only, set labels="codes" for this method\n'
