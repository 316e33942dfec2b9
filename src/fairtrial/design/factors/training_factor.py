"""The protocol of factors of the training data, and the training data that they act on."""

# ruff: noqa: ARG002 - what one factor does not look at, another does

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.design.factors.level_values import Number, Role, as_role
from fairtrial.errors import InputError
from fairtrial.resampling import Split
from fairtrial.tables import formats
from fairtrial.words import shown


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
