"""Count the pages with a false doubt where nothing is wrong: clear winners, ladders and methods that are all equal.

    python tests/verdict/false_alarms.py --worlds 100

Scores are normal, on 6 to 30 data sets, of 2 to 8 methods, with three decimals; nothing is planted. At most 5 % of
pages should have a false doubt. Two doubts are right: that a method is out only just which is as good as the best, and
that so few data sets bound no interval.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent)]

from made_scores import table  # noqa: E402

from fairtrial.notices import Notice  # noqa: E402
from fairtrial.results import read_scores  # noqa: E402
from fairtrial.statements import Role, by_role  # noqa: E402
from fairtrial.verdict.claims.steadiness import OnlyJust  # noqa: E402

LEADS = {"all equal": 0.0, "ladder": 0.01, "clear winner": 0.05}


def doubts(world: str, k: int, n: int, seed: int) -> list[tuple[str, bool]]:
    """The kinds of the doubts on the page of one random table, and whether each is right."""
    random = np.random.default_rng([324, k, n, seed])
    lead = np.array([LEADS[world]] + [0.0] * (k - 1)) if world == "clear winner" else -LEADS[world] * np.arange(k)
    scores = random.uniform(0.5, 0.85, n)[:, None] + lead + random.normal(0, 0.01, (n, k))
    verdict = read_scores(table({f"m{i}": scores[:, i].round(3) for i in range(k)}), measure="accuracy").verdict()
    leads = verdict.finding.leads
    bounded = leads is None or any(np.isfinite([x.interval.low, x.interval.high]).all() for x in leads.leads)
    found = []
    for s in by_role(verdict.statements)[Role.DOUBT]:
        out_but_best = isinstance(s, OnlyJust) and lead[int(s.method.removeprefix("m"))] == lead.max()
        few = isinstance(s, Notice) and not bounded
        found.append((type(s).__name__, bool(out_but_best or few)))
    return found


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--worlds", type=int, default=100)
    worlds = wanted.parse_args().worlds
    for world, k, n in product(LEADS, (2, 4, 8), (6, 12, 30)):
        found = [doubts(world, k, n, seed) for seed in range(worlds)]
        kinds = Counter(f"{kind}{', right' * right}" for page in found for kind, right in set(page))
        share = sum(not all(right for _, right in page) for page in found) / worlds
        print(f"{world:12} {k} × {n:2}  {share:6.1%}  {dict(kinds) or ''}", flush=True)


if __name__ == "__main__":
    main()
