"""Worlds of scores over data sets, in which it is known which methods differ, and the procedures that judge them.

The level of one method over data sets: how often its interval holds the mean of all data sets such as these.

Worlds that break assumptions: skewed differences, mostly equal scores, and data sets of one family.

Worlds for claims of equivalence: at the border, far from it, and half and half.

Several measures at once over data sets: how often Hotelling's T² and MANOVA find a difference of equal methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import expit

from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.stats import (
    adjust,
    best_set,
    critical_difference,
    equivalent_over_datasets,
    hotelling,
    manova,
    mean_interval,
    paired_t,
    sole_winner,
    wilcoxon,
    wilcoxon_matrix,
)
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.post_hoc.joint_intervals import joint_tests
from fairtrial.stats.score_arrays import FloatArray, differences, score_table
from fairtrial.verdict.designs.several_measures import enough_for_all_differences
from fairtrial.words import plural

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


HOLDS = "t interval of one method's mean: holds"
WIDE = 4, 1  # of a beta distribution: accuracies of which half are above 0.84, and the worst near 0.3

SCORES: Mapping[str, tuple[Callable[[np.random.Generator, int], FloatArray], float]] = {
    "normal scores": (lambda g, n: g.normal(size=n), 0.0),
    "accuracies with a long tail to the left": (lambda g, n: g.beta(*WIDE, n), WIDE[0] / sum(WIDE)),
}
"""The scores of a method on data sets, and their true mean."""


def level_experiments() -> Iterator[Experiment]:
    """Each kind of scores over 6, 10 and 30 data sets."""
    for world in SCORES:
        for n in (6, 10, 30):
            limits = {HOLDS: Limit("at least", 0.93)} if world == "normal scores" else {}  # skew is shown, not limited
            yield Experiment("over data sets", f"{world}, 1 method × {n}", partial(_level, world, n), limits)


def _level(world: str, n: int, generator: np.random.Generator, runs: int) -> Counts:
    draw, truth = SCORES[world]
    return count_claims(lambda: {HOLDS: truth in mean_interval(draw(generator, n), level=LEVEL)}, runs)


FIVE = 5
FAMILY_SIZE = 3
SMALL_NOISE = 0.2  # of methods whose scores are not skewed
EASY = 0.7  # the share of questions that a method answers
SPREAD_OF_QUESTIONS = 3.0  # the standard deviation of their difficulty, in logits
MEAN_T = "paired t of the means of two equal methods: a false difference"
BEST_MEAN = "best set of the means: lacks one of the two best"


def skewed() -> Iterator[Experiment]:
    """Equal means and skewed differences: the typical difference is not 0, and a winner of the mean is false."""
    for k in (2, FIVE):
        for n in (30, 100):
            yield Experiment("skewed", f"equal means, skewed differences, {k} × {n}", partial(_skewed, n, k))


def _skewed(n: int, k: int, generator: np.random.Generator, runs: int) -> Counts:
    """One method is mostly a little better and rarely much worse than the others; all means are equal."""
    pairs = all_pairs(k)
    bonferroni = 1 - (1 - LEVEL) / len(pairs)

    def one() -> dict[str, bool]:
        table = generator.normal(size=(n, k)) * SMALL_NOISE
        table[:, 0] = 1 - generator.exponential(size=n)
        means = [mean_interval(table[:, i] - table[:, j], level=bonferroni) for i, j in pairs]
        return {
            "sole winner, taken for one of the means": sole_winner(table).details["winner"] is not None,
            "t intervals of the means (Bonferroni): a false star": any(0 not in interval for interval in means),
        }

    return count_claims(one, runs)


def answers() -> Iterator[Experiment]:
    """Shares of right answers to questions, mostly equal, of methods whose expected shares are equal."""
    limits = {MEAN_T: Limit("at most", 0.05), BEST_MEAN: Limit("at most", 0.05)}
    for questions in (100, 1000):
        for tries in (1, 10):
            for decisive, kind in ((1.0, "alike"), (3.0, "one more decisive")):
                world = f"{plural(tries, 'answer')} to {questions} questions, equal methods, {kind}"
                yield Experiment("answers", world, partial(_answers, questions, tries, decisive), limits)


def _answers(questions: int, tries: int, decisive: float, generator: np.random.Generator, runs: int) -> Counts:
    """Answers are right with a probability that falls with a question's difficulty, for one method more steeply."""
    steep = np.ones(FIVE)
    steep[0] = decisive
    able = np.array([ability_for(EASY, s) for s in steep])
    able[2:] -= 1  # the others are worse than the first two

    def one() -> dict[str, bool]:
        hard = generator.normal(size=(questions, 1)) * SPREAD_OF_QUESTIONS + generator.normal(size=(questions, FIVE))
        table = generator.binomial(tries, expit(steep * (able - hard))) / tries
        return {
            MEAN_T: bool(paired_t(table[:, 0], table[:, 1]).p_value < 1 - LEVEL),
            BEST_MEAN: "0" not in best_set(table, estimand="mean", draws=999).members,
        }

    return count_claims(one, runs)


