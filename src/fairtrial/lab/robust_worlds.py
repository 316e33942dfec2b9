"""Settings whose gains on new data sets are known: which criterion finds one that is good on the hard ones?

Twelve settings differ in their mean gain, in its spread over data sets, and in how often and how deep they fail. Data
sets differ fifteen times as much as settings. What counts is the true lower decile of a setting's differences from the
mean over settings: a good criterion chooses a setting whose decile is close to the best one. Bootstrap intervals for
the worst quarter are shown, to say why none is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import count_claims
from fairtrial.stats import robust_choice
from fairtrial.stats.factorial.robust_choice import CRITERIA, resampled_criterion
from fairtrial.stats.score_arrays import FloatArray

SETTINGS = 12
DATASETS_SPREAD, SPLIT_NOISE = 0.1, 0.003
DRAWN = 4_000  # data sets from which the truth is computed
TENTH = 0.1
CLOSE = 0.003  # in the true lower decile
RAW = "raw lower decile"
DRAWS = 400
INTERVAL = "percentile bootstrap of the worst quarter"


@dataclass(frozen=True, slots=True, eq=False)
class Settings:
    """Gains of settings: their means and spreads over data sets, how often they fail, and by how much."""

    means: FloatArray
    spreads: FloatArray
    failing: FloatArray
    depth: FloatArray

    @classmethod
    def drawn(cls, random: np.random.Generator) -> Settings:
        """Settings that are drawn at random."""
        return cls(
            means=random.normal(0, 0.004, SETTINGS),
            spreads=0.006 * np.exp(random.normal(0, 0.5, SETTINGS)),
            failing=random.uniform(0, 0.25, SETTINGS),
            depth=random.uniform(0.01, 0.05, SETTINGS),
        )

    def gains(self, random: np.random.Generator, n: int) -> FloatArray:
        """The gain of each setting (columns) on n data sets."""
        fails = random.random((n, SETTINGS)) < self.failing
        return np.asarray(self.means + self.spreads * random.normal(size=(n, SETTINGS)) - self.depth * fails)

    def scores(self, random: np.random.Generator, n: int) -> FloatArray:
        """Measured scores: gains, the level of each data set, and the luck of splits."""
        level = random.normal(0.8, DATASETS_SPREAD, (n, 1))
        return np.asarray(level + self.gains(random, n) + SPLIT_NOISE * random.normal(size=(n, SETTINGS)))

    def true_deciles(self, random: np.random.Generator) -> FloatArray:
        """The lower decile of each setting's differences from the mean over settings, over many data sets."""
        gains = self.gains(random, DRAWN)
        return np.asarray(np.quantile(gains - gains.mean(axis=1, keepdims=True), TENTH, axis=0))


def choices(scores: FloatArray) -> dict[str, int]:
    """The setting that each criterion chooses; a raw lower decile beside them."""
    found = robust_choice(scores, draws=1)
    named: dict[str, int] = {name: found.best_by(name) for name in CRITERIA}
    return named | {RAW: int(np.quantile(scores, TENTH, axis=0).argmax())}


def _lost(random: np.random.Generator, datasets: int) -> dict[str, float]:
    """What each criterion's choice loses in the true lower decile, against the best setting."""
    settings = Settings.drawn(random)
    deciles = settings.true_deciles(random)
    picked = choices(settings.scores(random, datasets))
    return {name: float(deciles.max() - deciles[j]) for name, j in picked.items()}


def losses(random: np.random.Generator, datasets: int, runs: int) -> dict[str, float]:
    """The mean loss of each criterion in the true lower decile."""
    lost = [_lost(random, datasets) for _ in range(runs)]
    return {name: float(np.mean([each[name] for each in lost])) for name in lost[0]}


def experiments() -> Iterator[Experiment]:
    """Choices by 8 to 50 data sets; the default criterion must come close more often than not with 20 or more."""
    for datasets in (8, 20, 50):
        limits = {f"worst quarter: {_close()}": Limit("at least", 0.6)} if datasets >= 20 else {}
        world = f"{SETTINGS} settings that fail now and then, {datasets} data sets"
        yield Experiment("robust", world, partial(_simulate, datasets), limits)


def _close() -> str:
    return f"within {CLOSE} of the best"


def _simulate(datasets: int, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        close = {f"{name}: {_close()}": loss <= CLOSE for name, loss in _lost(generator, datasets).items()}
        return close | _covered(generator, datasets)

    return count_claims(one, runs)


def _covered(random: np.random.Generator, datasets: int) -> dict[str, bool]:
    """Whether bootstrap intervals have the true worst quarter of the chosen setting, and of one that nobody chose."""
    settings = Settings.drawn(random)
    gains, scores = settings.gains(random, DRAWN), settings.scores(random, datasets)
    worst = CRITERIA["worst quarter"]
    truth = worst(gains - gains.mean(axis=1, keepdims=True))
    own = scores - scores.mean(axis=1, keepdims=True)
    low, high = np.quantile(resampled_criterion(own[:, None, :], worst, random, DRAWS), [0.025, 0.975], axis=0)
    holds = (low <= truth) & (truth <= high)
    chosen = int(worst(own).argmax())
    return {
        f"{INTERVAL} of a fixed setting: holds": bool(holds[0]),
        f"{INTERVAL} of the chosen: holds": bool(holds[chosen]),
    }
