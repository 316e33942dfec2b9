"""Guards of comparisons: what should be known of the tests of all pairs, by what they were made on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import smallest_p
from fairtrial.notices import Notice, Severity, guard
from fairtrial.resampling import score_unit
from fairtrial.results.provenance import A_DATASET
from fairtrial.stats import Interval, adjust, mean_interval, outliers
from fairtrial.stats.outcome import bound_if
from fairtrial.stats.score_arrays import differences
from fairtrial.tables import formats
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.guards.result_guards import MISLED_BY_IMBALANCE
from fairtrial.verdict.guards.trivial_policies import REMEDY, cheaper_than, not_shown_to, policies_in, saved
from fairtrial.verdict.words.wording import Wording
from fairtrial.verdict.yardsticks.given import beats_levels
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from fairtrial.verdict.designs.compare_methods import Compared
    from fairtrial.verdict.designs.decide import Pair

SKEWED = ": with skewed differences a method can be typically better without a better mean (`fairtrial lab skewed`)"
TYPICAL_OR_MEAN = (
    "decide which matters to you: the typical difference, or the difference of the means (estimand='mean')"
)
MOST_EXTREME = 3  # data sets that are named
MOSTLY_ONE_CLASS = 0.75  # the accuracy of always answering the most frequent class
LONGEST_CYCLE = 5
MANY_EQUAL = 0.1  # of the data sets with equal scores, from which on it is told
ANSWERS = {
    "majority": "which always answers the most frequent class",
    "zeror": "which always answers the most frequent class",
    "constantpredictor": "which always answers the same",
    "mean": "which always answers the mean",
}


@guard(stage="verdict", sees="comparison")
def no_better_than_trivial(compared: Compared) -> Iterator[Notice]:
    """Methods of which none does clearly better than a trivial one, each tested by itself."""
    evidence = compared.evidence
    k = len(evidence.methods)
    if evidence.is_resource:
        return
    trivial = [y for y, f in zip(evidence.yardsticks, compared.unbeaten, strict=False) if f is not None and len(f) == k]
    trivial += [
        name for m, name in enumerate(evidence.methods) if name in evidence.learn_nothing and _is_unbeaten(compared, m)
    ]
    if trivial:
        trivial.sort(key=lambda name: name not in policies_in(evidence))
        better, told = _beaten_by_none(compared, trivial[0])
        yield Notice(
            not_shown_to(told),
            "grave",
            about=trivial[0],
            evidence={"trivial": trivial, "better": better},
            remedy=f"{_finer(compared, trivial[0])}{REMEDY}",
        )


def _is_unbeaten(compared: Compared, m: int) -> bool:
    """Whether no method is shown to be better than this one; of data sets each is tested by itself, as a yardstick is.

    On few data sets the comparisons with the best may leave in a method that all others beat everywhere.
    """
    if compared.leads is not None and compared.leads.leads[m].standing == "out":
        return False
    if compared.family == "best" and _is_over_datasets(compared):
        evidence, two_sided = compared.evidence, (1 + compared.question.level) / 2
        fails = beats_levels(evidence, evidence.means[:, m], two_sided, compared.question.family)
        return fails is None or len(fails) == len(evidence.methods)  # no method beats itself
    own = [p for p in compared.pairs if m in (p.first, p.second)]
    beaten = any(p.ahead not in (None, m) and p.p_value < 1 - compared.question.level for p in own)
    return len(own) == len(compared.evidence.methods) - 1 and not beaten


def _beaten_by_none(compared: Compared, trivial: str) -> tuple[str, str]:
    """What no method is shown to do, in short, and with the size of the difference of the best mean."""
    evidence = compared.evidence
    found = _lead_over(compared, trivial)
    best = evidence.methods[compared.order[0]]
    if trivial in policies_in(evidence):
        short = f"be cheaper than the {trivial}"
        if found is None or found.has_no_width:  # the same decisions on all splits
            return short, f"be {cheaper_than(evidence, trivial)}"
        write = formats.by_uncertainty((found.high - found.low) / 2)
        return short, f"be {cheaper_than(evidence, trivial, write)}: {saved(best, found, write)}"
    what = f" ({ANSWERS[trivial.lower()]})" if trivial.lower() in ANSWERS else ""
    short = f"do better than {trivial}{what}"
    if found is None or found.has_no_width:
        return short, short
    write = formats.over(Wording(evidence.measure).difference, (found.estimate, found.low, found.high))
    size = f"{write(found.estimate)} [{formats.span(write)((found.low, found.high))}]"
    return short, f"{short}: {best} − {trivial} is {size} in the mean (t)"


def _lead_over(compared: Compared, trivial: str) -> Interval | None:
    """The difference between the best mean and that of a yardstick, with its interval; None where there is none."""
    evidence, best = compared.evidence, compared.order[0]
    if trivial not in evidence.yardsticks or evidence.as_ratio or _is_of_instances(compared):
        return None
    column, level = evidence.columns.index(trivial), compared.question.level
    if _is_over_datasets(compared):
        return mean_interval(evidence.means[:, best] - evidence.means[:, column], level=level)
    folds, known = evidence.folds[0], evidence.dependence[0]
    d = folds[:, best] - folds[:, column]
    return mean_interval(d, test_share=known.test_share, overlap=known.overlap, level=level)


def _finer(compared: Compared, trivial: str) -> str:
    """Measures by which answering the most frequent class is worth nothing, where that class has most instances."""
    evidence = compared.evidence
    if evidence.measure.name not in MISLED_BY_IMBALANCE or trivial not in evidence.columns:
        return ""
    reached = float(evidence.means[:, evidence.columns.index(trivial)].mean())
    share = reached if evidence.measure.higher_is_better else 1 - reached
    return "look at average_recall; " if share > MOSTLY_ONE_CLASS else ""


@guard(stage="verdict", sees="comparison")
def asked_about_these(compared: Compared) -> Iterator[Notice]:
    """A question about each data set that can only be answered for data sets such as these."""
    if compared.question.domains == "these" and _is_over_datasets(compared):
        seeds = score_unit(compared.evidence.dependence) == "seed"
        needed = "scores on several splits of each" if seeds else "splits whose scheme is known"
        wanted = f"the question asked about each of these data sets, which needs {needed}"
        yield Notice(f"{wanted}; this answer is about data sets such as these")


@guard(stage="verdict", sees="comparison")
def too_few_datasets(compared: Compared) -> Iterator[Notice]:
    """Fewer data sets than it takes for intervals of so many methods together."""
    n, k = len(compared.evidence.datasets), len(compared.evidence.methods)
    if not _is_over_datasets(compared) or compared.question.estimand == "mean" or compared.family == "pair":
        return
    units = plural(n, compared.evidence.unit)
    if compared.family == "best":
        if compared.winner is None and compared.leads is not None and _is_unbounded(compared):
            yield Notice(
                f"{units} and {k} methods allow no bounded intervals together; only a winner could be shown",
                "doubt",
                evidence={"datasets": n, "methods": k},
            )
        return
    m, tests = len(compared.pairs), compared.tests
    hopeless = not tests.bounded
    if tests.joint is None:  # the best that can be: each pair has the smallest p
        best = np.full(m, smallest_p(n) / (1 if tests.side.is_both else 2))
        hopeless = adjust(best, tests.comparisons.adjusted).min() >= 1 - compared.question.level
    if hopeless:
        only = "; one method can still be shown to be better than every other" if compared.family == "pairs" else ""
        yield Notice(
            f"with {units} and {plural(m, 'pair')} signed ranks can't show a difference, however large, for all "
            f"pairs together{only}",
            evidence={"datasets": n, "pairs": m},
        )


def _is_unbounded(compared: Compared) -> bool:
    """Whether no lead has an interval with both ends."""
    assert compared.leads is not None
    return all(np.isinf(lead.interval.low) for lead in compared.leads.leads)


@guard(stage="verdict", sees="comparison")
def head_to_head(compared: Compared) -> Iterator[Notice]:
    """Methods with the worse mean that typically beat the one with the better mean, and cycles of such wins."""
    if compared.family != "pairs":
        return
    order, methods = list(compared.order), compared.evidence.methods
    beaten = [(w, p.second if w == p.first else p.first) for p in compared.pairs if (w := p.winner) is not None]
    against = [f"{methods[w]} over {methods[m]}" for w, m in beaten if order.index(w) > order.index(m)]
    if against and _is_over_datasets(compared) and compared.question.estimand == "typical":
        yield Notice(
            f"typical differences and means disagree: typically better in spite of a worse mean {_are(against)} "
            f"{listed(against)}",
            evidence={"pairs": len(against)},
        )
    if cycle := find_cycle(beaten):
        names = " over ".join(methods[m] for m in cycle)
        yield Notice(f"wins go in a circle: {names}", evidence={"methods": [methods[m] for m in cycle[:-1]]})


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def find_cycle(beaten: Iterable[tuple[int, int]]) -> list[int]:
    """A circle of wins, the first method again at its end; empty if there is none.

    >>> find_cycle([(0, 1), (1, 2), (2, 0), (3, 0)])
    [0, 1, 2, 0]
    """
    losers: dict[int, list[int]] = {}
    for winner, loser in _in_circles(list(beaten)):
        losers.setdefault(winner, []).append(loser)

    def walk(path: list[int]) -> list[int]:
        for loser in losers.get(path[-1], ()):
            if loser == path[0]:
                return [*path, loser]
            if loser not in path and len(path) < LONGEST_CYCLE and (found := walk([*path, loser])):
                return found
        return []

    return next(filter(None, (walk([m]) for m in sorted(losers))), [])


def _in_circles(wins: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The wins that can be part of a circle: of methods that also lose, over methods that also win."""
    while True:
        both = {w for w, _ in wins} & {loser for _, loser in wins}
        kept = [(w, loser) for w, loser in wins if w in both and loser in both]
        if len(kept) == len(wins):
            return kept
        wins = kept


