"""Predictions of each method on one data set, as one class against all others; methods that did not run are named.

Confusion matrices, and maps of the contexts in which each method is cheapest, from what methods predicted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import FoldsOfCurves
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import (
    AverageRoc,
    Confusion,
    ConfusionMatrix,
    ContextMap,
    Predictions,
    RocCurve,
    RocPoint,
    average_roc,
    context_map,
    roc_curve,
    roc_point,
)
from fairtrial.results.absentees import Absentee, DidNotRun, absences, refuse_named
from fairtrial.results.failure_policy import left_out_notes
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.results.results import Results


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """The predictions of one method on a data set, as one class against all others."""

    method: str
    predictions: Predictions
    positive: int
    first_repeat: Callable[[], Predictions]
    instances: int

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """What a prediction counts: less than 1 where repeats predict instances again, so that counts are right."""
        n = len(self.predictions.truth)
        return np.full(n, self.instances / n) if n > self.instances else None

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        return np.asarray(self.predictions.truth == self.positive)

    @property
    def ranks(self) -> bool:
        """Whether there are numbers to rank instances by."""
        return bool({"score", "probability"} & set(self.predictions.channels))

    def scores(self) -> NDArray[np.float64]:
        """The numbers that rank the instances: scores where there are two classes, else the class's probabilities."""
        channels, several = self.predictions.channels, self.predictions.n_classes > 2
        first, second = ("probability", "score") if several else ("score", "probability")
        found: NDArray[np.float64] = channels[first if first in channels else second]
        if found.ndim == 2:
            return found[:, self.positive]
        return found if self.positive == self.predictions.focus else -found

    def point(self) -> RocPoint:
        """The point in ROC space of the predicted labels."""
        return roc_point(self.is_positive, self.predictions.channels["label"] == self.positive, weights=self.weights)

    def roc(self, folds: FoldsOfCurves) -> RocCurve | RocPoint | AverageRoc:
        """The ROC curve over all test sets; a point where there are only labels."""
        if not self.ranks:
            return self.point()
        if folds == "merged":
            return roc_curve(self.is_positive, self.scores(), weights=self.weights)
        return average_roc(self._per_fold(), folds)

    def merged_roc(self) -> RocCurve | RocPoint:
        """The ROC curve of all test sets as one ranking."""
        made = self.roc("merged")
        assert not isinstance(made, AverageRoc)
        return made

    def _per_fold(self) -> list[RocCurve]:
        """The curves of the test sets that have both classes."""
        index = self.predictions.folds.index
        parts = [np.arange(len(self.is_positive))] if index is None else _members(index)
        both = [rows for rows in parts if 0 < self.is_positive[rows].sum() < len(rows)]
        if not both:
            raise InputError(
                f"no test set of {self.method!r} has both classes, so there is nothing to average; say folds='merged'"
            )
        return [roc_curve(self.is_positive[rows], self.scores()[rows]) for rows in both]


def _members(index: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    order = np.argsort(index, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(index[order])) + 1)


def tested_on(
    results: Results, dataset: str | None, methods: Sequence[str] | None, positive: object
) -> tuple[list[Tested], tuple[str, ...]]:
    """Predictions of each method on the data set, with one class as the positive one, and notes on what is left out."""
    name = one_dataset(results, dataset)
    facts = results.datasets[name]
    code = positive_class(name, facts, positive)
    known = results.method_names()
    for method in methods or ():
        if method not in known:
            raise UnknownName.among("method of these results", method, known)
    absent = absent_from(results, name)
    refuse_named(absent, methods or ())
    begun = set(results.scores.loc[results.scores["dataset"] == name, "method"])
    own = [m for m in known if m not in results.yardsticks]
    gone = {m: str(absent.get(m, f"{m} has not been run on {name} yet")) for m in own if m in absent or m not in begun}
    wanted = methods or [m for m in own if m not in gone]
    if not wanted:
        raise DidNotRun(f"no method has predictions on {name}: {listed(list(gone.values()))}")
    notes = left_out_notes(results, name, wanted, () if methods else gone.values())
    n = int(facts["n"])
    tested = [Tested(m, results.predicted(name, m), code, partial(results.predicted, name, m, 0), n) for m in wanted]
    return tested, notes


