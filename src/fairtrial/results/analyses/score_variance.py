"""The shares of data sets, splits and seeds in the variance of each method's scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.stats import variance_shares
from fairtrial.stats.factorial.variance_shares import OVERLAP
from fairtrial.tables import Column, Table, formats

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results

SOURCES = ("data set", "split", "seed")


def score_variance(results: Results, measure: str | None = None) -> Table:
    """The standard deviation of each method's scores, and the shares of data sets, splits and seeds in their variance.

    The estimates are those of :func:`fairtrial.stats.variance_shares`. Without replicates the share of seeds is part of
    that of splits; where there is one split, the share of splits is part of that of data sets. Failed trials have no
    score here.
    """
    facts = results.measure(measure)
    scores = results.scores[(results.scores["measure"] == facts.name) & np.isfinite(results.scores["value"])]
    rows, notes = [], dict[str, None]()
    replicated = bool((scores["replicate"] > 0).any())
    fixed = replicated and len(scores[["repeat", "fold"]].drop_duplicates()) == 1
    sources = ("data set", "seed") if fixed else SOURCES
    for method in results.method_names():
        made = _array(scores[scores["method"] == method])
        found = variance_shares(made[:, 0] if fixed else made)
        shares = dict(zip(sources if fixed else found.names, found.shares, strict=True))
        whole = math.sqrt(sum(part.estimate for part in found.components))
        own = [shares.get(name, shares.get(f"{name} (with its seed)", math.nan)) for name in sources]
        rows.append((method, whole, *own))
        notes |= dict.fromkeys(note for note in found.notes if not (fixed and note == OVERLAP))
    if fixed:
        notes["with one split of each data set, the split is part of the data set"] = None
    elif not replicated:
        notes["without replicates the seed is part of the splits; run with replicates=… to tell them apart"] = None
    columns = (
        Column("method", align="left"),
        Column("standard deviation", formats.significant(3)),
        *(Column(f"{name}s", formats.percent) for name in sources),
    )
    return Table(columns, tuple(rows), caption=f"{facts.name}: where its variance comes from", notes=tuple(notes))


def _array(scores: pd.DataFrame) -> NDArray[np.float64]:
    """Scores of one method as data set × split × seed; nan where there is none."""
    dataset = scores.groupby("dataset", sort=False).ngroup().to_numpy()
    split = scores.groupby(["repeat", "fold"]).ngroup().to_numpy()
    seed = scores.groupby("replicate").ngroup().to_numpy()
    shape = tuple(int(axis.max(initial=-1)) + 1 for axis in (dataset, split, seed))
    made = np.full(shape, np.nan)
    made[dataset, split, seed] = scores["value"].to_numpy(dtype=float)
    return made
