"""Worlds that break assumptions: skewed differences, data sets of one family, and rows of real tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from fairtrial.lab.experiment import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import LEVEL, count_claims
from fairtrial.stats import best_set, mean_interval, sole_winner
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.distributions.signed_rank import pseudo_median
from fairtrial.stats.post_hoc.joint_intervals import joint_tests
from fairtrial.stats.score_arrays import FloatArray, differences

__all__ = ["RealTable", "families", "read_tables", "real_tables", "skewed"]

FEWEST_ROWS = 20  # of a table whose rows are drawn
METHODS = 5
FAMILY_SIZE = 3


def skewed() -> Iterator[Experiment]:
    """Equal means and skewed differences: the typical difference is not 0, and a winner of the mean is false."""
    for n in (30, 100):
        yield Experiment("skewed", f"equal means, skewed differences, {METHODS} × {n}", partial(_skewed, n))


def _skewed(n: int, generator: np.random.Generator, runs: int) -> Counts:
    """One method has exponential noise, the others normal noise; all means are equal."""

    def one() -> dict[str, bool]:
        table = generator.normal(size=(n, METHODS)) * 0.5
        table[:, 0] = generator.exponential(size=n) - 1
        means = [mean_interval(table[:, i] - table[:, j], level=_bonferroni()) for i, j in all_pairs(METHODS)]
        return {
            "sole winner, taken for one of the means": sole_winner(table).details["winner"] is not None,
            "t intervals of the means (Bonferroni): a false star": any(0 not in interval for interval in means),
        }

    return count_claims(one, runs)


def _bonferroni() -> float:
    return 1 - (1 - LEVEL) / len(all_pairs(METHODS))


def families() -> Iterator[Experiment]:
    """Ten sources with three versions each: versions of one source are one piece of evidence."""
    limits = {"each family one unit, sole winner: a false one": Limit("at most", 0.05)}
    for share in (0.5, 0.9):
        world = f"two equal best, 10 families of {FAMILY_SIZE} that share {100 * share:g} % of the variance"
        yield Experiment("families", world, partial(_families, share), limits)


def _families(share: float, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        own = np.repeat(generator.normal(size=(10, METHODS)), FAMILY_SIZE, axis=0)
        table = np.sqrt(share) * own + np.sqrt(1 - share) * generator.normal(size=own.shape)
        table[:, 2:] -= 3
        units = table.reshape(10, FAMILY_SIZE, METHODS).mean(axis=1)
        return {
            "each family one unit, sole winner: a false one": sole_winner(units).details["winner"] is not None,
            "each version one unit, sole winner: a false one": sole_winner(table).details["winner"] is not None,
        }

    return count_claims(one, runs)


@dataclass(frozen=True, slots=True)
class RealTable:
    """The scores of a real benchmark: the rows are the population that data sets are drawn from."""

    name: str
    scores: FloatArray

    def centred(self, columns: Sequence[int]) -> FloatArray:
        """Some methods, moved so that none differs typically from the first of them."""
        chosen = self.scores[:, columns]
        moved = chosen.copy()
        for j in range(1, len(columns)):
            d = differences(chosen[:, 0], chosen[:, j])
            moved[:, j] += d.value(pseudo_median(d.whole))
        return moved


def read_tables(paths: Sequence[Path]) -> list[RealTable]:
    """Tables of scores whose first column names the data set and all others a method."""
    import pandas as pd

    found = []
    for path in paths:
        scores = pd.read_csv(path, index_col=0).select_dtypes("number").dropna()
        if len(scores) >= FEWEST_ROWS and scores.shape[1] >= METHODS:
            found.append(RealTable(path.stem, scores.to_numpy(dtype=np.float64)))
    return found


def real_tables(tables: Sequence[RealTable]) -> Iterator[Experiment]:
    """Rows drawn from real tables, in which the truth is that of the whole table."""
    limits = {
        "sole winner: a false one": Limit("at most", 0.07),
        "joint intervals: all hold": Limit("at least", 0.93),
        "best set: has the best": Limit("at least", 0.93),
    }
    for table in tables:
        for n in (10, 20, 30):
            world = f"{METHODS} methods of {table.name} × {n} rows"
            yield Experiment("rows of real tables", world, partial(_rows, table, n), limits)


def _rows(table: RealTable, n: int, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        columns = generator.choice(table.scores.shape[1], METHODS, replace=False)
        population = table.centred(columns.tolist())
        rows = population[generator.integers(0, len(population), n)]
        pairs = all_pairs(METHODS)
        whole = [differences(population[:, i], population[:, j]) for i, j in pairs]
        truth = [d.value(pseudo_median(d.whole)) for d in whole]
        joint = joint_tests([differences(rows[:, i], rows[:, j]) for i, j in pairs]).intervals(LEVEL)
        return {
            "joint intervals: all hold": all(t in interval for t, interval in zip(truth, joint, strict=True)),
            "sole winner: a false one": sole_winner(rows).details["winner"] is not None,
            "best set: has the best": "0" in best_set(rows).members,
        }

    return count_claims(one, runs)
