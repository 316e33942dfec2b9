"""Cross-validation: every instance is tested once in each repeat, by a model that did not see it.

Splits are made here rather than by scikit-learn, so that they stay the same under every version of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from fairtrial.data import Dataset
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.resampling.allocation import check_at_least, refuse_structure, spread, strata
from fairtrial.resampling.seeds import generator
from fairtrial.resampling.split import Dependence, Split


@door
@dataclass(frozen=True, slots=True)
class KFold:
    """k-fold cross-validation: every instance is tested once, by the model that did not see it.

    Stratified by default: each fold has about the class balance of the whole.
    The test sets are disjoint, but the training sets overlap: scores of the folds are not independent.
    """

    name, written, analysis = "k-fold", "10-fold", "corrected t"
    use: ClassVar[str] = "many data sets, or little time: over data sets only the mean counts"
    beware: ClassVar[str] = "one partition is partly luck; on one data set its test is conservative"
    folds: int = 10
    stratify: bool = True

    def __post_init__(self) -> None:
        check_at_least("folds", self.folds, 2)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        return RepeatedKFold(self.folds, 1, self.stratify).splits(dataset, seed)

    def dependence(self, dataset: Dataset | None = None) -> Dependence:
        return RepeatedKFold(self.folds, 1, self.stratify).dependence(dataset)


@door
@dataclass(frozen=True, slots=True)
class RepeatedKFold:
    """k-fold cross-validation, repeated on fresh partitions; 10×10 by default.

    More repeats reduce the luck of the partition; they are not new data.
    Reference: Bouckaert & Frank (2004), PAKDD, doi:10.1007/978-3-540-24775-3_3.
    """

    name, written, analysis = "repeated k-fold", "10x10-fold", "corrected t"
    use: ClassVar[str] = "a usual data set; the default"
    beware: ClassVar[str] = "repeats are not new data: a plain t-test on folds or runs finds what is not there"
    folds: int = 10
    repeats: int = 10
    stratify: bool = True

    def __post_init__(self) -> None:
        check_at_least("folds", self.folds, 2)
        check_at_least("repeats", self.repeats, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        if self.folds > dataset.n:
            raise InputError(
                f"folds must be at most the number of instances, but {dataset.name} has {dataset.n} and "
                f"folds is {self.folds!r}; choose fewer folds or leave the data set out"
            )
        rows = strata(dataset, self.stratify)
        for repeat in range(self.repeats):
            order = spread(rows, generator(seed, "partition", repeat))
            for fold in range(self.folds):
                test = np.sort(order[fold :: self.folds]).astype(np.int32)
                yield Split(repeat, fold, dataset.n, test)

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        prefix = f"{self.repeats}×" if self.repeats > 1 else ""
        return Dependence(f"{prefix}{self.folds}-fold", self.repeats, self.folds, 1 / self.folds, disjoint=True)


@dataclass(frozen=True, slots=True)
class FiveByTwo:
    """Five repeats of two halves: a method is trained on one half and tested on the other.

    Inside a repeat the training sets are disjoint too, but each has only half of the data. The tests for this scheme
    (Dietterich's t, Alpaydın's F) are liberal if accuracy is near chance and n is small.
    References: Dietterich (1998), doi:10.1162/089976698300017197; Alpaydın (1999), doi:10.1162/089976699300016007.
    """

    name, written, analysis = "5x2", "5x2", "corrected t"
    use: ClassVar[str] = "comparing two methods with ten fits each; repeating a published 5×2 study"
    beware: ClassVar[str] = "trains on half of the data: the level is pessimistic, the more so where data are few"
    stratify: bool = True

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        return RepeatedKFold(2, 5, self.stratify).splits(dataset, seed)

    def dependence(self, dataset: Dataset | None = None) -> Dependence:
        return RepeatedKFold(2, 5, self.stratify).dependence(dataset)


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """Each instance is tested by the model that was trained on all others.

    The splits are not random, so repeats would give the same. The estimate is nearly unbiased, but has a high variance,
    and needs as many fits as there are instances. The score of one instance is 0 or 1, so measures that are not
    averages over instances (AUC, recall, R²) are pooled instead. With balanced classes it misleads: without the tested
    instance its class is the rarer one, so that a majority vote is always wrong. It is related to the jackknife, but
    not the same.
    """

    name, written, analysis = "leave-one-out", "leave-one-out", "corrected t"
    use: ClassVar[str] = "very small data, deterministic methods, methods that are refitted cheaply"
    beware: ClassVar[str] = "high variance, n fits; the tested instance's class is always rarer in training"

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:  # noqa: ARG002
        refuse_structure(dataset)
        for row in range(dataset.n):
            yield Split(0, row, dataset.n, np.array([row], dtype=np.int32))

    def dependence(self, dataset: Dataset | None = None) -> Dependence:
        general = Dependence("leave-one-out", 1, 0, disjoint=True)
        return general if dataset is None else replace(general, folds=dataset.n, test_share=1 / dataset.n)
