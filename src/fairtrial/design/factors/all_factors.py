"""All factors, how people give them, and how those of the training data act together.

Random choices of a factor depend on the data set, the split and the study's seed, never on the method: all methods
learn from the same rows, the same noise and the same order. Levels are nested where possible: the rows of a smaller
training set are among those of a larger one, and the values that 5 % noise changes are among those that 10 % noise
changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from fairtrial.design.factors.method_factor import Factor, Level, Number, write_level
from fairtrial.design.factors.settings import AnyFactor
from fairtrial.design.factors.training_factor import (
    ClassBalance,
    FeatureCount,
    FeatureNoise,
    LabelNoise,
    RowOrder,
    Training,
    TrainingFactor,
    TrainingSize,
)
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import Split, generator
from fairtrial.tables import Column, Table
from fairtrial.words import listed, shown

if TYPE_CHECKING:
    from fairtrial.data import Dataset

# In the order in which they act, whatever order they are given in: which features, which rows, what is wrong with them.
FACTORS: dict[str, type[TrainingFactor]] = {
    f.name: f for f in (FeatureCount, ClassBalance, TrainingSize, LabelNoise, FeatureNoise, RowOrder)
}


OPTIONS = ("levels", "linear", "log", "of", "when", "role", "ordered")
"""The options of a factor on methods, as a table has them."""

ON_METHODS = (
    ("a parameter", "a parameter of one method ('forest.max_depth') or of all that have it ('max_depth')",
     "values, or a range: linear = [50, 500], log = [0.01, 100]"),
    ("a step", "a step of a pipeline ('pipeline.model', 'scale')", "names for estimators, or 'passthrough'"),
)  # fmt: skip


def factors_table() -> Table:
    """All factors: what is varied, and what a level is."""
    rows = tuple((name, kind.title, kind.rule) for name, kind in FACTORS.items())
    columns = tuple(Column(title, align="left") for title in ("factor", "varies", "levels are"))
    notes = (
        "factors of methods have a name of your own and of = 'method.parameter'; by default of is the name",
        "when = { model = 'svm' } makes a factor nested: it exists only at that level of another factor",
        "role = 'uncontrollable' makes a factor a block: every setting of the others is run at all its levels",
    )
    return Table(columns, rows + ON_METHODS, caption="factors of the training data, and of methods", notes=notes)


def as_factors(given: Any) -> tuple[AnyFactor, ...]:
    """Factors from a mapping of names to levels, or as they are; those of the training data in the order they act in.

    A name that no factor of the training data has is a parameter of methods.

    >>> as_factors({"label_noise": [0, 0.1], "max_depth": [3, None]})
    (LabelNoise(levels=(0, 0.1)), Factor('max_depth', [3, None]))
    """
    if isinstance(given, Mapping):
        made = tuple(_named(str(name), levels) for name, levels in given.items())
    else:
        alone = isinstance(given, AnyFactor) or not isinstance(given, Iterable)
        made = tuple(map(_of_training_data, [given] if alone else given))
    for factor in made:
        if not isinstance(factor, AnyFactor):
            raise InputError(
                f"factors must be a table such as {{'label_noise': [0, 0.1]}} or Factors, got {shown(factor)}"
            )
    names = [factor.name for factor in made]
    if len(set(names)) < len(names):
        raise InputError(f"each factor must be there once, got {listed(names)}")
    places = {name: place for place, name in enumerate(FACTORS)}
    return tuple(sorted(made, key=lambda factor: places.get(factor.name, len(places))))


def _named(name: str, levels: Any) -> AnyFactor:
    if isinstance(levels, AnyFactor):
        raise InputError(f"factors must be a list where it has Factors, such as factors=[{levels!r}], got a mapping")
    if name not in FACTORS:
        options = isinstance(levels, Mapping) and bool(levels) and all(key in OPTIONS for key in levels)
        return Factor(name, **levels) if options else Factor(name, levels)
    return training_factor(name, levels if isinstance(levels, Mapping) else {"levels": levels})


def training_factor(name: str, options: Mapping[str, Any]) -> TrainingFactor:
    """The factor of the training data that has this name, with its levels and options."""
    kind = FACTORS[name]
    known = [f.name for f in fields(kind)]
    for key in options:
        if key not in known:
            raise UnknownName.among(f"key of the factor {name}", str(key), known)
    if "levels" not in options:
        raise InputError(f"the factor {name} must have levels, got {shown(dict(options))}")
    return kind(**options)


def _of_training_data(factor: Any) -> Any:
    """A factor that is called like one of the training data, as that; any other as it is."""
    if not isinstance(factor, Factor) or factor.name not in FACTORS:
        return factor
    if factor.of != factor.name or factor.ends or factor.when or factor.values is not None:
        raise InputError(
            f"{factor.name} is a factor of the training data, which has levels and a role only; give a factor on "
            f"methods another name: Factor('my_{factor.name}', …, of={factor.of!r})"
        )
    return training_factor(factor.name, {"levels": factor.levels, "role": factor.role})


def write_levels(levels: Mapping[str, Level]) -> str:
    """A combination of levels in words; a factor that does not exist there is not in it.

    >>> write_levels({"label_noise": 0.05, "train_size": 50, "model": "svm"})
    'label_noise 5 %, train_size 50, model svm'
    """
    return ", ".join(f"{name} {write_one(name, level)}" for name, level in levels.items())


def write_one(factor: str, level: Any) -> str:
    """The level of a factor in words."""
    return FACTORS[factor].write(level) if factor in FACTORS else write_level(level)


def write_setting(method: str, levels: Mapping[str, Level]) -> str:
    """A method at a setting, as a name: the factor need not repeat the name of the method.

    >>> write_setting("forest", {"forest.max_depth": 3, "label_noise": 0.1})
    'forest (max_depth 3, label_noise 10 %)'
    """
    own = {name.removeprefix(f"{method}."): write_one(name, level) for name, level in levels.items()}
    return f"{method} ({', '.join(f'{name} {text}' for name, text in own.items())})" if own else method


def narrowed(dataset: Dataset, factors: Iterable[AnyFactor], levels: Mapping[str, Level], seed: int) -> Dataset:
    """The data set of a trial: with all its features, unless a factor says otherwise."""
    for factor in _at_work(factors, levels):
        dataset = factor.narrow(dataset, _number(levels[factor.name]), seed)
    return dataset


def varied(
    dataset: Dataset, split: Split, factors: Iterable[AnyFactor], levels: Mapping[str, Level], *seeds: object
) -> Training:
    """The training data of a trial: the factors act in their order, on draws that depend on the split and the seeds."""
    training = Training.of(dataset, split)
    for factor in _at_work(factors, levels):
        training = _varied(training, factor, levels, split, seeds)
    return training


def _varied(
    training: Training, factor: TrainingFactor, levels: Mapping[str, Level], split: Split, seeds: Sequence[object]
) -> Training:
    draw = generator(*seeds, split.digest(), factor.name)
    return factor.vary(training, _number(levels[factor.name]), draw)


def offered(
    dataset: Dataset, split: Split, factors: Iterable[AnyFactor], levels: Mapping[str, Level], *seeds: object
) -> bool:
    """Whether a split has what a combination of levels needs: each factor finds it in what those before it left."""
    training = Training.of(dataset, split)
    acting = _at_work(factors, levels)
    several = sum(factor.leaves_out_rows for factor in acting) > 1
    for factor in acting:
        if not factor.offers(_number(levels[factor.name]), training):
            return False
        if several and factor.leaves_out_rows:
            training = _varied(training, factor, levels, split, seeds)
    return not several or all(f.stands(_number(levels[f.name]), training) for f in acting if f.leaves_out_rows)


def _at_work(factors: Iterable[AnyFactor], levels: Mapping[str, Level]) -> list[TrainingFactor]:
    own = (f for f in factors if isinstance(f, TrainingFactor))
    return [f for f in own if f.name in levels and f.changes(_number(levels[f.name]))]


def _number(level: Level) -> Number:
    """The level of a factor of the training data, which is always a number."""
    assert isinstance(level, (int, float))
    return level
