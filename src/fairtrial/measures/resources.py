"""Measures of resources: time, memory and model size, from the records of trials, not from predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import channel_checks
from fairtrial.measures.fold_axis import FloatArray, ratio
from fairtrial.measures.predictions import Predictions, Task
from fairtrial.measures.registry import Entry, all_measures, examples, find_entry, measure
from fairtrial.words import listed

SIZES = ("n_train", "n_test")
"""The recorded numbers of instances that each trial trained on and predicted."""

MEGABYTE = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """The records of trials: columns by name with one value per trial, nan where nothing was recorded."""

    needs: ClassVar[tuple[str, ...]] = ()
    task: ClassVar[Task] = "any"

    columns: Mapping[str, FloatArray]

    @classmethod
    def read(cls, recorded: ArrayLike, *, instances: ArrayLike | None = None) -> Self:
        """Check one recorded amount per trial, of the resource that the measure is about.

        ``instances``: the number that each trial trained on or predicted, for measures per 1,000 instances.
        """
        channel_checks.one_length({"recorded": recorded, "instances": instances})
        amounts = channel_checks.numbers("recorded", recorded)
        if amounts.ndim != 1:
            raise InputError(f"recorded must be one number per trial, got an array of shape {amounts.shape}")
        if (amounts < 0).any():
            raise InputError(f"recorded must not be negative, but {channel_checks.rows(amounts < 0)}")
        columns = dict.fromkeys(_resources(), amounts)
        if instances is not None:
            columns |= dict.fromkeys(SIZES, _at_least_one(channel_checks.numbers("instances", instances)))
        return cls(columns)

    @classmethod
    def of(cls, records: Mapping[str, ArrayLike]) -> Self:
        """Check the columns of many trials; missing columns are nan."""
        channel_checks.check_kind("records", records, Mapping, "a mapping from names to columns")
        if not records:
            raise InputError("records must have at least one column, such as 'fit_time', got none")
        channel_checks.one_length(records)
        given = {name: _column(name, column) for name, column in records.items()}
        nothing = np.full(len(next(iter(given.values()))), np.nan)
        return cls(dict.fromkeys((*_resources(), *SIZES), nothing) | given)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Refuse predictions: resources are recorded, not computed."""
        raise InputError(
            "a resource is recorded with its trial and can't be computed from predictions "
            f"({listed(sorted(predictions.channels))}); leave it out and read the records of the trials"
        )

    def column(self, name: str) -> FloatArray:
        """The column of that name: seconds (``fit_time`` …), bytes (``peak_memory`` …) or instances (``n_test`` …)."""
        if name in self.columns:
            return self.columns[name]
        if name in SIZES:
            raise InputError("instances must be the number of instances of each trial, got None; give instances=[…]")
        raise UnknownName.among("column of the record", name, self.columns)

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: one per trial."""
        return values


def _column(name: str, values: ArrayLike) -> FloatArray:
    """One number per trial, nan where nothing was recorded."""
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise InputError(f"the record {name!r} must hold one number per trial (or nan), but {error}") from None


def from_records(names: Iterable[str], records: Mapping[str, ArrayLike]) -> dict[str, FloatArray]:
    """Compute measures of resources for each trial, from the columns of their records.

    Where a column is missing or nan, the measures that need it are nan.

    >>> from_records(
    ...     ["predict_time", "predict_time_per_1000", "model_size"],
    ...     {"predict_time": [0.2, 0.6], "n_test": [50, 400]},
    ... )
    {'predict_time': array([0.2, 0.6]), 'predict_time_per_1000': array([4. , 1.5]), 'model_size': array([nan, nan])}
    """
    entries = {name: _of_records(find_entry(name)) for name in channel_checks.list_of("names", names, "measures")}
    if not entries:
        return {}
    columns = Records.of(records)
    return {name: found.of_shared(columns) for name, found in entries.items()}


def _resources() -> tuple[str, ...]:
    """The resources recorded for a trial, in seconds or bytes; each has a measure of the same name."""
    return tuple(m.name for m in all_measures() if m.from_trials)


def _of_records(found: Entry) -> Entry:
    if not found.facts.from_trials:
        raise InputError(f"{found.facts.name} is computed from predictions, not from records; use compute")
    return found


def _per_1000(amounts: FloatArray, instances: FloatArray) -> FloatArray:
    return ratio(amounts, instances / 1000)


def _at_least_one(instances: FloatArray) -> FloatArray:
    if (instances < 1).any():
        raise InputError(f"instances must be at least 1, but {channel_checks.rows(instances < 1)} less")
    return instances


@measure(
    "Time to fit",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="s",
    undefined="no time was recorded: the trial failed",
    use_when="training is repeated often, or has a time budget",
    beware="the machine was busy, or trials ran in parallel",
)
def fit_time(r: Records) -> FloatArray:
    r"""Wall-clock seconds to fit, mean over trials.

    .. math:: \bar t = \frac1m \sum_{j=1}^m t_j

    Across data sets, times are compared by ratios. Undefined (nan) for a trial that failed. A trial that exceeds
    its time limit is recorded with the limit.

    >>> fit_time([1.0, 2.0, 6.0])
    3.0
    """
    return r.column("fit_time")


@measure(
    "CPU time to fit",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="s",
    undefined="no time was recorded: the trial failed",
    use_when="computing time is paid for, or trials ran in parallel: waiting does not count",
    beware="a method works in other processes or on a GPU, which is not counted",
)
def fit_cpu(r: Records) -> FloatArray:
    r"""CPU seconds to fit, summed over all threads of the process, mean over trials.

    .. math:: \bar t = \frac1m \sum_{j=1}^m t_j

    It exceeds the wall-clock time if several threads work, and is below it if the process waits. Undefined (nan) for a
    trial that failed.

    >>> fit_cpu([1.5, 1.5, 6.0])
    3.0
    """
    return r.column("fit_cpu")


@measure(
    "Time to fit per 1,000 instances",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="s",
    undefined="no time was recorded: the trial failed",
    use_when="training sets differ in size, and the time is about proportional to the size",
    beware="the time is not proportional: a method of quadratic time then looks slow on large data only",
)
def fit_time_per_1000(r: Records) -> FloatArray:
    r"""Wall-clock seconds to fit for each 1,000 training instances, mean over trials.

    .. math:: \frac1m \sum_{j=1}^m \frac{1000 \, t_j}{n_j}

    Undefined (nan) for a trial that failed. A trial that exceeds its time limit is recorded with the limit.

    >>> fit_time_per_1000([0.5, 6.0], instances=[250, 1500])  # (2 + 4) / 2
    3.0
    """
    return _per_1000(r.column("fit_time"), r.column("n_train"))


@measure(
    "Time to predict",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="s",
    undefined="no time was recorded: the trial failed",
    use_when="predictions are made often, or someone waits for them",
    beware="test sets differ in size, or are so small that the call itself takes most of the time",
)
def predict_time(r: Records) -> FloatArray:
    r"""Wall-clock seconds to predict the test set, mean over trials.

    .. math:: \bar t = \frac1m \sum_{j=1}^m t_j

    Only ``predict`` is timed, not the prediction of probabilities, scores and standard deviations.
    Across data sets, times are compared by ratios. Undefined (nan) for a trial that failed.

    >>> predict_time([0.01, 0.02, 0.06])
    0.03
    """
    return r.column("predict_time")


@measure(
    "CPU time to predict",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="s",
    undefined="no time was recorded: the trial failed",
    use_when="computing time is paid for, or trials ran in parallel: waiting does not count",
    beware="test sets differ in size, or a method works in other processes or on a GPU, which is not counted",
)
def predict_cpu(r: Records) -> FloatArray:
    r"""CPU seconds to predict the test set, summed over all threads of the process, mean over trials.

    .. math:: \bar t = \frac1m \sum_{j=1}^m t_j

    Undefined (nan) for a trial that failed.

    >>> predict_cpu([0.01, 0.02, 0.06])
    0.03
    """
    return r.column("predict_cpu")


@measure(
    "Time to predict per 1,000 instances",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="s",
    undefined="no time was recorded: the trial failed",
    use_when="test sets differ in size, or predictions will be made in large batches",
    beware="test sets are small: the call itself takes most of the time, and one prediction as long as all",
)
def predict_time_per_1000(r: Records) -> FloatArray:
    r"""Wall-clock seconds to predict 1,000 instances, mean over trials.

    .. math:: \frac1m \sum_{j=1}^m \frac{1000 \, t_j}{n_j}

    Undefined (nan) for a trial that failed.

    >>> predict_time_per_1000([0.2, 0.6], instances=[50, 400])  # (4 + 1.5) / 2, not 1000 · 0.8 / 450
    2.75
    """
    return _per_1000(r.column("predict_time"), r.column("n_test"))


@measure(
    "Peak memory",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="MB",
    undefined="no memory was recorded: the trial failed, or the system (other than Linux) does not report it",
    use_when="methods must fit into the memory of a machine, and need at least some megabytes",
    beware="it is small: reused memory of earlier trials is not counted, nor is that of a GPU",
)
def peak_memory(r: Records) -> FloatArray:
    r"""Increase of the process's memory during fitting and predicting, in MB (10⁶ bytes), mean over trials.

    .. math:: \frac1m \sum_{j=1}^m \frac{h_j - r_j}{10^6}

    with the resident bytes :math:`r_j` before the fit, and their high-water mark :math:`h_j` after the prediction; the
    mark is reset before each fit. It costs almost no time and is a *lower bound*: a worker reuses memory of earlier
    fits, so that small models can show 0, and processes that a method starts are not counted. With the study's
    ``memory="exact"`` it is the largest number of bytes that this process had in use at one time, among those
    allocated since the fit began. Undefined (nan) for a trial that failed, and without ``memory="exact"`` on systems
    other than Linux. A trial that exceeds its memory limit is recorded with the limit.

    >>> peak_memory([12_000_000, 3_000_000, 0])  # recorded in bytes
    5.0
    """
    return r.column("peak_memory") / MEGABYTE


@measure(
    "Model size",
    of=Records,
    worst=np.inf,
    best=0.0,
    compare="log-ratio",
    unit="MB",
    undefined="no size was recorded: the study did not ask for it, the model can't be pickled, or the trial failed",
    use_when="models are stored, sent, or loaded onto small machines",
    beware="a model keeps its training data, or could be exported in a smaller form than a pickle",
)
def model_size(r: Records) -> FloatArray:
    r"""Size of the fitted model as a pickle, in MB (10⁶ bytes), mean over trials.

    .. math:: \frac1m \sum_{j=1}^m \frac{b_j}{10^6}

    Pickling a large model takes time, so the size is recorded only if the study's measures include it. Undefined (nan)
    for a trial that failed, and for a model that can't be pickled.

    >>> model_size([1_000_000, 500_000, 3_000_000])  # recorded in bytes
    1.5
    """
    return r.column("model_size") / MEGABYTE


__test__ = examples(__name__)
