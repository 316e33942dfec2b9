"""Search spaces: for each parameter a list of values, or numbers between two bounds, or a distribution.

A space is written as plain data, which a study in TOML can say too and which identifies the method:

- ``[0.1, 1, 10]``: these values, whatever they are;
- ``(0.01, 100)``: numbers between these two, on the log scale if the second is 100 times the first or more, and whole
  numbers if both are (``int``);
- ``{"low": 0.01, "high": 100, "log": True}``: numbers between the bounds, even on the log scale;
  ``"whole": True`` for whole numbers, both bounds among them;
- ``{"distribution": "beta", "args": [2, 5]}``: a distribution of scipy.stats; a frozen one is written down so.

Search strategies: which configurations are tried, in which order and on how many rows; the first of equals wins.

A new strategy has its name in ``SEARCHES``, its budget in :func:`budget_of`, its points in :func:`configurations` and,
where it does not try them all on all rows, its course in :func:`run_search`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError, UnknownName
from fairtrial.methods.tuning.inner_resampling import Pairs
from fairtrial.methods.tuning.scoring import Candidates, Tried
from fairtrial.resampling import Split, derive_seed, generator
from fairtrial.resampling.allocation import proportional_turns

Space = dict[str, Any]

LOG_FROM = 100  # times the lower bound is the upper one, from which on a pair of bounds is on the log scale


class Dimension(Protocol):
    """The values of one parameter: ``place`` is the position of a share from 0 to 1, ``value`` the value at a position.

    Two shares with the same place have the same value, so that configurations that are drawn twice are recognised.
    """

    def place(self, share: float) -> Any: ...

    def value(self, place: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class Choice:
    """Values, all equally likely; places are their numbers, since values need not be comparable."""

    values: tuple[Any, ...]

    def place(self, share: float) -> int:
        return min(int(share * len(self.values)), len(self.values) - 1)

    def value(self, place: Any) -> Any:
        return self.values[place]


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers between two bounds, all equally likely; with ``log``, all orders of magnitude are.

    >>> Range(0.01, 100, log=True).place(0.5), Range(1, 20, whole=True).place(0.999)
    (1.0, 20)
    """

    low: float
    high: float
    log: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            given = getattr(self, name)
            if isinstance(given, bool) or not isinstance(given, (int, float)) or not math.isfinite(given):
                raise InputError(f"{name} must be a number, got {given!r}")
        for name in ("log", "whole"):
            if not isinstance(given := getattr(self, name), bool):
                raise InputError(f"{name} must be True or False, got {given!r}")
        if not self.low < self.high:
            raise InputError(f"low must be below high, got {self.low!r} and {self.high!r}")
        if self.log and self.low <= 0:
            raise InputError(f"low must be above 0 on a log scale, got {self.low!r}")
        if self.whole and not (float(self.low).is_integer() and float(self.high).is_integer()):
            raise InputError(f"bounds of whole numbers must be whole, got {self.low!r} and {self.high!r}")

    def place(self, share: float) -> float | int:
        end = self.high + 1 if self.whole else self.high
        if self.log:
            found = math.exp(math.log(self.low) + share * (math.log(end) - math.log(self.low)))
        else:
            found = self.low + share * (end - self.low)
        found = min(max(found, self.low), self.high)
        return math.floor(found) if self.whole else found

    def value(self, place: Any) -> Any:
        return place


@dataclass(frozen=True, slots=True)
class Drawn:
    """A distribution of scipy.stats by its name, its arguments, and those that it was given by name.

    >>> Drawn("uniform", (2, 4)).place(0.25)
    3.0
    """

    distribution: str
    args: tuple[float, ...] = ()
    named: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.distribution, str):
            raise InputError(f"distribution must be a name such as 'beta', got {self.distribution!r}")
        if isinstance(self.args, (str, bytes)) or not isinstance(self.args, Sequence):
            raise InputError(f"args must be a list of numbers, got {self.args!r}")
        object.__setattr__(self, "args", tuple(self.args))
        try:
            middle = self._frozen().median()
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"the distribution {self.distribution!r} can't be made: {error}") from None
        if not np.isfinite(middle):
            raise InputError(f"the distribution {self.distribution!r} has no such arguments, got {self.args!r}")

    def _frozen(self) -> Any:
        from scipy import stats

        found = getattr(stats, self.distribution, None)
        if not isinstance(found, (stats.rv_continuous, stats.rv_discrete)):
            known = [n for n in dir(stats) if isinstance(getattr(stats, n), (stats.rv_continuous, stats.rv_discrete))]
            raise UnknownName.among("distribution of scipy.stats", self.distribution, known)
        return found(*self.args, **(self.named or {}))

    def place(self, share: float) -> float | int:
        frozen = self._frozen()
        lowest, highest = frozen.support()
        found = min(max(float(frozen.ppf(share)), lowest), highest)  # a discrete one gives one below its lowest at 0
        return found if "pdf" in dir(frozen) else int(found)

    def value(self, place: Any) -> Any:
        return place


