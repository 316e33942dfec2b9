"""The null distribution of the test that a verdict made of two methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.figures.null_distribution import (
    NullData,
    binomial_null,
    curve_null,
    flips_null,
    signed_rank_null,
    with_notes,
)
from fairtrial.figures.verdict_pairs import leading_pair
from fairtrial.stats import Outcome
from fairtrial.stats.outcome import Alternative
from fairtrial.tables import formats
from fairtrial.verdict.compare_methods import on_scale, own_delta, side_of
from fairtrial.verdict.fixed_models import way_of
from fairtrial.verdict.units import units_of
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.wording import Wording
from fairtrial.words import plural

__all__ = ["null_of"]


@dataclass(frozen=True, slots=True)
class _Tested:
    """The test of two methods: scores so turned that larger is better for the first, which was shown first."""

    outcome: Outcome
    scores: Callable[[], tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]
    sign: float
    alpha: float
    alternative: Alternative
    first: str
    unit: str


def null_of(verdict: Verdict, methods: Sequence[str] | None = None) -> NullData:
    """The null distribution of the test of two methods, by default the leading ones, with the observed statistic."""
    if verdict.comparisons is None:
        raise InputError(f"a figure of 'null_distribution' needs a test of two methods, but here {verdict.why}")
    first, second = leading_pair(verdict, methods)
    number, turned = _find(verdict, first, second)
    if turned and verdict.question.alternative != "two-sided":
        first, second, turned = second, first, False
    return with_notes(_null(_tested(verdict, number, first, turned)), _notes(verdict, number, first, second))


def _find(verdict: Verdict, first: str, second: str) -> tuple[int, bool]:
    """The number of the comparison of two methods, and whether it was made from the second one."""
    comparisons = verdict.comparisons
    assert comparisons is not None
    i, j = comparisons.names.index(first), comparisons.names.index(second)
    for number, pair in enumerate(comparisons.pairs):
        if pair in ((i, j), (j, i)):
            return number, pair == (j, i)
    raise InputError(f"{first} and {second} were not compared with each other, only with the control")


def _tested(verdict: Verdict, number: int, first: str, turned: bool) -> _Tested:
    comparisons, evidence, question = verdict.comparisons, verdict.evidence, verdict.question
    assert comparisons is not None
    over = len(evidence.datasets) > 1
    delta = on_scale(question.delta, evidence.as_ratio) if over else own_delta(evidence, question)
    shift = side_of(evidence, question, delta).shift
    pair = comparisons.pairs[number]

    def scores() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        a, b = (np.asarray(_columns(verdict)[m], dtype=np.float64) for m in pair)
        a = a + shift
        a, b = (b, a) if turned else (a, b)
        return evidence.sign * a, evidence.sign * b

    one_sided = question.alternative != "two-sided"
    return _Tested(
        outcome=comparisons.outcomes[number],
        scores=scores,
        sign=-evidence.sign if turned else evidence.sign,
        alpha=_alpha(verdict, number)[0],
        alternative="greater" if one_sided else "two-sided",
        first=first,
        unit="data sets" if over else "instances",
    )


def _columns(verdict: Verdict) -> Sequence[npt.NDArray[np.float64]]:
    """The scores that were tested: of data sets or families, of splits, or of instances."""
    evidence = verdict.evidence
    if len(evidence.datasets) > 1:
        return list(units_of(evidence, verdict.question.family).scores.T)
    if evidence.losses is not None or evidence.predictions is not None:
        return way_of(evidence, verdict.question.level).columns
    return list(evidence.folds[0].T)


def _null(tested: _Tested) -> NullData:
    """The distribution that belongs to the test."""
    outcome, alpha, side = tested.outcome, tested.alpha, tested.alternative
    if outcome.test == "Wilcoxon signed ranks":
        if outcome.method != "exact":
            return _normal_ranks(tested)
        return signed_rank_null(*tested.scores(), outcome, alpha=alpha, alternative=side, of=tested.first)
    if outcome.test == "McNemar":
        counts = outcome.details["only_first"], outcome.details["only_second"]
        wins, losses = counts if tested.sign > 0 else counts[::-1]
        statistic = f"number of instances on which only {tested.first} is right"
        return binomial_null(wins, losses, outcome, alpha=alpha, alternative=side, statistic=statistic)
    if outcome.test == "Paired permutation":
        return flips_null(*tested.scores(), outcome, alpha=alpha, alternative=side)
    if outcome.df is not None or outcome.test == "DeLong":
        return curve_null(outcome, alpha=alpha, sign=tested.sign)
    raise InputError(
        f"the test {outcome.test!r} has no null distribution that could be drawn: its p-value comes from the interval; "
        "draw 'differences' instead"
    )


def _normal_ranks(tested: _Tested) -> NullData:
    """The normal approximation of Wilcoxon's test for very many data sets, as z."""
    z = replace(tested.outcome, statistic=tested.outcome.details["z"], df=None)
    return with_notes(curve_null(z, alpha=tested.alpha, sign=tested.sign), ("z of the signed-rank sum",))


def _alpha(verdict: Verdict, number: int) -> tuple[float, str]:
    """The level at which this test decides by itself, and why it is that."""
    comparisons = verdict.comparisons
    assert comparisons is not None
    alpha, m = 1 - verdict.question.level, len(comparisons.pairs)
    names = {comparisons.names[i] for i in comparisons.pairs[number]}
    if m > 1 and verdict.winner in names:
        return alpha, f"{verdict.winner} is the winner since it beats every other in such a test of its own."
    if comparisons.adjusted == "bonferroni" and m > 1:
        return alpha / m, f"α is {alpha:.3g} divided by the number of pairs, {m} (Bonferroni)."
    if m > 1 and comparisons.adjusted != "none":
        p = formats.p_equals(verdict.finding.pairs[number].p_adjusted)
        return alpha, f"This is the test of the pair by itself; together with all {plural(m, 'pair')}, {p}."
    return alpha, ""


def _notes(verdict: Verdict, number: int, first: str, second: str) -> list[str]:
    """Which methods were compared, and by which level the test decides."""
    compared = f"{first} against {second}, by {Wording(verdict.measure).name}."
    return [text for text in (compared, _alpha(verdict, number)[1]) if text]
