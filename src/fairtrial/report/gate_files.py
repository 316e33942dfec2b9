"""Files for continuous integration: a short summary in Markdown for a pull request, and JUnit XML."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fairtrial.errors import InputError
from fairtrial.experiments import ResultsAnswer
from fairtrial.report.write import replacing
from fairtrial.tables import Answer, Block, Document, Facts, Paragraph, Table
from fairtrial.verdict import Gate
from fairtrial.words import visible

STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file to which the steps of a workflow on GitHub append their summaries."""


def gate_summary(answer: ResultsAnswer, gate: Gate | None = None) -> str:
    """The answer and its table in Markdown, below the result of a gate where there is one."""
    if gate is None:
        return Document(tuple(_in_short(answer)), title=f"fairtrial: {answer.measure.name}").render("md")
    result: tuple[Block, ...] = (Answer(gate.sentence), gate.to_table())
    title = f"Gate {gate.state} ({gate.asked})"
    return Document((*result, *(_plainly(block) for block in _in_short(answer))), title=title).render("md")


def _in_short(answer: ResultsAnswer) -> Iterator[Block]:
    """The sentences of the answer and the first of its tables, as they are printed."""
    blocks = answer.to_document().blocks
    first = next((block for block in blocks if isinstance(block, Table)), None)
    return (b for b in blocks if not isinstance(b, Facts) and (b is first or not isinstance(b, Table)))


def _plainly(block: Block) -> Block:
    """The answer as a paragraph among others, below the result of the gate."""
    return Paragraph(block.text) if isinstance(block, Answer) else block


def gate_junit(answer: ResultsAnswer, gate: Gate) -> str:
    """The gate as JUnit XML: a test case for each comparison, skipped where it is undecided.

    The elements and attributes are those of the schema of Apache Ant's reports (JUnit.xsd of Windy Road), which other
    readers take as well. The host is not named.
    """
    states = [case.state for case in gate.cases]
    count = {
        "tests": len(states),
        "failures": states.count("failed"),
        "errors": 0,
        "skipped": states.count("undecided"),
    }
    suite = Element("testsuite", _texts({
        "name": f"{gate.promise} in {gate.measure}", "package": "fairtrial", "id": 0, "hostname": "localhost",
        "timestamp": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"), "time": 0, **count,
    }))  # fmt: skip
    SubElement(suite, "properties")
    for case in gate.cases:
        named = {"classname": f"fairtrial.fail-if-{gate.fail_if}", "name": f"{case.name}: {gate.promise}", "time": 0}
        element = SubElement(suite, "testcase", _texts(named))
        if case.state == "failed":
            SubElement(element, "failure", _texts({"message": case, "type": gate.fail_if})).text = visible(str(case))
        elif case.state == "undecided":
            SubElement(element, "skipped", _texts({"message": case}))
    SubElement(suite, "system-out").text = visible(f"{gate.sentence} {answer.sentence}")
    SubElement(suite, "system-err")
    suites = Element("testsuites")
    suites.append(suite)
    indent(suites)
    return tostring(suites, encoding="unicode")


def _texts(values: dict[str, object]) -> dict[str, str]:
    """Attributes as texts that XML can hold: names from data may have control characters, which it can't."""
    return {name: visible(str(value)) for name, value in values.items()}


def write_summary(path: Path, answer: ResultsAnswer, gate: Gate | None = None) -> None:
    """Write the summary to a file; it is appended to the summary of a step on GitHub, which other commands share."""
    text = gate_summary(answer, gate).rstrip("\n") + "\n"
    if str(path) != os.environ.get(STEP_SUMMARY):
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
        return
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
    except OSError as error:
        raise InputError(f"the summary can't be appended to {str(path)!r}: {error.strerror or error}") from error


def write_junit(path: Path, answer: ResultsAnswer, gate: Gate) -> None:
    """Write the gate as JUnit XML."""
    with replacing(path) as temporary:
        text = f'<?xml version="1.0" encoding="UTF-8"?>\n{gate_junit(answer, gate)}\n'
        temporary.write_text(text, encoding="utf-8")
