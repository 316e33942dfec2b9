"""Yardsticks that the question gives: levels from elsewhere, shown beside the methods and tested over data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.stats import binomial_test, corrected_t, one_sample_t, wilcoxon
from fairtrial.stats.outcome import Alternative
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import Evidence
from fairtrial.words import listed, plural

MOST = 3  # methods or data sets that are named beside a yardstick


@dataclass(frozen=True, slots=True)
class GivenYardstick:
    """A yardstick of the question on the data sets of the evidence.

    ``levels`` has its level on each data set, nan where it has none. ``level`` is what a table shows: the level on one
    data set, else the mean (for ratios the geometric mean) over the data sets on which it has one, and None without
    any. ``fails`` are the methods that do not clearly beat it; None where that is not tested. On the data sets
    ``ahead_on`` it is better than one of the methods.
    """

    name: str
    levels: npt.NDArray[np.float64]
    level: float | None
    fails: list[str] | None
    missing: tuple[str, ...]
    ahead_on: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Its text in a table: 'yardstick, as given', and which methods beat it."""
        if self.fails is None:
            return "yardstick, as given"
        return f"yardstick, as given: {beaten_in_words(self.fails, self.ahead_on)}"

    @property
    def notes(self) -> tuple[str, ...]:
        """A note on the data sets on which it has no level; empty if it has one on all."""
        if not self.missing:
            return ()
        there = len(self.levels) - len(self.missing)
        shown = f"; it is shown for {plural(there, 'data set')}, and not tested" if there else ""
        return (f"the yardstick {self.name} has no level on {listed(self.missing)}{shown}",)


def given_yardsticks(evidence: Evidence, question: Question) -> tuple[GivenYardstick, ...]:
    """The yardsticks of the question on these data sets, in the order in which they are given."""
    return tuple(_on_these(evidence, question, name) for name in question.yardsticks)


def _on_these(evidence: Evidence, question: Question, name: str) -> GivenYardstick:
    levels = np.array([question.level_of(name, d) for d in evidence.datasets], dtype=np.float64)  # None becomes nan
    missing = tuple(d for d, level in zip(evidence.datasets, levels, strict=True) if math.isnan(level))
    if len(evidence.datasets) == 1:
        fails = None if missing else _unbeaten_here(evidence, float(levels[0]), question)
    else:
        fails = beats_levels(evidence, levels, question.level, question.family)
    ahead_on = tuple(ahead_somewhere(evidence, levels))
    return GivenYardstick(name, levels, _shown(evidence, levels), fails, missing, ahead_on)


def _shown(evidence: Evidence, levels: npt.NDArray[np.float64]) -> float | None:
    there = levels[~np.isnan(levels)]
    if len(set(there)) < 2:  # a mean of equal numbers may differ from them in the last digit
        return float(there[0]) if len(there) else None
    if evidence.as_ratio and len(evidence.datasets) > 1 and (there > 0).all():
        return float(np.exp(np.log(there).mean()))
    return float(there.mean())


def beats_levels(
    evidence: Evidence, levels: npt.ArrayLike, level: float, family: Mapping[str, Sequence[str]] | None = None
) -> list[str] | None:
    """The methods that do not clearly beat a yardstick, given its level on each data set.

    Each method is tested by itself: Wilcoxon signed ranks of its differences to the levels, one-sided at 1 − level, on
    the logarithms where methods are compared by ratios. Data sets of one ``family`` are one piece of evidence. None
    where that can't be tested: fewer than six data sets, a data set without a level (nan), or a level of 0 where ratios
    are compared.
    """
    given = np.asarray(levels, dtype=np.float64)
    if len(evidence.datasets) < FEWEST_DATASETS or np.isnan(given).any():
        return None
    if evidence.as_ratio:
        if (given <= 0).any():
            return None
        given = np.log(given)
    units, k = units_of(evidence, family or {}), len(evidence.methods)
    if units.n < FEWEST_DATASETS:
        return None
    better = evidence.sign * units.averaged(evidence.comparable[:, :k] - given[:, None])
    return not_clearly_better(evidence.methods, better, level)


