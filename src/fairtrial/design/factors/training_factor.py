"""The protocol of factors of the training data, and the training data that they act on.

Factors of the training rows: their number, the balance of their classes, their order.

Noise: wrong targets and wrong feature values in training rows.

How many features there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.design.factors.method_factor import Number, Role, as_role
from fairtrial.errors import InputError
from fairtrial.resampling import Split, generator
from fairtrial.resampling.allocation import proportional_turns
from fairtrial.tables import formats
from fairtrial.words import shown

if TYPE_CHECKING:
    from fairtrial.data import Dataset

# ruff: noqa: ARG002 - what one factor does not look at, another does


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """The training data of one trial, by row number: which instances, in which order, with which target.

    ``donors`` (rows × features) has, for each value, the instance that it is taken from; if it is None, each instance
    keeps its own values.
    """

    dataset: Dataset
    rows: NDArray[np.int32]
    target: NDArray[Any]
    donors: NDArray[np.int32] | None = None

    @classmethod
    def of(cls, dataset: Dataset, split: Split) -> Training:
        rows = split.train_rows()
        return cls(dataset, rows, dataset.target[rows])

    def kept(self, places: NDArray[np.intp]) -> Training:
        """The rows at these places, in this order."""
        donors = None if self.donors is None else self.donors[places]
        return replace(self, rows=self.rows[places], target=self.target[places], donors=donors)

    @property
    def codes(self) -> NDArray[np.intp]:
        """The target as positions among the data set's classes."""
        return np.searchsorted(np.asarray(self.dataset.classes), self.target)


@dataclass(frozen=True)
class TrainingFactor(ABC):
    """A property of the training data that is varied on purpose: a name and levels. Subclasses say what a level does.

    ``role="uncontrollable"`` makes it a block: every setting of the controllable factors is run at all its levels.
    """

    levels: tuple[Number, ...]
    role: Role = field(default="controllable", kw_only=True, repr=False)
    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    rule: ClassVar[str] = "numbers"
    leaves_out_rows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        given = self.levels
        if isinstance(given, (str, bytes)) or not isinstance(given, (Sequence, np.ndarray)):
            raise InputError(f"levels of {self.name} must be a list of {self.rule}, got {shown(given)}")
        levels = tuple(_number(v) for v in given)
        for level in levels:
            if isinstance(level, bool) or not isinstance(level, (int, float)) or not self.allows(level):
                raise InputError(f"levels of {self.name} must be {self.rule}, got {shown(level)}")
        if not levels or len(set(levels)) < len(levels):
            raise InputError(f"levels of {self.name} must be one or more, each once, got {list(levels)}")
        object.__setattr__(self, "levels", levels)
        as_role(self.name, self.role)

    @property
    def kind(self) -> str:
        """The kind of its levels, in words."""
        return "training data"

    @abstractmethod
    def allows(self, level: Number) -> bool:
        """Whether a value can be a level at all."""

    def suits(self, dataset: Dataset) -> None:  # noqa: B027 - most factors suit every data set
        """Refuse a data set for which no level has a meaning."""

    def offers(self, level: Number, training: Training) -> bool:
        """Whether these training data have what the level needs."""
        return True

    def stands(self, level: Number, training: Training) -> bool:
        """Whether training data that other factors have changed as well are still at the level."""
        return True

    def changes(self, level: Number) -> bool:
        """Whether the level does anything: a trial at one that does nothing is the same as without the factor."""
        return True

    def part(self, level: Number) -> object:
        """The part of a level that determines the numbers, for the trial's key."""
        return level

    def narrow(self, dataset: Dataset, level: Number, seed: int) -> Dataset:
        """The data set, for training and test, with fewer features."""
        return dataset

    def vary(self, training: Training, level: Number, draw: np.random.RandomState) -> Training:
        """The training data at a level. ``draw`` gives the same numbers at every level."""
        return training

    @classmethod
    def write(cls, level: Number) -> str:
        """A level in words."""
        return f"{level:g}"

    def in_words(self) -> str:
        """All levels in words."""
        return ", ".join(map(self.write, self.levels))

    def to_dict(self) -> dict[str, Any]:
        """The factor as plain data, as the study file keeps it."""
        values = {f.name: _plain(getattr(self, f.name)) for f in fields(self) if f.name != "role"}
        role = {} if self.role == "controllable" else {"role": self.role}
        return {"name": self.name, **values, **role}


