"""Averages over data sets, which no test is about: the numbers of a verdict, or as near to them as scores allow.

Data sets that stand in groups: their names say so, as ``city/mode`` does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.result_tables.score_cells import FloatArray, ScoreCells
from fairtrial.results.failure_policy import MARK
from fairtrial.tables import Marked
from fairtrial.verdict.evidence import gather
from fairtrial.words import part_of

if TYPE_CHECKING:
    from fairtrial.results import Results


@dataclass(frozen=True, eq=False)
class Average:
    """The mean of each method over ``used`` data sets, nan where a method did not run.

    ``failed`` has the methods with failed trials, and ``scored`` describes how these were scored.
    """

    means: FloatArray
    used: int
    failed: tuple[bool, ...]
    scored: str = ""

    def marked(self, m: int, cell: object) -> object:
        """The cell of a method, with the mark of failed trials where it has some."""
        return Marked(cell, MARK, "failed trials") if self.failed[m] and not math.isnan(self.means[m]) else cell

    def in_words(self, cells: ScoreCells) -> Iterator[str]:
        """What the average is over, and how failed trials count in it."""
        n = len(cells.datasets)
        kind = (
            "the geometric mean over data sets" if cells.measure.compare == "log-ratio" else "the mean over data sets"
        )
        fewer = f", {part_of(self.used, n, 'data set')}: not every method has a score on the others"
        yield f"{kind}{fewer if self.used < n else ''}; nothing is tested on it"
        if any(self.failed) and self.scored != cells.legend:
            yield f"{MARK} {self.scored}"


def average_of(results: Results, cells: ScoreCells) -> Average:
    """The averages of a verdict, in which the failure policy scores failed trials.

    Where there can be no verdict, only data sets with a score of every method count, and failed trials are left out.
    """
    measure, methods = cells.measure, cells.methods
    try:
        evidence = gather(replace(results, question=replace(results.question, measure=measure.name, control=None)))
    except InputError:
        able = np.isfinite(cells.means).any(axis=0)
        used = cells.means[np.isfinite(cells.means[:, able]).all(axis=1)]
        means = np.where(able, _mean(used, measure), math.nan)
        failed = tuple(bool(count) for count in cells.failed.sum(axis=0))
        return Average(means, len(used), failed, cells.legend)
    columns = evidence.columns
    known = dict(zip(columns, _mean(evidence.means, measure).tolist(), strict=True))
    failed = tuple(m in columns and evidence.stood_in(m) > 0 for m in methods)
    means = np.array([known.get(m, math.nan) for m in methods])
    return Average(means, len(evidence.datasets), failed, evidence.scored)


def _mean(table: FloatArray, measure: Measure) -> FloatArray:
    """The mean over data sets; the geometric mean where only ratios make sense."""
    if not len(table):
        return np.full(table.shape[1], math.nan)
    ratios = measure.compare == "log-ratio" and bool((table[~np.isnan(table)] > 0).all())
    means: FloatArray = np.exp(np.log(table).mean(axis=0)) if ratios else table.mean(axis=0)
    return means


def groups_of(names: Sequence[str]) -> list[tuple[str, str]] | None:
    """The group of each data set and its name in the group, where all names have one slash; None where they don't.

    There must be several groups, and several data sets in each.

    >>> groups_of(["FR/bus", "FR/walk", "KL/bus", "KL/walk"])
    [('FR', 'bus'), ('FR', 'walk'), ('KL', 'bus'), ('KL', 'walk')]
    >>> groups_of(["uci/iris", "uci/wine"]), groups_of(["a/x", "b/y"]), groups_of(["a/x", "a/y", "b"])
    (None, None, None)
    """
    pairs = [tuple(part.strip() for part in name.split("/")) for name in names]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        return None
    groups = [pair[0] for pair in pairs]
    if len(set(groups)) < 2 or any(groups.count(g) < 2 for g in set(groups)):
        return None
    return [(first, second) for first, second in pairs]


def starts_of_groups(groups: Sequence[object]) -> tuple[int, ...]:
    """The numbers of the rows, after the first, at which another group begins.

    >>> starts_of_groups(["a", "a", "b", "c", "c"])
    (2, 3)
    """
    return tuple(i for i in range(1, len(groups)) if groups[i] != groups[i - 1])


def named_once(names: Sequence[str]) -> list[object]:
    """Names of groups, of which readers see only the first of equal neighbours; programs have them all.

    >>> [getattr(name, "text", name) for name in named_once(["a", "a", "b"])]
    ['a', ' ', 'b']
    """
    return [Marked(n, text=" ") if i and names[i - 1] == n else n for i, n in enumerate(names)]
