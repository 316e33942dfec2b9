"""Confusion matrices, and maps of the contexts in which each method is cheapest, from what methods predicted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from fairtrial.errors import InputError
from fairtrial.measures import Confusion, ConfusionMatrix, ContextMap, context_map
from fairtrial.results.absentees import refuse_named
from fairtrial.results.analyses.tested_methods import absent_from, one_dataset, tested_on
from fairtrial.results.failure_policy import left_out_notes

if TYPE_CHECKING:
    from fairtrial.results.results import Results


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
