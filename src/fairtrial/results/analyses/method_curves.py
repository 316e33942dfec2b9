"""What methods did on one data set, beyond one number: curves, confusion matrices, maps of contexts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import (
    AverageRoc,
    Confusion,
    ConfusionMatrix,
    ContextMap,
    CostCurve,
    PrecisionRecallCurve,
    Predictions,
    ReliabilityCurve,
    RocCurve,
    RocPoint,
    average_roc,
    context_map,
    cost_curve,
    precision_recall_curve,
    reliability_curve,
    roc_curve,
    roc_point,
)
from fairtrial.results.absentees import Absentee, DidNotRun, absences, listed, refuse_named
from fairtrial.results.failure_policy import say_left_out

if TYPE_CHECKING:
    from fairtrial.results.results import Results

__all__ = ["CURVES", "AnyCurve", "FoldsOfCurves", "Tested", "absent_from", "confusion_of", "contexts_of", "curves_of"]

FoldsOfCurves: TypeAlias = Literal["merged", "vertical", "horizontal", "threshold"]
AnyCurve: TypeAlias = RocCurve | RocPoint | AverageRoc | PrecisionRecallCurve | CostCurve | ReliabilityCurve


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """What one method predicted on a data set, as one class against the rest."""

    method: str
    predictions: Predictions
    positive: int
    first_repeat: Callable[[], Predictions]

    @property
    def is_positive(self) -> NDArray[np.bool_]:
        return np.asarray(self.predictions.truth == self.positive)

    @property
    def ranks(self) -> bool:
        """Are there numbers to rank by?"""
        return bool({"score", "probability"} & set(self.predictions.channels))

    def scores(self) -> NDArray[np.float64]:
        """What ranks the instances: the score where there are two classes, else the class's probability."""
        channels, several = self.predictions.channels, self.predictions.n_classes > 2
        first, second = ("probability", "score") if several else ("score", "probability")
        found: NDArray[np.float64] = channels[first if first in channels else second]
        if found.ndim == 2:
            return found[:, self.positive]
        return found if self.positive == self.predictions.focus else -found

    def roc(self, folds: FoldsOfCurves) -> RocCurve | RocPoint | AverageRoc:
        """Its ROC curve over all test sets; a point where there are only labels."""
        if not self.ranks:
            return roc_point(self.is_positive, self.predictions.channels["label"] == self.positive)
        if folds == "merged":
            return roc_curve(self.is_positive, self.scores())
        return average_roc(self._per_fold(), folds)

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


