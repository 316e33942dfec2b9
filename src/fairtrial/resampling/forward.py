"""Forward in time: trains on what came before, tests on what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling.allocation import check_at_least, refuse_structure
from fairtrial.resampling.split import Dependence, Split


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
