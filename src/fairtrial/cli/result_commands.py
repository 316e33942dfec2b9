"""Commands that present results that exist already: draw, export, report and table."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fairtrial.choices import (
    PAPER_WIDTHS,
    FigureOptions,
    PaperWidth,
    TableOptions,
    VerdictOptions,
)
from fairtrial.cli.answer_commands import main_measure
from fairtrial.cli.options import (
    PresentingCommand,
    at_option,
    figure_options,
    file_argument,
    format_option,
    levels_of,
    table_options,
    verdict_options,
)
from fairtrial.cli.output_file import any_file, figure_file, format_by_ending, report_file, table_file
from fairtrial.cli.printing import print_table, print_text, save_figure, verdict_on
from fairtrial.cli.program import cli
from fairtrial.cli.reading import (
    file_and_name,
    former_options,
    part_options,
    print_reading,
    read_results,
    reading_options,
)
from fairtrial.figures import KINDS as FIGURES
from fairtrial.kinds import Kind
from fairtrial.result_tables import KINDS as TABLES
from fairtrial.tables.output_formats import file_endings

if TYPE_CHECKING:
    from fairtrial.results import Results

HELP_WIDTH = 77  # click indents it by two


@cli.command()
@file_argument
@click.option("--scores", type=table_file, metavar="FILE", help="write the scores: .csv, .csv.gz, .parquet; - prints")
@click.option("--predictions", type=table_file, metavar="FILE", help="write the predictions of all instances, likewise")
@click.option(
    "--measure", "measures", multiple=True, metavar="NAME", help="only this measure; may be given several times"
)
@at_option
@part_options
@click.option(
    "--anonymous",
    type=any_file,
    metavar="FILE",
    help="write a copy that names no host, command or folder",
)
def export(
    file: Path, scores: Path | None, predictions: Path | None, measures: tuple[str, ...], levels: tuple[str, ...],
    methods: list[str] | None, datasets: list[str] | None, anonymous: Path | None,
) -> None:  # fmt: skip
    """Write scores and predictions as tables for other programs.

    The tables are long: a row for each score, or for each instance. --anonymous writes a copy for blind review.

    \b
    fairtrial export study.trial --scores scores.csv
    fairtrial export study.trial --predictions predictions.parquet
    fairtrial export study.trial --scores - --measure accuracy --measure mcc
    fairtrial export study.trial --predictions noisy.parquet --at label_noise=0.1
    fairtrial export study.trial --anonymous blind.trial
    """
    from fairtrial.results import read_study

    if measures and scores is None:
        raise click.UsageError("--measure chooses among scores; add --scores FILE")
    for given, flag in ((levels, "--at"), (methods, "--methods"), (datasets, "--datasets")):
        if given and scores is None and predictions is None:
            raise click.UsageError(
                f"{flag} chooses among scores and predictions; add --scores FILE or --predictions FILE"
            )
    results = read_study(file)
    results = results.only(methods=methods, datasets=datasets) if methods or datasets else results
    results = results.at(levels_of(levels)) if levels else results
    if measures:
        results = results.only_measures(*measures)
    for written in results.export(scores=scores, predictions=predictions, anonymous=anonymous):
        if str(written) != "-":
            print_text(str(written), err=Path("-") in (scores, predictions))


@cli.command()
@file_argument
@click.option(
    "--out",
    type=report_file,
    metavar="FILE",
    help=f"write it here: {file_endings()}; FILE.html by default",
)
@click.option("--open", "show", is_flag=True, help="open the report in the browser")
@click.option("--full-provenance", is_flag=True, help="keep hosts, paths and whole command lines")
@verdict_options
@reading_options
@former_options
def report(
    file: Path,
    out: Path | None,
    show: bool,
    full_provenance: bool,
    options: VerdictOptions,
    levels: dict[str, float | str],
    reading: dict[str, Any],
) -> None:
    """Write a report of results: one page that needs no network.

    FILE is a study file (.trial), a table of scores or, with --truth, of predictions. Reports of other answers:
    `fairtrial effects FILE --report FILE`, and so on.
    """
    from fairtrial.report import write_report

    results = read_results(file, **reading, measure=main_measure(options), baseline=options.get("baseline"))
    results, verdict = verdict_on(results, options, levels)
    written = write_report(results, out or file.with_suffix(".html"), verdict, full_provenance=full_provenance)
    print_text(str(written))
    if show:
        click.launch(written.resolve().as_uri())


def _listed_kinds(what: str, kinds: Mapping[str, Kind]) -> str:
    """The epilog of a command: the names of kinds."""
    names = textwrap.fill(", ".join(kinds), HELP_WIDTH)
    return f"\b\n`fairtrial list {what}` says what each shows and takes:\n{names}"


AnyOptions = TypeVar("AnyOptions", FigureOptions, TableOptions)


def _for_kind(options: AnyOptions, taken: Sequence[str], reading: Mapping[str, Any], results: Results) -> AnyOptions:
    """The options of a kind, with the methods and the data set that were chosen, where it takes them.

    The measure of a table from elsewhere has been used already, to read it.
    """
    (dataset, *others) = reading["datasets"] or (None,)
    chosen = {"methods": reading["methods"], "dataset": None if others else dataset}
    read = ("measure",) if results.definition is None else ()
    given = {name: value for name, value in options.items() if name in taken or name not in read}
    return given | {name: value for name, value in chosen.items() if name in taken}  # type: ignore[return-value]


first_argument = click.argument("first", metavar="FILE")
name_argument = click.argument("second", metavar="NAME", required=False)


@cli.command(cls=PresentingCommand, epilog=_listed_kinds("figures", FIGURES))
@first_argument
@name_argument
@figure_options
@reading_options
@click.option(
    "--out",
    type=figure_file,
    metavar="FILE",
    help="write it here: .png, .pdf, .svg; or FILE-NAME.png",
)
def draw(
    first: str, second: str | None, options: FigureOptions, levels: dict[str, float | str], reading: dict[str, Any],
    out: Path | None,
) -> None:  # fmt: skip
    """Draw a figure of results, and print what it shows.

    FILE has scores or, with --truth, predictions; or it is a study (.trial).

    \b
    fairtrial draw study.trial roc --dataset churn.csv
    fairtrial draw results.csv scatter --measure auc --methods forest,bayes
    """
    file, name = file_and_name(first, second, FIGURES, "figure", "draw")
    assert file is not None
    from fairtrial.figures import options_of_figure, view_of_results

    out = out or file.with_name(f"{file.stem}-{name}.png")
    taken, positive = options_of_figure(name), reading["positive"]
    of_tables = {"positive": positive if reading["truth"] else None}  # that of a study is the figure's own
    results = read_results(
        file, **reading | of_tables, measure=options.get("measure"), baseline=options.get("baseline")
    )
    if "positive" in taken or not reading["truth"]:  # else the results know the class by now
        options["positive"] = positive
    results = results.at(levels) if levels else results
    view = view_of_results(results, name, **_for_kind(options, taken, reading, results))
    print_reading(results, options.get("measure"))
    print_text(view.words)
    save_figure(view.figure, out)
    print_text(str(out))


@cli.command(cls=PresentingCommand, epilog=_listed_kinds("tables", TABLES))
@first_argument
@name_argument
@table_options
@reading_options
@format_option
@click.option("--out", type=any_file, metavar="FILE", help="write it here; the ending tells the format")
@click.option(
    "--width",
    type=click.Choice(PAPER_WIDTHS),
    metavar="WHAT",
    help="with --format latex: text (default), column or page",
)
def table(
    first: str, second: str | None, options: TableOptions, levels: dict[str, float | str], reading: dict[str, Any],
    how: str, out: Path | None, width: PaperWidth | None,
) -> None:  # fmt: skip
    """Print a table of results, for a paper, a page or a program.

    FILE has scores or, with --truth, predictions; or it is a study (.trial).

    \b
    fairtrial table study.trial pairwise --format latex --out pairs.tex
    fairtrial table critical_values --test wilcoxon
    """
    from fairtrial.result_tables import options_of_table, table_of_results

    if (
        out is not None
        and click.get_current_context().get_parameter_source("how") is click.core.ParameterSource.DEFAULT
    ):
        how = format_by_ending(out)
    if width is not None and how != "latex":
        raise click.UsageError("--width is the width of a table in LaTeX; add --format latex")
    file, name = file_and_name(first, second, TABLES, "table", "table")
    results = None
    if file is not None:
        several = options.get("measures") or options.get("beside")  # a file that is read for one measure has no others
        measure = None if several else options.get("measure")
        results = read_results(file, **reading, measure=measure, baseline=options.get("baseline"))
        results = results.at(levels) if levels else results
        options = _for_kind(options, options_of_table(name), reading, results)
    made = table_of_results(results, name, **options)
    if results is not None:
        print_reading(results, options.get("measure"))
    print_table(made, how, out, width)