@guard(stage="verdict", sees="comparison")
def means_do_not_show_it(compared: Compared) -> Iterator[Notice]:
    """Pairs that differ typically, whose means are not shown to differ, or the other way round."""
    if compared.family not in ("control", "pairs") or compared.question.estimand == "mean":
        return
    if not compared.side.is_both or not compared.tests.bounded:
        return
    seen = [(p, 0 in p.spread.mean) for p in compared.pairs if p.spread is not None and not np.isnan(p.spread.mean.low)]
    typical = sum(p.different and hidden for p, hidden in seen)
    only_mean = [p for p, hidden in seen if not p.different and not hidden]
    far = _far_from_others(compared, only_mean)
    of_all = sum(p.different for p, _ in seen)
    said = len(compared.pairs) == 1 and compared.winner is not None  # the answer says it, too
    if typical and not said:
        which = f"of the {of_all} pairs that differ typically, {typical} {'is' if typical == 1 else 'are'} not"
        if typical == of_all:
            which = "the pair that differs typically is not" if of_all == 1 else (
                f"none of the {of_all} pairs that differ typically is"
            )  # fmt: skip
        most = of_all > 2 and 2 * typical > of_all
        cause = _extreme_on(compared, [p for p, hidden in seen if p.different and hidden])
        yield Notice(
            f"{which} shown to differ in the mean (t, Bonferroni){cause or SKEWED}",
            "doubt" if most else "warning",
            evidence={"pairs": typical},
            remedy=TYPICAL_OR_MEAN if most else "",
        )
    if far:
        n = len(only_mean)
        yield Notice(
            f"{plural(n, 'pair')} {'differs' if n == 1 else 'differ'} in the mean (t, Bonferroni), but not typically: "
            f"large differences on {listed(far)} decide the mean",
            evidence={"pairs": n, "datasets": far},
        )


