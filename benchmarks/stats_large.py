"""Statistics of many: p-values, pairs, groups and instances, each against a named peer or limit in the same run.

    python benchmarks/stats_large.py            # all
    python benchmarks/stats_large.py growth     # how the cost grows when there are ten times as many

Processor time of one core, the least of some runs.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
from scipy import stats as peer
from threadpoolctl import threadpool_limits

from fairtrial import stats
from fairtrial.stats.distributions.simultaneous import tukey_quantile
from fairtrial.stats.planning.designs import _sign_tails

RANDOM = np.random.default_rng(1)


def timed(work: Callable[[], object], rounds: int = 3) -> float:
    """The least processor time of some runs, in seconds, each without what earlier ones kept."""
    seconds = []
    for _ in range(rounds):
        tukey_quantile.cache_clear()
        _sign_tails.cache_clear()
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def told(what: str, ours: float, against: str, theirs: float) -> None:
    print(f"  {what:<46} {ours:8.4f} s = {ours / theirs:8.2f} × {against} ({theirs:.4f} s)")


def adjustments() -> None:
    print("adjusted p-values, against one sort of the p-values and against scipy's Benjamini-Hochberg")
    p = RANDOM.random(10**5) ** 3
    told("Hommel, 100,000", timed(lambda: stats.adjust(p, "hommel")), "sort", timed(lambda: np.sort(p), 9))
    told(
        "Hommel, 100,000",
        timed(lambda: stats.adjust(p, "hommel")),
        "scipy",
        timed(lambda: peer.false_discovery_control(p)),
    )
    few = p[:200]
    square = RANDOM.random((200, 200))
    told("Rom, 200", timed(lambda: stats.adjust(few, "rom")), "200 × 200 product", timed(lambda: square @ square, 9))


def sizes() -> None:
    print("sample size, against scipy's binomial quantiles of as many sizes as the answer has disagreements")
    found = stats.sample_size("mcnemar", effect=0.004, disagreement=0.05)
    ours = timed(lambda: stats.sample_size("mcnemar", effect=0.004, disagreement=0.05))
    m = np.arange(1, round(found.n * 0.05))
    told(f"McNemar, effect 0.004: n = {found.n:,}", ours, "quantiles", timed(lambda: peer.binom.ppf(0.025, m, 0.5)))


def groups() -> None:
    print("Tukey's test of 1,770 pairs of 60 groups of 10, against scipy's of 28 pairs of 8")
    many = [RANDOM.normal(size=10) for _ in range(60)]
    told("Tukey, 60 groups", timed(lambda: stats.tukey(many)), "scipy", timed(lambda: peer.tukey_hsd(*many[:8]), 1))


def pairs() -> None:
    print("two methods on 200,000 pairs, against scipy's p-value alone and against the sorts and sums that are needed")
    a, b = RANDOM.normal(size=(2, 200_000))
    d = a - b
    ours = timed(lambda: stats.wilcoxon(a, b))
    told("Wilcoxon with its interval", ours, "scipy without", timed(lambda: peer.wilcoxon(a, b)))
    told("Wilcoxon with its interval", ours, "sort", timed(lambda: np.sort(d), 9))
    flips = timed(lambda: stats.paired_permutation(a, b), 1)
    bits = RANDOM.integers(0, 2, (50, len(d))).astype(float)
    told("sign flips × 9,999", flips, "product of 9,999 rows", timed(lambda: bits @ d, 5) * 9999 / 50)


def roots() -> None:
    print("bootstrap of 100,000 instances × 999, against that of a plain mean of losses")
    truth = RANDOM.normal(size=10**5)
    predicted = truth + RANDOM.normal(size=10**5)

    def interval(measure: str) -> float:
        return timed(lambda: stats.measure_interval(truth, predicted, measure=measure, replicates=999), 2)

    told("RMSE", interval("rmse"), "MAE", interval("mae"))


def growth() -> None:
    print("seconds, with ten times as many in each column")
    p = RANDOM.random(10**6) ** 3
    a, b = RANDOM.normal(size=(2, 10**6))
    rows: dict[str, tuple[Callable[[int], object], tuple[int, ...]]] = {
        "Hommel, p-values": (lambda n: stats.adjust(p[:n], "hommel"), (10**4, 10**5, 10**6)),
        "Rom, p-values": (lambda n: stats.adjust(p[:n], "rom"), (2, 20, 200)),
        "Wilcoxon, pairs": (lambda n: stats.wilcoxon(a[:n], b[:n]), (10**4, 10**5, 10**6)),
        "sign flips × 999, pairs": (
            lambda n: stats.paired_permutation(a[:n], b[:n], replicates=999),
            (10**4, 10**5, 10**6),
        ),
        "Tukey, groups of 5": (lambda k: stats.tukey(list(a[: 5 * k].reshape(k, 5))), (4, 40)),
    }
    for name, (work, counts) in rows.items():
        shown = "".join(f"{count:>12,} {timed(lambda c=count, w=work: w(c), 1):8.4f}" for count in counts)
        print(f"  {name:<26}{shown}")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    cases = {f.__name__: f for f in (adjustments, sizes, groups, pairs, roots, growth)}
    for case in sys.argv[1:] or [name for name in cases if name != "growth"]:
        with threadpool_limits(1):
            cases[case]()
