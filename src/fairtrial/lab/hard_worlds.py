"""Worlds that break assumptions: skewed differences, mostly equal scores, and data sets of one family."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from fairtrial.lab.experiment import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import LEVEL, count_claims
from fairtrial.stats import best_set, mean_interval, paired_t, sole_winner
from fairtrial.stats.comparisons import all_pairs
from fairtrial.words import plural

METHODS = 5
FAMILY_SIZE = 3
SMALL_NOISE = 0.2  # of methods whose scores are not skewed
EASY = 0.7  # the share of questions that a method answers
SPREAD_OF_QUESTIONS = 3.0  # the standard deviation of their difficulty, in logits
MEAN_T = "paired t of the means of two equal methods: a false difference"
BEST_MEAN = "best set of the means: lacks one of the two best"


def skewed() -> Iterator[Experiment]:
    """Equal means and skewed differences: the typical difference is not 0, and a winner of the mean is false."""
    for k in (2, METHODS):
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
    steep = np.ones(METHODS)
    steep[0] = decisive
    able = np.array([ability_for(EASY, s) for s in steep])
    able[2:] -= 1  # the others are worse than the first two

    def one() -> dict[str, bool]:
        hard = generator.normal(size=(questions, 1)) * SPREAD_OF_QUESTIONS + generator.normal(size=(questions, METHODS))
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
        own = np.repeat(generator.normal(size=(10, METHODS)), FAMILY_SIZE, axis=0)
        table = np.sqrt(share) * own + np.sqrt(1 - share) * generator.normal(size=own.shape)
        table[:, 2:] -= 3
        units = table.reshape(10, FAMILY_SIZE, METHODS).mean(axis=1)
        return {
            "each family one unit, sole winner: a false one": sole_winner(units).details["winner"] is not None,
            "each version one unit, sole winner: a false one": sole_winner(table).details["winner"] is not None,
        }

    return count_claims(one, runs)
