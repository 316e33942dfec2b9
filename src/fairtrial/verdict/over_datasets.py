"""Two or more methods over six or more data sets: pairwise Wilcoxon with Holm; Friedman is reported beside it."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from fairtrial.design import FEWEST_DATASETS, Question, smallest_p
from fairtrial.stats import Interval, Outcome, compare_pairs, friedman, power, wilcoxon
from fairtrial.stats.score_arrays import differences
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.compare_methods import Compared, compare, wanted_pairs
from fairtrial.verdict.comparison_table import Cells, beaten_in_words, comparison_table
from fairtrial.verdict.decide import champion, pair_up
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.sentences import unbeaten_sentences
from fairtrial.verdict.wording import Wording
from fairtrial.words import listed, plural

__all__ = ["over_datasets", "per_set"]

POWER = 0.8
LARGE = 25  # data sets, beyond which the normal approximation is near the exact p


def over_datasets(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Compare all pairs, or each method with the control, by Wilcoxon's test on the means of the data sets."""
    k = len(evidence.methods)
    scores = evidence.comparable[:, :k]
    if evidence.measure.compare == "log-ratio" and not evidence.as_ratio:
        question = replace(question, smallest_difference=None)
    ranks = _average_ranks(evidence)
    compared = compare(
        evidence,
        question,
        adjust,
        list(scores.T),
        test=partial(wilcoxon, level=question.level),
        ranks=ranks,
        delta=_on_scale(question.smallest_difference, evidence.as_ratio),
        size_test=partial(wilcoxon, zeros="split"),  # ties count: few differences are none in general
    )
    if k > 2:
        omnibus = friedman(scores, higher_is_better=evidence.measure.higher_is_better)
        compared = replace(compared, omnibus=omnibus)
    return compared.finding(
        f"on data sets such as these {len(evidence.datasets)}",
        more_sentences=unbeaten_sentences(evidence, lambda i: _unbeaten(evidence, i, question.level)),
        table=_table(compared, ranks),
        test=_test(compared),
        stable=(_leave_one_out(evidence, question, adjust),),
        next_steps=tuple(_next(compared, scores)),
    )


def _on_scale(delta: float | None, as_ratio: bool) -> float | None:
    """The smallest difference that matters, on the log scale where ratios are compared (0.1 means 10 %)."""
    return delta if delta is None or not as_ratio else math.log1p(delta)


def _average_ranks(evidence: Evidence) -> NDArray[np.float64]:
    outcome = friedman(
        evidence.comparable[:, : len(evidence.methods)],
        higher_is_better=evidence.measure.higher_is_better,
        method="chi-square",
    )
    return np.asarray(outcome.details["average_ranks"], dtype=np.float64)


def _table(compared: Compared, ranks: NDArray[np.float64]) -> Table:
    evidence, question = compared.evidence, compared.question
    k, words = len(evidence.methods), Wording(evidence.measure, evidence.as_ratio)

    def mean(m: int) -> object:
        center = _center(evidence, m)
        return evidence.overall(evidence.methods[m], center) if m < k else center

    kind = "typical ratio" if evidence.as_ratio else "typical difference"
    family = f"{compared.adjustment}, {plural(len(compared.pairs), 'pair')}"
    return comparison_table(
        compared,
        words,
        mean=Cells(Column("geometric mean" if evidence.as_ratio else "mean", words.value, key="mean"), mean),
        beside=Cells(Column("mean rank", formats.fixed(2)), lambda m: float(ranks[m]) if m < k else None),
        wins=Cells(
            Column("wins–ties–losses", formats.auto, key="wins_ties_losses"),
            lambda m: _wins(evidence, m, compared.reference),
        ),
        yardstick=lambda i: f": {_beaten(evidence, i, question.level)}",
        caption=f"{words.name}, {per_set(evidence)}, then over {plural(len(evidence.datasets), 'data set')}",
        note=f"against {evidence.methods[compared.reference]}: {kind} (Hodges–Lehmann) and its interval, for that pair "
        f"alone; * p ({family}) < {1 - question.level:.3g}",
        legend=legend(evidence),
    )


def _center(evidence: Evidence, column: int) -> float:
    mean = float(evidence.comparable[:, column].mean())
    return math.exp(mean) if evidence.as_ratio else mean


def per_set(evidence: Evidence) -> str:
    """What the score of a data set is: a mean over splits, or one score."""
    schemes = {d.scheme for d in evidence.dependence}
    if len(schemes) == 1 and (scheme := schemes.pop()) not in ("unknown", "one test set"):
        return f"mean over {scheme} per data set"
    return "one score per data set"


def _wins(evidence: Evidence, m: int, reference: int) -> str:
    better = evidence.sign * differences(evidence.means[:, m], evidence.means[:, reference]).whole
    return f"{(better > 0).sum()}–{(better == 0).sum()}–{(better < 0).sum()}"


def _beaten(evidence: Evidence, yardstick: int, level: float) -> str:
    """Which methods beat the yardstick, in words."""
    if evidence.is_resource:
        return "shown only"
    fails = _unbeaten(evidence, yardstick, level)
    if fails is None:
        return "undefined here"
    return beaten_in_words(fails)


