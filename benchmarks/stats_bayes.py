"""Bayesian signed rank against baycomp, and the hierarchical sampler in seconds, in the same run with the same answers.

python benchmarks/stats_bayes.py            both
python benchmarks/stats_bayes.py ranks      50 and 1,000 data sets, 50,000 draws
python benchmarks/stats_bayes.py folds      the hierarchical model for 100 data sets

baycomp draws one after the other: at 1,000 data sets 500 of its draws are timed, and counted a hundredfold.
Needs ``pip install baycomp``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from fairtrial.stats import bayes_hierarchical, bayes_signed_rank

DRAWS = 50_000


def seconds(call: Callable[[], object], times: int = 1) -> tuple[float, float]:
    """Of the clock, and of all processors: the shortest of several."""
    found = []
    for _ in range(times):
        start, cpu = time.perf_counter(), time.process_time()
        call()
        found.append((time.perf_counter() - start, time.process_time() - cpu))
    return min(f[0] for f in found), min(f[1] for f in found)


def ranks() -> None:
    from baycomp import SignedRankTest

    for n, theirs in ((50, DRAWS), (1_000, 500)):
        random = np.random.default_rng(n)
        a, b = random.normal(0.006, 0.03, n), np.zeros(n)
        ours = bayes_signed_rank(a, b, rope=0.01)
        sample = SignedRankTest.sample(b, a, rope=0.01, nsamples=min(theirs, 5_000), random_state=1)
        difference = np.abs(sample.mean(axis=0) - ours.shares).max()
        # one draw of a share scatters by its standard deviation: so the mean by that over the root of their number
        assert difference < 5 * sample.std(axis=0).max() / np.sqrt(len(sample)), difference
        slow = seconds(lambda: SignedRankTest.sample(b, a, rope=0.01, nsamples=theirs, random_state=1))  # noqa: B023
        fast = seconds(lambda: bayes_signed_rank(a, b, rope=0.01, draws=DRAWS), times=7)  # noqa: B023
        for name, theirs_took, took in zip(("clock", "CPU"), slow, fast, strict=True):
            whole = theirs_took * DRAWS / theirs
            print(f"signed rank, {n:5} data sets, {name:5}: baycomp {whole:8.2f} s, fairtrial {took:.4f} s, "
                  f"{whole / took:5.0f} times")  # fmt: skip


def folds() -> None:
    random = np.random.default_rng(1)
    heavy = random.standard_t(4, (100, 1)) * 0.02 + 0.01 + 0.03 * random.normal(size=(100, 10))
    plain = random.normal(0.01, 0.02, (100, 1)) + 0.03 * random.normal(size=(100, 100))
    for name, d in (("10 folds, heavy tails", heavy), ("10 × 10 folds", plain)):
        start, cpu = time.perf_counter(), time.process_time()
        found = bayes_hierarchical(d, 0 * d, test_share=0.1, rope=0.01)
        took, used = time.perf_counter() - start, time.process_time() - cpu
        size, r_hat = found.details["effective_size"], found.details["r_hat"]
        print(f"hierarchical, 100 data sets, {name}: {took:.1f} s ({used:.1f} s of CPU), effective size {size:.0f} of "
              f"{found.details['draws']}, R-hat {r_hat:.3f}")  # fmt: skip


if __name__ == "__main__":
    chosen = sys.argv[1:] or ["ranks", "folds"]
    for name in chosen:
        {"ranks": ranks, "folds": folds}[name]()