def _roc(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    return tested.roc(folds)


def _merged_roc(tested: Tested, folds: FoldsOfCurves) -> RocCurve | RocPoint:
    _only_merged(folds)
    made = tested.roc("merged")
    assert not isinstance(made, AverageRoc)
    return made


def _precision_recall(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    _only_merged(folds)
    return precision_recall_curve(tested.is_positive, tested.scores())


def _cost(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    return cost_curve(_merged_roc(tested, folds))


def _reliability(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    """Of the first repeat: the intervals of its bins take the instances for different ones."""
    _only_merged(folds)
    first = replace(tested, predictions=tested.first_repeat())
    matrix = first.predictions.channels["probability"]
    return reliability_curve(first.is_positive, matrix if matrix.ndim == 1 else matrix[:, first.positive])


def _only_merged(folds: FoldsOfCurves) -> None:
    if folds != "merged":
        raise InputError(f"folds={folds!r} is for ROC curves; other curves are made of all test sets merged")


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a kind of curve is made, and the channels of which it needs one."""

    make: Callable[[Tested, FoldsOfCurves], AnyCurve]
    needs: tuple[str, ...]


CURVES: dict[str, _Kind] = {
    "roc": _Kind(_roc, ("label", "score", "probability")),
    "coverage": _Kind(_merged_roc, ("label", "score", "probability")),
    "precision_recall": _Kind(_precision_recall, ("score", "probability")),
    "cost": _Kind(_cost, ("label", "score", "probability")),
    "reliability": _Kind(_reliability, ("probability",)),
}


def curves_of(
    results: Results,
    kind: str,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    positive: object = None,
    folds: FoldsOfCurves = "merged",
) -> dict[str, AnyCurve]:
    """The curve of each method that offers what the kind needs; yardsticks only by name."""
    if kind not in CURVES:
        raise UnknownName.among("kind of curve", kind, CURVES)
    if folds not in get_args(FoldsOfCurves):
        raise UnknownName.among("way to put folds together", folds, get_args(FoldsOfCurves))
    chosen = CURVES[kind]
    tested = tested_on(results, dataset, methods, positive)
    able = [t for t in tested if set(chosen.needs) & set(t.predictions.channels)]
    if not able:
        raise InputError(
            f"a {kind} curve needs methods that give a {' or a '.join(chosen.needs)}; none of "
            f"{', '.join(t.method for t in tested)} does"
        )
    return {t.method: chosen.make(t, folds) for t in able}


def tested_on(results: Results, dataset: str | None, methods: Sequence[str] | None, positive: object) -> list[Tested]:
    """What each method predicted on the data set, with one class as the positive one."""
    name = one_dataset(results, dataset)
    facts = results.datasets[name]
    code = _positive(name, facts, positive)
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
    say_left_out(results, name, wanted, () if methods else gone.values())
    return [Tested(m, results.predicted(name, m), code, partial(results.predicted, name, m, 0)) for m in wanted]


def absent_from(results: Results, dataset: str) -> dict[str, Absentee]:
    """The methods that did not run on a data set, by name."""
    return {a.method: a for a in absences(results).on.get(dataset, ())}


def one_dataset(results: Results, dataset: str | None) -> str:
    """The data set that is meant, which must be named where there are several."""
    if results.source is None:
        raise InputError("these results are scores without predictions, and curves need predictions")
    names = results.dataset_names()
    if dataset is None and len(names) == 1:
        return names[0]
    if dataset is None:
        raise InputError(
            f"one data set must be named (dataset=…), since there are {len(names)}: {', '.join(names[:5])}…"
        )
    if dataset not in names:
        raise UnknownName.among("data set of these results", dataset, names)
    return dataset


def _positive(name: str, facts: Any, positive: object) -> int:
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
        f"{name!r} has {len(classes)} classes: say which is set against the rest (positive={classes[0]!r})"
    )


def confusion_of(results: Results, method: str, dataset: str | None = None) -> ConfusionMatrix:
    """How often a method took which class for which, over all its test sets."""
    name = one_dataset(results, dataset)
    facts = results.datasets[name]
    refuse_named(absent_from(results, name), [method])
    predictions = results.predicted(name, method)
    say_left_out(results, name, [method])
    if "label" not in predictions.channels or not facts["classes"]:
        raise InputError(f"a confusion matrix needs predicted classes, which {method!r} on {name!r} has not")
    counted = predictions.with_folds(None).shared(Confusion)
    classes = tuple(facts["classes"])
    positive = None if facts["positive"] is None else classes[facts["positive"]]
    return ConfusionMatrix(counted.counts[0], classes, positive, counted.elsewhere[0])


def contexts_of(
    results: Results, dataset: str | None = None, *, thresholds: Literal["as predicted", "best"] = "as predicted"
) -> ContextMap:
    """Which method is cheapest for which class balance and cost ratio.

    ``"as predicted"`` judges the labels; ``"best"`` lets each method use its best threshold in each context.
    """
    if thresholds not in ("as predicted", "best"):
        raise InputError(f"thresholds must be 'as predicted' or 'best', got {thresholds!r}")
    tested = tested_on(results, dataset, None, None)
    if tested[0].predictions.n_classes != 2:
        raise InputError("a map of contexts is for two classes, since a class balance of more is no single number")
    if thresholds == "best":
        return context_map({t.method: _merged_roc(t, "merged") for t in tested})
    able = [t for t in tested if "label" in t.predictions.channels]
    if not able:
        raise InputError("no method gives labels; say thresholds='best' to let each choose its threshold")
    return context_map(
        {t.method: roc_point(t.is_positive, t.predictions.channels["label"] == t.positive) for t in able}
    )