def as_space(given: Any) -> Space:
    """A space as plain data, checked; parameters in alphabetical order, so that the order given does not matter.

    >>> as_space({"kernel": ("rbf", "linear"), "C": (0.1, 100)})
    {'C': {'low': 0.1, 'high': 100, 'log': True, 'whole': False}, 'kernel': ['rbf', 'linear']}
    """
    if not isinstance(given, Mapping) or not given or not all(isinstance(name, str) for name in given):
        raise InputError(f"space must map parameters to what is tried, such as {{'C': [0.1, 1, 10]}}, got {given!r}")
    return {name: _plain(name, given[name]) for name in sorted(given)}


def _plain(name: str, given: Any) -> Any:
    """One parameter's values as plain data."""
    if isinstance(given, tuple) and len(given) == 2 and all(type(end) in (int, float) for end in given):
        low, high = given
        whole = isinstance(low, int) and isinstance(high, int)
        given = {"low": low, "high": high, "log": 0 < LOG_FROM * low <= high, "whole": whole}
    if hasattr(given, "dist") and hasattr(given, "ppf"):
        given = {"distribution": given.dist.name, "args": list(given.args), **_unless_empty(named=dict(given.kwds))}
    try:
        made = dimension(given)
    except InputError as error:
        raise InputError(f"space of {name!r}: {error}") from None
    if isinstance(made, Choice):
        return list(made.values)
    plain = {f.name: getattr(made, f.name) for f in fields(made)}  # type: ignore[arg-type]
    if isinstance(made, Drawn):
        plain["args"] = list(made.args)
        return {k: v for k, v in plain.items() if v is not None}
    return plain


def _unless_empty(*, named: dict[str, Any]) -> dict[str, Any]:
    return {"named": named} if named else {}


def dimension(given: Any) -> Dimension:
    """The dimension that plain data describe."""
    if isinstance(given, Mapping):
        return _described(given)
    if isinstance(given, (str, bytes)) or not isinstance(given, (Sequence, np.ndarray)):
        raise InputError(
            "values must be a list, bounds such as (0.01, 100) or {'low': 0.01, 'high': 100, 'log': True}, or a frozen "
            f"distribution of scipy.stats, got {given!r}"
        )
    values = tuple(given.tolist() if isinstance(given, np.ndarray) else given)
    if not values:
        raise InputError("values must be at least one, got none")
    return Choice(tuple(_each_once(values)))


def _each_once(values: Sequence[Any]) -> list[Any]:
    """The values without repetitions, which would be tried, and counted, twice."""
    found: list[Any] = []
    for value in values:
        if not any(_same(value, known) for known in found):
            found.append(value)
    return found


def _same(a: Any, b: Any) -> bool:
    """Whether two values are one; 1 and 1.0 are two, since estimators may take one for a number and one for a share."""
    try:
        return a is b or (type(a) is type(b) and bool(a == b))
    except ValueError:  # arrays
        return False


def _described(given: Mapping[str, Any]) -> Dimension:
    kind: type[Drawn | Range] = Drawn if "distribution" in given else Range
    known = [f.name for f in fields(kind)]
    for key in given:
        if key not in known:
            raise UnknownName.among("key of bounds or of a distribution", str(key), known)
    lacking = [n for n in ("low", "high") if kind is Range and n not in given]
    if lacking:
        raise InputError(f"bounds must have low and high, or distribution, got {dict(given)!r}")
    return kind(**given)


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
