"""Two or more methods on a few data sets: a verdict on each, by the methods that ran there.

Notices of data sets that are judged singly: what holds on all of them is said once, all else with its data sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.notices import Notice
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import better_on_how_many
from fairtrial.tables import Column, Marked, Table, formats
from fairtrial.verdict.absent_methods import legend, with_absentees
from fairtrial.verdict.claims.support import ByTest, NextStep, next_step
from fairtrial.verdict.designs.compare_methods import wanted_pairs
from fairtrial.verdict.designs.one_dataset import on_one_dataset
from fairtrial.verdict.designs.one_method import estimate_on_one
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.guards.trivial_policies import NOT_BETTER, not_shown_to
from fairtrial.verdict.words.wording import Scope, Wording, span_of
from fairtrial.words import listed, plural


def notices_of_parts(parts: Sequence[tuple[str, Finding]]) -> Iterator[Notice]:
    """The notices of the findings on single data sets, as notices about all of them.

    That no method does better than a trivial one is grave if it holds on each data set. If it holds on some, it is a
    doubt, which names them and follows the answer.
    """
    found = [(dataset, notice) for dataset, part in parts for notice in part.of_kind(Notice)]
    trivial = [(dataset, notice) for dataset, notice in found if notice.guard == NOT_BETTER]
    yield from _not_better(trivial, len(parts))
    for sentence in dict.fromkeys(n.sentence for _, n in found if n.guard != NOT_BETTER):
        where = [dataset for dataset, n in found if n.sentence == sentence]
        first = next(n for _, n in found if n.sentence == sentence)
        yield first if len(where) == len(parts) else replace(first, sentence=f"on {listed(where)}: {sentence}")


def _not_better(found: Sequence[tuple[str, Notice]], n: int) -> Iterator[Notice]:
    """One notice for each trivial method that no method is shown to beat, with the data sets where that is so."""
    everywhere = len({dataset for dataset, _ in found}) == n
    for better in dict.fromkeys(str(notice.evidence["better"]) for _, notice in found):
        own = {dataset: notice for dataset, notice in found if notice.evidence["better"] == better}
        first = next(iter(own.values()))
        if len(own) == n > 1:
            sentence = f"on none of these {plural(n, 'data set')} is a method shown to {better}"
        else:
            sentence = f"on {listed(own)} {first.sentence if len(own) == 1 else not_shown_to(better)}"
        evidence = {"trivial": first.evidence["trivial"], "datasets": list(own)}
        yield replace(first, sentence=sentence, severity="grave" if everywhere else "doubt", evidence=evidence)


def on_each_dataset(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """One verdict per data set, and how they add up in words; no claim about other data sets."""
    parts = _parts(evidence, question, adjust)
    if question.control is not None:
        return _control_on_each(evidence, question, parts)
    words = Wording(evidence.measure)
    columns = (
        Column(f"{words.name}", align="left", key="data set"),
        Column("leader", align="left", key="best"),
        Column("mean", words.value),
        Column("lead", words.difference, key="effect"),
        Column(f"{100 * question.level:g} % interval", formats.ends(words.difference), key="interval"),
        Column("", align="left", key="mark"),
    )
    rows = tuple(_first_on(evidence, i, part) for i, (_, part) in enumerate(parts))
    shown = [str(row[1]) for row in rows if isinstance(row[2], Marked) and row[2].mark]
    caption = f"{words.name}, mean over {evidence.dependence[0].scheme}, per data set"
    sentences, winner = _summary(parts, words, len(evidence.methods))
    table = Table(columns, rows, caption, legend(evidence, shown, evidence.scored_alone))
    further: tuple[str, ...] = ()
    if len(evidence.methods) == 2:
        further = tuple(_on_how_many(parts, evidence.methods[:1], evidence.methods[1], question.level))
        table = _table_of_two(evidence, parts, caption, question)
    return Finding(
        statements=_statements(sentences, further, parts, question),
        table=table,
        scope=_scope(evidence, question),
        winner=winner,
        order=parts[0][1].order if winner else (),
        each=True,
        parts=parts,
    )


def _scope(evidence: Evidence, question: Question) -> Scope:
    n = plural(len(evidence.datasets), "data set")
    return Scope(
        Wording(evidence.measure), f"on each of these {n}", count=len(evidence.methods), delta=question.delta,
        level=question.level,
    )  # fmt: skip


def _statements(
    sentences: Sequence[str], further: Sequence[str], parts: Sequence[tuple[str, Finding]], question: Question
) -> tuple[Statement, ...]:
    """The sentences of the answer, ``further`` ones for the full page, what guards say, the test, and the next step."""
    more = (Remark(Role.ANSWER, Text(text), "on how many", len(sentences), only_full=True) for text in further)
    said = (Remark(Role.ANSWER, Text(text), "each data set", rank) for rank, text in enumerate(sentences))
    return (*said, *more, *notices_of_parts(parts), _test_on_each(parts), *_more_sets(len(parts), question))


def _table_of_two(evidence: Evidence, parts: Sequence[tuple[str, Finding]], caption: str, question: Question) -> Table:
    """Two methods on each data set: both means, their difference with its interval, and p."""
    words, (first, second) = Wording(evidence.measure), evidence.methods
    rows: list[tuple[object, ...]] = []
    for i, (name, part) in enumerate(parts):
        pair = next(iter(part.pairs), None)
        ran = evidence.on(i).methods
        alone = f"only {ran[0]} ran" if ran else "no method ran"
        cells: tuple[object, ...] = (None, None, None, alone if len(ran) < 2 else "")
        if pair is not None and pair.effect is not None and part.comparisons is not None:
            seen = pair if part.comparisons.names[pair.first] == first else pair.swapped()
            size = words.as_measured(seen.effect) if seen.effect is not None else None
            better = "" if pair.winner is None else f"{part.comparisons.names[pair.winner]} better"
            cells = (size and size.estimate, span_of(size), pair.p_adjusted, better)
        rows.append((name, evidence.cell(i, first), evidence.cell(i, second), *cells))
    columns = (
        Column("data set", align="left"),
        Column(first, words.value),
        Column(second, words.value),
        Column(f"{first} − {second}", words.difference, key="effect"),
        Column(f"{100 * question.level:g} % interval", formats.ends(words.difference), key="interval"),
        Column("p", formats.p_value, key="p_adjusted"),
        Column("", align="left", key="mark"),
    )
    return Table(columns, tuple(rows), caption, legend(evidence, None, evidence.scored_alone))


def _parts(evidence: Evidence, question: Question, adjust: str) -> tuple[tuple[str, Finding], ...]:
    """The finding on each data set, about the methods that ran there."""
    found = []
    each = [evidence.on(i) for i in range(len(evidence.datasets))]
    compared = [one for one in each if _can_compare(one, question)]
    tests = sum(len(wanted_pairs(one, question)) for one in compared)
    for name, one in zip(evidence.datasets, each, strict=True):
        if one in compared:
            part = on_one_dataset(one, question, adjust, datasets=len(compared), tests=tests)
        elif not one.methods or (question.control is not None and question.control not in one.methods):
            part = _nothing_on(one, question)
        else:
            part = estimate_on_one(one, question, adjust)
        found.append((name, with_absentees(part, one.absent)))
    return tuple(found)


def _can_compare(one: Evidence, question: Question) -> bool:
    return len(one.methods) > 1 and (question.control is None or question.control in one.methods)


def _nothing_on(evidence: Evidence, question: Question) -> Finding:
    """The finding on a data set where nothing can be compared, since the methods that count did not run there."""
    words = Wording(evidence.measure)
    who = f"the control {question.control}" if evidence.methods else "any method"
    rows = tuple((m, evidence.cell(0, m)) for m in evidence.columns)
    nothing = f"Without {who} there is nothing to compare on {evidence.datasets[0]}."
    return Finding(
        statements=(Remark(Role.ANSWER, Text(nothing), "nothing"), ByTest("", "none", none=True)),
        scope=_scope(evidence, question),
        table=Table(
            columns=(Column("method", align="left"), Column("mean", words.value)),
            rows=rows,
            caption=f"{words.name} on {evidence.datasets[0]}, mean over {evidence.dependence[0].scheme}",
            notes=legend(evidence, evidence.columns),
        ),
    )


def _first_on(evidence: Evidence, i: int, part: Finding) -> tuple[object, ...]:
    """The row of a data set: the leader, its mean, its lead over the best of the others, and who may be best, too."""
    name = evidence.datasets[i]
    if not part.order:
        return name, "no method ran", None, None, None, ""
    if part.leads is None:
        return name, part.order[0], evidence.cell(i, part.order[0]), None, None, "the only one that ran"
    leader = part.leads.leader
    lead = next(one for one in part.leads.leads if one.method == leader)
    rivals = [one.method for one in part.leads.leads if one.standing == "in" and one.method != leader]
    mark = "best" if part.winner else f"or {listed(rivals, last='or')}"
    return name, leader, evidence.cell(i, leader), lead.interval.estimate, span_of(lead.interval), mark


def _test_on_each(parts: Sequence[tuple[str, Finding]]) -> ByTest:
    """The test of the first part that has one; all others have the same."""
    tested = [part for _, part in parts if part.compared is not None]
    own = (tested or [parts[0][1]])[0].of_kind(ByTest)[0]
    return replace(own, family="on each data set, all together" if tested else "on each data set")


def _more_sets(n: int, question: Question) -> Iterator[NextStep]:
    if n < FEWEST_DATASETS and question.domains != "these":
        yield next_step("more data", f"{FEWEST_DATASETS} data sets or more would allow a verdict about such data sets")


def _control_on_each(evidence: Evidence, question: Question, parts: Sequence[tuple[str, Finding]]) -> Finding:
    """Each method against the control on each data set, counted in words."""
    words, control = Wording(evidence.measure), str(question.control)
    others = [m for m in evidence.methods if m != control]
    found = {m: [_against(part, m, control) for _, part in parts] for m in others}
    records = [
        _record(m, found[m].count("better"), found[m].count("worse"), len(parts) - found[m].count(None)) for m in others
    ]
    direction = "" if evidence.measure.higher_is_better else " (lower is better)"
    first = f"Against {control} in {words.name}{direction}, data set by data set: {'; '.join(records)}."
    rows = tuple(
        (d, evidence.cell(i, control), *(x for m in others for x in (evidence.cell(i, m), found[m][i] or "")))
        for i, d in enumerate(evidence.datasets)
    )
    columns = (
        Column("data set", align="left"),
        Column(control, words.value),
        *(c for m in others for c in _columns_of(m, words)),
    )
    caption = f"{words.name}, mean over {evidence.dependence[0].scheme}, per data set, against {control}"
    further = tuple(_on_how_many(parts, others, control, question.level))
    return Finding(
        statements=_statements((first,), further, parts, question),
        table=Table(columns, rows, caption, legend(evidence, None, evidence.scored_alone)),
        scope=_scope(evidence, question),
        each=True,
        parts=tuple(parts),
    )


def _against(part: Finding, method: str, other: str) -> str | None:
    """'better' or 'worse' than the other, '' where the tests find neither; None where the two were not compared."""
    names = () if part.comparisons is None else part.comparisons.names
    for pair in part.pairs:
        if {method, other} == {names[pair.first], names[pair.second]}:
            if pair.winner is None:
                return "not worse" if pair.decision == "not worse" else ""
            return "better" if names[pair.winner] == method else "worse"
    return None


def _on_how_many(
    parts: Sequence[tuple[str, Finding]], methods: Sequence[str], other: str, level: float
) -> Iterator[str]:
    """On how many of the data sets, at least, each method is better or worse than the other one.

    Both sides of all methods are one family. A number that is only that of the single data sets with a difference says
    nothing new, and is left out.
    """
    each = 1 - (1 - level) / (2 * len(methods))
    for method in methods:
        for first, second in ((method, other), (other, method)):
            p = [_one_sided(part, first, second) for _, part in parts]
            known = [value for value in p if value is not None]
            least = int(better_on_how_many(known, level=each).statistic) if known else 0
            seen = sum(_against(part, first, second) == "better" for _, part in parts)
            if least > max(seen, 1):
                n = plural(len(parts), "data set")
                yield f"{first} is better than {second} on at least {least} of these {n}, though on which is open."


def _one_sided(part: Finding, first: str, second: str) -> float | None:
    """The p-value that the first is better than the second on a data set; None where they were not compared."""
    names = () if part.comparisons is None else part.comparisons.names
    for pair in part.pairs:
        if {first, second} == {names[pair.first], names[pair.second]} and not math.isnan(pair.p_value):
            ahead = pair.ahead is not None and names[pair.ahead] == first
            return float(pair.p_value) / 2 if ahead else 1 - float(pair.p_value) / 2
    return None


def _columns_of(method: str, words: Wording) -> tuple[Column, Column]:
    return Column(method, words.value), Column("", align="left", key=f"{method} is")


def _record(method: str, better: int, worse: int, n: int) -> str:
    """The record of a method, such as 'forest better on 2, worse on 1 of 5'."""
    if not n:
        return f"{method} was compared with it on none"
    counts = [f"{word} on {count}" for word, count in (("better", better), ("worse", worse)) if count]
    return f"{method} {', '.join(counts)} of {n}" if counts else f"{method} not distinguishable from it on any of {n}"


def _leads(parts: Sequence[tuple[str, Finding]], words: Wording, k: int) -> Iterator[str]:
    """By how much one of two methods leads on each data set: from the smallest lead to the largest."""
    sizes = [abs(p.effect.estimate) for _, part in parts for p in part.pairs if p.effect is not None]
    if k == 2 and len(sizes) == len(parts):
        low, high = words.values(min(sizes), max(sizes))
        yield f"Its lead is from {low} to {high}."


def _summary(parts: Sequence[tuple[str, Finding]], words: Wording, k: int) -> tuple[tuple[str, ...], str | None]:
    winners: dict[str, list[str]] = {}
    for name, part in parts:
        if part.winner is not None:
            winners.setdefault(part.winner, []).append(name)
    n, which = len(parts), "better" if k == 2 else "the best"
    if len(winners) == 1 and (found := next(iter(winners.items())))[1] and len(found[1]) == n:
        first = f"{found[0]} is {which} in {words.name} on each of these {n} data sets."
        return (first, *_leads(parts, words, k)), found[0]
    if not winners:
        return (f"On none of these {n} data sets is a method shown to be {which} in {words.name}.",), None
    best = f"is {which} in {words.name} "
    leaders = [f"{m} {'' if i else best}on {listed(sets)}" for i, (m, sets) in enumerate(winners.items())]
    rest = [name for name, part in parts if part.winner is None and part.compared is not None]
    first = f"{'; '.join(leaders)}."
    where = listed(rest) if len(rest) < 5 else f"the other {plural(len(rest), 'data set')}"
    last = f"On {where} no method is shown to be {'better' if k == 2 else 'the best'}."
    return (first, last) if rest else (first,), None
