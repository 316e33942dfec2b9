"""The source of scores: the columns of tidy scores, and stored predictions, from which scores can be computed.

The digest of results: of a study file's content, of predictions, or of scores, whatever the order of rows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypedDict

from fairtrial.design import Level
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure, Predictions
from fairtrial.store import digest_of_lines
from fairtrial.words import listed

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from fairtrial.results.export import LongTable
    from fairtrial.results.results import Results


COLUMNS = (
    "dataset", "method", "replicate", "repeat", "fold", "measure", "value", "n_train", "n_test", "status",
)  # fmt: skip
"""The columns of tidy scores; those of factors stand after the method."""


class TrialRemarks(TypedDict, total=False):
    """Facts about the trials themselves: the fields of :class:`Results` with these names."""

    warnings: Mapping[str, int]
    outputs: Mapping[str, int]
    notes: tuple[str, ...]


class PredictionSource(Protocol):
    """Stored predictions, from which any measure can be computed after the run, and what is known of their trials.

    A table that was brought from elsewhere has no records of trials: its ``trials`` is None, and what would come from
    such records is empty.
    """

    @property
    def trials(self) -> pd.DataFrame | None:
        """One row for each trial, with its status and what it cost; None where trials are not known."""
        ...

    @property
    def content(self) -> str:
        """A hash of all predictions, whatever the order of their rows."""
        ...

    def scores(self, measures: Sequence[str]) -> pd.DataFrame:
        """The tidy scores by these measures."""
        ...

    def frame(self) -> pd.DataFrame:
        """All predictions, one row for each trial and instance."""
        ...

    def table(self) -> LongTable:
        """All predictions in parts, to be written to a file."""
        ...

    def predictions(self, dataset: str, method: str, repeat: int | None = None) -> Predictions:
        """All that a method predicted on a data set, or in one repeat of it; folds are the test sets."""
        ...

    def losses(self, measure: str, dataset: str) -> pd.DataFrame:
        """The measure of each tested instance by itself, methods in columns; with clusters, a row for each of them."""
        ...

    def losses_of(self, measure: str, dataset: str, method: str) -> NDArray[np.float64]:
        """The measure of each tested instance by itself, for one method, in the order of :meth:`tested`."""
        ...

    def tested(self, dataset: str, method: str) -> pd.DataFrame | None:
        """The instance, repeat and fold of each test; None unless all trials of the method went well."""
        ...

    def by_setting(self) -> Self:
        """The predictions with each setting of a method as a method of its own."""
        ...

    def at(self, levels: Mapping[str, Level]) -> Self:
        """The predictions of trials at some levels of the factors."""
        ...

    def only(self, part: Mapping[str, Sequence[str]]) -> Self:
        """The predictions of some methods (``method``) and data sets (``dataset``)."""
        ...

    def apparent(self) -> Self:
        """The predictions of instances that were learned from, where the resampling made them; else none."""
        ...

    def datasets(self) -> set[str]:
        """The data sets that there are, or will be, predictions on."""
        ...

    def trial_remarks(self) -> TrialRemarks:
        """Facts about the trials: how many warned or printed something, and notes."""
        ...

    def warning_counts(self) -> Mapping[str, Counter[str]]:
        """How often each warning was given, by method."""
        ...

    def details(self) -> Mapping[int, Mapping[str, Any]]:
        """The reports of methods on themselves, such as tuned parameters, by the number of the trial."""
        ...

    def copy_anonymously(self, path: str | Path) -> Path:
        """Write a copy of the study file that names no host, command or folder; refused where there is none."""
        ...


def stored_predictions(results: Results) -> PredictionSource:
    """The predictions of some results; refused where there are none."""
    if results.source is None:
        raise InputError("these results are scores without predictions, so nothing new can be computed from them")
    return results.source


def why_undefined(results: Results, facts: Measure, dataset: str, method: str) -> str:
    """The reason why a measure is undefined for a method: its predictions lack a channel, or what its facts say."""
    if results.source is None or facts.from_trials:
        return facts.undefined
    try:
        there = frozenset(results.source.predictions(dataset, method).channels)
    except InputError:  # all its trials failed
        return facts.undefined
    lacking = [name for name in facts.needs if name not in there]
    return facts.undefined if facts.can_use(there) else f"predictions of {method} have no {listed(lacking)}"


def predicted_by(results: Results, dataset: str, method: str, repeat: int | None) -> Predictions:
    """All predictions of a method on a data set, or in one repeat; refuses names that the results do not have."""
    source = stored_predictions(results)
    names = (("data set", dataset, results.dataset_names()), ("method", method, results.method_names()))
    for kind, name, known in names:
        if name not in known:
            raise UnknownName.among(f"{kind} of these results", name, known)
    repeats = results.scores.loc[results.scores["dataset"] == dataset, "repeat"]
    if repeat is not None and not (repeats == repeat).any():
        raise InputError(f"repeat must be one of {sorted(set(repeats))} on {dataset!r}, got {repeat!r}")
    return source.predictions(dataset, method, repeat)


def digest_of_results(results: Results) -> str:
    """A hash of the content that results come from: the study file, the predictions, or else the scores themselves."""
    return digest_of_rows(results.scores) if results.source is None else results.source.content


def digest_of_rows(*frames: pd.DataFrame) -> str:
    """A hash of the rows of frames; neither the order of rows nor that of columns changes it.

    >>> import pandas as pd
    >>> one = pd.DataFrame({"a": [1.5, 2.5], "b": ["x", "y"]})
    >>> digest_of_rows(one) == digest_of_rows(one[::-1]) == digest_of_rows(one[["b", "a"]])
    True
    >>> digest_of_rows(one) == digest_of_rows(one.assign(a=[1.5, 2.5000001]))
    False
    """
    return digest_of_lines([line for frame in frames for line in _lines(frame)])


def _lines(frame: pd.DataFrame) -> Iterator[str]:
    names = sorted(map(str, frame.columns))
    columns = [frame[name].tolist() for name in names]
    head = json.dumps(names)
    return (head + json.dumps(row, default=str) for row in zip(*columns, strict=True))
