"""Planning layouts against the bare arrays that they consist of, in the same run.

python benchmarks/layouts.py
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import numpy as np
from scipy.stats import qmc

from fairtrial.design.layouts import Axis, DOptimal, Fractional, FullFactorial, Halton, LatinHypercube, layout_facts

AXES = [Axis(f"factor {i}") for i in range(15)]
ROWS = 10_000


def seconds(run: Callable[[], object], times: int = 5) -> float:
    """The best of several runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def products_of_rows() -> int:
    """The limit of a check by brute force: all products of two and three of 15 columns in 16 runs."""
    signs = np.sign(np.random.RandomState(1).normal(size=(16, 15)))
    return sum(
        abs(signs[:, some].prod(axis=1).sum()) > 0
        for size in (2, 3)
        for some in itertools.combinations(range(15), size)
    )


def compare(what: str, ours: Callable[[], object], limit: str, bare: Callable[[], object], times: int = 5) -> None:
    slow, fast = seconds(ours, times), seconds(bare, times)
    print(f"{what}: {slow * 1000:.1f} ms, {slow / fast:.1f} times {limit} ({fast * 1000:.1f} ms)")


def main() -> None:
    compare(
        "2^(15−11), minimum aberration with alias chains and checks",
        lambda: Fractional(runs=16).lay_out(AXES, 1),
        "all products of two and three columns",
        products_of_rows,
    )
    compare(
        f"Latin hypercube, {ROWS:,} rows of 15 factors",
        lambda: LatinHypercube(ROWS).lay_out(AXES, 1),
        "scipy's",
        lambda: qmc.LatinHypercube(15, seed=1).random(ROWS),
    )
    compare(
        f"Halton, {ROWS:,} rows of 15 factors",
        lambda: Halton(ROWS).lay_out(AXES, 1),
        "scipy's",
        lambda: qmc.Halton(15, seed=1).random(ROWS),
    )
    compare(
        f"full factorial, 10⁴ = {ROWS:,} rows",
        lambda: FullFactorial(levels=10).lay_out(AXES[:4], 1),
        "numpy's meshgrid",
        lambda: np.stack([g.ravel() for g in np.meshgrid(*[np.linspace(-1, 1, 10)] * 4)]),
    )
    laid = LatinHypercube(ROWS).lay_out(AXES, 1)
    model = np.random.RandomState(1).normal(size=(ROWS, 121))
    compare(
        f"efficiencies, prediction variance and power of {ROWS:,} rows, 120 effects",
        lambda: layout_facts(laid, model="interactions", effect=1, sd=1),
        "the product X'X",
        lambda: model.T @ model,
        3,
    )
    compare(
        "D-optimal, 45 runs, quadratic in 7 factors (2,187 candidates), one start",
        lambda: DOptimal(45, model="quadratic", starts=1).lay_out(AXES[:7], 1),
        "the singular values of the candidates",
        lambda: np.linalg.svd(np.random.RandomState(1).normal(size=(2187, 36)), full_matrices=False),
        3,
    )


if __name__ == "__main__":
    main()
