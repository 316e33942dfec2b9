"""How often does each test call a difference that is not there? Simulated, where truth is known.

The small form runs with the tests; ``make error-rates`` draws 20 times as many and prints the table that
docs/statistics/choosing.md shows.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import binom

from fairtrial import stats

REPEATS = int(os.environ.get("FAIRTRIAL_REPEATS", "300"))
LEVEL = 0.95
Random = np.random.Generator


@dataclass(frozen=True)
class Trap:
    """A simulation under a true null: ``found`` makes data and says whether a difference was called."""

    what: str
    data: str
    found: Callable[[Random], bool]
    rate: tuple[float, float]  # between which the share of false calls lies, apart from simulation error
    repeats: float = 1.0


def significant(outcome: stats.Outcome) -> bool:
    return outcome.p_value < 1 - LEVEL


def any_different(comparisons: stats.Comparisons) -> bool:
    return min(comparisons.p_adjusted) < 1 - LEVEL


def any_pair(scores: np.ndarray, adjust: str) -> bool:
    """What ``pairwise`` calls, without effects and intervals."""
    upper = np.triu_indices(scores.shape[1], 1)
    return bool(stats.adjust(stats.wilcoxon_matrix(scores)[upper], adjust).min() < 1 - LEVEL)


def folds(random: Random, n: int = 100, share: float = 0.1) -> np.ndarray:
    """Differences over 10×10 folds: overlapping training sets make any two of them correlated."""
    return np.sqrt(share) * random.normal() + np.sqrt(1 - share) * random.normal(size=n)


def table(random: Random, n: int, k: int) -> np.ndarray:
    """Equal methods on data sets that differ."""
    return random.normal(size=(n, k)) + 3 * random.normal(size=(n, 1))


def zeros(values: np.ndarray) -> np.ndarray:
    return np.zeros_like(values)


def with_a_look(random: Random) -> bool:
    """One-sided, in the direction that the data have."""
    d = random.normal(size=15)
    side = "greater" if d.mean() > 0 else "less"
    return significant(stats.wilcoxon(d, zeros(d), alternative=side, interval=False))


def disagreements(random: Random, n: int = 100, share: float = 0.12) -> np.ndarray:
    first, second = random.multinomial(n, [share / 2, share / 2, 1 - share])[:2]
    return np.array([[n - first - second, first], [second, 0]])


def predictions(random: Random, n: int = 200) -> tuple[int, int]:
    """Two equally good models that mostly agree: how many each has right."""
    both, first, second = random.multinomial(n, [0.75, 0.05, 0.05, 0.15])[:3]
    return int(both + first), int(both + second)


def areas(random: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    truth = np.repeat([0, 1], [40, 20])
    shared = truth + random.normal(size=60)
    return truth, shared + random.normal(size=60), shared + random.normal(size=60)


def labels(random: Random, n: int) -> tuple[np.ndarray, ...]:
    """Two models of the same sensitivity and specificity, which err independently."""
    truth = (random.random(n) < 0.4).astype(int)
    right = np.where(truth == 1, 0.7, 0.2)
    return truth, (random.random(n) < right).astype(int), (random.random(n) < right).astype(int)


def few_disagreements(random: Random, n: int) -> tuple[np.ndarray, ...]:
    """Two models that disagree on a tenth of the instances."""
    truth, which = np.ones(n, dtype=int), random.random(n)
    return truth, (which >= 0.05).astype(int), ((which < 0.05) | (which >= 0.1)).astype(int)


def values(random: Random, n: int) -> tuple[np.ndarray, ...]:
    truth = random.normal(size=n)
    return truth, truth + random.normal(size=n), truth + random.normal(size=n)


def redrawn(instances: tuple[np.ndarray, ...], measure: str, method: str = "percentile") -> bool:
    return significant(stats.paired_bootstrap(*instances, measure=measure, method=method, replicates=499))


def uneven(random: Random, n: int = 12) -> np.ndarray:
    """Equal means; two methods vary together, the third does not."""
    common = random.normal(size=(n, 1))
    return np.hstack([common + 0.1 * random.normal(size=(n, 2)), 3 * random.normal(size=(n, 1))])


def simulated(what: str, data: str, found: Callable[[Random], bool], low: float, high: float, repeats: float = 1.0):
    return pytest.param(Trap(what, data, found, (low, high), repeats), id=f"{what}, {data}")


# fmt: off
TRAPS = [
    simulated("wilcoxon", "15 data sets",
        lambda r: significant(stats.wilcoxon(r.normal(size=15), np.zeros(15), interval=False)), 0.03, 0.05),
    simulated("wilcoxon, coarse scores", "15 data sets, ties and zeros",
        lambda r: significant(stats.wilcoxon(r.normal(size=15).round(), np.zeros(15), interval=False)), 0.01, 0.05),
    simulated("sign_test", "15 data sets",
        lambda r: significant(stats.sign_test(r.normal(size=15), np.zeros(15))), 0.02, 0.05),
    simulated("wilcoxon, one-sided, direction picked from the data", "15 data sets", with_a_look, 0.08, 0.12),
    simulated("friedman (exact)", "5 data sets × 4",
        lambda r: significant(stats.friedman(table(r, 5, 4))), 0.02, 0.05),
    simulated("iman_davenport", "5 data sets × 4",
        lambda r: significant(stats.iman_davenport(table(r, 5, 4))), 0.05, 0.08),
    simulated("pairwise Wilcoxon, Holm", "15 data sets × 6, any pair",
        lambda r: any_pair(table(r, 15, 6), "holm"), 0.01, 0.05),
    simulated("pairwise Wilcoxon, not adjusted", "15 data sets × 6, any pair",
        lambda r: any_pair(table(r, 15, 6), "none"), 0.25, 0.5),
    simulated("nemenyi", "15 data sets × 6, any pair",
        lambda r: any_different(stats.nemenyi(table(r, 15, 6))), 0.015, 0.05, 0.5),
    simulated("paired_t over folds", "10×10-fold, one data set",
        lambda r: significant(stats.paired_t(d := folds(r), zeros(d))), 0.5, 0.65),
    simulated("corrected_t", "10×10-fold, one data set",
        lambda r: significant(stats.corrected_t(d := folds(r), zeros(d), test_share=0.1)), 0.03, 0.055),
    simulated("mcnemar (exact)", "100 instances, about 12 disagreements",
        lambda r: significant(stats.mcnemar(disagreements(r))), 0.01, 0.05),
    simulated("mcnemar, mid-p", "100 instances, about 12 disagreements",
        lambda r: significant(stats.mcnemar(disagreements(r), method="mid-p")), 0.025, 0.055),
    simulated("two_proportions, pairs ignored", "200 instances, models alike",
        lambda r: significant(stats.two_proportions((p := predictions(r))[0], 200, p[1], 200)), 0.0, 0.01),
    simulated("delong", "40 + 20 instances",
        lambda r: significant(stats.delong(*areas(r))), 0.035, 0.065),
    simulated("paired_bootstrap of F", "50 instances", lambda r: redrawn(labels(r, 50), "f_measure"), 0.02, 0.06),
    simulated("paired_bootstrap of accuracy", "30 instances, about 3 disagreements",
        lambda r: redrawn(few_disagreements(r, 30), "accuracy"), 0.0, 0.05),
    simulated("paired_bootstrap of AUC", "40 + 20 instances", lambda r: redrawn(areas(r), "auc"), 0.02, 0.06),
    simulated("paired_bootstrap of mean errors", "8 instances", lambda r: redrawn(values(r, 8), "mae"), 0.02, 0.06),
    simulated("paired_permutation", "12 folds or data sets",
        lambda r: significant(stats.paired_permutation(r.normal(size=12), np.zeros(12))), 0.035, 0.05, 0.5),
    simulated("anova of independent groups", "4 groups of 8",
        lambda r: significant(stats.anova(list(r.normal(size=(4, 8))))), 0.04, 0.06),
    simulated("repeated_anova", "12 × 3, spreads differ",
        lambda r: significant(stats.repeated_anova(uneven(r))), 0.03, 0.065),
    simulated("repeated_anova, no correction", "12 × 3, spreads differ",
        lambda r: significant(stats.repeated_anova(uneven(r), correction="none")), 0.065, 0.11),
    simulated("tukey", "6 groups of 8, any pair",
        lambda r: any_different(stats.tukey(list(r.normal(size=(6, 8))))), 0.035, 0.06, 0.2),
    simulated("pairwise_t, not adjusted", "6 groups of 8, any pair",
        lambda r: any_different(stats.pairwise_t(list(r.normal(size=(6, 8))), adjust="none")), 0.25, 0.5, 0.5),
    simulated("hotelling", "12 data sets, 3 measures",
        lambda r: significant(stats.hotelling(r.normal(size=(12, 3)))), 0.04, 0.06),
]
# fmt: on


class TestErrorRates:
    @pytest.mark.slow
    @pytest.mark.parametrize("trap", TRAPS)
    def test_of_a_true_null(self, trap):
        repeats = int(REPEATS * trap.repeats)
        random = np.random.default_rng(len(trap.what))
        share = sum(trap.found(random) for _ in range(repeats)) / repeats
        low, high = trap.rate
        print(f"| {trap.what} | {trap.data} | {100 * share:.1f} % |")
        assert binom.cdf(share * repeats, repeats, low) > 1e-4, "fewer false calls than it should make"
        assert binom.sf(share * repeats - 1, repeats, high) > 1e-4, "more false calls than it should make"

    @pytest.mark.parametrize(
        ("method", "covered"),
        [("normal", 0.876), ("wilson", 0.957), ("exact", 0.989), ("agresti-coull", 0.957), ("jeffreys", 0.957)],
    )
    def test_coverage_of_intervals_for_a_proportion(self, method, covered):
        """20 instances, a true accuracy of 0.9: how probable are counts whose interval holds it? In closed form."""
        held = 0.0
        for successes in range(21):
            found = stats.proportion_interval(successes, 20, method=method)
            held += binom.pmf(successes, 20, 0.9) * (found.low <= 0.9 <= found.high)
        print(f"| proportion_interval, {method} | 20 instances, accuracy 0.9 | {100 * (1 - held):.1f} % |")
        assert held == pytest.approx(covered, abs=5e-4)