@cache
def ability_for(share: float, steep: float) -> float:
    """The ability at which a method answers this share of all questions, by quadrature over their difficulty."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    hard = nodes * np.sqrt(SPREAD_OF_QUESTIONS**2 + 1)

    def excess(able: float) -> float:
        return float(weights @ expit(steep * (able - hard)) / weights.sum() - share)

    return float(brentq(excess, -50, 50))


def families() -> Iterator[Experiment]:
    """Ten sources with three versions each: versions of one source are one piece of evidence."""
    limits = {"each family one unit, sole winner: a false one": Limit("at most", 0.05)}
    for share in (0.5, 0.9):
        world = f"two equal best, 10 families of {FAMILY_SIZE} that share {100 * share:g} % of the variance"
        yield Experiment("families", world, partial(_families, share), limits)


def _families(share: float, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        own = np.repeat(generator.normal(size=(10, FIVE)), FAMILY_SIZE, axis=0)
        table = np.sqrt(share) * own + np.sqrt(1 - share) * generator.normal(size=own.shape)
        table[:, 2:] -= 3
        units = table.reshape(10, FAMILY_SIZE, FIVE).mean(axis=1)
        return {
            "each family one unit, sole winner: a false one": sole_winner(units).details["winner"] is not None,
            "each version one unit, sole winner: a false one": sole_winner(table).details["winner"] is not None,
        }

    return count_claims(one, runs)


MARGIN = 1.0
TWO_THIRDS = 0.967422  # |z| is below this with probability 2/3
CLAIM = "called equivalent"

DIFFERENCES: Mapping[str, tuple[Callable[[np.random.Generator, int], FloatArray], Limit]] = {
    "two thirds inside the margin": (lambda g, n: g.normal(0, MARGIN / TWO_THIRDS, n), Limit("at most", 0.06)),
    "half at +5, half at −5 margins": (lambda g, n: g.choice([-5.0, 5.0], n), Limit("at most", 0.01)),
    "typical difference at the margin": (lambda g, n: g.normal(MARGIN, 0.2, n), Limit("at most", 0.05)),
    "all inside, SD 0.3 margins": (lambda g, n: g.normal(0, 0.3 * MARGIN, n), Limit("at least", 0.98)),
}


def equivalence_experiments() -> Iterator[Experiment]:
    """Each kind of differences over 20 and 40 data sets."""
    for world, (_, limit) in DIFFERENCES.items():
        for n in (20, 40):
            yield Experiment("equivalence", f"{world}, {n} data sets", partial(_equivalence, world, n), {CLAIM: limit})


def _equivalence(world: str, n: int, generator: np.random.Generator, runs: int) -> Counts:
    draw, _ = DIFFERENCES[world]

    def one() -> dict[str, bool]:
        found = equivalent_over_datasets(draw(generator, n), np.zeros(n), margin=MARGIN)
        return {CLAIM: found.p_value < 0.05, "the typical difference alone": found.details["average_p"] < 0.05}

    return count_claims(one, runs)


TWO = "Hotelling's T² over data sets: a false difference"
SEVERAL = "Hotelling's T² of all differences of 4 methods: a false difference"
FEW = "MANOVA (Pillai) of 4 methods, data sets as blocks: a false difference"
SHARED = 0.7  # of the variance of a measure's scores, which all measures of a method have in common
MANOVA_METHODS = 4


def _correlated(draw: Callable[[tuple[int, ...]], FloatArray], n: int, k: int, m: int) -> FloatArray:
    """Scores of k methods by m measures on n data sets; the measures of a method are correlated."""
    scores: FloatArray = np.sqrt(SHARED) * draw((n, k, 1)) + np.sqrt(1 - SHARED) * draw((n, k, m))
    return scores


def _normal(generator: np.random.Generator, n: int, k: int, m: int) -> FloatArray:
    return _correlated(lambda size: generator.normal(size=size), n, k, m)


def _long_tails(generator: np.random.Generator, n: int, k: int, m: int) -> FloatArray:
    """All methods have a long tail to the left, so that differences are symmetric, with heavy tails."""
    return _correlated(lambda size: 1 - generator.exponential(size=size), n, k, m)


def _one_skewed(generator: np.random.Generator, n: int, k: int, m: int) -> FloatArray:
    """One method is mostly a little better and rarely much worse than the others; all means are equal."""
    scores = 0.2 * _normal(generator, n, k, m)
    scores[:, :1] = _long_tails(generator, n, 1, m)
    return scores


def _unequal(generator: np.random.Generator, n: int, k: int, m: int) -> FloatArray:
    """One method varies three times as much as the others, so that differences have unequal covariances."""
    scores = _normal(generator, n, k, m)
    scores[:, 0] *= 3
    return scores


WORLDS: Mapping[str, tuple[Callable[[np.random.Generator, int, int, int], FloatArray], tuple[str, ...]]] = {
    "normal scores": (_normal, (TWO, SEVERAL, FEW)),
    "long tails to the left": (_long_tails, ()),
    "equal means, one method with skewed scores": (_one_skewed, ()),
    "equal means, one method that varies more": (_unequal, (TWO, SEVERAL)),
}
"""The scores of equal methods, and the procedures that assume no more than holds there: they must keep their level."""


def measure_experiments() -> Iterator[Experiment]:
    """Each world with two and four measures, over the fewest data sets that a verdict takes, 20 and 50."""
    for world, (_, safe) in WORLDS.items():
        limits = {claim: Limit("at most", 0.05) for claim in safe}
        for m in (2, 4):
            for n in (m + 6, 20, 50):
                yield Experiment(
                    "several measures", f"{world}, {m} measures × {n}", partial(_several, world, n, m), limits
                )


def _several(world: str, n: int, m: int, generator: np.random.Generator, runs: int) -> Counts:
    draw, _ = WORLDS[world]

    def one() -> dict[str, bool]:
        two, several = draw(generator, n, 2, m), draw(generator, n, MANOVA_METHODS, m)
        groups = {f"m{j}": several[:, j] for j in range(MANOVA_METHODS)}
        claims = {
            TWO: hotelling(two[:, 0], two[:, 1], level=LEVEL).p_value < 1 - LEVEL,
            FEW: manova(groups, blocks=True, level=LEVEL).p_value < 1 - LEVEL,
        }
        if enough_for_all_differences(n, MANOVA_METHODS, m):
            others, first = several[:, 1:].reshape(n, -1), np.tile(several[:, 0], MANOVA_METHODS - 1)
            claims[SEVERAL] = hotelling(others, first, level=LEVEL).p_value < 1 - LEVEL
        return claims

    return count_claims(one, runs)
