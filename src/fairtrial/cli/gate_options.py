"""The options of a gate for continuous integration, its files and its exit codes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.choices import FAIL_IF, FailIf
from fairtrial.cli.options import names_in
from fairtrial.cli.output_file import any_file
from fairtrial.errors import InputError

if TYPE_CHECKING:
    from fairtrial.design import Question
    from fairtrial.experiments import ResultsAnswer
    from fairtrial.verdict import Gate

EXIT_CODES = {"passed": 0, "failed": 10, "undecided": 11}
OF_QUESTION = ("control", "smallest_difference", "alternative", "claim")


@dataclass(frozen=True, slots=True)
class AskedGate:
    """What was asked of a gate on the command line: its condition, the methods at it, and the files to write."""

    fail_if: FailIf | None = None
    candidates: Sequence[str] | None = None
    summary: Path | None = None
    junit: Path | None = None

    def by_default(self) -> AskedGate:
        """The gate of the command ``gate``, which by default fails if a method is worse."""
        return self if self.fail_if is not None else replace(self, fail_if="worse")

    def check(self, question: Question, options: Mapping[str, Any], methods: Sequence[str]) -> None:
        """Refuse what can't be answered or written, before anything is computed; ``options`` replace the question's."""
        if self.fail_if is None and (self.junit is not None or self.candidates is not None):
            given = "--junit" if self.junit is not None else "--candidates"
            raise click.UsageError(f"{given} is about a gate; add --fail-if, such as --fail-if worse")
        for file in filter(None, (self.summary, self.junit)):
            if not file.parent.is_dir():
                raise InputError(f"{str(file)!r} needs a folder to be in, but that is not there; make it first")
        if self.fail_if is not None:
            from fairtrial.verdict import check_gate

            changes = {name: options[name] for name in OF_QUESTION if options.get(name) is not None}
            if isinstance(options.get("measure"), str):
                changes["measure"] = options["measure"]
            check_gate(self.fail_if, replace(question, **changes), methods)

    def decide(self, answer: ResultsAnswer) -> Gate | None:
        """The result of the gate; None where none was asked for."""
        from fairtrial.verdict import gate_of

        return None if self.fail_if is None else gate_of(answer, self.fail_if, candidates=self.candidates)

    def write(self, answer: ResultsAnswer, gate: Gate | None) -> Iterator[Path]:
        """Write the files that were asked for, and give their paths."""
        from fairtrial.report import write_junit, write_summary

        if self.summary is not None:
            write_summary(self.summary, answer, gate)
            yield self.summary
        if self.junit is not None and gate is not None:
            write_junit(self.junit, answer, gate)
            yield self.junit


NO_GATE = AskedGate()


def gate_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a gate; the command gets them as ``gate``."""

    @functools.wraps(command)
    def collected(**given: Any) -> None:
        asked = {name: given.pop(name) for name in ("fail_if", "candidates", "summary", "junit")}
        command(gate=AskedGate(**asked), **given)

    options = (
        click.option(
            "--fail-if", type=click.Choice(FAIL_IF), metavar="STATE",
            help="worse, not-better or not-equivalent",
        ),
        click.option("--candidates", type=names_in, metavar="A,B", help="only these methods matter"),
        click.option("--summary", type=any_file, metavar="FILE", help="write a short summary in Markdown"),
        click.option("--junit", type=any_file, metavar="FILE", help="write the outcome as JUnit XML"),
    )  # fmt: skip
    return functools.reduce(lambda made, option: option(made), reversed(options), collected)
