"""The train-test gap: scores of methods on the rows that they learned from, beside those on test rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.results.prediction_source import COLUMNS
from fairtrial.store.checks.json import TRAINING_SCORES, read_json
from fairtrial.tables import Column, Shown, Table, formats

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results

PLACES = ("dataset", "method", "replicate", "repeat")


@dataclass(frozen=True, eq=False)
class TrainingGap(Shown):
    """Mean scores on training rows and on test rows.

    ``means`` has a row for each data set and method: ``dataset``, ``method``, ``training``, ``test``, and the number of
    ``trials`` with a training score.
    """

    measure: Measure
    means: pd.DataFrame

    def to_dict(self) -> dict[str, Any]:
        """The measure and all rows as plain data."""
        return {"measure": self.measure.name, "means": self.means.to_dict("records")}

    def to_table(self) -> Table:
        """A row for each data set and method; the gap is positive where the training rows have the better score."""
        bounded = math.isfinite(self.measure.best - self.measure.worst)
        write = formats.fixed(3) if bounded else formats.significant(4)
        names = ("training rows", "test rows", "gap")
        columns = (
            Column("data set", align="left"),
            Column("method", align="left"),
            *(Column(name, write) for name in names),
        )
        sign = 1.0 if self.measure.directed and self.measure.higher_is_better else -1.0
        means = self.means.assign(gap=sign * (self.means["training"] - self.means["test"])).drop(columns="trials")
        rows = tuple(means.itertuples(index=False, name=None))
        return Table(columns=columns, rows=rows, caption=f"{self.measure.name} on training and test rows")


def training_frame(results: Results) -> pd.DataFrame:
    """One row for each trial and measure that has a training score, with the columns of tidy scores; perhaps none."""
    import pandas as pd

    names = [*COLUMNS[:2], *results.factors, *COLUMNS[2:]]
    trials = None if results.source is None else results.source.trials
    if trials is None or "training_scores" not in trials:
        return pd.DataFrame(columns=names)
    done = trials[(trials["status"] == "ok") & trials["training_scores"].notna()].reset_index(drop=True)
    where = "the study" if results.path is None else results.path.name
    found = [read_json(text, TRAINING_SCORES, "training scores of trials", where) for text in done["training_scores"]]
    frame = done.take(np.repeat(np.arange(len(done)), [len(own) for own in found])).reset_index(drop=True)
    frame["measure"] = [name for own in found for name in own]
    frame["value"] = np.array([value for own in found for value in own.values()], dtype=float)
    return frame[names]


def mean_scores(results: Results, measure: Measure) -> pd.DataFrame:
    """The mean scores on training rows and on test rows of each data set and method; no rows without training scores.

    Each test score is paired with the training score of its own trial; a measure that is pooled over folds, with the
    mean of its repeat. Failed trials are left out, and so are scores that are undefined or infinite.
    """
    import pandas as pd

    places = [*PLACES, "fold"] if measure.combine == "mean" else list(PLACES)
    training = _defined(training_frame(results), measure)
    if training.empty:
        return pd.DataFrame(columns=["dataset", "method", "training", "test", "trials"])
    test = _defined(results.scores[results.scores["status"] == "ok"], measure)
    of_training = training.groupby(places, sort=False)["value"].agg(training="mean", trials="size")
    pairs = test.groupby(places, sort=False)["value"].mean().rename("test").to_frame()
    pairs = pairs.join(of_training, how="inner").reset_index()
    means = pairs.groupby(["dataset", "method"], sort=False)
    return means.agg(training=("training", "mean"), test=("test", "mean"), trials=("trials", "sum")).reset_index()


def _defined(scores: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """The rows of a measure that are finite numbers."""
    own = scores[scores["measure"] == measure.name]
    return own[np.isfinite(own["value"].to_numpy(dtype=float))]


def training_gap(results: Results, measure: str | None = None) -> TrainingGap:
    """The mean scores on training rows and test rows by a measure of the study; None means the question's measure."""
    facts = results.measure(measure)
    means = mean_scores(results, facts)
    if not len(means):
        raise InputError(
            f"there is no {facts.name} on training rows in these results; run the study with training_scores=True, "
            f"and with {facts.name!r} among its measures, into a new file"
        )
    return TrainingGap(facts, means)
