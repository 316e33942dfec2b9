"""The table of a comparison: methods from best to worst, each with its lead, the interval, p and how it stands.

Every method against the control on each data set, as WEKA's Experimenter prints it.

The second table over data sets: the mean difference, and what the difference is on single data sets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from fairtrial.design import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import score_unit
from fairtrial.results.absentees import DidNotRun
from fairtrial.statements import Remark, Role, Text
from fairtrial.stats import Interval, corrected_t, paired_t
from fairtrial.stats import adjust as adjusted_p
from fairtrial.stats.multiplicity import TITLES
from fairtrial.tables import Across, Column, Marked, Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.compare_methods import Compared, Row, unbounded
from fairtrial.verdict.designs.decide import TOGETHER
from fairtrial.verdict.designs.units import Spread, Units
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.score_guards import DIVERGED
from fairtrial.verdict.words.wording import Scope, Wording, span_of
from fairtrial.verdict.yardsticks.given import given_yardsticks
from fairtrial.words import listed, plural

AHEAD, BEHIND = ("best", "better"), ("out", "worse")
NOUGHT = 1e-3  # of the width of its interval: a smaller lead is 0 but for noise
NOISE = 1e-9  # of a typical score: an end of an interval below it is 0 but for rounding


def comparison_table(
    compared: Compared,
    words: Wording,
    *,
    mean: Callable[[int], object],
    mean_title: str = "mean",
    wins: Callable[[Row], str | None] | None = None,
    yardstick: Callable[[int], str],
    caption: str,
    legend: Sequence[str] = (),
) -> Table:
    """The table of a comparison: a row for each method, then one for each yardstick with the text of ``yardstick``.

    Yardsticks that the question gives say themselves who beats them. The title of the first column is the measure.
    """
    evidence, question = compared.evidence, compared.question
    k = len(evidence.methods)
    sizes = [_seen(row.effect, words, _smallest(compared, words)) for row in compared.rows]
    write = words.differences([size for size in sizes if size is not None and math.isfinite(size.estimate)])
    rows: list[tuple[object, ...]] = []
    for row, size in zip(compared.rows, sizes, strict=True):
        cells = (None if size is None else size.estimate, _ends(row, size, words), row.p_value)
        won = (wins(row),) if wins else ()
        rows.append((evidence.methods[row.method], mean(row.method), *cells, *won, row.standing))
    blank = (None,) * (3 + (wins is not None))
    rows += [
        (name, mean(k + i), *blank, Across(f"yardstick{yardstick(i)}")) for i, name in enumerate(evidence.yardsticks)
    ]
    given = given_yardsticks(evidence, question)
    rows += [(y.name, y.level, *blank, Across(y.text)) for y in given]
    unit = " (%)" if words.measure.unit == "%" else ""
    columns = (
        Column(f"{words.name}{unit}", align="left", key="method"),
        Column(mean_title, words.value, key="mean"),
        Column(_effect_title(compared, words), write, key="effect"),
        Column(
            f"{100 * question.level:g} % {'interval' if compared.side.is_both else 'bound'}",
            formats.ends(write),
            key="interval",
        ),
        Column("p", formats.p_value, key="p_adjusted"),
        *((Column("w–t–l", key="wins_ties_losses"),) if wins else ()),
        Column("", align="left", key="mark"),
    )
    notes = (*legend, *(n for y in given for n in y.notes))
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)


def pairs_table(compared: Compared, words: Wording, *, caption: str) -> Table:
    """All pairs, those with the smallest p first; the better one of each stands first."""
    evidence, question = compared.evidence, compared.question
    seen = [p if p.effect is None or p.effect.estimate >= 0 else p.swapped() for p in compared.pairs]
    seen = sorted(seen, key=lambda p: (p.p_adjusted, compared.order.index(p.first), compared.order.index(p.second)))
    bounded = compared.tests.bounded
    shown = [p.effect if bounded or p.effect is None else unbounded(p.effect) for p in seen]
    sizes = [_seen(effect, words, _smallest(compared, words)) for effect in shown]
    write = words.differences([size for size in sizes if size is not None and math.isfinite(size.estimate)])
    rows: list[tuple[object, ...]] = []
    for pair, size in zip(seen, sizes, strict=True):
        name = f"{compared.name(pair.first)} over {compared.name(pair.second)}"
        wins = () if pair.spread is None else ("–".join(map(str, pair.spread.wins)),)
        ends = None if size is None else span_of(size)
        if ends is not None and pair.different and ends[0] == 0:
            ends = formats.ClosedBelow(ends)
        effect = None if size is None else size.estimate
        rows.append((name, effect, ends, pair.p_adjusted, *wins, "differ" if pair.different else ""))
    over = len(evidence.datasets) > 1
    columns = (
        Column(words.name, align="left", key="pair"),
        Column(f"{compared.estimand} {'ratio' if words.ratio else 'lead'}" if over else "lead", write, key="effect"),
        Column(f"{100 * question.level:g} % interval", formats.ends(write), key="interval"),
        Column("p", formats.p_value, key="p_adjusted"),
        *((Column("w–t–l", key="wins_ties_losses"),) if seen and seen[0].spread is not None else ()),
        Column("", align="left", key="mark"),
    )
    return Table(columns=columns, rows=tuple(rows), caption=caption)


def _effect_title(compared: Compared, words: Wording) -> str:
    """What the difference is, with its estimand over data sets."""
    over = len(compared.evidence.datasets) > 1
    kind = f"{compared.estimand} " if over else ""
    if compared.family in ("control", "pairs"):
        return f"{'ratio to' if words.ratio else 'lead over'} {compared.name(compared.leader)}"
    return f"{kind}ratio" if words.ratio else f"{kind}lead"


def _smallest(compared: Compared, words: Wording) -> float:
    """The size below which an end of an interval is 0 but for rounding."""
    return 0.0 if words.ratio else NOISE * float(np.nanmedian(np.abs(compared.evidence.means)))


def _seen(effect: Interval | None, words: Wording, smallest: float) -> Interval | None:
    """The lead as it is read: a ratio of the measure, else positive where better; 0 where only rounding makes it more.

    Against a control and among all pairs, a difference is in the measure's own direction, as its column says.
    """
    if effect is None or math.isnan(effect.estimate):
        return None
    shown = words.as_measured(effect) if words.ratio else effect
    low, high = (0.0 if abs(end) < smallest else end for end in (shown.low, shown.high))
    width = high - low
    nought = not words.ratio and math.isfinite(width) and abs(shown.estimate) < NOUGHT * width
    return replace(shown, estimate=0.0 if nought else shown.estimate, low=low, high=high)


def _ends(row: Row, size: Interval | None, words: Wording) -> tuple[float, float] | None:
    """The ends of an interval; the bound by decision stands on the side of the better."""
    ends = span_of(size)
    if ends is None or math.isnan(ends[0]):
        return None
    zero = 1.0 if words.ratio else 0.0
    below = row.closed or (row.standing in BEHIND and zero in ends)
    above = row.standing in AHEAD and zero in ends
    turned = words.ratio and not words.measure.higher_is_better
    if below or above:
        return formats.ClosedBelow(ends) if above != turned else formats.ClosedAbove(ends)
    return ends


def explanations(table: Table, compared: Compared | None) -> tuple[tuple[str, str], ...]:
    """What the columns of the table mean, by their titles."""
    if compared is None:
        return ()
    evidence, question = compared.evidence, compared.question
    leader = compared.name(compared.leader)
    over = len(evidence.datasets) > 1
    unit = evidence.unit
    pieces = "seeds" if score_unit(evidence.dependence) == "seed" else "splits"
    lead = {
        "best": "how far the method is ahead of the best of the others; below 0 it is behind",
        "pair": "how far the method is ahead of the other one; below 0 it is behind",
        "control": f"how far the method is ahead of {leader}; below 0 it is behind",
        "pairs": "how far the first of the two is ahead of the second; below 0 it is behind",
    }[compared.family]
    if over:
        what = "the Hodges–Lehmann estimate: half of the averages of two differences lie above it"
        lead += f" ({what})" if compared.estimand == "typical" else " (mean difference)"
    sure = formats.percent(question.level)
    hold = "all intervals hold together" if len(evidence.methods) > 2 else "it agrees with the test"
    if compared.family == "best":
        hold += "; an end of ≤ 0 says that the method is not better, and not by how much"
    wins = f"{unit}s on which the method wins, ties and loses"
    if compared.family == "best":
        wins += ": the leader against the next, the others against the leader"
    p = {
        "best": "the smallest level at which the method is out; of the best, at which it is the winner",
        "pair": "that of the test of the two",
        "control": "that of the test against the control, adjusted for all of them",
        "pairs": "adjusted for all pairs",
    }[compared.family]
    texts = {
        "mean": f"over the {pieces} of each {unit}, then over {unit}s" if over else f"over the {pieces}",
        "effect": lead,
        "interval": f"where the lead lies with {sure} confidence; {hold}",
        "p_adjusted": p,
        "wins_ties_losses": wins,
        "mark": "out: shown not to be the best" if compared.family == "best" else "what is shown of the method",
    }  # fmt: skip
    return tuple((c.title or "last column", texts[c.key]) for c in table.columns if c.key in texts)


PER_DATASET_TESTS = ("corrected_t", "paired_t")


def against_control(evidence: Evidence, question: Question, adjust: str, test: str) -> Finding:
    """Marks on each data set: ``v`` better than the control, ``*`` worse; adjusted over methods and data sets."""
    if question.control is None:
        raise InputError("a table per data set needs a method to compare with; name it: control='…' (--control)")
    if test not in PER_DATASET_TESTS:
        raise UnknownName.among("test per data set", test, PER_DATASET_TESTS)
    others = [m for m in evidence.methods if m != question.control]
    if not others and evidence.absent:
        missing = listed([str(a) for a in evidence.absent])
        raise DidNotRun(f"no method is left to compare with {question.control!r}: {missing}; leave out per_dataset")
    each = [evidence.on(i) for i in range(len(evidence.datasets))]
    tests = len(each) * len(others)
    marks = [_marks_by_name(one, question.control, others, question, adjust, test, tests) for one in each]
    counts = [tuple(sum(row.get(m) == sign for row in marks) for sign in (1, 0, -1)) for m in others]
    words = Wording(evidence.measure)
    better, worse = ([f"{m} on {c[side]}" for m, c in zip(others, counts, strict=True) if c[side]] for side in (0, 2))
    n = plural(len(evidence.datasets), "data set")
    first = f"Better than {question.control} in {words.name}: {listed(better)} of {n}." if better else (
        f"No method is better than {question.control} in {words.name} on any of {n}."
    )  # fmt: skip
    sentences = [first, *([f"Worse: {listed(worse)} of {n}."] if worse else [])]
    if adjust == "none" and tests > 1:
        chance = formats.significant(2)((1 - question.level) * tests)
        sentences.append(
            f"These are {tests} tests without adjustment: about {chance} marks are expected by chance alone."
        )
    name = (
        "corrected resampled t"
        if test == "corrected_t"
        else "plain paired t (folds are not independent: far too liberal)"
    )
    step = "adjust for the number of tests (leave adjust out), or ask over all data sets (leave per_dataset out)"
    return Finding(
        statements=(
            *(Remark(Role.ANSWER, Text(text), "marks", rank) for rank, text in enumerate(sentences)),
            ByTest("", f"{name} on each data set", details=(_adjustment(adjust, tests),)),
            next_step("ask", step),
        ),
        table=_table(evidence, question, others, marks, counts),
        scope=Scope(words, f"on each of {n}", count=len(evidence.methods), level=question.level),
        each=True,
    )


def _adjustment(adjust: str, tests: int) -> str:
    """The adjustment of the marks, in words."""
    if adjust in TOGETHER:
        return f"Bonferroni over {plural(tests, 'test')} (methods and data sets)"
    return "unadjusted" if adjust == "none" else f"{TITLES.get(adjust, adjust)} over the methods"


def _marks_by_name(
    one: Evidence, control: str, others: Sequence[str], question: Question, adjust: str, test: str, tests: int
) -> dict[str, int]:
    """Marks on one data set, by method that ran there; none where the control did not."""
    names = [m for m in others if m in one.methods]
    if control not in one.methods or not names:
        return {}
    numbers = [one.methods.index(m) for m in names]
    if adjust in TOGETHER:
        question, adjust = replace(question, level=1 - (1 - question.level) / tests), "none"
    found = marks_against(one, one.methods.index(control), numbers, question, adjust, test)
    return dict(zip(names, found, strict=True))


def marks_against(
    evidence: Evidence,
    control: int,
    others: list[int],
    question: Question,
    adjust: str = "none",
    test: str = "corrected_t",
) -> list[int]:
    """Marks of methods on one data set: +1 better than the control, −1 worse, 0 neither."""
    dependence = evidence.dependence[0]
    folds = evidence.folds[0]
    if dependence.seeds:
        raise InputError(
            f"per_dataset={test!r} is for splits, but {evidence.datasets[0]} has {dependence.scheme} on one of them; "
            f"{dependence.lacking}, or leave out per_dataset"
        )
    if len(folds) < 2 or (test == "corrected_t" and not dependence.known):
        raise InputError(
            f"{evidence.datasets[0]} has {plural(len(folds), 'score')} per method, whose split scheme is unknown; "
            "say resampling='10x10-fold' (--resampling), or leave out per_dataset"
        )
    run = partial(corrected_t, test_share=dependence.test_share) if test == "corrected_t" else paired_t
    outcomes = [run(folds[:, m], folds[:, control]) for m in others]
    p = adjusted_p([o.p_value for o in outcomes], adjust)
    signs = [np.sign(evidence.sign * (o.effect.estimate if o.effect else 0.0)) for o in outcomes]
    return [int(s) if q < 1 - question.level else 0 for s, q in zip(signs, p, strict=True)]


def _table(
    evidence: Evidence,
    question: Question,
    others: Sequence[str],
    marks: Sequence[Mapping[str, int]],
    counts: Sequence[tuple[int, ...]],
) -> Table:
    words, control = Wording(evidence.measure), str(question.control)

    def cell(i: int, method: str, symbol: str = "") -> str:
        mean, spread = evidence.cell(i, method), evidence.folds[i][:, evidence.columns.index(method)].std(ddof=1)
        if isinstance(mean, Marked) and mean.text:
            return f"{mean.text}{' ' * len(symbol)}"
        value, sign = (mean.value, mean.mark) if isinstance(mean, Marked) else (mean, "")
        number, deviation = words.values(float(value), float(spread))  # type: ignore[arg-type]
        return f"{number}{sign} ({deviation}){symbol}"

    symbols = {1: " v", 0: "  ", -1: " *"}
    rows: list[tuple[object, ...]] = []
    for i, name in enumerate(evidence.datasets):
        cells = (cell(i, m, symbols[marks[i].get(m, 0)]) for m in others)
        rows.append((name, len(evidence.folds[i]), cell(i, control), *cells))
    rows.append(("", None, "(v/ /*)", *(f"({a}/{b}/{c})  " for a, b, c in counts)))
    columns = (
        Column("data set", align="left"),
        Column("splits"),
        Column(control),
        *(Column(f"{m}  ", key=m) for m in others),
    )
    caption = f"{words.name}, mean (standard deviation) over splits, against {question.control}"
    notes = (
        f"v better, * worse than {question.control} at {1 - question.level:.3g}; last row: wins / ties / losses",
        *legend(evidence, None, evidence.scored_alone),
    )
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes, rule_before=(len(rows) - 1,))


def single_datasets_table(compared: Compared, units: Units) -> Table:
    """A row for each method against the reference: its mean difference, and on how many data sets it matters."""
    evidence, question = compared.evidence, compared.question
    words = Wording(evidence.measure, evidence.as_ratio)
    against = compared.against_reference()
    delta = question.delta
    rows: list[tuple[object, ...]] = []
    for m in compared.order:
        spread = against[m].spread if m in against else None
        if spread is not None:
            diverged = _is_diverged(compared, spread)
            rows.append((evidence.methods[m], *_cells(spread, words, delta is not None, diverged)))
    reference = evidence.methods[compared.leader]
    size = "ratio" if evidence.as_ratio else "difference"
    kind = f"mean {size}"
    by = "" if delta is None else f" by ≥ {words.delta(delta)}"
    counts = tuple(Column(f"{title}{by}", key=title) for title in ("better", "worse"))
    sample = next((p.spread for p in compared.pairs if p.spread is not None), None)
    level = "" if sample is None else f" ({formats.percent(sample.new.level)})"
    columns: tuple[Column, ...] = (
        Column("method", align="left"),
        Column(kind, words.difference, key="mean_difference"),
        Column(f"{100 * question.level:g} % interval", formats.span(words.difference), key="mean_interval"),
        *(counts if delta is not None else ()),
        Column(f"a new {units.each}{level}", formats.span(words.difference), key="new_dataset"),
    )
    tests = compared.tests.family
    notes = [
        f"{kind}: {'geometric, ' if evidence.as_ratio else ''}with its interval (t, Bonferroni over "
        f"{plural(tests, 'pair')})"
    ]
    if all(row[-1] is None for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    elif sample is not None:
        unit = units.each
        notes.append(f"a new {unit}: where the {size} on a further such {unit} is expected, {_between(sample)}")
    what = f"on how many of {units.counted} a method is better or worse" if delta is not None else (
        f"the mean {size} over {units.counted}{', and its range' if columns[-1].key == 'new_dataset' else ''}"
    )  # fmt: skip
    caption = f"on single {units.several}, against {reference}: {what}"
    return Table(columns, tuple(rows), caption=caption, notes=tuple(notes))


def _is_diverged(compared: Compared, spread: Spread) -> bool:
    """Whether a ratio on a new data set is that of a score which seems to have diverged."""
    return compared.evidence.as_ratio and max(abs(spread.new.low), abs(spread.new.high)) >= math.log(DIVERGED)


def _between(spread: Spread) -> str:
    """Between which of the observed differences the one on a new data set is expected."""
    return "from the smallest to the largest here" if spread.new.notes else "between order statistics"


def _cells(spread: Spread, words: Wording, counted: bool, diverged: bool) -> tuple[object, ...]:
    mean, new = map(words.as_measured, (spread.mean, spread.new))
    counts = (spread.above, spread.below) if counted else ()
    return mean.estimate, span_of(mean), *counts, None if diverged else span_of(new)
