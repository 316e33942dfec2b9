"""All factors, and how they act together.

What is drawn depends on the data set, the split and the study's seed, never on the method: all methods learn from the
same rows, the same noise, the same order. Levels are nested where they can be: the rows of a smaller training set are
among those of a larger one, and what 5 % noise has spoilt is among what 10 % spoils.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from fairtrial.data import Dataset
from fairtrial.design.factors.factor import Factor, Level, Training
from fairtrial.design.factors.feature_count import FeatureCount
from fairtrial.design.factors.noise import FeatureNoise, LabelNoise
from fairtrial.design.factors.training_rows import ClassBalance, RowOrder, TrainingSize
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import Split, generator
from fairtrial.tables import Column, Table
from fairtrial.words import listed

__all__ = ["FACTORS", "as_factors", "factors_table", "narrowed", "offered", "varied", "write_levels"]

# In the order in which they act, whatever order they are given in: which features, which rows, what is wrong with them.
FACTORS: dict[str, type[Factor]] = {
    f.name: f for f in (FeatureCount, ClassBalance, TrainingSize, LabelNoise, FeatureNoise, RowOrder)
}


def factors_table() -> Table:
    """All factors: what is varied, and what a level is."""
    rows = tuple((name, kind.title, kind.rule) for name, kind in FACTORS.items())
    columns = tuple(Column(title, align="left") for title in ("factor", "varies", "levels are"))
    return Table(columns, rows, caption="factors of the training data")


def as_factors(given: Any) -> tuple[Factor, ...]:
    """Factors from a mapping of names to levels, or as they are; in the order in which they act.

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
        raise InputError(f"each factor must be there once, got {listed(names)}")
    places = {name: place for place, name in enumerate(FACTORS)}
    return tuple(sorted(made, key=lambda factor: places.get(factor.name, len(places))))


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
        training = _varied(training, factor, levels, split, seeds)
    return training


def _varied(
    training: Training, factor: Factor, levels: Mapping[str, Level], split: Split, seeds: Sequence[object]
) -> Training:
    draw = generator(*seeds, split.digest(), factor.name)
    return factor.vary(training, levels[factor.name], draw)


def offered(
    dataset: Dataset, split: Split, factors: Iterable[Factor], levels: Mapping[str, Level], *seeds: object
) -> bool:
    """Whether a split has what a combination of levels needs: each factor finds it in what those before it left."""
    training = Training.of(dataset, split)
    acting = _at_work(factors, levels)
    several = sum(factor.leaves_out_rows for factor in acting) > 1
    for factor in acting:
        if not factor.offers(levels[factor.name], training):
            return False
        if several and factor.leaves_out_rows:
            training = _varied(training, factor, levels, split, seeds)
    return not several or all(f.stands(levels[f.name], training) for f in acting if f.leaves_out_rows)


def _at_work(factors: Iterable[Factor], levels: Mapping[str, Level]) -> list[Factor]:
    return [f for f in factors if f.name in levels and f.changes(levels[f.name])]
