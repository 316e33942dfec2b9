"""How configurations are fitted and scored on the inner splits, which is best, and what is reported of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.measures import Measure, compute, get, why_undefined
from fairtrial.methods.channels import channels_of, gives_std
from fairtrial.methods.tuning.inner_resampling import Pairs

DEFAULT_MEASURE = {"classes": "accuracy", "values": "rmse"}

MOST_REPORTED = 500
"""The number of configurations, the best ones, that are reported."""

LONGEST = 200  # characters of a value or of an error that are kept

Channels = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """The result of one configuration: its score in each inner split (nan: undefined), or why it failed.

    ``score`` is the mean of these scores or, for a pooled measure, the score of all predictions together. ``rows`` is
    the largest number of training rows that it was given in each split; only halving gives fewer than all.
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
    """The task of an estimator, ``"classes"`` or ``"values"``; None if it does not declare one."""
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
        """The predictions that the measure needs; a missing score is replaced by a probability."""
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
    """Rank configurations, best first, each with its score; of equals the first one leads; failed ones come last.

    If the measure is undefined for every configuration on a split, that split is left out. If it is undefined for some
    configurations only, these get the worst score on that split. Scores are compared to 12 digits.
    """
    scored = _scored(tried, measure)
    sign = -1.0 if measure.higher_is_better else 1.0
    return sorted(scored, key=lambda t: (bool(t.error), sign * float(f"{t.score:.12g}") if not t.error else 0.0))


def _scored(tried: Sequence[Tried], measure: Measure) -> list[Tried]:
    good = [t for t in tried if not t.error]
    if not good:
        return list(tried)
    table = np.array([[t.pooled] if measure.combine == "pooled" else t.scores for t in good])
    defined = ~np.isnan(table).all(axis=0)
    if not defined.any():
        raise InputError(
            f"{why_undefined(measure.name)}, and that was so in every inner split and configuration; "
            "choose another measure or inner splits with more instances"
        )
    with np.errstate(invalid="ignore"):
        means = np.where(np.isnan(table), measure.worst, table)[:, defined].mean(axis=1)
    means = np.where(np.isnan(means), measure.worst, means)  # infinite both ways
    score = {id(t): float(mean) for t, mean in zip(good, means, strict=True)}
    return [replace(t, score=score.get(id(t), np.nan)) for t in tried]


@dataclass(slots=True, eq=False)
class Candidates:
    """All that it takes to try configurations: the rows, how estimators are made and scored, and the number of fits."""

    make: Callable[[Mapping[str, Any]], Any]
    X: Any
    y: NDArray[Any]
    scoring: Scoring
    fits: int = 0

    def ranked(self, configurations: Sequence[Mapping[str, Any]], pairs: Pairs) -> list[Tried]:
        """The results of the configurations on these splits, best first."""
        return ranked([self._try(parameters, pairs) for parameters in configurations], self.scoring.measure)

    def _try(self, parameters: Mapping[str, Any], pairs: Pairs) -> Tried:
        """Try one configuration; if it fails on one split, it has failed."""
        rows = min(len(train) for train, _ in pairs)
        found = []
        for train, test in pairs:
            self.fits += 1
            try:
                model = self.make(parameters)
                model.fit(_rows(self.X, train), self.y[train])
                found.append(self.scoring.predicted(model, _rows(self.X, test)))
            except Exception as error:  # noqa: BLE001 - whatever a configuration raises is what became of it
                reason = f"{type(error).__name__}: {error}".strip().split("\n")[0]
                return Tried(dict(parameters), error=_shortened(reason), rows=rows)
        return replace(self.scoring.tried(parameters, [self.y[test] for _, test in pairs], found), rows=rows)


def _rows(X: Any, which: NDArray[Any]) -> Any:
    return X.iloc[which] if hasattr(X, "iloc") else X[which]


def search_report(tried: Sequence[Tried]) -> dict[str, Any]:
    """The configurations, best first: which was chosen, how many there were, and each with its scores."""
    best = tried[0]
    return {
        "configurations": len(tried),
        "failed": sum(bool(t.error) for t in tried),
        "chosen": _plain(best.parameters),
        "score": _finite(best.score),
        "tried": [_report(t) for t in tried[:MOST_REPORTED]],
    }


def _report(tried: Tried) -> dict[str, Any]:
    known = {"parameters": _plain(tried.parameters), "score": _finite(tried.score), "rows": tried.rows}
    return known | ({"error": tried.error} if tried.error else {"scores": [_finite(s) for s in tried.scores]})


def describe(parameters: Mapping[str, Any]) -> str:
    """A configuration in words.

    >>> describe({"C": 0.1, "kernel": "rbf"})
    "C=0.1, kernel='rbf'"
    """
    return ", ".join(f"{name}={value!r}" for name, value in _plain(parameters).items())


def _shortened(text: str) -> str:
    """A text cut to 200 characters."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(value) for name, value in parameters.items()}


def _value(value: Any) -> Any:
    """Numbers and texts as they are; anything else as it prints."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return _shortened(getattr(value, "__qualname__", None) or " ".join(repr(value).split()))


def _finite(score: float) -> float | None:
    return score if math.isfinite(score) else None
