"""The smaller training sets on which successive halving tries configurations first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.methods.tuning.inner_resampling import Pairs
from fairtrial.resampling import Split, generator
from fairtrial.resampling.allocation import turns

__all__ = ["fewest_rows", "part"]

FEWEST = 20
FEWEST_PER_CLASS = 5


def fewest_rows(classes: NDArray[Any] | None) -> int:
    """So many training rows the first rung must have: 20, and 5 for each class."""
    return FEWEST if classes is None else max(FEWEST, FEWEST_PER_CLASS * len(classes))


def part(pairs: Pairs, y: NDArray[Any], size: int, classes: NDArray[Any] | None) -> Pairs:
    """The same splits with so many training rows each.

    Each class is there in proportion, and a smaller set is part of a larger one. Which rows are taken depends on the
    split alone: the same for all methods.
    """
    return [(_some(train, test, y, size, classes), test) for train, test in pairs]


def _some(
    train: NDArray[Any], test: NDArray[Any], y: NDArray[Any], size: int, classes: NDArray[Any] | None
) -> NDArray[Any]:
    split = Split(0, 0, len(y), np.asarray(test, dtype=np.int32), np.asarray(train, dtype=np.int32))
    order = generator("halving", split.digest()).permutation(len(train))
    if classes is not None:
        codes = np.unique(y[train], return_inverse=True)[1].reshape(-1)
        order = order[np.argsort(turns(codes[order]), kind="stable")]
    chosen: NDArray[Any] = train[np.sort(order[:size])]
    return chosen
