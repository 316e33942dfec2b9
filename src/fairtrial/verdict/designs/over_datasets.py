"""Two or more methods over six or more data sets: joint tests of all pairs, the winner, and how it varies."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.stats import best_set, friedman, paired_t, wilcoxon
from fairtrial.stats.bibliography import STUDENT_1908
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.score_arrays import differences
from fairtrial.tables import Column, Marked, Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.designs.compare_methods import Compared, compare, on_scale, side_of, wanted_pairs
from fairtrial.verdict.designs.comparison_table import Cells, beaten_in_words, comparison_table
from fairtrial.verdict.designs.decide import is_within
from fairtrial.verdict.designs.pair_tests import SIMULTANEOUS, Tests, jointly, one_by_one
from fairtrial.verdict.designs.single_datasets import of_the_one_pair, single_datasets_table
from fairtrial.verdict.designs.spread import Spread, difference_bounds, noise_within, spread_of
from fairtrial.verdict.designs.units import Units, units_of
from fairtrial.verdict.designs.yardsticks import ahead_somewhere, not_clearly_better
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.score_guards import diverged_scores
from fairtrial.verdict.guards.stability import NOT_ASKED, stability
from fairtrial.verdict.next_steps import next_over_datasets
from fairtrial.verdict.steps import step
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

__all__ = ["over_datasets", "per_set"]

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
WORST_CASE = (
    "on rows of real tables that were moved to equal means, such tests of a pair erred in 9 to 22 % instead of 5 %"
)


def over_datasets(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Compare all pairs, or each method with the control, on the means of the data sets.

    The claim that one method is the winner, and the claims about all pairs, each hold at the question's level.
    """
    if evidence.measure.compare == "log-ratio" and not evidence.as_ratio:
        question = replace(question, smallest_difference=None)
    k = len(evidence.methods)
    units = units_of(evidence, question.family)
    switched = question.estimand == "typical" and _nothing_typical(units.scores[:, :k], evidence.sign)
    if switched:
        question = replace(question, estimand="mean")
    delta = on_scale(question.delta, evidence.as_ratio)
    step(f"comparing {plural(k, 'method')} on {units.n:,} {units.several}")
    tests = _tests(evidence, question, adjust, units)
    compared = compare(
        evidence,
        question,
        tests,
        means=units.scores.mean(axis=0),
        delta=delta,
        spreads=_spreads(evidence, question, tests, units, delta),
    )
    higher = evidence.measure.higher_is_better
    beaten = tuple(_unbeaten(evidence, units, i, question.level) for i in range(len(evidence.yardsticks)))
    compared = replace(compared, unbeaten=beaten, switched=switched)
    if k > 2:
        scores = units.scores[:, :k]
        compared = replace(compared, omnibus=friedman(scores, higher_is_better=higher))
        if question.control is None:
            best = best_set(
                scores,
                higher_is_better=higher,
                estimand=question.estimand,
                names=evidence.methods,
                level=question.level,
            )
            compared = replace(compared, best_set=best)
    stable = NOT_ASKED
    if not evidence.only_answer:
        step(f"leaving out each of {units.n:,} {units.several}")
        stable = stability(compared, units, lambda part: _tests(evidence, question, adjust, part))
    found = compared.finding(
        units.such,
        table=_table(compared, units),
        more_tables=(single_datasets_table(compared, units),) if len(compared.pairs) > 1 and not switched else (),
        test=_test(compared, units),
        stable=stable.texts,
        doubts=stable.doubts,
        beware=(*stable.only_just, *_beware(compared, units)),
        next_steps=next_over_datasets(compared, units, hinges=bool(stable.doubts)),
    )
    return replace(found, why=WHY_MEANS.format(unit=units.noun), reference=STUDENT_1908.short) if switched else found


def _beware(compared: Compared, units: Units) -> tuple[str, ...]:
    """How often tests of means err where differences are skewed, if means are compared though nobody asked for it."""
    if not compared.switched or units.n >= MANY or not _skewed(compared, units):
        return ()
    return (f"Means are compared, since many are equal in size; their differences are skewed, and {WORST_SKEWED}.",)


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


def _tests(evidence: Evidence, question: Question, adjust: str, units: Units) -> Tests:
    """The tests that the question asks for: joint ones by default, else pair after pair."""
    columns, wanted = list(units.scores.T), wanted_pairs(evidence, question)
    delta = on_scale(question.delta, evidence.as_ratio)
    side = side_of(evidence, question, delta)
    if question.estimand == "mean":
        return one_by_one(
            columns, wanted, test=paired_t, names=evidence.methods, level=question.level, adjust=adjust, side=side
        )
    if adjust == SIMULTANEOUS:
        return jointly(columns, wanted, names=evidence.methods, level=question.level, side=side)
    test = partial(wilcoxon, zeros="pratt")
    return one_by_one(
        columns, wanted, test=test, names=evidence.methods, level=question.level, adjust=adjust, side=side
    )