def _unbeaten(evidence: Evidence, yardstick: int, level: float) -> list[str] | None:
    """The methods that don't clearly beat the yardstick, each tested by itself; None where that can't be tested."""
    k = len(evidence.methods)
    column = evidence.comparable[:, k + yardstick]
    if evidence.is_resource or np.isnan(column).any():
        return None
    better = evidence.sign * (evidence.comparable[:, :k] - column[:, None])
    zero = np.zeros(len(column))
    tests = [wilcoxon(better[:, m], zero, alternative="greater", interval=False) for m in range(k)]
    return [evidence.methods[m] for m in range(k) if not tests[m].p_value < 1 - level]


def _test(compared: Compared) -> str:
    methods = {o.method for o in compared.comparisons.outcomes}
    how = "exact" if methods == {"exact"} else " and ".join(sorted(methods))
    return f"Wilcoxon signed ranks over {plural(len(compared.evidence.datasets), 'data set')}, {how}{compared.family}."


def _leave_one_out(evidence: Evidence, question: Question, adjust: str) -> str:
    """Whether the answer depends on a single data set, in words."""
    n = len(evidence.datasets)
    pairs = len(wanted_pairs(evidence, question))
    if smallest_p(n - 1) * (1 if adjust == "none" else pairs) > 1 - question.level:
        return "can't be tried: with one data set less, no difference could be significant"
    of_all = _conclusion(evidence, question, adjust)
    hinges = [
        d for i, d in enumerate(evidence.datasets) if _conclusion(evidence.without(i), question, adjust) != of_all
    ]
    same = "no winner" if of_all is None else "the same winner" if isinstance(of_all, int) else "the same answer"
    if not hinges:
        return f"{same} whichever data set is left out"
    names = listed(hinges)
    return f"{same} in {n - len(hinges)} of {n} cases when one data set is left out; it hinges on {names}"


def _conclusion(evidence: Evidence, question: Question, adjust: str) -> int | list[int | None] | None:
    """The answer without intervals, which is quick: the winner, or the methods that differ from the control."""
    k = len(evidence.methods)
    scores = evidence.comparable[:, :k]
    wanted = wanted_pairs(evidence, question)
    comparisons = compare_pairs(
        list(scores.T),
        wanted,
        test=partial(_direction, alpha=1 - question.level, pairs=len(wanted)),
        adjust=adjust,
        names=evidence.methods,
        level=question.level,
    )
    pairs = pair_up(comparisons, evidence.sign)
    return [p.winner for p in pairs] if question.control is not None else champion(pairs, k)


def _direction(a: npt.ArrayLike, b: npt.ArrayLike, *, alpha: float, pairs: int) -> Outcome:
    """Wilcoxon's p with the sign of the effect, but without its interval.

    Over many data sets the exact p is computed only if the approximate p is so near to a threshold that it matters.
    """
    outcome = wilcoxon(a, b, interval=False, method="asymptotic") if np.size(a) > LARGE else None
    if outcome is None or alpha / (10 * pairs) < outcome.p_value < 3 * alpha:
        outcome = wilcoxon(a, b, interval=False)
    sign = float(outcome.details["r_plus"] - outcome.details["r_minus"])
    return replace(outcome, effect=Interval("direction", sign, sign, sign))


def _next(compared: Compared, scores: NDArray[np.float64]) -> list[str]:
    """How many data sets would settle what is open between the reference and its nearest rival."""
    evidence, question, pairs, reference = compared.evidence, compared.question, compared.pairs, compared.reference
    against = compared.against_reference()
    undecided = [m for m in compared.order if m in against and against[m].decision == "undecided"]
    if not undecided:
        return []
    rival = undecided[0]
    n = len(evidence.datasets)
    d = scores[:, reference] - scores[:, rival]
    needed = _data_sets_needed(float(d.mean()), float(d.std(ddof=1)), len(pairs), question.level, 50 * n)
    names = f"{evidence.methods[reference]} and {evidence.methods[rival]}"
    if needed is None:
        return [
            f"to tell a difference between {names} as small as the one seen would take more than "
            f"{plural(50 * n, 'data set')}"
        ]
    if needed <= n:
        return [f"{names} differ unevenly, and on some data sets not at all; look at the data sets one by one"]
    return [
        f"about {plural(needed - n, 'more data set')} would settle whether {names} differ, if they go on differing as "
        f"they do here (power {POWER})"
    ]


def _data_sets_needed(mean: float, sd: float, pairs: int, level: float, most: int) -> int | None:
    """The number of data sets at which Wilcoxon's test finds the difference, Bonferroni over pairs; None above most."""
    if sd == 0 or mean == 0:
        return None
    effect, each = abs(mean) / sd, 1 - (1 - level) / pairs

    def reached(n: int) -> float:  # sample_size asks the same, but imports a solver, which takes longer than all this
        return power("wilcoxon", n=n, effect=effect, level=each).power

    found = bisect_left(range(most + 1), POWER, lo=FEWEST_DATASETS, key=reached)
    return found if found <= most else None