def _far_from_others(compared: Compared, pairs: list[Pair]) -> list[str]:
    """The data sets on which the differences of these pairs are far from all others."""
    if not pairs:
        return []
    units = units_of(compared.evidence, compared.question.family)
    found = (outliers(units.scores[:, p.first] - units.scores[:, p.second]) for p in pairs)
    return [units.names[i] for i in dict.fromkeys(i for own in found for i in own)]


def _extreme_on(compared: Compared, pairs: list[Pair]) -> str:
    """The few data sets on which most of these pairs have their largest difference, in words; empty if there are none.

    A data set on which one pair alone differs most is not worth a word.
    """
    units = units_of(compared.evidence, compared.question.family)
    scores, datasets = units.scores, units.names
    counts = Counter(int(np.abs(scores[:, p.first] - scores[:, p.second]).argmax()) for p in pairs)
    named = [(i, n) for i, n in counts.most_common(MOST_EXTREME) if n > 1]
    covered = sum(n for _, n in named)
    if 2 * covered <= len(pairs):
        return ""
    where = listed([datasets[i] for i, _ in named], last="or")
    which = f"{covered} of them" if covered < len(pairs) else "both" if covered == 2 else "all of them"
    return f": {which} have their largest difference on {where}"


@guard(stage="verdict", sees="comparison")
def omnibus_disagrees(compared: Compared) -> Iterator[Notice]:
    """Whether Friedman's test of all methods at once agrees with the tests of the pairs."""
    omnibus = compared.omnibus
    if omnibus is None:
        return
    any_pair = compared.winner is not None or _some_differ(compared)
    agrees = any_pair == bool(omnibus.p_value < 1 - compared.question.level)
    words = "agrees that not all methods are equal" if any_pair else "shows no difference either"
    words = words if agrees else "disagrees, and decides nothing"
    severity: Severity = "fine" if agrees else "warning"
    statistic = formats.significant(5)(omnibus.statistic)
    p = formats.p_equals(bound_if(omnibus.p_value, omnibus.at_floor))
    sentence = f"Friedman ({omnibus.method}) {words}: chi-square {statistic}, {p}"
    numbers = {"statistic": float(omnibus.statistic), "p_value": float(omnibus.p_value)}
    if not agrees and not any_pair:
        severity = "doubt"
        sentence = f"Friedman's test says that they are not all equal ({p}), though not which differ"
    yield Notice(sentence, severity, evidence=numbers)


