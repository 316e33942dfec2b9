"""Worlds of scores over data sets, in which it is known which methods differ, and the procedures that judge them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt

from fairtrial.lab.experiment import Counts, Experiment, Limit
from fairtrial.stats import adjust, best_set, critical_difference, sole_winner, wilcoxon, wilcoxon_matrix
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.post_hoc.joint_intervals import joint_tests
from fairtrial.stats.score_arrays import FloatArray, differences, score_table

LEVEL = 0.95
Draw = Callable[[np.random.Generator], FloatArray]


@dataclass(frozen=True, slots=True)
class World:
    """Scores of methods (columns) on data sets (rows) whose typical values are known.

    ``draw`` makes the noise, of which each column is symmetric about 0 and jointly so with the others; ``centers`` are
    added to it.
    """

    name: str
    centers: tuple[float, ...]
    draw: Draw

    @property
    def best(self) -> tuple[int, ...]:
        """The methods that are truly best; several where they are equal."""
        top = max(self.centers)
        return tuple(m for m, center in enumerate(self.centers) if center == top)

    def table(self, generator: np.random.Generator) -> FloatArray:
        return np.asarray(self.draw(generator) + np.array(self.centers))


def normal(n: int, k: int, spread: float | FloatArray = 1.0) -> Draw:
    return lambda generator: np.asarray(generator.normal(size=(n, k)) * spread)


def heavy(n: int, k: int) -> Draw:
    return lambda generator: generator.standard_t(2, (n, k))


def tied(n: int, k: int) -> Draw:
    """Noise in steps of half a standard deviation, with many ties and equal scores."""
    return lambda generator: np.round(2 * generator.normal(size=(n, k))) / 2


def correlated(n: int, k: int) -> Draw:
    """Methods of two kinds: those of one kind do well on the same data sets."""

    def draw(generator: np.random.Generator) -> FloatArray:
        kinds = generator.normal(size=(n, 2))
        return generator.normal(size=(n, k)) * 0.5 + kinds[:, np.arange(k) % 2]

    return draw


def both_signs(n: int, k: int) -> Draw:
    """Each method is good on some data sets and bad on others, by chance; no method is typically better."""
    return lambda generator: generator.choice([-1.0, 1.0], (n, k)) + 0.2 * generator.normal(size=(n, k))


def worlds() -> Iterator[World]:
    """The main grid: equal methods, groups of equals, and other noise."""
    for n in (6, 10, 30):
        yield World(f"all equal, 2 methods × {n} data sets", (0.0, 0.0), normal(n, 2))
    for n, k in ((6, 3), (8, 5), (10, 5), (10, 10), (13, 5), (20, 5), (30, 10), (10, 40)):
        yield World(f"all equal, {k} methods × {n} data sets", (0.0,) * k, normal(n, k))
    for n, k in ((10, 5), (30, 10)):
        rest = (-1.5,) * (k - 2)
        yield World(f"two equal best, {k} × {n}", (0.0, 0.0, *rest), normal(n, k))
        yield World(f"three groups, {k} × {n}", tuple(0.8 * (m % 3) for m in range(k)), normal(n, k))
        yield World(f"unequal spread, {k} × {n}", (0.0,) * k, normal(n, k, np.linspace(0.2, 3, k)))
        yield World(f"heavy tails (t₂), {k} × {n}", (0.0,) * k, heavy(n, k))
        yield World(f"ties and zeros, {k} × {n}", (0.0,) * k, tied(n, k))
        yield World(f"two kinds of methods, {k} × {n}", (0.0,) * k, correlated(n, k))
        yield World(f"differences of both signs, {k} × {n}", (0.0,) * k, both_signs(n, k))
        yield World(f"three pairs of equals, 6 × {n}", (0.0, 0.0, 0.8, 0.8, 1.6, 1.6), normal(n, 6))
    for n, k in ((8, 5), (10, 5), (10, 10), (30, 10), (10, 40)):
        yield World(f"one best by 1.5 SD, {k} × {n}", (1.5, *(0.0,) * (k - 1)), normal(n, k))


CLAIMS = {
    "joint intervals: a false star": Limit("at most", 0.05),
    "Holm-Wilcoxon: a false star": Limit("at most", 0.05),
    "Wilcoxon's own interval: holds": Limit("at least", 0.94),
    "joint intervals: all hold": Limit("at least", 0.94),
    "sole winner: a false one": Limit("at most", 0.05),
    "best set: has the best": Limit("at least", 0.94),
}


def experiments() -> Iterator[Experiment]:
    """All worlds of scores over data sets."""
    for world in worlds():
        yield Experiment("over data sets", world.name, partial(simulate, world), CLAIMS)


def simulate(world: World, generator: np.random.Generator, runs: int) -> Counts:
    """Judge so many tables of a world by each procedure, and count what each claims."""
    return count_claims(lambda: judge(world, world.table(generator)), runs)


def count_claims(one: Callable[[], Mapping[str, bool]], runs: int) -> Counts:
    """Count the claims of ``runs`` runs, of which each tells for some claims whether it was made."""
    made: Counter[str] = Counter()
    of: Counter[str] = Counter()
    for _ in range(runs):
        for claim, happened in one().items():
            made[claim] += happened
            of[claim] += 1
    return {claim: (made[claim], of[claim]) for claim in of}


def judge(world: World, table: FloatArray) -> dict[str, bool]:
    """What each procedure claims of one table, by the truth."""
    k = len(world.centers)
    pairs = all_pairs(k)
    truth = np.array([world.centers[i] - world.centers[j] for i, j in pairs])
    columns = table.T
    joint = joint_tests([differences(columns[i], columns[j]) for i, j in pairs])
    intervals = joint.intervals(LEVEL)
    stars = np.array(joint.p_values) < 1 - LEVEL
    null = truth == 0
    winner = sole_winner(table).details["winner"]
    claims = {
        "joint intervals: all hold": all(t in i for t, i in zip(truth.tolist(), intervals, strict=True)),
        "best set: has the best": str(world.best[0]) in best_set(table).members,
    }
    unadjusted = wilcoxon_matrix(table)[tuple(np.array(pairs).T)]
    holm = adjust(unadjusted, "holm") < 1 - LEVEL
    if k == 2:
        own = wilcoxon(*columns, level=LEVEL).effect
        claims["Wilcoxon's own interval: holds"] = own is not None and float(truth[0]) in own
    if null.any():
        claims["joint intervals: a false star"] = bool((stars & null).any())
        claims["Holm-Wilcoxon: a false star"] = bool((holm & null).any())
        claims["unadjusted Wilcoxon: a false star"] = bool(((unadjusted < 1 - LEVEL) & null).any())
        claims["Nemenyi: a false star"] = bool(nemenyi_stars(table)[null].any())
    if len(world.best) > 1:
        claims["sole winner: a false one"] = winner is not None
    else:
        claims["sole winner: named"] = winner == str(world.best[0])
        of_best = [m for m, pair in enumerate(pairs) if world.best[0] in pair]
        claims["Holm-Wilcoxon: beats every other"] = bool(holm[of_best].all())
        claims["joint intervals: beats every other"] = bool(stars[of_best].all())
    return claims


def nemenyi_stars(table: FloatArray) -> npt.NDArray[np.bool_]:
    """The pairs whose average ranks differ by more than Nemenyi's critical difference.

    This is the decision of ``nemenyi``, without its p-values, which take longer than all other tests of 40 methods.
    """
    n, k = table.shape
    ranks = score_table(table).doubled_ranks(higher_is_better=False).sum(axis=0) / (2 * n)
    first, second = np.array(all_pairs(k)).T
    return np.asarray(np.abs(ranks[first] - ranks[second]) > _critical_difference(k, n))


@cache
def _critical_difference(k: int, n: int) -> float:
    return critical_difference(k, n, level=LEVEL)
