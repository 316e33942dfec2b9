"""The null distribution of the test that a verdict made of two methods."""

from __future__ import annotations

from collections.abc import Sequence

from fairtrial.errors import InputError
from fairtrial.figures.null_distribution import NullData, curve_null, with_notes
from fairtrial.figures.verdict_pairs import leading_pair
from fairtrial.tables import formats
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural, shortened


def null_of(verdict: Verdict, methods: Sequence[str] | None = None) -> NullData:
    """The null distribution of the test of two methods, by default the leading ones, with the observed statistic."""
    if verdict.comparisons is None:
        raise InputError(f"a figure of 'null_distribution' needs a test of two methods, but here {verdict.why}")
    first, second = leading_pair(verdict, methods)
    number, turned = _find(verdict, first, second)
    if turned and verdict.question.alternative != "two-sided":
        first, second, turned = second, first, False
    sign = -verdict.evidence.sign if turned else verdict.evidence.sign
    outcome, alpha = verdict.comparisons.outcomes[number], _alpha(verdict, number)[0]
    return with_notes(curve_null(outcome, alpha=alpha, sign=sign, of=first), _notes(verdict, number, first, second))


def _find(verdict: Verdict, first: str, second: str) -> tuple[int, bool]:
    """The number of the comparison of two methods, and whether it was made from the second one."""
    comparisons = verdict.comparisons
    assert comparisons is not None
    i, j = comparisons.names.index(first), comparisons.names.index(second)
    for number, pair in enumerate(comparisons.pairs):
        if pair in ((i, j), (j, i)):
            return number, pair == (j, i)
    raise InputError(f"{first} and {second} were not compared with each other, only with the control")


def _alpha(verdict: Verdict, number: int) -> tuple[float, str]:
    """The level at which this test decides by itself, and why it is that."""
    comparisons = verdict.comparisons
    assert comparisons is not None
    alpha, m = 1 - verdict.question.level, len(comparisons.pairs)
    names = {comparisons.names[i] for i in comparisons.pairs[number]}
    if m > 1 and verdict.winner in names:
        return alpha, f"{verdict.winner} is the winner since it beats every other in such a test of its own."
    if m > 1 and verdict.finding.leads is not None and verdict.finding.leads.critical_values:
        other = f"{verdict.winner} is the winner by its own tests; this one decides nothing."
        return alpha, other if verdict.winner else "A winner must beat every other method in such a test of its own."
    if comparisons.adjusted == "bonferroni" and m > 1:
        return alpha / m, f"α is {alpha:.3g} divided by the number of pairs, {m} (Bonferroni)."
    if m > 1 and comparisons.adjusted != "none":
        p = formats.p_equals(verdict.finding.pairs[number].p_adjusted)
        return alpha, f"This is the test of the pair by itself; together with all {plural(m, 'pair')}, {p}."
    return alpha, ""


def _notes(verdict: Verdict, number: int, first: str, second: str) -> list[str]:
    """Which methods were compared, and by which level the test decides."""
    compared = f"{shortened(first, 80)} against {shortened(second, 80)}, by {Wording(verdict.measure).name}."
    return [text for text in (compared, _alpha(verdict, number)[1]) if text]
