"""Cross-validation that keeps rows together which belong together: patients, users, sessions, families of molecules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling.allocation import check_at_least, refuse_structure, times
from fairtrial.resampling.seeds import generator
from fairtrial.resampling.split import Dependence, Split


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