def not_clearly_better(methods: Sequence[str], better: npt.NDArray[np.float64], level: float) -> list[str]:
    """The methods (columns) whose leads over a level are not clearly positive over data sets (rows).

    Each is tested by itself: Wilcoxon signed ranks, one-sided at 1 − level; equal scores are ranked without a sign.
    """
    zero = np.zeros(len(better))
    tests = [wilcoxon(lead, zero, zeros="pratt", alternative="greater", interval=False) for lead in better.T]
    return [name for name, test in zip(methods, tests, strict=True) if not test.p_value < 1 - level]


def beaten_in_words(fails: Sequence[str], ahead_on: Sequence[str] = ()) -> str:
    """Which methods beat a yardstick, given those that don't clearly do, and the data sets where it is ahead of one.

    >>> beaten_in_words([]), beaten_in_words([], ["iris", "wine"])
    ('every method beats it', 'every method typically beats it, but not on iris and wine')
    """
    if fails:
        return f"not clearly beaten by {listed(fails, MOST)}"
    return (
        f"every method typically beats it, but not on {listed(ahead_on, MOST)}" if ahead_on else "every method beats it"
    )


def ahead_somewhere(evidence: Evidence, levels: npt.NDArray[np.float64]) -> list[str]:
    """The data sets on which a yardstick, given its level on each, is better than one of the methods."""
    weakest = (evidence.sign * evidence.means[:, : len(evidence.methods)]).min(axis=1)
    return [d for d, ahead in zip(evidence.datasets, evidence.sign * levels > weakest, strict=True) if ahead]


def _unbeaten_here(evidence: Evidence, level: float, question: Question) -> list[str] | None:
    """The methods that don't clearly beat a level on the one data set, each tested by itself; None without a test.

    Over splits by the corrected t, over instances of fixed models by the binomial test of counts, else by t.
    """
    losses, k = evidence.losses, len(evidence.methods)
    if losses is None or evidence.is_optimistic:
        return _unbeaten_over_splits(evidence, np.full(len(evidence.folds[0]), level), question)
    side: Alternative = "greater" if evidence.sign > 0 else "less"
    found, pieces = [], evidence.cluster_totals if evidence.clustered else losses
    for m in range(k):
        own = pieces[:, m]
        if not evidence.clustered and np.isin(own, (0, 1)).all() and 0 < level < 1:
            outcome = binomial_test(int(own.sum()), len(own), level, alternative=side)
        else:
            outcome = one_sample_t(own, level, alternative=side)
        if not outcome.p_value < 1 - question.level:
            found.append(evidence.methods[m])
    return found


def unbeaten_on_one(evidence: Evidence, yardstick: int, question: Question) -> list[str] | None:
    """The methods that don't clearly beat the yardstick, each tested by itself; None where that can't be tested."""
    return _unbeaten_over_splits(evidence, evidence.folds[0][:, len(evidence.methods) + yardstick], question)


def _unbeaten_over_splits(evidence: Evidence, column: npt.NDArray[np.float64], question: Question) -> list[str] | None:
    """The methods that don't clearly beat the scores of a yardstick on the splits of one data set."""
    k, folds, dependence = len(evidence.methods), evidence.folds[0], evidence.dependence[0]
    if evidence.is_resource or len(folds) < 2 or not dependence.known or np.isnan(column).any():
        return None
    fails = []
    for m in range(k):
        better = evidence.sign * (folds[:, m] - column)
        share, overlap = dependence.test_share, dependence.overlap
        outcome = corrected_t(better, np.zeros_like(better), test_share=share, overlap=overlap, alternative="greater")
        no_spread = np.isnan(outcome.p_value) and (better > 0).all()  # better by the same amount on every split
        if not (outcome.p_value < 1 - question.level or no_spread):
            fails.append(evidence.methods[m])
    return fails
