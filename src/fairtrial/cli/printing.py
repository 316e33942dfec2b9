"""Output of the commands: on the terminal, in files, and by the exit code."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairtrial.choices import PaperWidth, VerdictOptions
from fairtrial.cli.gate_options import EXIT_CODES, NO_GATE, AskedGate
from fairtrial.errors import FairtrialError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.experiments import ResultsAnswer
    from fairtrial.results import Results
    from fairtrial.tables import Table

SOME_FAILED = 1
MORE = "--full: every check and reason · --explain: what the columns mean"
NO_LEVELS: Mapping[str, float | str] = {}
NO_OPTIONS: VerdictOptions = {}


def verdict_on(
    results: Results,
    options: VerdictOptions = NO_OPTIONS,
    levels: Mapping[str, float | str] = NO_LEVELS,
) -> tuple[Results, ResultsAnswer]:
    """The results at the given levels, and the answer that fits them."""
    from fairtrial.experiments import answer_to

    chosen = results.at(levels) if levels else results
    return chosen, answer_to(chosen, options)


def finish(
    results: Results,
    verdict: ResultsAnswer,
    how: str,
    report: Path | None,
    gate: AskedGate = NO_GATE,
    figure: Path | None = None,
    *,
    full: bool = False,
    explain: bool = False,
) -> None:
    """Print the result of the gate and the verdict, write files, and end with the exit code that says what happened.

    Every file that was written is named, also the ``figure``. The code of a gate comes before the one that says that
    trials failed.
    """
    decided = gate.decide(verdict)
    if decided is not None:
        print_text(decided.sentence + ("\n" if how == "text" else ""), err=how != "text")
    if how == "text":
        click.echo(_page(verdict, full=full, explain=explain))
    else:
        print_text(verdict.render(how, full=full, explain=explain))
    if report is not None:
        from fairtrial.report import write_report

        write_report(results, report, verdict)
    written = [path for path in (figure, report, *gate.write(verdict, decided)) if path is not None]
    if written:
        print_text("\n" + "\n".join(map(str, written)), err=how != "text")
    if decided is not None and (code := EXIT_CODES[decided.state]):
        raise SystemExit(code)
    if verdict.failed:
        raise SystemExit(SOME_FAILED)


def _page(verdict: ResultsAnswer, *, full: bool, explain: bool) -> str:
    """The page on the terminal, with colours where it has them; names are made visible by the renderer."""
    from fairtrial.tables import Paragraph

    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    document = _spoken(verdict).to_document(full=full, explain=explain)
    if not full:
        document = replace(document, blocks=(*document.blocks, Paragraph(MORE)))
    return document.to_text(color=color)


def _spoken(verdict: ResultsAnswer) -> ResultsAnswer:
    """The verdict with options of the command in its next steps, where a program has arguments."""
    from fairtrial.cli.reading import in_options
    from fairtrial.notices import Notice
    from fairtrial.statements import Statement, Text
    from fairtrial.statements import say as say_statement
    from fairtrial.verdict import Verdict
    from fairtrial.verdict.claims.support import NextStep

    context = click.get_current_context(silent=True)
    if context is None or not isinstance(verdict, Verdict):
        return verdict
    say = partial(in_options, params=context.command.params)

    def spoken(s: Statement) -> Statement:
        if isinstance(s, NextStep):
            return replace(s, words=Text(say(say_statement(s, verdict.scope).render())))
        return replace(s, remedy=say(s.remedy)) if isinstance(s, Notice) else s

    statements = tuple(map(spoken, verdict.statements))
    return replace(verdict, finding=replace(verdict.finding, statements=statements))


def print_table(table: Table, how: str, out: Path | None, width: PaperWidth | None = None) -> None:
    """Print a table in a format, or write it to a file and say so; ``width`` is what LaTeX has to fit."""
    if how == "text":
        text = table.to_text(None if out else terminal_width())
    else:
        text = table.render(how) if width is None else table.to_latex(width=width)
    if out is None:
        print_text(text)
        return
    try:
        out.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise FairtrialError(f"the table can't be written to {out}: {error.strerror or error}") from error
    print_text(str(out))


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a file; a bad ending or folder is bad input. SVG is that of reports, with a description."""
    from fairtrial.figures import to_svg

    try:
        if path.suffix.lower() == ".svg":
            path.write_text(to_svg(figure) + "\n", encoding="utf-8")
        else:
            figure.savefig(path)
    except (ValueError, OSError) as error:
        raise FairtrialError(f"the figure can't be written to {path}: {error}") from error


def terminal_width() -> int | None:
    """The width of the terminal; None where the output goes into a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def print_text(text: str, *, err: bool = False) -> None:
    """Print a text; control characters that came with names from data are made visible, so that they do nothing."""
    from fairtrial.words import visible_lines

    click.echo(visible_lines(text), err=err)
