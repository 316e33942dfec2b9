"""Factors of the training data: what a learner is given is varied on purpose, and the test data stay as they are.

What is drawn depends on the data set, the split and the study's seed, never on the method: all methods learn from the
same rows, the same noise, the same order. Levels are nested where they can be: the rows of a smaller training set are
among those of a larger one, and what 5 % noise has spoilt is among what 10 % spoils.
"""

# ruff: noqa: ARG002 - what one factor does not look at, another does

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import Split, generator
from fairtrial.resampling.dealing import turns
from fairtrial.tables import Column, Table, formats

__all__ = [
    "FACTORS",
    "ClassBalance",
    "Factor",
    "FeatureCount",
    "FeatureNoise",
    "LabelNoise",
    "Level",
    "RowOrder",
    "Training",
    "TrainingSize",
    "as_factors",
    "factors_table",
    "narrowed",
    "varied",
    "write_levels",
]

Level = float | int


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """The training data of one trial, by row number: which instances, in which order, with which target.

    ``donors`` (rows × features) says from which instance each value is taken; None: each from its own.
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
class Factor:
    """Something that is varied on purpose: a name and its levels. The subclasses say what a level does."""

    levels: tuple[Level, ...]
    name: ClassVar[str] = ""
    title: ClassVar[str] = ""
    rule: ClassVar[str] = "numbers"

    def __post_init__(self) -> None:
        given = self.levels
        if isinstance(given, (str, bytes)) or not isinstance(given, (Sequence, np.ndarray)):
            raise InputError(f"levels of {self.name} must be a list of {self.rule}, got {given!r}")
        levels = tuple(v.item() if isinstance(v, np.generic) else v for v in given)
        for level in levels:
            if isinstance(level, bool) or not isinstance(level, (int, float)) or not self.allows(level):
                raise InputError(f"levels of {self.name} must be {self.rule}, got {level!r}")
        if not levels or len(set(levels)) < len(levels):
            raise InputError(f"levels of {self.name} must be one or more, each once, got {list(levels)}")
        object.__setattr__(self, "levels", levels)

    def allows(self, level: Level) -> bool:
        """Whether it can be a level at all."""
        raise NotImplementedError

    def suits(self, dataset: Dataset) -> None:
        """Refuse a data set for which no level has a meaning."""

    def offers(self, level: Level, dataset: Dataset, split: Split) -> bool:
        """Whether this split of the data set has what the level needs."""
        return True

    def changes(self, level: Level) -> bool:
        """Whether the level does anything: a trial at one that does nothing is the same as without the factor."""
        return True

    def part(self, level: Level) -> object:
        """What of a level determines the numbers, for the trial's key."""
        return level

    def narrow(self, dataset: Dataset, level: Level, seed: int) -> Dataset:
        """The data set, for training and test, with fewer features."""
        return dataset

    def vary(self, training: Training, level: Level, draw: np.random.RandomState) -> Training:
        """The training data at a level. ``draw`` gives the same numbers at every level."""
        return training

    @classmethod
    def write(cls, level: Level) -> str:
        """A level in words."""
        return f"{level:g}"

    def to_dict(self) -> dict[str, Any]:
        """The factor as plain data, as the study file keeps it."""
        return {"name": self.name, **{f.name: _plain(getattr(self, f.name)) for f in fields(self)}}


class _Share(Factor):
    """A factor whose levels are shares, 0 for none."""

    rule = "shares from 0 up to, but not including, 1 (0.05 for 5 %)"

    def allows(self, level: Level) -> bool:
        return 0 <= level < 1

    def changes(self, level: Level) -> bool:
        return level > 0

    @classmethod
    def write(cls, level: Level) -> str:
        return f"{100 * level:g} %"


class _Amount(Factor):
    """A factor whose levels are numbers (from 2), or shares of what there is (1: all of it)."""

    rule = "shares above 0 and up to 1 (all), or whole numbers from 2"

    def allows(self, level: Level) -> bool:
        return 0 < level <= 1 or (level >= 2 and float(level).is_integer())

    def changes(self, level: Level) -> bool:
        return level != 1

    def amount(self, level: Level, n: int) -> int:
        """How many of n."""
        return max(1, round(level * n)) if level <= 1 else int(level)

    @classmethod
    def write(cls, level: Level) -> str:
        if level == 1:
            return "all"
        return f"{100 * level:g} %" if level < 1 else formats.count(int(level))


