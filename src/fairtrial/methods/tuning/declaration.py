"""``tuned``: a search for an estimator's parameters, declared and checked before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairtrial.doors import door
from fairtrial.errors import InputError, UnknownName
from fairtrial.methods.tuning.inner_resampling import as_inner
from fairtrial.methods.tuning.scoring import as_measure, task_of
from fairtrial.methods.tuning.space import SEARCHES, Search, as_space, budget_of
from fairtrial.resampling import Resampling

if TYPE_CHECKING:
    from fairtrial.methods.tuning.estimator import Tuned


@door
def tuned(
    estimator: Any,
    space: Mapping[str, Any],
    *,
    search: Search | None = None,
    budget: int | None = None,
    inner: Resampling | str = "5-fold",
    measure: str | None = None,
) -> Tuned:
    """An estimator that chooses its parameters on inner splits of each training set, and never sees a test row.

    ``space`` maps parameters to the values that are tried: a list; bounds as a pair, such as ``(0.01, 100)``, which are
    on the log scale if the upper one is 100 times the lower one or more, and whole numbers if both are; bounds with
    all that said, such as ``{"low": 1, "high": 50, "log": True, "whole": True}``; or a frozen distribution of
    scipy.stats. ``search`` is

    - ``"grid"``: all combinations of lists, the default where there are only lists;
    - ``"random"``: ``budget`` configurations drawn at random;
    - ``"halton"``: ``budget`` points that fill the space evenly, the default where there are bounds;
    - ``"halving"``: the same points, first on few rows; the best third goes on with three times as many rows.

    ``budget`` is the number of configurations that are tried (by default 30; a grid, or halving over lists, tries all
    combinations). ``measure`` decides between them: by default the study's, and outside of a study accuracy or rmse. Of
    equals the first is taken.

    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.datasets import load_iris
    >>> neighbours = tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5, 25]})
    >>> model = neighbours.set_params(random_state=1).fit(*load_iris(return_X_y=True))
    >>> len(model.tried_), model.fits_, sorted(model.best_params_)
    (3, 16, ['n_neighbors'])
    """
    from fairtrial.methods.tuning.estimator import Tuned

    if isinstance(estimator, type) or not all(hasattr(estimator, v) for v in ("fit", "get_params", "set_params")):
        raise InputError(f"estimator must be an object with fit, get_params and set_params, got {estimator!r}")
    if search is not None and search not in SEARCHES:
        raise UnknownName.among("search", search, SEARCHES)
    known = estimator.get_params(deep=True)
    plain = as_space(space)
    search = search or ("grid" if all(isinstance(values, list) for values in plain.values()) else "halton")
    for name in plain:
        if name not in known and not any(name.startswith(f"{other}__") for other in plain):
            raise UnknownName.among(f"parameter of {type(estimator).__name__}", name, known)
    if measure is not None:
        measure = as_measure(measure, task_of(estimator)).name
    return Tuned(estimator, plain, search, budget_of(search, plain, budget), as_inner(inner), measure)
