"""Cross-validation: every instance is tested once in each repeat, by a model that did not see it.

Splits are made here rather than by scikit-learn, so that they stay the same under every version of it.

Cross-validation that keeps rows together which belong together: patients, users, sessions, families of molecules.

Forward in time: trains on what came before, tests on what comes next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.resampling.allocation import check_at_least, refuse_structure, spread, strata, times
from fairtrial.resampling.split import Dependence, Split, generator


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


@dataclass(frozen=True, slots=True)
class GroupKFold:
    r"""k-fold over groups: no group is both trained on and tested; folds as even, in size and classes, as they allow.

    Needs a data set with ``groups``. They are dealt out largest first, each to the fold f with the smallest

    .. math:: \frac{n_f\, g}{n^2} + \sum_c \frac{n_{fc}\, g_c}{n_c^2},

    :math:`n_f` and :math:`n_{fc}` being what the fold has already, in all and of class c, and :math:`g`, :math:`g_c`
    what the group brings: it goes where least of its kind is. Without classes (or ``stratify=False``) that is the
    smallest fold, and no two folds differ by more than the largest group.
    """

    name, written, analysis = "grouped k-fold", "grouped 10-fold", "corrected t"
    use: ClassVar[str] = "rows that belong together: several of one patient, user, session"
    beware: ClassVar[str] = "few or large groups make uneven folds; the number of groups, not of rows, is the evidence"
    folds: int = 10
    repeats: int = 1
    stratify: bool = True

    def __post_init__(self) -> None:
        check_at_least("folds", self.folds, 2)
        check_at_least("repeats", self.repeats, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        if dataset.groups is None:
            raise InputError(
                f"grouped folds need groups, but {dataset.name} declares none; read it with groups='column', "
                "or with groups=range(n) where each instance stands for itself"
            )
        refuse_structure(dataset, keeps="groups")
        names, group = np.unique(dataset.groups, return_inverse=True)
        if len(names) < self.folds:
            raise InputError(
                f"folds must be at most the number of groups, but {dataset.name} has {len(names)} and folds is "
                f"{self.folds!r}; choose fewer folds"
            )
        content = _content(dataset, group.reshape(-1), len(names), self.stratify)
        for repeat in range(self.repeats):
            home = _deal(content, self.folds, generator(seed, "groups", repeat))
            for fold in range(self.folds):
                yield Split(repeat, fold, dataset.n, np.flatnonzero(home[group] == fold).astype(np.int32))

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        scheme = times(self.repeats, f"grouped {self.folds}-fold")
        return Dependence(scheme, self.repeats, self.folds, 1 / self.folds, disjoint=True)


def _content(dataset: Dataset, group: NDArray[np.int64], groups: int, stratify: bool) -> NDArray[np.float64]:
    """The content of each group: its share of all instances, and of those of each class."""
    size = np.bincount(group, minlength=groups)
    columns = [size / dataset.n]
    if stratify and dataset.task == "classes":
        for c in range(len(dataset.classes)):
            own = np.bincount(group[dataset.codes == c], minlength=groups)
            columns.append(own / own.sum())
    return np.column_stack(columns)


def _deal(content: NDArray[np.float64], folds: int, random: np.random.RandomState) -> NDArray[np.int64]:
    """The fold of each group. An empty fold costs nothing, so every fold gets a group."""
    shuffled = random.permutation(len(content))
    largest_first = shuffled[np.argsort(-content[shuffled, 0], kind="stable")]
    held = np.zeros((folds, content.shape[1]))
    home = np.empty(len(content), dtype=np.int64)
    for group in largest_first:
        cost = np.round(held @ content[group], 12)  # shares that are equal must not differ by float noise
        home[group] = fold = int(cost.argmin())
        held[fold] += content[group]
    return home


@dataclass(frozen=True, slots=True)
class Forward:
    """Blocks of time, each tested by a model that was trained on earlier instances only.

    It needs a data set with an ``order``. The latest instances make ``folds`` blocks of n // (folds + 1) instances.
    Each block is tested after training on all earlier instances, or on the last ``window`` of them. ``gap`` instances
    just before the block are left out, for targets that are known only later. Instances of the same time are never
    divided: a block begins with the first instance of its time. Training rows are in order of time.

    Training sizes grow, and neighbouring blocks resemble each other. No known correction makes a test of the blocks of
    one data set valid, so their scores are averaged, and methods are compared over data sets.
    """

    name, written, analysis = "forward", "forward 5", "averaged"
    use: ClassVar[str] = "data with a time, where the future is to be predicted"
    beware: ClassVar[str] = "early models have little to learn from; blocks of one series can't be tested"
    folds: int = 5
    window: int | None = None
    gap: int = 0

    def __post_init__(self) -> None:
        check_at_least("folds", self.folds, 1)
        check_at_least("gap", self.gap, 0)
        if self.window is not None:
            check_at_least("window", self.window, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:  # noqa: ARG002
        if dataset.order is None:
            raise InputError(
                f"splits forward in time need an order, but {dataset.name} declares none; read it with order='column'"
            )
        refuse_structure(dataset, keeps="order")
        rows = np.argsort(dataset.order, kind="stable").astype(np.int32)
        edges = self._edges(dataset.order[rows])
        for fold, (first, end) in enumerate(pairwise(edges)):
            last = max(first - self.gap, 0)
            train = rows[0 if self.window is None else max(last - self.window, 0) : last]
            if first == end or not len(train):
                raise InputError(
                    f"each block must have instances to test and earlier ones to train on, but block {fold} of "
                    f"{dataset.name} ({dataset.n} instances, {len(np.unique(dataset.order))} times) with "
                    f"folds={self.folds!r} and gap={self.gap!r} lacks them; choose fewer folds or a smaller gap"
                )
            yield Split(0, fold, dataset.n, np.sort(rows[first:end]), train=train)

    def _edges(self, time: NDArray[np.float64]) -> list[int]:
        """The edges of the blocks in the order of time; no block begins amid equal times."""
        n = len(time)
        block = n // (self.folds + 1)
        starts = [min(n - (self.folds - fold) * block, n - 1) for fold in range(self.folds)]
        return [int(np.searchsorted(time, time[start])) for start in starts] + [n]

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        how = "growing" if self.window is None else f"sliding window of {self.window}"
        gap = f", gap of {self.gap}" if self.gap else ""
        caution = "blocks of time follow each other: those of one data set are averaged, since no test of them is valid"
        return Dependence(
            f"{self.folds} blocks forward in time ({how}{gap})", 1, self.folds, disjoint=True, caution=caution
        )
