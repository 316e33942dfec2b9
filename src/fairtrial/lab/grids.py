"""The grids of the lab by name, and the experiments of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from fairtrial.errors import InputError, UnknownName
from fairtrial.lab import (
    ablation_worlds,
    best_worlds,
    effect_worlds,
    instance_worlds,
    learner_worlds,
    page_worlds,
    real_tables,
    robust_worlds,
    score_worlds,
    surface_worlds,
)
from fairtrial.lab.lab_runs import Experiment

GRIDS: Mapping[str, str] = {
    "over-datasets": "scores over data sets: equal methods, groups, ties, heavy tails, one best method",
    "best": "how far each method is from the best: ties, near-ties, one best, ladders, circles; normal and skewed",
    "one-dataset": "two equal learners, cross-validated on one data set",
    "schemes": "equal learners of seven kinds on one data set, by resampling scheme: k-fold, repeats, holdouts",
    "fixed-models": "fixed models on one test set: right and wrong, losses, areas, F1, clusters of questions",
    "equivalence": "claims of equivalence: at the border, far from it, half and half",
    "skewed": "equal means and skewed differences, where tests of the typical difference are no tests of the mean",
    "answers": "mostly equal scores, such as right and wrong answers, whose means are compared",
    "several-measures": "several measures at once: Hotelling's T² and MANOVA over data sets, normal and skewed",
    "effects": "factors that are inert by construction, on learners: over data sets and on one data set",
    "surfaces": "response surfaces with a known maximum or ridge: regions and intervals",
    "ablation": "advantages whose parts are known: normal, skewed, on a few data sets; inert parts of learners",
    "robust": "settings that fail on some data sets: which criterion chooses one that is good on the hard ones",
    "families": "data sets that are versions of each other",
    "bayesian": "how often Bayesian tests are sure of a difference between equal methods",
    "pages": "whole pages: whether any contradicts itself, and whether clean scores get a false doubt",
    "tables": "rows of real tables of scores (give them with --table or --log-table)",
}
"""The grids, and what each is about."""


def experiments_of(
    grids: Sequence[str], tables: Sequence[Path] = (), log_tables: Sequence[Path] = ()
) -> dict[str, Experiment]:
    """The experiments of some grids (none: all), by name.

    ``tables`` are files of scores, data sets × methods. ``log_tables`` are files of errors that have no common scale.
    """
    for name in grids:
        if name not in GRIDS:
            raise UnknownName.among("grid of the lab", name, GRIDS)
    if "tables" in grids and not (tables or log_tables):
        raise InputError("the grid 'tables' needs tables of scores; name at least one file with --table FILE")
    real = [*real_tables.read_tables(tables), *real_tables.read_tables(log_tables, log=True)]
    found = (experiment for name in grids or GRIDS for experiment in _experiments(name, real))
    return {experiment.key: experiment for experiment in found}


def _experiments(name: str, tables: Sequence[real_tables.RealTable]) -> Iterator[Experiment]:
    made: Mapping[str, Iterable[Experiment]] = {
        "over-datasets": chain(score_worlds.experiments(), score_worlds.level_experiments()),
        "best": best_worlds.experiments(),
        "one-dataset": chain(learner_worlds.experiments(), learner_worlds.rival_experiments()),
        "schemes": learner_worlds.scheme_experiments(),
        "fixed-models": chain(instance_worlds.experiments(), instance_worlds.cluster_experiments()),
        "equivalence": score_worlds.equivalence_experiments(),
        "skewed": score_worlds.skewed(),
        "answers": score_worlds.answers(),
        "several-measures": score_worlds.measure_experiments(),
        "effects": effect_worlds.experiments(),
        "surfaces": surface_worlds.experiments(),
        "ablation": ablation_worlds.experiments(),
        "robust": robust_worlds.experiments(),
        "families": score_worlds.families(),
        "bayesian": learner_worlds.bayesian_experiments(),
        "pages": page_worlds.experiments(),
        "tables": real_tables.experiments(tables),
    }
    yield from made[name]
