"""An estimator that tunes itself: it searches on inner splits of the rows that it is given, then learns from all."""

from __future__ import annotations

import copy
import importlib
import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state, column_or_1d, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from fairtrial.errors import InputError
from fairtrial.measures.registry import entry
from fairtrial.methods.tuning.halving import fewest_rows, part
from fairtrial.methods.tuning.inner import InnerSplits, Pairs, Rows, as_inner, inner_splits
from fairtrial.methods.tuning.scoring import DEFAULT_MEASURE, Scoring, Tried, as_measure, ranked, task_of
from fairtrial.methods.tuning.search import budget_of, configurations, rungs
from fairtrial.methods.tuning.space import as_space

__all__ = ["Tuned"]

MOST_KEPT = 500
"""So many configurations, the best, are told by :meth:`Tuned.fairtrial_details`."""

LONGEST = 200


def _has(verb: str) -> Any:
    """Whether the estimator can do it: the chosen one, or before that the one to be tuned."""

    def check(tuned: Tuned) -> bool:
        return hasattr(getattr(tuned, "best_estimator_", tuned.estimator), verb)

    return check


class Tuned(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator with its search; made by :func:`fairtrial.tuned`, which checks what it is given.

    After ``fit``: ``best_estimator_``, ``best_params_``, ``best_score_`` (of the inner splits, hence optimistic),
    ``tried_`` (all configurations, best first), ``fits_``, ``search_seconds_``, ``refit_seconds_``, ``inner_``.
    """

    def __init__(
        self,
        estimator: Any,
        space: Mapping[str, Any],
        search: str = "grid",
        budget: int | None = None,
        inner: Any = "5-fold",
        measure: str | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.space = space
        self.search = search
        self.budget = budget
        self.inner = inner
        self.measure = measure
        self.random_state = random_state

    def fit(self, X: Any, y: Any, *, splits: InnerSplits | None = None) -> Tuned:
        """Try the configurations on inner splits, then learn from all rows with the best.

        A study hands over the ``splits``, which are the same for all methods and keep groups and time apart; without
        them they are made here, from ``random_state``.
        """
        X, y = _checked(X, y)
        random = check_random_state(self.random_state)
        seed = int(random.randint(2**31 - 1))
        inner = self._own_splits(y, seed) if splits is None else splits
        _check_pairs(inner.pairs, len(y))
        self.inner_, self.fits_ = inner.scheme, 0
        begun = time.perf_counter()
        scoring = _scoring(self.measure, "classes" if inner.classes else self._task(y), y, inner)
        self.tried_ = tuple(self._searched(X, y, inner.pairs, scoring, seed))
        best = self.tried_[0]
        if best.error:
            raise InputError(
                f"no configuration could be fitted on the inner splits: all {len(self.tried_)} failed; "
                f"{_written(best.parameters)}: {best.error}"
            )
        self.best_params_, self.best_score_ = dict(best.parameters), best.score
        self.measure_ = scoring.measure.name
        searched = time.perf_counter()
        self.best_estimator_ = self._made(best.parameters).fit(X, y)
        self.fits_ += 1
        self.search_seconds_, self.refit_seconds_ = searched - begun, time.perf_counter() - searched
        return self

    def _task(self, y: NDArray[Any]) -> str:
        """What the estimator is for; where it does not say, what the target looks like."""
        return task_of(self.estimator) or ("values" if type_of_target(y) == "continuous" else "classes")

    def _own_splits(self, y: NDArray[Any], seed: int) -> InnerSplits:
        task = self._task(y)
        made = inner_splits(as_inner(self.inner), Rows("the training data", y, task), seed)
        if task == "values":
            return made
        names, counts = np.unique(y, return_counts=True)
        rarer = names[counts.argmin()] if len(names) == 2 else None  # as a data set chooses its positive class
        return replace(made, classes=tuple(names.tolist()), positive=rarer)

    def _searched(self, X: Any, y: NDArray[Any], pairs: Pairs, scoring: Scoring, seed: int) -> list[Tried]:
        """All configurations, best first; with halving those that came furthest before the others."""
        space = as_space(self.space)
        budget = budget_of(self.search, space, self.budget)
        waiting = [Tried(c) for c in configurations(self.search, space, budget, seed)]
        rows = min(len(train) for train, _ in pairs)
        halved = rungs(len(waiting), rows, fewest_rows(scoring.classes)) if self.search == "halving" else []
        gone: list[Tried] = []
        for keep, size in halved[:-1]:
            order = ranked(self._tried(X, y, part(pairs, y, size, scoring.classes), waiting, scoring), scoring.measure)
            left = -(-keep // 3)
            waiting, gone = order[:left], order[left:] + gone
        return ranked(self._tried(X, y, pairs, waiting, scoring), scoring.measure) + gone

    def _tried(self, X: Any, y: NDArray[Any], pairs: Pairs, waiting: Iterable[Tried], scoring: Scoring) -> list[Tried]:
        return [self._try(X, y, pairs, t.parameters, scoring) for t in waiting]

    def _try(self, X: Any, y: NDArray[Any], pairs: Pairs, parameters: Mapping[str, Any], scoring: Scoring) -> Tried:
        """One configuration on all inner splits; where it fails on one, it has failed."""
        rows = min(len(train) for train, _ in pairs)
        truths, found = [], []
        for train, test in pairs:
            try:
                self.fits_ += 1
                model = self._made(parameters).fit(_rows(X, train), y[train])
                found.append(scoring.predicted(model, _rows(X, test)))
            except Exception as error:  # noqa: BLE001 - whatever a configuration raises is what became of it
                said = f"{type(error).__name__}: {error}".strip().split("\n")[0]
                return Tried(dict(parameters), error=said[:LONGEST], rows=rows)
            truths.append(y[test])
        return replace(scoring.tried(parameters, truths, found), rows=rows)

    def _made(self, parameters: Mapping[str, Any]) -> Any:
        given = {name: clone(value, safe=False) for name, value in parameters.items()}  # a value may be an estimator
        return clone(self.estimator).set_params(**given)

    def predict(self, X: Any, *, return_std: bool = False) -> Any:
        """What the chosen estimator predicts; ``return_std`` only where it knows that."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict(X, return_std=True) if return_std else self.best_estimator_.predict(X)

    @available_if(_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        """Probabilities of the chosen estimator."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.predict_proba(X)

    @available_if(_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        """Scores of the chosen estimator."""
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_.decision_function(X)

    @available_if(_has("score"))  # type: ignore[untyped-decorator]
    def score(self, X: Any, y: Any) -> float:
        """The chosen estimator's own score."""
        check_is_fitted(self, "best_estimator_")
        return float(self.best_estimator_.score(X, y))

    @property
    def classes_(self) -> NDArray[Any]:
        classes: NDArray[Any] = self.best_estimator_.classes_
        return classes

    @property
    def n_features_in_(self) -> int:
        return int(self.best_estimator_.n_features_in_)

    @property
    def fairtrial_inputs(self) -> str:
        """What the estimator that is tuned declares, if it does."""
        return str(self.estimator.fairtrial_inputs)

    @property
    def fairtrial_tunes(self) -> Any:
        """The estimator that is tuned."""
        return self.estimator

    @property
    def fairtrial_name(self) -> str:
        """What it is called where nobody gave it a name."""
        return f"{_last(self.estimator)}, tuned"

    def fairtrial_details(self) -> dict[str, Any]:
        """What the study file keeps of the search: the chosen parameters, all that were tried, and what it took."""
        kept = [_plain_tried(t) for t in self.tried_[:MOST_KEPT]]
        told = {
            "search": self.search,
            "measure": self.measure_,
            "inner": self.inner_,
            "configurations": len(self.tried_),
            "failed": sum(bool(t.error) for t in self.tried_),
            "fits": self.fits_,
            "seconds": self.search_seconds_,
            "refit_seconds": self.refit_seconds_,
            "chosen": _plain(self.best_params_),
            "score": _finite(self.best_score_),
            "tried": kept,
        }
        return {"tuning": told}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not hasattr(self.estimator, "__sklearn_tags__"):
            return tags
        own = get_tags(self.estimator)
        tags.estimator_type = own.estimator_type
        for name in ("classifier_tags", "regressor_tags", "input_tags", "target_tags"):
            setattr(tags, name, copy.deepcopy(getattr(own, name)))
        tags.target_tags.single_output, tags.target_tags.multi_output = True, False
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """With the module of a measure of the user's own, so that a worker knows it too."""
        state: dict[str, Any] = dict(super().__getstate__())
        home = entry(self.measure).formula.__module__ if self.measure else "fairtrial"
        return state if home.startswith("fairtrial.") else {**state, "_measure_from": home}

    def __setstate__(self, state: dict[str, Any]) -> None:
        home = state.pop("_measure_from", None)
        if home is not None and home != "__main__":
            importlib.import_module(home)
        super().__setstate__(state)


def _scoring(measure: str | None, task: str, y: NDArray[Any], inner: InnerSplits) -> Scoring:
    facts = as_measure(measure or DEFAULT_MEASURE[task], task)
    if task == "values":
        return Scoring(facts, None)
    known = inner.classes or tuple(np.unique(y).tolist())
    positive = None if inner.positive is None else known.index(inner.positive)
    return Scoring(facts, np.asarray(known), positive)


def _checked(X: Any, y: Any) -> tuple[Any, NDArray[Any]]:
    """Rows that can be taken by number, and one target for each."""
    if y is None:
        raise InputError("a search requires y to be passed, but the target y is None")
    X, y = indexable(X, y)
    target: NDArray[Any] = column_or_1d(y, warn=True)
    if len(target) < 2:
        raise InputError(f"a search needs at least two instances, got n_samples = {len(target)}")
    return (X if hasattr(X, "shape") else np.asarray(X)), target


def _check_pairs(pairs: Pairs, n: int) -> None:
    if not pairs:
        raise InputError("splits must hold at least one pair of training and test positions, got none")
    for train, test in pairs:
        used = np.concatenate([train, test])
        if not len(train) or not len(test) or used.min() < 0 or used.max() >= n:
            raise InputError(f"splits must have positions from 0 to {n - 1} on both sides, but one has not")
        if np.isin(test, train).any():
            raise InputError("no row may train and test in one inner split, but one does")


def _rows(X: Any, which: NDArray[Any]) -> Any:
    return X.iloc[which] if hasattr(X, "iloc") else X[which]


def _last(estimator: Any) -> str:
    """The class of an estimator, of a pipeline its last step's."""
    while hasattr(estimator, "steps"):
        estimator = estimator.steps[-1][1]
    return type(estimator).__name__


def _plain_tried(tried: Tried) -> dict[str, Any]:
    told = {"parameters": _plain(tried.parameters), "score": _finite(tried.score), "rows": tried.rows}
    return told | ({"error": tried.error} if tried.error else {"scores": [_finite(s) for s in tried.scores]})


def _plain(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as JSON can hold them; what is no number or text is written as it prints."""
    return {name: _plain_value(value) for name, value in parameters.items()}


def _plain_value(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    text = getattr(value, "__qualname__", None) or " ".join(repr(value).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _finite(score: float) -> float | None:
    return score if math.isfinite(score) else None


def _written(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in _plain(parameters).items())
