"""The share of the variance of scores that is due to data sets, to splits and to seeds, for each method."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.tables import Column, Table, formats

if TYPE_CHECKING:
    from fairtrial.results.results import Results

__all__ = ["nested_variances", "variance_shares"]


def variance_shares(results: Results, measure: str | None = None) -> Table:
    """The variance of each method's scores, and the shares that data sets, splits and seeds have in it.

    Data sets, splits in data sets and replicates on splits are nested random effects; their variances are estimated
    from mean squares (:func:`nested_variances`). Splits of a cross-validation share training data, so that the share of
    splits is too small. Without replicates the share of seeds is part of that of splits.
    """
    facts = results.measure(measure)
    scores = results.scores[(results.scores["measure"] == facts.name) & results.scores["value"].notna()]
    rows = []
    for method in results.method_names():
        own = scores[scores["method"] == method]
        split = own.groupby(["dataset", "repeat", "fold"], sort=False).ngroup().to_numpy()
        parts = nested_variances(own["value"].to_numpy(dtype=float), own["dataset"].to_numpy(), split)
        total = sum(part for part in parts if not math.isnan(part))
        shares = [part / total if total > 0 else math.nan for part in parts]
        rows.append((method, math.sqrt(total) if len(own) > 1 else math.nan, *shares))
    columns = (
        Column("method", align="left"),
        Column("standard deviation", formats.significant(3)),
        *(Column(title, formats.percent) for title in ("data sets", "splits", "seeds")),
    )
    notes = ["shares of the variance of single scores; – where there is nothing to estimate it from"]
    notes += ["splits share training data, so that their own share is underestimated"]
    if not (scores["replicate"] > 0).any():
        notes.append("without replicates the seed is part of the splits; run with replicates=… to tell them apart")
    return Table(columns, tuple(rows), caption=f"{facts.name}: where its variance comes from", notes=tuple(notes))


def nested_variances(
    values: NDArray[np.float64], group: NDArray[Any], part: NDArray[Any]
) -> tuple[float, float, float]:
    """The variances between groups, between parts of groups, and inside parts, from the mean squares of a nested anova.

    With n values in part j of group i: E(MS inside) = σ², E(MS parts) = σ² + k₁ σ_part², E(MS groups) = σ² + k₂ σ_part²
    + k₃ σ_group² (Searle, Casella & McCulloch 1992, *Variance Components*, section 3.6). A negative estimate is 0, and
    one without degrees of freedom is nan: with one value in each part, σ² is contained in σ_part².

    >>> nested_variances(np.array([1.0, 3, 5, 7]), np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1]))
    (nan, 7.0, 2.0)
    """
    groups, g = np.unique(group, return_inverse=True)
    parts, p = np.unique(part, return_inverse=True)
    n, a, b = len(values), len(groups), len(parts)
    if n < 2:
        return math.nan, math.nan, math.nan
    n_part, n_group = np.bincount(p).astype(float), np.bincount(g).astype(float)
    mean_part, mean_group = np.bincount(p, values) / n_part, np.bincount(g, values) / n_group
    owner = np.zeros(b, dtype=np.intp)
    owner[p] = g
    inside = _mean_square(float(((values - mean_part[p]) ** 2).sum()), n - b)
    between = _mean_square(float((n_part * (mean_part - mean_group[owner]) ** 2).sum()), b - a)
    outer = _mean_square(float((n_group * (mean_group - values.mean()) ** 2).sum()), a - 1)
    squares = np.bincount(owner, n_part**2) / n_group
    k1 = (n - squares.sum()) / (b - a) if b > a else math.nan
    k2 = (squares.sum() - (n_part**2).sum() / n) / (a - 1) if a > 1 else math.nan
    k3 = (n - (n_group**2).sum() / n) / (a - 1) if a > 1 else math.nan
    noise = 0.0 if math.isnan(inside) else inside
    of_parts = max(0.0, float((between - noise) / k1)) if b > a else math.nan
    known = 0.0 if math.isnan(of_parts) else of_parts
    of_groups = max(0.0, float((outer - noise - k2 * known) / k3)) if a > 1 else math.nan
    return of_groups, of_parts, inside


def _mean_square(total: float, df: int) -> float:
    return total / df if df > 0 else math.nan
