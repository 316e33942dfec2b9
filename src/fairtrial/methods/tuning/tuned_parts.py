"""Tuned estimators where they are: as a method, at the end of a pipeline, or somewhere inside of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.measures import get
from fairtrial.measures.registry import find_entry
from fairtrial.methods.method import Method
from fairtrial.methods.tuning.inner_resampling import Rows, as_inner, inner_splits
from fairtrial.methods.tuning.scoring import DEFAULT_MEASURE, as_measure
from fairtrial.words import listed, plural, verb

if TYPE_CHECKING:
    from fairtrial.methods.tuning.estimator import Tuned


def reachable(estimator: Any) -> tuple[str, Tuned] | None:
    """The tuned estimator that sees all training rows as they are, and the prefix of its ``fit`` options.

    It is the method itself, or the last step of one of scikit-learn's own pipelines, whose steps keep all rows.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> from fairtrial import tuned
    >>> reachable(make_pipeline(None, tuned(SVC(), {"C": [1, 10]})))[0]
    'tuned__'
    """
    from sklearn.pipeline import Pipeline

    from fairtrial.methods.tuning.estimator import Tuned

    prefix = ""
    while type(estimator) is Pipeline:
        name, estimator = estimator.steps[-1]
        prefix += f"{name}__"
    return (prefix, estimator) if isinstance(estimator, Tuned) else None


def _inside(estimator: Any) -> Iterator[tuple[str, Tuned]]:
    """All tuned estimators in a method, each with the prefix of its parameters."""
    from fairtrial.methods.tuning.estimator import Tuned

    if isinstance(estimator, Tuned):
        yield "", estimator
    if hasattr(estimator, "get_params") and not isinstance(estimator, type):
        for name, value in sorted(estimator.get_params(deep=True).items()):
            if isinstance(value, Tuned):
                yield f"{name}__", value


def with_measure(methods: Sequence[Method], measures: Sequence[str], task: str) -> tuple[Method, ...]:
    """The methods, each search with a measure: its own or, by default, the first of ``measures`` that can decide.

    A time or a memory can't decide; if there is nothing else, the measure is accuracy or rmse.
    """
    usable = [m for m in measures if get(m).directed and not get(m).from_trials]
    return tuple(_with_measure(m, usable[0] if usable else DEFAULT_MEASURE[task], task) for m in methods)


def _with_measure(method: Method, measure: str, task: str) -> Method:
    from sklearn.base import clone

    for prefix, found in _inside(method.estimator):
        chosen = as_measure(found.measure or measure, task).name
        if find_entry(chosen).formula.__module__ == "__main__":
            raise InputError(
                f"method {method.name!r} is tuned by {chosen!r}, which is declared where workers can't import it; "
                "put the measure into a module"
            )
        if found.measure != chosen:
            estimator = clone(method.estimator, safe=False)
            method = replace(method, estimator=estimator.set_params(**{f"{prefix}measure": chosen}))
    return method


def check_tuning(method: Method, dataset: Dataset) -> None:
    """Refuse an inner scheme that can't be made of this data set at all."""
    for _, found in _inside(method.estimator):
        rows = Rows(dataset.name, dataset.target, dataset.task, dataset.groups, dataset.order)
        try:
            inner_splits(as_inner(found.inner), rows, 0)
        except InputError as error:
            raise InputError(f"inner splits of method {method.name!r}: {error}") from None


def tunes_apart(method: Method) -> bool:
    """Whether a search inside can't be given the study's inner splits, and makes its own: without groups and time."""
    found = reachable(method.estimator)
    return any(t is not (found and found[1]) for _, t in _inside(method.estimator))


def configurations_of(estimator: Any) -> int:
    """How many configurations the searches inside an estimator try: ours, and those of scikit-learn.

    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.svm import SVC
    >>> configurations_of(GridSearchCV(SVC(), {"C": [1, 10]})), configurations_of(SVC())
    (2, 0)
    """
    from sklearn.model_selection import ParameterGrid

    from fairtrial.methods.tuning.estimator import Tuned
    from fairtrial.methods.tuning.space import as_space, budget_of

    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        return 0
    tried = 0
    for thing in (estimator, *estimator.get_params(deep=True).values()):
        if isinstance(thing, Tuned):
            tried += budget_of(thing.search, as_space(thing.space), thing.budget)
        elif type(thing).__name__.endswith("SearchCV") and hasattr(thing, "get_params"):
            given = thing.get_params(deep=False)
            tried += len(ParameterGrid(given["param_grid"])) if "param_grid" in given else int(given.get("n_iter", 0))
    return tried


def inner_fits_of(estimator: Any) -> int:
    """The largest number of fits on inner splits that a trial makes; 0 where it is not known beforehand."""
    found = 0
    for _, tuned in _inside(estimator):
        scheme = as_inner(tuned.inner).dependence()
        found += configurations_of(tuned) * scheme.repeats * scheme.folds
    return found


def unequal_tuning(configurations: Mapping[str, int]) -> str:
    """A sentence about methods that are tuned over unequal numbers of configurations; empty where they are equal.

    >>> unequal_tuning({"svm": 30, "forest": 0, "bayes": 0})
    'svm is tuned over 30 configurations, forest and bayes over none: part of a difference may come from the tuning'
    """
    by_number: dict[int, list[str]] = {}
    for name, n in configurations.items():
        by_number.setdefault(n, []).append(name)
    if len(by_number) < 2:
        return ""
    (most, first), *others = sorted(by_number.items(), reverse=True)
    parts = [f"{listed(first)} {verb(len(first), 'is', 'are')} tuned over {plural(most, 'configuration')}"]
    parts += [f"{listed(names)} over {n or 'none'}" for n, names in others]
    return f"{', '.join(parts)}: part of a difference may come from the tuning"
