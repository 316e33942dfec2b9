"""Rows of real tables of scores, moved so that no method differs typically from the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from fairtrial.errors import InputError
from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import LEVEL, count_claims
from fairtrial.stats import adjust, best_set, sole_winner, wilcoxon_matrix
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.distributions.signed_rank import pseudo_median
from fairtrial.stats.post_hoc.joint_intervals import joint_tests
from fairtrial.stats.score_arrays import FloatArray, differences

FEWEST_ROWS = 20  # of a table whose rows are drawn
METHODS = 5
ROWS = (10, 20, 30)
TWO_BEST = "sole winner of two equal best: a false one"
LIMITS = {
    "sole winner: a false one": Limit("at most", 0.07),
    TWO_BEST: Limit("at most", 0.07),
    "Holm-Wilcoxon: a false star": Limit("at most", 0.07),
    "joint intervals: all hold": Limit("at least", 0.93),
    "best set: has the best": Limit("at least", 0.93),
}


@dataclass(frozen=True, slots=True)
class RealTable:
    """The scores of a real benchmark: the rows are the population that data sets are drawn from."""

    name: str
    scores: FloatArray

    def typical(self, i: int, j: int) -> float:
        """The typical difference of two methods, over all rows."""
        d = differences(self.scores[:, i], self.scores[:, j])
        return d.value(pseudo_median(d.whole))

    def typical_differences(self) -> FloatArray:
        """The typical difference of each method (row) from each other one (column)."""
        k = self.scores.shape[1]
        found = np.zeros((k, k))
        for i, j in all_pairs(k):
            found[i, j] = self.typical(i, j)
            found[j, i] = -found[i, j]
        return found


def read_tables(paths: Sequence[Path], *, log: bool = False) -> list[RealTable]:
    """Tables of scores whose first column names the data set and all others a method.

    Rows with missing scores are left out. With ``log`` the scores are errors without a common scale, which are compared
    by their logarithms, as verdicts do.
    """
    import pandas as pd

    found = []
    for path in paths:
        scores = pd.read_csv(path, index_col=0).select_dtypes("number").dropna()
        values = scores.to_numpy(dtype=np.float64)
        if log and not (values > 0).all():
            raise InputError(
                f"all scores of a table that is compared by logarithms must be above 0, got 0 or less in {path}"
            )
        if len(scores) >= FEWEST_ROWS and scores.shape[1] >= METHODS:
            name = f"{path.stem} (logarithms)" if log else path.stem
            found.append(RealTable(name, np.log(values) if log else values))
    return found


def experiments(tables: Sequence[RealTable]) -> Iterator[Experiment]:
    """Rows drawn from real tables, in which the truth is that of the whole table."""
    for table in tables:
        for n in ROWS:
            world = f"{METHODS} methods of {table.name} × {n} rows"
            yield Experiment("rows of real tables", world, partial(simulate, table, n), LIMITS)


def simulate(table: RealTable, n: int, generator: np.random.Generator, runs: int) -> Counts:
    """Draw methods and rows, and count what is claimed of them.

    All methods are moved by their typical difference from the first of them. The typical differences of the others from
    each other are then not 0 but what the whole table says.
    """
    typical = table.typical_differences()
    pairs = all_pairs(METHODS)
    far = np.zeros(METHODS)
    far[2:] = 3 * np.ptp(table.scores)  # so that the first two beat the others on every row

    def one() -> dict[str, bool]:
        columns = generator.choice(table.scores.shape[1], METHODS, replace=False)
        moved = table.scores[:, columns] + typical[columns[0], columns]
        rows = moved[generator.integers(0, len(moved), n)]
        truth = [moved_difference(typical, columns[[0, i, j]].tolist()) for i, j in pairs]
        joint = joint_tests([differences(rows[:, i], rows[:, j]) for i, j in pairs]).intervals(LEVEL)
        unadjusted = wilcoxon_matrix(rows)[tuple(np.array(pairs).T)]
        own = np.array([0 in pair for pair in pairs])  # the pairs whose typical difference is 0
        return {
            "joint intervals: all hold": all(t in interval for t, interval in zip(truth, joint, strict=True)),
            "sole winner: a false one": sole_winner(rows).details["winner"] is not None,
            TWO_BEST: sole_winner(rows - far).details["winner"] is not None,
            "best set: has the best": "0" in best_set(rows).members,
            "Holm-Wilcoxon: a false star": bool((adjust(unadjusted, "holm") < 1 - LEVEL)[own].any()),
            "unadjusted Wilcoxon: a false star": bool((unadjusted < 1 - LEVEL)[own].any()),
        }

    return count_claims(one, runs)


def moved_difference(typical: FloatArray, columns: Sequence[int]) -> float:
    """The typical difference of the last two of three methods, after both were moved to the first."""
    first, i, j = columns
    return float(typical[i, j] + typical[first, i] - typical[first, j])
