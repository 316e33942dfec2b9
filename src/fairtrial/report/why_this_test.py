"""Why this test: its choice, its null hypothesis, its level, and all comparisons that it made.

How to read the tables of a report, and the lines of Python that make them again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fairtrial.design import Question
from fairtrial.experiments import ResultsAnswer
from fairtrial.figures import nemenyi_figure, pictures_of_test
from fairtrial.figures.comparisons.verdict_pairs import MOST_IN_DIAGRAM
from fairtrial.report.factor_blocks import ANSWERS, facts_of
from fairtrial.results import Results
from fairtrial.stats import Comparisons
from fairtrial.stats.multiplicity import TITLES
from fairtrial.tables import Block, Facts, Folded, Paragraph, Picture, Table, formats
from fairtrial.verdict import LevelVerdicts, Verdict
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import as_sentence, plural

COLUMNS = {
    "mean": "The mean is over the scores on each data set, then over data sets.",
    "mean rank": "The mean rank is 1 for a method that is the best on every data set.",
    "rank_interval": "The ranks are those that the tests do not rule out; methods with ranks in common may be equal.",
    "effect": "The difference is the method of the row minus the one in the title of the column.",
    "change": "The change is what moving the factor from one level to the other does to the score.",
    "interval": "Every value in the interval is compatible with the data; a wide one means that little is known.",
    "mean_interval": "Every value in the interval of the mean is compatible with the data.",
    "low": "Every difference between low and high is compatible with the data.",
    "p": "A small p-value speaks against equal methods; a large one does not speak for them.",
    "p_adjusted": (
        "The p-value is adjusted for the number of comparisons: a small one speaks against equal methods, a large one "
        "does not speak for them."
    ),
    "wins_ties_losses": "Wins, ties and losses count data sets, however small the differences on them.",
    "new_dataset": "The last column says where the difference on one further data set is to be expected.",
    "mark": "The signs in the last column are explained below the table.",
    "sum of squares": "Sums of squares add up to the whole variation: a large share means that the factor matters.",
    "helps": "The column 'helps on' counts the data sets on which the change is for the better.",
}
"""What the columns of tables say, by their keys."""

TABLES = {
    "failed trials by method, data set and reason": (
        "Each row counts trials that failed for one reason. The failure policy says what these trials count as."
    ),
    "warnings while fitting and predicting": (
        "A warning is not a failure: the trial has a score. Many warnings of one method are a reason to look at it."
    ),
    "data sets": "One row for each data set, with what is known about it. Few instances mean wide intervals.",
    "methods": "One row for each method: what was fitted, with the parameters that were set.",
}
"""How to read the tables that are lists, by their captions."""

PAIRS = "One row for each pair. The effect is the first method minus the second."


def explained(table: Table, call: str = "") -> Table:
    """The table with an explanation of its columns and the line of Python that makes it, where it has none."""
    return replace(table, explain=table.explain or _explanation(table), call=table.call or call)


def _explanation(table: Table) -> str:
    keys = [c.key for c in table.columns]
    if not keys:
        return ""
    told = [key for key in keys if not (key == "p" and "p_adjusted" in keys) and not (key == "effect" == keys[0])]
    if keys[:2] == ["first", "second"]:
        whole, told = PAIRS, [key for key in told if key != "effect"]
    else:
        whole = TABLES.get(table.caption, f"One row for each {table.columns[0].title}.")
    return " ".join([whole, *(COLUMNS[key] for key in told if key in COLUMNS)])


def with_help(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks, in which every table says how to read it."""
    for block in blocks:
        match block:
            case Table():
                yield explained(block)
            case Folded():
                yield replace(block, blocks=tuple(with_help(iter(block.blocks))))  # type: ignore[arg-type]
            case _:
                yield block


def with_preamble(blocks: Iterator[Block], results: Results, answer: ResultsAnswer) -> Iterator[Block]:
    """The blocks, in which the Python of tables and figures begins with the lines that read the results."""
    read = _reading(results)
    verdict = _answering(results, answer)
    for block in blocks:
        match block:
            case Table(call=call) | Picture(call=call) if call:
                asked = [verdict] if any(name in call for name in ("verdict", *ANSWERS)) else []
                yield replace(block, call="\n".join(["import fairtrial as ft", "", read, *asked, call]))
            case Folded():
                yield replace(block, blocks=tuple(with_preamble(iter(block.blocks), results, answer)))  # type: ignore[arg-type]
            case _:
                yield block


def _reading(results: Results) -> str:
    """The line of Python that reads the results."""
    known = results.provenance
    if results.definition is not None:
        return f"results = ft.read_study({results.path.name if results.path else 'study.trial'!r})"
    name = (known.source or "results.csv").replace("\\", "/").rpartition("/")[2]
    return f"results = ft.{known.reader or 'read_scores'}({name!r}{_keywords(known.reading)})"


def _answering(results: Results, answer: ResultsAnswer) -> str:
    """The line of Python that answers the question again."""
    if isinstance(answer, LevelVerdicts):
        return "verdicts = results.verdicts()"
    if not isinstance(answer, Verdict):
        return facts_of(answer).call(answer.measure.name)
    made_from = results if answer.basis is None else answer.basis.results
    options = {} if made_from.asked is None else dict(made_from.asked.options)
    return f"verdict = results.verdict({_keywords(options).removeprefix(', ')})"


def _keywords(options: object) -> str:
    given = dict(options).items() if options else ()  # type: ignore[call-overload]
    return "".join(f", {name}={value!r}" for name, value in given)