def absent_from(results: Results, dataset: str) -> dict[str, Absentee]:
    """The methods that did not run on a data set, by name."""
    return {a.method: a for a in absences(results).on.get(dataset, ())}


def one_dataset(results: Results, dataset: str | None) -> str:
    """The only data set, or the one that is named; refused where there are several and none is named."""
    if results.source is None:
        raise InputError("these results are scores without predictions, and curves need predictions")
    names = results.dataset_names()
    if dataset is None and len(names) == 1:
        return names[0]
    if dataset is None:
        raise InputError(f"one data set must be named (dataset=…), since there are {len(names)}: {listed(names)}")
    if dataset not in names:
        raise UnknownName.among("data set of these results", dataset, names)
    return dataset


def positive_class(name: str, facts: Any, positive: object) -> int:
    """The number of the positive class of a data set: the one that is named, or the one that its facts give."""
    classes = [str(c) for c in facts["classes"]]
    if not classes:
        raise InputError(f"curves are for classes, but the target of {name!r} is a number")
    if positive is not None:
        if str(positive) not in classes:
            raise UnknownName.among(f"class of {name!r}", str(positive), classes)
        return classes.index(str(positive))
    if facts["positive"] is not None:
        return int(facts["positive"])
    if len(classes) == 2:
        return 1
    raise InputError(
        f"{name!r} has {len(classes)} classes: name the positive one, against all others (positive={classes[0]!r})"
    )


def confusion_of(results: Results, method: str, dataset: str | None = None) -> ConfusionMatrix:
    """The confusion matrix of a method, over all its test sets."""
    name = one_dataset(results, dataset)
    facts = results.datasets[name]
    refuse_named(absent_from(results, name), [method])
    predictions = results.predicted(name, method)
    if "label" not in predictions.channels or not facts["classes"]:
        raise InputError(f"a confusion matrix needs predicted classes, which {method!r} on {name!r} has not")
    counted = predictions.with_folds(None).shared(Confusion)
    classes = tuple(facts["classes"])
    positive = None if facts["positive"] is None else classes[facts["positive"]]
    notes = left_out_notes(results, name, [method])
    counted_often = _counted_often(len(predictions.truth), int(facts["n"]))
    return ConfusionMatrix(counted.counts[0], classes, positive, counted.elsewhere[0], (*counted_often, *notes))


def _counted_often(predictions: int, instances: int) -> tuple[str, ...]:
    """A note that instances are counted several times, where repeats or replicates predict them again.

    >>> _counted_often(2400, 1200), _counted_often(150, 150)
    (('each of 1,200 instances counts twice, once for each time that it was predicted',), ())
    """
    if predictions <= instances:
        return ()
    times, rest = divmod(predictions, instances)
    if rest:
        return (f"{predictions:,} predictions of {instances:,} instances: some count more than once",)
    often = "twice" if times == 2 else f"{times} times"
    return (f"each of {instances:,} instances counts {often}, once for each time that it was predicted",)


def contexts_of(
    results: Results, dataset: str | None = None, *, thresholds: Literal["as predicted", "best"] = "as predicted"
) -> ContextMap:
    """The map of the method that is cheapest for each class balance and cost ratio.

    ``"as predicted"`` evaluates the predicted labels; ``"best"`` lets each method use its best threshold in each
    context.
    """
    if thresholds not in ("as predicted", "best"):
        raise InputError(f"thresholds must be 'as predicted' or 'best', got {thresholds!r}")
    tested, notes = tested_on(results, dataset, None, None)
    if tested[0].predictions.n_classes != 2:
        raise InputError("a map of contexts is for two classes, since the balance of more is not a single number")
    if thresholds == "best":
        return replace(context_map({t.method: t.merged_roc() for t in tested}), notes=notes)
    able = [t for t in tested if "label" in t.predictions.channels]
    if not able:
        raise InputError("no method gives labels; say thresholds='best' to let each choose its threshold")
    return replace(context_map({t.method: t.point() for t in able}), notes=notes)
