"""A claim about some data sets only: those with a property, such as 1,000 instances or more, against the others.

That a method is better there is not enough: it must be better there than elsewhere (an interaction), or the claim says
no more than one about all data sets with fewer of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from fairtrial.design.question import Condition
from fairtrial.errors import InputError
from fairtrial.statements import Statement
from fairtrial.stats import Interval, kruskal
from fairtrial.verdict.claims.dependence import BetterThere, Separates
from fairtrial.verdict.designs.dependence import PROPERTIES
from fairtrial.verdict.evidence import Evidence, FloatArray
from fairtrial.verdict.finding import Finding
from fairtrial.words import listed, part_of

if TYPE_CHECKING:
    from fairtrial.results import Results

NAMES: Mapping[str, str] = {
    "n": "the number of instances",
    "instances": "the number of instances",
    "p": "the number of features",
    "features": "the number of features",
    "classes": "the number of classes",
    "balance": "the share of the largest class",
    "missing": "the share of missing values",
    "nominal": "the share of nominal features",
}
"""Short names of properties; covariates of a table have their own."""

FEWEST = 3  # data sets on each side


def asked_where(found: Separates) -> str:
    """The condition that asks whether what a search found holds."""
    name = next((short for short, title in NAMES.items() if title == found.what), found.what)
    return f"{name} = {found.label}" if found.cut is None else f"{name} > {float(f'{found.cut:.3g}'):,g}"


def rows_where(results: Results, evidence: Evidence, condition: Condition) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which data sets fulfil a condition; an error where a property is not known, or too few lie on one side."""
    facts = [results.datasets.get(d, {}) for d in evidence.datasets]
    if condition.name in NAMES:
        values = [PROPERTIES[NAMES[condition.name]](f) for f in facts]
    else:
        values = [f.get("covariates", {}).get(condition.name) for f in facts]
    unknown = [d for d, value in zip(evidence.datasets, values, strict=True) if value is None]
    if unknown:
        given = list(dict.fromkeys(c for f in results.datasets.values() for c in f.get("covariates", {})))
        known = [*NAMES, *given] if results.definition is not None else given
        raise InputError(
            f"where needs a property that is known of all data sets, but {condition.name!r} is not of "
            f"{listed(unknown, most=3)}; {f'known are {listed(known)}' if known else 'name its column (covariates=)'}"
        )
    inside = np.array([value is not None and condition.holds(value) for value in values])
    if min(inside.sum(), (~inside).sum()) < FEWEST:
        raise InputError(
            f"where must hold on {FEWEST} data sets or more, and not on {FEWEST} others, but {condition} holds on "
            f"{part_of(int(inside.sum()), len(inside), 'data set')}"
        )
    return inside


def only_where(results: Results, evidence: Evidence, condition: Condition) -> Evidence:
    """The evidence on the data sets that fulfil a condition."""
    inside = rows_where(results, evidence, condition)
    return replace(evidence.only(np.flatnonzero(inside).tolist()), where=str(condition))


def _shift(here: FloatArray, there: FloatArray, level: float) -> Interval:
    """How much larger the first values are: Hodges and Lehmann's shift, with the ends that rank sums do not reject."""
    apart = np.sort((here[:, None] - there).ravel())
    m, n = len(here), len(there)
    k = int(m * n / 2 - float(ndtri((1 + level) / 2)) * math.sqrt(m * n * (m + n + 1) / 12))
    low, high = (apart[k], apart[-1 - k]) if k >= 0 else (-math.inf, math.inf)
    return Interval("shift", float(np.median(apart)), float(low), float(high), level, "Hodges-Lehmann")


def against_the_others(
    results: Results, whole: Evidence, finding: Finding, condition: Condition
) -> Iterator[Statement]:
    """Whether the leading difference is larger on the data sets that fulfil the condition than on the others."""
    compared = finding.compared
    if compared is None or compared.leading is None:
        return
    names = compared.name(compared.leading.first), compared.name(compared.leading.second)
    a, b = (whole.columns.index(name) for name in names)
    d = whole.sign * (whole.comparable[:, a] - whole.comparable[:, b])
    inside = rows_where(results, whole, condition)
    here, there = d[inside], d[~inside]
    found, more = kruskal([here, there]), _shift(here, there, results.question.level)
    shown = found.p_value < 1 - results.question.level and more.estimate > 0
    better = finding.winner == names[0] or compared.rows[0].standing in ("best", "better")
    yield BetterThere(
        *names,
        str(condition),
        len(here),
        len(there),
        more,
        found.p_value,
        better and shown,
        better,
    )
