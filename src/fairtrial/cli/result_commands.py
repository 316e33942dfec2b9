"""Commands that answer from results that exist already: compare, draw, export, report and table."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fairtrial.choices import (
    PAPER_WIDTHS,
    AboutFactors,
    Criterion,
    FigureOptions,
    PaperWidth,
    TableOptions,
    VerdictOptions,
)
from fairtrial.cli.gate_options import NO_GATE, AskedGate, gate_options
from fairtrial.cli.options import (
    about_factors,
    at_option,
    figure_options,
    file_argument,
    format_option,
    levels_of,
    surface_option,
    table_options,
    verdict_options,
)
from fairtrial.cli.output_file import any_file, figure_file, format_by_ending, report_file, table_file
from fairtrial.cli.printing import finish, print_surface, print_table, print_text, save_figure, verdict_on
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

PAGES = ("text", "md", "html")
HELP_WIDTH = 76  # click indents it by two


@cli.command()
@file_argument
@click.option(
    "--scores", type=table_file, metavar="FILE", help="Write the scores here: .csv, .csv.gz or .parquet; - prints CSV."
)
@click.option(
    "--predictions", type=table_file, metavar="FILE", help="Write the predictions of all instances here, likewise."
)
@click.option(
    "--measure", "measures", multiple=True, metavar="NAME", help="Only this measure; may be given several times."
)
@at_option
@part_options
@click.option(
    "--anonymous",
    type=any_file,
    metavar="FILE",
    help="Write a copy of the study file here that names no host, command or folder.",
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
@verdict_options
@reading_options
@former_options
@click.option("--figure", type=figure_file, metavar="FILE", help="Write the figure: .png, .pdf or .svg.")
@click.option("--report", type=report_file, metavar="FILE", help=f"Write the report: {file_endings()}.")
@about_factors
@surface_option
@gate_options
@click.option("--full", is_flag=True, help="Every check, reason and reference of the same claims.")
@click.option("--explain", is_flag=True, help="What the columns of the table mean.")
@format_option
def compare(
    file: Path, options: VerdictOptions, levels: dict[str, float | str], reading: dict[str, Any],
    figure: Path | None, report: Path | None, asked: AboutFactors | None, criterion: Criterion | None,
    surface: str | None, gate: AskedGate, how: str, full: bool, explain: bool,
) -> None:  # fmt: skip
    """Give a verdict on results that exist already.

    FILE has scores (CSV, TSV, Parquet, WEKA's ARFF) or, with --truth, predictions; or it is a study file (.trial).

    \b
    fairtrial compare results.csv --measure accuracy
    fairtrial compare results.csv --measure rmse --control ridge
    fairtrial compare weka.arff --control J48 --per-dataset corrected_t
    fairtrial compare long.csv --columns dataset=task,method=framework,value=auc
    fairtrial compare predictions.csv --truth y
    fairtrial compare study.trial --effects
    fairtrial compare study.trial --surface --figure contour.png
    fairtrial compare study.trial --ablation
    fairtrial compare study.trial --robust-setting --criterion regret
    fairtrial compare results.csv --measure auc --control old --fail-if worse
    """
    if (full or explain) and how not in PAGES:
        raise click.UsageError(f"--full and --explain are for a page, but --format {how} has data; leave them out")
    results = read_results(file, **reading, measure=_main_measure(options), baseline=options.get("baseline"))
    if surface is not None:
        if asked is not None or report is not None or gate != NO_GATE or full or explain:
            raise click.UsageError(
                "--surface is an answer of its own: leave out other questions, other pages and gates"
            )
        print_surface(results, options, levels, surface, how, figure)
        return
    gate.check(results.question, options, results.method_names())
    results, verdict = verdict_on(results, options, levels, asked=asked, criterion=criterion)
    if figure is not None:
        save_figure(verdict.figure(), figure)
    finish(results, verdict, how, report, gate, figure, full=full, explain=explain)


def _main_measure(options: VerdictOptions) -> str | None:
    """The measure that the scores or predictions are read for; that of a file with several where several are asked."""
    measure = options.get("measure")
    return measure if measure is None or isinstance(measure, str) else measure[0]


@cli.command()
@file_argument
@click.option(
    "--out",
    type=report_file,
    metavar="FILE",
    help=f"Write the report here: {file_endings()}; FILE.html by default.",
)
@click.option("--open", "show", is_flag=True, help="Open the report in the browser.")
@click.option("--full-provenance", is_flag=True, help="Keep hosts, paths and whole command lines.")
@about_factors
@verdict_options
@reading_options
def report(
    file: Path,
    out: Path | None,
    show: bool,
    full_provenance: bool,
    asked: AboutFactors | None,
    criterion: Criterion | None,
    options: VerdictOptions,
    levels: dict[str, float | str],
    reading: dict[str, Any],
) -> None:
    """Write a report of results: one page that needs no network.

    FILE is a study file (.trial), a table of scores or, with --truth, of predictions.
    """
    from fairtrial.report import write_report

    results = read_results(file, **reading, measure=_main_measure(options), baseline=options.get("baseline"))
    results, verdict = verdict_on(results, options, levels, asked=asked, criterion=criterion)
    written = write_report(results, out or file.with_suffix(".html"), verdict, full_provenance=full_provenance)
    print_text(str(written))
    if show:
        click.launch(written.resolve().as_uri())


def _listed_kinds(title: str, kinds: Mapping[str, Kind]) -> str:
    """The epilog of a command: the names of kinds, and what each shows."""
    width = 4 + max(map(len, kinds))
    rows = (
        textwrap.fill(kind.shows, HELP_WIDTH, initial_indent=f"  {name:<{width - 2}}", subsequent_indent=" " * width)
        for name, kind in kinds.items()
    )
    return "\n".join((f"\b\n{title}:", *rows))


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


@cli.command(epilog=_listed_kinds("Figures", FIGURES))
@first_argument
@name_argument
@figure_options
@reading_options
@click.option(
    "--out",
    type=figure_file,
    metavar="FILE",
    help="Write the figure here: .png, .pdf or .svg; FILE-NAME.png by default.",
)
def draw(
    first: str, second: str | None, options: FigureOptions, levels: dict[str, float | str], reading: dict[str, Any],
    out: Path | None,
) -> None:  # fmt: skip
    """Draw a figure of results, and print what it shows.

    FILE is a study file (.trial), a table of scores or, with --truth, of predictions. Each figure takes some of the
    options: see `fairtrial list figures`.

    \b
    fairtrial draw study.trial roc --dataset churn.csv
    fairtrial draw study.trial confusion --dataset iris --methods forest
    fairtrial draw predictions.csv reliability --truth y --positive yes
    fairtrial draw study.trial levels --factor train_size --measure auc
    fairtrial draw study.trial growth --measure peak_memory
    fairtrial draw study.trial pareto --cost predict_time --at train_size=1
    fairtrial draw results.csv scatter --measure auc --methods forest,bayes
    fairtrial draw results.csv critical_difference --measure auc
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


@cli.command(epilog=_listed_kinds("Tables", TABLES))
@first_argument
@name_argument
@table_options
@reading_options
@format_option
@click.option("--out", type=any_file, metavar="FILE", help="Write the table here; its ending tells the format.")
@click.option(
    "--width",
    type=click.Choice(PAPER_WIDTHS),
    help="With --format latex: fit a page of text (default), one column of a page with two, or both of them.",
)
def table(
    first: str, second: str | None, options: TableOptions, levels: dict[str, float | str], reading: dict[str, Any],
    how: str, out: Path | None, width: PaperWidth | None,
) -> None:  # fmt: skip
    """Print a table of results, for a paper, a page or a program.

    FILE is a study file (.trial), a table of scores or, with --truth, of predictions. Each table takes some of the
    options: see `fairtrial list tables`.

    \b
    fairtrial table results.csv scores --measure auc --spread "standard error"
    fairtrial table study.trial win_tie_loss --format latex
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
