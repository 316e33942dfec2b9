"""Two or more methods over six or more data sets: the family that the question names, and how differences vary."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import (
    Outcome,
    comparisons_with_the_best,
    friedman,
    mcnemar,
    mean_interval,
    paired_permutation,
    paired_t,
    wilcoxon,
)
from fairtrial.stats.bibliography import DEMSAR_2006, FISHER_1935, MCNEMAR_1947, ROMANO_WOLF_2005, STUDENT_1908
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.score_arrays import differences
from fairtrial.tables import Marked, Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.claims.steadiness import Hinges, MeansDisagree
from fairtrial.verdict.claims.support import ByTest, NextStep, next_step
from fairtrial.verdict.designs.assumptions import ENOUGH, of_t, shapiro_francia
from fairtrial.verdict.designs.compare_methods import (
    Compared,
    Row,
    answers,
    family_of,
    leads_of_pairs,
    on_scale,
    side_of,
    wanted_pairs,
)
from fairtrial.verdict.designs.comparison_table import comparison_table, pairs_table, single_datasets_table
from fairtrial.verdict.designs.decide import (
    SIMULTANEOUS,
    TOGETHER,
    WITH_THE_BEST,
    PairTest,
    Tests,
    better_than_all,
    champion,
    jointly,
    one_by_one,
)
from fairtrial.verdict.designs.dependence import how_it_varies, leading_pair
from fairtrial.verdict.designs.next_steps import next_over_datasets
from fairtrial.verdict.designs.units import (
    ScoreKind,
    Spread,
    Units,
    kind_of_scores,
    noise_within,
    spread_of,
    units_of,
)
from fairtrial.verdict.evidence import Evidence, FloatArray
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.score_guards import diverged_scores
from fairtrial.verdict.guards.stability import stability
from fairtrial.verdict.progress import step
from fairtrial.verdict.words.wording import Scope, Wording
from fairtrial.verdict.yardsticks.given import ahead_somewhere, beaten_in_words, not_clearly_better
from fairtrial.words import plural

MOST_RIVALS = 5  # that may be best, too, of which one is looked for with whom the leader crosses
NOT_NORMAL = 0.01
LEADING = 5  # methods that are looked at for equal scores
FEWEST_FOR_MEANS = 30  # data sets, from which on means are compared where no difference is typical
MANY = 1000
WORST_OF_MANY = (
    "on 1,000 rows of real tables that were moved to equal means, such tests of a pair erred in 5 to 6 % instead of 5 %"
)
FILLED = "mean with scores that the failure policy gave"
DIVERGED_MARK, DIVERGED_MEAN = "‡", "mean with a score that seems to have diverged"
HELD_ON_ANSWERS = "on simulated right and wrong answers such tests held their 5 % (`fairtrial lab answers`)"
WORST_SKEWED = "on skewed scores of real tables such tests erred in 9 to 22 % instead of 5 %"
SKEWED = 2.0  # the skewness of differences, from which on a test of their mean is doubted
WHY_MEANS = (
    "so many differences are equal in size that none is typical, and means are compared; over so many {unit}s a mean "
    "difference is nearly normal"
)
WHY_FEW = {
    "answers": "each score is right or wrong, so that differences have a mean, but none is typical",
    "grades": "scores are one of a few numbers, so that differences have a mean, but none is typical",
}
"""Why means are compared, by the kind of scores."""

BY_MEANS = {"answers": "McNemar (mid-p)", "grades": "sign flips of the means", "measured": "paired t of the means"}
"""The test of two methods by their means, by the kind of scores."""

WHY_PAIRS = "all pairs are asked for, whose intervals hold together; one mean per data set is one piece of evidence"
WORST_CASE = (
    "on rows of real tables that were moved to equal means, such tests of a pair erred in 9 to 22 % instead of 5 %"
)


def over_datasets(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Compare with the best, with the control, or all pairs, on the means of the data sets.

    All that is said follows from the one family that the question names, at the question's level.
    """
    if evidence.measure.compare == "log-ratio" and not evidence.as_ratio:
        question = replace(question, smallest_difference=None)
    k = len(evidence.methods)
    units = units_of(evidence, question.family)
    kind = kind_of_scores(evidence, units)
    few = kind != "measured" or _nothing_typical(units.scores[:, :k], evidence.sign)
    switched = question.estimand == "typical" and few
    if switched:
        question = replace(question, estimand="mean")
    step(f"comparing {plural(k, 'method')} on {units.n:,} {units.several}")
    compared = _with_leading(_compared(evidence, question, adjust, units, switched=switched, kind=kind), units)
    steady: tuple[Statement, ...] = ()
    if not evidence.only_answer and kind != "answers":  # a single one of them is worth one point of p
        step(f"leaving out each of {units.n:,} {units.several}")
        steady = tuple(stability(compared, units, lambda part: _tests(evidence, question, adjust, part, kind)))
    scope = Scope(
        Wording(evidence.measure, evidence.as_ratio),
        units.such
        + (f", at {evidence.at}" if evidence.at else "")
        + (f", where {evidence.where}" if evidence.where else ""),
        units.each,
        units.several,
        units.n,
        k,
        question.delta,
        question.level,
        compared.estimand == "typical",
    )
    more: tuple[Table, ...] = ()
    disagree = tuple(_means_disagree(compared, units))
    if compared.family in ("control", "pairs") and not evidence.only_answer:
        more = (*((_of_methods(compared, units),) if compared.family == "pairs" else ()),)
        more += () if switched else (single_datasets_table(compared, units),)
    firmer: list[NextStep] = []
    if any(isinstance(s, MeansDisagree) for s in disagree):
        which = "decide which matters to you: the typical difference, or that of the means (estimand='mean')"
        firmer.append(next_step("ask", which))
    if any(isinstance(s, Hinges) for s in steady):
        firmer.append(next_step("more data", f"more {units.several} such as these would show whether the win holds"))
    statements = (
        *answers(compared),
        *steady,
        *firmer,
        *disagree,
        *how_it_varies(compared, units),
        *_skewed_means(compared, units),
        *next_over_datasets(compared, units),
        _test(compared, units),
    )
    table = _of_methods(compared, units)
    if compared.family == "pairs":
        table = pairs_table(compared, scope.wording, caption=table.caption)
    found = compared.finding(scope, statements, table=table, more_tables=more)
    if compared.family == "pairs":
        found = replace(found, why=WHY_PAIRS, reference=f"{DEMSAR_2006.short}; {ROMANO_WOLF_2005.short}")
    if kind != "measured":
        return replace(found, why=WHY_FEW[kind], reference=(MCNEMAR_1947 if kind == "answers" else FISHER_1935).short)
    return replace(found, why=WHY_MEANS.format(unit=units.noun), reference=STUDENT_1908.short) if switched else found