class TrainingSize(_Amount):
    """How many rows of each training set are learned from: for learning curves and for how cost grows.

    The rows are drawn with each class in proportion, and at least one of each while there is room; a smaller set is
    part of a larger one.

    >>> TrainingSize([50, 0.5, 1]).write(0.5)
    '50 %'
    """

    name = "train_size"
    title = "rows in the training set"

    def offers(self, level: Level, dataset: Dataset, split: Split) -> bool:
        return self.amount(level, split.n_train) <= split.n_train

    def vary(self, training: Training, level: Level, draw: np.random.RandomState) -> Training:
        chance = draw.random_sample(training.dataset.n)[training.rows]
        order = np.argsort(chance, kind="stable")
        if training.dataset.task == "classes":
            order = order[np.argsort(turns(training.codes[order]), kind="stable")]
        return training.kept(np.sort(order[: self.amount(level, len(training.rows))]))


class LabelNoise(_Share):
    """The share of training rows whose target is wrong.

    A class is replaced by one of the others, each as likely; a value by that of another training row. The number of
    wrong targets is the share of the rows, rounded.

    >>> LabelNoise([0, 0.05, 0.1, 0.2]).changes(0)
    False
    """

    name = "label_noise"
    title = "share of training rows with a wrong target"

    def vary(self, training: Training, level: Level, draw: np.random.RandomState) -> Training:
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


class FeatureNoise(_Share):
    """The share of feature values in the training rows that are replaced by those of random training rows.

    Each value has this chance of being replaced, by the same feature's value in another row: numbers, categories and
    missing values are spoilt alike, and each feature keeps its distribution (after Zhu & Wu 2004,
    doi:10.1007/s10462-004-0751-8).

    >>> FeatureNoise([0, 0.1]).write(0.1)
    '10 %'
    """

    name = "feature_noise"
    title = "share of feature values that are replaced in training rows"

    def vary(self, training: Training, level: Level, draw: np.random.RandomState) -> Training:
        n, p, rows = training.dataset.n, training.dataset.p, training.rows
        chance = draw.random_sample((n, p))[rows]
        giver = np.floor(draw.random_sample((n, p))[rows] * len(rows)).astype(np.intp)
        own = np.repeat(rows[:, None], p, axis=1) if training.donors is None else training.donors
        return replace(training, donors=np.where(chance < level, rows[giver], own).astype(np.int32))


@dataclass(frozen=True)
class ClassBalance(Factor):
    """The share of the positive class among the training rows, for two classes.

    Rows of the class that is too frequent are left out. With ``hold_size`` (the default) all levels have as many rows
    as the scarcest of them, so that what is seen is the balance and not the number of rows.

    >>> ClassBalance([0.5, 0.1, 0.02]).write(0.02)
    '2 %'
    """

    hold_size: bool = True
    name: ClassVar[str] = "class_balance"
    title: ClassVar[str] = "share of the positive class in training rows"
    rule: ClassVar[str] = "shares between 0 and 1 (0.1 for 10 %)"

    def allows(self, level: Level) -> bool:
        return 0 < level < 1

    def suits(self, dataset: Dataset) -> None:
        if dataset.positive is None:
            raise InputError(f"class_balance needs data sets with two classes, but {dataset.name!r} has not")

    def offers(self, level: Level, dataset: Dataset, split: Split) -> bool:
        return min(self._counts(level, Training.of(dataset, split))) >= 1

    def part(self, level: Level) -> object:
        return [level, *sorted(self.levels)] if self.hold_size else level

    @classmethod
    def write(cls, level: Level) -> str:
        return f"{100 * level:g} %"

    def vary(self, training: Training, level: Level, draw: np.random.RandomState) -> Training:
        chance = draw.random_sample(training.dataset.n)[training.rows]
        order = np.argsort(chance, kind="stable")
        positive = self._is_positive(training)[order]
        n_positive, n_negative = self._counts(level, training)
        chosen = np.concatenate([order[positive][:n_positive], order[~positive][:n_negative]])
        return training.kept(np.sort(chosen))

    def _is_positive(self, training: Training) -> NDArray[np.bool_]:
        return np.asarray(training.target == training.dataset.positive)

    def _counts(self, level: Level, training: Training) -> tuple[int, int]:
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