def _some_differ(compared: Compared) -> bool:
    """Whether the family of the question shows any difference."""
    if compared.leads is not None:
        return any(lead.standing == "out" for lead in compared.leads.leads)
    return any(p.different for p in compared.pairs)


@guard(stage="verdict", sees="comparison")
def equal_scores(compared: Compared) -> Iterator[Notice]:
    """Pairs of methods with equal scores on some data sets."""
    if not _is_over_datasets(compared) or compared.kind != "measured":
        return
    n, unit = len(compared.evidence.datasets), compared.evidence.unit
    zeros = _zeros(compared)
    equal = sum(z > 0 for z in zeros)
    if max(zeros, default=0) <= MANY_EQUAL * n:
        return
    sentence = f"{plural(equal, 'pair')} had equal scores on some {unit}s, which are ranked without a sign"
    if len(zeros) == 1:
        sentence = f"scores are equal on {part_of(zeros[0], n, unit)}, which are ranked without a sign"
    decimals = _decimals(compared)
    if decimals is None:
        yield Notice(sentence, "fine", evidence={"pairs": equal})
        return
    yield Notice(
        f"{sentence}; scores are rounded to {plural(decimals, 'decimal')}, and equal ones hide differences",
        evidence={"pairs": equal, "decimals": decimals},
        remedy="bring scores with more decimals (Demšar 2006)",
    )


def _zeros(compared: Compared) -> list[int]:
    """On how many data sets the scores of each pair that counts are equal: with the leader, or the control."""
    scores, first = units_of(compared.evidence, compared.question.family).scores, compared.leader
    others = [m for m in compared.order if m != first]
    return [int((differences(scores[:, first], scores[:, m]).whole == 0).sum()) for m in others]