class Share(TrainingFactor):
    """A factor whose levels are shares, 0 for none."""

    rule = "shares from 0 up to, but not including, 1 (0.05 for 5 %)"

    def allows(self, level: Number) -> bool:
        return 0 <= level < 1

    def changes(self, level: Number) -> bool:
        return level > 0

    @classmethod
    def write(cls, level: Number) -> str:
        return f"{100 * level:g} %"


class Amount(TrainingFactor):
    """A factor whose levels are numbers (from 2), or shares of what there is (1: all of it)."""

    rule = "shares above 0 and up to 1 (all), or whole numbers from 2"

    def allows(self, level: Number) -> bool:
        return 0 < level <= 1 or (level >= 2 and float(level).is_integer())

    def changes(self, level: Number) -> bool:
        return level != 1

    def amount(self, level: Number, n: int) -> int:
        """The number of rows or features, out of n, that a level means."""
        return max(1, round(level * n)) if level <= 1 else int(level)

    @classmethod
    def write(cls, level: Number) -> str:
        if level == 1:
            return "all"
        return f"{100 * level:g} %" if level < 1 else formats.count(int(level))


def _number(value: Any) -> Any:
    """A plain number, whole where it is whole: 50 and 50.0 are one level."""
    value = value.item() if isinstance(value, np.generic) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


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


class LabelNoise(Share):
    """The share of training rows whose target is made wrong.

    A class is replaced by one of the other classes, all equally likely; a value is replaced by that of another training
    row. The number of wrong targets is the share times the number of rows, rounded.

    >>> LabelNoise([0, 0.05, 0.1, 0.2]).changes(0)
    False
    """

    name = "label_noise"
    title = "share of training rows with a wrong target"

    def vary(self, training: Training, level: Number, draw: np.random.RandomState) -> Training:
        n = training.dataset.n
        chance, other = draw.random_sample(n)[training.rows], draw.random_sample(n)[training.rows]
        order = np.argsort(chance, kind="stable")
        wrong = order[: round(level * len(order))]
        target = training.target.copy()
        if training.dataset.task == "classes":
            k = len(training.dataset.classes)
            step = 1 + np.floor(other[wrong] * (k - 1)).astype(np.intp)
            target[wrong] = np.asarray(training.dataset.classes)[(training.codes[wrong] + step) % k]
        else:
            ring = np.argsort(other, kind="stable")
            next_in_ring = np.empty_like(ring)
            next_in_ring[ring] = np.roll(ring, -1)
            target[wrong] = training.target[next_in_ring[wrong]]
        return replace(training, target=target)


class FeatureNoise(Share):
    """The share of feature values in the training rows that are replaced by those of random training rows.

    Each value is replaced with this probability, by the value of the same feature in another row. So numbers,
    categories and missing values are treated alike, and each feature keeps its distribution (after Zhu & Wu 2004,
    doi:10.1007/s10462-004-0751-8).

    >>> FeatureNoise([0, 0.1]).write(0.1)
    '10 %'
    """

    name = "feature_noise"
    title = "share of feature values that are replaced in training rows"

    def vary(self, training: Training, level: Number, draw: np.random.RandomState) -> Training:
        n, p, rows = training.dataset.n, training.dataset.p, training.rows
        chance = draw.random_sample((n, p))[rows]
        giver = np.floor(draw.random_sample((n, p))[rows] * len(rows)).astype(np.intp)
        own = np.repeat(rows[:, None], p, axis=1) if training.donors is None else training.donors
        return replace(training, donors=np.where(chance < level, rows[giver], own).astype(np.int32))


class FeatureCount(Amount):
    """The number of features in training and test data, to see how cost and quality grow with it.

    The features are drawn once for each data set; those of a smaller level are among those of a larger one.

    >>> FeatureCount([4, 16, 1]).write(1)
    'all'
    """

    name = "feature_count"
    title = "features"

    def offers(self, level: Number, training: Training) -> bool:
        return self.amount(level, training.dataset.p) <= training.dataset.p

    def narrow(self, dataset: Dataset, level: Number, seed: int) -> Dataset:
        order = generator(seed, dataset.fingerprint, self.name).permutation(dataset.p)
        columns = np.sort(order[: self.amount(level, dataset.p)])
        return replace(dataset, X=dataset.X[:, columns], features=tuple(dataset.features[j] for j in columns))