def _spreads(evidence: Evidence, question: Question, tests: Tests, units: Units, delta: float | None) -> list[Spread]:
    """How the difference of each tested pair varies over the units."""
    found = []
    for (i, j), narrow in zip(tests.comparisons.pairs, tests.narrow, strict=True):
        average = delta is not None and narrow is not None and is_within(narrow, delta)
        found.append(
            spread_of(
                evidence.sign * differences(units.scores[:, i], units.scores[:, j]).values(),
                delta=delta,
                level=question.level,
                pairs=tests.family,
                bounds=difference_bounds(evidence),
                noise=noise_within(evidence, i, j) if average else math.nan,
            )
        )
    return found


def _average_ranks(evidence: Evidence, units: Units) -> NDArray[np.float64]:
    outcome = friedman(
        units.scores[:, : len(evidence.methods)],
        higher_is_better=evidence.measure.higher_is_better,
        method="chi-square",
    )
    return np.asarray(outcome.details["average_ranks"], dtype=np.float64)


def _table(compared: Compared, units: Units) -> Table:
    evidence, question = compared.evidence, compared.question
    k, words = len(evidence.methods), Wording(evidence.measure, evidence.as_ratio)
    ranks = _average_ranks(evidence, units)
    means = units.scores.mean(axis=0)

    diverged = {method for method, _ in diverged_scores(evidence)}

    def mean(m: int) -> object:
        center = math.exp(means[m]) if evidence.as_ratio else float(means[m])
        if m < k and evidence.methods[m] in diverged:
            return Marked(center, DIVERGED_MARK, DIVERGED_MEAN)
        return evidence.overall(evidence.methods[m], center) if m < k else center

    kind = f"{question.estimand} {'ratio' if evidence.as_ratio else 'difference'}"
    estimator = " (Hodges–Lehmann)" if question.estimand == "typical" else ""
    return comparison_table(
        compared,
        words,
        mean=Cells(Column("geometric mean" if evidence.as_ratio else "mean", words.value, key="mean"), mean),
        beside=Cells(Column("mean rank", formats.fixed(2)), lambda m: float(ranks[m]) if m < k else None),
        wins=Cells(
            Column("wins–ties–losses", formats.auto, key="wins_ties_losses"),
            lambda m: _wins(compared, m),
        ),
        yardstick=lambda i: f": {_beaten(compared, i)}",
        caption=f"{words.name}, {per_set(evidence)}, then over {units.counted}",
        effect=f"{kind}{estimator}",
        legend=(
            *of_the_one_pair(compared),
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


def _wins(compared: Compared, m: int) -> str | None:
    pair = compared.against_reference().get(m)
    if pair is None or pair.spread is None:
        return None
    wins = pair.spread.wins
    return f"{wins[0]}–{wins[1]}–{wins[2]}"


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
    return f"{beaten_in_words(fails, ahead_on)}{', and its mean is better' if higher else ''}"


def _unbeaten(evidence: Evidence, units: Units, yardstick: int, level: float) -> list[str] | None:
    """The methods that don't clearly beat the yardstick, each tested by itself; None where that can't be tested."""
    k = len(evidence.methods)
    column = units.scores[:, k + yardstick]
    if evidence.is_resource or np.isnan(column).any():
        return None
    return not_clearly_better(evidence.methods, evidence.sign * (units.scores[:, :k] - column[:, None]), level)


def _test(compared: Compared, units: Units) -> str:
    outcomes, question = compared.comparisons.outcomes, compared.question
    over = f"over {units.counted}"
    ranks = "Wilcoxon signed ranks of log ratios" if compared.evidence.as_ratio else "Wilcoxon signed ranks"
    if question.estimand == "mean":
        if compared.switched:
            return f"paired t of the means {over}{compared.family}; {HELD_ON_ANSWERS}."
        worst = WORST_CASE if units.n < MANY else WORST_OF_MANY
        return f"paired t of the means {over}{compared.family}; {worst}."
    methods = {o.method for o in outcomes}
    how = "exact" if methods == {"exact"} else " and ".join(sorted(methods))
    sided = ""
    if not compared.tests.side.is_both:
        words, delta = Wording(compared.evidence.measure), compared.question.delta
        margin = f", with a margin of {words.delta(delta)}" if delta and compared.tests.side.shift else ""
        sided = f", one-sided{margin}"
    equivalent = ""
    if any(p.decision == "equivalent" for p in compared.pairs):
        narrow = formats.percent(2 * question.level - 1)
        equivalent = f"; equivalence by two one-sided tests, whose {narrow} interval lies inside the margin"
    if len(compared.pairs) == 1:
        return f"{ranks} {over}, {how}{sided}{equivalent}."
    level = f"{100 * (1 - question.level):.3g} %"
    claims = ""
    if question.control is None and compared.tests.side.is_both and not compared.several_best:
        claims = f"; a winner must beat every other in its own test at {level}, which needs no adjustment"
    family = compared.family if compared.tests.bounded else ", each pair by itself"
    flips = (
        f" (sign changes of whole {units.several})"
        if compared.tests.joint is not None and compared.tests.bounded
        else ""
    )
    return f"{ranks} {over}{sided}{family}{flips}{claims}{equivalent}."
