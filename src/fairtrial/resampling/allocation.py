"""How rows are dealt out: what the schemes share. Where the target has classes, each part gets about their balance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.notices import check
from fairtrial.resampling.split import Indices


def check_at_least(name: str, value: int, smallest: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < smallest:
        raise InputError(f"{name} must be a whole number of at least {smallest}, got {value!r}")


def check_share(name: str, value: float) -> None:
    if not isinstance(value, (int, float)) or not 0 < value < 1:
        raise InputError(f"{name} must lie strictly between 0 and 1, got {value!r}")


def times(repeats: int, scheme: str) -> str:
    """The name of a repeated scheme: '30× holdout', and 'holdout' for one."""
    return f"{repeats}× {scheme}" if repeats > 1 else scheme


def refuse_structure(dataset: Dataset, keeps: str = "nothing") -> None:
    """Refuse data with groups or an order that a scheme does not keep: ``keeps`` is groups, order or nothing."""
    check("resampled data", dataset, keeps)


def strata(dataset: Dataset, stratify: bool) -> NDArray[np.int64]:
    """The class of each row, or all the same where classes play no role."""
    refuse_structure(dataset)
    if stratify and dataset.task == "classes":
        return dataset.codes
    return np.zeros(dataset.n, dtype=np.int64)


def spread(strata: NDArray[np.int64], random: np.random.RandomState) -> Indices:
    """Row numbers, stratum after stratum, shuffled inside each: dealing them out in turn keeps the balance."""
    shuffled = random.permutation(len(strata))
    order: Indices = shuffled[np.argsort(strata[shuffled], kind="stable")].astype(np.int32)
    return order


def even_positions(chosen: int, n: int, *, start: int) -> NDArray[np.int64]:
    """Positions of ``chosen`` of ``n`` places, as evenly spread as whole numbers allow.

    If ``start`` is drawn from 0 to n − 1, each place has the same chance, also the places of a rare class.
    """
    positions: NDArray[np.int64] = (np.arange(chosen) * n + start) // chosen
    return positions


def proportional_turns(strata: NDArray[np.intp]) -> NDArray[np.float64]:
    """The turn of each row, so that any beginning has each stratum in proportion, and one of each first.

    >>> proportional_turns(np.array([0, 0, 0, 1]))
    array([0.  , 0.33, 0.67, 0.  ])
    """
    counts = np.bincount(strata)
    order = np.argsort(strata, kind="stable")
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    found = np.empty(len(strata))
    found[order] = (np.arange(len(strata)) - starts[strata[order]]) / counts[strata[order]]
    return found
