"""Two or more methods on one data set, over shared resamples: corrected t with Holm."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.stats import Interval, compare_pairs, corrected_t
from fairtrial.stats.adjust import TITLES
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.absent_methods import failed_note, legend
from fairtrial.verdict.decide import Pair, pair_up, rank_sets, sizes_of, standing
from fairtrial.verdict.evidence import Check, Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.over_datasets import PLACE, level_on, places, wanted_pairs
from fairtrial.verdict.sentences import answer, unbeaten_sentences
from fairtrial.verdict.wording import Wording, and_join, plural, span_of

__all__ = ["describe_only", "estimate_on_one", "on_one_dataset", "own_delta", "pairs_table"]


def on_one_dataset(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """All pairs, or each method against the control, by the corrected resampled t-test."""
    folds, dependence = evidence.folds[0], evidence.dependence[0]
    k = len(evidence.methods)
    test = partial(corrected_t, test_share=dependence.test_share, level=question.level)
    wanted = wanted_pairs(evidence, question)
    columns = list(folds[:, :k].T)
    comparisons = compare_pairs(columns, wanted, test=test, adjust=adjust, names=evidence.methods, level=question.level)
    delta = own_delta(evidence, question)
    sizes = None if delta is None else sizes_of(test, columns, wanted, question.level, adjust)
    pairs = pair_up(comparisons, evidence.sign, delta, sizes)
    means = evidence.means[0, :k]
    order = standing(pairs, k, -evidence.sign * means)
    told = answer(evidence, question, pairs, order, f"on {evidence.datasets[0]}")
    words = Wording(evidence.measure)
    levels = {m: level_on(evidence, m, question.level) for m in range(len(evidence.columns))}
    title = TITLES.get(adjust, adjust)
    several = f", {title} over {plural(len(pairs), 'pair')}" if len(pairs) > 1 else ""
    return Finding(
        sentences=(*told.sentences, *unbeaten_sentences(evidence, lambda i: _unbeaten(evidence, i, question))),
        table=pairs_table(evidence, question, pairs, order, levels, title, f"mean over {dependence.scheme}"),
        test=f"corrected resampled t over {plural(len(folds), 'split')} ({dependence.scheme}){several}.",
        winner=told.winner,
        order=tuple(evidence.methods[m] for m in order),
        pairs=tuple(pairs),
        comparisons=comparisons,
        checks=tuple(_checks(pairs, evidence)),
        next_steps=_next(pairs, words),
    )


def own_delta(evidence: Evidence, question: Question) -> float | None:
    """The smallest difference that matters on one data set: a share of the mean for what is compared by ratios."""
    delta = question.smallest_difference
    if delta is None or evidence.measure.compare != "log-ratio":
        return delta
    return delta * float(evidence.means[0, : len(evidence.methods)].mean())


def pairs_table(
    evidence: Evidence,
    question: Question,
    pairs: Sequence[Pair],
    order: Sequence[int],
    levels: dict[int, Interval | None],
    title: str,
    over: str,
) -> Table:
    """Methods from best to worst on one data set: level with interval, place, difference to the best or the control."""
    words = Wording(evidence.measure)
    reference = evidence.methods.index(question.control) if question.control else order[0]
    against = {p.first if p.second == reference else p.second: p for p in pairs if reference in (p.first, p.second)}
    sets = rank_sets(pairs, len(evidence.methods))
    rows: list[tuple[object, ...]] = []
    for m in order:
        row: tuple[object, ...] = (evidence.methods[m], evidence.cell(0, evidence.methods[m]), span_of(levels[m]))
        row += () if question.control else (places(sets[m]),)
        if m in against:
            pair = against[m] if against[m].first == m else against[m].turned()
            effect = pair.effect if pair.effect is None or evidence.sign > 0 else pair.effect.negated()
            estimate = None if effect is None else effect.estimate
            row += (estimate, span_of(effect), pair.p_adjusted, "*" if pair.different else "")
        else:
            row += (None, None, None, "")
        rows.append(row)
    blank = (None,) * (3 if question.control else 4)
    k = len(evidence.methods)
    rows += [
        (
            y,
            evidence.cell(0, y),
            span_of(levels.get(k + i)),
            *blank,
            f"yardstick{_beaten(evidence, i, question)}",
        )
        for i, y in enumerate(evidence.yardsticks)
    ]
    rows += [(y, float(given), None, *blank, "yardstick, as given") for y, given in question.yardsticks.items()]
    level = f"{100 * question.level:g} %"
    name = evidence.methods[reference]
    columns = (
        Column("method", align="left"),
        Column("mean", words.value),
        Column(f"{level} interval", formats.span(words.value), key="mean_interval"),
        *(() if question.control else (Column("place"),)),
        Column(f"against {name}", words.difference, key="effect"),
        Column(f"{level} interval", formats.span(words.difference), key="interval"),
        Column(f"p ({title})", formats.p_value, key="p_adjusted"),
        Column("", align="left", key="mark"),
    )
    family = f"{title}, {plural(len(pairs), 'pair')}"
    notes = (
        f"intervals are for one method or one pair alone; * p ({family}) < {1 - question.level:.3g}",
        *(() if question.control else (PLACE,)),
        *legend(evidence, evidence.columns),
    )
    caption = f"{words.name} on {evidence.datasets[0]}, {over}"
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)


def _beaten(evidence: Evidence, yardstick: int, question: Question) -> str:
    """Which methods beat the yardstick, in words, where there are resamples to test with."""
    fails = _unbeaten(evidence, yardstick, question)
    if fails is None:
        return ""
    return ": every method beats it" if not fails else f": not clearly beaten by {and_join(fails)}"


def _unbeaten(evidence: Evidence, yardstick: int, question: Question) -> list[str] | None:
    """The methods that don't clearly beat the yardstick, each tested by itself; None where that can't be tested."""
    k, folds, dependence = len(evidence.methods), evidence.folds[0], evidence.dependence[0]
    column = folds[:, k + yardstick]
    if evidence.is_resource or len(folds) < 2 or not dependence.known or np.isnan(column).any():
        return None
    fails = []
    for m in range(k):
        better = evidence.sign * (folds[:, m] - column)
        outcome = corrected_t(better, np.zeros_like(better), test_share=dependence.test_share, alternative="greater")
        no_spread = np.isnan(outcome.p_value) and (better > 0).all()  # better by the same amount on every split
        if not (outcome.p_value < 1 - question.level or no_spread):
            fails.append(evidence.methods[m])
    return fails


def _checks(pairs: Sequence[Pair], evidence: Evidence) -> list[Check]:
    unclear = [p for p in pairs if np.isnan(p.p_value)]
    if not unclear:
        return []
    names = and_join([f"{evidence.methods[p.first]} and {evidence.methods[p.second]}" for p in unclear[:3]])
    return [Check(False, f"the difference of {names} is the same on every split: no spread to test it against")]


def _next(pairs: Sequence[Pair], words: Wording) -> tuple[str, ...]:
    if any(p.decision == "undecided" for p in pairs):
        return (f"more instances, or other data sets, would tell more about {words.name}; more repeats hardly would",)
    return ("other data sets would tell whether this holds beyond this one",)


def estimate_on_one(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """One method on one data set: its level, with an interval that is valid for the resampling used."""
    words = Wording(evidence.measure)
    method, dependence = evidence.methods[0], evidence.dependence[0]
    levels = [level_on(evidence, m, question.level) for m in range(len(evidence.columns))]
    means = [float(evidence.means[0, m]) if i is None else i.estimate for m, i in enumerate(levels)]
    level = levels[0]
    inside = span_of(level) is not None
    found = words.level(means[0], span_of(level))
    sentence = f"{method} has a mean {words.name} of {found} on {evidence.datasets[0]}."
    columns = (
        Column("method", align="left"),
        Column("mean", words.value),
        Column(f"{100 * question.level:g} % interval", formats.span(words.value), key="interval"),
    )
    cells = (evidence.overall(m, mean) for m, mean in zip(evidence.columns, means, strict=True))
    rows = tuple(zip(evidence.columns, cells, map(span_of, levels), strict=True))
    caption = f"{words.name} on {evidence.datasets[0]}, mean over {dependence.scheme}"
    how = f"; interval: {level.method}" if inside and level is not None else ", and its scores allow no interval"
    how += " (Bates, Hastie & Tibshirani 2023)" if evidence.nested is not None and inside else ""
    test = f"no test: one method is estimated{how}."
    table = Table(columns=columns, rows=rows, caption=caption, notes=legend(evidence, evidence.columns))
    return Finding((sentence,), table, test, order=(method,))


def describe_only(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Means and nothing more: what is known does not allow a test."""
    words = Wording(evidence.measure)
    k = len(evidence.methods)
    means = evidence.comparable.mean(axis=0)
    order = sorted(range(k), key=lambda m: -evidence.sign * means[m])
    columns = (Column("data set", align="left"), *(Column(m, words.value) for m in evidence.columns))
    rows = tuple((d, *(evidence.cell(i, m) for m in evidence.columns)) for i, d in enumerate(evidence.datasets))
    best = evidence.methods[order[0]]
    sentence = (
        f"Whether the methods differ in {words.name} can't be told from this; {best} comes first in these numbers."
    )
    test, step = _lacking(evidence)
    what = "value" if evidence.measure.combine == "pooled" else "mean"
    return Finding(
        sentences=(sentence,),
        table=Table(
            columns=columns,
            rows=rows,
            caption=f"{words.name}, one {what} per data set and method",
            notes=(*legend(evidence, evidence.columns), *failed_note(evidence)),
        ),
        test=f"none: {test}.",
        order=tuple(evidence.methods[m] for m in order),
        next_steps=(step,),
    )


