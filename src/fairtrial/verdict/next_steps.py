"""What would settle an open question: how many data sets it takes to show a difference that matters."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from itertools import count

import numpy as np
from scipy.special import chdtri, ndtr

from fairtrial.design import FEWEST_DATASETS, smallest_p
from fairtrial.resampling import score_unit
from fairtrial.stats import power
from fairtrial.verdict.designs.compare_methods import Compared
from fairtrial.verdict.designs.units import Units
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

__all__ = ["fewest_for_all_pairs", "next_over_datasets"]

POWER = 0.8
MOST = 5000
RANGE = 0.8  # the confidence of the range of the spread


def next_over_datasets(compared: Compared, units: Units, *, hinges: bool = False) -> tuple[str, ...]:
    """The number of data sets that would show a true difference δ between the reference and its nearest open rival.

    It is computed from δ and the spread of the differences, never from the difference that was seen: such a number
    would only restate the p-value. The range is that of the spread's uncertainty (80 %, χ²).
    """
    if compared.winner is not None:
        large = "say which difference matters (smallest_difference) to learn whether the lead is large enough"
        steps = (*_firmer(compared, hinges), *([large] if compared.delta is None else []))
        if steps:
            return steps
    if not compared.tests.bounded:
        m = len(compared.pairs)
        enough = fewest_for_all_pairs(m, compared.question.level)
        return (
            f"{enough} {units.several} or more allow intervals that hold for all {m} pairs together; how many settle a "
            "pair depends on the difference that matters (smallest_difference)",
        )
    against = compared.against_reference()
    candidates = compared.best if compared.several_best else compared.order
    undecided = [m for m in candidates if m in against and against[m].decision == "undecided"]
    if compared.winner is not None or not undecided:
        return tuple(_noise_or_not(compared))
    a, b = compared.reference, undecided[0]
    names = f"{compared.evidence.methods[a]} and {compared.evidence.methods[b]}"
    if compared.delta is None:
        say = "say which difference matters (smallest_difference)"
        if compared.several_best and len(compared.best) > 2:
            equal = "candidates that are shown to differ by less are equivalent"
            number = f"the number of {units.several} that would separate {names} can be computed"
            return (f"{say}: {equal}, and {number}",)
        return (f"{say}, and the number of {units.several} that would settle {names} can be computed",)
    words = Wording(compared.evidence.measure, compared.evidence.as_ratio)
    delta = words.delta(compared.question.delta or 0.0)
    d = units.scores[:, a] - units.scores[:, b]
    sd, n = float(d.std(ddof=1)), units.n
    if sd == 0:
        return ()
    each = _own_level(compared, n)
    low, high = (sd * math.sqrt((n - 1) / chdtri(n - 1, tail)) for tail in ((1 - RANGE) / 2, (1 + RANGE) / 2))
    needed = [_data_sets_needed(compared.delta / s, each) for s in (low, sd, high)]
    if needed[1] is None:
        return (f"to show a true difference of {delta} between {names} takes more than {MOST:,} {units.several}",)
    span = f"{_count(needed[0])} to {_count(needed[2])} by the uncertainty of the spread"
    if needed[1] <= n:
        return (
            f"{plural(n, units.each, units.several)} should have shown a difference of {delta} between {names}, if "
            f"there were one (power {POWER} takes {needed[1]}; {span})",
        )
    return (
        f"to show a true difference of {delta} between {names} takes about {_count(needed[1])} {units.several} in all "
        f"(power {POWER}; {span})",
    )


def fewest_for_all_pairs(pairs: int, level: float) -> int:
    """The smallest number of data sets that allows intervals for all pairs together."""
    return next(n for n in count(1) if smallest_p(n) * pairs < 1 - level)


def _firmer(compared: Compared, hinges: bool) -> Iterator[str]:
    """What would make a winner firmer that hinges on single data sets, or that the means do not show."""
    if hinges:
        yield f"more {compared.evidence.unit}s such as these would make the answer firmer"
    spreads = [p.spread for p in compared.against_reference().values() if p.spread is not None]
    if compared.question.estimand == "typical" and any(0 in s.own_mean and not s.mostly_equal for s in spreads):
        yield "decide which matters to you: the typical difference, or the difference of the means (estimand='mean')"


def _noise_or_not(compared: Compared) -> Iterator[str]:
    """What would tell whether differences on single data sets are noise, where methods are equal on average."""
    spreads = [p.spread for p in compared.pairs if p.decision == "equal on average; on single data sets open"]
    if any(s is not None and math.isnan(s.noise) for s in spreads):
        single = "bring the scores of single splits, and say how these were made (resampling='10-fold')"
        several = "bring scores on several splits of each data set"
        yield (
            f"{several if score_unit(compared.evidence.dependence) == 'seed' else single}: then noise within the data "
            "sets can be told from real differences between them"
        )


def _own_level(compared: Compared, n: int) -> float:
    """The level of one pair's interval, by which all intervals hold together."""
    tests, level = compared.tests, compared.question.level
    if tests.joint is not None and tests.bounded:
        z = tests.joint.maxima.critical(1 - level) / 2 / math.sqrt(n * (n + 1) * (2 * n + 1) / 6)
        return float(np.clip(2 * ndtr(z) - 1, level, 1 - 1e-9))
    return 1 - (1 - level) / tests.family


def _data_sets_needed(effect: float, level: float) -> int | None:
    """The smallest number of data sets with enough power; None above 5,000."""

    def reached(n: int) -> float:  # sample_size asks the same, but imports a solver, which takes longer than all this
        return power("wilcoxon", n=n, effect=effect, level=level).power

    found = bisect_left(range(MOST + 1), POWER, lo=FEWEST_DATASETS, key=reached)
    return found if found <= MOST else None


def _count(needed: int | None) -> str:
    return f"more than {MOST:,}" if needed is None else f"{needed:,}"