def _compared(
    evidence: Evidence, question: Question, adjust: str, units: Units, *, switched: bool, kind: ScoreKind
) -> Compared:
    """The comparison over these units."""
    k = len(evidence.methods)
    scores = units.scores[:, :k]
    higher, level = evidence.measure.higher_is_better, question.level
    delta = on_scale(question.delta, evidence.as_ratio)
    means = scores.mean(axis=0)
    family = family_of(evidence, question, adjust)
    side = side_of(evidence, question, delta)
    pairs = len(wanted_pairs(evidence, question))
    compared = Compared(
        evidence,
        question,
        family,
        side,
        sorted(range(k), key=lambda m: (-evidence.sign * means[m], m)),
        lambda: _tests(evidence, question, SIMULTANEOUS if adjust == WITH_THE_BEST else adjust, units, kind),
        lambda i, j, within: _spread(evidence, question, units, delta, pairs, i, j, within=within),
        delta=delta,
        unbeaten=tuple(_unbeaten(evidence, units, i, level) for i in range(len(evidence.yardsticks))),
        omnibus=friedman(scores, higher_is_better=higher) if k > 2 else None,
        switched=switched,
        kind=kind,
    )
    if family == "best" and kind == "answers":
        compared = replace(compared, winner=champion(compared.pairs, k, level))
        return replace(compared, leads=leads_of_pairs(compared))
    if family == "best":
        leads = comparisons_with_the_best(
            scores, higher_is_better=higher, estimand=question.estimand, names=evidence.methods, level=level
        )
        winner = None if leads.winner is None else evidence.methods.index(leads.winner)
        return replace(compared, leads=leads, winner=winner)
    if family == "control" or not side.is_both:
        return compared
    if family == "pairs":
        return replace(compared, winner=better_than_all(compared.pairs, k))
    compared = replace(compared, winner=champion(compared.pairs, k, level))
    return replace(compared, leads=leads_of_pairs(compared)) if family == "pair" else compared


