"""The contract of measures, checked on made-up predictions."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import ContractError, InputError
from fairtrial.measures import Measure, check_classes, compute, from_records, function, get
from fairtrial.measures.resources import SIZES
from fairtrial.store import RESOURCES

CLASSES = (2, 3)
INSTANCES = 60


def check_measure(measure: str | Callable[..., float]) -> None:
    """Check that a registered measure, given by name or as its function, keeps the contract of all measures.

    - its facts make sense: worst and best differ (or both are nan: neither way is better), it has a docstring;
    - it gives one number per fold, the same for a fold alone and among others, and nan for an empty one;
    - the order of the rows does not matter; equal weights change nothing, a weight of 2 is an instance twice, a weight
      of 0 is none;
    - perfect predictions are not worse than others, and everything lies between worst and best;
    - one instance, one class, constant predictions give a number in range or nan: no exception, no warning;
    - the function for plain arrays says the same as :func:`fairtrial.measures.compute`.

    A contract can't tell whether the formula is the one that was meant: work one asymmetric example by hand as well.

    >>> from fairtrial import measures
    >>> from fairtrial.measures import PerClass, measure
    >>> @measure("Hits", of=PerClass, worst=0.0, best=1.0)
    ... def hits(c):
    ...     "Hits, which depend on how many instances there are."
    ...     return c.tp
    >>> try:
    ...     check_measure("hits")
    ... except ContractError as error:
    ...     print(error)
    hits breaks the contract of measures:
    - values must lie between worst (0) and best (1), got 30
    - equal weights must change nothing, got 6 with weights of 0.3 and 20 without
    - an empty fold must be nan, got 0
    >>> measures.forget("hits")
    """
    facts = get(measure if isinstance(measure, str) else getattr(measure, "__name__", repr(measure)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        broken = list({text.split(", got ")[0]: text for text in reversed(list(_broken(facts)))}.values())[::-1]
    if broken:
        raise ContractError(f"{facts.name} breaks the contract of measures:\n" + "\n".join(f"- {b}" for b in broken))


def _broken(facts: Measure) -> Iterator[str]:
    yield from _facts(facts)
    if facts.from_trials:
        yield from _tried(lambda: _records(facts))
        return
    for k in _tried_on(facts):
        case = _Case(facts, k)
        for part in (_range, _weights, _order, _folds, _degenerate, _public):
            yield from _tried(lambda part=part, case=case: part(case))  # type: ignore[misc]


def _tried_on(facts: Measure) -> Iterator[int]:
    """Numbers of classes that a measure is tried on; some options allow only two."""
    for k in CLASSES if facts.task == "classes" else (0,):
        try:
            check_classes(facts.name, k)
        except InputError:
            continue
        yield k


def _tried(part: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Sentences on all that a part of the contract finds; an exception is a finding too."""
    try:
        yield from list(part())
    except Exception as error:  # noqa: BLE001 - errors of a formula are findings
        yield f"no input of the right shape may raise or warn, got {type(error).__name__}: {error}"


def _facts(facts: Measure) -> Iterator[str]:
    if math.isnan(facts.worst) != math.isnan(facts.best) or facts.worst == facts.best:
        yield f"worst and best must differ, or both be nan, got {facts.worst:.6g} and {facts.best:.6g}"
    if not facts.title or not facts.doc:
        yield "a title and a docstring must say what it is"


@dataclass(frozen=True, slots=True)
class _Case:
    """A measure and the number of classes that it is tried on; 0 for a numeric target."""

    facts: Measure
    n_classes: int

    @property
    def truth(self) -> NDArray[Any]:
        if self.n_classes:
            return np.arange(INSTANCES) % self.n_classes
        return np.random.default_rng(1).normal(size=INSTANCES) ** 2 + 0.5  # positive: some measures take logarithms

    def channels(self, seed: int | None, truth: NDArray[Any] | None = None) -> dict[str, NDArray[Any]]:
        """Random predictions, or perfect ones without a seed."""
        truth = self.truth if truth is None else truth
        rng = np.random.default_rng(seed)
        if not self.n_classes:
            value = truth if seed is None else truth * rng.uniform(0.3, 1.7, len(truth))
            spread, levels = np.full(len(truth), 0.5), np.tile([0.1, 0.5], (len(truth), 1))
            low = value if seed is None else value - spread
            of_quantiles = {"low": low, "high": value, "quantiles": np.column_stack([low, value]), "levels": levels}
            return {"value": value, "std": spread, "naive_scale": spread, **of_quantiles}
        right = np.eye(self.n_classes)[truth]
        p = right if seed is None else 0.3 * right + 0.7 * rng.dirichlet(np.ones(self.n_classes), len(truth))
        score = p[:, 1] if self.n_classes == 2 else p
        return {"label": p.argmax(axis=1), "probability": p, "score": score}

    def values(
        self,
        channels: dict[str, NDArray[Any]],
        truth: NDArray[Any] | None = None,
        folds: NDArray[Any] | None = None,
        weights: NDArray[Any] | None = None,
    ) -> NDArray[np.float64]:
        found = compute(
            [self.facts.name],
            truth=self.truth if truth is None else truth,
            channels=channels,
            folds=folds,
            classes=self.n_classes or None,
            weights=weights,
        )
        return found[self.facts.name]

    def value(self, channels: dict[str, NDArray[Any]], **given: Any) -> float:
        return float(self.values(channels, **given)[0])


