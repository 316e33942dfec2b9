"""How to read the tables of a report, and the lines of Python that make them again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairtrial.experiments import ResultsAnswer
from fairtrial.report.factor_blocks import ANSWERS, facts_of
from fairtrial.results import Results
from fairtrial.tables import Block, Folded, Picture, Table
from fairtrial.verdict import LevelVerdicts, Verdict

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
