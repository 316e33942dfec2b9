"""Two methods of results, with their mean scores on each data set, for figures that compare one with another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.errors import InputError, UnknownName
from fairtrial.results.absentees import refuse_named
from fairtrial.results.at_levels import refuse_several_levels
from fairtrial.results.other_question import delta_in
from fairtrial.stats.score_arrays import FloatArray, IntArray, differences, paired_scores
from fairtrial.verdict.absent_methods import left_out
from fairtrial.verdict.estimates import evidence_by
from fairtrial.verdict.evidence import Evidence
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.results import Results


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPair:
    """The mean scores of two methods on the data sets on which both ran, and the smallest difference that matters."""

    evidence: Evidence
    names: tuple[str, str]
    datasets: tuple[str, ...]
    first: FloatArray
    second: FloatArray
    smallest_difference: float | None
    notes: tuple[str, ...]

    @property
    def better(self) -> tuple[FloatArray, FloatArray]:
        """Both rows of scores on the scale of differences over data sets, turned so that higher is better."""
        rows = (np.log(row) if self.evidence.as_ratio else row for row in (self.first, self.second))
        first, second = (self.evidence.sign * row for row in rows)
        return first, second


def evidence_of(
    results: Results, measure: str | None, smallest_difference: float | str | None
) -> tuple[Evidence, float | None]:
    """The evidence by a measure on all data sets, and the smallest difference that matters in it."""
    refuse_several_levels(results)
    evidence = evidence_by(results, measure)
    return evidence, delta_in(results, evidence.measure, smallest_difference)


def check_smallest(smallest_difference: float | None) -> None:
    """Refuse a smallest difference that is not above 0."""
    if smallest_difference is not None and not 0 < smallest_difference < math.inf:
        raise InputError(
            f"smallest_difference must be above 0, got {smallest_difference!r}; leave it out if all differences matter"
        )


def compared_pair(
    results: Results,
    what: str,
    *,
    methods: Sequence[str] | None = None,
    measure: str | None = None,
    smallest_difference: float | str | None = None,
) -> ComparedPair:
    """The two methods that are named or, if there are only two, those; ``what`` is the figure that needs them."""
    evidence, delta = evidence_of(results, measure, smallest_difference)
    names = _two_names(evidence, what, methods)
    columns = [evidence.columns.index(name) for name in names]
    rows = [i for i in range(len(evidence.datasets)) if not any(evidence.gone(i, name) for name in names)]
    first, second = evidence.means[rows][:, columns].T
    gone = [evidence.datasets[i] for i in range(len(evidence.datasets)) if i not in rows]
    notes = (*left_out(evidence.absent), evidence.scored, f"without {listed(gone)}: one of the two did not run there")
    shown = tuple(filter(None, notes if gone else notes[:-1]))
    return ComparedPair(evidence, names, tuple(evidence.datasets[i] for i in rows), first, second, delta, shown)


def _two_names(evidence: Evidence, what: str, methods: Sequence[str] | None) -> tuple[str, str]:
    given = list(evidence.methods if methods is None else methods)
    refuse_named({a.method: a for a in evidence.absent}, methods or ())
    for name in given:
        if name not in evidence.columns:
            raise UnknownName.among("method of these results", name, evidence.columns)
    if len(set(given)) != 2 or len(given) != 2:
        raise InputError(
            f"{what} compares two methods, which must be named (methods=[…, …]), got {len(given)} of "
            f"{listed(evidence.methods)}"
        )
    return given[0], given[1]


def sides_of(first: FloatArray, second: FloatArray, delta: float | None) -> IntArray:
    """1 where the first is higher (by more than δ), −1 where the second is, else 0; a difference of just δ gives 0.

    >>> sides_of(np.array([0.8, 0.3, 0.51, 0.5]), np.array([0.7, 0.31, 0.5, 0.5]), 0.01).tolist()
    [1, 0, 0, 0]
    >>> sides_of(np.array([0.8, 0.3, 0.51, 0.5]), np.array([0.7, 0.31, 0.5, 0.5]), None).tolist()
    [1, -1, 1, 0]
    """
    found = differences(*paired_scores(first, second))
    edge = 0.0 if delta is None else np.rint(delta / found.value(1))
    return np.asarray(np.sign(found.whole) * (np.abs(found.whole) > edge), dtype=np.int64)