MOST_PAIRS = 2_000
"""Comparisons in a report: those with the smallest p-values, if there are more."""

HOW_TO_READ_IT = (
    "Each method stands at its average rank, the best at the left. A bar joins methods whose ranks differ by less than "
    "the critical difference."
)
NEMENYI_CALL = "ft.figures.nemenyi_figure(verdict)"


def why_this_test(results: Results, verdict: Verdict) -> Iterator[Block]:
    """The test, why it fits, its null hypothesis and its level; folded, all comparisons and the classical diagram."""
    facts = [
        ("Test", as_sentence("; ".join((verdict.test, *verdict.test_details)))),
        ("Why this one", as_sentence(verdict.why)),
    ]
    tested = _first_comparisons(verdict)
    meaning = "A small p-value speaks against this; a large one does not speak for it."
    if any(f.leads is not None and f.compared.family == "best" for f in _findings(verdict)):  # type: ignore[union-attr]
        facts.append(("Null hypothesis", f"For each method: no other one is better. {meaning}"))
        facts.append(("Decided at", f"p < {1 - verdict.question.level:.3g}"))
    elif tested is not None:
        null = as_sentence(tested.outcomes[0].null)
        meant = f"{null} {meaning}"
        facts.append(("Null hypothesis", f"For each pair of methods: {meant[0].lower()}{meant[1:]}"))
        facts.append(("Decided at", _decided_at(tested)))
    smallest = verdict.question.delta
    if smallest is not None:
        size = Wording(verdict.measure).delta(smallest)
        facts.append(("What matters", f"differences of {size} or more, {_when_stated(results, verdict)}"))
    if verdict.question.claim is not None:
        stated = _study_question(results)
        when = _stated(stated is not None and stated.claim == verdict.question.claim)
        claimed = Wording(verdict.measure).claimed(float(verdict.question.claim))
        facts.append(("Claim", f"{verdict.measure.name} better than {claimed}, {when}"))
    facts.append(("Reference", verdict.reference))
    yield Facts(tuple(facts))
    yield from _depth(verdict)


def _when_stated(results: Results, verdict: Verdict) -> str:
    """When the smallest difference was stated: with the study, or only when the verdict was made."""
    study = _study_question(results)
    return _stated(study is not None and study.delta_for(verdict.measure.name) == verdict.question.delta)


def _study_question(results: Results) -> Question | None:
    return None if results.definition is None else Question.from_dict(results.definition.question)


def _stated(with_the_study: bool) -> str:
    return "stated with the study" if with_the_study else "stated when the verdict was made"


def _findings(verdict: Verdict) -> tuple[Finding, ...]:
    """What was found over data sets, and where each data set has a verdict of its own, on each."""
    return verdict.finding, *verdict.parts.values()


def _first_comparisons(verdict: Verdict) -> Comparisons | None:
    """The tests over data sets or, where each data set has a verdict of its own, those on the first that has any.

    Comparisons with the best are none of pairs, which would be another family.
    """
    for finding in _findings(verdict):
        if finding.compared is None or finding.compared.family == "best":
            continue
        if finding.comparisons is not None and finding.comparisons.outcomes:
            return finding.comparisons
    return None


def _decided_at(tested: Comparisons) -> str:
    limit = f"p < {1 - tested.level:.3g}"
    if len(tested.pairs) < 2:
        return limit
    how = TITLES.get(tested.adjusted, tested.adjusted)
    if tested.simultaneous:
        return f"{limit} for all pairs together ({how}), which is where 0 lies outside the interval"
    pairs = plural(len(tested.pairs), "pair")
    return (
        f"{limit}, not adjusted for {pairs}" if tested.adjusted == "none" else f"{limit}, adjusted by {how} for {pairs}"
    )


def _depth(verdict: Verdict) -> Iterator[Folded]:
    """The folded details of the test: all comparisons, and the classical diagram."""
    compared = verdict.finding.compared
    tested = None if compared is None or compared.family == "best" else verdict.comparisons
    if tested is not None and len(tested.pairs) > 1:
        scale = (Paragraph("Effects are differences of logarithms."),) if verdict.evidence.as_ratio else ()
        yield Folded("All tests that were made", (*scale, _comparisons_table(tested)))
    for picture in pictures_of_test(verdict):
        yield Folded(picture.title, (picture,))
    few = len(verdict.evidence.methods) <= MOST_IN_DIAGRAM
    if verdict.omnibus is not None and compared is not None and compared.family == "pairs" and few:
        caption = (
            "Average ranks that differ by less than the critical difference are joined. Nothing here was decided by "
            "it: what it says of two methods depends on which others are compared."
        )
        picture = Picture(
            "Nemenyi's diagram", caption, nemenyi_figure(verdict), explain=HOW_TO_READ_IT, call=NEMENYI_CALL
        )
        yield Folded("The classical critical-difference diagram (Nemenyi)", (picture,))


def _comparisons_table(tested: Comparisons) -> Table:
    """All comparisons or, of very many, those with the smallest p-values."""
    table = explained(tested.to_table(), "verdict.comparisons.to_table()")
    if len(table.rows) <= MOST_PAIRS:
        return table
    kept = np.argsort(tested.p_adjusted, kind="stable")[:MOST_PAIRS]
    note = f"the {formats.count(MOST_PAIRS)} of {plural(len(table.rows), 'pair')} with the smallest p are shown"
    return replace(table, rows=tuple(table.rows[i] for i in sorted(kept)), notes=(note, *table.notes))
