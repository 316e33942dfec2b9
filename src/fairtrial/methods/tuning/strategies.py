"""Search strategies: which configurations are tried, in which order and on how many rows; the first of equals wins.

A new strategy has its name in ``SEARCHES``, its budget in :func:`budget_of`, its points in :func:`configurations` and,
where it does not try them all on all rows, its course in :func:`run_search`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.methods.tuning.inner_resampling import Pairs
from fairtrial.methods.tuning.scoring import Candidates, Tried
from fairtrial.methods.tuning.space import Choice, Dimension, Space, as_space, dimension
from fairtrial.resampling import Split, derive_seed, generator
from fairtrial.resampling.allocation import proportional_turns

Search = Literal["grid", "random", "halton", "halving"]
SEARCHES: tuple[Search, ...] = ("grid", "random", "halton", "halving")

DEFAULT_BUDGET = 30
"""The number of configurations at which one is among the best tenth of the space with probability 1 − 0.9³⁰ = 0.96."""

ETA = 3
"""The factor of halving: one configuration in three goes on, with three times the rows."""

FEWEST = 20  # training rows on halving's first rung
FEWEST_PER_CLASS = 5

MOST_DRAWN = 50
"""The most draws for each configuration of the budget, where a space is small and most draws come up again."""


def budget_of(search: str, space: Space, budget: int | None) -> int:
    """The largest number of configurations that a search tries; a grid tries all.

    >>> budget_of("grid", {"C": [1, 10], "kernel": ["rbf", "linear", "poly"]}, None)
    6
    """
    size = _size(space)
    if budget is not None and (not isinstance(budget, int) or isinstance(budget, bool) or budget < 1):
        raise InputError(f"budget must be a whole number of configurations, at least 1, got {budget!r}")
    if search == "grid":
        if size is None:
            raise InputError(
                "a grid needs a list of values for each parameter; use search='halton' where there are bounds"
            )
        if budget is not None and budget < size:
            raise InputError(
                f"a grid is searched as a whole, but it has {size} configurations and budget is {budget!r}; "
                "use search='random' for some of them, or leave out values"
            )
        return size
    if search == "halving" and budget is None and size is not None:
        return size
    wanted = DEFAULT_BUDGET if budget is None else budget
    return wanted if size is None else min(wanted, size)


def _size(space: Space) -> int | None:
    """The number of configurations where all parameters have lists."""
    dimensions = [dimension(given) for given in space.values()]
    if not all(isinstance(d, Choice) for d in dimensions):
        return None
    return math.prod(len(d.values) for d in dimensions if isinstance(d, Choice))


def configurations(search: str, space: Space, budget: int, seed: int) -> list[dict[str, Any]]:
    """The configurations to be tried, all different.

    In a grid the last parameter varies fastest, as in scikit-learn's. If the budget allows all combinations of the
    lists of values, all are tried. Random search draws each parameter independently (Bergstra & Bengio 2012, Journal of
    Machine Learning Research 13:281-305); Halton's sequence, scrambled, fills the space more evenly. Halving starts
    with points of Halton's sequence.

    >>> configurations("grid", {"C": [1, 10], "kernel": ["rbf", "linear"]}, 4, seed=1)[1]
    {'C': 1, 'kernel': 'linear'}
    """
    dimensions = {name: dimension(given) for name, given in space.items()}
    if budget == _size(space):
        every = [d.values for d in dimensions.values() if isinstance(d, Choice)]
        return [dict(zip(space, values, strict=True)) for values in itertools.product(*every)]
    found: dict[tuple[Any, ...], None] = {}
    points = _random(len(space), seed) if search == "random" else _halton(len(space), seed)
    for point in itertools.islice(points, MOST_DRAWN * budget):
        found[tuple(d.place(float(u)) for d, u in zip(dimensions.values(), point, strict=True))] = None
        if len(found) == budget:
            break
    return [_values(dimensions, places) for places in found]


def _values(dimensions: Mapping[str, Dimension], places: tuple[Any, ...]) -> dict[str, Any]:
    return {name: d.value(p) for (name, d), p in zip(dimensions.items(), places, strict=True)}


def _random(d: int, seed: int) -> Iterator[NDArray[np.float64]]:
    draw = generator(seed, "random search")
    while True:
        yield draw.random_sample(d)


def _halton(d: int, seed: int) -> Iterator[NDArray[np.float64]]:
    from scipy.stats import qmc

    draw = qmc.Halton(d, scramble=True, seed=np.random.default_rng(derive_seed(seed, "halton")))
    while True:
        yield draw.random(1)[0]


def run_search(
    search: str, given: Mapping[str, Any], budget: int | None, candidates: Candidates, pairs: Pairs, seed: int
) -> list[Tried]:
    """All configurations, best first; with halving those that came furthest before the others."""
    space = as_space(given)
    waiting = configurations(search, space, budget_of(search, space, budget), seed)
    classes = candidates.scoring.classes
    rows = min(len(train) for train, _ in pairs)
    halved = rungs(len(waiting), rows, fewest_rows(classes)) if search == "halving" else []
    gone: list[Tried] = []
    for (_, size), (left, _) in itertools.pairwise(halved):
        order = candidates.ranked(waiting, with_fewer_rows(pairs, candidates.y, size, classes))
        waiting, gone = [dict(t.parameters) for t in order[:left]], order[left:] + gone
    return candidates.ranked(waiting, pairs) + gone


def rungs(budget: int, rows: int, fewest: int) -> list[tuple[int, int]]:
    """Successive halving: how many configurations are tried on how many training rows, rung by rung.

    Each rung keeps the best third (rounded up) of the one before and uses three times as many rows. The last rung has
    all rows and two or three configurations. No rung has fewer than ``fewest`` rows: with few rows there are fewer
    rungs, and more configurations on the last one.

    Reference: Jamieson & Talwalkar (2016), AISTATS, arXiv:1502.07943.

    >>> rungs(27, 900, 20), rungs(27, 100, 20)
    ([(27, 100), (9, 300), (3, 900)], [(27, 33), (9, 100)])
    """
    count = 1
    while ETA**count < budget and rows // ETA**count >= fewest:
        count += 1
    made, left = [], budget
    for rung in range(count):
        made.append((left, rows // ETA ** (count - 1 - rung)))
        left = -(-left // ETA)
    return made


def fewest_rows(classes: NDArray[Any] | None) -> int:
    """The fewest training rows of the first rung: 20, and 5 for each class."""
    return FEWEST if classes is None else max(FEWEST, FEWEST_PER_CLASS * len(classes))


def with_fewer_rows(pairs: Pairs, y: NDArray[Any], size: int, classes: NDArray[Any] | None) -> Pairs:
    """The splits with fewer training rows each.

    The rows are drawn in proportion to the classes, and a smaller set is part of a larger one. They depend only on the
    split, so that they are the same for all methods.
    """
    return [(_drawn(train, test, y, size, classes), test) for train, test in pairs]


def _drawn(
    train: NDArray[Any], test: NDArray[Any], y: NDArray[Any], size: int, classes: NDArray[Any] | None
) -> NDArray[Any]:
    split = Split(0, 0, len(y), np.asarray(test, dtype=np.int32), np.asarray(train, dtype=np.int32))
    order = generator("halving", split.digest()).permutation(len(train))
    if classes is not None:
        codes = np.unique(y[train], return_inverse=True)[1].reshape(-1)
        order = order[np.argsort(proportional_turns(codes[order]), kind="stable")]
    chosen: NDArray[Any] = train[np.sort(order[:size])]
    return chosen
