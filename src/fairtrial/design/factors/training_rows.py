"""Factors of the training rows: their number, the balance of their classes, their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.design.factors.level_values import Number, Role
from fairtrial.design.factors.training_factor import Amount, Training, TrainingFactor
from fairtrial.errors import InputError
from fairtrial.resampling.allocation import proportional_turns
from fairtrial.words import shown

MOST_ORDERS = 1000


class TrainingSize(Amount):
    """The number of rows of each training set that are learned from, for learning curves and growth of costs.

    The rows are drawn in proportion to the classes, with at least one row of each class if there is room. A smaller set
    is part of a larger one.

    >>> TrainingSize([50, 0.5, 1]).write(0.5)
    '50 %'
    """

    name = "train_size"
    title = "rows in the training set"
    leaves_out_rows = True

    def offers(self, level: Number, training: Training) -> bool:
        return self.amount(level, len(training.rows)) <= len(training.rows)

    def vary(self, training: Training, level: Number, draw: np.random.RandomState) -> Training:
        chance = draw.random_sample(training.dataset.n)[training.rows]
        order = np.argsort(chance, kind="stable")
        if training.dataset.task == "classes":
            order = order[np.argsort(proportional_turns(training.codes[order]), kind="stable")]
        return training.kept(np.sort(order[: self.amount(level, len(training.rows))]))


@dataclass(frozen=True)
class ClassBalance(TrainingFactor):
    """The share of the positive class among the training rows, for two classes.

    Rows of the class that is too frequent are left out. With ``hold_size`` (the default) all levels have the same
    number of rows, that of the level with the fewest, so that differences come from the balance and not from the size.

    >>> ClassBalance([0.5, 0.1, 0.02]).write(0.02)
    '2 %'
    """

    hold_size: bool = True
    name: ClassVar[str] = "class_balance"
    title: ClassVar[str] = "share of the positive class in training rows"
    rule: ClassVar[str] = "shares between 0 and 1 (0.1 for 10 %)"
    leaves_out_rows: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.hold_size, bool):
            raise InputError(f"hold_size of class_balance must be true or false, got {shown(self.hold_size)}")

    def allows(self, level: Number) -> bool:
        return 0 < level < 1

    def suits(self, dataset: Dataset) -> None:
        if dataset.positive is None:
            raise InputError(f"class_balance needs data sets with two classes, but {dataset.name!r} has not")

    def offers(self, level: Number, training: Training) -> bool:
        return min(self._counts(level, training)) >= 1

    def stands(self, level: Number, training: Training) -> bool:
        positive = self._is_positive(training)
        return abs(int(positive.sum()) - level * len(positive)) <= 0.5 + 1e-9

    def part(self, level: Number) -> object:
        return [level, *sorted(self.levels)] if self.hold_size else level

    @classmethod
    def write(cls, level: Number) -> str:
        return f"{100 * level:g} %"

    def vary(self, training: Training, level: Number, draw: np.random.RandomState) -> Training:
        chance = draw.random_sample(training.dataset.n)[training.rows]
        order = np.argsort(chance, kind="stable")
        positive = self._is_positive(training)[order]
        n_positive, n_negative = self._counts(level, training)
        chosen = np.concatenate([order[positive][:n_positive], order[~positive][:n_negative]])
        return training.kept(np.sort(chosen))

    def _is_positive(self, training: Training) -> NDArray[np.bool_]:
        return np.asarray(training.target == training.dataset.positive)

    def _counts(self, level: Number, training: Training) -> tuple[int, int]:
        """How many positive and negative rows there are at a level."""
        positive = self._is_positive(training)
        there = int(positive.sum()), int((~positive).sum())
        sizes = [_largest(share, *there) for share in (self.levels if self.hold_size else (level,))]
        n = min(sizes)
        n_positive = min(round(level * n), there[0])
        return n_positive, min(n - n_positive, there[1])


def _largest(share: float, positives: int, negatives: int) -> int:
    """The most rows with this share of positives."""
    return int(min(positives / share, negatives / (1 - share)) + 1e-9)


class RowOrder(TrainingFactor):
    """The order of the training rows, for learners that depend on it.

    The levels are numbers of orders, which come in pairs: 0 is the given order and 1 its reverse; 2 is a random order
    and 3 its reverse; and so on. On average over a pair each row is in the middle, so that no row always comes late.

    >>> RowOrder(4).levels
    (0, 1, 2, 3)
    """

    name = "row_order"
    title = "order of the training rows"
    rule = f"an even number of orders (4), or numbers of orders from 0, below {MOST_ORDERS}"

    def __init__(self, levels: int | Sequence[int], *, role: Role = "controllable") -> None:
        even = isinstance(levels, int) and not isinstance(levels, bool) and levels % 2 == 0
        several = even and isinstance(levels, int) and 2 <= levels <= MOST_ORDERS
        object.__setattr__(self, "levels", tuple(range(levels)) if several and isinstance(levels, int) else levels)
        object.__setattr__(self, "role", role)
        self.__post_init__()

    def allows(self, level: Number) -> bool:
        return isinstance(level, int) and 0 <= level < MOST_ORDERS

    def changes(self, level: Number) -> bool:
        return level > 0

    def vary(self, training: Training, level: Number, draw: np.random.RandomState) -> Training:
        order = np.arange(len(training.rows))
        for _ in range(int(level) // 2):
            order = draw.permutation(len(training.rows))
        return training.kept(order[::-1] if level % 2 else order)