def _with_leading(compared: Compared, units: Units) -> Compared:
    """The comparison with how the difference of its two leading methods varies over the units."""
    names = compared.evidence.methods
    if compared.leads is not None:
        first = names.index(compared.leads.leader)
        rival = names.index(next(lead.rival for lead in compared.leads.leads if lead.method == names[first]))
        others = [m for m in compared.best if m not in (first, rival)][: MOST_RIVALS - 1]
        if compared.winner is None and others:  # the rival with whom it crosses most clearly
            found = [leading_pair(compared.evidence, units, first, m) for m in (rival, *others)]
            known = [one for one in found if not math.isnan(one.crossing)]
            if known:
                best = min(known, key=lambda one: one.crossing)
                return replace(compared, leading=replace(best, crossing=min(1.0, len(found) * best.crossing)))
    elif compared.family == "control" and len(names) == 2:
        first, rival = next(m for m in compared.order if m != compared.leader), compared.leader
    else:
        return compared
    return replace(compared, leading=leading_pair(compared.evidence, units, first, rival))


def _means_disagree(compared: Compared, units: Units) -> Iterator[Statement]:
    """That the means do not show a lead that is typical, or are turned round."""
    if compared.question.estimand == "mean" or compared.family not in ("best", "pair") or compared.leads is None:
        return
    names, scores, sign = compared.evidence.methods, units.scores, compared.evidence.sign
    a = names.index(compared.leads.leader)
    lead = next(lead for lead in compared.leads.leads if lead.method == names[a])
    b = names.index(lead.rival)
    d = sign * differences(scores[:, a], scores[:, b]).values()
    if 2 * int((d == 0).sum()) >= len(d):
        return
    mean = mean_interval(d, level=compared.question.level)
    shown = compared.winner is not None and 0 in mean
    turned = compared.order[0] != a and mean.high < 0 < lead.interval.estimate
    if shown or turned:
        yield MeansDisagree(names[a], names[b], mean)


def _skewed_means(compared: Compared, units: Units) -> Iterator[Statement]:
    """How often tests of means err where differences are skewed, if means are compared though nobody asked for it."""
    if compared.question.estimand == "mean" and not compared.switched and compared.kind == "measured":
        a, b = compared.order[:2]
        p = shapiro_francia(units.scores[:, a] - units.scores[:, b])
        if p < NOT_NORMAL and units.n <= ENOUGH:
            text = f"t relies on normal differences, and these are not ({formats.p_equals(p)})"
            yield Remark(Role.DOUBT, Text(text), "not normal")
    if compared.switched and units.n < MANY and _skewed(compared, units):
        text = f"means are compared, since many scores are equal; their differences are skewed, and {WORST_SKEWED}"
        yield Remark(Role.DOUBT, Text(text), "skewed means")


def _skewed(compared: Compared, units: Units) -> bool:
    """Whether the differences of most of the leading methods are strongly skewed; those of right and wrong are not."""
    leading = compared.order[:LEADING]
    found = [units.scores[:, a] - units.scores[:, b] for i, a in enumerate(leading) for b in leading[:i]]
    around = [d - d.mean() for d in found if d.std() > 0]
    skewness = [abs(float((c**3).mean() / (c * c).mean() ** 1.5)) for c in around]
    return len(skewness) > 0 and float(np.median(skewness)) > SKEWED


def _nothing_typical(scores: NDArray[np.float64], sign: float) -> bool:
    """Whether many data sets show no typical difference of most pairs of the leading methods.

    So it is with right and wrong answers and other scores of few values: differences have a mean, but half of them or
    more are equal in size, or the interval of the typical one has no width.
    """
    if len(scores) < FEWEST_FOR_MEANS:
        return False
    leading = scores[:, np.argsort(sign * -scores.mean(axis=0), kind="stable")[:LEADING]]
    pairs = [(leading[:, i], leading[:, j]) for i, j in all_pairs(leading.shape[1])]
    return bool(2 * sum(_few_sizes(a, b) for a, b in pairs) > len(pairs))


