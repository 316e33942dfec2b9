"""Tukey's and Dunnett's tests with their intervals against scipy's, in the same run.

python benchmarks/stats_several.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy import stats as peer

from fairtrial.stats import dunnett, tukey
from fairtrial.stats.distributions.simultaneous import dunnett_quantile, tukey_quantile

RNG = np.random.default_rng(1)
GROUPS = [RNG.normal(size=10) for _ in range(8)]


def seconds(run: Callable[[], object], times: int) -> float:
    """The best of several runs, each with an empty cache of quantiles."""
    taken = []
    for _ in range(times):
        tukey_quantile.cache_clear()
        dunnett_quantile.cache_clear()
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def main() -> None:
    ours, theirs = tukey(GROUPS), peer.tukey_hsd(*GROUPS)
    apart = max(abs(p - theirs.pvalue[pair]) for pair, p in zip(ours.pairs, ours.p_adjusted, strict=True))
    fast = seconds(lambda: tukey(GROUPS), 5)
    slow = seconds(lambda: peer.tukey_hsd(*GROUPS).confidence_interval(), 3)
    print(f"Tukey, 8 groups of 10: {fast:.3f} s, scipy {slow:.3f} s, {slow / fast:.1f} times; p apart by {apart:.1e}")
    control, *others = GROUPS
    first, second = (peer.dunnett(*others, control=control).pvalue for _ in range(2))
    apart, itself = np.abs(dunnett(GROUPS, 0).p_adjusted - first).max(), np.abs(first - second).max()
    fast = seconds(lambda: dunnett(GROUPS, 0), 5)
    slow = seconds(lambda: peer.dunnett(*others, control=control).confidence_interval(), 3)
    print(
        f"Dunnett, 7 against a control: {fast:.3f} s, scipy {slow:.3f} s, {slow / fast:.1f} times; "
        f"p apart by {apart:.1e}, scipy's from its own by {itself:.1e}"
    )


if __name__ == "__main__":
    main()