def _same(a: float, b: float) -> bool:
    return bool(np.isclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True))


def _outside(facts: Measure, value: float) -> bool:
    low, high = sorted((facts.worst, facts.best))
    return bool(value < low - 1e-12 or value > high + 1e-12)


def _range(case: _Case) -> Iterator[str]:
    facts = case.facts
    perfect = case.value(case.channels(None))
    others = [case.value(case.channels(seed)) for seed in range(5)]
    if not facts.directed:
        return
    for value in (perfect, *others):
        if case.n_classes < 3 and _outside(facts, value):
            yield f"values must lie between worst ({facts.worst:.6g}) and best ({facts.best:.6g}), got {value:.6g}"
            return
    sign = 1 if facts.higher_is_better else -1
    best_other = max(sign * v for v in others)
    if sign * perfect < best_other:  # not so where it is undefined
        yield f"perfect predictions must not be worse than others, got {perfect:.6g} and {sign * best_other:.6g}"


def _weights(case: _Case) -> Iterator[str]:
    channels = case.channels(0)
    plain = case.value(channels)
    equal = case.value(channels, weights=np.full(INSTANCES, 0.3))
    if not _same(equal, plain):
        yield f"equal weights must change nothing, got {equal:.6g} with weights of 0.3 and {plain:.6g} without"
    times = np.arange(INSTANCES) // 3 % 3
    repeated = {name: np.repeat(c, times, axis=0) for name, c in channels.items()}
    weighted = case.value(channels, weights=times.astype(float))
    twice = case.value(repeated, truth=np.repeat(case.truth, times))
    if not _same(weighted, twice):
        yield f"a weight of 2 must be an instance twice and 0 none, got {weighted:.6g} and {twice:.6g}"


def _order(case: _Case) -> Iterator[str]:
    channels, rows = case.channels(0), np.random.default_rng(3).permutation(INSTANCES)
    plain = case.value(channels)
    mixed = case.value({name: c[rows] for name, c in channels.items()}, truth=case.truth[rows])
    if not _same(plain, mixed):
        yield f"the order of the rows must not matter, got {plain:.6g} and {mixed:.6g}"


def _folds(case: _Case) -> Iterator[str]:
    channels = case.channels(0)
    folds = np.where(np.arange(INSTANCES) < INSTANCES // 3, 2, 0)  # fold 1 is empty
    found = case.values(channels, folds=folds)
    if found.shape != (3,):
        yield f"there must be one value for each of 3 folds, got the shape {found.shape}"
        return
    for fold in (0, 2):
        own = folds == fold
        alone = case.value({name: c[own] for name, c in channels.items()}, truth=case.truth[own])
        if not _same(float(found[fold]), alone):
            yield f"a fold must be the same alone and among others, got {alone:.6g} and {float(found[fold]):.6g}"
    if not math.isnan(found[1]):
        yield f"an empty fold must be nan, got {float(found[1]):.6g}"


def _degenerate(case: _Case) -> Iterator[str]:
    """Check degenerate input: one instance, one class, constant predictions."""
    few = case.truth[:1]
    same = np.full(10, case.truth[0])
    constant = {name: np.repeat(c[:1], INSTANCES, axis=0) for name, c in case.channels(0).items()}
    values = [
        case.value(case.channels(0, few), truth=few),
        case.value(case.channels(0, same), truth=same),
        case.value(constant),
    ]
    for value in values:
        if case.facts.directed and case.n_classes < 3 and _outside(case.facts, value):
            yield f"one instance, one class or constant predictions must give nan or a value in range, got {value:.6g}"


def _public(case: _Case) -> Iterator[str]:
    channels = case.channels(0)
    plain = function(case.facts.name)(case.truth, *(channels[n] for n in case.facts.needs))
    bulk = case.value(channels)
    if not _same(plain, bulk):
        yield f"the function and compute must agree, got {plain:.6g} and {bulk:.6g}"


def _records(facts: Measure) -> Iterator[str]:
    amounts = np.array([1.0, 2.0, 6.0])
    found = from_records([facts.name], dict.fromkeys((*RESOURCES, *SIZES), amounts))[facts.name]
    if found.shape != amounts.shape or not np.isfinite(found).all():
        yield f"there must be one value for each of 3 trials, got {found!r}"
    missing = from_records([facts.name], {"n_test": amounts})[facts.name]
    if not np.isnan(missing).all():
        yield f"what was not recorded must be nan, got {missing!r}"