def _few_sizes(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Whether so many differences of two methods are equal in size that none is typical; not if all are the same."""
    whole = differences(a, b).whole
    if (whole == whole[0]).all():
        return False  # there is no spread to compare a mean with
    sizes = np.unique(np.abs(whole), return_counts=True)[1]
    effect = None if 2 * sizes.max() >= len(whole) else wilcoxon(a, b, zeros="pratt").effect
    return effect is None or effect.has_no_width


def _tests(evidence: Evidence, question: Question, adjust: str, units: Units, kind: ScoreKind) -> Tests:
    """The tests that the question asks for: joint ones by default, else pair after pair."""
    columns, wanted = list(units.scores.T), wanted_pairs(evidence, question)
    delta = on_scale(question.delta, evidence.as_ratio)
    side = side_of(evidence, question, delta)
    if question.estimand == "mean":
        return one_by_one(
            columns,
            wanted,
            test=paired_t if side.shift else OF_MEANS[kind],
            names=evidence.methods,
            level=question.level,
            adjust=adjust,
            side=side,
        )
    if adjust in TOGETHER:
        return jointly(columns, wanted, names=evidence.methods, level=question.level, side=side)
    test = partial(wilcoxon, zeros="pratt")
    return one_by_one(
        columns, wanted, test=test, names=evidence.methods, level=question.level, adjust=adjust, side=side
    )


def answers_compared(first: FloatArray, second: FloatArray, **options: Any) -> Outcome:
    """McNemar (mid-p) on right and wrong answers, in units of the scores: 1, or 100 of percentages."""
    found = mcnemar(first > 0, second > 0, method="mid-p", **options)
    unit = max(float(first.max()), float(second.max()), 1.0)
    if found.effect is None or unit == 1:
        return found
    estimate, low, high = (unit * x for x in (found.effect.estimate, found.effect.low, found.effect.high))
    return replace(found, effect=replace(found.effect, estimate=estimate, low=low, high=high))


OF_MEANS: dict[ScoreKind, PairTest] = {
    "answers": answers_compared,
    "grades": paired_permutation,
    "measured": paired_t,
}


def _spread(
    evidence: Evidence,
    question: Question,
    units: Units,
    delta: float | None,
    pairs: int,
    i: int,
    j: int,
    *,
    within: bool,
) -> Spread:
    """How the difference of a pair varies over the units; ``within``: on average it is smaller than matters."""
    return spread_of(
        evidence.sign * differences(units.scores[:, i], units.scores[:, j]).values(),
        delta=delta,
        level=question.level,
        pairs=pairs,
        noise=noise_within(evidence, i, j) if within else math.nan,
    )


def _of_methods(compared: Compared, units: Units) -> Table:
    """The methods, each with its lead."""
    evidence = compared.evidence
    k, words = len(evidence.methods), Wording(evidence.measure, evidence.as_ratio)
    means = units.scores.mean(axis=0)
    diverged = {method for method, _ in diverged_scores(evidence)}

    def mean(m: int) -> object:
        center = math.exp(means[m]) if evidence.as_ratio else float(means[m])
        if m < k and evidence.methods[m] in diverged:
            return Marked(center, DIVERGED_MARK, DIVERGED_MEAN)
        return evidence.overall(evidence.methods[m], center) if m < k else center

    def wins(row: Row) -> str | None:
        if row.rival is None:
            return None
        d = evidence.sign * differences(units.scores[:, row.method], units.scores[:, row.rival]).values()
        return f"{int((d > 0).sum())}–{int((d == 0).sum())}–{int((d < 0).sum())}"

    caption = f"{words.name}, {per_set(evidence)}, then over {units.counted}"
    return comparison_table(
        compared,
        words,
        mean=mean,
        mean_title="geometric mean" if evidence.as_ratio else "mean",
        wins=wins,
        yardstick=lambda i: f": {_beaten(compared, i)}",
        caption=caption,
        legend=(
            *legend(evidence, text=FILLED),
            *([f"{DIVERGED_MARK} {DIVERGED_MEAN}"] if diverged else []),
        ),
    )


def per_set(evidence: Evidence) -> str:
    """What the score of a data set is, in words."""
    schemes = {d.scheme for d in evidence.dependence}
    if len(schemes) == 1 and (scheme := schemes.pop()) not in ("unknown", "one test set"):
        return f"mean over {scheme} per {evidence.unit}"
    sizes = {len(folds) for folds in evidence.folds}
    if sizes == {1}:
        return f"one score per {evidence.unit}"
    return f"mean of {sizes.pop()} scores per {evidence.unit}" if len(sizes) == 1 else f"mean score per {evidence.unit}"


def _beaten(compared: Compared, yardstick: int) -> str:
    """Which methods beat the yardstick, in words."""
    if compared.evidence.is_resource:
        return "shown only"
    fails = compared.unbeaten[yardstick]
    if fails is None:
        return "undefined here"
    means = compared.evidence.sign * compared.evidence.comparable.mean(axis=0)
    k = len(compared.evidence.methods)
    higher = bool(fails) and bool(means[k + yardstick] > means[:k].max())
    ahead_on = ahead_somewhere(compared.evidence, compared.evidence.means[:, k + yardstick])
    return f"{beaten_in_words(fails, ahead_on)}{', better mean' if higher else ''}"


def _unbeaten(evidence: Evidence, units: Units, yardstick: int, level: float) -> list[str] | None:
    """The methods that don't clearly beat the yardstick, each tested by itself; None where that can't be tested."""
    k = len(evidence.methods)
    column = units.scores[:, k + yardstick]
    if evidence.is_resource or np.isnan(column).any():
        return None
    return not_clearly_better(evidence.methods, evidence.sign * (units.scores[:, :k] - column[:, None]), level)


def _test(compared: Compared, units: Units) -> ByTest:
    """The test line: the family, what is tested over what; and details for the full page."""
    question = compared.question
    ranks = "Wilcoxon signed ranks of log ratios" if compared.evidence.as_ratio else "Wilcoxon signed ranks"
    of_means = BY_MEANS[compared.kind]
    if compared.family == "best" and compared.kind != "answers":
        of_means = "paired t of the means, and joint sign flips"
    sided, margin = "", ""
    if not compared.side.is_both:
        words, delta = Wording(compared.evidence.measure), question.delta
        margin = f" with a margin of {words.delta(delta)}" if delta and compared.side.shift else ""
        sided = "one-sided "
    equivalent = compared.family == "pair" and compared.pairs[0].decision == "equivalent"
    sided = "two one-sided " if equivalent else sided
    return ByTest(
        compared.family_in_words,
        f"{sided}{of_means if question.estimand == 'mean' else ranks}{margin}",
        units.counted,
        tuple(_details(compared, units)),
    )


def _details(compared: Compared, units: Units) -> Iterator[str]:
    """How tests and intervals were made, and how often they err."""
    question, level = compared.question, f"{100 * (1 - compared.question.level):.3g} %"
    if compared.kind == "answers" and not compared.side.shift:
        yield from filter(None, [compared.bonferroni])
        return
    if question.estimand == "mean":
        if compared.switched:
            yield HELD_ON_ANSWERS
        else:
            yield WORST_CASE if units.n < MANY else WORST_OF_MANY
    if compared.family == "best":
        yield (
            f"a winner must beat every other in its own test at {level}, which needs no adjustment; without one a "
            f"method is out if a rival exceeds its joint one-sided value by flips of whole {units.several}; all "
            "intervals hold together"
        )
        return
    if question.estimand == "mean" and compared.kind == "measured":
        a, b = compared.order[:2]
        yield of_t(units.scores[:, a] - units.scores[:, b])
    methods = {o.method for o in compared.comparisons.outcomes}
    yield "exact" if methods == {"exact"} else " and ".join(sorted(methods))
    if len(compared.pairs) > 1:
        together = f"{compared.adjustment} over {compared.tested_together}"
        yield (
            together
            if compared.tests.bounded
            else (f"{together}; {units.counted} are too few for intervals that hold together")
        )
    if compared.shows_mean:
        yield f"most {units.several} have equal differences: the interval of the mean is shown (t), p is that of ranks"
    elif any(pair.effect is not None and pair.effect.has_no_width for pair in compared.pairs):
        yield "an interval that has no width is not shown: it says nothing of how sure a difference is"
    if any(p.decision == "equivalent" for p in compared.pairs):
        narrow = formats.percent(2 * question.level - 1)
        yield f"equivalence by two one-sided tests, whose {narrow} interval lies inside the margin"
