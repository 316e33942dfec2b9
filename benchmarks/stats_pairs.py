"""Resampling tests and DeLong's against the loops that people write and against MLstatkit, same run, same answers.

    python benchmarks/stats_pairs.py            # bootstrap, areas
    python benchmarks/stats_pairs.py growth     # how the cost grows with the number of instances

Processor time of one core. MLstatkit is needed for the second part only (pip install MLstatkit).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import sklearn.metrics as sk
from threadpoolctl import threadpool_limits

from fairtrial import stats

N, REPLICATES = 10**5, 1000
SAMPLE = 30
"""So many rounds of the loop are timed, and multiplied."""


def instances(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """True classes, and the scores of two models that say something about them."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, n)
    return truth, truth + random.normal(size=n), truth + 1.2 * random.normal(size=n)


def timed(work: Callable[[], object], rounds: int) -> float:
    """The least processor time of some runs, in seconds."""
    seconds = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def loop(score: Callable[..., float], truth: np.ndarray, predicted: np.ndarray, rounds: int) -> list[float]:
    """What people write."""
    random, found = np.random.default_rng(2), []
    for _ in range(rounds):
        rows = random.integers(0, len(truth), len(truth))
        found.append(score(truth[rows], predicted[rows]))
    return found


def bootstrap() -> None:
    truth, scores, _ = instances(N)
    labels = (scores > 0.5).astype(int)
    print(f"bootstrap of {N:,} instances × {REPLICATES:,} replicates, against a loop of scikit-learn's function")
    cases = (("auc", sk.roc_auc_score, scores, 50), ("accuracy", sk.accuracy_score, labels, 2000))
    for measure, score, predicted, wanted in (*cases, ("f_measure", sk.f1_score, labels, 2000)):
        theirs = timed(lambda s=score, p=predicted: loop(s, truth, p, SAMPLE), 1) * REPLICATES / SAMPLE

        def ours(m: str = measure, p: np.ndarray = predicted) -> stats.Interval:
            return stats.measure_interval(truth, p, measure=m, method="percentile", replicates=REPLICATES)

        ours()
        mine, found = timed(ours, 5), ours()
        plain = loop(score, truth, predicted, 200)
        same = np.isclose(found.estimate, score(truth, predicted))
        width = (found.high - found.low) / (2 * 1.96 * np.std(plain))
        print(
            f"  {measure:<10} loop {theirs:7.1f} s (from {SAMPLE}), fairtrial {mine:8.4f} s: "
            f"{theirs / mine:,.0f} times (≥ {wanted:,}); same estimate: {same}, width over the loop's: {width:.2f}"
        )
    paired = timed(
        lambda: stats.paired_bootstrap(truth, scores, instances(N)[2], measure="auc", replicates=REPLICATES), 3
    )
    print(f"  two models by auc, BCa: {paired:.2f} s\n")


def areas() -> None:
    try:
        from MLstatkit import Delong_test
    except ImportError:
        print("DeLong's test: MLstatkit is not installed, nothing to compare with")
        return
    print("DeLong's test of two models, against MLstatkit and against the two argsorts that it needs")
    for n in (10**4, 10**5):
        truth, a, b = instances(n)
        theirs = timed(lambda t=truth, x=a, y=b: Delong_test(t, x, y), 2)
        mine = timed(lambda t=truth, x=a, y=b: stats.delong(t, x, y), 15)
        sorts = timed(lambda x=a, y=b: (np.argsort(x), np.argsort(y)), 15)
        same = np.isclose(stats.delong(truth, a, b).p_value, Delong_test(truth, a, b)[1])
        print(
            f"  {n:>9,} MLstatkit {theirs:8.4f} s, fairtrial {mine:8.4f} s: {theirs / mine:.0f} times (≥ 10), "
            f"{mine / sorts:.1f} times the sorts (≤ 4); same p: {same}"
        )
    truth, a, b = instances(10**6)
    mine, sorts = (
        timed(lambda: stats.delong(truth, a, b), 5),
        timed(lambda: (np.argsort(a), np.argsort(b)), 5),
    )
    print(f"  1,000,000 fairtrial {mine:8.4f} s, {mine / sorts:.1f} times the sorts (≤ 4)\n")


def growth() -> None:
    print("seconds for 1,000 replicates, by instances")
    for measure in ("accuracy", "f_measure", "auc", "brier", "rmse"):
        row = []
        for n in (10**3, 10**4, 10**5):
            truth, scores, _ = instances(n)
            predicted = {"auc": scores, "brier": 1 / (1 + np.exp(-scores)), "rmse": scores}.get(measure, scores > 0.5)
            given = truth.astype(float) if measure == "rmse" else truth
            predicted = predicted.astype(int) if predicted.dtype == bool else predicted
            work = partial(stats.measure_interval, given, predicted, measure=measure, replicates=1000)
            row.append(timed(work, 2))
        print(f"  {measure:<10}" + "".join(f"{s:10.4f}" for s in row))


if __name__ == "__main__":
    parts = {"bootstrap": bootstrap, "areas": areas, "growth": growth}
    for part in sys.argv[1:] or ("bootstrap", "areas"):
        with threadpool_limits(1):
            parts[part]()
