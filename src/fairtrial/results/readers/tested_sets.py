"""Predictions that came in a table, from which any measure can be computed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.measures import Folds, Predictions, computable, compute_on, get
from fairtrial.measures.bulk import losses_on
from fairtrial.measures.fold_axis import numbered_kinds
from fairtrial.results.export import LongTable, kinds_of, no_study_file
from fairtrial.results.how_read import Remark
from fairtrial.results.prediction_source import COLUMNS, TrialRemarks, digest_of_rows
from fairtrial.words import listed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class TestedSet:
    """One data set: truth (class numbers or values), repeat and fold of each instance, and the predictions."""

    dataset: str
    truth: NDArray[Any]
    classes: tuple[str, ...]
    positive: int | None
    repeat: NDArray[np.int64]
    fold: NDArray[np.int64]
    cluster: NDArray[np.int64] | None
    channels: Mapping[str, Mapping[str, NDArray[Any]]]
    notes: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    _made: dict[tuple[str, bool], Predictions] = field(default_factory=dict, init=False, repr=False)

    @property
    def task(self) -> str:
        return "classes" if self.classes else "values"

    def facts(self) -> dict[str, Any]:
        n = len(self.truth)
        counts = np.bincount(self.truth, minlength=len(self.classes)).tolist() if self.classes else []
        return {
            "task": self.task,
            "classes": list(self.classes),
            "positive": self.positive,
            "n": n,
            "balance": [count / n for count in counts],
            "clusters": None if self.cluster is None else int(self.cluster.max() + 1),
            "cluster_sizes": None if self.cluster is None else np.bincount(self.cluster).tolist(),
        }

    def predictions(self, method: str, *, pooled: bool = False) -> Predictions:
        """The predictions of a method, which keep what was counted and sorted; the folds are the test sets."""
        if (method, pooled) not in self._made:
            folds = self.places(pooled=pooled)[1]
            self._made[method, pooled] = Predictions.checked(
                self.truth, self.channels[method], n_classes=len(self.classes), folds=folds, positive=self.positive
            )
        return self._made[method, pooled]

    def places(self, *, pooled: bool = False) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
        """The repeat and fold of each test set, and the number of the test set of each instance."""
        fold = np.zeros_like(self.fold) if pooled else self.fold
        width = int(fold.max()) + 1
        places, which = numbered_kinds(self.repeat * width + fold)
        return np.stack(np.divmod(places, width)), which

    def frame(self) -> pd.DataFrame:
        """All predictions, one row for each instance, with columns for each method."""
        import pandas as pd

        columns: dict[str, Any] = {"data set": self.dataset, "repeat": self.repeat, "fold": self.fold}
        columns["truth"] = _named(self, self.truth)
        for method, channels in self.channels.items():
            for channel, array in channels.items():
                parts = array.reshape(len(self.truth), -1).T
                values = [_named(self, part) if channel == "label" else part for part in parts]
                columns |= {json.dumps([method, channel, j]): part for j, part in enumerate(values)}
        return pd.DataFrame(columns)

    def able(self, measures: Sequence[str], method: str) -> tuple[str, ...]:
        """These measures, each of which must be computable from the predictions of a method."""
        channels = self.channels[method]
        able = computable(measures, channels)
        lacking = [m for m in measures if m not in able]
        if lacking:
            needs = " and ".join(get(lacking[0]).needs) or "records of the runs"
            raise InputError(f"{lacking[0]} needs {needs}, but {method!r} has only {listed(channels)}")
        return able


def _named(tested: TestedSet, numbers: NDArray[Any]) -> NDArray[Any]:
    """The names of classes for their numbers; values stay as they are."""
    return np.asarray([*tested.classes, None], dtype=object)[numbers] if tested.classes else numbers


@dataclass(frozen=True, slots=True, eq=False)
class PredictedSets:
    """The return value of every reader of predictions: data sets, the name of the source, has it folds, and notes.

    ``columns`` are the titles of each role, ``remarks`` what else was found out about the table.
    """

    sets: tuple[TestedSet, ...]
    source: str
    has_folds: bool = False
    notes: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, eq=False)
class TablePredictions:
    """Predictions that came in a table."""

    sets: tuple[TestedSet, ...]

    def datasets(self) -> set[str]:
        """The data sets that were tested."""
        return {s.dataset for s in self.sets}

    @property
    def trials(self) -> None:
        """None: how the predictions were made is not known."""
        return

    def trial_remarks(self) -> TrialRemarks:
        """Nothing: it is not known how the predictions were made."""
        return {}

    def warning_counts(self) -> dict[str, Counter[str]]:
        """Nothing: it is not known how the predictions were made."""
        return {}

    @cached_property
    def content(self) -> str:
        """A hash of all predictions, whatever the order of instances, methods and data sets."""
        return digest_of_rows(*(s.frame() for s in self.sets))

    def details(self) -> dict[int, Any]:
        """Nothing: it is not known how the predictions were made."""
        return {}

    def apparent(self) -> TablePredictions:
        """No predictions: a table has those of tested instances only."""
        return TablePredictions(())

    def copy_anonymously(self, path: str | Path) -> Path:  # noqa: ARG002 - there is nothing to be copied
        """Refused: there is no study file."""
        raise no_study_file()

    def by_setting(self) -> TablePredictions:
        """These predictions: a table of predictions has no factors."""
        return self

    def at(self, levels: Mapping[str, Any]) -> TablePredictions:
        """These predictions; levels are refused, since a table of predictions has no factors."""
        if levels:
            raise InputError(f"these predictions came without factors, got {dict(levels)}")
        return self

    def only(self, part: Mapping[str, Sequence[str]]) -> TablePredictions:
        """The predictions of some methods and data sets."""
        sets = [s for s in self.sets if s.dataset in part.get("dataset", (s.dataset,))]
        own = ({m: s.channels[m] for m in part.get("method", s.channels) if m in s.channels} for s in sets)
        return TablePredictions(tuple(replace(s, channels=c) for s, c in zip(sets, own, strict=True)))

    def scores(self, measures: Sequence[str]) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(list(self._rows(measures)), columns=list(COLUMNS))

    def _rows(self, measures: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for how in ("mean", "pooled"):
            asked = [m for m in measures if get(m).combine == how]
            for s in self.sets if asked else ():
                yield from self._scored(s, asked, pooled=how == "pooled")

    def _scored(self, s: TestedSet, measures: Sequence[str], *, pooled: bool) -> Iterator[tuple[Any, ...]]:
        places, folds = s.places(pooled=pooled)
        n_test = np.bincount(folds)
        for method in s.channels:
            for name, values in compute_on(s.predictions(method, pooled=pooled), s.able(measures, method)).items():
                for i, value in enumerate(values):
                    r, f = places[:, i]
                    yield (s.dataset, method, 0, int(r), int(f), name, float(value), np.nan, int(n_test[i]), "ok")

    def predictions(self, dataset: str, method: str, repeat: int | None = None) -> Predictions:
        """All that a method predicted on a data set, or in one repeat of it; folds are the test sets."""
        s = next(s for s in self.sets if s.dataset == dataset)
        made = s.predictions(method)
        if repeat is None:
            return made
        rows = np.flatnonzero(s.repeat == repeat)
        return made.subset(rows, Folds.of(np.unique(s.fold[rows], return_inverse=True)[1].reshape(-1), len(rows)))

    def losses(self, measure: str, dataset: str) -> pd.DataFrame:
        """The measure of each instance by itself, methods in columns; with clusters, a row for each cluster.

        The row of a cluster is the overall mean plus the deviation of the cluster's mean, in proportion to its size.
        The mean of these rows is the overall mean, and their spread is that of a ratio estimate over clusters.
        """
        import pandas as pd

        s = next(s for s in self.sets if s.dataset == dataset)
        losses = pd.DataFrame({m: self.losses_of(measure, dataset, m) for m in s.channels})
        if s.cluster is None:
            return losses
        deviations = (losses - losses.mean()).groupby(s.cluster).sum()
        return losses.mean() + deviations * len(deviations) / len(losses)

    def losses_of(self, measure: str, dataset: str, method: str) -> NDArray[np.float64]:
        """The measure of each instance by itself, for one method."""
        s = next(s for s in self.sets if s.dataset == dataset)
        return losses_on(s.predictions(method), *s.able([measure], method))

    def tested(self, dataset: str, method: str) -> pd.DataFrame | None:  # noqa: ARG002 - all have the same instances
        """The instance, repeat and fold of each row of the table."""
        import pandas as pd

        s = next(s for s in self.sets if s.dataset == dataset)
        return pd.DataFrame({"repeat": s.repeat, "fold": s.fold, "instance": np.arange(len(s.truth))})

    def frame(self) -> pd.DataFrame:
        """All predictions, one row for each method and instance."""
        import pandas as pd

        return pd.concat(self._frames(), ignore_index=True)

    def table(self) -> LongTable:
        """All predictions, to be written to a file."""
        whole = self.frame()
        return LongTable(kinds_of(whole, list(whole.columns)), lambda: [whole])

    def _frames(self) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for s in self.sets:
            for method, channels in s.channels.items():
                columns: dict[str, Any] = {
                    "dataset": s.dataset, "method": method, "repeat": s.repeat, "fold": s.fold,
                    "instance": np.arange(len(s.truth)), "truth": _named(s, s.truth),
                }  # fmt: skip
                for channel, array in channels.items():
                    if channel == "label":
                        columns["label"] = _named(s, array)
                    elif channel == "quantiles":
                        columns |= {f"q{q:.15g}": array[:, j] for j, q in enumerate(channels["levels"][0])}
                    elif array.ndim == 2:
                        columns |= {f"p_{c}": array[:, j] for j, c in enumerate(s.classes)}
                    else:
                        columns[channel] = array
                yield pd.DataFrame(columns)