class RowOrder(Factor):
    """The order in which training rows are given, for learners that depend on it.

    A number of orders, counterbalanced in pairs: 0 as the rows are, 1 its reverse, 2 a random one, 3 its reverse, and
    so on; over a pair each row is in the middle on average, so that no row always comes late.

    >>> RowOrder(4).levels
    (0, 1, 2, 3)
    """

    name = "row_order"
    title = "order of the training rows"
    rule = "an even number of orders (4), or numbers of orders from 0"

    def __init__(self, levels: int | Sequence[int]) -> None:
        several = isinstance(levels, int) and not isinstance(levels, bool) and levels >= 2 and levels % 2 == 0
        object.__setattr__(self, "levels", tuple(range(levels)) if several and isinstance(levels, int) else levels)
        self.__post_init__()

    def allows(self, level: Level) -> bool:
        return isinstance(level, int) and level >= 0

    def changes(self, level: Level) -> bool:
        return level > 0

    def vary(self, training: Training, level: Level, draw: np.random.RandomState) -> Training:
        order = np.arange(len(training.rows))
        for _ in range(int(level) // 2):
            order = draw.permutation(len(training.rows))
        return training.kept(order[::-1] if level % 2 else order)


class FeatureCount(_Amount):
    """How many features there are, in training and test data: for how cost and quality grow with them.

    They are drawn once for each data set; fewer features are part of more.

    >>> FeatureCount([4, 16, 1]).write(1)
    'all'
    """

    name = "feature_count"
    title = "features"

    def offers(self, level: Level, dataset: Dataset, split: Split) -> bool:
        return self.amount(level, dataset.p) <= dataset.p

    def narrow(self, dataset: Dataset, level: Level, seed: int) -> Dataset:
        order = generator(seed, dataset.fingerprint, self.name).permutation(dataset.p)
        columns = np.sort(order[: self.amount(level, dataset.p)])
        return replace(dataset, X=dataset.X[:, columns], features=tuple(dataset.features[j] for j in columns))


FACTORS: dict[str, type[Factor]] = {
    f.name: f for f in (TrainingSize, FeatureCount, LabelNoise, FeatureNoise, ClassBalance, RowOrder)
}


def factors_table() -> Table:
    """All factors: what is varied, and what a level is."""
    rows = tuple((name, kind.title, kind.rule) for name, kind in FACTORS.items())
    columns = tuple(Column(title, align="left") for title in ("factor", "varies", "levels are"))
    return Table(columns, rows, caption="factors of the training data")


def as_factors(given: Any) -> tuple[Factor, ...]:
    """Factors from a mapping of names to levels, or as they are.

    >>> as_factors({"label_noise": [0, 0.1]})
    (LabelNoise(levels=(0, 0.1)),)
    """
    if isinstance(given, Mapping):
        made = tuple(_named(str(name), levels) for name, levels in given.items())
    else:
        made = tuple([given] if isinstance(given, Factor) or not isinstance(given, Iterable) else given)
    for factor in made:
        if not isinstance(factor, Factor):
            raise InputError(f"factors must be a table such as {{'label_noise': [0, 0.1]}} or Factors, got {factor!r}")
    names = [factor.name for factor in made]
    if len(set(names)) < len(names):
        raise InputError(f"each factor must be there once, got {', '.join(names)}")
    return made


def _named(name: str, levels: Any) -> Factor:
    if name not in FACTORS:
        raise UnknownName.among("factor", name, FACTORS)
    kind = FACTORS[name]
    if not isinstance(levels, Mapping):
        return kind(levels)
    known = [f.name for f in fields(kind)]
    for key in levels:
        if key not in known:
            raise UnknownName.among(f"key of the factor {name}", str(key), known)
    if "levels" not in levels:
        raise InputError(f"the factor {name} must have levels, got {dict(levels)!r}")
    return kind(**levels)


def write_levels(levels: Mapping[str, Level]) -> str:
    """A combination of levels in words.

    >>> write_levels({"label_noise": 0.05, "train_size": 50})
    'label_noise 5 %, train_size 50'
    """
    return ", ".join(f"{name} {FACTORS.get(name, Factor).write(level)}" for name, level in levels.items())


def narrowed(dataset: Dataset, factors: Iterable[Factor], levels: Mapping[str, Level], seed: int) -> Dataset:
    """The data set of a trial: with all its features, unless a factor says otherwise."""
    for factor in _at_work(factors, levels):
        dataset = factor.narrow(dataset, levels[factor.name], seed)
    return dataset


def varied(
    dataset: Dataset, split: Split, factors: Iterable[Factor], levels: Mapping[str, Level], *seeds: object
) -> Training:
    """The training data of a trial: the factors act in their order, on draws that depend on the split and the seeds."""
    training = Training.of(dataset, split)
    for factor in _at_work(factors, levels):
        draw = generator(*seeds, split.digest(), factor.name)
        training = factor.vary(training, levels[factor.name], draw)
    return training


def _at_work(factors: Iterable[Factor], levels: Mapping[str, Level]) -> list[Factor]:
    return [f for f in factors if f.name in levels and f.changes(levels[f.name])]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
