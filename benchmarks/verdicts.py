"""Verdicts over data sets, as multiples of one pass of Wilcoxon's test over all pairs of the same table.

The pass is ``stats.pairwise`` without an adjustment: a test with its interval for each pair. A verdict has the joint
tests and intervals of all pairs, the best set, Friedman's test, the variation over data sets, and the answer without
each data set. Tables are simulated, of the sizes of real ones; the table of errors has scales from 1e-3 to 1e3.

Run: python benchmarks/verdicts.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from fairtrial import stats
from fairtrial.results import Results, read_scores

SIZES = {(142, 8): "accuracy", (55, 23): "rmse", (132, 16): "accuracy", (500, 40): "accuracy"}


def spent(run: Callable[[], object]) -> float:
    """Seconds of processor time."""
    start = time.process_time()
    run()
    return time.process_time() - start


def scores(random: np.random.Generator, n: int, k: int, measure: str) -> pd.DataFrame:
    """Methods that differ a little, on data sets that differ much."""
    if measure == "accuracy":
        difficulty = random.uniform(0.5, 0.9, (n, 1))
        values = np.clip(difficulty + random.normal(np.linspace(0, 0.03, k), 0.03, (n, k)), 0, 1)
    else:
        values = 10 ** (random.uniform(-3, 3, (n, 1)) + random.normal(np.linspace(0, 0.1, k), 0.1, (n, k)))
    frame = pd.DataFrame(values, columns=[f"m{i}" for i in range(k)])
    frame.insert(0, "dataset", [f"d{i}" for i in range(n)])
    return frame


def verdict_of(results: Results) -> None:
    results.verdict(smallest_difference=0.01)


def main() -> None:
    random = np.random.default_rng(0)
    verdict_of(read_scores(scores(random, 20, 3, "accuracy"), measure="accuracy"))  # imports do not count
    for (n, k), measure in SIZES.items():
        frame = scores(random, n, k, measure)
        values = frame.iloc[:, 1:].to_numpy()
        table = np.log(values) if measure == "rmse" else values
        alone = spent(lambda table=table: stats.pairwise(table, adjust="none"))
        bulk = spent(lambda table=table: stats.wilcoxon_matrix(table))
        results = read_scores(frame, measure=measure)
        whole = spent(lambda results=results: verdict_of(results))
        pairs = k * (k - 1) // 2
        print(
            f"{n:4} × {k:2} ({pairs:3} pairs): verdict {whole:6.2f} s of CPU, {whole / alone:5.1f} times a pass with "
            f"intervals ({alone:.2f} s), {whole / bulk:6.1f} times the p-values alone ({bulk:.3f} s)"
        )


if __name__ == "__main__":
    main()
