"""How often comparisons with the best are wrong where the truth is known.

    python benchmarks/with_the_best.py NOISE ESTIMAND RUNS [N,N,... [K,K,...]]

NOISE is normal, rounded or skewed. Each line is a cell: the share of runs in which all intervals hold (closed zeros
included), in which a given best method is out, and in which a winner is named that is not better than all others.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import cache

import numpy as np

from fairtrial.stats import comparisons_with_the_best
from fairtrial.stats.post_hoc import with_the_best

DRAWS = 1999


def centers(k: int) -> Iterator[tuple[str, np.ndarray]]:
    """The true values of the methods, in standard deviations of a score."""
    rest = np.zeros(k)
    yield "all equal", rest
    yield "two tied best", np.r_[0.0, 0.0, np.full(k - 2, -1.5)]
    yield "near-ties", -0.02 * np.arange(k)
    yield "one clear best", np.r_[1.5, np.zeros(k - 1)]
    yield "clear runner-up", np.r_[2.5, 1.2, np.zeros(k - 2)]
    yield "ladder", -0.5 * np.arange(k)
    yield "circle", rest


@cache
def skewed_center(estimand: str) -> float:
    """The mean, or the pseudo-median, of an exponential variable less a normal one of a fifth of its deviation."""
    if estimand == "mean":
        return 1.0
    generator = np.random.default_rng(0)
    pairs = generator.exponential(size=(2, 4_000_000)) + 0.2 * generator.normal(size=(2, 4_000_000))
    return float(np.median(pairs.mean(axis=0)))


def noise(kind: str, n: int, k: int, estimand: str, generator: np.random.Generator) -> np.ndarray:
    if kind != "skewed":
        return generator.normal(size=(n, k))
    table = 0.2 * generator.normal(size=(n, k))
    table[:, 0] = skewed_center(estimand) - generator.exponential(size=n)
    return table


def judge(name: str, truth: np.ndarray, table: np.ndarray, estimand: str) -> tuple[bool, bool, bool, bool]:
    found = comparisons_with_the_best(table, estimand=estimand, draws=DRAWS)
    k = len(truth)
    if name == "circle":
        return True, False, found.winner is not None, bool(found.circle)
    lead = np.array([truth[i] - np.delete(truth, i).max() for i in range(k)])
    holds = all(x.interval.low - 1e-9 <= t <= x.interval.high + 1e-9 for x, t in zip(found.leads, lead, strict=True))
    best = int(truth.argmax())
    false = found.winner is not None and lead[int(found.winner)] <= 0
    return holds, found.leads[best].standing == "out", false, found.winner is not None


def main(kind: str, estimand: str, runs: int, ns: list[int], ks: list[int]) -> None:
    with_the_best.MORE_DRAWS = 0  # a close decision is right as often without more flips
    print(f"{kind}, {estimand}, {runs} runs: all hold / given best out / false winner / winner (circle: a circle) in %")
    for k in ks:
        for name, truth in centers(k):
            for n in ns:
                generator = np.random.default_rng([n, k, len(name)])
                start, made = time.perf_counter(), []
                for _ in range(runs):
                    table = noise(kind, n, k, estimand, generator) + truth
                    if name == "circle":
                        turned = (np.arange(k) + generator.integers(0, k, (n, 1))) % k
                        table = turned + 0.3 * generator.normal(size=(n, k))
                    made.append(judge(name, truth, table.round(2) if kind == "rounded" else table, estimand))
                shares = " ".join(f"{100 * share:6.1f}" for share in np.mean(made, axis=0))
                print(f"k={k:2} N={n:2} {name:16} {shares}   {time.perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    noise_kind, kind_of_lead, number = sys.argv[1:4]
    lists = [[int(x) for x in text.split(",")] for text in sys.argv[4:]]
    given = [*lists, *[[6, 8, 12, 30], [3, 5, 10, 20]][len(lists) :]]
    main(noise_kind, kind_of_lead, int(number), *given)