def _decimals(compared: Compared) -> int | None:
    """The decimals to which the scores are rounded, 1 or 2; None if they have more, or are whole numbers."""
    means = compared.evidence.means[:, : len(compared.evidence.methods)]
    fits = (d for d in range(3) if np.allclose(means, means.round(d), rtol=0, atol=1e-9))
    return next(fits, None) or None


@guard(stage="verdict", sees="comparison")
def mostly_equal_scores(compared: Compared) -> Iterator[Notice]:
    """Methods that have equal scores on most data sets, so that typical differences are 0 whatever the means are."""
    n, zeros = len(compared.evidence.datasets), _zeros(compared) if _is_over_datasets(compared) else []
    equal = sum(2 * z >= n for z in zeros)
    if len(zeros) < 2 or 2 * equal <= len(zeros) or compared.question.estimand == "mean":
        return
    unit, whom = compared.evidence.unit, compared.name(compared.leader)
    yield Notice(
        f"{part_of(equal, len(zeros), 'method')} have the scores of {whom} on half of the {unit}s or more, so that "
        "typical differences are near 0 whatever the means are",
        "doubt",
        evidence={"methods": equal},
        remedy="compare the means (estimand='mean', --estimand mean)",
    )


@guard(stage="verdict", sees="comparison")
def units_that_belong_together(compared: Compared) -> Iterator[Notice]:
    """Answers and tasks, which may be those of fixed models, and may belong together."""
    alone = all(len(folds) == 1 for folds in compared.evidence.folds)  # folds are not those of one fixed model
    are_tasks = compared.evidence.unit != A_DATASET and _is_over_datasets(compared) and alone
    if (compared.switched or are_tasks) and not compared.question.family:
        unit = compared.evidence.unit
        yield Notice(
            f"each {unit} counts as a piece of evidence of its own; if each method is one fixed model, this is about "
            "these models, not about the algorithms that made them",
            remedy=f"if some {unit}s belong together (one text, patient or repository), name the families (family=)",
        )


@guard(stage="verdict", sees="comparison")
def zero_scores(compared: Compared) -> Iterator[Notice]:
    """Scores of 0 of a measure that is compared by ratios."""
    evidence = compared.evidence
    if _is_over_datasets(compared) and evidence.measure.compare == "log-ratio" and not evidence.as_ratio:
        yield Notice(
            "some scores are 0, so methods are compared by differences, not by ratios; smallest_difference is not used"
        )


@guard(stage="verdict", sees="comparison")
def no_spread(compared: Compared) -> Iterator[Notice]:
    """Pairs of methods whose difference is the same on every split of a data set."""
    if _is_over_datasets(compared):
        return
    methods = compared.evidence.methods
    unclear = [f"{methods[p.first]} and {methods[p.second]}" for p in compared.pairs if np.isnan(p.p_value)]
    if unclear and not _is_over_datasets(compared) and not _is_of_instances(compared):
        sentence = f"the difference of {listed(unclear)} is the same on every split: no spread to test it against"
        yield Notice(sentence, about=compared.evidence.datasets[0], evidence={"pairs": len(unclear)})


@guard(stage="verdict", sees="comparison")
def fixed_models(compared: Compared) -> Iterator[Notice]:
    """Fixed models: the verdict says nothing about the algorithms that made them."""
    if not _is_of_instances(compared):
        return
    yield Notice("this is about these fixed models; the algorithms that made them may do otherwise", "doubt")
    if not compared.evidence.clustered:
        yield Notice(
            "each instance counts as a piece of evidence of its own",
            remedy="if some belong together (one text, patient or repository), name the column of it (cluster='…')",
        )


def _is_over_datasets(compared: Compared) -> bool:
    return len(compared.evidence.datasets) > 1


def _is_of_instances(compared: Compared) -> bool:
    return compared.evidence.losses is not None or compared.evidence.predictions is not None
