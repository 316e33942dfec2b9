"""An estimator that tunes itself: it searches on inner splits of the rows that it is given, then learns from all."""

from __future__ import annotations

import copy
import importlib
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import check_random_state, column_or_1d, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from fairtrial.data.dataset import choose_positive, guess_task, narrow
from fairtrial.errors import InputError
from fairtrial.measures.registry import find_entry, is_known
from fairtrial.methods.source_versions import is_typed
from fairtrial.methods.tuning.inner_resampling import InnerSplits, Pairs, Rows, as_inner, inner_splits
from fairtrial.methods.tuning.scoring import (
    DEFAULT_MEASURE,
    Candidates,
    Scoring,
    as_measure,
    describe,
    search_report,
    task_of,
)
from fairtrial.methods.tuning.space import run_search


def _has(verb: str) -> Any:
    """Whether the estimator has a method: the chosen one, or before that the one to be tuned."""

    def check(tuned: Tuned) -> bool:
        return hasattr(getattr(tuned, "best_estimator_", tuned.estimator), verb)

    return check


class Tuned(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """An estimator with its search; made by :func:`fairtrial.tuned`, which checks its arguments.

    After ``fit`` it has ``best_estimator_``, ``best_params_``, ``best_score_``, ``tried_`` (all configurations, best
    first), ``fits_``, ``search_seconds_``, ``refit_seconds_``, ``inner_`` and ``measure_``. ``best_score_`` comes from
    the inner splits; it is the best of many, so it is too optimistic as an estimate of quality.
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

        A study passes the ``splits``, which are the same for all methods and respect groups and time. Without them they
        are made here, from ``random_state``.
        """
        X, y = _checked(X, y)
        random = check_random_state(self.random_state)
        seed = int(random.randint(2**31 - 1))
        inner = self._own_splits(y, seed) if splits is None else splits
        _check_pairs(inner.pairs, len(y))
        candidates = Candidates(self._made, X, y, _scoring(self.measure, inner.task or self._task(y), y, inner))
        begun = time.perf_counter()
        tried = run_search(self.search, self.space, self.budget, candidates, inner.pairs, seed)
        if tried[0].error:
            raise InputError(
                f"no configuration could be fitted on the inner splits: all {len(tried)} failed; "
                f"{describe(tried[0].parameters)}: {tried[0].error}"
            )
        searched = time.perf_counter()
        self.best_estimator_ = self._made(tried[0].parameters)
        self.best_estimator_.fit(X, y)
        self.tried_, self.fits_ = tuple(tried), candidates.fits + 1
        self.best_params_, self.best_score_ = dict(tried[0].parameters), tried[0].score
        self.measure_, self.inner_ = candidates.scoring.measure.name, inner.scheme
        self.search_seconds_, self.refit_seconds_ = searched - begun, time.perf_counter() - searched
        return self

    def _task(self, y: NDArray[Any]) -> str:
        """The task of the estimator; where it declares none, the one that the target looks like."""
        return task_of(self.estimator) or guess_task(narrow(y))[0]

    def _own_splits(self, y: NDArray[Any], seed: int) -> InnerSplits:
        task = self._task(y)
        made = inner_splits(as_inner(self.inner), Rows("the training data", y, task), seed)
        if task == "values":
            return made
        classes = tuple(np.unique(y).tolist())
        positive, _ = choose_positive(y, classes, None, "the training data")
        return replace(made, classes=classes, positive=positive)

    def _made(self, parameters: Mapping[str, Any]) -> Any:
        given = {name: clone(value, safe=False) for name, value in parameters.items()}  # a value may be an estimator
        return clone(self.estimator).set_params(**given)

    def predict(self, X: Any, *, return_std: bool = False) -> Any:
        """Predictions of the chosen estimator; ``return_std`` only where it knows that."""
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
        """The inputs that the tuned estimator declares, if it does."""
        return str(self.estimator.fairtrial_inputs)

    @property
    def fairtrial_tunes(self) -> Any:
        """The estimator that is tuned; once fitted, the one that was chosen."""
        return getattr(self, "best_estimator_", self.estimator)

    @property
    def fairtrial_name(self) -> str:
        """The name that is used where the user gave none."""
        return f"tuned {_last(self.estimator)}"

    def fairtrial_details(self) -> dict[str, Any]:
        """The record of the search in the study file: the chosen parameters, what was tried, and what it took.

        Of more than 500 configurations the best 500 are kept.
        """
        took = {"fits": self.fits_, "seconds": self.search_seconds_, "refit_seconds": self.refit_seconds_}
        how = {"search": self.search, "measure": self.measure_, "inner": self.inner_}
        return {"tuning": how | search_report(self.tried_) | took}

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

    def fairtrial_uses(self) -> dict[str, Any]:
        """What parameters name without holding it: the formula of a measure of the user's own."""
        known = find_entry(self.measure) if self.measure and is_known(self.measure) else None
        return {"measure": known.formula} if known is not None and is_typed(known.formula) else {}

    def __getstate__(self) -> dict[str, Any]:
        """The state, with the module of a measure of the user's own, so that a worker knows it too."""
        state: dict[str, Any] = dict(super().__getstate__())
        home = find_entry(self.measure).formula.__module__ if self.measure else "fairtrial"
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


def _last(estimator: Any) -> str:
    """The class of an estimator; for a pipeline, that of its last step."""
    while hasattr(estimator, "steps"):
        estimator = estimator.steps[-1][1]
    return type(estimator).__name__
