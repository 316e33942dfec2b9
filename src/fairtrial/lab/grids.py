"""The grids of the lab by name, and the experiments of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from fairtrial.errors import InputError, UnknownName
from fairtrial.lab import equivalence_worlds, hard_worlds, learner_worlds, score_worlds
from fairtrial.lab.experiment import Experiment

__all__ = ["GRIDS", "experiments_of"]

GRIDS: Mapping[str, str] = {
    "over-datasets": "scores over data sets: equal methods, groups, ties, heavy tails, one best method",
    "one-dataset": "two equal learners, cross-validated on one data set",
    "equivalence": "claims of equivalence: at the border, far from it, half and half",
    "skewed": "equal means and skewed differences, where tests of the typical difference are no tests of the mean",
    "families": "data sets that are versions of each other",
    "tables": "rows of real tables of scores (give them with --table)",
}
"""The grids, and what each is about."""


def experiments_of(grids: Sequence[str], tables: Sequence[Path] = ()) -> dict[str, Experiment]:
    """The experiments of some grids (none: all), by name; ``tables`` are files of scores, data sets × methods."""
    for name in grids:
        if name not in GRIDS:
            raise UnknownName.among("grid of the lab", name, GRIDS)
    if "tables" in grids and not tables:
        raise InputError("the grid 'tables' needs tables of scores; name at least one file with --table FILE")
    found = (experiment for name in grids or GRIDS for experiment in _experiments(name, tables))
    return {experiment.key: experiment for experiment in found}


def _experiments(name: str, tables: Sequence[Path]) -> Iterator[Experiment]:
    made: Mapping[str, Iterable[Experiment]] = {
        "over-datasets": score_worlds.experiments(),
        "one-dataset": learner_worlds.experiments(),
        "equivalence": equivalence_worlds.experiments(),
        "skewed": hard_worlds.skewed(),
        "families": hard_worlds.families(),
        "tables": hard_worlds.real_tables(hard_worlds.read_tables(tables)),
    }
    yield from made[name]
