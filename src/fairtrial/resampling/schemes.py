"""Holdout, k-fold and repeated k-fold; stratified where the target has classes.

The splits of repeat r depend on the seed and on r only, so that more repeats extend a study.
They are made here rather than by scikit-learn, so that they stay the same under every version of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling.seeds import generator
from fairtrial.resampling.split import Dependence, Indices, Split

__all__ = ["SCHEMES", "Holdout", "KFold", "RepeatedKFold", "Resampling", "describe", "parse"]


class Resampling(Protocol):
    """How a data set is split, and how the splits depend on each other."""

    name: ClassVar[str]

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]: ...

    def dependence(self) -> Dependence: ...


@dataclass(frozen=True, slots=True)
class KFold:
    """k-fold cross-validation: every instance is tested once, by the model that did not see it.

    Stratified by default: each fold has about the class balance of the whole.
    The test sets are disjoint, but the training sets overlap: scores of the folds are not independent.
    """

    name: ClassVar[str] = "k-fold"
    folds: int = 10
    stratify: bool = True

    def __post_init__(self) -> None:
        _at_least("folds", self.folds, 2)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        return RepeatedKFold(self.folds, 1, self.stratify).splits(dataset, seed)

    def dependence(self) -> Dependence:
        return RepeatedKFold(self.folds, 1, self.stratify).dependence()


@dataclass(frozen=True, slots=True)
class RepeatedKFold:
    """k-fold cross-validation, repeated on fresh partitions; 10×10 by default.

    More repeats reduce the luck of the partition; they are not new data.
    Reference: Bouckaert & Frank (2004), PAKDD, doi:10.1007/978-3-540-24775-3_3.
    """

    name: ClassVar[str] = "repeated k-fold"
    folds: int = 10
    repeats: int = 10
    stratify: bool = True

    def __post_init__(self) -> None:
        _at_least("folds", self.folds, 2)
        _at_least("repeats", self.repeats, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        if self.folds > dataset.n:
            raise InputError(
                f"folds must be at most the number of instances, but {dataset.name} has {dataset.n} and "
                f"folds is {self.folds!r}; choose fewer folds or leave the data set out"
            )
        strata = _strata(dataset, self.stratify)
        for repeat in range(self.repeats):
            order = _spread(strata, generator(seed, "partition", repeat))
            for fold in range(self.folds):
                test = np.sort(order[fold :: self.folds]).astype(np.int32)
                yield Split(repeat, fold, dataset.n, test)

    def dependence(self) -> Dependence:
        prefix = f"{self.repeats}×" if self.repeats > 1 else ""
        return Dependence(f"{prefix}{self.folds}-fold", self.repeats, self.folds, 1 / self.folds, disjoint=True)


@dataclass(frozen=True, slots=True)
class Holdout:
    """A random share of the instances is tested, the rest trains; once, or repeated on fresh draws.

    Test sets of repeated holdout overlap: the plain t-test on them rejects far too often.
    """

    name: ClassVar[str] = "holdout"
    test_share: float = 1 / 3
    repeats: int = 1
    stratify: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.test_share, (int, float)) or not 0 < self.test_share < 1:
            raise InputError(f"test_share must lie strictly between 0 and 1, got {self.test_share!r}")
        _at_least("repeats", self.repeats, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        n_test = round(self.test_share * dataset.n)
        if not 0 < n_test < dataset.n:
            raise InputError(
                f"test_share must leave instances on both sides, but {self.test_share!r} of the "
                f"{dataset.n} of {dataset.name} is {n_test}; choose another share"
            )
        strata = _strata(dataset, self.stratify)
        for repeat in range(self.repeats):
            random = generator(seed, "holdout", repeat)
            order = _spread(strata, random)
            chosen = order[_evenly(n_test, dataset.n, start=int(random.randint(dataset.n)))]
            yield Split(repeat, 0, dataset.n, np.sort(chosen).astype(np.int32))

    def dependence(self) -> Dependence:
        prefix = f"{self.repeats}× " if self.repeats > 1 else ""
        scheme = f"{prefix}holdout of {100 * self.test_share:.3g} %"
        return Dependence(scheme, self.repeats, 1, self.test_share, disjoint=False)


SCHEMES: tuple[type[KFold] | type[RepeatedKFold] | type[Holdout], ...] = (Holdout, KFold, RepeatedKFold)


def parse(text: str) -> Resampling:
    """A scheme from the way people write it.

    >>> parse("10x10-fold")
    RepeatedKFold(folds=10, repeats=10, stratify=True)
    >>> parse("5-fold"), parse("30x holdout 0.5")
    (KFold(folds=5, stratify=True), Holdout(test_share=0.5, repeats=30, stratify=True))
    """
    wanted = str(text).strip().lower().replace("×", "x")
    fold = re.fullmatch(r"(?:(\d+)\s*x\s*)?(\d+)[\s-]*folds?(?:\s*(?:cv|cross[\s-]*validation))?", wanted)
    if fold:
        repeats, folds = int(fold[1] or 1), int(fold[2])
        return KFold(folds) if repeats == 1 else RepeatedKFold(folds, repeats)
    holdout = re.fullmatch(r"(?:(\d+)\s*x\s*)?holdout(?:\s+(?:of\s+)?(\d*\.?\d+)\s*(%)?)?", wanted)
    if holdout:
        share = float(holdout[2]) / (100 if holdout[3] else 1) if holdout[2] else 1 / 3
        return Holdout(share, int(holdout[1] or 1))
    raise InputError(
        f"resampling must read like '10-fold', '10x10-fold', 'holdout 0.3' or '30x holdout 0.3', got {text!r}"
    )


def describe(scheme: Resampling) -> dict[str, Any]:
    """The scheme as plain data, for the study file."""
    if not is_dataclass(scheme):
        raise InputError(f"a resampling must be a dataclass, so that it can be written down, got {scheme!r}")
    parameters: dict[str, Any] = asdict(scheme)
    return {"scheme": scheme.name, **parameters}


def _at_least(name: str, value: int, smallest: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < smallest:
        raise InputError(f"{name} must be a whole number of at least {smallest}, got {value!r}")


def _strata(dataset: Dataset, stratify: bool) -> NDArray[np.int64]:
    if dataset.groups is not None:
        raise InputError(
            f"{dataset.name} declares groups, and this resampling would tear them apart; "
            "drop the groups, or give splits that keep them together"
        )
    if stratify and dataset.task == "classes":
        return dataset.codes
    return np.zeros(dataset.n, dtype=np.int64)


def _spread(strata: NDArray[np.int64], random: np.random.RandomState) -> Indices:
    """Row numbers, stratum after stratum, shuffled inside each: dealing them out in turn keeps the balance."""
    shuffled = random.permutation(len(strata))
    order: Indices = shuffled[np.argsort(strata[shuffled], kind="stable")].astype(np.int32)
    return order


def _evenly(chosen: int, n: int, *, start: int) -> NDArray[np.int64]:
    """Positions of ``chosen`` of ``n`` places, as evenly spread as whole numbers allow.

    With ``start`` drawn from 0 to n − 1 each place has the same chance, those of a rare class too.
    """
    positions: NDArray[np.int64] = (np.arange(chosen) * n + start) // chosen
    return positions
