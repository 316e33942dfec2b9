"""Nested cross-validation for an interval of the error; not for tuning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from fairtrial.data import Dataset
from fairtrial.resampling.allocation import check_at_least, times
from fairtrial.resampling.folds import RepeatedKFold
from fairtrial.resampling.split import Dependence, Split


@dataclass(frozen=True, slots=True)
class NestedKFold:
    """Nested k-fold: k outer folds and, inside each training set, k−1 inner folds, for an honest interval of the error.

    A plain interval over the folds of cross-validation is too narrow, because the folds share their data. Here the
    error on each outer fold is compared with the cross-validation error of the rest; the differences between the two
    give the true spread.

    In each repeat folds 0 to k−1 are the outer splits. The inner fold j of outer fold i leaves both folds out of
    training, and so does the inner fold i of outer fold j: one model serves both. Therefore the splits after the outer
    ones are the pairs of :meth:`pairs`, each tested on both folds: k + k(k−1)/2 fits a repeat instead of k².

    Reference: Bates, Hastie & Tibshirani (2023), JASA 119:1434-1445, doi:10.1080/01621459.2023.2197686.
    """

    name, written, analysis = "nested k-fold", "10x nested 10-fold", "averaged"
    use: ClassVar[str] = "an interval for one method's error that keeps its level"
    beware: ClassVar[str] = "many fits (55 a repeat for 10 folds), and many repeats; not for tuning"
    folds: int = 10
    repeats: int = 10
    stratify: bool = True

    def __post_init__(self) -> None:
        check_at_least("folds", self.folds, 3)
        check_at_least("repeats", self.repeats, 1)

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The two outer folds that the splits after the outer ones leave out.

        >>> NestedKFold(folds=3).pairs()
        ((0, 1), (0, 2), (1, 2))
        """
        return tuple(combinations(range(self.folds), 2))

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        outer = RepeatedKFold(self.folds, self.repeats, self.stratify).splits(dataset, seed)
        for repeat in range(self.repeats):
            own = [next(outer) for _ in range(self.folds)]
            yield from own
            for place, (i, j) in enumerate(self.pairs()):
                both = np.sort(np.concatenate([own[i].test, own[j].test]))
                yield Split(repeat, self.folds + place, dataset.n, both)

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        caution = "splits of nested cross-validation are made for an interval of one method's error, not for a test"
        scheme = times(self.repeats, f"nested {self.folds}-fold")
        return Dependence(scheme, self.repeats, self.folds + len(self.pairs()), caution=caution)
