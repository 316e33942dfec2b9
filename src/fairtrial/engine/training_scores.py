"""Scores of a trial on the rows that it learned from, taken when all else of the trial is done."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.measures import Predictions, computable, compute_on, get, is_known
from fairtrial.methods.channels import channels_of
from fairtrial.resampling import generator

if TYPE_CHECKING:
    from fairtrial.design import Training
    from fairtrial.engine.perform import Bench
    from fairtrial.engine.supplies import Conditions

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
