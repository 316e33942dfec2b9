"""How configurations are scored on the inner splits, and which is best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.measures import Measure, compute, get, why_undefined
from fairtrial.methods.channels import channels_of, gives_std

__all__ = ["DEFAULT_MEASURE", "Scoring", "Tried", "as_measure", "ranked", "task_of"]

DEFAULT_MEASURE = {"classes": "accuracy", "values": "rmse"}

Channels = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """What became of one configuration: its score in each inner split (nan: undefined), or why it failed.

    ``score`` is their mean, or that of all predictions pooled where the measure is combined so. ``rows`` is the largest
    number of training rows that it was given in each split; only halving gives less than all.
    """

    parameters: Mapping[str, Any]
    scores: tuple[float, ...] = ()
    score: float = np.nan
    rows: int = 0
    error: str = ""
    pooled: float = np.nan


def as_measure(name: str, task: str | None) -> Measure:
    """The measure of that name, if configurations of an estimator for this task (None: any) can be chosen by it."""
    facts = get(name)
    if facts.from_trials:
        raise InputError(f"measure must be computed from predictions, but {facts.name} is recorded with each trial")
    if not facts.directed:
        raise InputError(f"measure must have a better and a worse, but {facts.name} has not")
    if task is not None and facts.task != task:
        raise InputError(f"measure {facts.name!r} is for {facts.task}, but the estimator is for {task}")
    return facts


def task_of(estimator: Any) -> str | None:
    """What an estimator is for, ``"classes"`` or ``"values"``; None where it does not say."""
    from sklearn.base import is_classifier, is_regressor

    if not hasattr(estimator, "__sklearn_tags__"):
        return None
    return "classes" if is_classifier(estimator) else "values" if is_regressor(estimator) else None


@dataclass(frozen=True, slots=True, eq=False)
class Scoring:
    """A measure, and the classes that predictions are about (none: values)."""

    measure: Measure
    classes: NDArray[Any] | None
    positive: int | None = None

    def predicted(self, estimator: Any, X: Any) -> Channels:
        """What the measure needs of the predictions; where there is no score, a probability stands in for it."""
        wanted = set(self.measure.needs)
        spread = self.classes is None and "std" in wanted and gives_std(estimator)
        labels = estimator.predict(X) if self.classes is None or "label" in wanted else None
        found = channels_of(estimator, X, labels, self.classes, gives_std=spread, wanted=wanted)
        if "score" in wanted and "score" not in found:
            found |= channels_of(estimator, X, None, self.classes, wanted={"probability"})
        if not self.measure.can_use(frozenset(found)):
            lacking = " and ".join(n for n in self.measure.needs if n not in found)
            raise InputError(f"{self.measure.name} needs a {lacking}, which {type(estimator).__name__} does not give")
        if "score" in found and found["score"].ndim == 1 and self.positive == 0:
            found["score"] = -found["score"]  # a single column is for the second class
        return found

    def tried(self, parameters: Mapping[str, Any], truths: Sequence[Any], found: Sequence[Channels]) -> Tried:
        """The scores of one configuration, from its predictions in all inner splits."""
        truth = self._codes(np.concatenate(truths))
        shared = set.intersection(*(set(channels) for channels in found))
        channels = {name: np.concatenate([c[name] for c in found]) for name in shared}
        folds = np.repeat(np.arange(len(truths)), [len(t) for t in truths])
        each = self._compute(truth, channels, folds)
        pooled = float(self._compute(truth, channels, None)[0]) if self.measure.combine == "pooled" else np.nan
        return Tried(dict(parameters), tuple(each.tolist()), pooled=pooled)

    def _codes(self, truth: NDArray[Any]) -> NDArray[Any]:
        return truth if self.classes is None else np.searchsorted(self.classes, truth)

    def _compute(self, truth: NDArray[Any], channels: Channels, folds: NDArray[np.intp] | None) -> NDArray[np.float64]:
        name = self.measure.name
        known = None if self.classes is None else len(self.classes)
        return compute([name], truth=truth, channels=channels, folds=folds, classes=known, positive=self.positive)[name]


def ranked(tried: Sequence[Tried], measure: Measure) -> list[Tried]:
    """Best first, each with its score; of equals the one that came first; those that failed last.

    A split where the measure is undefined for every configuration tells nothing and is left out for all; where it is
    undefined for some, these get the worst score that there is. Scores are compared to 12 digits.
    """
    scored = _scored(tried, measure)
    sign = -1.0 if measure.higher_is_better else 1.0
    return sorted(scored, key=lambda t: (bool(t.error), sign * float(f"{t.score:.12g}") if not t.error else 0.0))


def _scored(tried: Sequence[Tried], measure: Measure) -> list[Tried]:
    good = [t for t in tried if not t.error]
    if not good:
        return list(tried)
    table = np.array([[t.pooled] if measure.combine == "pooled" else t.scores for t in good])
    told = ~np.isnan(table).all(axis=0)
    if not told.any():
        raise InputError(
            f"{why_undefined(measure.name)}, and that was so in every inner split and configuration; "
            "choose another measure or inner splits with more instances"
        )
    with np.errstate(invalid="ignore"):
        means = np.where(np.isnan(table), measure.worst, table)[:, told].mean(axis=1)
    means = np.where(np.isnan(means), measure.worst, means)  # infinite both ways
    score = {id(t): float(mean) for t, mean in zip(good, means, strict=True)}
    return [replace(t, score=score.get(id(t), np.nan)) for t in tried]