def _lacking(evidence: Evidence) -> tuple[str, str]:
    """Why no test is possible, and what would make one so."""
    if optimistic := next((d.caution for d in evidence.dependence if d.optimistic), None):
        return optimistic, "an honest resampling, such as '10x10-fold'"
    reason, step = _too_little(evidence)
    return reason, f"{step}, or {FEWEST_DATASETS} or more data sets"


def _too_little(evidence: Evidence) -> tuple[str, str]:
    n = len(evidence.datasets)
    few = f"{plural(n, 'data set')} {'is' if n == 1 else 'are'} too few to compare over"
    if all(d.scheme == "one test set" for d in evidence.dependence):
        step = "one test set and a measure that is a mean over instances (such as accuracy, brier or mae)"
        return f"{few}, and {evidence.measure.name} of fixed models is one number per test set, without spread", step
    if caution := next((d.caution for d in evidence.dependence if d.caution), None):
        return f"{few}, and {caution}", "another resampling, where the data allow one (resampling='10x10-fold')"
    if evidence.measure.combine == "pooled":
        step = "the mean over folds, if the measure is defined on them, which has a spread to judge by"
        return f"{few}, and a measure of pooled folds is one number a repeat, and repeats share their data", step
    if all(len(f) < 2 for f in evidence.folds):
        step = "scores of more splits (resampling='10x10-fold'), or a question about these models (about='model')"
        return f"{few}, and one score per method has no spread", step
    return (
        f"{few}, and nobody said how the scores of one were made",
        "say how the splits were made (resampling='10x10-fold')",
    )
