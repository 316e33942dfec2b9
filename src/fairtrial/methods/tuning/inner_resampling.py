"""Inner splits: the training rows of a trial split once more, to choose a configuration without the test rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling import Forward, GroupKFold, KFold, OwnSplits, RepeatedKFold, Resampling, Seeds, parse

Pairs = Sequence[tuple[NDArray[Any], NDArray[Any]]]


@dataclass(frozen=True, slots=True, eq=False)
class InnerSplits:
    """Inner splits of the training rows of a trial, and the facts about the data set that scoring needs.

    ``pairs`` has a training and a test set for each split, as positions among the training rows. ``scheme`` describes
    the split scheme in words. ``task`` is ``"classes"`` or ``"values"``; if it is empty, the kind of estimator decides.
    ``classes`` are all classes of the data set, sorted, even if the training rows lack some. ``positive`` is the
    positive class of binary measures.
    """

    pairs: Pairs
    scheme: str = "own splits"
    task: str = ""
    classes: tuple[Any, ...] = ()
    positive: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some rows as a resampling sees a data set. A Dataset would refuse a class of one instance; here it may be."""

    name: str
    target: NDArray[Any]
    task: str
    groups: NDArray[Any] | None = None
    order: NDArray[np.float64] | None = None
    classes: tuple[Any, ...] = field(init=False)
    codes: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        labels = self.target if self.task == "classes" else np.zeros(0)
        names, codes = np.unique(labels, return_inverse=True)
        object.__setattr__(self, "classes", tuple(names.tolist()))
        object.__setattr__(self, "codes", codes.reshape(-1).astype(np.int64))

    @classmethod
    def of(cls, dataset: Dataset, rows: NDArray[np.int32], target: NDArray[Any]) -> Rows:
        """Rows of a data set, with the target that is learned from.

        Copies of one row, as in a bootstrap sample, are a group: otherwise a row could be in the training and the test
        set.
        """
        groups = None if dataset.groups is None else dataset.groups[rows]
        if groups is None and len(np.unique(rows)) < len(rows):
            groups = rows
        order = None if dataset.order is None else dataset.order[rows]
        return cls(dataset.name, target, dataset.task, groups, order)

    @property
    def n(self) -> int:
        return len(self.target)

    @property
    def X(self) -> NDArray[np.float64]:  # noqa: N802 - as a data set calls it; splitters of scikit-learn take its length
        return np.zeros((self.n, 1))


def as_inner(given: Any) -> Resampling:
    """An inner scheme from its spelling, or as it is; refused where it can't be made anew for each training set."""
    scheme = parse(given) if isinstance(given, str) else given
    if isinstance(scheme, type) or not hasattr(scheme, "splits") or not hasattr(scheme, "dependence"):
        raise InputError(f"inner must be a resampling such as '5-fold' or KFold(5), got {given!r}")
    if isinstance(scheme, Seeds):
        raise InputError(scheme.refusal("inner"))
    if isinstance(scheme, OwnSplits):
        raise InputError("inner must be a scheme that is made anew for each training set, got splits of your own")
    if scheme.dependence().optimistic:
        raise InputError(f"inner must test on rows that were not learned from, got {given!r}; use '5-fold'")
    made: Resampling = scheme
    return made


def inner_splits(scheme: Resampling, rows: Rows, seed: int, *, forward: bool = False) -> InnerSplits:
    """Split the training rows; groups stay whole, and with ``forward`` no split learns from later rows.

    A k-fold becomes grouped or forward in time if the rows need it, with at most as many folds as there are rows or
    groups. Any other scheme is used as it is, and refused if it divides groups.
    """
    fitting = _fitting(scheme, rows, forward=forward)
    dealt = rows if isinstance(fitting, Forward) else replace(rows, order=None)  # the study's own splits kept it or not
    splits = list(fitting.splits(cast(Dataset, dealt), seed))
    pairs = [(s.train_rows(), s.test) for s in splits]
    for train, test in pairs:
        if rows.groups is not None and np.isin(rows.groups[test], rows.groups[train]).any():
            raise InputError(f"inner splits must keep groups whole, but {scheme!r} does not; use '5-fold'")
    return InnerSplits(pairs, fitting.dependence().scheme, rows.task)


def _fitting(scheme: Resampling, rows: Rows, *, forward: bool) -> Resampling:
    if not isinstance(scheme, (KFold, RepeatedKFold)):
        return scheme
    if forward:
        return Forward(scheme.folds)
    repeats = scheme.repeats if isinstance(scheme, RepeatedKFold) else 1
    units = rows.n if rows.groups is None else len(np.unique(rows.groups))
    folds = max(2, min(scheme.folds, units))
    if rows.groups is not None:
        return GroupKFold(folds, repeats, scheme.stratify)
    return RepeatedKFold(folds, repeats, scheme.stratify)
