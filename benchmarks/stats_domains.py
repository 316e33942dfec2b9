"""Tests over data sets and adjustments: against scipy in the same run with the same answers, or against the clock.

Wilcoxon's exact test against ``scipy.stats.wilcoxon(method="exact")``; all pairs of 100 methods on 1,000 data sets
against one vectorised call of it (both asymptotic, same p-values); exact Friedman, signed ranks with ties, and
Bergmann-Hommel, which scipy doesn't have, in seconds of processor time.

Run: python benchmarks/stats_domains.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np
import scipy.stats

from fairtrial import stats
from fairtrial.stats.distributions.rank_sums import friedman_null
from fairtrial.stats.distributions.signed_rank import untied_below


def best(run: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs, in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        found.append(time.perf_counter() - start)
    return min(found)


def spent(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def afresh(a: np.ndarray, b: np.ndarray) -> None:
    """Without the distribution that is kept from the last call with as many data sets."""
    untied_below.cache_clear()
    stats.wilcoxon(a, b, method="exact", interval=False)


def exact_wilcoxon(random: np.random.Generator) -> None:
    for n in (20, 50, 200, 1000):
        a, b = random.normal(0.2, 1, n), random.normal(size=n)
        peer = scipy.stats.wilcoxon(a, b, method="exact").pvalue
        ours = stats.wilcoxon(a, b, method="exact", interval=False).p_value
        assert abs(ours / peer - 1) < 1e-6
        theirs = best(lambda a=a, b=b: scipy.stats.wilcoxon(a, b, method="exact"))
        mine = best(lambda a=a, b=b: afresh(a, b))
        print(f"exact Wilcoxon, n = {n:5,}: {1e3 * mine:8.2f} ms, {theirs / mine:5.1f} times as fast as scipy")
    a, b = random.normal(size=(2, 1000)).round(1)
    print(f"with ties, n = 1,000: {spent(lambda: stats.wilcoxon(a, b, method='exact', interval=False)):.2f} s")


def all_pairs(random: np.random.Generator) -> None:
    first, second = np.triu_indices(100, 1)
    scores = random.uniform(0.5, 1, size=(1000, 100))
    for table, what in ((scores, "no ties"), (scores.round(3), "many ties")):
        theirs = partial(scipy.stats.wilcoxon, table[:, first], table[:, second], axis=0, method="asymptotic")
        ours = partial(stats.wilcoxon_matrix, table, method="asymptotic")
        if what == "no ties":  # float noise hides some of the others from scipy
            assert np.allclose(theirs().pvalue, ours()[first, second], rtol=1e-10)
        wall = best(theirs, 3) / best(ours, 5)
        processor = min(spent(theirs) for _ in range(3)) / min(spent(ours) for _ in range(5))
        print(
            f"all pairs of 100 methods on 1,000 data sets, {what}: {best(ours):.3f} s, {wall:.1f} times as fast as "
            f"scipy; in processor time {processor:.1f} times"
        )


def exact_friedman() -> None:
    for k, n in ((3, 300), (4, 50), (5, 15), (6, 8), (7, 4)):
        doubled = np.tile(2 * np.arange(1, k + 1), (n, 1))
        tied = doubled.copy()
        tied[0, :2] = 3
        plain, with_ties = (spent(lambda rows=rows: friedman_null(rows)) for rows in (doubled, tied))
        print(f"exact Friedman, {k} methods, {n:3} data sets: {plain:.2f} s, with a tie {with_ties:.2f} s")


def bergmann_hommel(random: np.random.Generator) -> None:
    for k in (10, 14, 16):
        p = random.uniform(size=k * (k - 1) // 2) * 1e-3
        print(f"Bergmann-Hommel, {k} methods: {spent(lambda p=p: stats.adjust(p, 'bergmann_hommel')):.2f} s")


if __name__ == "__main__":
    generator = np.random.default_rng(0)
    exact_wilcoxon(generator)
    all_pairs(generator)
    exact_friedman()
    bergmann_hommel(generator)
